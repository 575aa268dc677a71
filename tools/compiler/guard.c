/* SPDX-License-Identifier: MIT */
/*
 * Kernels begin with `if (i < n)`, i being the thread's place in the grid. That test keeps the
 * loop over a block's threads from being vectorised, and in nearly all blocks it holds for every
 * thread. So where such tests are, the block entry has two loop nests: one for blocks in which all
 * hold, in which they are gone, and one for the rest. A test qualifies if it compares x plus
 * something that is the same for the block with something that is the same for the block; then its
 * values at both ends decide for all between.
 */
#include <stdlib.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

#define DEPTH_MAX 24

enum { BODY_BLOCK, BODY_X, BODY_FULL = 4 };

/* Copies of the body's values in the block entry, with x replaced. */
struct copy {
	struct mtcc_module *module;
	LLVMValueRef body, entry;
	LLVMValueRef x;    /* value that stands for x */
	LLVMValueRef from[256], to[256];
	unsigned int count;
	bool failed;
};

static bool is_argument(LLVMValueRef value, LLVMValueRef body, unsigned int index)
{
	return value == LLVMGetParam(body, index);
}

static bool has_metadata(struct mtcc_module *module, LLVMValueRef value)
{
	return LLVMGetMetadata(value, module->invariant_kind) != NULL;
}

/* True if @value can be computed in the entry; without @with_x only if it does not depend on x. */
static bool can_copy(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value, bool with_x,
		     unsigned int depth)
{
	if (LLVMIsAConstant(value))
		return true;
	if (LLVMIsAArgument(value))
		return is_argument(value, body, BODY_BLOCK) ||
		       (with_x && is_argument(value, body, BODY_X));
	if (depth > DEPTH_MAX || !LLVMIsAInstruction(value))
		return false;
	if (LLVMIsALoadInst(value)) {
		if (!has_metadata(module, value))
			return false;
	} else if (!LLVMIsAGetElementPtrInst(value) && !LLVMIsACastInst(value)) {
		switch (LLVMGetInstructionOpcode(value)) {
		case LLVMAdd:
		case LLVMSub:
		case LLVMMul:
		case LLVMShl:
		case LLVMLShr:
		case LLVMAShr:
		case LLVMAnd:
		case LLVMOr:
		case LLVMXor:
			break;
		default:
			return false;
		}
	}
	for (int i = 0; i < LLVMGetNumOperands(value); i++)
		if (!can_copy(module, body, LLVMGetOperand(value, (unsigned int)i), with_x,
			      depth + 1))
			return false;
	return true;
}

/* True if @value is x plus something uniform, perhaps widened. */
static bool grows_with_x(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value)
{
	if (is_argument(value, body, BODY_X))
		return true;
	if (!LLVMIsAInstruction(value))
		return false;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMSExt:
	case LLVMZExt:
		return grows_with_x(module, body, LLVMGetOperand(value, 0));
	case LLVMAdd:
		for (unsigned int i = 0; i < 2; i++)
			if (grows_with_x(module, body, LLVMGetOperand(value, i)))
				return can_copy(module, body, LLVMGetOperand(value, 1 - i), false,
						0);
		return false;
	default:
		return false;
	}
}

static bool is_order(LLVMIntPredicate predicate)
{
	return predicate != LLVMIntEQ && predicate != LLVMIntNE;
}

static bool is_less(LLVMIntPredicate predicate)
{
	return predicate == LLVMIntSLT || predicate == LLVMIntSLE || predicate == LLVMIntULT ||
	       predicate == LLVMIntULE;
}

static bool is_signed(LLVMIntPredicate predicate)
{
	return predicate >= LLVMIntSGT;
}

/* Which operand of a comparison grows with x; -1 if the comparison does not qualify. */
static int find_growing(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef compare)
{
	if (!LLVMIsAICmpInst(compare) || !is_order(LLVMGetICmpPredicate(compare)) ||
	    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(compare, 0))) != LLVMIntegerTypeKind)
		return -1;
	for (unsigned int i = 0; i < 2; i++)
		if (grows_with_x(module, body, LLVMGetOperand(compare, i)) &&
		    can_copy(module, body, LLVMGetOperand(compare, 1 - i), false, 0))
			return (int)i;
	return -1;
}

/* What a test says in an ordinary block. `i < n` holds, `i >= n` (then return) does not; against a
 * constant, `i > 0`, the ordinary thread is beyond it. */
static bool holds_in_full_blocks(LLVMValueRef compare, int growing)
{
	if (LLVMIsAConstant(LLVMGetOperand(compare, 1 - (unsigned int)growing)))
		return true;
	return is_less(LLVMGetICmpPredicate(compare)) == (growing == 0);
}

static LLVMValueRef copy_value(struct copy *copy, LLVMValueRef value)
{
	LLVMValueRef clone;

	if (LLVMIsAConstant(value))
		return value;
	if (LLVMIsAArgument(value))
		return is_argument(value, copy->body, BODY_X) ? copy->x :
								LLVMGetParam(copy->entry, 0);
	for (unsigned int i = 0; i < copy->count; i++)
		if (copy->from[i] == value)
			return copy->to[i];
	if (copy->count == sizeof(copy->from) / sizeof(copy->from[0])) {
		copy->failed = true;
		return LLVMGetUndef(LLVMTypeOf(value));
	}
	clone = LLVMInstructionClone(value);
	for (int i = 0; i < LLVMGetNumOperands(value); i++)
		LLVMSetOperand(clone, (unsigned int)i,
			       copy_value(copy, LLVMGetOperand(value, (unsigned int)i)));
	LLVMInsertIntoBuilder(copy->module->builder, clone);
	if (copy->count < sizeof(copy->from) / sizeof(copy->from[0])) {
		copy->from[copy->count] = value;
		copy->to[copy->count++] = clone;
	}
	return clone;
}

/* i1: every widening on the way from x to @value keeps the order of the two ends. */
static LLVMValueRef build_no_wrap(struct copy *first, struct copy *last, LLVMValueRef value,
				  bool is_signed_order)
{
	LLVMBuilderRef builder = first->module->builder;
	LLVMValueRef ordered, inner;
	unsigned int at;

	if (is_argument(value, first->body, BODY_X))
		return LLVMConstInt(LLVMInt1TypeInContext(first->module->context), 1, false);
	ordered = LLVMBuildICmp(builder, is_signed_order ? LLVMIntSLE : LLVMIntULE,
				copy_value(first, value), copy_value(last, value), "");
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMSExt:
		inner = build_no_wrap(first, last, LLVMGetOperand(value, 0), true);
		break;
	case LLVMZExt:
		inner = build_no_wrap(first, last, LLVMGetOperand(value, 0), false);
		break;
	default:
		at = grows_with_x(first->module, first->body, LLVMGetOperand(value, 0)) ? 0 : 1;
		inner = build_no_wrap(first, last, LLVMGetOperand(value, at), is_signed_order);
		break;
	}
	return LLVMBuildAnd(builder, ordered, inner, "");
}

/* i1 in the entry: @compare has its ordinary value for the first and for the last thread. */
static LLVMValueRef build_test(struct copy *first, struct copy *last, LLVMValueRef compare,
			       int growing)
{
	LLVMBuilderRef builder = first->module->builder;
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
	LLVMValueRef at_first = copy_value(first, compare), at_last = copy_value(last, compare);
	LLVMValueRef ordered;

	ordered = build_no_wrap(first, last, LLVMGetOperand(compare, (unsigned int)growing),
				is_signed(predicate));
	if (!holds_in_full_blocks(compare, growing)) {
		at_first = LLVMBuildNot(builder, at_first, "");
		at_last = LLVMBuildNot(builder, at_last, "");
	}
	return LLVMBuildAnd(builder, ordered, LLVMBuildAnd(builder, at_first, at_last, ""), "");
}

/* Gives the body one more argument, "all threads pass". */
static void add_full_argument(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	LLVMTypeRef flag = LLVMInt1TypeInContext(module->context);
	LLVMTypeRef types[5] = {module->bytes, module->i32, module->i32, module->i32, flag};
	LLVMTypeRef type = LLVMFunctionType(module->void_type, types, 5, false);
	LLVMValueRef old = kernel->body;
	LLVMBasicBlockRef block;
	char *name = mtcc_format("%s.threads", kernel->name);

	kernel->body = LLVMAddFunction(module->module, name, type);
	free(name);
	LLVMSetLinkage(kernel->body, LLVMInternalLinkage);
	mtcc_copy_attributes(kernel->body, old);
	while ((block = LLVMGetFirstBasicBlock(old))) {
		LLVMRemoveBasicBlockFromParent(block);
		LLVMAppendExistingBasicBlock(kernel->body, block);
	}
	for (unsigned int i = 0; i < 4; i++)
		LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(kernel->body, i));
	LLVMDeleteFunction(old);
}

/* In the body, the flag overrides the comparison. */
static void override(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef compare)
{
	bool holds = holds_in_full_blocks(compare, find_growing(module, body, compare));
	LLVMValueRef full = LLVMGetParam(body, BODY_FULL), result;
	LLVMValueRef clone = LLVMInstructionClone(compare);

	LLVMPositionBuilderBefore(module->builder, compare);
	LLVMInsertIntoBuilder(module->builder, clone);
	if (holds)
		result = LLVMBuildOr(module->builder, clone, full, "");
	else
		result = LLVMBuildAnd(module->builder, clone,
				      LLVMBuildNot(module->builder, full, ""), "");
	LLVMReplaceAllUsesWith(compare, result);
	LLVMInstructionEraseFromParent(compare);
}

static size_t collect_tests(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef **tests_out)
{
	LLVMValueRef *tests = NULL;
	size_t count = 0;

	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body); block;
	     block = LLVMGetNextBasicBlock(block)) {
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
		     at = LLVMGetNextInstruction(at)) {
			if (find_growing(module, body, at) < 0)
				continue;
			tests = mtcc_realloc(tests, (count + 1) * sizeof(*tests));
			tests[count++] = at;
		}
	}
	*tests_out = tests;
	return count;
}

LLVMValueRef mtcc_guard_build(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	struct copy first = {.module = module, .body = kernel->body, .entry = kernel->entry};
	struct copy last = first;
	LLVMBasicBlockRef place = LLVMGetInsertBlock(module->builder);
	LLVMValueRef *tests, guard = NULL, test;
	size_t count = collect_tests(module, kernel->body, &tests);

	if (!count)
		return NULL;
	first.x = LLVMConstInt(module->i32, 0, false);
	last.x = mtcc_block_load(module, kernel->entry, module->i32,
				 offsetof(struct mt_dev_block, block_dim_x), true);
	last.x = LLVMBuildSub(module->builder, last.x, LLVMConstInt(module->i32, 1, false), "");
	for (size_t i = 0; i < count; i++) {
		test = build_test(&first, &last, tests[i],
				  find_growing(module, kernel->body, tests[i]));
		guard = guard ? LLVMBuildAnd(module->builder, guard, test, "") : test;
	}
	if (first.failed || last.failed) {
		free(tests);
		return NULL;
	}
	add_full_argument(module, kernel);
	for (size_t i = 0; i < count; i++)
		override(module, kernel->body, tests[i]);
	free(tests);
	LLVMPositionBuilderAtEnd(module->builder, place);
	return guard;
}
