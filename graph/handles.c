/* SPDX-License-Identifier: MIT */
/*
 * From user handles to graphs and nodes.
 */
#include "graph/graph.h"

MUresult mt_graph_get(MUgraph handle, struct mt_graph **graph_out)
{
	struct mt_graph *graph = mt_handle_get((uintptr_t)handle, MT_HANDLE_GRAPH);

	if (!graph)
		return MUSA_ERROR_INVALID_VALUE;
	*graph_out = graph;
	return MUSA_SUCCESS;
}

MUresult mt_node_get(MUgraphNode handle, struct mt_graph **graph_out, struct mt_node **node_out)
{
	struct mt_graph *graph = mt_handle_get((uintptr_t)handle, MT_HANDLE_NODE);
	uint32_t id = mt_handle_sub_index((uintptr_t)handle);

	if (!graph || id >= graph->id_count || mt_graph_node(graph, id)->dead)
		return MUSA_ERROR_INVALID_VALUE;
	*graph_out = graph;
	*node_out = mt_graph_node(graph, id);
	return MUSA_SUCCESS;
}
