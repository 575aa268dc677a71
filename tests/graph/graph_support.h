/* SPDX-License-Identifier: MIT */
/* Small graphs and counts for the tests of graph templates. */
#ifndef TEST_GRAPH_SUPPORT_H
#define TEST_GRAPH_SUPPORT_H

#include "support.h"

#define IV  musaErrorInvalidValue
#define NS  musaErrorNotSupported
#define ILL musaErrorIllegalState

/* A handle that was never given out. */
#define NONSENSE(type) ((type)(uintptr_t)0x1234567890ULL)

static inline musaGraph_t t_graph(void)
{
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	return graph;
}

static inline musaGraphNode_t t_empty(musaGraph_t graph, const musaGraphNode_t *deps, size_t count)
{
	musaGraphNode_t node;

	OK(musaGraphAddEmptyNode(&node, graph, deps, count));
	return node;
}

static inline size_t t_node_count(musaGraph_t graph)
{
	size_t count = 77;

	OK(musaGraphGetNodes(graph, NULL, &count));
	return count;
}

static inline size_t t_edge_count(musaGraph_t graph)
{
	size_t count = 77;

	OK(musaGraphGetEdges(graph, NULL, NULL, &count));
	return count;
}

#endif
