/* SPDX-License-Identifier: MIT */
/* Parameters and switches of single nodes of executable graphs in the runtime API. */
#include "graph/api_ops.h"

/* What a typed call knows of the node before it builds the new parameters. */
struct target {
	struct mt_ctx *ctx;
	const struct mt_kernel_attrs *attrs;
};

/* The node is in the exec and has this type; params must not be NULL. */
static MUresult find(musaGraphExec_t exec, musaGraphNode_t node, enum mt_op_type type,
		     const void *params, struct target *target)
{
	uint32_t found;
	MUresult ret = mt_rt_init();

	if (!ret && !params)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_exec_node_info(exec, node, &found, &target->ctx,
						       &target->attrs);
	if (!ret && found != type)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret;
}

static musaError_t set(MUresult ret, struct mt_node_op *built, musaGraphExec_t exec,
		       musaGraphNode_t node)
{
	return mt_rt_return(mt_graph_core->mt_node_op_exec_set(ret, built, exec, node));
}

musaError_t musaGraphExecKernelNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaKernelNodeParams *pNodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, node, MT_OP_KERNEL, pNodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_kernel(&built, target.ctx, pNodeParams, target.attrs);
	return set(ret, &built, hGraphExec, node);
}

musaError_t musaGraphExecMemcpyNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaMemcpy3DParms *pNodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = mt_rt_op_memcpy_faults(pNodeParams);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = find(hGraphExec, node, MT_OP_COPY, pNodeParams, &target);
	if (!ret)
		ret = mt_rt_op_memcpy(&built, target.ctx, pNodeParams);
	return set(ret, &built, hGraphExec, node);
}

/* The one-dimensional forms have no parameter structure that could be missing. */
#define PRESENT ""

musaError_t musaGraphExecMemcpyNodeSetParams1D(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					       void *dst, const void *src, size_t count,
					       enum musaMemcpyKind kind)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, node, MT_OP_COPY, PRESENT, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_1d(&built, target.ctx, dst, src, count, kind);
	return set(ret, &built, hGraphExec, node);
}

musaError_t musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec,
						     musaGraphNode_t node, const void *symbol,
						     const void *src, size_t count, size_t offset,
						     enum musaMemcpyKind kind)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, node, MT_OP_COPY, PRESENT, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_to_symbol(&built, target.ctx, symbol, src, count, offset,
						kind);
	return set(ret, &built, hGraphExec, node);
}

musaError_t musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec,
						       musaGraphNode_t node, void *dst,
						       const void *symbol, size_t count,
						       size_t offset, enum musaMemcpyKind kind)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, node, MT_OP_COPY, PRESENT, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_from_symbol(&built, target.ctx, dst, symbol, count, offset,
						  kind);
	return set(ret, &built, hGraphExec, node);
}

musaError_t musaGraphExecMemsetNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaMemsetParams *pNodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, node, MT_OP_FILL, pNodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memset(&built, target.ctx, pNodeParams);
	return set(ret, &built, hGraphExec, node);
}

musaError_t musaGraphExecHostNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					   const struct musaHostNodeParams *pNodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, node, MT_OP_HOST, pNodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_host(&built, pNodeParams);
	return set(ret, &built, hGraphExec, node);
}

static musaError_t set_event(musaGraphExec_t exec, musaGraphNode_t node, enum mt_op_type type,
			     musaEvent_t event)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(exec, node, type, event, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_event(&built, type, event);
	return set(ret, &built, exec, node);
}

musaError_t musaGraphExecEventRecordNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
						 musaEvent_t event)
{
	return set_event(hGraphExec, hNode, MT_OP_EVENT_RECORD, event);
}

musaError_t musaGraphExecEventWaitNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
					       musaEvent_t event)
{
	return set_event(hGraphExec, hNode, MT_OP_EVENT_WAIT, event);
}

musaError_t musaGraphExecExternalSemaphoresSignalNodeSetParams(
	musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
	const struct musaExternalSemaphoreSignalNodeParams *nodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, hNode, MT_OP_SEM_SIGNAL, nodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_signal(&built, nodeParams);
	return set(ret, &built, hGraphExec, hNode);
}

musaError_t musaGraphExecExternalSemaphoresWaitNodeSetParams(
	musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
	const struct musaExternalSemaphoreWaitNodeParams *nodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, hNode, MT_OP_SEM_WAIT, nodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_wait(&built, nodeParams);
	return set(ret, &built, hGraphExec, hNode);
}

musaError_t musaGraphExecChildGraphNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
						 musaGraph_t childGraph)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_set_child(hGraphExec, node, childGraph);
	return mt_rt_return(ret);
}

musaError_t musaGraphExecNodeSetParams(musaGraphExec_t graphExec, musaGraphNode_t node,
				       struct musaGraphNodeParams *nodeParams)
{
	const struct mt_kernel_attrs *attrs;
	struct mt_node_op built;
	struct mt_ctx *ctx;
	uint32_t type;
	MUresult ret = mt_rt_init();

	mt_node_op_init_set(&built);
	if (!ret && (!nodeParams || !mt_rt_params_are_clean(nodeParams)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_exec_node_info(graphExec, node, &type, &ctx, &attrs);
	if (!ret && type != (uint32_t)nodeParams->type)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && type == MT_OP_CHILD)
		return mt_rt_return(mt_graph_core->mt_exec_set_child(graphExec, node,
								     nodeParams->graph.graph));
	if (!ret && type == MT_OP_EMPTY)
		return musaSuccess;
	if (!ret)
		ret = mt_rt_op_generic(&built, ctx, ctx, nodeParams, attrs);
	return set(ret, &built, graphExec, node);
}

musaError_t musaGraphNodeSetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
				    unsigned int isEnabled)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_set_enabled(hGraphExec, hNode, isEnabled != 0);
	return mt_rt_return(ret);
}

musaError_t musaGraphNodeGetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
				    unsigned int *isEnabled)
{
	bool enabled;
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_get_enabled(hGraphExec, hNode,
							 isEnabled ? &enabled : NULL);
	if (!ret)
		*isEnabled = enabled;
	return mt_rt_return(ret);
}
