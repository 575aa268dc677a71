/* SPDX-License-Identifier: MIT */
/* Launches of every kind of kernel from one host program; part two is another file. */
#include <cstdio>
#include <vector>

#include "shared.h"

#define CHECK(condition)                                                      \
	do {                                                                  \
		if (!(condition)) {                                           \
			std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			return 1;                                             \
		}                                                             \
	} while (0)

__device__ int variable = 5;
__constant__ float factors[4];
static __device__ int hidden_variable;

static __global__ void local_kernel(int *out)
{
	out[threadIdx.x] = 1 + variable;
	hidden_variable = 77;
}

namespace
{
__global__ void anonymous_kernel(int *out)
{
	out[threadIdx.x] = 2 * factors[2];
}
}

__global__ void with_struct(int *out, Pair pair, char c, double d)
{
	out[threadIdx.x] = pair.a + pair.b + c + (int)d;
}

__global__ void with_shared(int *out)
{
	extern __shared__ int tile[];

	tile[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template <class Op> __global__ void with_lambda(int *out, Op op)
{
	out[threadIdx.x] = op(threadIdx.x);
}

struct Holder {
	template <int N> static void launch(int *out)
	{
		scaled<N><<<1, 32>>>(out);
	}
};

int main()
{
	std::vector<int> host(32);
	int *out, value = 0;
	float values[4] = {1, 2, 3, 4};
	musaStream_t stream;

	CHECK(musaMalloc(&out, 32 * sizeof(int)) == musaSuccess);
	CHECK(musaStreamCreate(&stream) == musaSuccess);
	auto fetch = [&] {
		return musaMemcpy(host.data(), out, 32 * sizeof(int), musaMemcpyDeviceToHost);
	};

	local_kernel<<<1, 32>>>(out);
	CHECK(fetch() == musaSuccess && host[31] == 6);
	value = 10;
	CHECK(musaMemcpyToSymbol(variable, &value, sizeof(value)) == musaSuccess);
	local_kernel<<<1, 32, 0, stream>>>(out);
	CHECK(musaStreamSynchronize(stream) == musaSuccess);
	CHECK(fetch() == musaSuccess && host[0] == 11);
	CHECK(musaMemcpyFromSymbol(&value, hidden_variable, sizeof(value)) == musaSuccess);
	CHECK(value == 77);

	CHECK(musaMemcpyToSymbol(factors, values, sizeof(values)) == musaSuccess);
	anonymous_kernel<<<dim3(1), dim3(32)>>>(out);
	CHECK(fetch() == musaSuccess && host[3] == 6);

	with_struct<<<1, 32>>>(out, Pair{100, 20}, 3, 4.5);
	CHECK(fetch() == musaSuccess && host[7] == 127);

	with_shared<<<1, 32, 32 * sizeof(int)>>>(out);
	CHECK(fetch() == musaSuccess && host[0] == 31);

	int add = 1000;
	with_lambda<<<1, 32>>>(out, [=] __device__(int i) { return i + add; });
	CHECK(fetch() == musaSuccess && host[5] == 1005);

	void (*pointer)(int *) = local_kernel;
	pointer<<<1, 32>>>(out);
	CHECK(fetch() == musaSuccess && host[9] == 11);

	scaled<3><<<1, 32>>>(out);
	CHECK(fetch() == musaSuccess && host[9] == 27);
	Holder::launch<4>(out);
	CHECK(fetch() == musaSuccess && host[9] == 36);
	CHECK(other_file(out) == 0);
	CHECK(fetch() == musaSuccess && host[9] == 45);

	int three = 3;
	Pair pair = {1, 2};
	char c = 3;
	double d = 4;
	void *params[] = {&out, &pair, &c, &d};
	CHECK(three && musaLaunchKernel((const void *)with_struct, dim3(1), dim3(32), params, 0, 0) ==
			       musaSuccess);
	CHECK(fetch() == musaSuccess && host[1] == 10);

	struct musaFuncAttributes attributes;
	CHECK(musaFuncGetAttributes(&attributes, with_shared) == musaSuccess);
	CHECK(attributes.sharedSizeBytes == 0);

	with_struct<<<1, 2000>>>(out, pair, c, d);
	CHECK(musaGetLastError() != musaSuccess);
	CHECK(musaStreamDestroy(stream) == musaSuccess && musaFree(out) == musaSuccess);
	std::puts("everything is right");
	return 0;
}
