/* SPDX-License-Identifier: MIT */
/* Streams that join a capture through events: order, unjoined work, merges, isolation. */
#include <stdlib.h>

#include "support.h"

static musaEvent_t new_event(void)
{
	musaEvent_t event;

	OK(musaEventCreateWithFlags(&event, musaEventDisableTiming));
	return event;
}

static void inc(int *value, musaStream_t stream)
{
	void *args[] = {&value};

	OK(t_launch(kernel_inc, args, stream));
}

static enum musaStreamCaptureStatus status_of(musaStream_t stream)
{
	enum musaStreamCaptureStatus status;

	OK(musaStreamIsCapturing(stream, &status));
	return status;
}

static void wait_for(musaStream_t waiter, musaStream_t other)
{
	musaEvent_t event = new_event();

	OK(musaEventRecord(event, other));
	OK(musaStreamWaitEvent(waiter, event, 0));
	OK(musaEventDestroy(event));
}

/* Work forked to a second stream is captured and joined (reported case). */
Test(fork_join, forked_work_is_captured)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	int *value = t_ints(3);
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t nodes[3], deps[3];
	size_t count;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	inc(value, s1);
	wait_for(s2, s1);
	EQ(status_of(s2), musaStreamCaptureStatusActive);
	inc(value + 1, s2);
	wait_for(s1, s2);
	inc(value + 2, s1);
	OK(musaStreamEndCapture(s1, &graph));
	EQ(status_of(s2), musaStreamCaptureStatusNone);
	for (int i = 0; i < 3; i++)
		EQ(t_read(value + i), 0);

	count = 3;
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 3);
	count = 3;
	OK(musaGraphNodeGetDependencies(nodes[1], deps, &count));
	EQ(count, 1);
	cr_assert_eq(deps[0], nodes[0]);
	count = 3;
	OK(musaGraphNodeGetDependencies(nodes[2], deps, &count));
	EQ(count, 2);

	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, s1));
	OK(musaStreamSynchronize(s1));
	for (int i = 0; i < 3; i++)
		EQ(t_read(value + i), 1);
}

/* Unjoined work gives 904 and no graph; both streams are usable again. */
Test(fork_join, unjoined_work_is_refused)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	int *value = t_ints(1);
	musaGraph_t graph = (musaGraph_t)0x1;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	inc(value, s1);
	wait_for(s2, s1);
	inc(value, s2);
	EXPECT(musaErrorStreamCaptureUnjoined, musaStreamEndCapture(s1, &graph));
	cr_assert_null(graph);
	EQ(status_of(s1), musaStreamCaptureStatusNone);
	EQ(status_of(s2), musaStreamCaptureStatusNone);
	inc(value, s1);
	inc(value, s2);
	OK(musaDeviceSynchronize());
	EQ(t_read(value), 2);
}

/* A forked stream that was destroyed still has its unjoined work. */
Test(fork_join, work_of_a_destroyed_stream_must_be_joined)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	int *value = t_ints(1);
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	inc(value, s1);
	wait_for(s2, s1);
	inc(value, s2);
	OK(musaStreamDestroy(s2));
	EXPECT(musaErrorStreamCaptureUnjoined, musaStreamEndCapture(s1, &graph));
}

/* A fork without work of its own, or whose work was dropped on purpose, is no error. */
Test(fork_join, fork_without_own_work_needs_no_join)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	int *value = t_ints(1);
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	inc(value, s1);
	wait_for(s2, s1);
	OK(musaStreamUpdateCaptureDependencies(s1, NULL, 0, musaStreamSetCaptureDependencies));
	OK(musaStreamEndCapture(s1, &graph));
	OK(musaGraphDestroy(graph));

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	wait_for(s2, s1);
	inc(value, s2);
	OK(musaStreamUpdateCaptureDependencies(s2, NULL, 0, musaStreamSetCaptureDependencies));
	OK(musaStreamEndCapture(s1, &graph));
	OK(musaGraphDestroy(graph));
}

/* Ending on a stream that joined is 903; the origin must still end it. */
Test(fork_join, end_on_a_joined_stream_is_unmatched)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	musaGraph_t graph, other = (musaGraph_t)0x1;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	wait_for(s2, s1);
	EXPECT(musaErrorStreamCaptureUnmatched, musaStreamEndCapture(s2, &other));
	EQ(status_of(s1), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s1, &graph));
	cr_assert_null(graph);
	EQ(status_of(s2), musaStreamCaptureStatusNone);
}

/* Waiting for another capture's event merges, which spoils both. */
Test(fork_join, merging_two_captures_spoils_both)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	musaEvent_t event = new_event();
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	OK(musaStreamBeginCapture(s2, musaStreamCaptureModeGlobal));
	OK(musaEventRecord(event, s1));
	EXPECT(musaErrorStreamCaptureMerge, musaStreamWaitEvent(s2, event, 0));
	EQ(status_of(s1), musaStreamCaptureStatusInvalidated);
	EQ(status_of(s2), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s1, &graph));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s2, &graph));
}

/* An event recorded outside is isolated from the capture; one never recorded is no wait. */
Test(fork_join, waiting_for_work_outside_is_isolation)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	musaEvent_t outside = new_event(), never = new_event();
	musaGraph_t graph;

	OK(musaEventRecord(outside, s2));
	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	OK(musaStreamWaitEvent(s1, never, 0));
	EQ(status_of(s1), musaStreamCaptureStatusActive);
	EXPECT(musaErrorStreamCaptureIsolation, musaStreamWaitEvent(s1, outside, 0));
	EQ(status_of(s1), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s1, &graph));
}

/* An event of a capture that has ended: IV; a capturing stream is spoilt by it. */
Test(fork_join, event_of_an_ended_capture)
{
	musaStream_t s1 = t_stream(), s2 = t_stream();
	musaEvent_t event = new_event();
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	OK(musaEventRecord(event, s1));
	OK(musaStreamEndCapture(s1, &graph));
	EXPECT(musaErrorInvalidValue, musaStreamWaitEvent(s2, event, 0));
	EXPECT(musaErrorInvalidValue, musaEventQuery(event));
	EXPECT(musaErrorInvalidValue, musaEventSynchronize(event));
	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorInvalidValue, musaStreamWaitEvent(s1, event, 0));
	EQ(status_of(s1), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s1, &graph));
	/* A wait node for it would be as meaningless. */
	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorInvalidValue, musaStreamWaitEvent(s1, event, musaEventWaitExternal));
	EQ(status_of(s1), musaStreamCaptureStatusInvalidated);
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s1, &graph));
	OK(musaEventRecord(event, s2));
	OK(musaEventSynchronize(event));
	OK(musaStreamWaitEvent(s1, event, 0));
}

/* The newest record of an event counts; a wait made before keeps the older one. */
Test(fork_join, recording_again_replaces_the_set)
{
	musaStream_t s1 = t_stream(), s2 = t_stream(), s3 = t_stream();
	musaEvent_t event = new_event();
	int *value = t_ints(1);
	musaGraphNode_t nodes[4], deps[4];
	musaGraph_t graph;
	size_t count = 4;

	OK(musaStreamBeginCapture(s1, musaStreamCaptureModeGlobal));
	inc(value, s1);
	OK(musaEventRecord(event, s1));
	OK(musaStreamWaitEvent(s2, event, 0));
	inc(value, s1);
	OK(musaEventRecord(event, s1));
	OK(musaStreamWaitEvent(s3, event, 0));
	inc(value, s2);
	inc(value, s3);
	wait_for(s1, s2);
	wait_for(s1, s3);
	OK(musaStreamEndCapture(s1, &graph));
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 4);
	count = 4;
	OK(musaGraphNodeGetDependencies(nodes[2], deps, &count));
	EQ(count, 1);
	cr_assert_eq(deps[0], nodes[0]);
	count = 4;
	OK(musaGraphNodeGetDependencies(nodes[3], deps, &count));
	EQ(count, 1);
	cr_assert_eq(deps[0], nodes[1]);
}

/* 2,000 streams, each forked from the one before, joined back in one chain. */
Test(fork_join, two_thousand_streams)
{
	enum { COUNT = 2000 };
	static musaStream_t streams[COUNT];
	int *value = t_ints(1);
	musaGraph_t graph;
	size_t count;

	for (int i = 0; i < COUNT; i++)
		streams[i] = t_stream();
	OK(musaStreamBeginCapture(streams[0], musaStreamCaptureModeGlobal));
	inc(value, streams[0]);
	for (int i = 1; i < COUNT; i++) {
		wait_for(streams[i], streams[i - 1]);
		inc(value, streams[i]);
	}
	wait_for(streams[0], streams[COUNT - 1]);
	OK(musaStreamEndCapture(streams[0], &graph));
	OK(musaGraphGetNodes(graph, NULL, &count));
	EQ(count, COUNT);
	t_run(graph);
	EQ(t_read(value), COUNT);
	OK(musaGraphDestroy(graph));
	for (int i = 0; i < COUNT; i++)
		OK(musaStreamDestroy(streams[i]));
}
