/* SPDX-License-Identifier: MIT */
/* Queries of nodes and edges: counts, array sizes, orders. */
#include "graph_support.h"

#include <string.h>

enum { N = 5 };

/* A diamond with a tail, added in an order that is not topological by edges alone. */
static musaGraph_t make(musaGraphNode_t node[N])
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t middle[2];

	node[0] = t_empty(graph, NULL, 0);
	node[1] = t_empty(graph, &node[0], 1);
	node[2] = t_empty(graph, &node[0], 1);
	middle[0] = node[2];
	middle[1] = node[1];
	node[3] = t_empty(graph, middle, 2);
	node[4] = t_empty(graph, NULL, 0);
	OK(musaGraphAddDependencies(graph, &node[3], &node[4], 1));
	return graph;
}

/* Without an array the total is told, whatever the count held. */
Test(queries, totals)
{
	musaGraphNode_t node[N];
	musaGraph_t graph = make(node);
	size_t count;

	count = 0;
	OK(musaGraphGetNodes(graph, NULL, &count));
	EQ(count, N);
	count = 99;
	OK(musaGraphGetRootNodes(graph, NULL, &count));
	EQ(count, 1);
	OK(musaGraphGetEdges(graph, NULL, NULL, &count));
	EQ(count, 5);
	OK(musaGraphNodeGetDependencies(node[3], NULL, &count));
	EQ(count, 2);
	OK(musaGraphNodeGetDependentNodes(node[0], NULL, &count));
	EQ(count, 2);
	OK(musaGraphNodeGetDependentNodes(node[4], NULL, &count));
	EQ(count, 0);
	OK(musaGraphDestroy(graph));
}

/* A short array gets the first entries and the count stays; what lies behind is not touched. */
Test(queries, short_arrays)
{
	musaGraphNode_t node[N], got[N], mark = NONSENSE(musaGraphNode_t);
	musaGraphNode_t to[N];
	musaGraph_t graph = make(node);
	size_t count = 2;

	for (int i = 0; i < N; i++)
		got[i] = to[i] = mark;
	OK(musaGraphGetNodes(graph, got, &count));
	EQ(count, 2);
	cr_assert_eq(got[0], node[0]);
	cr_assert_eq(got[1], node[1]);
	cr_assert_eq(got[2], mark);
	got[0] = got[1] = mark;
	count = 1;
	OK(musaGraphGetEdges(graph, got, to, &count));
	EQ(count, 1);
	cr_assert_eq(got[0], node[0]);
	cr_assert_eq(got[1], mark);
	cr_assert_eq(to[1], mark);
	count = 1;
	OK(musaGraphNodeGetDependencies(node[3], got, &count));
	EQ(count, 1);
	cr_assert_eq(got[0], node[2]);
	cr_assert_eq(got[1], mark);
	OK(musaGraphDestroy(graph));
}

/* A long array is padded with NULL, and the count becomes the total. */
Test(queries, long_arrays)
{
	musaGraphNode_t node[N], got[N + 3], to[N + 3];
	musaGraph_t graph = make(node);
	size_t count = N + 3;

	memset(got, 0xee, sizeof(got));
	OK(musaGraphGetNodes(graph, got, &count));
	EQ(count, N);
	for (int i = 0; i < N; i++)
		cr_assert_eq(got[i], node[i]);
	for (int i = N; i < N + 3; i++)
		cr_assert_null(got[i]);

	memset(got, 0xee, sizeof(got));
	memset(to, 0xee, sizeof(to));
	count = N + 3;
	OK(musaGraphGetEdges(graph, got, to, &count));
	EQ(count, 5);
	for (int i = 5; i < N + 3; i++)
		cr_assert(!got[i] && !to[i]);

	count = 3;
	memset(got, 0xee, sizeof(got));
	OK(musaGraphGetRootNodes(graph, got, &count));
	EQ(count, 1);
	cr_assert_eq(got[0], node[0]);
	cr_assert(!got[1] && !got[2]);
	OK(musaGraphDestroy(graph));
}

/* Dependencies come in the order given; edges are those that were made. */
Test(queries, orders)
{
	musaGraphNode_t node[N], from[5], to[5], got[2];
	static const int want[5][2] = { { 0, 1 }, { 0, 2 }, { 2, 3 }, { 1, 3 }, { 3, 4 } };
	musaGraph_t graph = make(node);
	size_t count = 2;

	OK(musaGraphNodeGetDependencies(node[3], got, &count));
	cr_assert_eq(got[0], node[2]);
	cr_assert_eq(got[1], node[1]);
	count = 5;
	OK(musaGraphGetEdges(graph, from, to, &count));
	for (int w = 0; w < 5; w++) {
		int found = 0;

		for (int i = 0; i < 5; i++)
			found += from[i] == node[want[w][0]] && to[i] == node[want[w][1]];
		EQ(found, 1);
	}
	OK(musaGraphDestroy(graph));
}

/* Bad arguments. */
Test(queries, refusals)
{
	musaGraphNode_t node[N], got[N], to[N];
	musaGraphEdgeData data[N];
	musaGraph_t graph = make(node);
	enum musaGraphNodeType type;
	size_t count = 0;

	EXPECT(IV, musaGraphGetNodes(graph, got, &count));
	EXPECT(IV, musaGraphGetRootNodes(graph, got, &count));
	EXPECT(IV, musaGraphGetEdges(graph, got, to, &count));
	EXPECT(IV, musaGraphNodeGetDependencies(node[3], got, &count));
	EXPECT(IV, musaGraphNodeGetDependentNodes(node[0], got, &count));
	EXPECT(IV, musaGraphGetNodes(graph, got, NULL));
	EXPECT(IV, musaGraphGetNodes(graph, NULL, NULL));
	EXPECT(IV, musaGraphGetRootNodes(graph, NULL, NULL));
	EXPECT(IV, musaGraphGetEdges(graph, NULL, NULL, NULL));
	EXPECT(IV, musaGraphNodeGetDependencies(node[0], NULL, NULL));
	EXPECT(IV, musaGraphNodeGetDependentNodes(node[0], NULL, NULL));
	count = N;
	EXPECT(IV, musaGraphGetNodes(NULL, got, &count));
	EXPECT(IV, musaGraphGetRootNodes(NULL, got, &count));
	EXPECT(IV, musaGraphGetEdges(NULL, got, to, &count));
	EXPECT(IV, musaGraphNodeGetDependencies(NULL, got, &count));
	EXPECT(IV, musaGraphNodeGetDependentNodes(NULL, got, &count));
	EXPECT(IV, musaGraphGetEdges(graph, got, NULL, &count));
	EXPECT(IV, musaGraphGetEdges(graph, NULL, to, &count));
	EXPECT(IV, musaGraphGetEdges_v2(graph, NULL, NULL, data, &count));
	EXPECT(IV, musaGraphNodeGetDependencies_v2(node[3], NULL, data, &count));
	EXPECT(IV, musaGraphNodeGetDependentNodes_v2(node[0], NULL, data, &count));
	EXPECT(IV, musaGraphNodeGetType(node[0], NULL));
	EXPECT(IV, musaGraphNodeGetType(NULL, &type));
	EQ(count, N);
	OK(musaGraphDestroy(graph));
}

/* The forms with edge data write default edges. */
Test(queries, edge_data_is_zero)
{
	static const musaGraphEdgeData zero;
	musaGraphNode_t node[N], from[5], to[5];
	musaGraphEdgeData data[5];
	musaGraph_t graph = make(node);
	size_t count = 5;

	memset(data, 0xee, sizeof(data));
	OK(musaGraphGetEdges_v2(graph, from, to, data, &count));
	EQ(count, 5);
	for (int i = 0; i < 5; i++)
		cr_assert(!memcmp(&data[i], &zero, sizeof(zero)));
	memset(data, 0xee, sizeof(data));
	count = 2;
	OK(musaGraphNodeGetDependencies_v2(node[3], from, data, &count));
	cr_assert(!memcmp(&data[0], &zero, sizeof(zero)) && !memcmp(&data[1], &zero, sizeof(zero)));
	count = 2;
	OK(musaGraphNodeGetDependentNodes_v2(node[0], from, data, &count));
	EQ(count, 2);
	OK(musaGraphDestroy(graph));
}

/* An empty graph answers with nothing. */
Test(queries, empty_graph)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t got[2] = { NONSENSE(musaGraphNode_t), NONSENSE(musaGraphNode_t) };
	size_t count = 2;

	OK(musaGraphGetNodes(graph, got, &count));
	EQ(count, 0);
	cr_assert(!got[0] && !got[1]);
	OK(musaGraphGetRootNodes(graph, NULL, &count));
	EQ(count, 0);
	OK(musaGraphDestroy(graph));
}
