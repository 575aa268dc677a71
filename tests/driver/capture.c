/* SPDX-License-Identifier: MIT */
/* Streams become graphs through the driver's names, and captures refuse what they refuse. */
#include "driver_test.h"

TestSuite(driver_capture, .timeout = 60);

static void add_in(MUstream stream, MUdeviceptr to, int value)
{
	void *args[] = {&to, &value};

	OK(muLaunchKernel(d_function("add"), 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
}

/* Launches, fills, copies, events and host functions become nodes; info tells of them. */
Test(driver_capture, nodes)
{
	MUdeviceptr word = (d_context(), d_ints(2));
	MUstream stream = d_stream(), side = d_stream();
	MUstreamCaptureStatus status;
	const MUgraphEdgeData *data;
	const MUgraphNode *deps;
	MUgraph graph, live;
	muuint64_t id = 0, same = 0;
	MUevent fork, join;
	size_t count;

	d_module();
	OK(muEventCreate(&fork, MU_EVENT_DISABLE_TIMING));
	OK(muEventCreate(&join, MU_EVENT_DISABLE_TIMING));
	OK(muStreamIsCapturing(stream, &status));
	EQ(status, MU_STREAM_CAPTURE_STATUS_NONE);
	OK(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(muStreamIsCapturing(stream, &status));
	EQ(status, MU_STREAM_CAPTURE_STATUS_ACTIVE);
	OK(muMemsetD32Async(word, 3, 2, stream));
	OK(muEventRecord(fork, stream));
	OK(muStreamWaitEvent(side, fork, 0));
	add_in(stream, word, 4);
	add_in(side, word + 4, 5);
	OK(muEventRecord(join, side));
	OK(muStreamWaitEvent(stream, join, 0));
	OK(muStreamGetCaptureInfo(stream, &status, &id));
	OK(muStreamGetCaptureInfo(stream, &status, &same, &live, &deps, &count));
	EQ(id, same);
	EQ(count, 2);
	OK(muStreamGetCaptureInfo(stream, &status, &same, &live, &deps, &data, &count));
	EQ(data[1].type, 0);
	EXPECT(MUSA_ERROR_ILLEGAL_STATE, muGraphDestroy(live));
	OK(muStreamEndCapture(stream, &graph));
	cr_assert_eq(graph, live);
	OK(muGraphGetNodes(graph, NULL, &count));
	EQ(count, 3);
	EQ(d_read(word), 0);
	d_run(graph);
	EQ(d_read(word), 7);
	EQ(d_read(word + 4), 8);
	OK(muGraphDestroy(graph));
}

/* A capture into a graph goes on where it is told to. */
Test(driver_capture, into_a_graph)
{
	MUdeviceptr word = (d_context(), d_ints(1));
	MUstream stream = d_stream();
	MUgraphNode first, deps[2];
	MUgraph graph, same;
	size_t count = 2;

	OK(muGraphCreate(&graph, 0));
	first = d_add(graph, NULL, 0, "put", word, 10);
	OK(muStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1,
				       MU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	add_in(stream, word, 1);
	OK(muStreamUpdateCaptureDependencies(stream, &first, 1, MU_STREAM_SET_CAPTURE_DEPENDENCIES));
	OK(muStreamUpdateCaptureDependencies_v2(stream, &first, NULL, 1,
						MU_STREAM_SET_CAPTURE_DEPENDENCIES));
	add_in(stream, word, 0);
	OK(muStreamEndCapture(stream, &same));
	cr_assert_eq(same, graph);
	OK(muGraphNodeGetDependentNodes(first, deps, &count));
	EQ(count, 2);
	d_run(graph);
	EQ(d_read(word), 11);
	OK(muGraphDestroy(graph));
}

/* An unsafe call spoils the capture, unless the mode of capture or thread permits it. */
Test(driver_capture, refused_calls)
{
	MUstreamCaptureMode mode = MU_STREAM_CAPTURE_MODE_RELAXED;
	MUstream stream = (d_context(), d_stream()), other = d_stream();
	MUstreamCaptureStatus status;
	MUdeviceptr memory;
	MUgraphExec exec;
	MUgraph graph, empty;

	OK(muGraphCreate(&empty, 0));
	OK(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, muMemAlloc(&memory, 64));
	OK(muStreamIsCapturing(stream, &status));
	EQ(status, MU_STREAM_CAPTURE_STATUS_INVALIDATED);
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, muStreamEndCapture(stream, &graph));
	OK(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, muGraphInstantiate(&exec, empty, 0));
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, muStreamEndCapture(stream, &graph));
	OK(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, muStreamSynchronize(stream));
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, muStreamEndCapture(stream, &graph));

	OK(muThreadExchangeStreamCaptureMode(&mode));
	EQ(mode, MU_STREAM_CAPTURE_MODE_GLOBAL);
	OK(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(muMemAlloc(&memory, 64));
	OK(muStreamSynchronize(other));
	OK(muStreamEndCapture(stream, &graph));
	OK(muThreadExchangeStreamCaptureMode(&mode));
	EQ(mode, MU_STREAM_CAPTURE_MODE_RELAXED);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muThreadExchangeStreamCaptureMode(NULL));
	EXPECT(MUSA_ERROR_ILLEGAL_STATE, muStreamEndCapture(other, &graph));
	EXPECT(MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
	       muStreamBeginCapture(NULL, MU_STREAM_CAPTURE_MODE_RELAXED));
	OK(muMemFree(memory));
	OK(muGraphDestroy(graph));
	OK(muGraphDestroy(empty));
}
