/* SPDX-License-Identifier: MIT */
/* Ways of writing that programs for such devices share, each with its result checked. */
#include <assert.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <musa_fp16.h>
#include <stdio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace cg = cooperative_groups;
using namespace std;

static int failures;
#define EXPECT(condition)                                               \
	do {                                                            \
		if (!(condition)) {                                     \
			printf("%d: %s\n", __LINE__, #condition);       \
			failures++;                                     \
		}                                                       \
	} while (0)
#define MUSA_CHECK(call)                                                                 \
	do {                                                                             \
		musaError_t error_ = (call);                                             \
		if (error_ != musaSuccess) {                                             \
			printf("%d: %s: %s\n", __LINE__, #call, musaGetErrorString(error_)); \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

/* Shared memory of a template's type, behind a conversion. */
template <class T> struct SharedMemory {
	__device__ inline operator T *()
	{
		extern __shared__ int __smem[];
		return (T *)__smem;
	}
	__device__ inline operator const T *() const
	{
		extern __shared__ int __smem[];
		return (T *)__smem;
	}
};
template <> struct SharedMemory<double> {
	__device__ inline operator double *()
	{
		extern __shared__ double __smem_d[];
		return (double *)__smem_d;
	}
};

/* A reduction with a compile-time block size and tiles for its end. */
template <class T, unsigned int block_size>
__global__ void reduce_blocks(const T *__restrict__ in, T *__restrict__ out, unsigned int n)
{
	cg::thread_block cta = cg::this_thread_block();
	T *sdata = SharedMemory<T>();
	unsigned int tid = threadIdx.x, i = blockIdx.x * block_size * 2 + threadIdx.x;
	T sum = 0;

	while (i < n) {
		sum += in[i];
		if (i + block_size < n)
			sum += in[i + block_size];
		i += block_size * 2 * gridDim.x;
	}
	sdata[tid] = sum;
	cg::sync(cta);
	if ((block_size >= 128) && (tid < 64))
		sdata[tid] = sum = sum + sdata[tid + 64];
	cg::sync(cta);
	cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
	if (cta.thread_rank() < 32) {
		if (block_size >= 64)
			sum += sdata[tid + 32];
#pragma unroll
		for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
			sum += tile32.shfl_down(sum, offset);
	}
	if (cta.thread_rank() == 0)
		out[blockIdx.x] = sum;
}

/* The last block to finish adds up. */
__device__ unsigned int retired = 0;
__global__ void single_pass(const float *in, volatile float *out, unsigned int n)
{
	__shared__ bool last;
	__shared__ float part;

	if (threadIdx.x == 0)
		part = 0;
	__syncthreads();
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&part, in[i]);
	__syncthreads();
	if (threadIdx.x == 0) {
		out[blockIdx.x] = part;
		__threadfence();
		unsigned int ticket = atomicInc(&retired, gridDim.x);
		last = (ticket == gridDim.x - 1);
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		float total = 0;
		for (unsigned int b = 0; b < gridDim.x; b++)
			total += out[b];
		out[0] = total;
		retired = 0;
	}
}

/* Any group, by the base class. */
__device__ int sum_reduction(cg::thread_group g, int *x, int val)
{
	int lane = g.thread_rank();

	for (int i = g.size() / 2; i > 0; i /= 2) {
		x[lane] = val;
		g.sync();
		if (lane < i)
			val += x[lane + i];
		g.sync();
	}
	return g.thread_rank() == 0 ? val : -1;
}

__global__ void any_group(int *out)
{
	cg::thread_block block = cg::this_thread_block();
	extern __shared__ int workspace[];
	int all = sum_reduction(block, workspace, block.thread_rank());
	cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
	int offset = block.thread_rank() - tile.thread_rank();
	int part = sum_reduction(tile, workspace + offset, tile.thread_rank());

	if (block.thread_rank() == 0)
		out[0] = all;
	if (tile.thread_rank() == 0)
		out[1 + block.thread_rank() / 16] = part;
}

/* The whole grid waits. */
__global__ void grid_sum(int *data, int n)
{
	cg::grid_group grid = cg::this_grid();

	for (int step = n / 2; step; step /= 2) {
		for (int i = grid.thread_rank(); i < step; i += grid.size())
			data[i] += data[i + step];
		grid.sync();
	}
}

/* Overloaded kernels by pointer. */
__global__ void simple_kernel(const int *in, int *out, int a)
{
	out[threadIdx.x] = in[threadIdx.x] + a;
}
__global__ void simple_kernel(const int2 *in, int *out, int a)
{
	out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y + a;
}

template <class T> class Vector3 {
    public:
	T x, y, z;
	__host__ __device__ Vector3(T a = 0, T b = 0, T c = 0) : x(a), y(b), z(c) {}
	__host__ __device__ Vector3 operator+(const Vector3 &o) const
	{
		return Vector3(x + o.x, y + o.y, z + o.z);
	}
	__host__ __device__ friend T dot(const Vector3 &a, const Vector3 &b)
	{
		return a.x * b.x + a.y * b.y + a.z * b.z;
	}
};

template <class T> __host__ __device__ T squared(T x)
{
	return x * x;
}

template <class F, class... Args> __global__ void call(F f, Args... args)
{
	f(args...);
}

typedef struct __align__(16) {
	float r, g, b;
} aligned_t;

enum class Mode { add, multiply };

__constant__ float coefficients[5];
static const int radius = 2;
constexpr int table_size = 4;
__constant__ const int table[table_size] = {1, 10, 100, 1000};

template <Mode mode> __global__ void __launch_bounds__(64) stencil(float *out, const float *in, int n)
{
	const int i = threadIdx.x;
	float value = 0;

#pragma unroll
	for (int k = -radius; k <= radius; k++)
		if (i + k >= 0 && i + k < n)
			value += coefficients[k + radius] * in[i + k];
	if constexpr (mode == Mode::multiply)
		value *= table[i % table_size];
	out[i] = value;
}

struct Functor {
	float scale;
	__device__ float operator()(float x) const
	{
		return fmaxf(x * scale, 0.0f);
	}
};

template <class Op> __global__ void transform_all(float *out, const float *in, size_t n, Op op)
{
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (size_t)blockDim.x * gridDim.x)
		out[i] = op(in[i]);
}

template <class T> struct Node {
	T value;
	Node *next;
};

/* Containers of the C++ library whose functions are constexpr, and numbers' limits. */
__global__ void standard_library(double *out)
{
	std::array<int, 4> a = {4, 3, 2, 1};
	std::pair<int, float> p(1, 2.5f);
	std::tuple<int, double> t(7, 0.5);
	int sum = 0;

	for (int v : a)
		sum += v;
	for (int v : {10, 20})
		sum += v;
	a[0] = a[3];
	out[0] = sum + a[0] * 1000;
	out[1] = p.first + p.second;
	out[2] = std::get<0>(t) * std::get<1>(t);
	out[3] = std::numeric_limits<float>::max() > 1e38f && INFINITY > 1;
	out[4] = std::max(3, 5) + std::min(2.0f, 1.0f);
	out[5] = std::is_same<decltype(threadIdx.x), unsigned int>::value;
	auto square = [](auto x) { return x * x; };
	out[6] = square(3) + square(0.5);
	Vector3<float> v(1, 2, 3);
	out[7] = dot(v + v, v);
	Node<int> second = {2, nullptr}, first = {1, &second};
	out[8] = first.next->value;
	out[9] = sizeof(aligned_t);
	out[10] = M_PI > 3;
}

static void check_reductions()
{
	const int n = 10000;
	vector<int> in(n, 1), out(4);
	vector<double> din(n, 0.5), dout(4);
	int *d_in, *d_out;
	double *d_din, *d_dout;
	float *d_f, *d_fo, result;

	MUSA_CHECK(musaMalloc(&d_in, n * sizeof(int)));
	MUSA_CHECK(musaMalloc(&d_out, 4 * sizeof(int)));
	MUSA_CHECK(musaMalloc((void **)&d_din, n * sizeof(double)));
	MUSA_CHECK(musaMalloc((void **)&d_dout, 4 * sizeof(double)));
	MUSA_CHECK(musaMemcpy(d_in, in.data(), n * sizeof(int), musaMemcpyHostToDevice));
	MUSA_CHECK(musaMemcpy(d_din, &din[0], n * sizeof(double), musaMemcpyHostToDevice));
	reduce_blocks<int, 128><<<4, 128, 128 * sizeof(int)>>>(d_in, d_out, n);
	reduce_blocks<double, 64><<<4, 64, 64 * sizeof(double)>>>(d_din, d_dout, n);
	MUSA_CHECK(musaMemcpy(out.data(), d_out, 4 * sizeof(int), musaMemcpyDeviceToHost));
	MUSA_CHECK(musaMemcpy(dout.data(), d_dout, 4 * sizeof(double), musaMemcpyDeviceToHost));
	EXPECT(accumulate(out.begin(), out.end(), 0) == n);
	EXPECT(accumulate(dout.begin(), dout.end(), 0.0) == n / 2);
	MUSA_CHECK(musaMalloc(&d_f, n * sizeof(float)));
	MUSA_CHECK(musaMalloc(&d_fo, 64 * sizeof(float)));
	vector<float> f(n, 0.25f);
	MUSA_CHECK(musaMemcpy(d_f, f.data(), n * sizeof(float), musaMemcpyDefault));
	for (int i = 0; i < 2; i++) {
		single_pass<<<(n + 255) / 256, 256>>>(d_f, d_fo, n);
		MUSA_CHECK(musaMemcpy(&result, d_fo, sizeof(float), musaMemcpyDeviceToHost));
		EXPECT(result == n / 4);
	}
	any_group<<<1, 64, 64 * sizeof(int)>>>(d_in);
	MUSA_CHECK(musaMemcpy(in.data(), d_in, 5 * sizeof(int), musaMemcpyDeviceToHost));
	EXPECT(in[0] == 2016 && in[1] == 120 && in[4] == 120);
}

static void check_cooperative()
{
	int n = 1024, *data, sum;
	vector<int> ones(n, 1);
	void *args[] = {&data, &n};

	MUSA_CHECK(musaMalloc(&data, n * sizeof(int)));
	MUSA_CHECK(musaMemcpy(data, ones.data(), n * sizeof(int), musaMemcpyHostToDevice));
	MUSA_CHECK(musaLaunchCooperativeKernel((void *)grid_sum, dim3(4), dim3(32), args, 0, NULL));
	MUSA_CHECK(musaMemcpy(&sum, data, sizeof(int), musaMemcpyDeviceToHost));
	EXPECT(sum == n);
	MUSA_CHECK(musaFree(data));
}

static void check_overloads()
{
	void (*first)(const int *, int *, int) = simple_kernel;
	void (*second)(const int2 *, int *, int) = &simple_kernel;
	struct musaFuncAttributes attributes;
	int *in, *out, result[32];

	MUSA_CHECK(musaMalloc(&in, 64 * sizeof(int)));
	MUSA_CHECK(musaMalloc(&out, 32 * sizeof(int)));
	MUSA_CHECK(musaMemset(in, 0, 64 * sizeof(int)));
	MUSA_CHECK(musaFuncSetCacheConfig(*first, musaFuncCachePreferShared));
	MUSA_CHECK(musaFuncGetAttributes(&attributes, *first));
	EXPECT(attributes.maxThreadsPerBlock == 1024);
	first<<<1, 32>>>(in, out, 3);
	MUSA_CHECK(musaMemcpy(result, out, sizeof(result), musaMemcpyDeviceToHost));
	EXPECT(result[31] == 3);
	second<<<1, 32>>>((int2 *)in, out, 4);
	MUSA_CHECK(musaMemcpy(result, out, sizeof(result), musaMemcpyDeviceToHost));
	EXPECT(result[31] == 4);
}

static void check_transforms()
{
	const size_t n = 64;
	float in[n], out[n], c[] = {0.5f, 1, 2, 1, 0.5f}, *d_in, *d_out;
	double library[16], *d_library;

	for (size_t i = 0; i < n; i++)
		in[i] = (float)i - 10;
	MUSA_CHECK(musaMalloc(&d_in, sizeof(in)));
	MUSA_CHECK(musaMalloc(&d_out, sizeof(out)));
	MUSA_CHECK(musaMemcpy(d_in, in, sizeof(in), musaMemcpyHostToDevice));
	transform_all<<<2, 16>>>(d_out, d_in, n, Functor{2});
	MUSA_CHECK(musaGetLastError());
	MUSA_CHECK(musaMemcpy(out, d_out, sizeof(out), musaMemcpyDeviceToHost));
	EXPECT(out[0] == 0 && out[20] == 20 && out[63] == 106);
	float bias = 0.5f;
	transform_all<<<2, 16>>>(d_out, d_in, n, [bias] __device__(float x) { return x + bias; });
	MUSA_CHECK(musaMemcpy(out, d_out, sizeof(out), musaMemcpyDeviceToHost));
	EXPECT(out[5] == -4.5f);
	MUSA_CHECK(musaMemcpyToSymbol(coefficients, c, sizeof(c)));
	stencil<Mode::multiply><<<1, 64>>>(d_out, d_in, 64);
	MUSA_CHECK(musaMemcpy(out, d_out, sizeof(out), musaMemcpyDeviceToHost));
	EXPECT(out[11] == 5 * 1.0f * 1000 && out[12] == 5 * 2.0f);
	stencil<Mode::add><<<1, 65>>>(d_out, d_in, 64); /* more than its bounds */
	EXPECT(musaGetLastError() != musaSuccess);
	MUSA_CHECK(musaMalloc(&d_library, sizeof(library)));
	standard_library<<<1, 1>>>(d_library);
	MUSA_CHECK(musaMemcpy(library, d_library, sizeof(library), musaMemcpyDeviceToHost));
	const double want[] = {40 + 1000, 3.5, 3.5, 1, 6, 1, 9.25, 28, 2, 16, 1};
	for (int i = 0; i < 11; i++)
		if (library[i] != want[i])
			printf("library[%d] is %g\n", i, library[i]), failures++;
}

static void check_calls()
{
	int *out, value;

	MUSA_CHECK(musaMalloc(&out, sizeof(int)));
	call<<<1, 1>>>([] __device__(int *p, int a, double b, char c) { *p = a + (int)b + c; }, out, 1,
		       2.5, 'A');
	MUSA_CHECK(musaMemcpy(&value, out, sizeof(value), musaMemcpyDeviceToHost));
	EXPECT(value == 1 + 2 + 'A');
	EXPECT(squared(3) == 9);
	std::function<void(int)> launch = [&](int v) {
		call<<<1, 1>>>([=] __device__(int *p) { *p = squared(v); }, out);
	};
	launch(12);
	MUSA_CHECK(musaMemcpy(&value, out, sizeof(value), musaMemcpyDeviceToHost));
	EXPECT(value == 144);
	/* Errors of a launch do not throw, host code may. */
	try {
		throw std::string("text");
	} catch (const std::string &text) {
		EXPECT(text == "text");
	}
	EXPECT(max(1, 2) == 2 && min(1.0f, 2.0f) == 1.0f);
	EXPECT(std::abs(std::complex<double>(3, 4)) == 5);
}

/* Variables that have no name outside this file. */
namespace {
__device__ int hidden = 5;
__constant__ int hidden_table[2] = {1, 2};
__global__ void read_hidden(int *out)
{
	out[0] = hidden;
	out[1] = hidden_table[1];
}
} // namespace

static void check_unnamed_namespace()
{
	int *device, host[2], value = 41, table[2] = {7, 8};

	MUSA_CHECK(musaMalloc((void **)&device, sizeof(host)));
	MUSA_CHECK(musaMemcpyToSymbol(hidden, &value, sizeof(value)));
	MUSA_CHECK(musaMemcpyToSymbol(hidden_table, table, sizeof(table)));
	read_hidden<<<1, 1>>>(device);
	MUSA_CHECK(musaMemcpy(host, device, sizeof(host), musaMemcpyDeviceToHost));
	EXPECT(host[0] == 41 && host[1] == 8);
	MUSA_CHECK(musaFree(device));
}

int main()
{
	check_reductions();
	check_cooperative();
	check_overloads();
	check_transforms();
	check_calls();
	check_unnamed_namespace();
	MUSA_CHECK(musaDeviceSynchronize());
	puts(failures ? "something is wrong" : "everything is right");
	return failures != 0;
}
