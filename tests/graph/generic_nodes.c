/* SPDX-License-Identifier: MIT */
/* Adding and setting nodes by tagged parameters. */
#include "graph_support.h"

#include <string.h>

static void do_nothing(void *data)
{
	(void)data;
}

static struct musaGraphNodeParams tagged(enum musaGraphNodeType type)
{
	struct musaGraphNodeParams params;

	memset(&params, 0, sizeof(params));
	params.type = type;
	return params;
}

static musaGraphNode_t add(musaGraph_t graph, struct musaGraphNodeParams *params)
{
	enum musaGraphNodeType type;
	musaGraphNode_t node;

	OK(musaGraphAddNode(&node, graph, NULL, 0, params));
	OK(musaGraphNodeGetType(node, &type));
	EQ(type, params->type);
	return node;
}

/* Every type has its tagged form. */
Test(generic, all_types)
{
	musaGraph_t graph = t_graph(), child = t_graph();
	int *word = t_ints(4), value = 5;
	void *args[] = { &word, &value };
	struct musaGraphNodeParams params;
	musaGraphNode_t node;
	musaEvent_t event;

	params = tagged(musaGraphNodeTypeEmpty);
	add(graph, &params);

	params = tagged(musaGraphNodeTypeKernel);
	params.kernel.func = (void *)(uintptr_t)kernel_put;
	params.kernel.gridDim.x = params.kernel.gridDim.y = params.kernel.gridDim.z = 1;
	params.kernel.blockDim = params.kernel.gridDim;
	params.kernel.kernelParams = args;
	node = add(graph, &params);
	value = 6;
	OK(musaGraphNodeSetParams(node, &params));

	params = tagged(musaGraphNodeTypeMemcpy);
	params.memcpy.copyParams.srcPtr = make_musaPitchedPtr(word, 0, 4, 1);
	params.memcpy.copyParams.dstPtr = make_musaPitchedPtr(word + 1, 0, 4, 1);
	params.memcpy.copyParams.extent = make_musaExtent(4, 1, 1);
	params.memcpy.copyParams.kind = musaMemcpyDeviceToDevice;
	musaGraphNode_t copy = add(graph, &params);
	OK(musaGraphNodeSetParams(copy, &params));
	OK(musaGraphAddDependencies(graph, &node, &copy, 1));

	params = tagged(musaGraphNodeTypeMemset);
	params.memset.dst = word + 2;
	params.memset.value = 8;
	params.memset.elementSize = 4;
	params.memset.width = params.memset.height = 1;
	node = add(graph, &params);
	OK(musaGraphNodeSetParams(node, &params));

	params = tagged(musaGraphNodeTypeHost);
	params.host.fn = do_nothing;
	node = add(graph, &params);
	OK(musaGraphNodeSetParams(node, &params));

	params = tagged(musaGraphNodeTypeGraph);
	params.graph.graph = child;
	node = add(graph, &params);

	OK(musaEventCreate(&event));
	params = tagged(musaGraphNodeTypeWaitEvent);
	params.eventWait.event = event;
	node = add(graph, &params);
	OK(musaGraphNodeSetParams(node, &params));
	params = tagged(musaGraphNodeTypeEventRecord);
	params.eventRecord.event = event;
	node = add(graph, &params);
	OK(musaGraphNodeSetParams(node, &params));

	params = tagged(musaGraphNodeTypeExtSemaphoreSignal);
	node = add(graph, &params);
	OK(musaGraphNodeSetParams(node, &params));
	params = tagged(musaGraphNodeTypeExtSemaphoreWait);
	node = add(graph, &params);
	OK(musaGraphNodeSetParams(node, &params));

	t_run(graph);
	EQ(t_read(word), 6);
	EQ(t_read(word + 1), 6);
	EQ(t_read(word + 2), 8);
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(child));
}

/* The typed calls' errors come out of the tagged ones. */
Test(generic, same_errors)
{
	musaGraph_t graph = t_graph();
	struct musaGraphNodeParams params = tagged(musaGraphNodeTypeKernel);
	musaGraphNode_t node;

	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, NULL));
	EXPECT(musaErrorInvalidDeviceFunction, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged(musaGraphNodeTypeHost);
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged(musaGraphNodeTypeMemcpy);
	params.memcpy.copyParams.kind = (enum musaMemcpyKind)9;
	EXPECT(musaErrorInvalidMemcpyDirection, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged(musaGraphNodeTypeGraph);
	params.graph.graph = graph;
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged(musaGraphNodeTypeWaitEvent);
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged(musaGraphNodeTypeEmpty);
	EXPECT(IV, musaGraphAddNode(NULL, graph, NULL, 0, &params));
	EXPECT(IV, musaGraphAddNode(&node, NULL, NULL, 0, &params));
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 2, &params));
	EQ(t_node_count(graph), 0);
	OK(musaGraphDestroy(graph));
}

/* Any byte that the chosen member does not use must be 0. */
Test(generic, unused_bytes)
{
	static const struct {
		enum musaGraphNodeType type;
		size_t used;
	} cases[] = {
		{ musaGraphNodeTypeEmpty, 0 },
		{ musaGraphNodeTypeHost, sizeof(struct musaHostNodeParamsV2) },
		{ musaGraphNodeTypeGraph, sizeof(struct musaChildGraphNodeParams) },
		{ musaGraphNodeTypeExtSemaphoreSignal,
		  sizeof(struct musaExternalSemaphoreSignalNodeParamsV2) },
	};
	musaGraph_t graph = t_graph(), child = t_graph();
	struct musaGraphNodeParams params;
	musaGraphNode_t node;

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		for (size_t at = cases[c].used; at < sizeof(params.reserved1); at++) {
			params = tagged(cases[c].type);
			if (params.type == musaGraphNodeTypeHost)
				params.host.fn = do_nothing;
			if (params.type == musaGraphNodeTypeGraph)
				params.graph.graph = child;
			((char *)params.reserved1)[at] = 1;
			EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
		}
	}
	for (int i = 0; i < 3; i++) {
		params = tagged(musaGraphNodeTypeEmpty);
		params.reserved0[i] = 1;
		EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	}
	params = tagged(musaGraphNodeTypeEmpty);
	params.reserved2 = 1;
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged((enum musaGraphNodeType)12);
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged((enum musaGraphNodeType)14);
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params = tagged((enum musaGraphNodeType)-1);
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	/* A copy's flags and reserved words are such bytes. */
	int *word = t_ints(2);
	params = tagged(musaGraphNodeTypeMemcpy);
	params.memcpy.copyParams.srcPtr = make_musaPitchedPtr(word, 0, 4, 1);
	params.memcpy.copyParams.dstPtr = make_musaPitchedPtr(word + 1, 0, 4, 1);
	params.memcpy.copyParams.extent = make_musaExtent(4, 1, 1);
	params.memcpy.copyParams.kind = musaMemcpyDeviceToDevice;
	params.memcpy.flags = 1;
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	params.memcpy.flags = 0;
	params.memcpy.reserved[2] = 1;
	EXPECT(IV, musaGraphAddNode(&node, graph, NULL, 0, &params));
	EQ(t_node_count(graph), 0);
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(child));
}

/* Setting: the tag must be the node's; what has no plain parameters is not supported. */
Test(generic, set_params)
{
	musaGraph_t graph = t_graph(), child = t_graph(), embedded;
	musaGraphNode_t empty = t_empty(graph, NULL, 0), kernel, node;
	struct musaGraphNodeParams params = tagged(musaGraphNodeTypeHost);
	size_t count;

	kernel = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	params.host.fn = do_nothing;
	EXPECT(IV, musaGraphNodeSetParams(kernel, &params));
	EXPECT(IV, musaGraphNodeSetParams(NULL, &params));
	EXPECT(IV, musaGraphNodeSetParams(kernel, NULL));
	params = tagged(musaGraphNodeTypeKernel);
	params.reserved2 = 7;
	EXPECT(IV, musaGraphNodeSetParams(kernel, &params));
	params = tagged(musaGraphNodeTypeEmpty);
	OK(musaGraphNodeSetParams(empty, &params));
	params = tagged(musaGraphNodeTypeHost);
	params.host.fn = do_nothing;
	EXPECT(IV, musaGraphNodeSetParams(empty, &params));
	params = tagged(musaGraphNodeTypeGraph);
	params.graph.graph = child;
	OK(musaGraphAddNode(&node, graph, NULL, 0, &params));
	OK(musaGraphChildGraphNodeGetGraph(node, &embedded));
	OK(musaGraphGetNodes(embedded, NULL, &count));
	EQ(count, 0);
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(child));
}
