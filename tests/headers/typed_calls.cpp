/* SPDX-License-Identifier: MIT */
/* The typed C++ calls accept pointers, kernels and variables of any type without a cast. */
#include "musa_runtime.h"

#include "call_forms.h"

struct particle {
	float4 position;
	int tag;
};

/* Host functions and variables that no device code knows: found out when used, not before. */
static void kernel(float *data, int n, particle p)
{
	data[n - 1] = p.position.x;
}
static void plain()
{
}
static float table[16];
static const int answer = 42;

static void memory(musaStream_t stream)
{
	particle *p;
	const float *managed;
	double *pinned;
	int *mapped;
	size_t pitch;

	EXPECT(musaMalloc(&p, 4 * sizeof(*p)), musaSuccess);
	EXPECT(musaMemset(p, 0, 4 * sizeof(*p)), musaSuccess);
	EXPECT(musaMemcpyAsync(p + 1, p, sizeof(*p), musaMemcpyDefault), musaSuccess);
	EXPECT(musaMemsetAsync(p, 1, sizeof(*p)), musaSuccess);
	EXPECT(musaDeviceSynchronize(), musaSuccess);
	EXPECT(musaFree(p), musaSuccess);
	EXPECT(musaMallocPitch(&p, &pitch, 3 * sizeof(*p), 2), musaSuccess);
	EXPECT(musaFree(p), musaSuccess);
	EXPECT(musaMallocManaged(&managed, 64), musaSuccess);
	EXPECT(musaFree(const_cast<float *>(managed)), musaSuccess);
	EXPECT(musaMallocHost(&pinned, 64), musaSuccess);
	EXPECT(musaFreeHost(pinned), musaSuccess);
	EXPECT(musaMallocHost(&pinned, 64, musaHostAllocMapped), musaSuccess);
	EXPECT(musaHostGetDevicePointer(&mapped, pinned, 0), musaSuccess);
	EXPECT(musaFreeHost(pinned), musaSuccess);
	EXPECT(musaHostAlloc(&pinned, 64, musaHostAllocDefault), musaSuccess);
	EXPECT(musaFreeHost(pinned), musaSuccess);
	EXPECT(musaMallocAsync(&p, sizeof(*p), stream), musaSuccess);
	EXPECT(musaFreeAsync(p, stream), musaSuccess);
	EXPECT(musaStreamSynchronize(stream), musaSuccess);
}

static void pools(musaStream_t stream)
{
	musaMemPool_t pool;
	short *s;

	EXPECT(musaDeviceGetDefaultMemPool(&pool, 0), musaSuccess);
	EXPECT(musaMallocAsync(&s, 256, pool, stream), musaSuccess);
	EXPECT(musaFreeAsync(s, stream), musaSuccess);
	EXPECT(musaMallocFromPoolAsync(&s, 256, pool, stream), musaSuccess);
	EXPECT(musaFreeAsync(s, stream), musaSuccess);
	EXPECT(musaStreamSynchronize(stream), musaSuccess);
}

static void launches(musaStream_t stream)
{
	musaLaunchConfig_t config = {};
	musaFuncAttributes attr;
	particle p = {};
	float *data = table;
	int n = 16, blocks, threads;
	void *args[] = {&data, &n, &p};

	config.gridDim = 4;
	config.blockDim = dim3(32, 2);
	config.stream = stream;
	EXPECT(musaLaunchKernel(kernel, 4, 64, args), musaErrorInvalidDeviceFunction);
	EXPECT(musaLaunchKernel(kernel, dim3(4), dim3(64), args, 0, stream),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaLaunchKernel(reinterpret_cast<const void *>(kernel), 4, 64, args, 0, stream),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaLaunchCooperativeKernel(kernel, 4, 64, args), musaErrorInvalidDeviceFunction);
	/* Arguments convert as in a call: table to float *, char to int. */
	EXPECT(musaLaunchKernelEx(&config, kernel, table, 'a', p), musaErrorInvalidDeviceFunction);
	EXPECT(musaLaunchKernelEx(&config, plain), musaErrorInvalidDeviceFunction);
	EXPECT(musaFuncGetAttributes(&attr, kernel), musaErrorInvalidDeviceFunction);
	EXPECT(musaFuncSetAttribute(kernel, musaFuncAttributeMaxDynamicSharedMemorySize, 1024),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, 0, 256),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaOccupancyMaxPotentialBlockSizeVariableSMem(
		       &blocks, &threads, kernel, [](int size) { return size * sizeof(float); }),
	       musaErrorInvalidDeviceFunction);
	EXPECT(musaGetLastError(), musaErrorInvalidDeviceFunction);
}

static void symbols()
{
	musaGraph_t graph;
	musaGraphNode_t node;
	void *address;
	float host[16];
	size_t size;

	EXPECT(musaGetSymbolAddress(&address, table), musaErrorInvalidSymbol);
	EXPECT(musaGetSymbolSize(&size, answer), musaErrorInvalidSymbol);
	EXPECT(musaMemcpyToSymbol(table, host, sizeof(host)), musaErrorInvalidSymbol);
	EXPECT(musaMemcpyToSymbol(table, host, 4, 8, musaMemcpyDefault), musaErrorInvalidSymbol);
	EXPECT(musaMemcpyFromSymbol(host, table, sizeof(host)), musaErrorInvalidSymbol);
	EXPECT(musaMemcpyToSymbolAsync(table, host, sizeof(host)), musaErrorInvalidSymbol);
	EXPECT(musaMemcpyFromSymbolAsync(host, table, sizeof(host)), musaErrorInvalidSymbol);
	EXPECT(musaGraphCreate(&graph, 0), musaSuccess);
	EXPECT(musaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, table, host, 4, 0,
					      musaMemcpyHostToDevice),
	       musaErrorInvalidSymbol);
	EXPECT(musaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, host, table, 4, 0,
						musaMemcpyDeviceToHost),
	       musaErrorInvalidSymbol);
	EXPECT(musaGraphDestroy(graph), musaSuccess);
}

static void values()
{
	musaChannelFormatDesc f4 = musaCreateChannelDesc<float4>();
	musaPitchedPtr row = make_musaPitchedPtr(table, sizeof(table), 16, 1);
	musaExtent box = make_musaExtent(sizeof(table), 1, 1);
	musaPos pos = make_musaPos(1, 2, 3);
	dim3 all, line(7), from(make_uint3(1, 2, 3));
	uint3 back = from;

	EXPECT(f4.w, 32);
	EXPECT(f4.f, musaChannelFormatKindFloat);
	EXPECT(musaCreateChannelDesc<uchar2>().y, 8);
	EXPECT(musaCreateChannelDesc<uchar2>().z, 0);
	EXPECT(row.pitch, sizeof(table));
	EXPECT(box.width, sizeof(table));
	EXPECT(pos.z, 3);
	EXPECT(all.x + all.y + all.z, 3);
	EXPECT(line.x * 100 + line.y * 10 + line.z, 711);
	EXPECT(back.z, 3);
	EXPECT(make_float4(1, 2, 3, 4).w, 4);
}

int main()
{
	musaStream_t stream;

	EXPECT(musaStreamCreate(&stream), musaSuccess);
	values();
	memory(stream);
	pools(stream);
	launches(stream);
	symbols();
	EXPECT(musaStreamDestroy(stream), musaSuccess);
	return failures != 0;
}
