/* SPDX-License-Identifier: MIT */
/* Clones in the runtime API. */
#include "graph/api_ops.h"

musaError_t musaGraphClone(musaGraph_t *pGraphClone, musaGraph_t originalGraph)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_copy(originalGraph, pGraphClone);
	return mt_rt_return(ret);
}

musaError_t musaGraphNodeFindInClone(musaGraphNode_t *pNode, musaGraphNode_t originalNode,
				     musaGraph_t clonedGraph)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_find_in_copy(originalNode, clonedGraph, pNode);
	return mt_rt_return(ret);
}
