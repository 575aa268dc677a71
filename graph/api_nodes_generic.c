/* SPDX-License-Identifier: MIT */
/* Adding and setting nodes by tagged parameters. */
#include "graph/api_mem_node.h"
#include "graph/api_ops.h"

/* Where the new node goes. */
struct place {
	musaGraphNode_t *node_out;
	musaGraph_t graph;
	const musaGraphNode_t *deps;
	size_t dep_count;
};

static MUresult append_plain(const struct place *place, const struct musaGraphNodeParams *params)
{
	struct mt_ctx *ctx, *kernel_ctx;
	struct mt_node_op built;
	MUresult ret = mt_graph_core->mt_graph_ctx(place->graph, &ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_rt_ctx(&kernel_ctx);
	if (!ret)
		ret = mt_rt_op_generic(&built, ctx, kernel_ctx, params, NULL);
	return mt_graph_core->mt_node_op_append(ret, &built, place->node_out, place->graph,
						place->deps, place->dep_count);
}

static MUresult append_any(const struct place *place, struct musaGraphNodeParams *params)
{
	struct musaConditionalNodeParams *conditional = &params->conditional;
	MUgraph *bodies;
	MUresult ret;

	switch ((int)params->type) {
	case musaGraphNodeTypeGraph:
		return mt_graph_core->mt_graph_append_child(place->node_out, place->graph,
							    place->deps, place->dep_count,
							    params->graph.graph);
	case musaGraphNodeTypeConditional:
		ret = mt_graph_core->mt_graph_append_conditional(
			place->node_out, place->graph, place->deps, place->dep_count,
			conditional->handle, (uint32_t)conditional->type, conditional->size,
			&bodies);
		if (!ret)
			conditional->phGraph_out = bodies;
		return ret;
	case musaGraphNodeTypeMemAlloc:
		return mt_rt_append_alloc(place->node_out, place->graph, place->deps,
					  place->dep_count, (void *)&params->alloc);
	case musaGraphNodeTypeMemFree:
		return mt_rt_append_free(place->node_out, place->graph, place->deps,
					 place->dep_count, params->free.dptr);
	default:
		return append_plain(place, params);
	}
}

musaError_t musaGraphAddNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
			     const musaGraphNode_t *pDependencies, size_t numDependencies,
			     struct musaGraphNodeParams *nodeParams)
{
	return musaGraphAddNode_v2(pGraphNode, graph, pDependencies, NULL, numDependencies,
				   nodeParams);
}

musaError_t musaGraphAddNode_v2(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				const musaGraphNode_t *pDependencies,
				const musaGraphEdgeData *dependencyData, size_t numDependencies,
				struct musaGraphNodeParams *nodeParams)
{
	const struct place place = { pGraphNode, graph, pDependencies, numDependencies };
	MUresult ret = mt_rt_init();

	if (!ret && (!nodeParams || !mt_rt_params_are_clean(nodeParams)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_edge_data_check_deps(
			pDependencies, (const MUgraphEdgeData *)dependencyData, numDependencies,
			(uint32_t)nodeParams->type);
	if (!ret)
		ret = append_any(&place, nodeParams);
	return mt_rt_return(ret);
}

static MUresult set_plain(musaGraphNode_t node, const struct musaGraphNodeParams *params)
{
	const struct mt_op *op;
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_node_ctx(node, &ctx);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_graph_core->mt_node_params(node, (uint32_t)params->type, &op);
	if (!ret)
		ret = mt_rt_op_generic(&built, ctx, ctx, params,
				       op->type == MT_OP_KERNEL ? op->kernel.attrs : NULL);
	return mt_graph_core->mt_node_op_set(ret, &built, node);
}

musaError_t musaGraphNodeSetParams(musaGraphNode_t node, struct musaGraphNodeParams *nodeParams)
{
	uint32_t type = 0;
	MUresult ret = mt_rt_init();

	if (!ret && (!nodeParams || !mt_rt_params_are_clean(nodeParams)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_node_type(node, &type);
	if (!ret && type != (uint32_t)nodeParams->type)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && type == MT_OP_CHILD)
		ret = mt_graph_core->mt_node_set_child(node, nodeParams->graph.graph);
	else if (!ret && type != MT_OP_EMPTY)
		ret = set_plain(node, nodeParams);
	return mt_rt_return(ret);
}
