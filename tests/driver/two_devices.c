/* SPDX-License-Identifier: MIT */
/* Contexts of two devices: what belongs to which, and copies between them. */
#include <stdlib.h>

#include "driver_test.h"

static void two(void)
{
	setenv("MUSA_MOCK_DEVICES", "2", 1);
	setenv("MUSA_MOCK_MEMORY", "128M", 1);
}

TestSuite(driver_two_devices, .init = two, .timeout = 60);

static MUdeviceptr word_in(MUcontext ctx, unsigned int value)
{
	MUdeviceptr word;

	OK(muCtxSetCurrent(ctx));
	OK(muMemAlloc(&word, sizeof(int)));
	OK(muMemsetD32(word, value, 1));
	OK(muCtxSynchronize());
	return word;
}

/* A graph made with the second context current runs there; its kernels follow their functions. */
Test(driver_two_devices, graph_on_the_second)
{
	MUcontext first = d_context(), second;
	MUSA_KERNEL_NODE_PARAMS_v2 params = {0}, told;
	MUfunction function;
	MUdeviceptr word;
	MUmodule module;
	MUstream stream;
	MUgraphNode node;
	MUgraphExec exec;
	MUgraph graph;
	MUdevice device;
	int value = 5;
	void *args[] = {&word, &value};

	OK(muDevicePrimaryCtxRetain(&second, 1));
	word = word_in(second, 1);
	OK(muModuleLoadData(&module, d_image()));
	OK(muModuleGetFunction(&function, module, "add"));
	OK(muGraphCreate(&graph, 0));
	OK(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
	OK(muStreamGetDevice(stream, &device));
	EQ(device, 1);
	/* Another context is current now: the function keeps its own. */
	OK(muCtxSetCurrent(first));
	params.func = function;
	params.gridDimX = params.gridDimY = params.gridDimZ = 1;
	params.blockDimX = params.blockDimY = params.blockDimZ = 1;
	params.kernelParams = args;
	OK(muGraphAddKernelNode_v2(&node, graph, NULL, 0, &params));
	OK(muGraphKernelNodeGetParams_v2(node, &told));
	cr_assert_eq(told.ctx, second);
	params.ctx = first;
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muGraphAddKernelNode_v2(&node, graph, NULL, 0, &params));
	OK(muGraphInstantiate(&exec, graph, 0));
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(word), 6);
	OK(muGraphExecDestroy(exec));
	OK(muGraphDestroy(graph));
}

/* A copy belongs to the context that is named, and a graph to one device. */
Test(driver_two_devices, one_device_a_graph)
{
	MUSA_GRAPH_INSTANTIATE_PARAMS how = {0};
	MUcontext first = d_context(), second;
	MUdeviceptr here, there;
	MUgraphNode node, other;
	MUgraphExec exec;
	MUgraph graph;
	MUSA_MEMCPY3D copy = {
		.srcMemoryType = MU_MEMORYTYPE_DEVICE,
		.dstMemoryType = MU_MEMORYTYPE_DEVICE,
		.WidthInBytes = sizeof(int),
		.Height = 1,
		.Depth = 1,
	};

	OK(muDevicePrimaryCtxRetain(&second, 1));
	there = word_in(second, 8);
	here = word_in(first, 0);
	copy.srcDevice = there;
	copy.dstDevice = here;
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, first));
	d_run(graph);
	EQ(d_read(here), 8);
	OK(muGraphAddMemcpyNode(&other, graph, &node, 1, &copy, second));
	OK(muGraphMemcpyNodeSetParams(other, &copy));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphInstantiateWithParams(&exec, graph, &how));
	EQ(how.result_out, MUSA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED);
	cr_assert_eq(how.hErrNode_out, other);
	OK(muGraphDestroyNode(other));
	OK(muGraphInstantiate(&exec, graph, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecMemcpyNodeSetParams(exec, node, &copy, second));
	OK(muGraphExecMemcpyNodeSetParams(exec, node, &copy, first));
	OK(muGraphExecDestroy(exec));
	OK(muGraphDestroy(graph));
}

/* Copies name the contexts at both ends. */
Test(driver_two_devices, peer_copies)
{
	MUcontext first = d_context(), second, told;
	MUdeviceptr here, there;
	MUstream stream;
	int ordinal;

	OK(muDevicePrimaryCtxRetain(&second, 1));
	there = word_in(second, 21);
	here = word_in(first, 0);
	stream = d_stream();
	OK(muPointerGetAttribute(&told, MU_POINTER_ATTRIBUTE_CONTEXT, there));
	cr_assert_eq(told, second);
	OK(muPointerGetAttribute(&ordinal, MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, there));
	EQ(ordinal, 1);
	OK(muMemcpyPeer(here, first, there, second, sizeof(int)));
	EQ(d_read(here), 21);
	OK(muMemsetD32(here, 34, 1));
	OK(muMemcpyPeerAsync(there, second, here, NULL, sizeof(int), stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(there), 34);
	EXPECT(MUSA_ERROR_INVALID_CONTEXT,
	       muMemcpyPeer(here, first, there, (MUcontext)&ordinal, sizeof(int)));
}
