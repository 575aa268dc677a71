/* SPDX-License-Identifier: MIT */
/* Adding nodes in the driver API, by typed calls and by tagged parameters. */
#include "graph/conditional_build.h"
#include "graph/mem_node.h"
#include "graph/mu_graph.h"

static const struct mt_op empty = { .type = MT_OP_EMPTY };

MUresult muGraphAddEmptyNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			     const MUgraphNode *dependencies, size_t numDependencies)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_graph_append(phGraphNode, hGraph, dependencies, numDependencies, &empty);
}

MUresult muGraphAddChildGraphNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				  const MUgraphNode *dependencies, size_t numDependencies,
				  MUgraph childGraph)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_graph_append_child(phGraphNode, hGraph, dependencies, numDependencies,
					   childGraph);
}

MUresult muGraphAddKernelNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_KERNEL_NODE_PARAMS *nodeParams)
{
	MUSA_KERNEL_NODE_PARAMS_v2 params;

	if (!nodeParams)
		return muGraphAddKernelNode_v2(phGraphNode, hGraph, dependencies, numDependencies,
					       NULL);
	params = mt_mu_kernel_params(nodeParams);
	return muGraphAddKernelNode_v2(phGraphNode, hGraph, dependencies, numDependencies,
				       &params);
}

MUresult muGraphAddKernelNode_v2(MUgraphNode *phGraphNode, MUgraph hGraph,
				 const MUgraphNode *dependencies, size_t numDependencies,
				 const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_mu_op_kernel(&built, NULL, nodeParams, NULL);
	return mt_node_op_append(ret, &built, phGraphNode, hGraph, dependencies, numDependencies);
}

/* The graph is there, and the context, the current one for NULL, can run something. */
static MUresult open_graph(MUgraph graph, MUcontext handle, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_mu_ctx_get(handle, ctx_out);
	struct mt_ctx *own;

	if (!ret)
		ret = mt_ctx_error(*ctx_out);
	return ret ? ret : mt_graph_ctx(graph, &own);
}

MUresult muGraphAddMemcpyNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_MEMCPY3D *copyParams, MUcontext ctx)
{
	struct mt_node_op built;
	struct mt_ctx *found;
	MUresult ret = open_graph(hGraph, ctx, &found);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_mu_op_memcpy(&built, found, copyParams);
	return mt_node_op_append(ret, &built, phGraphNode, hGraph, dependencies, numDependencies);
}

MUresult muGraphAddMemsetNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_MEMSET_NODE_PARAMS *memsetParams, MUcontext ctx)
{
	struct mt_node_op built;
	struct mt_ctx *found;
	MUresult ret = open_graph(hGraph, ctx, &found);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_node_op_fill(&built, found, memsetParams);
	return mt_node_op_append(ret, &built, phGraphNode, hGraph, dependencies, numDependencies);
}

MUresult muGraphAddHostNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			    const MUgraphNode *dependencies, size_t numDependencies,
			    const MUSA_HOST_NODE_PARAMS *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_node_op_host(&built, nodeParams);
	return mt_node_op_append(ret, &built, phGraphNode, hGraph, dependencies, numDependencies);
}

static MUresult add_event(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
			  size_t dep_count, enum mt_op_type type, MUevent event)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_node_op_event(&built, type, event);
	return mt_node_op_append(ret, &built, node_out, graph, deps, dep_count);
}

MUresult muGraphAddEventRecordNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				   const MUgraphNode *dependencies, size_t numDependencies,
				   MUevent event)
{
	return add_event(phGraphNode, hGraph, dependencies, numDependencies, MT_OP_EVENT_RECORD,
			 event);
}

MUresult muGraphAddEventWaitNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				 const MUgraphNode *dependencies, size_t numDependencies,
				 MUevent event)
{
	return add_event(phGraphNode, hGraph, dependencies, numDependencies, MT_OP_EVENT_WAIT,
			 event);
}

/* Waits have the layout of signals. */
static MUresult add_semaphores(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
			       size_t dep_count, enum mt_op_type type, const void *params)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_node_op_semaphores(&built, type, params);
	return mt_node_op_append(ret, &built, node_out, graph, deps, dep_count);
}

MUresult muGraphAddExternalSemaphoresSignalNode(MUgraphNode *phGraphNode, MUgraph hGraph,
						const MUgraphNode *dependencies,
						size_t numDependencies,
						const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
	return add_semaphores(phGraphNode, hGraph, dependencies, numDependencies, MT_OP_SEM_SIGNAL,
			      nodeParams);
}

MUresult muGraphAddExternalSemaphoresWaitNode(MUgraphNode *phGraphNode, MUgraph hGraph,
					      const MUgraphNode *dependencies,
					      size_t numDependencies,
					      const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
	return add_semaphores(phGraphNode, hGraph, dependencies, numDependencies, MT_OP_SEM_WAIT,
			      nodeParams);
}

MUresult muGraphAddMemAllocNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				const MUgraphNode *dependencies, size_t numDependencies,
				MUSA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_graph_append_alloc(phGraphNode, hGraph, dependencies, numDependencies,
					   nodeParams);
}

MUresult muGraphAddMemFreeNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			       const MUgraphNode *dependencies, size_t numDependencies,
			       MUdeviceptr dptr)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_graph_append_free(phGraphNode, hGraph, dependencies, numDependencies, dptr);
}

/* Where a node with tagged parameters goes. */
struct spot {
	MUgraphNode *node_out;
	MUgraph graph;
	const MUgraphNode *deps;
	size_t dep_count;
};

static MUresult append_plain(const struct spot *spot, const MUgraphNodeParams *params)
{
	struct mt_mu_place place = { 0 };
	struct mt_node_op built;
	MUresult ret = mt_graph_ctx(spot->graph, &place.ctx);

	mt_node_op_init(&built);
	if (!ret)
		ret = mt_mu_op_generic(&built, &place, params);
	return mt_node_op_append(ret, &built, spot->node_out, spot->graph, spot->deps,
				 spot->dep_count);
}

static MUresult append_conditional(const struct spot *spot, MUSA_CONDITIONAL_NODE_PARAMS *params)
{
	struct mt_ctx *own, *given;
	MUgraph *bodies;
	MUresult ret = mt_graph_ctx(spot->graph, &own);

	if (!ret)
		ret = mt_mu_node_ctx(params->ctx, own, &given);
	if (!ret && given != own)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_append_conditional(spot->node_out, spot->graph, spot->deps,
						  spot->dep_count, params->handle,
						  (uint32_t)params->type, params->size, &bodies);
	if (!ret)
		params->phGraph_out = bodies;
	return ret;
}

static MUresult append_any(const struct spot *spot, MUgraphNodeParams *params)
{
	switch ((int)params->type) {
	case MU_GRAPH_NODE_TYPE_GRAPH:
		return mt_graph_append_child(spot->node_out, spot->graph, spot->deps,
					     spot->dep_count, params->graph.graph);
	case MU_GRAPH_NODE_TYPE_CONDITIONAL:
		return append_conditional(spot, &params->conditional);
	case MU_GRAPH_NODE_TYPE_MEM_ALLOC:
		return mt_graph_append_alloc(spot->node_out, spot->graph, spot->deps,
					     spot->dep_count, (void *)&params->alloc);
	case MU_GRAPH_NODE_TYPE_MEM_FREE:
		return mt_graph_append_free(spot->node_out, spot->graph, spot->deps,
					    spot->dep_count, params->free.dptr);
	default:
		return append_plain(spot, params);
	}
}

MUresult muGraphAddNode(MUgraphNode *phGraphNode, MUgraph hGraph, const MUgraphNode *dependencies,
			size_t numDependencies, MUgraphNodeParams *nodeParams)
{
	return muGraphAddNode_v2(phGraphNode, hGraph, dependencies, NULL, numDependencies,
				 nodeParams);
}

MUresult muGraphAddNode_v2(MUgraphNode *phGraphNode, MUgraph hGraph,
			   const MUgraphNode *dependencies, const MUgraphEdgeData *dependencyData,
			   size_t numDependencies, MUgraphNodeParams *nodeParams)
{
	const struct spot spot = { phGraphNode, hGraph, dependencies, numDependencies };
	MUresult ret = mt_initialised();

	if (!ret && (!nodeParams || !mt_mu_params_are_clean(nodeParams)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_edge_data_check_deps(dependencies, dependencyData, numDependencies,
					      (uint32_t)nodeParams->type);
	return ret ? ret : append_any(&spot, nodeParams);
}
