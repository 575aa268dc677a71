/* SPDX-License-Identifier: MIT */
/* Creating and destroying graphs and nodes: what each call accepts and refuses. */
#include "graph_support.h"

#include <string.h>

/* A new graph is empty; a NULL place and any flag are refused. */
Test(graph, create)
{
	musaGraph_t graph = NULL;

	EXPECT(IV, musaGraphCreate(NULL, 0));
	EXPECT(IV, musaGraphCreate(&graph, 1));
	cr_assert_null(graph);
	OK(musaGraphCreate(&graph, 0));
	EQ(t_node_count(graph), 0);
	EQ(t_edge_count(graph), 0);
	OK(musaGraphDestroy(graph));
}

/* A destroyed graph and its nodes are refused by every call that takes them. */
Test(graph, stale_handles)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t node = t_empty(graph, NULL, 0), other;
	enum musaGraphNodeType type;
	size_t count = 1;

	OK(musaGraphDestroy(graph));
	EXPECT(IV, musaGraphDestroy(graph));
	EXPECT(IV, musaGraphAddEmptyNode(&other, graph, NULL, 0));
	EXPECT(IV, musaGraphGetNodes(graph, NULL, &count));
	EXPECT(IV, musaGraphNodeGetType(node, &type));
	EXPECT(IV, musaGraphDestroyNode(node));
	EXPECT(IV, musaGraphDestroy(NULL));
	EXPECT(IV, musaGraphDestroyNode(NULL));
	EXPECT(IV, musaGraphDestroy(NONSENSE(musaGraph_t)));
	EXPECT(IV, musaGraphDestroyNode(NONSENSE(musaGraphNode_t)));
}

/* A node handle is no graph handle, nor the other way round. */
Test(graph, kinds_are_told_apart)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t node = t_empty(graph, NULL, 0);

	EXPECT(IV, musaGraphDestroy((musaGraph_t)node));
	EXPECT(IV, musaGraphDestroyNode((musaGraphNode_t)graph));
	OK(musaGraphDestroy(graph));
}

/* The rules that all Add*Node calls share; a refused call adds nothing and leaves the handle. */
Test(graph, dependencies_of_new_nodes)
{
	musaGraph_t graph = t_graph(), foreign = t_graph();
	musaGraphNode_t a = t_empty(graph, NULL, 0), b = t_empty(graph, NULL, 0);
	musaGraphNode_t f = t_empty(foreign, NULL, 0);
	musaGraphNode_t untouched = NONSENSE(musaGraphNode_t), node = untouched;
	musaGraphNode_t with_null[] = { a, NULL }, with_foreign[] = { a, f }, twice[] = { a, b, a };

	EXPECT(IV, musaGraphAddEmptyNode(NULL, graph, NULL, 0));
	EXPECT(IV, musaGraphAddEmptyNode(&node, NULL, NULL, 0));
	EXPECT(IV, musaGraphAddEmptyNode(&node, graph, NULL, 1));
	EXPECT(IV, musaGraphAddEmptyNode(&node, graph, with_null, 2));
	EXPECT(IV, musaGraphAddEmptyNode(&node, graph, with_foreign, 2));
	EXPECT(IV, musaGraphAddEmptyNode(&node, graph, twice, 3));
	cr_assert_eq(node, untouched);
	EQ(t_node_count(graph), 2);
	EQ(t_edge_count(graph), 0);

	/* After a refusal the same nodes are as good as before. */
	OK(musaGraphAddEmptyNode(&node, graph, twice, 2));
	EQ(t_edge_count(graph), 2);
	/* No dependencies: the pointer does not matter. */
	OK(musaGraphAddEmptyNode(&node, graph, with_foreign, 0));
	EQ(t_edge_count(graph), 2);
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(foreign));
}

/* Long dependency lists are checked as short ones are. */
Test(graph, many_dependencies)
{
	enum { N = 1000 };
	static musaGraphNode_t deps[N];
	musaGraph_t graph = t_graph();
	musaGraphNode_t node, saved;
	size_t count = 0;

	for (int i = 0; i < N; i++)
		deps[i] = t_empty(graph, NULL, 0);
	saved = deps[N - 1];
	deps[N - 1] = deps[0];
	EXPECT(IV, musaGraphAddEmptyNode(&node, graph, deps, N));
	deps[N - 1] = saved;
	OK(musaGraphAddEmptyNode(&node, graph, deps, N));
	OK(musaGraphNodeGetDependencies(node, NULL, &count));
	EQ(count, N);
	OK(musaGraphDestroy(graph));
}

/* Destroying a node takes its edges along, and its handle is dead. */
Test(graph, destroy_node)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t a = t_empty(graph, NULL, 0), b = t_empty(graph, &a, 1);
	musaGraphNode_t deps[] = { a, b }, c = t_empty(graph, deps, 2), left[2];
	size_t count = 2;

	OK(musaGraphDestroyNode(b));
	EXPECT(IV, musaGraphDestroyNode(b));
	EQ(t_node_count(graph), 2);
	EQ(t_edge_count(graph), 1);
	OK(musaGraphGetNodes(graph, left, &count));
	cr_assert_eq(left[0], a);
	cr_assert_eq(left[1], c);
	EXPECT(IV, musaGraphAddEmptyNode(&b, graph, &b, 1));
	/* A new node is not the old one. */
	deps[1] = t_empty(graph, NULL, 0);
	EXPECT(IV, musaGraphDestroyNode(b));
	OK(musaGraphDestroy(graph));
}

/* A graph that a capture fills may not be taken apart, but be read and added to. */
Test(graph, captured_graph)
{
	musaStream_t stream = t_stream();
	musaGraph_t graph = t_graph(), ended;
	musaGraphNode_t node = t_empty(graph, NULL, 0), added;

	OK(musaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, musaStreamCaptureModeRelaxed));
	EXPECT(ILL, musaGraphDestroy(graph));
	EXPECT(ILL, musaGraphDestroyNode(node));
	OK(musaGraphAddEmptyNode(&added, graph, &node, 1));
	EQ(t_node_count(graph), 2);
	OK(musaStreamEndCapture(stream, &ended));
	cr_assert_eq(ended, graph);
	OK(musaGraphDestroyNode(added));
	OK(musaGraphDestroy(graph));
}

/* A device reset takes the graphs of the device along: their kernels and events are gone. */
Test(graph, device_reset)
{
	musaGraph_t graph = t_graph(), child = t_graph(), embedded, after;
	musaGraphNode_t kernel = t_add_kernel(graph, NULL, 0, kernel_empty, NULL), node;
	struct musaMemAllocNodeParams memory;
	struct musaKernelNodeParams params;
	musaEvent_t event;

	OK(musaEventCreate(&event));
	OK(musaGraphAddEventRecordNode(&node, child, NULL, 0, event));
	OK(musaGraphAddChildGraphNode(&node, graph, &kernel, 1, child));
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	memset(&memory, 0, sizeof(memory));
	memory.poolProps.allocType = musaMemAllocationTypePinned;
	memory.poolProps.location.type = musaMemLocationTypeDevice;
	memory.bytesize = 64;
	OK(musaGraphAddMemAllocNode(&node, graph, NULL, 0, &memory));
	OK(musaDeviceReset());
	EXPECT(IV, musaGraphKernelNodeGetParams(kernel, &params));
	EXPECT(IV, musaGraphDestroy(embedded));
	EXPECT(IV, musaGraphDestroy(graph));
	EXPECT(IV, musaGraphDestroy(child));
	/* The device is as good as new. */
	after = t_graph();
	t_add_kernel(after, NULL, 0, kernel_empty, NULL);
	t_run(after);
	OK(musaGraphDestroy(after));
}
