/* SPDX-License-Identifier: MIT */
/* What a kernel's values look like along one axis of a block. */
#ifndef MTCC_AXIS_H
#define MTCC_AXIS_H

#include "tools/compiler/module.h"

#define MTCC_AXIS_VALUES 256
#define MTCC_BODY_EXTRA  3 /* most arguments that a body gets beside its own four */

/* Arguments of a kernel's body. */
enum { MTCC_BODY_BLOCK, MTCC_BODY_X, MTCC_BODY_MORE = 4 };

/* Copies of the body's values in the block entry, with the index in one dimension replaced. */
struct mtcc_axis_end {
	struct mtcc_module *module;
	LLVMValueRef body, entry;
	LLVMValueRef index; /* value that stands for the body's argument @axis */
	unsigned int axis;
	LLVMValueRef from[MTCC_AXIS_VALUES], to[MTCC_AXIS_VALUES];
	unsigned int count;
	bool failed; /* more values than there is room for */
};

/* True if @value is the same for the whole block and can be computed in the entry; @depth: 0. */
bool mtcc_is_uniform(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value,
		     unsigned int depth);
/* Which index @value is plus something uniform, perhaps widened: its place among the body's
 * arguments, 0 if none. */
unsigned int mtcc_find_axis(struct mtcc_module *module, LLVMValueRef body, LLVMValueRef value);
/* The two ends of an axis, in the kernel's entry. */
void mtcc_axis_open(struct mtcc_axis_end *first, struct mtcc_axis_end *last,
		    struct mtcc_module *module, struct mtcc_kernel *kernel, unsigned int axis);
/* @value as the end's thread has it, where the builder stands in the entry. */
LLVMValueRef mtcc_axis_copy(struct mtcc_axis_end *end, LLVMValueRef value);
/* i1: every step on the way from the index to @value keeps the order of the two ends. */
LLVMValueRef mtcc_axis_build_no_wrap(struct mtcc_axis_end *first, struct mtcc_axis_end *last,
				     LLVMValueRef value, bool is_signed_order);

/* Gives the body @count more arguments. */
void mtcc_body_extend(struct mtcc_module *module, struct mtcc_kernel *kernel,
		      const LLVMTypeRef *types, unsigned int count);

#endif
