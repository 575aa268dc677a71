/* SPDX-License-Identifier: MIT */
/* Graphs, dependencies, clones and DOT files of the driver API. */
#include "drv/thread.h"
#include "graph/conditional_build.h"
#include "graph/mu_graph.h"

/* A graph belongs to the device of the thread, which is that of its current context. */
MUresult muGraphCreate(MUgraph *phGraph, unsigned int flags)
{
	MUresult ret = mt_initialised();

	if (!ret && flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_graph_new((uint32_t)mt_thread_get()->device, phGraph);
}

MUresult muGraphDestroy(MUgraph hGraph)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_delete(hGraph);
}

MUresult muGraphDestroyNode(MUgraphNode hNode)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_node_delete(hNode);
}

MUresult muGraphAddDependencies(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				size_t numDependencies)
{
	return muGraphAddDependencies_v2(hGraph, from, to, NULL, numDependencies);
}

MUresult muGraphAddDependencies_v2(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				   const MUgraphEdgeData *edgeData, size_t numDependencies)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_graph_add_dependencies(hGraph, from, to, edgeData, numDependencies);
}

MUresult muGraphRemoveDependencies(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				   size_t numDependencies)
{
	return muGraphRemoveDependencies_v2(hGraph, from, to, NULL, numDependencies);
}

MUresult muGraphRemoveDependencies_v2(MUgraph hGraph, const MUgraphNode *from,
				      const MUgraphNode *to, const MUgraphEdgeData *edgeData,
				      size_t numDependencies)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_graph_remove_dependencies(hGraph, from, to, edgeData, numDependencies);
}

MUresult muGraphClone(MUgraph *phGraphClone, MUgraph originalGraph)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_copy(originalGraph, phGraphClone);
}

MUresult muGraphNodeFindInClone(MUgraphNode *phNode, MUgraphNode hOriginalNode,
				MUgraph hClonedGraph)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_find_in_copy(hOriginalNode, hClonedGraph, phNode);
}

/* A handle is a word of its graph's device, whatever context the caller has. */
MUresult muGraphConditionalHandleCreate(MUgraphConditionalHandle *pHandle_out, MUgraph hGraph,
					MUcontext ctx, unsigned int defaultLaunchValue,
					unsigned int flags)
{
	struct mt_ctx *given, *own;
	MUresult ret = mt_mu_ctx_get(ctx, &given);

	if (!ret)
		ret = mt_graph_ctx(hGraph, &own);
	if (!ret && ctx && given != own)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret
		   : mt_graph_new_conditional_handle(hGraph, defaultLaunchValue, flags,
						     pHandle_out);
}

MUresult muGraphDebugDotPrint(MUgraph hGraph, const char *path, unsigned int flags)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_print_dot(hGraph, path, flags);
}
