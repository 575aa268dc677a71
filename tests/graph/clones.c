/* SPDX-License-Identifier: MIT */
/* Clones: independent copies whose nodes are found through the originals'. */
#include "graph_support.h"

/* A clone has the same nodes and edges, and goes its own way afterwards. */
Test(clones, independent)
{
	musaGraph_t graph = t_graph(), clone;
	int *word = t_ints(1);
	musaGraphNode_t a = t_add_put(graph, NULL, 0, word, 7), b = t_empty(graph, &a, 1), got[2], copy;
	size_t count = 2;

	OK(musaGraphClone(&clone, graph));
	EQ(t_node_count(clone), 2);
	EQ(t_edge_count(clone), 1);
	OK(musaGraphNodeFindInClone(&copy, b, clone));
	OK(musaGraphNodeGetDependencies(copy, got, &count));
	EQ(count, 1);
	OK(musaGraphNodeFindInClone(&copy, a, clone));
	cr_assert_eq(got[0], copy);
	cr_assert_neq(copy, a);
	/* The arguments are copies, too. */
	int value = 9;
	void *args[] = { &word, &value };
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);
	OK(musaGraphKernelNodeSetParams(a, &params));
	OK(musaGraphKernelNodeGetParams(copy, &params));
	EQ(*(int *)params.kernelParams[1], 7);
	OK(musaGraphDestroyNode(b));
	EQ(t_node_count(clone), 2);
	OK(musaGraphDestroy(graph));
	t_run(clone);
	EQ(t_read(word), 7);
	OK(musaGraphDestroy(clone));
}

Test(clones, refusals)
{
	musaGraph_t graph = t_graph(), clone, second;
	musaGraphNode_t a = t_empty(graph, NULL, 0), gone = t_empty(graph, NULL, 0), late, got, copy;

	EXPECT(IV, musaGraphClone(NULL, graph));
	EXPECT(IV, musaGraphClone(&clone, NULL));
	OK(musaGraphClone(&clone, graph));
	late = t_empty(graph, NULL, 0);
	EXPECT(IV, musaGraphNodeFindInClone(NULL, a, clone));
	EXPECT(IV, musaGraphNodeFindInClone(&got, NULL, clone));
	EXPECT(IV, musaGraphNodeFindInClone(&got, a, NULL));
	EXPECT(IV, musaGraphNodeFindInClone(&got, a, graph));
	EXPECT(IV, musaGraphNodeFindInClone(&got, late, clone));
	/* Not even when the clone has got a node of its own at that place. */
	t_empty(clone, NULL, 0);
	EXPECT(IV, musaGraphNodeFindInClone(&got, late, clone));
	OK(musaGraphNodeFindInClone(&copy, gone, clone));
	OK(musaGraphDestroyNode(copy));
	EXPECT(IV, musaGraphNodeFindInClone(&got, gone, clone));
	/* A clone of a clone knows the middle node, not the first. */
	OK(musaGraphClone(&second, clone));
	EXPECT(IV, musaGraphNodeFindInClone(&got, a, second));
	OK(musaGraphNodeFindInClone(&copy, a, clone));
	OK(musaGraphNodeFindInClone(&got, copy, second));
	OK(musaGraphDestroy(second));
	OK(musaGraphDestroy(clone));
	clone = t_graph();
	EXPECT(IV, musaGraphNodeFindInClone(&got, a, clone));
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(graph));
}

/* Embedded graphs are cloned along; their nodes are not the clone's own. */
Test(clones, nested)
{
	musaGraph_t graph = t_graph(), child = t_graph(), clone, inner, inner_copy;
	musaGraphNode_t in_child = t_empty(child, NULL, 0), node, copy, got;

	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphChildGraphNodeGetGraph(node, &inner));
	OK(musaGraphNodeFindInClone(&in_child, in_child, inner));
	OK(musaGraphClone(&clone, graph));
	EXPECT(IV, musaGraphNodeFindInClone(&got, in_child, clone));
	OK(musaGraphNodeFindInClone(&copy, node, clone));
	OK(musaGraphChildGraphNodeGetGraph(copy, &inner_copy));
	cr_assert_neq(inner, inner_copy);
	OK(musaGraphNodeFindInClone(&got, in_child, inner_copy));
	OK(musaGraphDestroy(graph));
	EQ(t_node_count(inner_copy), 1);
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(child));
}
