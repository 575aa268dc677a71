/* SPDX-License-Identifier: MIT */
/* Queries of nodes and edges in the runtime API. Only default edges exist, so that no query loses
 * anything and the forms with edge data write zeroes. */
#include "graph/api_ops.h"

musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType *pType)
{
	MUresult ret = mt_rt_init();
	uint32_t type;

	if (!ret)
		ret = mt_graph_core->mt_node_type(node, pType ? &type : NULL);
	if (!ret)
		*pType = (enum musaGraphNodeType)type;
	return mt_rt_return(ret);
}

musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t *nodes, size_t *numNodes)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_list_nodes(graph, nodes, numNodes);
	return mt_rt_return(ret);
}

musaError_t musaGraphGetRootNodes(musaGraph_t graph, musaGraphNode_t *pRootNodes,
				  size_t *pNumRootNodes)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_list_roots(graph, pRootNodes, pNumRootNodes);
	return mt_rt_return(ret);
}

musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t *from, musaGraphNode_t *to,
			      size_t *numEdges)
{
	return musaGraphGetEdges_v2(graph, from, to, NULL, numEdges);
}

musaError_t musaGraphGetEdges_v2(musaGraph_t graph, musaGraphNode_t *from, musaGraphNode_t *to,
				 musaGraphEdgeData *edgeData, size_t *numEdges)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_list_edges(graph, from, to,
							 (MUgraphEdgeData *)edgeData, numEdges);
	return mt_rt_return(ret);
}

musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node, musaGraphNode_t *pDependencies,
					 size_t *pNumDependencies)
{
	return musaGraphNodeGetDependencies_v2(node, pDependencies, NULL, pNumDependencies);
}

musaError_t musaGraphNodeGetDependencies_v2(musaGraphNode_t node, musaGraphNode_t *pDependencies,
					    musaGraphEdgeData *edgeData, size_t *pNumDependencies)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_list_deps(node, pDependencies,
						       (MUgraphEdgeData *)edgeData,
						       pNumDependencies);
	return mt_rt_return(ret);
}

musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node, musaGraphNode_t *pDependentNodes,
					   size_t *pNumDependentNodes)
{
	return musaGraphNodeGetDependentNodes_v2(node, pDependentNodes, NULL, pNumDependentNodes);
}

musaError_t musaGraphNodeGetDependentNodes_v2(musaGraphNode_t node,
					      musaGraphNode_t *pDependentNodes,
					      musaGraphEdgeData *edgeData,
					      size_t *pNumDependentNodes)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_list_dependents(node, pDependentNodes,
							     (MUgraphEdgeData *)edgeData,
							     pNumDependentNodes);
	return mt_rt_return(ret);
}
