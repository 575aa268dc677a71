/* SPDX-License-Identifier: MIT */
/*
 * Queries of nodes and edges. All share one rule about arrays: without one the total is told; a
 * short one is filled and *count stays; a long one is padded with NULL and *count becomes the total.
 */
#include <string.h>

#include "graph/calls.h"

/* One query's arrays while it is answered. */
struct listing {
	MUgraphNode *first, *second; /* second: edges only */
	MUgraphEdgeData *data;
	size_t room, total;
};

/* Checks the arguments; *only_count_out: the caller asks for the total alone. */
static MUresult begin_listing(struct listing *list, const size_t *count, bool *only_count_out)
{
	if (!count)
		return MUSA_ERROR_INVALID_VALUE;
	*only_count_out = !list->first;
	if (!list->first)
		return list->data ? MUSA_ERROR_INVALID_VALUE : MUSA_SUCCESS;
	if (!*count)
		return MUSA_ERROR_INVALID_VALUE;
	list->room = *count;
	return MUSA_SUCCESS;
}

static void add_entry(struct listing *list, uint64_t first, uint64_t second)
{
	size_t at = list->total++;

	list->first[at] = (MUgraphNode)(uintptr_t)first;
	if (list->second)
		list->second[at] = (MUgraphNode)(uintptr_t)second;
	if (list->data)
		memset(&list->data[at], 0, sizeof(list->data[at]));
}

static bool is_full(const struct listing *list)
{
	return list->total == list->room;
}

static void end_listing(struct listing *list, size_t *count)
{
	size_t total = list->total;

	if (is_full(list))
		return;
	while (!is_full(list))
		add_entry(list, 0, 0);
	*count = total;
}

MUresult mt_node_type(MUgraphNode handle, uint32_t *type_out)
{
	struct mt_graph *graph;
	struct mt_node *node;

	if (!type_out || mt_node_get(handle, &graph, &node))
		return MUSA_ERROR_INVALID_VALUE;
	*type_out = node->op.type;
	return MUSA_SUCCESS;
}

MUresult mt_graph_list_nodes(MUgraph handle, MUgraphNode *nodes, size_t *count)
{
	struct listing list = { .first = nodes };
	struct mt_graph *graph;
	struct mt_node *node;
	bool only_count;

	if (mt_graph_get(handle, &graph) || begin_listing(&list, count, &only_count))
		return MUSA_ERROR_INVALID_VALUE;
	if (only_count) {
		*count = graph->node_count;
		return MUSA_SUCCESS;
	}
	mt_graph_for_each_node(graph, node) {
		if (is_full(&list))
			break;
		add_entry(&list, mt_node_handle(graph, node), 0);
	}
	end_listing(&list, count);
	return MUSA_SUCCESS;
}

MUresult mt_graph_list_roots(MUgraph handle, MUgraphNode *nodes, size_t *count)
{
	struct listing list = { .first = nodes };
	struct mt_graph *graph;
	struct mt_node *node;
	bool only_count;
	size_t total = 0;

	if (mt_graph_get(handle, &graph) || begin_listing(&list, count, &only_count))
		return MUSA_ERROR_INVALID_VALUE;
	mt_graph_for_each_node(graph, node) {
		if (node->deps.count)
			continue;
		total++;
		if (only_count)
			continue;
		if (is_full(&list))
			break;
		add_entry(&list, mt_node_handle(graph, node), 0);
	}
	if (only_count)
		*count = total;
	else
		end_listing(&list, count);
	return MUSA_SUCCESS;
}

/* The edges that leave a node, as far as there is room. */
static void list_leaving(struct mt_graph *graph, struct mt_node *node, struct listing *list)
{
	const uint32_t *ids = mt_id_list_data(&node->dependents);
	uint64_t from = mt_node_handle(graph, node);
	uint32_t i;

	for (i = 0; i < node->dependents.count && !is_full(list); i++)
		add_entry(list, from, mt_handle_sub(graph->handle, MT_HANDLE_NODE, ids[i]));
}

MUresult mt_graph_list_edges(MUgraph handle, MUgraphNode *from, MUgraphNode *to,
			     MUgraphEdgeData *data, size_t *count)
{
	struct listing list = { .first = from, .second = to, .data = data };
	struct mt_graph *graph;
	struct mt_node *node;
	bool only_count;

	if (mt_graph_get(handle, &graph) || !from != !to ||
	    begin_listing(&list, count, &only_count))
		return MUSA_ERROR_INVALID_VALUE;
	if (only_count) {
		*count = graph->edge_count;
		return MUSA_SUCCESS;
	}
	mt_graph_for_each_node(graph, node) {
		if (is_full(&list))
			break;
		list_leaving(graph, node, &list);
	}
	end_listing(&list, count);
	return MUSA_SUCCESS;
}

static MUresult list_ids(struct mt_graph *graph, struct mt_id_list *ids, MUgraphNode *nodes,
			 MUgraphEdgeData *data, size_t *count)
{
	struct listing list = { .first = nodes, .data = data };
	bool only_count;
	uint32_t i;

	if (begin_listing(&list, count, &only_count))
		return MUSA_ERROR_INVALID_VALUE;
	if (only_count) {
		*count = ids->count;
		return MUSA_SUCCESS;
	}
	for (i = 0; i < ids->count && !is_full(&list); i++)
		add_entry(&list, mt_handle_sub(graph->handle, MT_HANDLE_NODE, mt_id_list_data(ids)[i]),
			  0);
	end_listing(&list, count);
	return MUSA_SUCCESS;
}

MUresult mt_node_list_deps(MUgraphNode handle, MUgraphNode *nodes, MUgraphEdgeData *data,
			   size_t *count)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = mt_node_get(handle, &graph, &node);

	return ret ? ret : list_ids(graph, &node->deps, nodes, data, count);
}

MUresult mt_node_list_dependents(MUgraphNode handle, MUgraphNode *nodes, MUgraphEdgeData *data,
				 size_t *count)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = mt_node_get(handle, &graph, &node);

	return ret ? ret : list_ids(graph, &node->dependents, nodes, data, count);
}
