/* SPDX-License-Identifier: MIT */
/* Kernels of the model test: each folds its inputs into its own cell, so that a wrong order, a lost
 * or a doubled execution changes the result for good. */
#include <musa_runtime.h>

__global__ void fold(unsigned int *out, const unsigned int *a, const unsigned int *b, unsigned int v)
{
	*out = *out * 31u + *a + *b * 3u + v;
}

/* Other arithmetic and another order of arguments. */
__global__ void mix(unsigned int v, unsigned int pad, unsigned int *out, const unsigned int *a,
		    const unsigned int *b)
{
	*out = *out * 17u + *a - *b + v + pad;
}

__global__ void set_handle(musaGraphConditionalHandle handle, unsigned int value)
{
	musaGraphSetConditional(handle, value);
}

/* Arms a loop of n passes. */
__global__ void arm_loop(musaGraphConditionalHandle handle, unsigned int *left, unsigned int n)
{
	*left = n;
	musaGraphSetConditional(handle, n > 0);
}

__global__ void next_pass(musaGraphConditionalHandle handle, unsigned int *left)
{
	*left -= 1;
	musaGraphSetConditional(handle, *left > 0);
}

extern "C" const void *const model_fold = (const void *)fold;
extern "C" const void *const model_mix = (const void *)mix;
extern "C" const void *const model_set_handle = (const void *)set_handle;
extern "C" const void *const model_arm_loop = (const void *)arm_loop;
extern "C" const void *const model_next_pass = (const void *)next_pass;
