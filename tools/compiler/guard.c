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

#include "tools/compiler/axis.h"

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
		if (mtcc_find_axis(module, body, LLVMGetOperand(compare, i)) &&
		    mtcc_is_uniform(module, body, LLVMGetOperand(compare, 1 - i), 0))
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

/* i1 in the entry: @compare has its ordinary value for the first and for the last thread. */
static LLVMValueRef build_test(struct mtcc_axis_end *first, struct mtcc_axis_end *last,
			       LLVMValueRef compare, int growing)
{
	LLVMBuilderRef builder = first->module->builder;
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
	LLVMValueRef at_first = mtcc_axis_copy(first, compare),
		     at_last = mtcc_axis_copy(last, compare);
	LLVMValueRef ordered;

	ordered = mtcc_axis_build_no_wrap(
		first, last, LLVMGetOperand(compare, (unsigned int)growing), is_signed(predicate));
	if (!holds_in_full_blocks(compare, growing)) {
		at_first = LLVMBuildNot(builder, at_first, "");
		at_last = LLVMBuildNot(builder, at_last, "");
	}
	return LLVMBuildAnd(builder, ordered, LLVMBuildAnd(builder, at_first, at_last, ""), "");
}

/* In the body, the flag overrides the comparison. */
static void override(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef compare)
{
	bool holds = holds_in_full_blocks(compare, find_growing(module, body, compare));
	LLVMValueRef full = LLVMGetParam(body, MTCC_BODY_MORE), result;
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

/* The tests of one axis, all together; NULL: there are none. @failed: too many values. */
static LLVMValueRef build_axis(struct mtcc_module *module, struct mtcc_kernel *kernel,
			       unsigned int axis, LLVMValueRef *tests, size_t count, bool *failed)
{
	LLVMValueRef all = NULL, test;
	struct mtcc_axis_end first, last;

	for (size_t i = 0; i < count; i++) {
		int growing = find_growing(module, kernel->body, tests[i]);

		if (mtcc_find_axis(module, kernel->body,
				   LLVMGetOperand(tests[i], (unsigned int)growing)) != axis)
			continue;
		if (!all)
			mtcc_axis_open(&first, &last, module, kernel, axis);
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
	LLVMTypeRef flag;

	for (unsigned int axis = MTCC_BODY_X; axis < MTCC_BODY_X + 3; axis++) {
		test = build_axis(module, kernel, axis, tests, count, &failed);
		if (test)
			guard = guard ? LLVMBuildAnd(module->builder, guard, test, "") : test;
	}
	if (!guard || failed) {
		free(tests);
		return NULL;
	}
	flag = LLVMInt1TypeInContext(module->context);
	mtcc_body_extend(module, kernel, &flag, 1);
	for (size_t i = 0; i < count; i++)
		override(module, kernel->body, tests[i]);
	free(tests);
	LLVMPositionBuilderAtEnd(module->builder, place);
	return guard;
}
