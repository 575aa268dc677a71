/* SPDX-License-Identifier: MIT */
/* One program uses both APIs: their handles, contexts and captures are the same things. */
#include <string.h>

#include "driver_test.h"
#include "musa_runtime_api.h"

TestSuite(driver_mixed, .timeout = 60);

#define RUNTIME_OK(call) EXPECT(musaSuccess, call)

/* What the runtime makes current the driver finds, and handles go both ways. */
Test(driver_mixed, handles)
{
	int value = 3, host = 0;
	MUdeviceptr word;
	void *memory;
	void *args[] = {&memory, &value};
	musaStream_t stream;
	musaEvent_t event;
	musaGraph_t graph;
	MUcontext ctx;
	MUgraphNode node;
	size_t count;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muGraphCreate(&graph, 0));
	RUNTIME_OK(musaMalloc(&memory, sizeof(int)));
	OK(muCtxGetCurrent(&ctx));
	cr_assert_not_null(ctx);
	word = (MUdeviceptr)(uintptr_t)memory;
	RUNTIME_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
	RUNTIME_OK(musaEventCreate(&event));
	OK(muMemsetD32Async(word, 0, 1, stream));
	OK(muLaunchKernel(d_function("put"), 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
	OK(muEventRecord(event, stream));
	RUNTIME_OK(musaEventSynchronize(event));
	EQ(d_read(word), 3);

	RUNTIME_OK(musaGraphCreate(&graph, 0));
	node = d_add(graph, NULL, 0, "add", word, 4);
	RUNTIME_OK(musaGraphAddMemcpyNode1D(&node, graph, &node, 1, &host, memory, sizeof(int),
					    musaMemcpyDeviceToHost));
	RUNTIME_OK(musaGraphGetNodes(graph, NULL, &count));
	EQ(count, 2);
	d_run(graph);
	EQ(host, 7);
	OK(muGraphDestroy(graph));
	EXPECT(musaErrorInvalidValue, musaGraphDestroy(graph));
	OK(muStreamDestroy(stream));
	EXPECT(musaErrorInvalidResourceHandle, musaStreamQuery(stream));
	OK(muMemFree(word));
	RUNTIME_OK(musaEventDestroy(event));
}

/* A capture that one API begins the other fills and ends. */
Test(driver_mixed, capture)
{
	MUdeviceptr word = (d_context(), d_ints(1));
	enum musaStreamCaptureStatus status;
	int value = 5;
	void *args[] = {&word, &value};
	MUstream stream = d_stream();
	musaGraphExec_t exec;
	MUgraph graph;

	d_module();
	RUNTIME_OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	RUNTIME_OK(musaMemsetAsync((void *)(uintptr_t)word, 0, sizeof(int), stream));
	OK(muLaunchKernel(d_function("add"), 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
	RUNTIME_OK(musaStreamIsCapturing(stream, &status));
	EQ(status, musaStreamCaptureStatusActive);
	OK(muStreamEndCapture(stream, &graph));
	RUNTIME_OK(musaGraphInstantiate(&exec, graph, 0));
	OK(muGraphLaunch(exec, stream));
	RUNTIME_OK(musaGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(word), 5);
	RUNTIME_OK(musaGraphExecDestroy(exec));
	OK(muGraphDestroy(graph));
}

/* Numbers that differ between the APIs: each gives its own for the same update and attribute. */
Test(driver_mixed, numbers)
{
	MUdeviceptr word = (d_context(), d_ints(1));
	MUkernelNodeAttrValue cooperative = {.cooperative = 1};
	musaGraphExecUpdateResultInfo runtime_info;
	MUgraphExecUpdateResultInfo info;
	MUgraph graph, other;
	MUgraphExec exec;
	MUgraphNode node;
	muuint64_t bytes, same;

	OK(muGraphCreate(&graph, 0));
	d_add(graph, NULL, 0, "add", word, 1);
	OK(muGraphClone(&other, graph));
	OK(muGraphInstantiate(&exec, graph, 0));
	same = 1;
	OK(muGraphGetNodes(other, &node, &(size_t){1}));
	OK(muGraphKernelNodeSetAttribute(node, MU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &cooperative));
	EXPECT(MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, muGraphExecUpdate(exec, other, &info));
	EQ(info.result, 8);
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, other, &runtime_info));
	EQ(runtime_info.result, 6);
	cr_assert_eq(info.errorNode, runtime_info.errorNode);
	OK(muDeviceGetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &bytes));
	RUNTIME_OK(musaDeviceGetGraphMemAttribute(0, musaGraphMemAttrReservedMemCurrent, &same));
	EQ(bytes, same);
	EQ(musaGraphMemAttrReservedMemCurrent, MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT + 1);
	OK(muGraphExecDestroy(exec));
	OK(muGraphDestroy(graph));
	OK(muGraphDestroy(other));
}

/* A copy that the runtime added reads as the driver's, by kind. */
Test(driver_mixed, copies)
{
	MUdeviceptr word = (d_context(), d_ints(4));
	MUgraphNode node;
	MUSA_MEMCPY3D params;
	MUgraph graph;
	int host[4] = {1, 2, 3, 4};

	OK(muGraphCreate(&graph, 0));
	RUNTIME_OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, (void *)(uintptr_t)word, host,
					    sizeof(host), musaMemcpyHostToDevice));
	OK(muGraphMemcpyNodeGetParams(node, &params));
	EQ(params.srcMemoryType, MU_MEMORYTYPE_HOST);
	cr_assert_eq(params.srcHost, host);
	EQ(params.dstMemoryType, MU_MEMORYTYPE_DEVICE);
	EQ(params.dstDevice, word);
	EQ(params.WidthInBytes, sizeof(host));
	RUNTIME_OK(musaGraphMemcpyNodeSetParams1D(node, (void *)(uintptr_t)word, host, 8,
						  musaMemcpyDefault));
	OK(muGraphMemcpyNodeGetParams(node, &params));
	EQ(params.srcMemoryType, MU_MEMORYTYPE_UNIFIED);
	EQ(params.srcDevice, (uintptr_t)host);
	OK(muGraphMemcpyNodeSetParams(node, &params));
	d_run(graph);
	EQ(d_read(word + 4), 2);
	EQ(d_read(word + 8), 0);
	OK(muGraphDestroy(graph));
}
