/* SPDX-License-Identifier: MIT */
/* What adding each type of node refuses, and with which error; the setters repeat the checks. */
#include "graph_support.h"

#include <string.h>

#define DIR musaErrorInvalidMemcpyDirection
#define PITCH musaErrorInvalidPitchValue
#define SYM musaErrorInvalidSymbol

static musaGraph_t graph;
static musaGraphNode_t node;
static musaGraphNode_t untouched = NONSENSE(musaGraphNode_t);

static void start(void)
{
	graph = t_graph();
	node = untouched;
}

/* Nothing that was refused has left a trace. */
static void finish(size_t nodes)
{
	EQ(t_node_count(graph), nodes);
	OK(musaGraphDestroy(graph));
}

TestSuite(node_checks, .init = start);

static musaError_t add_kernel(struct musaKernelNodeParams params)
{
	node = untouched;
	return musaGraphAddKernelNode(&node, graph, NULL, 0, &params);
}

/* Kernel nodes: function, arguments, configuration. */
Test(node_checks, kernel)
{
	int *word = t_ints(1), value = 3, not_a_kernel;
	void *args[] = { &word, &value };
	struct { int *to; int value; } packed = { word, 3 };
	size_t size = sizeof(packed);
	void *extra[] = { (void *)1, &packed, (void *)2, &size, NULL };
	struct musaKernelNodeParams good = t_kernel(kernel_put, args), params;
	musaGraphNode_t first;
	musaError_t got;

	EXPECT(IV, musaGraphAddKernelNode(&node, graph, NULL, 0, NULL));
	params = good;
	params.func = NULL;
	EXPECT(musaErrorInvalidDeviceFunction, add_kernel(params));
	params.func = &not_a_kernel;
	got = add_kernel(params);
	cr_assert(got == musaErrorInvalidResourceHandle, "%d", got);
	params = good;
	params.kernelParams = NULL;
	EXPECT(IV, add_kernel(params));
	params.extra = extra;
	OK(add_kernel(params));
	first = node;
	params.kernelParams = args;
	EXPECT(IV, add_kernel(params));
	for (int i = 0; i < 6; i++) {
		params = good;
		((unsigned int *)&params.gridDim)[i] = 0; /* the block follows the grid */
		EXPECT(IV, add_kernel(params));
		EXPECT(IV, musaGraphKernelNodeSetParams(first, &params));
	}
	params = good;
	params.blockDim.x = 1025;
	EXPECT(IV, add_kernel(params));
	params.blockDim.x = 64;
	params.blockDim.y = 64;
	EXPECT(IV, add_kernel(params));
	params = good;
	params.sharedMemBytes = 1u << 30;
	EXPECT(IV, add_kernel(params));
	cr_assert_eq(node, untouched);
	EXPECT(IV, musaGraphKernelNodeSetParams(first, NULL));
	params = good;
	params.func = NULL;
	EXPECT(musaErrorInvalidDeviceFunction, musaGraphKernelNodeSetParams(first, &params));
	/* A kernel without arguments needs no list. */
	OK(add_kernel(t_kernel(kernel_empty, NULL)));
	finish(2);
}

static struct musaMemcpy3DParms box(void *dst, void *src, size_t pitch, size_t width, size_t height,
				    size_t depth)
{
	struct musaMemcpy3DParms params;

	memset(&params, 0, sizeof(params));
	params.srcPtr = make_musaPitchedPtr(src, pitch, width, height);
	params.dstPtr = make_musaPitchedPtr(dst, pitch, width, height);
	params.extent = make_musaExtent(width, height, depth);
	params.kind = musaMemcpyDefault;
	return params;
}

static musaError_t add_memcpy(struct musaMemcpy3DParms params)
{
	node = untouched;
	return musaGraphAddMemcpyNode(&node, graph, NULL, 0, &params);
}

/* Copies by parameters: kind, sides, extents, pitches, ranges. */
Test(node_checks, memcpy_3d)
{
	char *device = (char *)t_ints(1024), *other = (char *)t_ints(1024);
	struct musaMemcpy3DParms params;

	EXPECT(IV, musaGraphAddMemcpyNode(&node, graph, NULL, 0, NULL));
	params = box(device, other, 64, 64, 4, 1);
	params.kind = (enum musaMemcpyKind)99;
	EXPECT(DIR, add_memcpy(params));
	params.kind = (enum musaMemcpyKind)-1;
	EXPECT(DIR, add_memcpy(params));
	params.kind = (enum musaMemcpyKind)256;
	EXPECT(DIR, add_memcpy(params));
	EXPECT(IV, add_memcpy(box(NULL, other, 64, 64, 4, 1)));
	EXPECT(IV, add_memcpy(box(device, NULL, 64, 64, 4, 1)));
	EXPECT(IV, add_memcpy(box(device, other, 64, 0, 4, 1)));
	EXPECT(IV, add_memcpy(box(device, other, 64, 64, 0, 1)));
	EXPECT(IV, add_memcpy(box(device, other, 64, 64, 4, 0)));
	EXPECT(PITCH, add_memcpy(box(device, other, 32, 64, 4, 1)));
	EXPECT(PITCH, add_memcpy(box(device, other, 32, 64, 1, 2)));
	EXPECT(PITCH, add_memcpy(box(device, other, 0, 64, 4, 1)));
	EXPECT(IV, add_memcpy(box(device, other, 32, 64, 1, 1)));
	EXPECT(IV, add_memcpy(box(device, other, 64, 64, 65, 1)));
	EXPECT(IV, add_memcpy(box(device, other, 64, 64, 33, 2)));
	OK(add_memcpy(box(device, other, 0, 64, 1, 1)));
	OK(add_memcpy(box(device, other, 64, 64, 64, 1)));
	OK(add_memcpy(box(device, other, 64, 64, 32, 2)));
	params = box(device, other, 64, 64, 4, 1);
	params.dstPos.x = 1;
	EXPECT(IV, add_memcpy(params));
	/* Rows: of one slice only where their number is given, of several always. */
	params = box(device, other, 64, 64, 4, 1);
	params.dstPos.y = 1;
	EXPECT(IV, add_memcpy(params));
	params.dstPtr.ysize = 5;
	OK(add_memcpy(params));
	params.dstPtr.ysize = 0;
	OK(add_memcpy(params));
	params = box(device, other, 64, 64, 4, 2);
	params.dstPtr.ysize = 3;
	EXPECT(PITCH, add_memcpy(params));
	params.dstPtr.ysize = 0;
	EXPECT(PITCH, add_memcpy(params));
	params.dstPtr.ysize = 4;
	params.dstPos.y = 1;
	EXPECT(IV, add_memcpy(params));
	OK(add_memcpy(box(device, other, 64, 64, 4, 1)));
	params = box(device, other, 32, 64, 4, 1);
	EXPECT(PITCH, musaGraphMemcpyNodeSetParams(node, &params));
	EXPECT(IV, musaGraphMemcpyNodeSetParams(node, NULL));
	/* Kinds and pitches are told before a missing node is. */
	EXPECT(PITCH, musaGraphMemcpyNodeSetParams(NULL, &params));
	EXPECT(PITCH, musaGraphExecMemcpyNodeSetParams(NULL, NULL, &params));
	params = box(device, other, 64, 64, 4, 1);
	EXPECT(IV, musaGraphMemcpyNodeSetParams(NULL, &params));
	EXPECT(IV, musaGraphExecMemcpyNodeSetParams(NULL, NULL, &params));
	params.kind = (enum musaMemcpyKind)-1;
	EXPECT(DIR, musaGraphMemcpyNodeSetParams(NULL, &params));
	EXPECT(DIR, musaGraphExecMemcpyNodeSetParams(NULL, NULL, &params));
	finish(6);
}

/* Copies to and from arrays: exactly one of array and pointer a side. */
Test(node_checks, memcpy_array)
{
	struct musaChannelFormatDesc format = { 32, 0, 0, 0, musaChannelFormatKindSigned };
	int *device = t_ints(64);
	struct musaMemcpy3DParms params;
	musaArray_t array;

	OK(musaMallocArray(&array, &format, 16, 4, 0));
	memset(&params, 0, sizeof(params));
	params.srcPtr = make_musaPitchedPtr(device, 64, 16, 4);
	params.dstArray = array;
	params.extent = make_musaExtent(16, 4, 1);
	params.kind = musaMemcpyDeviceToDevice;
	OK(add_memcpy(params));
	params.dstPtr = params.srcPtr;
	EXPECT(IV, add_memcpy(params));
	params.dstArray = NULL;
	params.srcPtr.ptr = NULL;
	EXPECT(IV, add_memcpy(params));
	params.srcArray = array;
	params.extent.width = 17;
	EXPECT(IV, add_memcpy(params));
	params.extent.width = 16;
	OK(add_memcpy(params));
	OK(musaFreeArray(array));
	finish(2);
}

static musaError_t add_1d(void *dst, const void *src, size_t count, enum musaMemcpyKind kind)
{
	node = untouched;
	return musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, dst, src, count, kind);
}

/* One-dimensional copies. */
Test(node_checks, memcpy_1d)
{
	int host[4] = { 0 }, *device = t_ints(4), *other = t_ints(4);

	EXPECT(IV, add_1d(device, host, 0, musaMemcpyHostToDevice));
	EXPECT(IV, add_1d(NULL, host, 4, musaMemcpyHostToDevice));
	EXPECT(IV, add_1d(device, NULL, 4, musaMemcpyHostToDevice));
	EXPECT(DIR, add_1d(device, host, 4, (enum musaMemcpyKind)99));
	EXPECT(IV, add_1d(host, other, 4, musaMemcpyDeviceToDevice));
	EXPECT(IV, add_1d(host, other, 4, musaMemcpyHostToDevice));
	EXPECT(IV, add_1d(device, host, 4, musaMemcpyDeviceToHost));
	EXPECT(IV, add_1d(device, other, 4 * sizeof(int) + 1, musaMemcpyDeviceToDevice));
	OK(add_1d(device, host, 16, musaMemcpyHostToDevice));
	OK(add_1d(host, device, 16, musaMemcpyDefault));
	/* The pointers decide. */
	OK(add_1d(device, other, 16, musaMemcpyHostToDevice));
	OK(add_1d(device, device, 16, musaMemcpyDeviceToDevice));
	EXPECT(IV, musaGraphMemcpyNodeSetParams1D(node, device, other, 0, musaMemcpyDefault));
	EXPECT(DIR, musaGraphMemcpyNodeSetParams1D(node, device, other, 4, (enum musaMemcpyKind)5));
	finish(4);
}

static musaError_t to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
			     enum musaMemcpyKind kind)
{
	return musaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, symbol, src, count, offset, kind);
}

static musaError_t from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
			       enum musaMemcpyKind kind)
{
	return musaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, dst, symbol, count, offset,
						kind);
}

/* Copies to and from device variables. */
Test(node_checks, memcpy_symbol)
{
	int host[4] = { 0 };
	const void *symbol = symbol_constant_words;

	EXPECT(SYM, to_symbol(NULL, host, 4, 0, musaMemcpyHostToDevice));
	EXPECT(SYM, to_symbol(host, host, 4, 0, musaMemcpyHostToDevice));
	EXPECT(DIR, to_symbol(symbol, host, 4, 0, musaMemcpyDeviceToHost));
	EXPECT(DIR, to_symbol(symbol, host, 4, 0, musaMemcpyHostToHost));
	EXPECT(DIR, to_symbol(symbol, host, 4, 0, (enum musaMemcpyKind)9));
	EXPECT(IV, to_symbol(symbol, host, 17, 0, musaMemcpyHostToDevice));
	EXPECT(IV, to_symbol(symbol, host, 8, 12, musaMemcpyHostToDevice));
	EXPECT(IV, to_symbol(symbol, host, 8, SIZE_MAX - 3, musaMemcpyHostToDevice));
	EXPECT(IV, to_symbol(symbol, host, 0, 0, musaMemcpyHostToDevice));
	EXPECT(IV, to_symbol(symbol, NULL, 4, 0, musaMemcpyHostToDevice));
	OK(to_symbol(symbol, host, 8, 8, musaMemcpyHostToDevice));
	OK(to_symbol(symbol, host, 16, 0, musaMemcpyDefault));

	EXPECT(SYM, from_symbol(host, NULL, 4, 0, musaMemcpyDeviceToHost));
	EXPECT(DIR, from_symbol(host, symbol, 4, 0, musaMemcpyHostToDevice));
	EXPECT(IV, from_symbol(host, symbol, 8, 12, musaMemcpyDeviceToHost));
	EXPECT(IV, from_symbol(NULL, symbol, 4, 0, musaMemcpyDeviceToHost));
	EXPECT(IV, from_symbol(host, symbol, 0, 0, musaMemcpyDeviceToHost));
	OK(from_symbol(host, symbol, 4, 4, musaMemcpyDeviceToHost));
	EXPECT(DIR, musaGraphMemcpyNodeSetParamsFromSymbol(node, host, symbol, 4, 0,
							   musaMemcpyHostToDevice));
	EXPECT(SYM, musaGraphMemcpyNodeSetParamsToSymbol(node, host, host, 4, 0,
							 musaMemcpyHostToDevice));
	OK(musaGraphMemcpyNodeSetParamsToSymbol(node, symbol, host, 4, 0, musaMemcpyHostToDevice));
	finish(3);
}

static musaError_t add_memset(void *dst, size_t pitch, unsigned int element, size_t width,
			      size_t height)
{
	struct musaMemsetParams params = { dst, pitch, 0x12345678, element, width, height };

	node = untouched;
	return musaGraphAddMemsetNode(&node, graph, NULL, 0, &params);
}

/* Fills: element, shape, destination. */
Test(node_checks, memset)
{
	char *device = (char *)t_ints(1024);
	struct musaMemsetParams params = { device, 0, 0x12345678, 3, 4, 1 };
	int host[4];
	void *pinned, *managed;

	EXPECT(IV, musaGraphAddMemsetNode(&node, graph, NULL, 0, NULL));
	EXPECT(IV, add_memset(device, 0, 3, 4, 1));
	EXPECT(IV, add_memset(device, 0, 0, 4, 1));
	EXPECT(IV, add_memset(device, 0, 8, 4, 1));
	EXPECT(IV, add_memset(device, 0, 4, 0, 1));
	EXPECT(IV, add_memset(device, 64, 4, 4, 0));
	EXPECT(IV, add_memset(NULL, 0, 4, 4, 1));
	EXPECT(IV, add_memset(host, 0, 4, 4, 1));
	EXPECT(IV, add_memset(device + 2, 0, 4, 4, 1));
	EXPECT(IV, add_memset(device + 1, 0, 2, 4, 1));
	EXPECT(IV, add_memset(device, 12, 4, 4, 2));
	EXPECT(IV, add_memset(device, 0, 4, 4, 2));
	EXPECT(IV, add_memset(device, 18, 4, 4, 2));
	EXPECT(IV, add_memset(device, 0, 4, 1025, 1));
	EXPECT(IV, add_memset(device, 64, 4, 16, 65));
	OK(add_memset(device, 3, 4, 1024, 1)); /* one row: the pitch does not count */
	OK(add_memset(device + 1, 64, 1, 3, 2));
	OK(musaMallocHost(&pinned, 64));
	OK(musaMallocManaged(&managed, 64, musaMemAttachGlobal));
	OK(add_memset(pinned, 0, 4, 4, 1));
	OK(add_memset(managed, 0, 4, 4, 1));
	EXPECT(IV, musaGraphMemsetNodeSetParams(node, &params));
	EXPECT(IV, musaGraphMemsetNodeSetParams(node, NULL));
	params.elementSize = 4;
	OK(musaGraphMemsetNodeSetParams(node, &params));
	finish(4);
}

static void do_nothing(void *data)
{
	(void)data;
}

/* Host functions and events. */
Test(node_checks, host_and_events)
{
	struct musaHostNodeParams host = { NULL, NULL };
	musaGraphNode_t record;
	musaEvent_t event;

	EXPECT(IV, musaGraphAddHostNode(&node, graph, NULL, 0, NULL));
	EXPECT(IV, musaGraphAddHostNode(&node, graph, NULL, 0, &host));
	host.fn = do_nothing;
	OK(musaGraphAddHostNode(&node, graph, NULL, 0, &host));
	host.fn = NULL;
	EXPECT(IV, musaGraphHostNodeSetParams(node, &host));

	OK(musaEventCreate(&event));
	EXPECT(IV, musaGraphAddEventRecordNode(&node, graph, NULL, 0, NULL));
	EXPECT(IV, musaGraphAddEventWaitNode(&node, graph, NULL, 0, NULL));
	OK(musaGraphAddEventRecordNode(&record, graph, NULL, 0, event));
	OK(musaGraphAddEventWaitNode(&node, graph, NULL, 0, event));
	EXPECT(IV, musaGraphEventRecordNodeSetEvent(record, NULL));
	EXPECT(IV, musaGraphEventWaitNodeSetEvent(record, event));
	/* The event may go first. */
	OK(musaEventDestroy(event));
	finish(3);
}

/* External semaphore nodes without semaphores are fine; missing arrays are not. */
Test(node_checks, semaphores)
{
	struct musaExternalSemaphoreSignalNodeParams signal = { NULL, NULL, 0 };
	struct musaExternalSemaphoreWaitNodeParams wait = { NULL, NULL, 0 };
	struct musaExternalSemaphoreSignalParams params = { 0 };
	musaExternalSemaphore_t none = NULL;

	EXPECT(IV, musaGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, NULL));
	EXPECT(IV, musaGraphAddExternalSemaphoresWaitNode(&node, graph, NULL, 0, NULL));
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, &signal));
	OK(musaGraphAddExternalSemaphoresWaitNode(&node, graph, NULL, 0, &wait));
	signal.numExtSems = 1;
	EXPECT(IV, musaGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, &signal));
	signal.extSemArray = &none;
	EXPECT(IV, musaGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, &signal));
	signal.paramsArray = &params;
	EXPECT(IV, musaGraphAddExternalSemaphoresSignalNode(&node, graph, NULL, 0, &signal));
	finish(2);
}
