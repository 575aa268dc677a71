/* SPDX-License-Identifier: MIT */
/* Kernels that tests share, as ordinary MUSA code. kernels.h names them for C. */
#include <musa_runtime.h>

__global__ void empty()
{
}

__global__ void inc(int *value)
{
	atomicAdd(value, 1);
}

__global__ void put(int *to, int value)
{
	*to = value;
}

__global__ void add(int *to, int value)
{
	*to += value;
}

__global__ void copy_word(const int *from, int *to)
{
	*to = *from;
}

/* Appends an id to a log: log[0] is the number of entries. */
__global__ void append(int *log, int id)
{
	log[1 + atomicAdd(log, 1)] = id;
}

__global__ void slow(int ms)
{
	for (int i = 0; i < ms; i++)
		__nanosleep(1000000);
}

/* Holds a worker until the host, or another kernel, stores a value that is not 0. */
__global__ void wait_flag(const volatile int *flag)
{
	while (!*flag)
		__nanosleep(1000);
}

/* The same, and says in flag[1] that it runs. */
__global__ void hold(volatile int *flag)
{
	flag[1] = 1;
	while (!*flag)
		__nanosleep(1000);
}

/* Sets its own flag and waits for those of all `count` kernels. */
__global__ void meet(volatile int *flags, int me, int count)
{
	flags[me] = 1;
	__threadfence();
	for (int i = 0; i < count; i++)
		while (!flags[i])
			__nanosleep(1000);
}

__global__ void fill_index(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = i;
}

__global__ void saxpy(float a, const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * x[i] + y[i];
}

struct two_words {
	int a, b;
};

/* Another signature than put(), for function changes. */
__global__ void put_sum(int *to, struct two_words words, double factor)
{
	*to = (int)((words.a + words.b) * factor);
}

/* 1 KiB of arguments. */
struct many_words {
	int word[256];
};

__global__ void put_last(int *to, struct many_words words)
{
	*to = words.word[255];
}

/* Sum of a block's values through shared memory and barriers. */
__global__ void block_sum(const int *in, int *out)
{
	extern __shared__ int part[];
	unsigned int i = threadIdx.x;

	part[i] = in[blockIdx.x * blockDim.x + i];
	__syncthreads();
	for (unsigned int step = blockDim.x / 2; step; step /= 2) {
		if (i < step)
			part[i] += part[i + step];
		__syncthreads();
	}
	if (!i)
		out[blockIdx.x] = part[0];
}

__global__ void set_condition(musaGraphConditionalHandle handle, unsigned int value)
{
	musaGraphSetConditional(handle, value);
}

/* Counts down a word and keeps a condition set while it is not 0. */
__global__ void count_down(musaGraphConditionalHandle handle, int *word)
{
	musaGraphSetConditional(handle, --*word > 0);
}

__global__ void fault(int *where)
{
	*where = 1;
}

__device__ int device_word = 5;
__constant__ int constant_words[4] = {1, 2, 3, 4};

__global__ void read_words(int *to)
{
	*to = device_word + constant_words[3];
}

#define EXPORT(name) extern "C" const void *const kernel_##name = (const void *)name;

EXPORT(empty)
EXPORT(inc)
EXPORT(put)
EXPORT(add)
EXPORT(copy_word)
EXPORT(append)
EXPORT(slow)
EXPORT(wait_flag)
EXPORT(hold)
EXPORT(meet)
EXPORT(fill_index)
EXPORT(saxpy)
EXPORT(put_sum)
EXPORT(put_last)
EXPORT(block_sum)
EXPORT(set_condition)
EXPORT(count_down)
EXPORT(fault)
EXPORT(read_words)

extern "C" const void *const symbol_device_word = (const void *)&device_word;
extern "C" const void *const symbol_constant_words = (const void *)&constant_words;
