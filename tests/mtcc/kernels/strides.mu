/* SPDX-License-Identifier: MIT */
/* Loops over the grid, in the forms that programs use; each thread leaves a trace of every pass. */
#include <musa_runtime.h>

#define PLACE (blockIdx.x * blockDim.x + threadIdx.x)
#define TOTAL (gridDim.x * blockDim.x)

extern "C" __global__ void by_long(int *visits, long n)
{
	for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += TOTAL)
		visits[i] += 1;
}

extern "C" __global__ void by_int(int *visits, int n)
{
	for (int i = PLACE; n > i; i += TOTAL)
		visits[i] += 1;
}

extern "C" __global__ void to_the_end(int *visits, int last)
{
	for (int i = PLACE; i <= last; i += TOTAL)
		visits[i] += 1;
}

extern "C" __global__ void by_size(int *visits, size_t n)
{
	for (size_t i = PLACE; i < n; i += TOTAL)
		visits[i] += 1;
}

/* In rows of the block, x beside it. */
extern "C" __global__ void by_row(int *visits, int n)
{
	for (int row = threadIdx.y; row < n; row += blockDim.y)
		visits[row * blockDim.x + threadIdx.x] += 1;
}

extern "C" __global__ void leaves_out(int *visits, int n)
{
	for (int i = PLACE; i < n; i += TOTAL) {
		if (i % 3 == 0)
			continue;
		visits[i] += 1;
	}
}

extern "C" __global__ void breaks(int *visits, int n)
{
	for (int i = PLACE; i < n; i += TOTAL) {
		if (i / TOTAL == 2)
			break;
		visits[i] += 1;
	}
}

extern "C" __global__ void adds(int *visits, int n)
{
	for (int i = PLACE; i < n; i += TOTAL)
		atomicAdd(&visits[i / 2], 1);
}

extern "C" __global__ void inner(int *visits, int n)
{
	for (int i = PLACE; i < n; i += TOTAL) {
		int sum = 0;

		for (int k = 0; k <= i % 5; k++)
			sum += k;
		visits[i] += sum;
	}
}

/* The first pass' value holds for all, whatever the loop stores. */
extern "C" __global__ void keeps(int *visits, int n)
{
	int before = visits[0];

	for (int i = 1 + threadIdx.x; i < n; i += blockDim.x) {
		visits[0] = 7;
		visits[i] = before + 1;
	}
}

/* What a thread has in memory of its own lives from pass to pass. */
extern "C" __global__ void remembers(int *visits, int n)
{
	int last[4] = {0, 0, 0, 0};

	for (int i = PLACE; i < n; i += TOTAL) {
		visits[i] = last[i & 3];
		last[(i * 7 + n) & 3] = i;
	}
}

extern "C" __global__ void carries(int *visits, int n)
{
	int sum = 0;

	for (int i = PLACE; i < n; i += TOTAL) {
		sum += i;
		visits[i] = sum;
	}
}

extern "C" __global__ void ends_with_more(int *visits, int n)
{
	for (int i = PLACE; i < n; i += TOTAL)
		visits[i] += 1;
	visits[n + PLACE] = 5;
}

extern "C" __global__ void counts_tests(int *visits, int *tests, int n)
{
	for (int i = PLACE; atomicAdd(tests, 1) >= 0 && i < n; i += TOTAL)
		visits[i] += 1;
}

extern "C" __global__ void limit_of_thread(int *visits, const int *limits)
{
	for (int i = threadIdx.x; i < limits[threadIdx.x]; i += blockDim.x)
		visits[i] += 1;
}

/* Numbers that wrap around: one trace per thread. */
extern "C" __global__ void wraps(int *visits, unsigned int start, unsigned int n, unsigned int step)
{
	for (unsigned int i = start + threadIdx.x; i < n; i += step)
		visits[threadIdx.x] += 1;
}

extern "C" __global__ void steps(int *visits, int start, int n, int step)
{
	for (int i = start + (int)threadIdx.x; i < n; i += step)
		visits[threadIdx.x] += 1;
}
