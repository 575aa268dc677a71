/* SPDX-License-Identifier: MIT */
/* Executable graphs by the driver API: all forms of instantiation, updates with the driver's numbers. */
#include <string.h>
#include <unistd.h>

#include "driver_test.h"

TestSuite(driver_graph_exec, .timeout = 60);

/* Two nodes that depend on each other. */
static MUgraph cycle(void)
{
	MUgraphNode first, second;
	MUgraph graph;

	OK(muGraphCreate(&graph, 0));
	OK(muGraphAddEmptyNode(&first, graph, NULL, 0));
	OK(muGraphAddEmptyNode(&second, graph, &first, 1));
	OK(muGraphAddDependencies(graph, &second, &first, 1));
	return graph;
}

/* Three, four and five arguments. */
Test(driver_graph_exec, forms_of_instantiation)
{
	MUSA_GRAPH_INSTANTIATE_PARAMS params = {0};
	MUdeviceptr word = (d_context(), d_ints(1));
	MUstream stream = d_stream();
	MUgraphNode bad = (MUgraphNode)&params;
	MUgraph graph, broken = cycle();
	MUgraphExec exec;
	muuint64_t flags;
	char text[64] = "?", small[4];

	OK(muGraphCreate(&graph, 0));
	d_add(graph, NULL, 0, "add", word, 1);
	OK(muGraphInstantiate_v2(&exec, graph, &bad, text, sizeof(text)));
	cr_assert_null(bad);
	EQ(text[0], 0);
	OK(muGraphLaunch(exec, stream));
	OK(muGraphExecDestroy(exec));
	OK(muGraphInstantiate_v2(&exec, graph, NULL, NULL, 0));
	OK(muGraphExecDestroy(exec));
	OK(muGraphInstantiateWithFlags(&exec, graph,
				       MUSA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
	OK(muGraphExecGetFlags(exec, &flags));
	EQ(flags, MUSA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
	OK(muGraphExecDestroy(exec));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muGraphInstantiate(&exec, graph, MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD));
	params.flags = MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
	params.hUploadStream = stream;
	OK(muGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, MUSA_GRAPH_INSTANTIATE_SUCCESS);
	OK(muGraphUpload(exec, stream));
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	OK(muGraphExecDestroy(exec));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecDestroy(exec));
	EQ(d_read(word), 2);

	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muGraphInstantiate_v2(&exec, broken, &bad, text, sizeof(text)));
	cr_assert_null(exec);
	cr_assert_gt(strlen(text), 3);
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       muGraphInstantiate_v2(&exec, broken, NULL, small, sizeof(small)));
	EQ(strlen(small), 3);
	params.flags = 0;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphInstantiateWithParams(&exec, broken, &params));
	EQ(params.result_out, MUSA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
	params.flags = MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
	params.hUploadStream = (MUstream)&params;
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, MUSA_GRAPH_INSTANTIATE_ERROR);
	OK(muGraphDestroy(broken));
	OK(muGraphDestroy(graph));
}

/* Both forms of the update name the node; the numbers are the driver header's, not the runtime's. */
Test(driver_graph_exec, updates)
{
	MUdeviceptr word = (d_context(), d_ints(1));
	MUSA_KERNEL_NODE_PARAMS params;
	MUgraphExecUpdateResultInfo info;
	MUgraphExecUpdateResult result;
	MUgraphNode node, other_node, named;
	MUkernelNodeAttrValue cooperative = {.cooperative = 1};
	MUgraph graph, other;
	MUgraphExec exec;
	MUstream stream = d_stream();

	OK(muGraphCreate(&graph, 0));
	OK(muGraphCreate(&other, 0));
	node = d_add(graph, NULL, 0, "add", word, 1);
	other_node = d_add(other, NULL, 0, "add", word, 10);
	OK(muGraphInstantiate(&exec, graph, 0));
	OK(muGraphExecUpdate(exec, other, &named, &result));
	EQ(result, MU_GRAPH_EXEC_UPDATE_SUCCESS);
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(word), 10);
	OK(muGraphExecUpdate(exec, graph, &info));
	EQ(info.result, MU_GRAPH_EXEC_UPDATE_SUCCESS);

	OK(muGraphKernelNodeSetAttribute(other_node, MU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE,
					 &cooperative));
	EXPECT(MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
	       muGraphExecUpdate(exec, other, &named, &result));
	EQ(result, MU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED);
	EQ(result, 8);
	cr_assert_eq(named, other_node);
	EXPECT(MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, muGraphExecUpdate_v2(exec, other, &info));
	EQ(info.result, 8);
	cr_assert_eq(info.errorNode, other_node);
	OK(muGraphAddEmptyNode(&named, graph, &node, 1));
	EXPECT(MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, muGraphExecUpdate(exec, graph, NULL, &result));
	EQ(result, MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);

	params = d_kernel("empty", NULL);
	OK(muGraphExecKernelNodeSetParams(exec, node, &params));
	params.func = NULL;
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muGraphExecKernelNodeSetParams(exec, node, &params));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecKernelNodeSetParams(exec, other_node, &params));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecUpdate_v2(NULL, graph, &info));
	OK(muGraphExecDestroy(exec));
	OK(muGraphDestroy(other));
	OK(muGraphDestroy(graph));
}

static void count_call(void *data)
{
	++*(int *)data;
}

/* Every type of node can be changed in place. */
Test(driver_graph_exec, single_nodes)
{
	MUcontext ctx = d_context();
	MUdeviceptr a = d_ints(4), b = d_ints(4);
	int one = 1, two = 2, calls = 0, others = 0, value = 30;
	void *args[] = {&b, &value};
	MUSA_KERNEL_NODE_PARAMS kernel;
	MUSA_KERNEL_NODE_PARAMS_v2 kernel2 = {0};
	MUSA_HOST_NODE_PARAMS host = {count_call, &calls};
	MUSA_MEMSET_NODE_PARAMS fill = {
		.dst = a, .value = 1, .elementSize = 4, .width = 4, .height = 1};
	MUSA_MEMCPY3D copy = {
		.srcMemoryType = MU_MEMORYTYPE_HOST,
		.srcHost = &one,
		.dstMemoryType = MU_MEMORYTYPE_DEVICE,
		.dstDevice = a + 4,
		.WidthInBytes = 4,
		.Height = 1,
		.Depth = 1,
	};
	MUgraphNode fill_node, copy_node, put, host_node, record, wait, child;
	MUgraphNodeParams params;
	unsigned int enabled;
	MUgraph graph, inner;
	MUevent event, event2;
	MUstream stream = d_stream();
	MUgraphExec exec;

	OK(muEventCreate(&event, 0));
	OK(muEventCreate(&event2, 0));
	OK(muGraphCreate(&graph, 0));
	OK(muGraphCreate(&inner, 0));
	d_add(inner, NULL, 0, "put", b + 4, 1);
	OK(muGraphAddMemsetNode(&fill_node, graph, NULL, 0, &fill, ctx));
	OK(muGraphAddMemcpyNode(&copy_node, graph, &fill_node, 1, &copy, ctx));
	put = d_add(graph, NULL, 0, "put", b, 1);
	OK(muGraphAddHostNode(&host_node, graph, &copy_node, 1, &host));
	OK(muGraphAddEventRecordNode(&record, graph, &put, 1, event));
	OK(muGraphAddEventWaitNode(&wait, graph, &record, 1, event));
	OK(muGraphAddChildGraphNode(&child, graph, &put, 1, inner));
	OK(muGraphInstantiate(&exec, graph, 0));

	fill.value = 5;
	OK(muGraphExecMemsetNodeSetParams(exec, fill_node, &fill, ctx));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT,
	       muGraphExecMemsetNodeSetParams(exec, fill_node, &fill, (MUcontext)&fill));
	copy.srcHost = &two;
	OK(muGraphExecMemcpyNodeSetParams(exec, copy_node, &copy, ctx));
	OK(muGraphExecMemcpyNodeSetParams(exec, copy_node, &copy, NULL));
	copy.dstPitch = 1;
	copy.Height = 2;
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecMemcpyNodeSetParams(exec, copy_node, &copy, ctx));
	host.userData = &others;
	OK(muGraphExecHostNodeSetParams(exec, host_node, &host));
	kernel = d_kernel("put", args);
	OK(muGraphExecKernelNodeSetParams(exec, put, &kernel));
	memcpy(&kernel2, &kernel, sizeof(kernel));
	OK(muGraphExecKernelNodeSetParams_v2(exec, put, &kernel2));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecKernelNodeSetParams(exec, put, NULL));
	OK(muGraphExecEventRecordNodeSetEvent(exec, record, event2));
	OK(muGraphExecEventWaitNodeSetEvent(exec, wait, event2));
	OK(muGraphDestroy(inner));
	OK(muGraphCreate(&inner, 0));
	d_add(inner, NULL, 0, "put", b + 4, 40);
	OK(muGraphExecChildGraphNodeSetParams(exec, child, inner));
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(a), 5);
	EQ(d_read(a + 4), 2);
	EQ(d_read(b), 30);
	EQ(d_read(b + 4), 40);
	EQ(calls, 0);
	EQ(others, 1);
	OK(muEventQuery(event2));

	memset(&params, 0, sizeof(params));
	params.type = MU_GRAPH_NODE_TYPE_KERNEL;
	value = 31;
	memcpy(&params.kernel, &kernel2, sizeof(kernel2));
	OK(muGraphExecNodeSetParams(exec, put, &params));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphExecNodeSetParams(exec, fill_node, &params));
	OK(muGraphNodeSetEnabled(exec, fill_node, 0));
	OK(muGraphNodeGetEnabled(exec, fill_node, &enabled));
	EQ(enabled, 0);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muGraphNodeSetEnabled(exec, host_node, 0));
	OK(muMemsetD32(a, 77, 4));
	OK(muGraphLaunch(exec, stream));
	OK(muStreamSynchronize(stream));
	EQ(d_read(a), 77);
	EQ(d_read(b), 31);
	OK(muGraphExecDestroy(exec));
	OK(muGraphDestroy(inner));
	OK(muGraphDestroy(graph));
}
