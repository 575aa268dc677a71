/* SPDX-License-Identifier: MIT */
/*
 * Which functions each kernel may run. An indirect call may reach every function whose address
 * the module takes. What a kernel reaches decides whether its threads need fibers.
 */
#include <stdlib.h>

#include "tools/compiler/module.h"

struct function_set {
	LLVMValueRef *functions; /* owned; in the order of discovery */
	size_t count;
};

static struct function_set *reached; /* one per kernel */
static size_t reached_count;
static const struct mtcc_kernel *first_kernel;

static bool set_holds(const struct function_set *set, LLVMValueRef function)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->functions[i] == function)
			return true;
	return false;
}

static void set_add(struct function_set *set, LLVMValueRef function)
{
	if (set_holds(set, function))
		return;
	set->functions = mtcc_realloc(set->functions, (set->count + 1) * sizeof(function));
	set->functions[set->count++] = function;
}

static bool is_address_taken(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
			return true;
		for (unsigned int i = 0; i < LLVMGetNumArgOperands(user); i++)
			if (LLVMGetOperand(user, i) == function)
				return true;
	}
	return false;
}

static void add_callees(struct mtcc_module *module, struct function_set *set, LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
	     block = LLVMGetNextBasicBlock(block)) {
		for (LLVMValueRef call = LLVMGetFirstInstruction(block); call;
		     call = LLVMGetNextInstruction(call)) {
			LLVMValueRef callee;

			if (!LLVMIsACallInst(call))
				continue;
			callee = LLVMGetCalledValue(call);
			if (LLVMIsAFunction(callee)) {
				set_add(set, callee);
				continue;
			}
			if (LLVMIsAInlineAsm(callee))
				continue;
			for (LLVMValueRef other = LLVMGetFirstFunction(module->module); other;
			     other = LLVMGetNextFunction(other))
				if (is_address_taken(other))
					set_add(set, other);
		}
	}
}

void mtcc_kernels_find_reach(struct mtcc_module *module)
{
	size_t length;

	reached_count = module->kernel_count;
	reached = mtcc_alloc(reached_count * sizeof(*reached));
	first_kernel = module->kernels;
	for (size_t i = 0; i < module->kernel_count; i++) {
		struct mtcc_kernel *kernel = &module->kernels[i];

		set_add(&reached[i], kernel->body);
		for (size_t at = 0; at < reached[i].count; at++) {
			LLVMValueRef function = reached[i].functions[at];
			const char *name = LLVMGetValueName2(function, &length);

			if (!LLVMIsDeclaration(function)) {
				add_callees(module, &reached[i], function);
				continue;
			}
			kernel->fibers |= mtcc_builtin_needs_fibers(name);
			kernel->barrier |= mtcc_builtin_is_barrier(name);
			kernel->graph_launch |= mtcc_builtin_launches_graphs(name);
		}
	}
}

bool mtcc_kernel_reaches(const struct mtcc_kernel *kernel, LLVMValueRef function)
{
	return set_holds(&reached[kernel - first_kernel], function);
}

void mtcc_kernels_finish_reach(void)
{
	for (size_t i = 0; i < reached_count; i++)
		free(reached[i].functions);
	free(reached);
	reached = NULL;
	reached_count = 0;
}
