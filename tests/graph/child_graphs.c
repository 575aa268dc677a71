/* SPDX-License-Identifier: MIT */
/* Child graph nodes: what is embedded, who owns it, what is refused. */
#include "graph_support.h"

/* The child is cloned: later edits of the original do not show, and the handle stays the same. */
Test(child_graphs, embedded_copy)
{
	musaGraph_t graph = t_graph(), child = t_graph(), embedded, again;
	musaGraphNode_t in_child = t_empty(child, NULL, 0), node, found;
	enum musaGraphNodeType type;

	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphNodeGetType(node, &type));
	EQ(type, musaGraphNodeTypeGraph);
	t_empty(child, &in_child, 1);
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	cr_assert_neq(embedded, child);
	EQ(t_node_count(embedded), 1);
	OK(musaGraphChildGraphNodeGetGraph(node, &again));
	cr_assert_eq(again, embedded);
	/* An embedded graph is a clone of the one that was added. */
	OK(musaGraphNodeFindInClone(&found, in_child, embedded));
	OK(musaGraphDestroy(child));
	EQ(t_node_count(embedded), 1);
	/* It belongs to the node, may be edited, and dies with it. */
	EXPECT(IV, musaGraphDestroy(embedded));
	t_empty(embedded, &found, 1);
	EQ(t_node_count(embedded), 2);
	OK(musaGraphDestroyNode(node));
	EXPECT(IV, musaGraphDestroy(embedded));
	EXPECT(IV, musaGraphDestroyNode(found));
	OK(musaGraphDestroy(graph));
}

Test(child_graphs, refusals)
{
	musaGraph_t graph = t_graph(), child = t_graph(), embedded, clone;
	musaGraphNode_t empty = t_empty(graph, NULL, 0), node, other;

	EXPECT(IV, musaGraphAddChildGraphNode(&node, graph, NULL, 0, NULL));
	EXPECT(IV, musaGraphAddChildGraphNode(&node, graph, NULL, 0, graph));
	EXPECT(IV, musaGraphAddChildGraphNode(NULL, graph, NULL, 0, child));
	EXPECT(IV, musaGraphAddChildGraphNode(&node, NULL, NULL, 0, child));
	EXPECT(IV, musaGraphAddChildGraphNode(&node, graph, NULL, 1, child));
	EQ(t_node_count(graph), 1);
	EXPECT(IV, musaGraphChildGraphNodeGetGraph(empty, &embedded));
	EXPECT(IV, musaGraphChildGraphNodeGetGraph(NULL, &embedded));
	/* An empty child is fine, and one child may be in many places. */
	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphAddChildGraphNode(&other, graph, &node, 1, child));
	EXPECT(IV, musaGraphChildGraphNodeGetGraph(node, NULL));
	/* Nor may a graph come to hold itself further down. */
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	EXPECT(IV, musaGraphAddChildGraphNode(&other, embedded, NULL, 0, graph));
	EXPECT(IV, musaGraphAddChildGraphNode(&other, embedded, NULL, 0, embedded));
	/* What a node owns is not embedded again, though a clone of it may be. */
	EXPECT(NS, musaGraphAddChildGraphNode(&other, graph, NULL, 0, embedded));
	OK(musaGraphClone(&clone, embedded));
	OK(musaGraphAddChildGraphNode(&other, graph, NULL, 0, clone));
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(child));
}

/* A child node takes another graph in place of its own; execs keep what they were made of. */
Test(child_graphs, set_params)
{
	musaGraph_t graph = t_graph(), one = t_graph(), two = t_graph(), old, embedded;
	struct musaGraphNodeParams params = { .type = musaGraphNodeTypeGraph };
	musaStream_t stream = t_stream();
	musaGraphNode_t node, first, found;
	musaGraphExec_t exec;
	int *to = t_ints(2);

	t_add_put(one, NULL, 0, to, 1);
	first = t_add_put(two, NULL, 0, to, 2);
	t_add_put(two, &first, 1, to + 1, 3);
	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, one));
	OK(musaGraphChildGraphNodeGetGraph(node, &old));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	EXPECT(IV, musaGraphNodeSetParams(node, &params));
	params.graph.graph = old;
	EXPECT(IV, musaGraphNodeSetParams(first, &params));
	EXPECT(NS, musaGraphNodeSetParams(node, &params));
	params.graph.graph = graph;
	EXPECT(IV, musaGraphNodeSetParams(node, &params));
	params.graph.graph = two;
	OK(musaGraphNodeSetParams(node, &params));
	OK(musaGraphDestroy(two));
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	EQ(t_node_count(embedded), 2);
	EXPECT(IV, musaGraphNodeFindInClone(&found, first, old));
	EXPECT(IV, musaGraphGetNodes(old, NULL, &(size_t){ 0 }));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), 1);
	EQ(t_read(to + 1), 0);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), 2);
	EQ(t_read(to + 1), 3);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(one));
}

/* Edges do not cross the border of an embedded graph. */
Test(child_graphs, border)
{
	musaGraph_t graph = t_graph(), child = t_graph(), embedded;
	musaGraphNode_t node, outside = t_empty(graph, NULL, 0), inside, got;

	t_empty(child, NULL, 0);
	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	size_t one = 1;
	OK(musaGraphGetNodes(embedded, &inside, &one));
	EXPECT(IV, musaGraphAddDependencies(graph, &outside, &inside, 1));
	EXPECT(IV, musaGraphAddDependencies(embedded, &outside, &inside, 1));
	EXPECT(IV, musaGraphAddEmptyNode(&got, graph, &inside, 1));
	EXPECT(IV, musaGraphAddEmptyNode(&got, embedded, &outside, 1));
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(child));
}
