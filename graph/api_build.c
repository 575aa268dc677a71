/* SPDX-License-Identifier: MIT */
/* Graphs, dependencies and the nodes without parameters of the runtime API. */
#include "graph/api_ops.h"

musaError_t musaGraphCreate(musaGraph_t *pGraph, unsigned int flags)
{
	MUresult ret = mt_rt_init();

	if (!ret && flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_graph_new((uint32_t)mt_rt_device(), pGraph);
	return mt_rt_return(ret);
}

musaError_t musaGraphDestroy(musaGraph_t graph)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_delete(graph);
	return mt_rt_return(ret);
}

musaError_t musaGraphDestroyNode(musaGraphNode_t node)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_delete(node);
	return mt_rt_return(ret);
}

musaError_t musaGraphAddEmptyNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				  const musaGraphNode_t *pDependencies, size_t numDependencies)
{
	static const struct mt_op empty = { .type = MT_OP_EMPTY };
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_append(pGraphNode, graph, pDependencies,
						     numDependencies, &empty);
	return mt_rt_return(ret);
}

musaError_t musaGraphAddChildGraphNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				       const musaGraphNode_t *pDependencies, size_t numDependencies,
				       musaGraph_t childGraph)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_append_child(pGraphNode, graph, pDependencies,
							   numDependencies, childGraph);
	return mt_rt_return(ret);
}

musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t *pGraph)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_child(node, pGraph);
	return mt_rt_return(ret);
}

musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t *from,
				     const musaGraphNode_t *to, size_t numDependencies)
{
	return musaGraphAddDependencies_v2(graph, from, to, NULL, numDependencies);
}

musaError_t musaGraphAddDependencies_v2(musaGraph_t graph, const musaGraphNode_t *from,
					const musaGraphNode_t *to,
					const musaGraphEdgeData *edgeData, size_t numDependencies)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_add_dependencies(graph, from, to,
							       (const MUgraphEdgeData *)edgeData,
							       numDependencies);
	return mt_rt_return(ret);
}

musaError_t musaGraphRemoveDependencies(musaGraph_t graph, const musaGraphNode_t *from,
					const musaGraphNode_t *to, size_t numDependencies)
{
	return musaGraphRemoveDependencies_v2(graph, from, to, NULL, numDependencies);
}

musaError_t musaGraphRemoveDependencies_v2(musaGraph_t graph, const musaGraphNode_t *from,
					   const musaGraphNode_t *to,
					   const musaGraphEdgeData *edgeData,
					   size_t numDependencies)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_remove_dependencies(graph, from, to,
								  (const MUgraphEdgeData *)edgeData,
								  numDependencies);
	return mt_rt_return(ret);
}
