/* SPDX-License-Identifier: MIT */
/*
 * Kernels begin with `if (i < n)`, i being the thread's place in the grid. That test keeps the
 * loop over a block's threads from being vectorised, and in nearly all blocks it holds for every
 * thread. So where such tests are, the block entry has two loop nests: one for blocks in which all
 * hold, in which they are gone, and one for the rest. A test qualifies if it compares x (or y, or
 * z) plus something that is the same for the block with something that is the same for the block;
 * then its values at both ends decide for all between.
 */
#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"
#include "tools/compiler/module.h"

#define DEPTH_MAX 24

enum { BODY_BLOCK, BODY_X, BODY_FULL = 4 };

/* Copies of the body's values in the block entry, with the index in one dimension replaced. */
struct copy {
	struct mtcc_module *module;
	LLVMValueRef body, entry;
	LLVMValueRef index; /* value that stands for the body's argument @axis */
	unsigned int axis;
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

/* True if @value is the same for the whole block and can be computed in the entry. */
static bool is_uniform(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value,
		       unsigned int depth)
{
	if (LLVMIsAConstant(value))
		return true;
	if (LLVMIsAArgument(value))
		return is_argument(value, body, BODY_BLOCK);
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
		if (!is_uniform(module, body, LLVMGetOperand(value, (unsigned int)i), depth + 1))
			return false;
	return true;
}

/* Which index @value is plus something uniform, perhaps widened: its place among the body's
 * arguments, 0 if none. */
static unsigned int find_axis(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value)
{
	unsigned int axis;

	for (axis = BODY_X; axis < BODY_X + 3; axis++)
		if (is_argument(value, body, axis))
			return axis;
	if (!LLVMIsAInstruction(value))
		return 0;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMSExt:
	case LLVMZExt:
		return find_axis(module, body, LLVMGetOperand(value, 0));
	case LLVMAdd:
		for (unsigned int i = 0; i < 2; i++) {
			axis = find_axis(module, body, LLVMGetOperand(value, i));
			if (axis)
				return is_uniform(module, body, LLVMGetOperand(value, 1 - i), 0)
					       ? axis
					       : 0;
		}
		return 0;
	default:
		return 0;
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

/* Which operand of a comparison grows with an index; -1 if the comparison does not qualify. */
static int find_growing(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef compare)
{
	if (!LLVMIsAICmpInst(compare) || !is_order(LLVMGetICmpPredicate(compare)) ||
	    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(compare, 0))) != LLVMIntegerTypeKind)
		return -1;
	for (unsigned int i = 0; i < 2; i++)
		if (find_axis(module, body, LLVMGetOperand(compare, i)) &&
		    is_uniform(module, body, LLVMGetOperand(compare, 1 - i), 0))
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
		return is_argument(value, copy->body, copy->axis) ? copy->index
								  : LLVMGetParam(copy->entry, 0);
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

/* i1: every step on the way from the index to @value keeps the order of the two ends. */
static LLVMValueRef build_no_wrap(struct copy *first, struct copy *last, LLVMValueRef value,
				  bool is_signed_order)
{
	LLVMBuilderRef builder = first->module->builder;
	LLVMValueRef ordered, inner;
	unsigned int at;

	if (is_argument(value, first->body, first->axis))
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
		at = find_axis(first->module, first->body, LLVMGetOperand(value, 0)) ? 0 : 1;
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

/* The two ends of an axis. */
static void open_copies(struct copy *first, struct copy *last, struct mtcc_module *module,
			struct mtcc_kernel *kernel, unsigned int axis)
{
	static const size_t offsets[] = {offsetof(struct mt_dev_block, block_dim_x),
					 offsetof(struct mt_dev_block, block_dim_y),
					 offsetof(struct mt_dev_block, block_dim_z)};
	LLVMValueRef one = LLVMConstInt(module->i32, 1, false);

	memset(first, 0, sizeof(*first));
	first->module = module;
	first->body = kernel->body;
	first->entry = kernel->entry;
	first->axis = axis;
	*last = *first;
	first->index = LLVMConstInt(module->i32, 0, false);
	last->index =
		mtcc_block_load(module, kernel->entry, module->i32, offsets[axis - BODY_X], true);
	last->index = LLVMBuildSub(module->builder, last->index, one, "");
}

/* The tests of one axis, all together; NULL: there are none. @failed: too many values. */
static LLVMValueRef build_axis(struct mtcc_module *module, struct mtcc_kernel *kernel,
			       unsigned int axis, LLVMValueRef *tests, size_t count, bool *failed)
{
	LLVMValueRef all = NULL, test;
	struct copy first, last;

	for (size_t i = 0; i < count; i++) {
		int growing = find_growing(module, kernel->body, tests[i]);

		if (find_axis(module, kernel->body,
			      LLVMGetOperand(tests[i], (unsigned int)growing)) != axis)
			continue;
		if (!all)
			open_copies(&first, &last, module, kernel, axis);
		test = build_test(&first, &last, tests[i], growing);
		all = all ? LLVMBuildAnd(module->builder, all, test, "") : test;
		*failed |= first.failed || last.failed;
	}
	return all;
}

LLVMValueRef mtcc_guard_build(struct mtcc_module *module, struct mtcc_kernel *kernel)
{
	LLVMBasicBlockRef place = LLVMGetInsertBlock(module->builder);
	LLVMValueRef *tests, guard = NULL, test;
	size_t count = collect_tests(module, kernel->body, &tests);
	bool failed = false;

	for (unsigned int axis = BODY_X; axis < BODY_X + 3; axis++) {
		test = build_axis(module, kernel, axis, tests, count, &failed);
		if (test)
			guard = guard ? LLVMBuildAnd(module->builder, guard, test, "") : test;
	}
	if (!guard || failed) {
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
