/* SPDX-License-Identifier: MIT */
/* Adding nodes by their typed calls: kernel, copies, fill, host function, events, semaphores. */
#include "graph/api_ops.h"

static musaError_t append(MUresult ret, struct mt_node_op *built, musaGraphNode_t *node_out,
			  musaGraph_t graph, const musaGraphNode_t *deps, size_t dep_count)
{
	return mt_rt_return(mt_graph_core->mt_node_op_append(ret, built, node_out, graph, deps,
							     dep_count));
}

musaError_t musaGraphAddKernelNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaKernelNodeParams *pNodeParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_kernel(&built, ctx, pNodeParams, NULL);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddMemcpyNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaMemcpy3DParms *pCopyParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_graph_ctx(graph, &ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_memcpy(&built, ctx, pCopyParams);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     void *dst, const void *src, size_t count,
				     enum musaMemcpyKind kind)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_graph_ctx(graph, &ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_1d(&built, ctx, dst, src, count, kind);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					   const musaGraphNode_t *pDependencies,
					   size_t numDependencies, const void *symbol,
					   const void *src, size_t count, size_t offset,
					   enum musaMemcpyKind kind)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_graph_ctx(graph, &ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_to_symbol(&built, ctx, symbol, src, count, offset, kind);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					     const musaGraphNode_t *pDependencies,
					     size_t numDependencies, void *dst, const void *symbol,
					     size_t count, size_t offset, enum musaMemcpyKind kind)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_graph_ctx(graph, &ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_from_symbol(&built, ctx, dst, symbol, count, offset, kind);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddMemsetNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaMemsetParams *pMemsetParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_graph_ctx(graph, &ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_memset(&built, ctx, pMemsetParams);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddHostNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				 const musaGraphNode_t *pDependencies, size_t numDependencies,
				 const struct musaHostNodeParams *pNodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_host(&built, pNodeParams);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddEventRecordNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					const musaGraphNode_t *pDependencies,
					size_t numDependencies, musaEvent_t event)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_event(&built, MT_OP_EVENT_RECORD, event);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddEventWaitNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				      const musaGraphNode_t *pDependencies, size_t numDependencies,
				      musaEvent_t event)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_event(&built, MT_OP_EVENT_WAIT, event);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddExternalSemaphoresSignalNode(
	musaGraphNode_t *pGraphNode, musaGraph_t graph, const musaGraphNode_t *pDependencies,
	size_t numDependencies, const struct musaExternalSemaphoreSignalNodeParams *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_signal(&built, nodeParams);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}

musaError_t musaGraphAddExternalSemaphoresWaitNode(
	musaGraphNode_t *pGraphNode, musaGraph_t graph, const musaGraphNode_t *pDependencies,
	size_t numDependencies, const struct musaExternalSemaphoreWaitNodeParams *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_op_wait(&built, nodeParams);
	return append(ret, &built, pGraphNode, graph, pDependencies, numDependencies);
}
