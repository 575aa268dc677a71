/* SPDX-License-Identifier: MIT */
/* Graphs are built, queried, cloned and run by the driver API alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver_test.h"

TestSuite(driver_graph_build, .timeout = 60);

/* Nothing works before muInit; graphs need no context, copies and fills do. */
Test(driver_graph_build, order_of_errors)
{
	MUSA_MEMSET_NODE_PARAMS fill = {0};
	MUcontext ctx;
	MUgraphNode node;
	MUgraph graph;
	MUdevice device;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muGraphCreate(&graph, 0));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muGraphDestroy(NULL));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muGraphAddMemsetNode(&node, NULL, NULL, 0, &fill, NULL));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muUserObjectRetain(NULL, 1));
	OK(muInit(0));
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddEmptyNode(&node, graph, NULL, 0));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT,
	       muGraphAddMemsetNode(&node, graph, NULL, 0, &fill, NULL));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muGraphLaunch(NULL, NULL));
	OK(muDeviceGet(&device, 0));
	OK(muDevicePrimaryCtxRetain(&ctx, device));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphAddMemsetNode(&node, graph, NULL, 0, &fill, ctx));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT,
	       muGraphAddMemsetNode(&node, graph, NULL, 0, &fill, (MUcontext)&device));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphCreate(&graph, 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphCreate(NULL, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphDestroy(NULL));
	OK(muGraphDestroy(graph));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphDestroy(graph));
}

static void bump(void *data)
{
	__atomic_fetch_add((int *)data, 1, __ATOMIC_RELEASE);
}

/* Every plain type of node runs in the order of its edges. */
Test(driver_graph_build, all_plain_nodes)
{
	MUcontext ctx = d_context();
	MUdeviceptr a = d_ints(16), b = d_ints(16);
	int host = 0, called = 0, from = 5;
	MUgraphNode fill, put, copy, down, call, record, wait, child;
	MUgraph graph, inner;
	MUevent event;
	MUSA_MEMSET_NODE_PARAMS fill_params = {
		.dst = a, .value = 3, .elementSize = 4, .width = 16, .height = 1};
	MUSA_MEMCPY3D up = {
		.srcMemoryType = MU_MEMORYTYPE_HOST,
		.srcHost = &from,
		.dstMemoryType = MU_MEMORYTYPE_DEVICE,
		.dstDevice = b,
		.WidthInBytes = sizeof(int),
		.Height = 1,
		.Depth = 1,
	};
	MUSA_MEMCPY3D back = {
		.srcMemoryType = MU_MEMORYTYPE_DEVICE,
		.srcDevice = a,
		.dstMemoryType = MU_MEMORYTYPE_HOST,
		.dstHost = &host,
		.WidthInBytes = sizeof(int),
		.Height = 1,
		.Depth = 1,
	};
	MUSA_HOST_NODE_PARAMS host_params = {bump, &called};

	OK(muEventCreate(&event, MU_EVENT_DEFAULT));
	OK(muGraphCreate(&graph, 0));
	OK(muGraphCreate(&inner, 0));
	d_add(inner, NULL, 0, "add", b, 10);
	OK(muGraphAddMemsetNode(&fill, graph, NULL, 0, &fill_params, ctx));
	put = d_add(graph, &fill, 1, "add", a, 4);
	OK(muGraphAddMemcpyNode(&copy, graph, NULL, 0, &up, ctx));
	OK(muGraphAddChildGraphNode(&child, graph, &copy, 1, inner));
	OK(muGraphAddMemcpyNode(&down, graph, &put, 1, &back, NULL));
	OK(muGraphAddHostNode(&call, graph, &down, 1, &host_params));
	OK(muGraphAddEventRecordNode(&record, graph, &call, 1, event));
	OK(muGraphAddEventWaitNode(&wait, graph, &record, 1, event));
	d_run(graph);
	EQ(host, 7);
	EQ(called, 1);
	EQ(d_read(b), 15);
	OK(muGraphDestroy(inner));
	OK(muGraphDestroy(graph));
	OK(muEventDestroy(event));
}

/* Queries agree with what was built, in the forms with and without edge data. */
Test(driver_graph_build, queries)
{
	MUgraphNode first, second, third, nodes[4], from[4], to[4];
	MUgraphEdgeData data[4];
	MUgraphNodeType type;
	MUgraph graph;
	size_t count;

	d_context();
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddEmptyNode(&first, graph, NULL, 0));
	OK(muGraphAddEmptyNode(&second, graph, &first, 1));
	OK(muGraphAddEmptyNode(&third, graph, NULL, 0));
	OK(muGraphAddDependencies(graph, &second, &third, 1));
	OK(muGraphAddDependencies_v2(graph, &first, &third, NULL, 1));
	OK(muGraphGetNodes(graph, NULL, &count));
	EQ(count, 3);
	OK(muGraphGetNodes(graph, nodes, &count));
	cr_assert_eq(nodes[2], third);
	count = 4;
	OK(muGraphGetRootNodes(graph, nodes, &count));
	EQ(count, 1);
	cr_assert_eq(nodes[0], first);
	count = 4;
	OK(muGraphGetEdges(graph, from, to, &count));
	EQ(count, 3);
	memset(data, 0xff, sizeof(data));
	OK(muGraphGetEdges_v2(graph, from, to, data, &count));
	EQ(data[2].type, MU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
	count = 4;
	OK(muGraphNodeGetDependencies(third, nodes, &count));
	EQ(count, 2);
	cr_assert_eq(nodes[0], second);
	OK(muGraphNodeGetDependencies_v2(third, nodes, data, &count));
	count = 4;
	OK(muGraphNodeGetDependentNodes(first, nodes, &count));
	EQ(count, 2);
	OK(muGraphNodeGetDependentNodes_v2(first, nodes, data, &count));
	OK(muGraphNodeGetType(third, &type));
	EQ(type, MU_GRAPH_NODE_TYPE_EMPTY);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphNodeGetType(third, NULL));
	OK(muGraphRemoveDependencies(graph, &first, &third, 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphRemoveDependencies_v2(graph, &first, &third, NULL, 1));
	OK(muGraphDestroyNode(second));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphDestroyNode(second));
	OK(muGraphGetEdges(graph, NULL, NULL, &count));
	EQ(count, 0);
	OK(muGraphDestroy(graph));
}

/* A clone is independent and knows its nodes; a DOT file is written. */
Test(driver_graph_build, clones_and_dot)
{
	char path[] = "/tmp/driver-graph-XXXXXX";
	MUdeviceptr word = (d_context(), d_ints(1));
	MUgraphNode node, twin;
	MUgraph graph, clone;
	char line[64] = "";
	FILE *file;
	int fd;

	OK(muGraphCreate(&graph, 0));
	node = d_add(graph, NULL, 0, "add", word, 1);
	OK(muGraphClone(&clone, graph));
	OK(muGraphNodeFindInClone(&twin, node, clone));
	cr_assert_neq(twin, node);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphNodeFindInClone(&twin, node, graph));
	OK(muGraphDestroy(graph));
	d_run(clone);
	EQ(d_read(word), 1);
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	close(fd);
	OK(muGraphDebugDotPrint(clone, path, MU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
	file = fopen(path, "r");
	cr_assert_not_null(fgets(line, sizeof(line), file));
	cr_assert_eq(strncmp(line, "digraph", 7), 0);
	fclose(file);
	unlink(path);
	EXPECT(MUSA_ERROR_OPERATING_SYSTEM, muGraphDebugDotPrint(clone, "/nowhere/file", 0));
	OK(muGraphDestroy(clone));
}

/* Tagged parameters make the same nodes as the typed calls; unused bytes must be 0. */
Test(driver_graph_build, tagged_parameters)
{
	MUcontext ctx = d_context();
	MUdeviceptr a = d_ints(4), b = d_ints(4);
	MUgraphNodeParams params;
	MUgraphNode kernel, fill, copy, node;
	MUgraph graph;
	int value = 9;
	void *args[] = {&a, &value};

	OK(muGraphCreate(&graph, 0));
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_MEMSET;
	params.memset.dst = a;
	params.memset.value = 1;
	params.memset.elementSize = 4;
	params.memset.width = 4;
	params.memset.height = 1;
	params.memset.ctx = ctx;
	OK(muGraphAddNode(&fill, graph, NULL, 0, &params));
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_KERNEL;
	params.kernel.func = d_function("add");
	params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
	params.kernel.blockDimX = params.kernel.blockDimY = params.kernel.blockDimZ = 1;
	params.kernel.kernelParams = args;
	OK(muGraphAddNode_v2(&kernel, graph, &fill, NULL, 1, &params));
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_MEMCPY;
	params.memcpy.copyParams.srcMemoryType = MU_MEMORYTYPE_UNIFIED;
	params.memcpy.copyParams.srcDevice = a;
	params.memcpy.copyParams.dstMemoryType = MU_MEMORYTYPE_UNIFIED;
	params.memcpy.copyParams.dstDevice = b;
	params.memcpy.copyParams.WidthInBytes = 16;
	params.memcpy.copyParams.Height = 1;
	params.memcpy.copyParams.Depth = 1;
	OK(muGraphAddNode(&copy, graph, &kernel, 1, &params));
	params.memcpy.reserved = 1;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphAddNode(&node, graph, NULL, 0, &params));
	params.memcpy.reserved = 0;
	params.reserved2 = 1;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphAddNode(&node, graph, NULL, 0, &params));
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, muGraphAddNode(&node, graph, NULL, 0, &params));
	params.type = (MUgraphNodeType)14;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphAddNode(&node, graph, NULL, 0, &params));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphAddNode(&node, graph, NULL, 0, NULL));
	d_run(graph);
	EQ(d_read(b), 10);
	EQ(d_read(b + 4), 1);
	OK(muGraphDestroy(graph));
}

/* A conditional node runs its body if the handle says so. */
Test(driver_graph_build, conditional)
{
	MUcontext ctx = d_context();
	MUdeviceptr word = d_ints(1);
	MUgraphConditionalHandle handle;
	MUgraphNodeParams params;
	unsigned int value = 1;
	void *args[] = {&handle, &value};
	MUSA_KERNEL_NODE_PARAMS choose = d_kernel("choose", args);
	MUgraphNode setter, node;
	MUgraph graph;

	OK(muGraphCreate(&graph, 0));
	OK(muGraphConditionalHandleCreate(&handle, graph, ctx, 0, MU_GRAPH_COND_ASSIGN_DEFAULT));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphConditionalHandleCreate(NULL, graph, ctx, 0, 0));
	OK(muGraphAddKernelNode(&setter, graph, NULL, 0, &choose));
	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_CONDITIONAL;
	params.conditional.handle = handle;
	params.conditional.type = MU_GRAPH_COND_TYPE_IF;
	params.conditional.size = 1;
	params.conditional.ctx = ctx;
	OK(muGraphAddNode(&node, graph, &setter, 1, &params));
	cr_assert_not_null(params.conditional.phGraph_out);
	d_add(params.conditional.phGraph_out[0], NULL, 0, "add", word, 5);
	d_run(graph);
	EQ(d_read(word), 5);
	OK(muGraphDestroy(graph));
}

/* Memory nodes; the attributes count from 0 here. */
Test(driver_graph_build, memory_nodes)
{
	MUSA_MEM_ALLOC_NODE_PARAMS alloc = {
		.poolProps = {.allocType = MU_MEM_ALLOCATION_TYPE_PINNED,
			      .location = {MU_MEM_LOCATION_TYPE_DEVICE, 0}},
		.bytesize = 4096,
	};
	MUSA_MEM_ALLOC_NODE_PARAMS told;
	MUdeviceptr address;
	MUgraphNode node, put, down, gone;
	MUSA_MEMCPY3D back;
	muuint64_t bytes;
	MUgraph graph;
	int host = 0;

	d_context();
	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddMemAllocNode(&node, graph, NULL, 0, &alloc));
	cr_assert_neq(alloc.dptr, 0);
	put = d_add(graph, &node, 1, "put", alloc.dptr, 11);
	back = (MUSA_MEMCPY3D){
		.srcMemoryType = MU_MEMORYTYPE_DEVICE,
		.srcDevice = alloc.dptr,
		.dstMemoryType = MU_MEMORYTYPE_HOST,
		.dstHost = &host,
		.WidthInBytes = sizeof(int),
		.Height = 1,
		.Depth = 1,
	};
	OK(muGraphAddMemcpyNode(&down, graph, &put, 1, &back, NULL));
	OK(muGraphAddMemFreeNode(&gone, graph, &down, 1, alloc.dptr));
	OK(muGraphMemAllocNodeGetParams(node, &told));
	EQ(told.dptr, alloc.dptr);
	EQ(told.bytesize, 4096);
	OK(muGraphMemFreeNodeGetParams(gone, &address));
	EQ(address, alloc.dptr);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphMemFreeNodeGetParams(node, &address));
	d_run(graph);
	EQ(host, 11);
	OK(muDeviceGetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes));
	cr_assert_geq(bytes, 4096);
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muDeviceGetGraphMemAttribute(0, (MUgraphMem_attribute)4, &bytes));
	EXPECT(MUSA_ERROR_INVALID_DEVICE,
	       muDeviceGetGraphMemAttribute(9, MU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes));
	bytes = 0;
	OK(muDeviceSetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes));
	OK(muGraphDestroy(graph));
	OK(muDeviceGraphMemTrim(0));
	OK(muDeviceGetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &bytes));
	EQ(bytes, 0);
	OK(muDeviceGetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
	EQ(bytes, 0);
}

/* The last reference of a user object, a graph's here, calls its destructor. */
Test(driver_graph_build, user_objects)
{
	MUuserObject object;
	MUgraph graph;
	int gone = 0;

	d_context();
	OK(muGraphCreate(&graph, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muUserObjectCreate(&object, &gone, bump, 1, 0));
	OK(muUserObjectCreate(&object, &gone, bump, 1, MU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	OK(muUserObjectRetain(object, 2));
	OK(muUserObjectRelease(object, 1));
	OK(muGraphRetainUserObject(graph, object, 1, 0));
	OK(muGraphReleaseUserObject(graph, object, 1));
	OK(muGraphRetainUserObject(graph, object, 2, MU_GRAPH_USER_OBJECT_MOVE));
	EQ(__atomic_load_n(&gone, __ATOMIC_ACQUIRE), 0);
	OK(muGraphDestroy(graph));
	while (!__atomic_load_n(&gone, __ATOMIC_ACQUIRE))
		usleep(1000);
	EQ(__atomic_load_n(&gone, __ATOMIC_ACQUIRE), 1);
}
