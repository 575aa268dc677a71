/* SPDX-License-Identifier: MIT */
/* Conditional handles and nodes in the template: who may use what, and what a graph with them may not. */
#include "graph_support.h"

#include <string.h>

static struct musaGraphNodeParams conditional(musaGraphConditionalHandle handle,
					      enum musaGraphConditionalNodeType type,
					      unsigned int size)
{
	struct musaGraphNodeParams params;

	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle;
	params.conditional.type = type;
	params.conditional.size = size;
	return params;
}

static musaGraphConditionalHandle handle_of(musaGraph_t graph)
{
	musaGraphConditionalHandle handle = 0;

	OK(musaGraphConditionalHandleCreate(&handle, graph, 0, 0));
	cr_assert_neq(handle, 0);
	return handle;
}

/* Adds an IF node with one body, which it returns. */
static musaGraph_t add_if(musaGraph_t graph, musaGraphConditionalHandle handle,
			  musaGraphNode_t *node_out)
{
	struct musaGraphNodeParams params = conditional(handle, musaGraphCondTypeIf, 1);

	OK(musaGraphAddNode(node_out, graph, NULL, 0, &params));
	return params.conditional.phGraph_out[0];
}

Test(conditional, handles)
{
	musaGraph_t graph = t_graph();
	musaGraphConditionalHandle handle, second;

	EXPECT(IV, musaGraphConditionalHandleCreate(NULL, graph, 0, 0));
	EXPECT(IV, musaGraphConditionalHandleCreate(&handle, NULL, 0, 0));
	EXPECT(IV, musaGraphConditionalHandleCreate(&handle, graph, 0, 2));
	OK(musaGraphConditionalHandleCreate(&handle, graph, 7, 0));
	OK(musaGraphConditionalHandleCreate(&second, graph, 7, musaGraphCondAssignDefault));
	cr_assert_neq(handle, second);
	OK(musaGraphDestroy(graph));
}

Test(conditional, sizes_and_types)
{
	static const struct {
		int type;
		unsigned int size;
		bool good;
	} cases[] = {
		{ musaGraphCondTypeIf, 0, false },    { musaGraphCondTypeIf, 1, true },
		{ musaGraphCondTypeIf, 2, true },     { musaGraphCondTypeIf, 3, false },
		{ musaGraphCondTypeWhile, 0, false }, { musaGraphCondTypeWhile, 1, true },
		{ musaGraphCondTypeWhile, 2, false }, { musaGraphCondTypeSwitch, 0, false },
		{ musaGraphCondTypeSwitch, 1, true }, { musaGraphCondTypeSwitch, 9, true },
		{ 3, 1, false },		      { -1, 1, false },
	};
	musaGraph_t graph = t_graph();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct musaGraphNodeParams params = conditional(
			handle_of(graph), (enum musaGraphConditionalNodeType)cases[i].type,
			cases[i].size);
		enum musaGraphNodeType type;
		musaGraphNode_t node;
		size_t count;

		EXPECT(cases[i].good ? musaSuccess : IV,
		       musaGraphAddNode(&node, graph, NULL, 0, &params));
		if (!cases[i].good)
			continue;
		OK(musaGraphNodeGetType(node, &type));
		EQ(type, musaGraphNodeTypeConditional);
		for (unsigned int b = 0; b < cases[i].size; b++) {
			OK(musaGraphGetNodes(params.conditional.phGraph_out[b], NULL, &count));
			EQ(count, 0);
		}
	}
	OK(musaGraphDestroy(graph));
}

/* One node per handle; only handles of the graph or of one around it. */
Test(conditional, use_of_handles)
{
	musaGraph_t graph = t_graph(), other = t_graph(), body, inner;
	musaGraphConditionalHandle handle = handle_of(graph), outer = handle_of(graph);
	musaGraphConditionalHandle foreign = handle_of(other), of_body;
	struct musaGraphNodeParams params = conditional(handle, musaGraphCondTypeIf, 1);
	musaGraphNode_t node, nested, got;

	body = add_if(graph, handle, &node);
	EXPECT(IV, musaGraphAddNode(&got, graph, NULL, 0, &params));
	params.conditional.handle = 0;
	EXPECT(IV, musaGraphAddNode(&got, graph, NULL, 0, &params));
	params.conditional.handle = 12345;
	EXPECT(IV, musaGraphAddNode(&got, graph, NULL, 0, &params));
	params.conditional.handle = foreign;
	EXPECT(IV, musaGraphAddNode(&got, graph, NULL, 0, &params));
	/* Nested nodes: a handle of the root or of the body that they stand in. */
	of_body = handle_of(body);
	params.conditional.handle = of_body;
	EXPECT(IV, musaGraphAddNode(&got, graph, NULL, 0, &params));
	inner = add_if(body, outer, &nested);
	add_if(body, of_body, &nested);
	EQ(t_node_count(inner), 0);
	/* A destroyed node gives its handle back, and so do those in its bodies. */
	OK(musaGraphDestroyNode(node));
	EXPECT(IV, musaGraphDestroy(body));
	add_if(graph, handle, &node);
	add_if(graph, outer, &node);
	/* Handles die with their graph. */
	OK(musaGraphDestroy(other));
	params.conditional.handle = foreign;
	EXPECT(IV, musaGraphAddNode(&got, graph, NULL, 0, &params));
	OK(musaGraphDestroy(graph));
}

/* Bodies belong to their node: edited as graphs, but not destroyed, cloned, embedded, instantiated. */
Test(conditional, bodies)
{
	musaGraph_t graph = t_graph(), body, clone;
	musaGraphNode_t outside = t_empty(graph, NULL, 0), node, inside, got;
	musaGraphConditionalHandle handle = handle_of(graph);
	musaGraphExec_t exec;

	body = add_if(graph, handle, &node);
	inside = t_empty(body, NULL, 0);
	EXPECT(IV, musaGraphDestroy(body));
	EXPECT(NS, musaGraphClone(&clone, body));
	EXPECT(NS, musaGraphInstantiateWithFlags(&exec, body, 0));
	EXPECT(NS, musaGraphAddChildGraphNode(&got, graph, NULL, 0, body));
	EXPECT(NS, musaGraphAddChildGraphNode(&got, body, NULL, 0, graph));
	EXPECT(IV, musaGraphAddDependencies(graph, &outside, &inside, 1));
	EXPECT(IV, musaGraphAddDependencies(body, &inside, &node, 1));
	EXPECT(IV, musaGraphAddEmptyNode(&got, body, &outside, 1));
	OK(musaGraphDestroyNode(inside));
	/* Child graphs inside bodies are fine. */
	clone = t_graph();
	t_empty(clone, NULL, 0);
	OK(musaGraphAddChildGraphNode(&got, body, NULL, 0, clone));
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(graph));
	EXPECT(IV, musaGraphAddEmptyNode(&got, body, NULL, 0));
}

/* A graph with conditionals is neither cloned nor embedded, and the node has no setters. */
Test(conditional, graphs_with_conditionals)
{
	musaGraph_t graph = t_graph(), parent = t_graph(), clone;
	musaGraphConditionalHandle handle = handle_of(graph);
	struct musaGraphNodeParams params = conditional(handle, musaGraphCondTypeIf, 1);
	musaGraphNode_t node, got;

	add_if(graph, handle, &node);
	EXPECT(NS, musaGraphClone(&clone, graph));
	EXPECT(NS, musaGraphAddChildGraphNode(&got, parent, NULL, 0, graph));
	EQ(t_node_count(parent), 0);
	EXPECT(NS, musaGraphNodeSetParams(node, &params));
	OK(musaGraphDestroyNode(node));
	OK(musaGraphClone(&clone, graph));
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(parent));
	OK(musaGraphDestroy(graph));
}
