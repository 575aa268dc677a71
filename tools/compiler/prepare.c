/* SPDX-License-Identifier: MIT */
/*
 * Linkage and attributes of a device module: only kernels and device variables are visible, no
 * unwinding, and every function that is neither recursive nor marked noinline is inlined.
 */
#include <llvm-c/Comdat.h>
#include <llvm-c/Transforms/IPO.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compiler/module.h"

/* LLVM's code generator calls these by name. */
static const char *const memory_functions[] = {"memcpy", "memmove", "memset", "memcmp", "bcmp"};

/* One function during the search for cycles of calls. */
struct call_node {
	LLVMValueRef function;
	unsigned int order;  /* 1 + position in the depth-first walk; 0: not seen */
	unsigned int lowest; /* smallest order that it reaches */
	bool on_stack;
	bool recursive;
	LLVMBasicBlockRef block; /* where the walk of its calls stands */
	LLVMValueRef instruction;
};

struct call_walk {
	struct call_node *nodes; /* owned; sorted by function */
	size_t count;
	struct call_node **path;  /* owned; functions being walked */
	struct call_node **stack; /* owned; functions of components that are not complete */
	size_t path_count, stack_count;
	unsigned int order;
};

static bool is_memory_function(const char *name)
{
	for (size_t i = 0; i < sizeof(memory_functions) / sizeof(memory_functions[0]); i++)
		if (!strcmp(name, memory_functions[i]))
			return true;
	return false;
}

static const char *name_of(LLVMValueRef value)
{
	size_t length;

	return LLVMGetValueName2(value, &length);
}

static int compare_nodes(const void *a, const void *b)
{
	LLVMValueRef left = ((const struct call_node *)a)->function;
	LLVMValueRef right = ((const struct call_node *)b)->function;

	return left < right ? -1 : left > right;
}

static struct call_node *find_node(struct call_walk *walk, LLVMValueRef function)
{
	struct call_node key = {.function = function};

	return bsearch(&key, walk->nodes, walk->count, sizeof(key), compare_nodes);
}

/* The next defined function that @node calls, NULL at its end. */
static struct call_node *next_callee(struct call_walk *walk, struct call_node *node)
{
	while (node->block) {
		while (node->instruction) {
			LLVMValueRef instruction = node->instruction, callee;

			node->instruction = LLVMGetNextInstruction(instruction);
			if (!LLVMIsACallInst(instruction))
				continue;
			callee = LLVMGetCalledValue(instruction);
			if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee))
				return find_node(walk, callee);
		}
		node->block = LLVMGetNextBasicBlock(node->block);
		if (node->block)
			node->instruction = LLVMGetFirstInstruction(node->block);
	}
	return NULL;
}

static void enter_node(struct call_walk *walk, struct call_node *node)
{
	node->order = node->lowest = ++walk->order;
	node->on_stack = true;
	node->block = LLVMGetFirstBasicBlock(node->function);
	node->instruction = LLVMGetFirstInstruction(node->block);
	walk->path[walk->path_count++] = node;
	walk->stack[walk->stack_count++] = node;
}

/* A component of more than one function is a cycle of calls. */
static void leave_node(struct call_walk *walk, struct call_node *node)
{
	struct call_node *caller;

	walk->path_count--;
	if (walk->path_count) {
		caller = walk->path[walk->path_count - 1];
		if (node->lowest < caller->lowest)
			caller->lowest = node->lowest;
	}
	if (node->lowest != node->order)
		return;
	if (walk->stack[walk->stack_count - 1] != node)
		node->recursive = true;
	while (walk->stack[--walk->stack_count] != node) {
		walk->stack[walk->stack_count]->on_stack = false;
		walk->stack[walk->stack_count]->recursive = true;
	}
	node->on_stack = false;
}

/* Tarjan's search for strongly connected components, without recursion. */
static void walk_from(struct call_walk *walk, struct call_node *root)
{
	enter_node(walk, root);
	while (walk->path_count) {
		struct call_node *node = walk->path[walk->path_count - 1];
		struct call_node *callee = next_callee(walk, node);

		if (!callee) {
			leave_node(walk, node);
		} else if (!callee->order) {
			enter_node(walk, callee);
		} else {
			if (callee == node)
				node->recursive = true;
			if (callee->on_stack && callee->order < node->lowest)
				node->lowest = callee->order;
		}
	}
}

static void remove_attribute(LLVMValueRef function, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
				       LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
					   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void mark_inline(struct mtcc_module *module)
{
	struct call_walk walk = {0};
	LLVMValueRef function;

	for (function = LLVMGetFirstFunction(module->module); function;
	     function = LLVMGetNextFunction(function)) {
		if (LLVMIsDeclaration(function))
			continue;
		walk.nodes = mtcc_realloc(walk.nodes, (walk.count + 1) * sizeof(*walk.nodes));
		memset(&walk.nodes[walk.count], 0, sizeof(*walk.nodes));
		walk.nodes[walk.count++].function = function;
	}
	if (walk.count)
		qsort(walk.nodes, walk.count, sizeof(*walk.nodes), compare_nodes);
	walk.path = mtcc_alloc(walk.count * sizeof(*walk.path));
	walk.stack = mtcc_alloc(walk.count * sizeof(*walk.stack));
	for (size_t i = 0; i < walk.count; i++)
		if (!walk.nodes[i].order)
			walk_from(&walk, &walk.nodes[i]);
	for (size_t i = 0; i < walk.count; i++) {
		function = walk.nodes[i].function;
		if (is_memory_function(name_of(function)) || walk.nodes[i].recursive) {
			remove_attribute(function, "alwaysinline");
			mtcc_add_attribute(module, function, LLVMAttributeFunctionIndex, "noinline",
					   0);
		} else if (!has_attribute(function, "noinline")) {
			mtcc_add_attribute(module, function, LLVMAttributeFunctionIndex,
					   "alwaysinline", 0);
		}
	}
	free(walk.nodes);
	free(walk.path);
	free(walk.stack);
}

static void prepare_function(struct mtcc_module *module, LLVMValueRef function)
{
	static const char *const unwanted[] = {"uwtable", "ssp",        "sspstrong",
					       "sspreq",  "convergent", "sanitize_address"};

	for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
		remove_attribute(function, unwanted[i]);
	mtcc_add_attribute(module, function, LLVMAttributeFunctionIndex, "nounwind", 0);
	/* No library stands behind device code: LLVM must not invent calls to one. */
	LLVMAddAttributeAtIndex(
		function, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(module->context, "no-builtins", 11, "", 0));
	if (LLVMIsDeclaration(function))
		return;
	LLVMSetComdat(function, NULL);
	LLVMSetSection(function, "");
	if (is_memory_function(name_of(function))) {
		LLVMSetLinkage(function, LLVMExternalLinkage);
		LLVMSetVisibility(function, LLVMHiddenVisibility);
		return;
	}
	LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* Host code can name the variables of unnamed namespaces, which clang leaves internal. What is local
 * to a function has another kind of name. */
static bool in_unnamed_namespace(LLVMValueRef variable)
{
	const char *name = name_of(variable);

	return mtcc_starts(name, "_ZN") && strstr(name, "12_GLOBAL__N_1");
}

static void prepare_variable(LLVMValueRef variable)
{
	if (LLVMIsDeclaration(variable) || mtcc_starts(name_of(variable), "llvm."))
		return;
	LLVMSetComdat(variable, NULL);
	LLVMSetSection(variable, "");
	if (LLVMIsExternallyInitialized(variable) || in_unnamed_namespace(variable)) {
		LLVMSetLinkage(variable, LLVMExternalLinkage);
		LLVMSetVisibility(variable, LLVMProtectedVisibility);
		LLVMSetUnnamedAddress(variable, LLVMNoUnnamedAddr);
	} else {
		LLVMSetVisibility(variable, LLVMDefaultVisibility);
		LLVMSetLinkage(variable, LLVMInternalLinkage);
	}
}

static void delete_global(struct mtcc_module *module, const char *name)
{
	LLVMValueRef global = LLVMGetNamedGlobal(module->module, name);

	if (global)
		LLVMDeleteGlobal(global);
}

void mtcc_module_prepare(struct mtcc_module *module)
{
	LLVMValueRef value;

	delete_global(module, "llvm.used");
	delete_global(module, "llvm.compiler.used");
	for (value = LLVMGetFirstFunction(module->module); value;
	     value = LLVMGetNextFunction(value))
		prepare_function(module, value);
	for (value = LLVMGetFirstGlobal(module->module); value; value = LLVMGetNextGlobal(value))
		prepare_variable(value);
	for (value = LLVMGetFirstGlobalAlias(module->module); value;
	     value = LLVMGetNextGlobalAlias(value))
		LLVMSetLinkage(value, LLVMInternalLinkage);
	mark_inline(module);
	/* Kernels stay until their bodies are taken out of them. */
	for (size_t i = 0; i < module->kernel_count; i++) {
		LLVMSetLinkage(module->kernels[i].source, LLVMExternalLinkage);
		remove_attribute(module->kernels[i].source, "alwaysinline");
	}
}

/* The old pass manager's inliner: the new one's (LLVM 14) keeps block frequencies of functions
 * that it has changed, and crashes on them. */
void mtcc_module_inline(struct mtcc_module *module)
{
	LLVMPassManagerRef passes = LLVMCreatePassManager();

	LLVMAddAlwaysInlinerPass(passes);
	LLVMAddGlobalDCEPass(passes);
	LLVMRunPassManager(passes, module->module);
	LLVMDisposePassManager(passes);
}

void mtcc_module_optimise(struct mtcc_module *module, const char *pipeline)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error;
	char *text;

	LLVMPassBuilderOptionsSetLoopVectorization(options, module->level >= 2);
	LLVMPassBuilderOptionsSetSLPVectorization(options, module->level >= 2);
	LLVMPassBuilderOptionsSetLoopUnrolling(options, module->level >= 2);
	error = LLVMRunPasses(module->module, pipeline, module->machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (error) {
		text = LLVMGetErrorMessage(error);
		mtcc_fatal("optimising device code: %s", text);
	}
}
