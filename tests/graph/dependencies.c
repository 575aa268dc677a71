/* SPDX-License-Identifier: MIT */
/* Adding and removing dependencies, with and without edge data. */
#include "graph_support.h"

#include <string.h>

/* What AddDependencies refuses; pairs that are no good in themselves leave the graph as it was. */
Test(dependencies, add_refusals)
{
	musaGraph_t graph = t_graph(), foreign = t_graph();
	musaGraphNode_t a = t_empty(graph, NULL, 0), b = t_empty(graph, NULL, 0);
	musaGraphNode_t f = t_empty(foreign, NULL, 0), none = NULL;
	musaGraphNode_t from[] = { a, a }, to[] = { b, NULL };

	OK(musaGraphAddDependencies(graph, NULL, NULL, 0));
	EXPECT(IV, musaGraphAddDependencies(NULL, &a, &b, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, NULL, &b, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &a, NULL, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &none, &b, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &a, &a, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &f, &b, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &a, &f, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, from, to, 2));
	EQ(t_edge_count(graph), 0);
	OK(musaGraphAddDependencies(graph, &a, &b, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &a, &b, 1));
	EQ(t_edge_count(graph), 1);
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(foreign));
}

/* The same edge twice in one call is refused. */
Test(dependencies, twice_in_one_call)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t a = t_empty(graph, NULL, 0), b = t_empty(graph, NULL, 0);
	musaGraphNode_t from[] = { a, a }, to[] = { b, b };

	EXPECT(IV, musaGraphAddDependencies(graph, from, to, 2));
	cr_assert(t_edge_count(graph) <= 1);
	OK(musaGraphDestroy(graph));
}

/* Cycles are nobody's business before instantiation, and can be repaired. */
Test(dependencies, cycles_are_accepted_and_repaired)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t a = t_empty(graph, NULL, 0), b = t_empty(graph, &a, 1);
	musaGraphInstantiateParams params = { 0 };
	musaGraphExec_t exec = NULL;

	OK(musaGraphAddDependencies(graph, &b, &a, 1));
	EXPECT(IV, musaGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, musaGraphInstantiateInvalidStructure);
	cr_assert_null(exec);
	OK(musaGraphRemoveDependencies(graph, &b, &a, 1));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* Removing needs an edge that is there; nodes keep the order of what remains. */
Test(dependencies, remove)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t a = t_empty(graph, NULL, 0), b = t_empty(graph, NULL, 0);
	musaGraphNode_t c = t_empty(graph, NULL, 0), deps[] = { c, a, b };
	musaGraphNode_t d = t_empty(graph, deps, 3), left[3], none = NULL;
	size_t count = 3;

	OK(musaGraphRemoveDependencies(graph, NULL, NULL, 0));
	EXPECT(IV, musaGraphRemoveDependencies(graph, NULL, &d, 1));
	EXPECT(IV, musaGraphRemoveDependencies(graph, &none, &d, 1));
	EXPECT(IV, musaGraphRemoveDependencies(graph, &a, &b, 1));
	EXPECT(IV, musaGraphRemoveDependencies(graph, &d, &a, 1));
	OK(musaGraphRemoveDependencies(graph, &a, &d, 1));
	EXPECT(IV, musaGraphRemoveDependencies(graph, &a, &d, 1));
	OK(musaGraphNodeGetDependencies(d, left, &count));
	EQ(count, 2);
	cr_assert_eq(left[0], c);
	cr_assert_eq(left[1], b);
	cr_assert_null(left[2]);
	/* And back again: at the end of the list. */
	OK(musaGraphAddDependencies(graph, &a, &d, 1));
	count = 3;
	OK(musaGraphNodeGetDependencies(d, left, &count));
	cr_assert_eq(left[2], a);
	OK(musaGraphDestroy(graph));
}

/* Edges between nodes of high degree: found, refused twice, removed, whatever the order. */
Test(dependencies, all_to_all)
{
	enum { N = 100 };
	musaGraphNode_t from[N], to[N];
	musaGraph_t graph = t_graph();

	for (int i = 0; i < N; i++) {
		from[i] = t_empty(graph, NULL, 0);
		to[i] = t_empty(graph, NULL, 0);
	}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			OK(musaGraphAddDependencies(graph, &from[i], &to[j], 1));
	EQ(t_edge_count(graph), N * N);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			EXPECT(IV, musaGraphAddDependencies(graph, &from[i], &to[j], 1));
	for (int i = 0; i < N; i++)
		for (int j = i % 2; j < N; j += 2)
			OK(musaGraphRemoveDependencies(graph, &from[i], &to[j], 1));
	EQ(t_edge_count(graph), N * N / 2);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			EXPECT((j - i) % 2 ? IV : musaSuccess,
			       musaGraphAddDependencies(graph, &from[i], &to[j], 1));
	OK(musaGraphDestroyNode(from[0]));
	EQ(t_edge_count(graph), (N - 1) * N);
	OK(musaGraphDestroy(graph));
}

static void expect_data(musaError_t want, musaGraphNode_t from, musaGraphNode_t to,
			musaGraphEdgeData data, musaGraph_t graph)
{
	struct musaGraphNodeParams params;
	musaGraphNode_t node;

	EXPECT(want, musaGraphAddDependencies_v2(graph, &from, &to, &data, 1));
	EQ(t_edge_count(graph), 0);
	if (want == NS)
		return;
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeEmpty;
	EXPECT(want, musaGraphAddNode_v2(&node, graph, &from, &data, 1, &params));
}

/* Edge data: malformed is invalid, well formed and not the default is not supported. */
Test(dependencies, edge_data)
{
	static const musaGraphEdgeData zero;
	const musaGraphEdgeData programmatic = { .from_port = 1, .type = 1 };
	const musaGraphEdgeData completion = { .from_port = 2, .type = 1 };
	const musaGraphEdgeData bad[] = {
		{ .type = 1 },			      /* programmatic at port 0 */
		{ .from_port = 1 },		      /* a port without the type */
		{ .from_port = 3, .type = 1 },	      /* no such port */
		{ .from_port = 1, .to_port = 1, .type = 1 },
		{ .from_port = 1, .type = 2 },	      /* no such type */
		{ .from_port = 1, .type = 1, .reserved = { 0, 0, 0, 0, 1 } },
		{ .reserved = { 1 } },
	};
	musaGraph_t graph = t_graph();
	musaGraphNode_t a = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	musaGraphNode_t b = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	musaGraphNode_t e = t_empty(graph, NULL, 0), from[] = { a, a }, to[] = { b, b };
	musaGraphEdgeData mixed[2] = { programmatic, bad[0] };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_data(IV, a, b, bad[i], graph);
	expect_data(NS, a, b, programmatic, graph);
	expect_data(NS, a, b, completion, graph);
	/* Only kernels can be at its ends. */
	expect_data(IV, a, e, programmatic, graph);
	expect_data(IV, e, b, programmatic, graph);
	/* Malformed counts first, wherever it stands. */
	EXPECT(IV, musaGraphAddDependencies_v2(graph, from, to, mixed, 2));
	EXPECT(NS, musaGraphRemoveDependencies_v2(graph, &a, &b, &programmatic, 1));

	OK(musaGraphAddDependencies_v2(graph, &a, &b, &zero, 1));
	EXPECT(IV, musaGraphRemoveDependencies_v2(graph, &a, &b, &bad[0], 1));
	EXPECT(NS, musaGraphRemoveDependencies_v2(graph, &a, &b, &programmatic, 1));
	EQ(t_edge_count(graph), 1);
	OK(musaGraphRemoveDependencies_v2(graph, &a, &b, &zero, 1));
	OK(musaGraphAddDependencies_v2(graph, &a, &b, NULL, 1));
	OK(musaGraphDestroy(graph));
}
