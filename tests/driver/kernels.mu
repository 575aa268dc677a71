/* SPDX-License-Identifier: MIT */
/* Kernels that the driver API's tests load as a module. */
#include <musa_runtime.h>

__device__ int word = 7;

extern "C" __global__ void empty()
{
}

extern "C" __global__ void put(int *to, int value)
{
	*to = value;
}

extern "C" __global__ void add(int *to, int value)
{
	*to += value;
}

/* Appends an id to a log: log[0] is the number of entries. */
extern "C" __global__ void append(int *log, int id)
{
	log[1 + atomicAdd(log, 1)] = id;
}

/* Each thread doubles its element. */
extern "C" __global__ void twice(int *data, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		data[i] *= 2;
}

/* Holds everything behind it until the host stores a value that is not 0. */
extern "C" __global__ void hold(const volatile int *flag)
{
	while (!*flag)
		__nanosleep(1000);
}

extern "C" __global__ void choose(musaGraphConditionalHandle handle, unsigned int value)
{
	musaGraphSetConditional(handle, value);
}

/* Recursive, so that it stays a function; finds its thread at the bottom. */
__device__ __noinline__ int thread_number(int depth)
{
	if (depth)
		return thread_number(depth - 1) + 1;
	return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

extern "C" __global__ void number(int *to, int depth)
{
	to[blockIdx.x * blockDim.x + threadIdx.x] = thread_number(depth);
}
