/* SPDX-License-Identifier: MIT */
/* Loops over the grid whose passes the block entry counts. */
#ifndef MTCC_STRIDE_H
#define MTCC_STRIDE_H

#include "tools/compiler/axis.h"

#define MTCC_PASSES_ARGUMENTS MTCC_BODY_EXTRA

/* In the kernel's entry: i of the axis' first and last thread in the first pass, what a pass adds,
 * what ends the loop; and whether the threads may run pass by pass at all (i1). */
struct mtcc_passes {
	LLVMValueRef valid, first, last, step, bound;
	LLVMIntPredicate predicate; /* i against bound, while the loop goes on */
};

/* False: the kernel is no such loop. Else its body gets arguments in place MTCC_BODY_MORE. */
bool mtcc_passes_build(struct mtcc_module *module, struct mtcc_kernel *kernel,
		       struct mtcc_passes *passes);
/* Those arguments: @pass: one pass, with @offset added to its start, whose test holds if @full. */
void mtcc_passes_arguments(struct mtcc_module *module, bool pass, bool full, LLVMValueRef offset,
			   LLVMValueRef arguments[MTCC_PASSES_ARGUMENTS]);

#endif
