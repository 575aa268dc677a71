/* SPDX-License-Identifier: MIT */
/*
 * Kernels that walk over more elements than there are threads:
 *
 *	for (i = thread's place; i < n; i += threads of the grid)
 *
 * Run thread after thread, such a loop touches memory with large steps, and it is not vectorised.
 * So the loops change places: the block entry counts the passes, and in each all threads of the
 * block run the loop's contents once. That needs a loop that carries nothing but i from pass to
 * pass, and numbers that do not wrap around; the block entry looks whether they would, and then
 * runs the threads one after the other.
 */
#include "tools/compiler/stride.h"

#include <stdlib.h>

/* Arguments that the body gets: one pass only, every thread takes part, what to add to the start.
 */
enum { ARGUMENT_PASS, ARGUMENT_FULL, ARGUMENT_OFFSET, ARGUMENTS };

struct stride {
	LLVMBasicBlockRef before, head, latch, inside, exit;
	LLVMValueRef index, start, step, test, bound;
	LLVMIntPredicate predicate; /* of index against bound */
	unsigned int axis;
};

static bool is_readnone(LLVMValueRef call)
{
	unsigned int kind = LLVMGetEnumAttributeKindForName("readnone", 8);
	LLVMValueRef callee = LLVMGetCalledValue(call);

	return LLVMIsAFunction(callee) &&
	       LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
}

/* True if running @block once more changes nothing; loads must have the same result, too, unless
 * @any_loads. */
static bool is_repeatable(const struct mtcc_module *module, LLVMBasicBlockRef block, bool any_loads)
{
	for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
	     at = LLVMGetNextInstruction(at)) {
		switch (LLVMGetInstructionOpcode(at)) {
		case LLVMLoad:
			if (LLVMGetVolatile(at) ||
			    LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic)
				return false;
			if (!any_loads && !LLVMGetMetadata(at, module->invariant_kind))
				return false;
			break;
		case LLVMCall:
			if (!is_readnone(at))
				return false;
			break;
		case LLVMStore:
		case LLVMAtomicRMW:
		case LLVMAtomicCmpXchg:
		case LLVMFence:
		case LLVMVAArg:
		case LLVMInvoke:
		case LLVMAlloca:
			return false;
		default:
			break;
		}
	}
	return true;
}

static bool is_jump_to(LLVMValueRef branch, LLVMBasicBlockRef target)
{
	return LLVMIsABranchInst(branch) && !LLVMIsConditional(branch) &&
	       LLVMGetSuccessor(branch, 0) == target;
}

/* The loop's one variable, with its start and step. */
static bool read_index(struct mtcc_module *module, LLVMValueRef body, struct stride *stride)
{
	LLVMValueRef index = LLVMGetFirstInstruction(stride->head), next;
	unsigned int from;

	if (!LLVMIsAPHINode(index) || LLVMIsAPHINode(LLVMGetNextInstruction(index)) ||
	    LLVMCountIncoming(index) != 2 ||
	    LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
		return false;
	from = LLVMGetIncomingBlock(index, 0) == stride->before ? 0 : 1;
	if (LLVMGetIncomingBlock(index, from) != stride->before)
		return false;
	stride->index = index;
	stride->start = LLVMGetIncomingValue(index, from);
	stride->latch = LLVMGetIncomingBlock(index, 1 - from);
	next = LLVMGetIncomingValue(index, 1 - from);
	if (!is_jump_to(LLVMGetBasicBlockTerminator(stride->latch), stride->head) ||
	    !LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd)
		return false;
	if (LLVMGetOperand(next, 0) == index)
		stride->step = LLVMGetOperand(next, 1);
	else if (LLVMGetOperand(next, 1) == index)
		stride->step = LLVMGetOperand(next, 0);
	else
		return false;
	stride->axis = mtcc_find_axis(module, body, stride->start);
	return stride->axis && mtcc_is_uniform(module, body, stride->step, 0);
}

/* `i < n` or `i <= n`, in either order, leads inside. */
static bool read_test(struct mtcc_module *module, LLVMValueRef body, struct stride *stride)
{
	LLVMValueRef branch = LLVMGetBasicBlockTerminator(stride->head), test;
	bool swapped;

	if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
		return false;
	test = LLVMGetCondition(branch);
	if (!LLVMIsAICmpInst(test))
		return false;
	swapped = LLVMGetOperand(test, 1) == stride->index;
	if (LLVMGetOperand(test, swapped) != stride->index)
		return false;
	stride->test = test;
	stride->bound = LLVMGetOperand(test, !swapped);
	stride->inside = LLVMGetSuccessor(branch, 0);
	stride->exit = LLVMGetSuccessor(branch, 1);
	stride->predicate = LLVMGetICmpPredicate(test);
	switch (stride->predicate) {
	case LLVMIntSLT:
	case LLVMIntSLE:
	case LLVMIntULT:
	case LLVMIntULE:
		if (swapped)
			return false;
		break;
	case LLVMIntSGT:
		stride->predicate = LLVMIntSLT;
		break;
	case LLVMIntSGE:
		stride->predicate = LLVMIntSLE;
		break;
	case LLVMIntUGT:
		stride->predicate = LLVMIntULT;
		break;
	case LLVMIntUGE:
		stride->predicate = LLVMIntULE;
		break;
	default:
		return false;
	}
	/* Behind it there is nothing more. */
	return (swapped || LLVMGetICmpPredicate(test) == stride->predicate) &&
	       mtcc_is_uniform(module, body, stride->bound, 0) &&
	       LLVMIsAReturnInst(LLVMGetFirstInstruction(stride->exit));
}

/* True if the loop is left at its head alone. */
static bool has_one_exit(LLVMValueRef body, const struct stride *stride)
{
	unsigned int total = LLVMCountBasicBlocks(body), count = 0, latches = 0;
	LLVMBasicBlockRef *blocks = mtcc_alloc(total * sizeof(*blocks));
	bool good = stride->inside != stride->head && stride->inside != stride->exit;

	blocks[count++] = stride->inside;
	for (unsigned int i = 0; good && i < count; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[i]);

		good = LLVMIsABranchInst(end) || LLVMIsASwitchInst(end) ||
		       LLVMIsAUnreachableInst(end);
		for (unsigned int s = 0; good && s < LLVMGetNumSuccessors(end); s++) {
			LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
			unsigned int known = 0;

			if (next == stride->head) {
				latches++;
				continue;
			}
			good = next != stride->exit && next != stride->before;
			while (known < count && blocks[known] != next)
				known++;
			if (good && known == count)
				blocks[count++] = next;
		}
	}
	free(blocks);
	return good && latches == 1;
}

static bool find_loop(struct mtcc_module *module, LLVMValueRef body, struct stride *stride)
{
	LLVMValueRef branch;

	stride->before = LLVMGetEntryBasicBlock(body);
	branch = LLVMGetBasicBlockTerminator(stride->before);
	if (!LLVMIsABranchInst(branch) || LLVMIsConditional(branch))
		return false;
	stride->head = LLVMGetSuccessor(branch, 0);
	return read_index(module, body, stride) && read_test(module, body, stride) &&
	       has_one_exit(body, stride) && !mtcc_has_private_memory(body) &&
	       is_repeatable(module, stride->before, false) &&
	       is_repeatable(module, stride->head, true);
}

static bool is_signed(const struct stride *stride)
{
	return stride->predicate == LLVMIntSLT || stride->predicate == LLVMIntSLE;
}

/* i1 in the entry: whatever the number of passes, no thread's i wraps around. */
static LLVMValueRef build_valid(struct mtcc_axis_end *first, struct mtcc_axis_end *last,
				const struct stride *stride, const struct mtcc_passes *passes)
{
	LLVMBuilderRef builder = first->module->builder;
	LLVMTypeRef type = LLVMTypeOf(stride->index), wide;
	unsigned int bits = LLVMGetIntTypeWidth(type);
	LLVMValueRef ends[4] = {passes->bound, passes->step, passes->last, passes->first};
	LLVMValueRef valid, limit;

	wide = LLVMIntTypeInContext(first->module->context, 2 * bits);
	for (unsigned int i = 0; i < 4; i++)
		ends[i] = is_signed(stride) ? LLVMBuildSExt(builder, ends[i], wide, "")
					    : LLVMBuildZExt(builder, ends[i], wide, "");
	limit = LLVMConstLShr(LLVMConstAllOnes(wide),
			      LLVMConstInt(wide, is_signed(stride) ? bits + 1 : bits, false));
	valid = LLVMBuildICmp(builder, LLVMIntSGT, ends[1], LLVMConstNull(wide), "");
	ends[0] = LLVMBuildAdd(builder, ends[0], ends[1], "");
	ends[0] = LLVMBuildAdd(builder, ends[0], LLVMBuildSub(builder, ends[2], ends[3], ""), "");
	valid = LLVMBuildAnd(builder, valid, LLVMBuildICmp(builder, LLVMIntSLE, ends[0], limit, ""),
			     "");
	return LLVMBuildAnd(builder, valid,
			    mtcc_axis_build_no_wrap(first, last, stride->start, is_signed(stride)),
			    "");
}

/* The body's part: with "pass", it begins at the offset and ends after one pass. */
static void change_body(struct mtcc_module *module, struct mtcc_kernel *kernel,
			const struct stride *stride)
{
	LLVMTypeRef flag = LLVMInt1TypeInContext(module->context);
	LLVMTypeRef types[ARGUMENTS] = {flag, flag, LLVMTypeOf(stride->index)};
	LLVMValueRef pass, full, offset, old, start, test, end;
	unsigned int from = LLVMGetIncomingBlock(stride->index, 0) == stride->before ? 0 : 1;

	mtcc_body_extend(module, kernel, types, ARGUMENTS);
	pass = LLVMGetParam(kernel->body, MTCC_BODY_MORE + ARGUMENT_PASS);
	full = LLVMGetParam(kernel->body, MTCC_BODY_MORE + ARGUMENT_FULL);
	offset = LLVMGetParam(kernel->body, MTCC_BODY_MORE + ARGUMENT_OFFSET);
	LLVMPositionBuilderBefore(module->builder, LLVMGetBasicBlockTerminator(stride->before));
	old = LLVMGetIncomingValue(stride->index,
				   from); /* not stride->start, if that was an argument */
	start = LLVMBuildAdd(module->builder, old, offset, "");
	start = LLVMBuildSelect(module->builder, pass, start, old, "");
	LLVMSetOperand(stride->index, from, start);
	end = LLVMGetBasicBlockTerminator(stride->head);
	LLVMPositionBuilderBefore(module->builder, end);
	test = LLVMBuildOr(module->builder, stride->test, full, "");
	LLVMSetCondition(end, test);
	end = LLVMGetBasicBlockTerminator(stride->latch);
	LLVMPositionBuilderBefore(module->builder, end);
	LLVMBuildCondBr(module->builder, pass, stride->exit, stride->head);
	LLVMInstructionEraseFromParent(end);
}

bool mtcc_passes_build(struct mtcc_module *module, struct mtcc_kernel *kernel,
		       struct mtcc_passes *passes)
{
	LLVMBasicBlockRef place = LLVMGetInsertBlock(module->builder);
	struct mtcc_axis_end first, last;
	struct stride stride;

	if (!find_loop(module, kernel->body, &stride))
		return false;
	mtcc_axis_open(&first, &last, module, kernel, stride.axis);
	passes->predicate = stride.predicate;
	passes->first = mtcc_axis_copy(&first, stride.start);
	passes->last = mtcc_axis_copy(&last, stride.start);
	passes->step = mtcc_axis_copy(&first, stride.step);
	passes->bound = mtcc_axis_copy(&first, stride.bound);
	passes->valid = build_valid(&first, &last, &stride, passes);
	if (first.failed || last.failed)
		return false;
	change_body(module, kernel, &stride);
	LLVMPositionBuilderAtEnd(module->builder, place);
	return true;
}

void mtcc_passes_arguments(struct mtcc_module *module, bool pass, bool full, LLVMValueRef offset,
			   LLVMValueRef arguments[MTCC_PASSES_ARGUMENTS])
{
	LLVMTypeRef flag = LLVMInt1TypeInContext(module->context);

	arguments[ARGUMENT_PASS] = LLVMConstInt(flag, pass, false);
	arguments[ARGUMENT_FULL] = LLVMConstInt(flag, full, false);
	arguments[ARGUMENT_OFFSET] = offset;
}
