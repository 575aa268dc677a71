/* SPDX-License-Identifier: MIT */
/*
 * Values of a kernel's body that are the same for a whole block, or a thread's index plus such a
 * value; copies of them in the block entry, for the first and the last thread of an axis.
 */
#include "tools/compiler/axis.h"

#include <stdlib.h>
#include <string.h>

#include "hw/softgpu/device_abi.h"

#define DEPTH_MAX 24

static bool is_argument(LLVMValueRef value, LLVMValueRef body, unsigned int index)
{
	return value == LLVMGetParam(body, index);
}

static bool has_metadata(struct mtcc_module *module, LLVMValueRef value)
{
	return LLVMGetMetadata(value, module->invariant_kind) != NULL;
}

/* True if @value is the same for the whole block and can be computed in the entry. */
bool mtcc_is_uniform(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value,
		     unsigned int depth)
{
	if (LLVMIsAConstant(value))
		return true;
	if (LLVMIsAArgument(value))
		return is_argument(value, body, MTCC_BODY_BLOCK);
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
		if (!mtcc_is_uniform(module, body, LLVMGetOperand(value, (unsigned int)i),
				     depth + 1))
			return false;
	return true;
}

/* Which index @value is plus something uniform, perhaps widened: its place among the body's
 * arguments, 0 if none. */
unsigned int mtcc_find_axis(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value)
{
	unsigned int axis;

	for (axis = MTCC_BODY_X; axis < MTCC_BODY_X + 3; axis++)
		if (is_argument(value, body, axis))
			return axis;
	if (!LLVMIsAInstruction(value))
		return 0;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMSExt:
	case LLVMZExt:
		return mtcc_find_axis(module, body, LLVMGetOperand(value, 0));
	case LLVMAdd:
		for (unsigned int i = 0; i < 2; i++) {
			axis = mtcc_find_axis(module, body, LLVMGetOperand(value, i));
			if (axis)
				return mtcc_is_uniform(module, body, LLVMGetOperand(value, 1 - i),
						       0)
					       ? axis
					       : 0;
		}
		return 0;
	default:
		return 0;
	}
}

LLVMValueRef mtcc_axis_copy(struct mtcc_axis_end *end, LLVMValueRef value)
{
	LLVMValueRef clone;

	if (LLVMIsAConstant(value))
		return value;
	if (LLVMIsAArgument(value))
		return is_argument(value, end->body, end->axis) ? end->index
								: LLVMGetParam(end->entry, 0);
	for (unsigned int i = 0; i < end->count; i++)
		if (end->from[i] == value)
			return end->to[i];
	if (end->count == sizeof(end->from) / sizeof(end->from[0])) {
		end->failed = true;
		return LLVMGetUndef(LLVMTypeOf(value));
	}
	clone = LLVMInstructionClone(value);
	for (int i = 0; i < LLVMGetNumOperands(value); i++)
		LLVMSetOperand(clone, (unsigned int)i,
			       mtcc_axis_copy(end, LLVMGetOperand(value, (unsigned int)i)));
	LLVMInsertIntoBuilder(end->module->builder, clone);
	if (end->count < sizeof(end->from) / sizeof(end->from[0])) {
		end->from[end->count] = value;
		end->to[end->count++] = clone;
	}
	return clone;
}

/* i1: every step on the way from the index to @value keeps the order of the two ends. */
LLVMValueRef mtcc_axis_build_no_wrap(struct mtcc_axis_end *first, struct mtcc_axis_end *last,
				     LLVMValueRef value, bool is_signed_order)
{
	LLVMBuilderRef builder = first->module->builder;
	LLVMValueRef ordered, inner;
	unsigned int at;

	if (is_argument(value, first->body, first->axis))
		return LLVMConstInt(LLVMInt1TypeInContext(first->module->context), 1, false);
	ordered = LLVMBuildICmp(builder, is_signed_order ? LLVMIntSLE : LLVMIntULE,
				mtcc_axis_copy(first, value), mtcc_axis_copy(last, value), "");
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMSExt:
		inner = mtcc_axis_build_no_wrap(first, last, LLVMGetOperand(value, 0), true);
		break;
	case LLVMZExt:
		inner = mtcc_axis_build_no_wrap(first, last, LLVMGetOperand(value, 0), false);
		break;
	default:
		at = mtcc_find_axis(first->module, first->body, LLVMGetOperand(value, 0)) ? 0 : 1;
		inner = mtcc_axis_build_no_wrap(first, last, LLVMGetOperand(value, at),
						is_signed_order);
		break;
	}
	return LLVMBuildAnd(builder, ordered, inner, "");
}

/* The two ends of an axis. */
void mtcc_axis_open(struct mtcc_axis_end *first, struct mtcc_axis_end *last,
		    struct mtcc_module *module, struct mtcc_kernel *kernel, unsigned int axis)
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
	last->index = mtcc_block_load(module, kernel->entry, module->i32,
				      offsets[axis - MTCC_BODY_X], true);
	last->index = LLVMBuildSub(module->builder, last->index, one, "");
}

void mtcc_body_extend(struct mtcc_module *module, struct mtcc_kernel *kernel,
		      const LLVMTypeRef *more, unsigned int count)
{
	LLVMTypeRef types[MTCC_BODY_MORE + MTCC_BODY_EXTRA];
	LLVMValueRef old = kernel->body;
	LLVMBasicBlockRef block;
	LLVMTypeRef type;
	char *name = mtcc_format("%s.threads", kernel->name);

	LLVMGetParamTypes(module->body_type, types);
	memcpy(&types[MTCC_BODY_MORE], more, count * sizeof(*more));
	type = LLVMFunctionType(module->void_type, types, MTCC_BODY_MORE + count, false);
	kernel->body = LLVMAddFunction(module->module, name, type);
	free(name);
	LLVMSetLinkage(kernel->body, LLVMInternalLinkage);
	mtcc_copy_attributes(kernel->body, old);
	while ((block = LLVMGetFirstBasicBlock(old))) {
		LLVMRemoveBasicBlockFromParent(block);
		LLVMAppendExistingBasicBlock(kernel->body, block);
	}
	for (unsigned int i = 0; i < MTCC_BODY_MORE; i++)
		LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(kernel->body, i));
	LLVMDeleteFunction(old);
}
