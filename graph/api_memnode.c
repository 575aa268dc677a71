/* SPDX-License-Identifier: MIT */
/* Memory nodes of the runtime API. */
#include "graph/api_mem_node.h"

MUresult mt_rt_append_alloc(musaGraphNode_t *node_out, musaGraph_t graph,
			    const musaGraphNode_t *deps, size_t dep_count,
			    struct musaMemAllocNodeParams *params)
{
	(void)node_out;
	(void)graph;
	(void)deps;
	(void)dep_count;
	(void)params;
	return MUSA_ERROR_NOT_SUPPORTED;
}

MUresult mt_rt_append_free(musaGraphNode_t *node_out, musaGraph_t graph,
			   const musaGraphNode_t *deps, size_t dep_count, void *pointer)
{
	(void)node_out;
	(void)graph;
	(void)deps;
	(void)dep_count;
	(void)pointer;
	return MUSA_ERROR_NOT_SUPPORTED;
}

musaError_t musaGraphAddMemAllocNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     struct musaMemAllocNodeParams *nodeParams)
{
	return mt_rt_return(mt_rt_append_alloc(pGraphNode, graph, pDependencies, numDependencies,
					       nodeParams));
}

musaError_t musaGraphAddMemFreeNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				    const musaGraphNode_t *pDependencies, size_t numDependencies,
				    void *dptr)
{
	return mt_rt_return(mt_rt_append_free(pGraphNode, graph, pDependencies, numDependencies,
					      dptr));
}
