/* SPDX-License-Identifier: MIT */
/* Kernels of the device benchmarks. */
#include <musa_runtime.h>

__global__ void saxpy(float a, const float *x, float *y, long n)
{
	long i = (long)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * x[i] + y[i];
}

__global__ void saxpy_stride(float a, const float *x, float *y, long n)
{
	for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (long)gridDim.x * blockDim.x)
		y[i] = a * x[i] + y[i];
}

/* Every thread passes its neighbour's value on, `rounds` times. */
__global__ void pass_round(unsigned int *out, int rounds)
{
	__shared__ unsigned int words[2][1024];
	unsigned int me = threadIdx.x, value = me;

	for (int i = 0; i < rounds; i++) {
		words[i & 1][me] = value;
		__syncthreads();
		value = words[i & 1][me + 1 < blockDim.x ? me + 1 : 0];
	}
	out[me] = value;
}

__global__ void stamp(volatile unsigned int *word, unsigned int value)
{
	*word = value;
}

extern "C" const void *const kernel_bench_saxpy = (const void *)saxpy;
extern "C" const void *const kernel_bench_saxpy_stride = (const void *)saxpy_stride;
extern "C" const void *const kernel_bench_pass_round = (const void *)pass_round;
extern "C" const void *const kernel_bench_stamp = (const void *)stamp;
