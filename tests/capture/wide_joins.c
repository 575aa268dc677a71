/* SPDX-License-Identifier: MIT */
/* Joins of thousands of streams: each one costs the same, and nothing is added twice. */
#include <stdlib.h>
#include <time.h>

#include "support.h"

#define SMALL 2000
#define LARGE 16384

static double thread_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static size_t set_size(musaStream_t stream)
{
	enum musaStreamCaptureStatus status;
	size_t count;

	OK(musaStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, NULL, &count));
	EQ(status, musaStreamCaptureStatusActive);
	return count;
}

/* The last node depends on `count` nodes, in the order in which they were joined. */
static void check_join(musaStream_t origin, const musaGraphNode_t *want, size_t count)
{
	musaGraphNode_t last, *deps = calloc(count, sizeof(*deps)), *nodes;
	size_t n = count, total = 0;
	musaGraph_t graph;

	OK(t_launch(kernel_empty, NULL, origin));
	OK(musaStreamEndCapture(origin, &graph));
	OK(musaGraphGetNodes(graph, NULL, &total));
	nodes = calloc(total, sizeof(*nodes));
	OK(musaGraphGetNodes(graph, nodes, &total));
	last = nodes[total - 1];
	OK(musaGraphNodeGetDependencies(last, NULL, &n));
	EQ(n, count);
	OK(musaGraphNodeGetDependencies(last, deps, &n));
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(deps[i], want ? want[i] : nodes[i]);
	OK(musaGraphDestroy(graph));
	free(nodes);
	free(deps);
}

/* Seconds for joining `count` streams, each with a node of its own. */
static double join_streams(size_t count)
{
	musaStream_t origin = t_stream(), *streams = calloc(count, sizeof(*streams));
	musaEvent_t start, *ends = calloc(count, sizeof(*ends));
	double seconds;

	OK(musaEventCreateWithFlags(&start, musaEventDisableTiming));
	for (size_t i = 0; i < count; i++) {
		streams[i] = t_stream();
		OK(musaEventCreateWithFlags(&ends[i], musaEventDisableTiming));
	}
	OK(musaStreamBeginCapture(origin, musaStreamCaptureModeRelaxed));
	OK(musaEventRecord(start, origin));
	for (size_t i = 0; i < count; i++) {
		OK(musaStreamWaitEvent(streams[i], start, 0));
		OK(t_launch(kernel_empty, NULL, streams[i]));
		OK(musaEventRecord(ends[i], streams[i]));
	}
	seconds = thread_seconds();
	for (size_t i = 0; i < count; i++)
		OK(musaStreamWaitEvent(origin, ends[i], 0));
	seconds = thread_seconds() - seconds;
	for (size_t i = 0; i < count; i += 7) /* once more changes nothing */
		OK(musaStreamWaitEvent(origin, ends[i], 0));
	EQ(set_size(origin), count);
	check_join(origin, NULL, count);
	for (size_t i = 0; i < count; i++) {
		OK(musaStreamDestroy(streams[i]));
		OK(musaEventDestroy(ends[i]));
	}
	OK(musaEventDestroy(start));
	OK(musaStreamDestroy(origin));
	free(streams);
	free(ends);
	return seconds;
}

/* Seconds for adding `count` nodes to a stream's set one by one. */
static double add_nodes(size_t count)
{
	musaStream_t origin = t_stream();
	musaGraphNode_t *nodes = calloc(count, sizeof(*nodes));
	enum musaStreamCaptureStatus status;
	musaGraph_t graph;
	double seconds;

	OK(musaStreamBeginCapture(origin, musaStreamCaptureModeRelaxed));
	OK(musaStreamGetCaptureInfo_v2(origin, &status, NULL, &graph, NULL, NULL));
	for (size_t i = 0; i < count; i++)
		OK(musaGraphAddEmptyNode(&nodes[i], graph, NULL, 0));
	seconds = thread_seconds();
	for (size_t i = 0; i < count; i++)
		OK(musaStreamUpdateCaptureDependencies(origin, &nodes[i], 1,
						       musaStreamAddCaptureDependencies));
	seconds = thread_seconds() - seconds;
	OK(musaStreamUpdateCaptureDependencies(origin, nodes, count,
					       musaStreamAddCaptureDependencies));
	EQ(set_size(origin), count);
	/* Replaced by few, by all in one call, by all backwards one by one. */
	OK(musaStreamUpdateCaptureDependencies(origin, nodes + 3, 20,
					       musaStreamSetCaptureDependencies));
	OK(musaStreamUpdateCaptureDependencies(origin, nodes, 10, musaStreamAddCaptureDependencies));
	EQ(set_size(origin), 23);
	OK(musaStreamUpdateCaptureDependencies(origin, nodes, count,
					       musaStreamSetCaptureDependencies));
	EQ(set_size(origin), count);
	OK(musaStreamUpdateCaptureDependencies(origin, NULL, 0, musaStreamSetCaptureDependencies));
	EQ(set_size(origin), 0);
	for (size_t i = 0; i < count / 2; i++) {
		musaGraphNode_t swap = nodes[i];

		nodes[i] = nodes[count - 1 - i];
		nodes[count - 1 - i] = swap;
	}
	for (size_t i = 0; i < count; i++)
		OK(musaStreamUpdateCaptureDependencies(origin, &nodes[i], 1,
						       musaStreamAddCaptureDependencies));
	check_join(origin, nodes, count);
	OK(musaStreamDestroy(origin));
	free(nodes);
	return seconds;
}

/* Eight times as many may cost 24 times as much, not 64. The least of some tries, more where others
 * use the processor. */
static void expect_linear(double (*work)(size_t count))
{
	double small = 1e9, large = 1e9, seconds;

	for (int try = 0; try < 3 || (try < 12 && large >= small * (LARGE / SMALL) * 3); try++) {
		seconds = work(SMALL);
		small = seconds < small ? seconds : small;
		seconds = work(LARGE);
		large = seconds < large ? seconds : large;
	}
	cr_assert_lt(large, small * (LARGE / SMALL) * 3, "%g s, then %g s", small, large);
}

Test(wide_joins, of_streams, .timeout = 300)
{
	expect_linear(join_streams);
}

Test(wide_joins, of_nodes, .timeout = 300)
{
	expect_linear(add_nodes);
}
