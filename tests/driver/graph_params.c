/* SPDX-License-Identifier: MIT */
/* Parameters of graph nodes as the driver API reads and sets them; runtime numbers never show. */
#include <string.h>
#include <unistd.h>

#include "driver_test.h"

TestSuite(driver_graph_params, .timeout = 60);

/* What GetParams gives, SetParams takes; a function that is none is an invalid handle. */
Test(driver_graph_params, kernels)
{
	MUcontext ctx = d_context();
	MUdeviceptr word = d_ints(2);
	MUSA_KERNEL_NODE_PARAMS first;
	MUSA_KERNEL_NODE_PARAMS_v2 second;
	int value = 6;
	void *args[] = {&word, &value};
	MUgraphNode node;
	MUgraph graph;

	OK(muGraphCreate(&graph, 0));
	node = d_add(graph, NULL, 0, "put", word, 5);
	OK(muGraphKernelNodeGetParams(node, &first));
	cr_assert_eq(first.func, d_function("put"));
	EQ(first.gridDimX, 1);
	cr_assert_null(first.extra);
	EQ(*(int *)first.kernelParams[1], 5);
	OK(muGraphKernelNodeGetParams_v2(node, &second));
	cr_assert_eq(second.func, first.func);
	cr_assert_null(second.kern);
	cr_assert_eq(second.ctx, ctx);
	OK(muGraphKernelNodeSetParams(node, &first));
	d_run(graph);
	EQ(d_read(word), 5);
	second.kernelParams = args;
	second.func = d_function("add");
	OK(muGraphKernelNodeSetParams_v2(node, &second));
	d_run(graph);
	EQ(d_read(word), 11);

	first.func = NULL;
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muGraphKernelNodeSetParams(node, &first));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muGraphAddKernelNode(&node, graph, NULL, 0, &first));
	first.func = (MUfunction)&first;
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muGraphKernelNodeSetParams(node, &first));
	first = d_kernel("put", args);
	first.gridDimY = 0;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphKernelNodeSetParams(node, &first));
	first = d_kernel("put", NULL);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphKernelNodeSetParams(node, &first));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphKernelNodeSetParams(node, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphKernelNodeGetParams(node, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphAddKernelNode(&node, graph, NULL, 0, NULL));
	OK(muGraphDestroy(graph));
}

/* Arguments packed in one buffer, which is some programs' only way. */
Test(driver_graph_params, packed_arguments)
{
	struct {
		MUdeviceptr to;
		int value;
	} packed = {0, 21};
	size_t size = sizeof(packed);
	void *extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, &packed, MU_LAUNCH_PARAM_BUFFER_SIZE,
			 &size, MU_LAUNCH_PARAM_END};
	MUSA_KERNEL_NODE_PARAMS params;
	MUgraphNode node;
	MUgraph graph;

	d_context();
	packed.to = d_ints(1);
	params = d_kernel("put", NULL);
	params.extra = extra;
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddKernelNode(&node, graph, NULL, 0, &params));
	OK(muGraphKernelNodeGetParams(node, &params));
	cr_assert_null(params.kernelParams);
	cr_assert_not_null(params.extra);
	OK(muGraphKernelNodeSetParams(node, &params));
	d_run(graph);
	EQ(d_read(packed.to), 21);
	OK(muGraphDestroy(graph));
}

/* A kernel of a library needs no function handle. */
Test(driver_graph_params, library_kernels)
{
	MUdeviceptr word = (d_context(), d_ints(1));
	MUSA_KERNEL_NODE_PARAMS_v2 params, told;
	int value = 8;
	void *args[] = {&word, &value};
	MUSA_KERNEL_NODE_PARAMS first = d_kernel("put", args);
	MUlibrary library;
	MUgraphNode node;
	MUkernel kernel;
	MUgraph graph;

	OK(muLibraryLoadData(&library, d_image(), NULL, NULL, 0, NULL, NULL, 0));
	OK(muLibraryGetKernel(&kernel, library, "put"));
	memset(&params, 0, sizeof(params));
	memcpy(&params, &first, sizeof(first));
	params.func = NULL;
	params.kern = kernel;
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddKernelNode_v2(&node, graph, NULL, 0, &params));
	OK(muGraphKernelNodeGetParams_v2(node, &told));
	cr_assert_eq(told.kern, kernel);
	cr_assert_not_null(told.func);
	OK(muGraphKernelNodeSetParams_v2(node, &told));
	d_run(graph);
	EQ(d_read(word), 8);
	OK(muGraphDestroy(graph));
	OK(muLibraryUnload(library));
}

/* Copies come back as they were given, and a box copies what it names. */
Test(driver_graph_params, copies)
{
	MUcontext ctx = d_context();
	MUdeviceptr device = d_ints(64);
	int rows[4][8], out[4][4];
	MUSA_MEMCPY3D params = {
		.srcXInBytes = 8,
		.srcY = 0,
		.srcMemoryType = MU_MEMORYTYPE_HOST,
		.srcHost = rows,
		.srcPitch = sizeof(rows[0]),
		.srcHeight = 4,
		.dstMemoryType = MU_MEMORYTYPE_DEVICE,
		.dstDevice = device,
		.dstPitch = 16,
		.dstHeight = 4,
		.WidthInBytes = 16,
		.Height = 4,
		.Depth = 1,
	};
	MUSA_MEMCPY3D told, bad;
	MUgraphNode node;
	MUgraph graph;

	for (int i = 0; i < 32; i++)
		rows[i / 8][i % 8] = i;
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddMemcpyNode(&node, graph, NULL, 0, &params, ctx));
	OK(muGraphMemcpyNodeGetParams(node, &told));
	cr_assert_eq(memcmp(&told, &params, sizeof(told)), 0);
	OK(muGraphMemcpyNodeSetParams(node, &told));
	d_run(graph);
	OK(muMemcpyDtoH(out, device, sizeof(out)));
	for (int i = 0; i < 16; i++)
		EQ(out[i / 4][i % 4], i / 4 * 8 + 2 + i % 4);

	/* What the runtime has own numbers for is an invalid value here. */
	bad = params;
	bad.dstPitch = 8;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, &bad));
	bad = params;
	bad.srcMemoryType = (MUmemorytype)0;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, &bad));
	bad = params;
	bad.srcLOD = 1;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, &bad));
	bad = params;
	bad.WidthInBytes = 0;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, &bad));
	bad = params;
	bad.dstDevice = (MUdeviceptr)(uintptr_t)out;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, &bad));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, NULL));
	OK(muGraphMemcpyNodeGetParams(node, &told));
	cr_assert_eq(memcmp(&told, &params, sizeof(told)), 0);
	OK(muGraphDestroy(graph));
}

/* Positions and widths are bytes with arrays, too, and must be whole elements. */
Test(driver_graph_params, array_copies)
{
	MUcontext ctx = d_context();
	MUSA_ARRAY_DESCRIPTOR format = {
		.Width = 16, .Height = 2, .Format = MU_AD_FORMAT_SIGNED_INT32, .NumChannels = 1};
	int values[4] = {1, 2, 3, 4}, out[4] = {0};
	MUSA_MEMCPY3D params, told;
	MUgraphNode node;
	MUgraph graph;
	MUarray array;

	OK(muArrayCreate(&array, &format));
	params = (MUSA_MEMCPY3D){
		.srcMemoryType = MU_MEMORYTYPE_HOST,
		.srcHost = values,
		.srcPitch = 8,
		.dstXInBytes = 8,
		.dstMemoryType = MU_MEMORYTYPE_ARRAY,
		.dstArray = array,
		.WidthInBytes = 8,
		.Height = 2,
		.Depth = 1,
	};
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddMemcpyNode(&node, graph, NULL, 0, &params, ctx));
	OK(muGraphMemcpyNodeGetParams(node, &told));
	cr_assert_eq(memcmp(&told, &params, sizeof(told)), 0);
	d_run(graph);
	OK(muMemcpyAtoH(out, array, 8, 8));
	EQ(out[0], 1);
	EQ(out[1], 2);
	params.WidthInBytes = 6;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemcpyNodeSetParams(node, &params));
	OK(muGraphDestroy(graph));
	OK(muArrayDestroy(array));
}

static void nothing(void *data)
{
	(void)data;
}

/* Fills, host functions, events and child graphs. */
Test(driver_graph_params, other_nodes)
{
	MUcontext ctx = d_context();
	MUdeviceptr memory = d_ints(8);
	MUSA_MEMSET_NODE_PARAMS fill = {
		.dst = memory, .value = 2, .elementSize = 2, .width = 4, .height = 1}, fill_told;
	MUSA_HOST_NODE_PARAMS host = {nothing, &fill}, host_told;
	MUgraphNode fill_node, host_node, record, wait, child;
	MUevent event, other, told;
	MUgraph graph, inner;

	OK(muGraphCreate(&graph, 0));
	OK(muGraphCreate(&inner, 0));
	OK(muEventCreate(&event, 0));
	OK(muEventCreate(&other, 0));
	OK(muGraphAddMemsetNode(&fill_node, graph, NULL, 0, &fill, ctx));
	fill.value = 3;
	OK(muGraphMemsetNodeSetParams(fill_node, &fill));
	OK(muGraphMemsetNodeGetParams(fill_node, &fill_told));
	cr_assert_eq(memcmp(&fill, &fill_told, sizeof(fill)), 0);
	fill.elementSize = 3;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemsetNodeSetParams(fill_node, &fill));
	OK(muGraphAddHostNode(&host_node, graph, NULL, 0, &host));
	host.userData = NULL;
	OK(muGraphHostNodeSetParams(host_node, &host));
	OK(muGraphHostNodeGetParams(host_node, &host_told));
	cr_assert_null(host_told.userData);
	host.fn = NULL;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphHostNodeSetParams(host_node, &host));
	OK(muGraphAddEventRecordNode(&record, graph, NULL, 0, event));
	OK(muGraphEventRecordNodeSetEvent(record, other));
	OK(muGraphEventRecordNodeGetEvent(record, &told));
	cr_assert_eq(told, other);
	OK(muGraphAddEventWaitNode(&wait, graph, NULL, 0, other));
	OK(muGraphEventWaitNodeSetEvent(wait, event));
	OK(muGraphEventWaitNodeGetEvent(wait, &told));
	cr_assert_eq(told, event);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphEventWaitNodeSetEvent(wait, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphEventWaitNodeGetEvent(record, &told));
	OK(muGraphAddChildGraphNode(&child, graph, NULL, 0, inner));
	OK(muGraphChildGraphNodeGetGraph(child, &inner));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphDestroy(inner));
	OK(muGraphDestroy(graph));
}

/* Tagged parameters set what they name and nothing of another type. */
Test(driver_graph_params, tagged_parameters)
{
	MUdeviceptr memory = (d_context(), d_ints(4));
	MUgraphNodeParams params;
	MUgraphNode node, empty;
	MUgraph graph;

	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddEmptyNode(&empty, graph, NULL, 0));
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_MEMSET;
	params.memset.dst = memory;
	params.memset.value = 1;
	params.memset.elementSize = 4;
	params.memset.width = 4;
	params.memset.height = 1;
	OK(muGraphAddNode(&node, graph, NULL, 0, &params));
	params.memset.value = 6;
	OK(muGraphNodeSetParams(node, &params));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphNodeSetParams(empty, &params));
	d_run(graph);
	EQ(d_read(memory), 6);
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_EMPTY;
	OK(muGraphNodeSetParams(empty, &params));
	params.type = MU_GRAPH_NODE_TYPE_HOST;
	params.host.fn = nothing;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphNodeSetParams(node, &params));
	OK(muGraphDestroy(graph));
}

/* Attribute values have 32 bytes here: no more are touched. */
Test(driver_graph_params, attributes)
{
	struct {
		MUkernelNodeAttrValue value;
		char behind[32];
	} room;
	MUdeviceptr word = (d_context(), d_ints(1));
	MUgraphNode node, other;
	MUgraph graph;
	int priority = 0;

	OK(muGraphCreate(&graph, 0));
	node = d_add(graph, NULL, 0, "put", word, 1);
	other = d_add(graph, NULL, 0, "put", word, 1);
	memset(&room, 0x55, sizeof(room));
	room.value.cooperative = 1;
	OK(muGraphKernelNodeSetAttribute(node, MU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &room.value));
	OK(muGraphKernelNodeCopyAttributes(other, node));
	room.value.cooperative = 0;
	OK(muGraphKernelNodeGetAttribute(other, MU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &room.value));
	EQ(room.value.cooperative, 1);
	OK(muGraphKernelNodeGetAttribute(other, MU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW,
					 &room.value));
	for (size_t i = 0; i < sizeof(room.behind); i++)
		EQ(room.behind[i], 0x55);
	OK(muGraphKernelNodeGetAttribute(node, (MUkernelNodeAttrID)MU_LAUNCH_ATTRIBUTE_PRIORITY,
					 (MUkernelNodeAttrValue *)(void *)&priority));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muGraphKernelNodeSetAttribute(node, (MUkernelNodeAttrID)99, &room.value));
	OK(muGraphDestroy(graph));
}
