/* SPDX-License-Identifier: MIT */
/* Compiled with --record-access. */
struct Big {
	int v[16];
};

extern "C" __global__ void every_second(int *out, const int *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int local[4] = {i, i + 1, i + 2, i + 3};

	if (i % 2 == 0 && i < n)
		out[i] = in[i] + local[i % 4];
}

__device__ __noinline__ void deep(int *out)
{
	atomicAdd(out, 1);
}

extern "C" __global__ void others(Big *to, const Big *from, int *counter, Big by_value)
{
	__shared__ int shared[32];

	shared[threadIdx.x] = by_value.v[threadIdx.x % 16];
	__syncthreads();
	if (threadIdx.x == 0)
		*to = *from;
	deep(counter);
	if (threadIdx.x == 1)
		memset(to->v + 4, shared[1], 8);
}
