/* SPDX-License-Identifier: MIT */
/*
 * A graph belongs to one device. Which one that is, what names the node on a second one, copies with
 * an operand elsewhere, and graphs of two devices that events order.
 */
#include "support.h"

#define INVALID musaErrorInvalidValue

static int *ints_on(int device, size_t count)
{
	int *memory;

	OK(musaSetDevice(device));
	memory = t_ints(count);
	OK(musaDeviceSynchronize());
	return memory;
}

static musaStream_t stream_on(int device)
{
	OK(musaSetDevice(device));
	return t_stream();
}

static musaGraphNode_t put_on(int device, musaGraph_t graph, int *to, int value)
{
	OK(musaSetDevice(device));
	return t_add_put(graph, NULL, 0, to, value);
}

static musaGraphNode_t fill_of(musaGraph_t graph, int *to, unsigned int value)
{
	struct musaMemsetParams params = {
		.dst = to, .elementSize = 4, .width = 1, .height = 1, .value = value};
	musaGraphNode_t node;

	OK(musaGraphAddMemsetNode(&node, graph, NULL, 0, &params));
	return node;
}

static musaGraphNode_t copy_of(musaGraph_t graph, int *to, const int *from)
{
	musaGraphNode_t node;

	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, to, from, 4, musaMemcpyDefault));
	return node;
}

static void expect_two_devices(musaGraph_t graph, musaGraphNode_t second)
{
	static const unsigned long long flags[] = {0, musaGraphInstantiateFlagDeviceLaunch};

	for (int i = 0; i < 2; i++) {
		musaGraphInstantiateParams params = {.flags = flags[i]};
		musaGraphExec_t exec;

		EXPECT(INVALID, musaGraphInstantiateWithParams(&exec, graph, &params));
		EQ(params.result_out, musaGraphInstantiateMultipleDevicesNotSupported);
		cr_assert_eq(params.errNode_out, second);
		cr_assert_null(exec);
		EXPECT(INVALID, musaGraphInstantiate(&exec, graph, flags[i]));
	}
}

static void run(musaGraph_t graph, int device)
{
	musaStream_t stream = stream_on(device);
	musaGraphExec_t exec;

	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaGraphExecDestroy(exec));
	OK(musaStreamDestroy(stream));
}

/* The first node on a second device is named: kernels by the current device, fills by memory. */
Test(graphs_on_two_devices, are_refused, .timeout = 60)
{
	int *zero = ints_on(0, 4), *one = ints_on(1, 4);
	musaGraphNode_t second;
	musaGraph_t graph, child;

	for (int first = 0; first < 2; first++) {
		OK(musaGraphCreate(&graph, 0));
		put_on(first, graph, zero, 1);
		put_on(first, graph, zero, 1);
		second = put_on(!first, graph, zero, 1);
		put_on(first, graph, zero, 1);
		put_on(!first, graph, zero, 1);
		expect_two_devices(graph, second);
	}
	/* The current device says nothing about a fill. */
	OK(musaSetDevice(0));
	OK(musaGraphCreate(&graph, 0));
	fill_of(graph, zero, 1);
	second = fill_of(graph, one, 1);
	expect_two_devices(graph, second);

	OK(musaGraphCreate(&graph, 0));
	put_on(1, graph, one, 1);
	second = fill_of(graph, zero, 1);
	expect_two_devices(graph, second);

	/* In a child graph. */
	OK(musaGraphCreate(&child, 0));
	put_on(1, child, one, 1);
	OK(musaGraphCreate(&graph, 0));
	put_on(0, graph, zero, 1);
	OK(musaGraphAddChildGraphNode(&second, graph, NULL, 0, child));
	OK(musaGraphChildGraphNodeGetGraph(second, &child));
	size_t count = 1;

	OK(musaGraphGetNodes(child, &second, &count));
	expect_two_devices(graph, second);
}

Test(graphs_on_two_devices, a_memory_node_belongs_to_the_current_device, .timeout = 60)
{
	struct musaMemAllocNodeParams params = {
		.poolProps = {.allocType = musaMemAllocationTypePinned,
			      .location = {.type = musaMemLocationTypeDevice, .id = 1}},
		.bytesize = 64,
	};
	int *zero = ints_on(0, 1);
	musaGraphNode_t second;
	musaGraph_t graph;

	OK(musaSetDevice(1));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddMemAllocNode(&second, graph, NULL, 0, &params));
	second = put_on(0, graph, zero, 1);
	musaGraphInstantiateParams instantiate = {0};
	musaGraphExec_t exec;

	EXPECT(INVALID, musaGraphInstantiateWithParams(&exec, graph, &instantiate));
	EQ(instantiate.result_out, musaGraphInstantiateMultipleDevicesNotSupported);
	cr_assert_eq(instantiate.errNode_out, second);
}

/* Whichever device is current at instantiation and launch: the nodes' own counts. */
Test(graphs_on_two_devices, a_graph_runs_where_its_nodes_belong, .timeout = 60)
{
	int *one = ints_on(1, 2);
	musaStream_t zero_stream = stream_on(0);
	musaGraphExec_t exec;
	musaGraph_t graph;

	OK(musaSetDevice(0));
	OK(musaGraphCreate(&graph, 0));
	put_on(1, graph, one, 5);
	fill_of(graph, one + 1, 6);
	OK(musaSetDevice(0));
	OK(musaGraphInstantiate(&exec, graph, 0));
	/* A stream of the other device orders it all the same. */
	OK(musaGraphUpload(exec, zero_stream));
	OK(musaGraphLaunch(exec, zero_stream));
	OK(musaStreamSynchronize(zero_stream));
	OK(musaSetDevice(1));
	EQ(t_read(one), 5);
	EQ(t_read(one + 1), 6);
}

/* A copy belongs to its graph, also when an operand or both lie elsewhere. */
Test(graphs_on_two_devices, copies_reach_the_peer, .timeout = 60)
{
	static const int values[] = {11, 22};

	for (int peer_access = 0; peer_access < 2; peer_access++) {
		int *zero = ints_on(0, 4), *one = ints_on(1, 4), got;
		musaGraph_t graph;

		if (peer_access) {
			OK(musaSetDevice(0));
			OK(musaDeviceEnablePeerAccess(1, 0));
			OK(musaSetDevice(1));
			OK(musaDeviceEnablePeerAccess(0, 0));
		}
		OK(musaSetDevice(0));
		OK(musaMemcpy(zero, &values[0], 4, musaMemcpyHostToDevice));
		OK(musaMemcpy(one, &values[1], 4, musaMemcpyHostToDevice));

		/* There, back, and between places of the peer, all in a graph of device 0. */
		OK(musaGraphCreate(&graph, 0));
		put_on(0, graph, zero + 3, 1);
		copy_of(graph, one + 1, zero);
		copy_of(graph, zero + 1, one);
		copy_of(graph, one + 2, one);
		run(graph, 0);
		OK(musaGraphDestroy(graph));
		OK(musaMemcpy(&got, one + 1, 4, musaMemcpyDefault));
		EQ(got, values[0]);
		OK(musaMemcpy(&got, zero + 1, 4, musaMemcpyDefault));
		EQ(got, values[1]);
		OK(musaMemcpy(&got, one + 2, 4, musaMemcpyDefault));
		EQ(got, values[1]);

		/* Nothing but copies; built while either device is current. */
		for (int device = 0; device < 2; device++) {
			OK(musaSetDevice(device));
			OK(musaMemset(zero + 2, 0, 4));
			OK(musaMemset(one + 3, 0, 4));
			OK(musaDeviceSynchronize());
			OK(musaGraphCreate(&graph, 0));
			copy_of(graph, one + 3, zero);
			OK(musaSetDevice(!device));
			copy_of(graph, zero + 2, one);
			run(graph, device);
			OK(musaMemcpy(&got, zero + 2, 4, musaMemcpyDefault));
			EQ(got, values[1]);
			OK(musaMemcpy(&got, one + 3, 4, musaMemcpyDefault));
			EQ(got, values[0]);
			OK(musaGraphDestroy(graph));
		}
		/* A copy added while the other device is current belongs to the graph's. */
		OK(musaGraphCreate(&graph, 0));
		put_on(0, graph, zero + 3, 1);
		OK(musaSetDevice(1));
		copy_of(graph, one + 3, zero + 1);
		run(graph, 0);
		OK(musaMemcpy(&got, one + 3, 4, musaMemcpyDefault));
		EQ(got, values[1]);
	}
}

/* Updates keep a node on its device. */
Test(graphs_on_two_devices, updates_do_not_move_nodes, .timeout = 60)
{
	int *zero = ints_on(0, 2), *one = ints_on(1, 2);
	musaGraphExecUpdateResultInfo info;
	struct musaMemsetParams fill = {
		.dst = one, .elementSize = 4, .width = 1, .height = 1, .value = 1};
	musaGraphNode_t fill_node, node;
	musaGraph_t graph, other;
	musaGraphExec_t exec;

	OK(musaSetDevice(0));
	OK(musaGraphCreate(&graph, 0));
	put_on(0, graph, zero, 1);
	fill_node = fill_of(graph, zero + 1, 1);
	OK(musaGraphInstantiate(&exec, graph, 0));

	OK(musaGraphCreate(&other, 0));
	node = put_on(1, other, one, 1);
	fill_of(other, zero + 1, 1);
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, other, &info));
	EQ(info.result, musaGraphExecUpdateErrorUnsupportedFunctionChange);
	cr_assert_eq(info.errorNode, node);

	OK(musaGraphCreate(&other, 0));
	put_on(0, other, zero, 1);
	node = fill_of(other, one, 1);
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, other, &info));
	EQ(info.result, musaGraphExecUpdateErrorParametersChanged);
	cr_assert_eq(info.errorNode, node);
	EXPECT(INVALID, musaGraphExecMemsetNodeSetParams(exec, fill_node, &fill));
}

/* Graphs of both devices take turns: events between their streams, and event nodes. */
Test(graphs_on_two_devices, events_order_them, .timeout = 120)
{
	enum { TURNS = 30 };
	int *zero = ints_on(0, 1), *one = ints_on(1, 1);
	musaStream_t streams[2] = {stream_on(0), stream_on(1)};
	musaGraphExec_t execs[2];
	musaEvent_t events[2];
	int one_more = 1;

	/* Device 0: zero = one + 1. Device 1: one = zero + 1. */
	for (int device = 0; device < 2; device++) {
		int *own = device ? one : zero;
		musaGraphNode_t node;
		musaGraph_t graph;

		OK(musaSetDevice(device));
		OK(musaEventCreateWithFlags(&events[device], musaEventDisableTiming));
		OK(musaGraphCreate(&graph, 0));
		node = copy_of(graph, own, device ? zero : one);
		t_add_kernel(graph, &node, 1, kernel_add, (void *[]){&own, &one_more});
		OK(musaGraphInstantiate(&execs[device], graph, 0));
	}
	for (int i = 0; i < TURNS; i++) {
		int device = i & 1;

		OK(musaSetDevice(device));
		if (i)
			OK(musaStreamWaitEvent(streams[device], events[!device], 0));
		OK(musaGraphLaunch(execs[device], streams[device]));
		OK(musaEventRecord(events[device], streams[device]));
	}
	OK(musaStreamSynchronize(streams[1]));
	OK(musaSetDevice(1));
	EQ(t_read(one), TURNS);
}

Test(graphs_on_two_devices, event_nodes_order_them, .timeout = 120)
{
	int *zero = ints_on(0, 1), *one = ints_on(1, 1);
	musaStream_t streams[2] = {stream_on(0), stream_on(1)};
	musaGraphExec_t writer, reader;
	musaGraphNode_t node;
	musaEvent_t event;
	musaGraph_t graph;
	struct t_gate gate;

	OK(musaSetDevice(0));
	OK(musaEventCreateWithFlags(&event, musaEventDisableTiming));
	OK(musaGraphCreate(&graph, 0));
	node = put_on(0, graph, zero, 33);
	OK(musaGraphAddEventRecordNode(&node, graph, &node, 1, event));
	OK(musaGraphInstantiate(&writer, graph, 0));

	OK(musaSetDevice(1));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddEventWaitNode(&node, graph, NULL, 0, event));
	OK(musaGraphAddMemcpyNode1D(&node, graph, &node, 1, one, zero, 4, musaMemcpyDefault));
	OK(musaGraphInstantiate(&reader, graph, 0));

	OK(musaSetDevice(0));
	gate = t_hold(streams[0]);
	OK(musaGraphLaunch(writer, streams[0]));
	OK(musaSetDevice(1));
	OK(musaGraphLaunch(reader, streams[1]));
	EXPECT(musaErrorNotReady, musaStreamQuery(streams[1]));
	t_release(gate);
	OK(musaStreamSynchronize(streams[1]));
	EQ(t_read(one), 33);
}

/* A capture takes streams of one device; work of another makes the instantiation fail. */
Test(graphs_on_two_devices, captures_of_both_are_refused, .timeout = 60)
{
	int *zero = ints_on(0, 1), *one = ints_on(1, 1), value = 1;
	musaStream_t streams[2] = {stream_on(0), stream_on(1)};
	musaGraphInstantiateParams params = {0};
	musaEvent_t fork, join;
	musaGraphNode_t nodes[2];
	musaGraphExec_t exec;
	musaGraph_t graph;
	size_t count = 2;

	OK(musaSetDevice(0));
	OK(musaEventCreateWithFlags(&fork, musaEventDisableTiming));
	OK(musaStreamBeginCapture(streams[0], musaStreamCaptureModeRelaxed));
	OK(t_launch(kernel_put, (void *[]){&zero, &value}, streams[0]));
	OK(musaEventRecord(fork, streams[0]));
	OK(musaSetDevice(1));
	OK(musaEventCreateWithFlags(&join, musaEventDisableTiming));
	OK(musaStreamWaitEvent(streams[1], fork, 0));
	OK(t_launch(kernel_put, (void *[]){&one, &value}, streams[1]));
	OK(musaEventRecord(join, streams[1]));
	OK(musaSetDevice(0));
	OK(musaStreamWaitEvent(streams[0], join, 0));
	OK(musaStreamEndCapture(streams[0], &graph));
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 2);
	EXPECT(INVALID, musaGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, musaGraphInstantiateMultipleDevicesNotSupported);
	cr_assert_eq(params.errNode_out, nodes[1]);
}
