/* SPDX-License-Identifier: MIT */
/* Beginning and ending captures: states, refusals, threads, and use after failures. */
#include <pthread.h>

#include "support.h"

static enum musaStreamCaptureStatus status_of(musaStream_t stream)
{
	enum musaStreamCaptureStatus status;

	OK(musaStreamIsCapturing(stream, &status));
	return status;
}

static musaError_t launch_inc(int *value, musaStream_t stream)
{
	void *args[] = {&value};

	return t_launch(kernel_inc, args, stream);
}

/* A captured launch does not run, and runs once for each launch of the graph. */
Test(capture, captured_work_runs_on_launch_only)
{
	musaStream_t s = t_stream();
	int *value = t_ints(1);
	musaGraph_t graph;
	musaGraphExec_t exec;
	size_t count;

	EQ(status_of(s), musaStreamCaptureStatusNone);
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EQ(status_of(s), musaStreamCaptureStatusActive);
	OK(launch_inc(value, s));
	OK(musaStreamEndCapture(s, &graph));
	EQ(status_of(s), musaStreamCaptureStatusNone);
	EQ(t_read(value), 0);
	OK(musaGraphGetNodes(graph, NULL, &count));
	EQ(count, 1);
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, s));
	OK(musaGraphLaunch(exec, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 2);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* A capture without work gives an empty graph. */
Test(capture, empty_capture_gives_an_empty_graph)
{
	musaStream_t s = t_stream();
	musaGraph_t graph;
	size_t count = 7;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeRelaxed));
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphGetNodes(graph, NULL, &count));
	EQ(count, 0);
	t_run(graph);
}

/* Streams and modes that cannot begin. */
Test(capture, begin_refuses_what_cannot_capture)
{
	musaStream_t s = t_stream();
	musaGraph_t graph;

	EXPECT(musaErrorStreamCaptureUnsupported,
	       musaStreamBeginCapture(NULL, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported,
	       musaStreamBeginCapture(musaStreamLegacy, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorInvalidValue, musaStreamBeginCapture(s, (enum musaStreamCaptureMode)3));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorIllegalState, musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EQ(status_of(s), musaStreamCaptureStatusActive);
	OK(musaStreamEndCapture(s, &graph));
	EXPECT(musaErrorIllegalState, musaStreamEndCapture(s, &graph));
	EXPECT(musaErrorIllegalState, musaStreamEndCapture(NULL, &graph));
	OK(musaStreamBeginCapture(musaStreamPerThread, musaStreamCaptureModeGlobal));
	OK(musaStreamEndCapture(musaStreamPerThread, &graph));
	OK(musaStreamDestroy(s));
	EXPECT(musaErrorInvalidResourceHandle,
	       musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
}

/* Ending without a place for the graph changes nothing. */
Test(capture, end_without_out_parameter_leaves_it_active)
{
	musaStream_t s = t_stream();
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorInvalidValue, musaStreamEndCapture(s, NULL));
	EQ(status_of(s), musaStreamCaptureStatusActive);
	OK(musaStreamEndCapture(s, &graph));
	EXPECT(musaErrorInvalidValue, musaStreamEndCapture(s, NULL));
}

/* The graph of a capture into it is known. */
Test(capture, end_of_a_capture_to_a_graph_needs_no_out_parameter)
{
	musaStream_t s = t_stream();
	int *value = t_ints(1);
	musaGraph_t graph;
	size_t count;

	OK(musaGraphCreate(&graph, 0));
	OK(musaStreamBeginCaptureToGraph(s, graph, NULL, NULL, 0, musaStreamCaptureModeGlobal));
	OK(musaMemsetAsync(value, 0, sizeof(int), s));
	OK(musaStreamEndCapture(s, NULL));
	EQ(status_of(s), musaStreamCaptureStatusNone);
	OK(musaGraphGetNodes(graph, NULL, &count));
	EQ(count, 1);

	OK(musaStreamBeginCaptureToGraph(s, graph, NULL, NULL, 0, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(s));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, NULL));
	EQ(status_of(s), musaStreamCaptureStatusNone);
	EXPECT(musaErrorInvalidValue, musaGraphDestroy(graph));
}

struct ender {
	musaStream_t stream;
	musaGraph_t graph;
	musaError_t error;
};

static void *end_capture(void *data)
{
	struct ender *ender = data;

	ender->error = musaStreamEndCapture(ender->stream, &ender->graph);
	return NULL;
}

static struct ender end_elsewhere(musaStream_t stream)
{
	struct ender ender = {.stream = stream, .graph = (musaGraph_t)0x1};
	pthread_t thread;

	pthread_create(&thread, NULL, end_capture, &ender);
	pthread_join(thread, NULL);
	return ender;
}

/* Only a relaxed capture may be ended by another thread; else it is over without a graph. */
Test(capture, another_thread_ends_only_relaxed_captures)
{
	musaStream_t s = t_stream();
	struct ender ender;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeThreadLocal));
	ender = end_elsewhere(s);
	EXPECT(musaErrorStreamCaptureWrongThread, ender.error);
	cr_assert_null(ender.graph);
	EQ(status_of(s), musaStreamCaptureStatusNone);

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeRelaxed));
	ender = end_elsewhere(s);
	OK(ender.error);
	OK(musaGraphDestroy(ender.graph));
}

/* Invalidated wins over the wrong thread. */
Test(capture, invalidated_capture_ends_from_any_thread)
{
	musaStream_t s = t_stream();
	struct ender ender;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(s));
	ender = end_elsewhere(s);
	EXPECT(musaErrorStreamCaptureInvalidated, ender.error);
	cr_assert_null(ender.graph);
	EQ(status_of(s), musaStreamCaptureStatusNone);
}

/* A spoiled capture spoils nothing that comes after it (reported case). */
Test(capture, spoiled_capture_leaves_no_trace)
{
	musaStream_t s = t_stream();
	int *value = t_ints(1);
	musaGraph_t graph = (musaGraph_t)0x1;
	void *memory;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(launch_inc(value, s));
	EXPECT(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(s));
	EQ(status_of(s), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, launch_inc(value, s));
	EXPECT(musaErrorStreamCaptureUnsupported, musaStreamQuery(s));
	EXPECT(musaErrorIllegalState, musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported, musaMalloc(&memory, 4));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
	cr_assert_null(graph);
	EQ(status_of(s), musaStreamCaptureStatusNone);
	EXPECT(musaErrorStreamCaptureInvalidated, musaGetLastError());
	EXPECT(musaSuccess, musaGetLastError());
	OK(musaStreamSynchronize(s));
	OK(musaMalloc(&memory, 4));
	OK(musaFree(memory));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(launch_inc(value, s));
	OK(musaStreamEndCapture(s, &graph));
	t_run(graph);
	EQ(t_read(value), 1);
}

/* The origin destroyed while capturing drops the capture; other work is not refused any more. */
Test(capture, destroying_the_origin_drops_the_capture)
{
	musaStream_t s = t_stream(), side = t_stream();
	musaEvent_t event;
	void *memory;

	OK(musaEventCreate(&event));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaEventRecord(event, s));
	OK(musaStreamWaitEvent(side, event, 0));
	EQ(status_of(side), musaStreamCaptureStatusActive);
	OK(musaStreamDestroy(s));
	EQ(status_of(side), musaStreamCaptureStatusNone);
	OK(musaMalloc(&memory, 16));
}

/* Two captures of one thread do not disturb each other. */
Test(capture, two_captures_coexist)
{
	musaStream_t a = t_stream(), b = t_stream();
	int *value = t_ints(2);
	musaGraph_t ga, gb;

	OK(musaStreamBeginCapture(a, musaStreamCaptureModeGlobal));
	OK(musaStreamBeginCapture(b, musaStreamCaptureModeThreadLocal));
	OK(launch_inc(value, a));
	OK(launch_inc(value + 1, b));
	OK(launch_inc(value + 1, b));
	OK(musaStreamEndCapture(a, &ga));
	OK(musaStreamEndCapture(b, &gb));
	t_run(ga);
	EQ(t_read(value), 1);
	EQ(t_read(value + 1), 0);
	t_run(gb);
	EQ(t_read(value + 1), 2);
}

/* The one-argument form says it with its result. */
Test(capture, one_argument_form_of_is_capturing)
{
	musaStream_t s = t_stream();
	musaGraph_t graph;

	EXPECT(musaErrorInvalidValue, musaStreamIsCapturing(s));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaStreamIsCapturing(s));
	EXPECT(musaErrorStreamCaptureUnsupported, musaDeviceSynchronize());
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamIsCapturing(s));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
	EXPECT(musaErrorInvalidValue, musaStreamIsCapturing(s, NULL));
}

/* A kernel with a bad configuration spoils; a bad pointer does not. */
Test(capture, bad_configuration_spoils_bad_pointer_does_not)
{
	musaStream_t s = t_stream();
	const dim3 none = {0, 1, 1}, one = {1, 1, 1};
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorInvalidValue, musaMemcpyAsync(NULL, NULL, 4, musaMemcpyDefault, s));
	EXPECT(musaErrorInvalidMemcpyDirection,
	       musaMemcpyAsync(NULL, NULL, 4, (enum musaMemcpyKind)99, s));
	EQ(status_of(s), musaStreamCaptureStatusActive);
	EXPECT(musaErrorInvalidValue, musaLaunchKernel(kernel_empty, none, one, NULL, 0, s));
	EQ(status_of(s), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
}
