/* SPDX-License-Identifier: MIT */
/*
 * Math without an inline form. The front end and the optimiser know it as intrinsics and library
 * names (llvm.sin.f32, sinf, frem), which keeps calls free of side effects; at the end each
 * becomes a call through the engine's table of functions.
 */
#include <stdio.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

#define MATH_ROW1(f) {#f, 1},
#define MATH_ROW2(f) {#f, 2},
#define MATH_ROW3(f) {#f, 3},

static const struct math_function {
	const char *name;
	unsigned int arguments;
} functions[] = {
	MT_DEV_MATH_LIST(MATH_ROW1, MATH_ROW2, MATH_ROW3, MATH_ROW1, MATH_ROW2, MATH_ROW3)};

/* Index in the table of the library function @name; -1: not there. */
static int find_function(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name))
			return (int)i;
	return -1;
}

/* Index for an IR function: a library name, or llvm.NAME.TYPE, perhaps of vectors. */
static int find_declared(const char *name)
{
	char library[32];
	const char *stem, *dot;

	if (!mtcc_starts(name, "llvm."))
		return find_function(name);
	stem = name + strlen("llvm.");
	dot = strchr(stem, '.');
	if (!dot)
		return -1;
	if (mtcc_ends(name, "f32"))
		snprintf(library, sizeof(library), "%.*sf", (int)(dot - stem), stem);
	else if (mtcc_ends(name, "f64"))
		snprintf(library, sizeof(library), "%.*s", (int)(dot - stem), stem);
	else
		return -1;
	return find_function(library);
}

/* The intrinsics that the target has instructions for stay. */
static bool is_inline(LLVMValueRef function, const char *name)
{
	LLVMAttributeRef features;
	const char *text;
	unsigned int length;

	if (!mtcc_starts(name, "llvm.fma."))
		return false;
	features = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
						 "target-features", 15);
	if (!features)
		return false;
	text = LLVMGetStringAttributeValue(features, &length);
	return strstr(text, "+fma,") || mtcc_ends(text, "+fma");
}

static LLVMValueRef build_call(struct mtcc_module *module, LLVMValueRef function, int index,
			       LLVMTypeRef type, LLVMValueRef *arguments)
{
	static const char *const pure[] = {"readnone", "nounwind", "willreturn"};
	LLVMTypeRef types[3] = {type, type, type};
	unsigned int count = functions[index].arguments;
	LLVMTypeRef call_type = LLVMFunctionType(type, types, count, false);
	LLVMValueRef table, address, call;

	table = mtcc_block_service(module, function, offsetof(struct mt_dev_services, math),
				   module->i8);
	address = mtcc_build_address(module, table, (uint64_t)index * sizeof(mt_dev_math_fn),
				     LLVMPointerType(call_type, 0));
	address = LLVMBuildLoad2(module->builder, LLVMPointerType(call_type, 0), address, "");
	call = LLVMBuildCall2(module->builder, call_type, address, arguments, count, "");
	for (size_t i = 0; i < sizeof(pure) / sizeof(pure[0]); i++)
		LLVMAddCallSiteAttribute(
			call, LLVMAttributeFunctionIndex,
			LLVMCreateEnumAttribute(
				module->context,
				LLVMGetEnumAttributeKindForName(pure[i], strlen(pure[i])), 0));
	return call;
}

/* Replaces @old, whose operands are the arguments; vectors go element by element. */
static void replace(struct mtcc_module *module, LLVMValueRef old, int index)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(old));
	LLVMTypeRef type = LLVMTypeOf(old);
	unsigned int count = functions[index].arguments, lanes = 1;
	bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
	LLVMValueRef result = NULL, arguments[3];

	LLVMPositionBuilderBefore(module->builder, old);
	if (vector) {
		lanes = LLVMGetVectorSize(type);
		result = LLVMGetUndef(type);
	}
	for (unsigned int lane = 0; lane < lanes; lane++) {
		LLVMValueRef at = LLVMConstInt(module->i32, lane, false), value;

		for (unsigned int i = 0; i < count; i++) {
			arguments[i] = LLVMGetOperand(old, i);
			if (vector)
				arguments[i] = LLVMBuildExtractElement(module->builder,
								       arguments[i], at, "");
		}
		value = build_call(module, function, index, LLVMTypeOf(arguments[0]), arguments);
		result = vector ? LLVMBuildInsertElement(module->builder, result, value, at, "")
				: value;
	}
	LLVMReplaceAllUsesWith(old, result);
	LLVMInstructionEraseFromParent(old);
}

static void lower_instruction(struct mtcc_module *module, LLVMValueRef instruction)
{
	LLVMTypeRef type = LLVMTypeOf(instruction);
	LLVMValueRef callee;
	const char *name;
	size_t length;
	int index;

	if (LLVMIsABinaryOperator(instruction) &&
	    LLVMGetInstructionOpcode(instruction) == LLVMFRem) {
		if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
			type = LLVMGetElementType(type);
		replace(module, instruction,
			find_function(LLVMGetTypeKind(type) == LLVMFloatTypeKind ? "fmodf"
										 : "fmod"));
		return;
	}
	if (!LLVMIsACallInst(instruction))
		return;
	callee = LLVMGetCalledValue(instruction);
	if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return;
	name = LLVMGetValueName2(callee, &length);
	index = find_declared(name);
	if (index >= 0 &&
	    !is_inline(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)), name))
		replace(module, instruction, index);
}

void mtcc_math_lower(struct mtcc_module *module)
{
	for (LLVMValueRef function = LLVMGetFirstFunction(module->module); function;
	     function = LLVMGetNextFunction(function)) {
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		     block = LLVMGetNextBasicBlock(block)) {
			LLVMValueRef instruction = LLVMGetFirstInstruction(block), next;

			for (; instruction; instruction = next) {
				next = LLVMGetNextInstruction(instruction);
				lower_instruction(module, instruction);
			}
		}
	}
}
