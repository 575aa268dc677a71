/* SPDX-License-Identifier: MIT */
/*
 * Edges of a graph by node id. Checks of user handles are edge_calls.c's.
 */
#include "graph/edge.h"

#include <string.h>

#include "graph/edge_set.h"

/* Lists up to this length are searched; beyond, the edge set answers. */
#define SEARCH_MAX 32u

MUresult mt_id_list_reserve(struct mt_arena *arena, struct mt_id_list *list, size_t extra)
{
	uint32_t capacity = list->capacity > 2 ? list->capacity : 2;
	uint32_t *ids;

	if (extra > MT_HANDLE_SUB_MAX || list->count > MT_HANDLE_SUB_MAX - extra)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (list->count + extra <= capacity)
		return MUSA_SUCCESS;
	capacity *= capacity == 2 ? 4 : 2;
	if (capacity < list->count + extra)
		capacity = (uint32_t)(list->count + extra);
	ids = mt_arena_alloc(arena, capacity * sizeof(*ids), sizeof(*ids));
	if (!ids)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memcpy(ids, mt_id_list_data(list), list->count * sizeof(*ids));
	list->ids = ids;
	list->capacity = capacity;
	return MUSA_SUCCESS;
}

static bool find_id(struct mt_id_list *list, uint32_t id, uint32_t *at_out)
{
	const uint32_t *ids = mt_id_list_data(list);
	uint32_t i;

	for (i = 0; i < list->count; i++) {
		if (ids[i] == id) {
			*at_out = i;
			return true;
		}
	}
	return false;
}

bool mt_id_list_remove(struct mt_id_list *list, uint32_t id)
{
	uint32_t *ids = mt_id_list_data(list);
	uint32_t at;

	if (!find_id(list, id, &at))
		return false;
	list->count--;
	memmove(ids + at, ids + at + 1, (list->count - at) * sizeof(*ids));
	return true;
}

static void drop_set(struct mt_graph *graph)
{
	mt_edge_set_destroy(graph->edge_set);
	graph->edge_set = NULL;
}

/* Enters every edge into a new set; without memory there is none, and lists are searched. */
static void build_set(struct mt_graph *graph)
{
	struct mt_node *node;
	uint32_t i;

	graph->edge_set = mt_edge_set_create(graph->edge_count);
	if (!graph->edge_set)
		return;
	mt_graph_for_each_node(graph, node) {
		for (i = 0; i < node->deps.count; i++) {
			if (!mt_edge_set_insert(graph->edge_set, mt_id_list_data(&node->deps)[i],
						node->id)) {
				drop_set(graph);
				return;
			}
		}
	}
}

bool mt_graph_has_edge(struct mt_graph *graph, uint32_t from, uint32_t to)
{
	struct mt_id_list *forward = &mt_graph_node(graph, from)->dependents;
	struct mt_id_list *back = &mt_graph_node(graph, to)->deps;
	uint32_t at;

	if (forward->count > SEARCH_MAX && back->count > SEARCH_MAX) {
		if (!graph->edge_set)
			build_set(graph);
		if (graph->edge_set)
			return mt_edge_set_has(graph->edge_set, from, to);
	}
	return forward->count < back->count ? find_id(forward, to, &at) : find_id(back, from, &at);
}

void mt_edge_link(struct mt_graph *graph, struct mt_node *from, struct mt_node *to)
{
	mt_id_list_push(&to->deps, from->id);
	mt_id_list_push(&from->dependents, to->id);
	graph->edge_count++;
	if (graph->edge_set && !mt_edge_set_insert(graph->edge_set, from->id, to->id))
		drop_set(graph);
}

MUresult mt_graph_add_edge(struct mt_graph *graph, uint32_t from, uint32_t to)
{
	struct mt_node *source = mt_graph_node(graph, from), *target = mt_graph_node(graph, to);
	MUresult ret;

	if (from == to || mt_graph_has_edge(graph, from, to))
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_id_list_reserve(&graph->arena, &target->deps, 1);
	if (!ret)
		ret = mt_id_list_reserve(&graph->arena, &source->dependents, 1);
	if (!ret)
		mt_edge_link(graph, source, target);
	return ret;
}

MUresult mt_graph_remove_edge(struct mt_graph *graph, uint32_t from, uint32_t to)
{
	if (!mt_graph_has_edge(graph, from, to))
		return MUSA_ERROR_INVALID_VALUE;
	mt_id_list_remove(&mt_graph_node(graph, to)->deps, from);
	mt_id_list_remove(&mt_graph_node(graph, from)->dependents, to);
	if (graph->edge_set)
		mt_edge_set_remove(graph->edge_set, from, to);
	graph->edge_count--;
	return MUSA_SUCCESS;
}

void mt_edge_unlink_node(struct mt_graph *graph, struct mt_node *node)
{
	const uint32_t *deps = mt_id_list_data(&node->deps);
	const uint32_t *dependents = mt_id_list_data(&node->dependents);
	uint32_t i;

	for (i = 0; i < node->deps.count; i++) {
		mt_id_list_remove(&mt_graph_node(graph, deps[i])->dependents, node->id);
		if (graph->edge_set)
			mt_edge_set_remove(graph->edge_set, deps[i], node->id);
	}
	for (i = 0; i < node->dependents.count; i++) {
		mt_id_list_remove(&mt_graph_node(graph, dependents[i])->deps, node->id);
		if (graph->edge_set)
			mt_edge_set_remove(graph->edge_set, node->id, dependents[i]);
	}
	graph->edge_count -= (uint64_t)node->deps.count + node->dependents.count;
	node->deps.count = 0;
	node->dependents.count = 0;
}
