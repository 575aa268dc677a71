/* SPDX-License-Identifier: MIT */
/* Memory nodes of the runtime API, typed and for the generic calls. */
#include "graph/api_mem_node.h"
#include "graph/table.h"

_Static_assert(sizeof(struct musaMemAllocNodeParams) == sizeof(MUSA_MEM_ALLOC_NODE_PARAMS),
	       "passed on as it is");

MUresult mt_rt_append_alloc(musaGraphNode_t *node_out, musaGraph_t graph,
			    const musaGraphNode_t *deps, size_t dep_count,
			    struct musaMemAllocNodeParams *params)
{
	MUresult ret = mt_rt_init();

	return ret ? ret : mt_graph_core->mt_graph_append_alloc(node_out, graph, deps, dep_count,
								(void *)params);
}

MUresult mt_rt_append_free(musaGraphNode_t *node_out, musaGraph_t graph,
			   const musaGraphNode_t *deps, size_t dep_count, void *pointer)
{
	MUresult ret = mt_rt_init();

	return ret ? ret : mt_graph_core->mt_graph_append_free(node_out, graph, deps, dep_count,
							       (uintptr_t)pointer);
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

musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
					   struct musaMemAllocNodeParams *params_out)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_alloc_params(node, (void *)params_out);
	return mt_rt_return(ret);
}

musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void *dptr_out)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_free_params(node, dptr_out);
	return mt_rt_return(ret);
}
