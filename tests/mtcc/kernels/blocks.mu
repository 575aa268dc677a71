/* SPDX-License-Identifier: MIT */
/* Threads of a block: indices, shared memory, barriers, functions that are not inlined. */
#include <assert.h>

extern "C" __global__ void indices(unsigned int *out)
{
	unsigned int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	unsigned int all = blockDim.x * blockDim.y * blockDim.z;
	dim3 d = blockDim;
	uint3 t = threadIdx;

	out[block * all + thread] = t.x + 100 * t.y + 10000 * t.z + 1000000 * blockIdx.x +
				    10000000 * d.x;
}

extern "C" __global__ void guarded(const float *a, const float *b, float *c, int n, float scale)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = scale * a[i] + b[i];
}

extern "C" __global__ void strided(const float *a, float *c, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		c[i] = a[i] * 2;
}

extern "C" __global__ void returns_early(int *out, int n)
{
	int i = threadIdx.x;

	if (i >= n)
		return;
	out[i] = i;
	if (i % 2)
		return;
	out[i] += 100;
}

extern "C" __global__ void reverse(int *data)
{
	__shared__ int tile[256];
	unsigned int i = threadIdx.x;

	tile[i] = data[blockIdx.x * blockDim.x + i];
	__syncthreads();
	data[blockIdx.x * blockDim.x + i] = tile[blockDim.x - 1 - i];
}

extern __shared__ char raw[];
extern "C" __global__ void dynamic(int *data, int n)
{
	__shared__ short fixed[3];
	int *ints = (int *)raw;
	double *doubles = (double *)(raw + n * sizeof(int));

	if (threadIdx.x < 3)
		fixed[threadIdx.x] = 5 + threadIdx.x;
	ints[threadIdx.x] = data[threadIdx.x];
	doubles[threadIdx.x] = data[threadIdx.x] * 0.5;
	__syncthreads();
	data[threadIdx.x] = ints[n - 1 - threadIdx.x] + (int)doubles[threadIdx.x] + fixed[2];
}

template <class T> __device__ T block_sum(T value)
{
	__shared__ T parts[256];

	parts[threadIdx.x] = value;
	__syncthreads();
	for (unsigned int step = blockDim.x / 2; step; step /= 2) {
		if (threadIdx.x < step)
			parts[threadIdx.x] += parts[threadIdx.x + step];
		__syncthreads();
	}
	T result = parts[0];
	__syncthreads();
	return result;
}

extern "C" __global__ void sums(int *ints, float *floats)
{
	int i = block_sum(ints[threadIdx.x]);
	float f = block_sum(floats[threadIdx.x]);

	ints[threadIdx.x] = i;
	floats[threadIdx.x] = f;
}

extern "C" __global__ void one_tile(int *out)
{
	__shared__ int tile[64][65];

	tile[threadIdx.y][threadIdx.x] = threadIdx.y * 64 + threadIdx.x;
	__syncthreads();
	out[threadIdx.x * blockDim.y + threadIdx.y] = tile[threadIdx.y][threadIdx.x];
}

extern "C" __global__ void votes(int *out, int limit)
{
	int t = threadIdx.x;
	int count = __syncthreads_count(t < limit);
	int all = __syncthreads_and(t < limit);
	int any = __syncthreads_or(t < limit);

	out[t] = count * 4 + all * 2 + any;
}

extern "C" __global__ void leaves_before_barrier(int *out)
{
	__shared__ int sum;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	if (threadIdx.x % 3 == 2)
		return;
	atomicAdd(&sum, 1);
	__syncthreads();
	out[threadIdx.x] = sum;
}

__device__ __noinline__ unsigned int where(unsigned int add)
{
	return threadIdx.x + 10 * threadIdx.y + 1000 * blockIdx.x + add + warpSize;
}

extern "C" __global__ void calls(unsigned int *out)
{
	out[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.x)] = where(5);
}

__device__ int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int is_odd(int n);
__device__ int is_even(int n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}
__device__ int is_odd(int n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

extern "C" __global__ void recursion(int *out)
{
	out[threadIdx.x] = fibonacci(threadIdx.x) * 2 + is_even(threadIdx.x);
}

struct Shape {
	__device__ virtual int area() const = 0;
};
struct Square : Shape {
	int side;
	__device__ Square(int s) : side(s) {}
	__device__ int area() const override
	{
		__syncthreads();
		return side * side + threadIdx.x;
	}
};
struct Line : Shape {
	__device__ int area() const override
	{
		__syncthreads();
		return 0;
	}
};

typedef int (*operation)(int);
__device__ int twice(int x)
{
	return 2 * x;
}
__device__ int thrice(int x)
{
	return 3 * x;
}
__device__ operation table[] = {twice, thrice};

extern "C" __global__ void indirect(int *out)
{
	Square square(3);
	Line line;
	const Shape *shape = threadIdx.x % 2 ? (const Shape *)&square : &line;

	out[threadIdx.x] = shape->area() + table[threadIdx.x % 2](1000);
}

extern "C" __global__ void private_array(int *out, int n)
{
	int values[32];

	for (int i = 0; i < n; i++)
		values[i] = i * threadIdx.x;
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += values[(i * 7) % n];
	out[threadIdx.x] = sum;
}

extern "C" __global__ void waits_for_neighbour(int *flags)
{
	volatile int *mine = flags;
	if (threadIdx.x == 0) {
		while (!mine[1])
			__nanosleep(10);
		mine[0] = 5;
	} else {
		mine[1] = 1;
	}
}

extern "C" __global__ void image(int *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= width || y >= height)
		return;
	out[y * width + x] += x + 1000 * y;
}

extern "C" __global__ void inner(int *out, const int *in, unsigned int n)
{
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i > 0 && i < n - 1)
		out[i] = in[i - 1] + in[i + 1];
}

/* The index passes the limit of its type within a block. */
extern "C" __global__ void wraps(unsigned int *count, int base, int n)
{
	int i = (int)((unsigned int)base + threadIdx.x);

	if (i < n)
		atomicAdd(count, 1u);
}

extern "C" __global__ void wide(long *out, size_t base, size_t n)
{
	size_t i = base + threadIdx.x;

	if (i <= n)
		out[i] = (long)i;
}
