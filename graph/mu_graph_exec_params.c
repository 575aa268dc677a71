/* SPDX-License-Identifier: MIT */
/* Parameters of single nodes of executable graphs in the driver API. */
#include "graph/mu_graph.h"
#include "graph/update.h"

/* What a typed call knows of the node before it builds the new parameters. */
struct target {
	struct mt_ctx *ctx; /* the exec's */
	const struct mt_kernel_attrs *attrs;
};

/* The node is in the exec and has this type; params must not be NULL. */
static MUresult find(MUgraphExec exec, MUgraphNode node, enum mt_op_type type, const void *params,
		     struct target *target)
{
	uint32_t found;
	MUresult ret = mt_initialised();

	if (!ret && !params)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_exec_node_info(exec, node, &found, &target->ctx, &target->attrs);
	if (!ret && found != type)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret;
}

/* The same for a call that names a context, which must be the exec's. */
static MUresult find_in(MUcontext ctx, MUgraphExec exec, MUgraphNode node, enum mt_op_type type,
			const void *params, struct target *target)
{
	struct mt_ctx *given;
	MUresult ret = find(exec, node, type, params, target);

	if (!ret)
		ret = mt_mu_node_ctx(ctx, target->ctx, &given);
	if (!ret && given != target->ctx)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret;
}

MUresult muGraphExecKernelNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_KERNEL_NODE_PARAMS *nodeParams)
{
	MUSA_KERNEL_NODE_PARAMS_v2 params;

	if (!nodeParams)
		return muGraphExecKernelNodeSetParams_v2(hGraphExec, hNode, NULL);
	params = mt_mu_kernel_params(nodeParams);
	return muGraphExecKernelNodeSetParams_v2(hGraphExec, hNode, &params);
}

MUresult muGraphExecKernelNodeSetParams_v2(MUgraphExec hGraphExec, MUgraphNode hNode,
					   const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, hNode, MT_OP_KERNEL, nodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_mu_op_kernel(&built, target.ctx, nodeParams, target.attrs);
	return mt_node_op_exec_set(ret, &built, hGraphExec, hNode);
}

MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_MEMCPY3D *copyParams, MUcontext ctx)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find_in(ctx, hGraphExec, hNode, MT_OP_COPY, copyParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_mu_op_memcpy(&built, target.ctx, copyParams);
	return mt_node_op_exec_set(ret, &built, hGraphExec, hNode);
}

MUresult muGraphExecMemsetNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_MEMSET_NODE_PARAMS *memsetParams, MUcontext ctx)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find_in(ctx, hGraphExec, hNode, MT_OP_FILL, memsetParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_fill(&built, target.ctx, memsetParams);
	return mt_node_op_exec_set(ret, &built, hGraphExec, hNode);
}

MUresult muGraphExecHostNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
				      const MUSA_HOST_NODE_PARAMS *nodeParams)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(hGraphExec, hNode, MT_OP_HOST, nodeParams, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_host(&built, nodeParams);
	return mt_node_op_exec_set(ret, &built, hGraphExec, hNode);
}

MUresult muGraphExecChildGraphNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					    MUgraph childGraph)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_exec_set_child(hGraphExec, hNode, childGraph);
}

static MUresult set_event(MUgraphExec exec, MUgraphNode node, enum mt_op_type type, MUevent event)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(exec, node, type, event, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_event(&built, type, event);
	return mt_node_op_exec_set(ret, &built, exec, node);
}

MUresult muGraphExecEventRecordNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode,
					    MUevent event)
{
	return set_event(hGraphExec, hNode, MT_OP_EVENT_RECORD, event);
}

MUresult muGraphExecEventWaitNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode, MUevent event)
{
	return set_event(hGraphExec, hNode, MT_OP_EVENT_WAIT, event);
}

/* Waits have the layout of signals. */
static MUresult set_semaphores(MUgraphExec exec, MUgraphNode node, enum mt_op_type type,
			       const void *params)
{
	struct target target;
	struct mt_node_op built;
	MUresult ret = find(exec, node, type, params, &target);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_semaphores(&built, type, params);
	return mt_node_op_exec_set(ret, &built, exec, node);
}

MUresult muGraphExecExternalSemaphoresSignalNodeSetParams(
	MUgraphExec hGraphExec, MUgraphNode hNode,
	const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
	return set_semaphores(hGraphExec, hNode, MT_OP_SEM_SIGNAL, nodeParams);
}

MUresult muGraphExecExternalSemaphoresWaitNodeSetParams(
	MUgraphExec hGraphExec, MUgraphNode hNode,
	const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
	return set_semaphores(hGraphExec, hNode, MT_OP_SEM_WAIT, nodeParams);
}

MUresult muGraphExecNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
				  MUgraphNodeParams *nodeParams)
{
	struct mt_mu_place place;
	struct mt_node_op built;
	uint32_t type;
	MUresult ret = mt_initialised();

	mt_node_op_init_set(&built);
	if (!ret && (!nodeParams || !mt_mu_params_are_clean(nodeParams)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_exec_node_info(hGraphExec, hNode, &type, &place.ctx, &place.attrs);
	if (!ret && type != (uint32_t)nodeParams->type)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && type == MT_OP_CHILD)
		return mt_exec_set_child(hGraphExec, hNode, nodeParams->graph.graph);
	if (ret || type == MT_OP_EMPTY)
		return ret;
	place.kernel_ctx = place.ctx;
	ret = mt_mu_op_generic(&built, &place, nodeParams);
	return mt_node_op_exec_set(ret, &built, hGraphExec, hNode);
}
