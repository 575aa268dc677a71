/* SPDX-License-Identifier: MIT */
/* What each stream operation becomes in a capture, and events with the external flags. */
#include <string.h>

#include "support.h"

static int host_calls;

static void count_call(void *data)
{
	(void)data;
	__atomic_add_fetch(&host_calls, 1, __ATOMIC_SEQ_CST);
}

static musaGraphNode_t only_node(musaGraph_t graph, enum musaGraphNodeType want)
{
	enum musaGraphNodeType type;
	musaGraphNode_t node;
	size_t count = 1, total;

	OK(musaGraphGetNodes(graph, NULL, &total));
	EQ(total, 1);
	OK(musaGraphGetNodes(graph, &node, &count));
	OK(musaGraphNodeGetType(node, &type));
	EQ(type, want);
	return node;
}

/* Copies keep the kind they were given; nothing to copy is no node. */
Test(kinds, copies)
{
	musaStream_t s = t_stream();
	int *a = t_ints(64), *b = t_ints(64), host[64];
	struct musaMemcpy3DParms params;
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaMemcpyAsync(a, host, sizeof(host), musaMemcpyDefault, s));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphMemcpyNodeGetParams(only_node(graph, musaGraphNodeTypeMemcpy), &params));
	EQ(params.kind, musaMemcpyDefault);
	EQ(params.extent.width, sizeof(host));
	OK(musaGraphDestroy(graph));

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaMemcpy2DAsync(a, 32, b, 64, 16, 3, musaMemcpyDeviceToDevice, s));
	OK(musaMemcpyAsync(a, b, 0, musaMemcpyDeviceToDevice, s));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphMemcpyNodeGetParams(only_node(graph, musaGraphNodeTypeMemcpy), &params));
	EQ(params.extent.height, 3);
	EQ(params.dstPtr.pitch, 32);
	OK(musaGraphDestroy(graph));
}

/* A byte fill has its value cut to the byte, a 2D one keeps its pitch. */
Test(kinds, fills)
{
	musaStream_t s = t_stream();
	int *a = t_ints(64);
	struct musaMemsetParams params;
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaMemsetAsync(a, 0x1234, 64, s));
	OK(musaMemsetAsync(a, 1, 0, s));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphMemsetNodeGetParams(only_node(graph, musaGraphNodeTypeMemset), &params));
	EQ(params.elementSize, 1);
	EQ(params.value, 0x34);
	EQ(params.width, 64);
	EQ(params.height, 1);
	OK(musaGraphDestroy(graph));

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaMemset2DAsync(a, 32, 7, 16, 4, s));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphMemsetNodeGetParams(only_node(graph, musaGraphNodeTypeMemset), &params));
	EQ(params.pitch, 32);
	EQ(params.width, 16);
	EQ(params.height, 4);
	t_run(graph);
	EQ(t_read(a), 0x07070707);
	EQ(t_read(a + 4), 0);
}

/* Nodes have two dimensions: the slices of a 3D fill are one box where they touch, else a chain. */
Test(kinds, fills_in_three_dimensions)
{
	static const struct {
		size_t width, height, depth, rows; /* rows of a slice in memory, 32 bytes each */
		size_t nodes, node_width, node_height, node_pitch;
	} cases[] = {
		{ 16, 2, 3, 4, 3, 16, 2, 32 }, { 16, 4, 2, 4, 1, 16, 8, 32 },
		{ 32, 4, 2, 4, 1, 256, 1, 0 }, { 16, 1, 4, 2, 4, 16, 1, 32 },
		{ 16, 1, 4, 1, 1, 16, 4, 32 },
	};
	musaStream_t s = t_stream();
	struct musaMemsetParams params;
	unsigned char bytes[512];
	int *a = t_ints(128);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		musaGraphNode_t nodes[4];
		musaGraph_t graph;
		size_t count = 4, edges;

		OK(musaMemset(a, 0, sizeof(bytes)));
		OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
		OK(musaMemset3DAsync(make_musaPitchedPtr(a, 32, 32, cases[i].rows), 7,
				     make_musaExtent(cases[i].width, cases[i].height,
						     cases[i].depth), s));
		OK(musaStreamEndCapture(s, &graph));
		OK(musaGraphGetNodes(graph, nodes, &count));
		EQ(count, cases[i].nodes);
		OK(musaGraphGetEdges(graph, NULL, NULL, &edges));
		EQ(edges, count - 1);
		for (size_t n = 0; n < count; n++) {
			OK(musaGraphMemsetNodeGetParams(nodes[n], &params));
			cr_assert_eq(params.dst, (char *)a + n * cases[i].rows * 32);
			EQ(params.width, cases[i].node_width);
			EQ(params.height, cases[i].node_height);
			if (params.height > 1)
				EQ(params.pitch, cases[i].node_pitch);
		}
		t_run(graph);
		OK(musaMemcpy(bytes, a, sizeof(bytes), musaMemcpyDefault));
		for (size_t at = 0; at < sizeof(bytes); at++) {
			size_t x = at % 32, y = at / 32 % cases[i].rows, z = at / 32 / cases[i].rows;
			bool inside = x < cases[i].width && y < cases[i].height &&
				      z < cases[i].depth;

			EQ(bytes[at], inside ? 7 : 0);
		}
		OK(musaGraphDestroy(graph));
	}
}

/* Host functions run once a launch. */
Test(kinds, host_function)
{
	musaStream_t s = t_stream();
	struct musaHostNodeParams params;
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaLaunchHostFunc(s, count_call, &host_calls));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphHostNodeGetParams(only_node(graph, musaGraphNodeTypeHost), &params));
	cr_assert_eq(params.userData, &host_calls);
	t_run(graph);
	t_run(graph);
	EQ(host_calls, 2);
}

/* A captured kernel has its stream's priority. */
Test(kinds, kernel_takes_the_streams_priority)
{
	union musaLaunchAttributeValue value;
	musaStream_t s;
	musaGraph_t graph;
	int least, greatest;

	OK(musaDeviceGetStreamPriorityRange(&least, &greatest));
	OK(musaStreamCreateWithPriority(&s, musaStreamNonBlocking, greatest));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(t_launch(kernel_empty, NULL, s));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphKernelNodeGetAttribute(only_node(graph, musaGraphNodeTypeKernel),
					   musaLaunchAttributePriority, &value));
	EQ(value.priority, greatest);
}

/* Plain records make no node and have no time; external ones are nodes and do (reported case). */
Test(kinds, timing_part_of_a_graph)
{
	musaStream_t s = t_stream();
	musaEvent_t a, b;
	int ms = 20;
	void *args[] = {&ms};
	enum musaGraphNodeType type;
	musaGraphNode_t nodes[3];
	musaGraph_t graph, longer;
	musaGraphExec_t exec;
	musaGraphExecUpdateResultInfo info;
	size_t count;
	float time = -1;

	OK(musaEventCreate(&a));
	OK(musaEventCreate(&b));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaEventRecord(a, s));
	OK(t_launch(kernel_slow, args, s));
	OK(musaEventRecord(b, s));
	EXPECT(musaErrorCapturedEvent, musaEventElapsedTime(&time, a, b));
	OK(musaStreamEndCapture(s, &graph));
	only_node(graph, musaGraphNodeTypeKernel);
	t_run(graph);
	EXPECT(musaErrorInvalidValue, musaEventElapsedTime(&time, a, b));
	OK(musaGraphDestroy(graph));

	OK(musaEventDestroy(a));
	OK(musaEventDestroy(b));
	OK(musaEventCreate(&a));
	OK(musaEventCreate(&b));
	for (int round = 0; round < 2; round++) {
		ms = round ? 40 : 20;
		OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
		OK(musaEventRecordWithFlags(a, s, musaEventRecordExternal));
		OK(t_launch(kernel_slow, args, s));
		OK(musaEventRecordWithFlags(b, s, musaEventRecordExternal));
		OK(musaStreamEndCapture(s, round ? &longer : &graph));
	}
	count = 3;
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 3);
	OK(musaGraphNodeGetType(nodes[0], &type));
	EQ(type, musaGraphNodeTypeEventRecord);
	OK(musaGraphNodeGetType(nodes[2], &type));
	EQ(type, musaGraphNodeTypeEventRecord);

	EXPECT(musaErrorInvalidResourceHandle, musaEventElapsedTime(&time, a, b));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaEventQuery(a));
	OK(musaGraphLaunch(exec, s));
	OK(musaStreamSynchronize(s));
	OK(musaEventElapsedTime(&time, a, b));
	cr_assert_geq(time, 20.0f);
	OK(musaGraphExecUpdate(exec, longer, &info));
	OK(musaGraphLaunch(exec, s));
	OK(musaStreamSynchronize(s));
	OK(musaEventElapsedTime(&time, a, b));
	cr_assert_geq(time, 40.0f);
}

/* The external flags need a capturing stream, and unknown flag bits are refused. */
Test(kinds, external_flags_outside_a_capture)
{
	musaStream_t s = t_stream();
	musaEvent_t event;

	OK(musaEventCreate(&event));
	EXPECT(musaErrorIllegalState, musaEventRecordWithFlags(event, s, musaEventRecordExternal));
	EXPECT(musaErrorIllegalState, musaStreamWaitEvent(s, event, musaEventWaitExternal));
	EXPECT(musaErrorInvalidValue, musaEventRecordWithFlags(event, s, 2));
	EXPECT(musaErrorInvalidValue, musaStreamWaitEvent(s, event, 2));
}

/* An external record leaves the event's own state alone until a launch. */
Test(kinds, external_record_is_not_a_capture_of_the_event)
{
	musaStream_t s = t_stream(), other = t_stream();
	enum musaStreamCaptureStatus status;
	enum musaStreamCaptureMode mode = musaStreamCaptureModeRelaxed;
	musaEvent_t event;
	musaGraph_t graph;

	OK(musaThreadExchangeStreamCaptureMode(&mode));
	OK(musaEventCreate(&event));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaEventRecordWithFlags(event, s, musaEventRecordExternal));
	OK(musaEventQuery(event));
	OK(musaStreamWaitEvent(other, event, 0));
	OK(musaStreamIsCapturing(other, &status));
	EQ(status, musaStreamCaptureStatusNone);
	OK(musaStreamWaitEvent(s, event, musaEventWaitExternal));
	OK(musaStreamEndCapture(s, &graph));
	t_run(graph);
	OK(musaEventSynchronize(event));
}
