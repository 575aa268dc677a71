/* SPDX-License-Identifier: MIT */
/* Looking into a capture, changing its dependencies, capturing into the caller's own graph. */
#include "support.h"

static void inc(int *value, musaStream_t stream)
{
	void *args[] = {&value};

	OK(t_launch(kernel_inc, args, stream));
}

/* All three forms tell the same; outside a capture only the status is written. */
Test(info, forms_agree)
{
	musaStream_t s = t_stream();
	enum musaStreamCaptureStatus status;
	unsigned long long id = 77, id2;
	musaGraph_t graph = (musaGraph_t)0x1, done;
	const musaGraphNode_t *deps = (const musaGraphNode_t *)0x1;
	const musaGraphEdgeData *data;
	int *value = t_ints(1);
	size_t count = 55, total;

	OK(musaStreamGetCaptureInfo(s, &status, &id, &graph, &deps, &count));
	EQ(status, musaStreamCaptureStatusNone);
	EQ(id, 77);
	EQ(count, 55);
	cr_assert_eq(graph, (musaGraph_t)0x1);

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaStreamGetCaptureInfo(s, &status, &id, &graph, &deps, &count));
	EQ(status, musaStreamCaptureStatusActive);
	cr_assert_neq(id, 0);
	EQ(count, 0);
	inc(value, s);
	OK(musaStreamGetCaptureInfo(s, &status, &id2));
	EQ(id2, id);
	OK(musaStreamGetCaptureInfo(s, &status, &id2, &graph, &deps, &data, &count));
	EQ(count, 1);
	EQ(data[0].type, 0);
	OK(musaGraphGetNodes(graph, NULL, &total));
	EQ(total, 1);
	OK(musaStreamGetCaptureInfo_v2(s, &status, NULL, NULL, NULL, NULL));
	EXPECT(musaErrorInvalidValue, musaStreamGetCaptureInfo_v2(s, NULL, &id, NULL, NULL, NULL));
	EXPECT(musaErrorIllegalState, musaGraphDestroy(graph));
	EXPECT(musaErrorIllegalState, musaGraphDestroyNode(deps[0]));
	OK(musaStreamEndCapture(s, &done));
	cr_assert_eq(done, graph);
	OK(musaGraphDestroy(done));
}

/* The next node depends on what the set holds. */
Test(info, update_dependencies_add_and_set)
{
	musaStream_t s = t_stream();
	enum musaStreamCaptureStatus status;
	musaGraph_t graph;
	musaGraphNode_t hand, nodes[4], deps[4];
	int *value = t_ints(1);
	size_t count;

	EXPECT(musaErrorIllegalState, musaStreamUpdateCaptureDependencies(s, NULL, 0, 0));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	inc(value, s);
	OK(musaStreamGetCaptureInfo_v2(s, &status, NULL, &graph, NULL, NULL));
	OK(musaGraphAddEmptyNode(&hand, graph, NULL, 0));
	OK(musaStreamUpdateCaptureDependencies(s, &hand, 1, musaStreamAddCaptureDependencies));
	OK(musaStreamUpdateCaptureDependencies(s, &hand, 1, musaStreamAddCaptureDependencies));
	inc(value, s);
	OK(musaStreamUpdateCaptureDependencies(s, &hand, 1, musaStreamSetCaptureDependencies));
	inc(value, s);
	EXPECT(musaErrorInvalidValue, musaStreamUpdateCaptureDependencies(s, &hand, 1, 2));
	EXPECT(musaErrorInvalidValue, musaStreamUpdateCaptureDependencies(s, NULL, 1, 0));
	deps[0] = NULL;
	EXPECT(musaErrorInvalidValue, musaStreamUpdateCaptureDependencies(s, deps, 1, 0));
	musaGraphEdgeData bad = {.reserved = {1}};
	EXPECT(musaErrorInvalidValue,
	       musaStreamUpdateCaptureDependencies_v2(s, &hand, &bad, 1, 0));
	OK(musaStreamEndCapture(s, &graph));

	count = 4;
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 4);
	count = 4;
	OK(musaGraphNodeGetDependencies(nodes[2], deps, &count));
	EQ(count, 2);
	count = 4;
	OK(musaGraphNodeGetDependencies(nodes[3], deps, &count));
	EQ(count, 1);
	cr_assert_eq(deps[0], hand);
}

/* A capture into the caller's graph appends to it and hands it back. */
Test(info, capture_to_graph_appends)
{
	musaStream_t s = t_stream();
	musaGraph_t graph, out;
	musaGraphNode_t first, alone, nodes[3], deps[2];
	int *value = t_ints(1);
	size_t count = 3;

	OK(musaGraphCreate(&graph, 0));
	first = t_add_put(graph, NULL, 0, value, 10);
	OK(musaGraphAddEmptyNode(&alone, graph, NULL, 0));
	musaGraphNode_t twice[] = {first, first};
	OK(musaStreamBeginCaptureToGraph(s, graph, twice, NULL, 2, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorIllegalState,
	       musaStreamBeginCaptureToGraph(t_stream(), graph, NULL, NULL, 0,
					     musaStreamCaptureModeGlobal));
	inc(value, s);
	OK(musaStreamEndCapture(s, &out));
	cr_assert_eq(out, graph);
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 3);
	count = 2;
	OK(musaGraphNodeGetDependencies(nodes[2], deps, &count));
	EQ(count, 1);
	cr_assert_eq(deps[0], first);
	t_run(graph);
	EQ(t_read(value), 11);
}

/* Bad arguments leave the stream out of capture. */
Test(info, capture_to_graph_checks_first)
{
	musaStream_t s = t_stream();
	enum musaStreamCaptureStatus status;
	musaGraph_t graph, other;
	musaGraphNode_t foreign;

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphCreate(&other, 0));
	OK(musaGraphAddEmptyNode(&foreign, other, NULL, 0));
	EXPECT(musaErrorInvalidValue, musaStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, 0));
	EXPECT(musaErrorInvalidValue, musaStreamBeginCaptureToGraph(s, graph, NULL, NULL, 1, 0));
	EXPECT(musaErrorInvalidValue,
	       musaStreamBeginCaptureToGraph(s, graph, &foreign, NULL, 1, 0));
	OK(musaStreamIsCapturing(s, &status));
	EQ(status, musaStreamCaptureStatusNone);
	OK(musaGraphDestroy(graph));
}

/* A failed capture takes a root graph with it; an embedded one is emptied and lives on. */
Test(info, failed_capture_and_the_callers_graph)
{
	musaStream_t s = t_stream();
	musaGraph_t graph, child, embedded, out;
	musaGraphNode_t node;
	size_t count;

	OK(musaGraphCreate(&graph, 0));
	OK(musaStreamBeginCaptureToGraph(s, graph, NULL, NULL, 0, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported, musaDeviceSynchronize());
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &out));
	EXPECT(musaErrorInvalidValue, musaGraphDestroy(graph));

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphCreate(&child, 0));
	OK(musaGraphAddEmptyNode(&node, child, NULL, 0));
	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	OK(musaStreamBeginCaptureToGraph(s, embedded, NULL, NULL, 0, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureUnsupported, musaDeviceSynchronize());
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &out));
	OK(musaGraphGetNodes(embedded, NULL, &count));
	EQ(count, 0);
	t_run(graph);
	OK(musaGraphDestroy(graph));
}
