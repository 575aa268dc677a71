/* SPDX-License-Identifier: MIT */
/*
 * The graph template: its life and its growing node list. Edges are edge.c's, what a node owns is
 * node.c's.
 */
#include <stdatomic.h>
#include <string.h>

#include "graph/build_roots.h"
#include "graph/capture.h"
#include "graph/conditional_build.h"
#include "graph/edge.h"
#include "graph/edge_set.h"
#include "graph/graph.h"
#include "graph/graph_memory.h"
#include "graph/node.h"
#include "hw/base/alloc.h"

static _Atomic uint64_t next_uid = 1;

MUresult mt_graph_create(uint32_t device, enum mt_graph_role role, struct mt_graph **graph_out)
{
	struct mt_graph *graph = mt_calloc(1, sizeof(*graph));

	if (!graph)
		return MUSA_ERROR_OUT_OF_MEMORY;
	mt_arena_init(&graph->arena);
	graph->role = role;
	graph->device = device;
	graph->uid = atomic_fetch_add_explicit(&next_uid, 1, memory_order_relaxed);
	graph->handle = mt_handle_create(MT_HANDLE_GRAPH, graph);
	if (!graph->handle) {
		mt_free(graph);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	if (role == MT_GRAPH_ROOT)
		mt_roots_add(graph);
	*graph_out = graph;
	return MUSA_SUCCESS;
}

/* The first nested graph at or after place (id, slot). */
static struct mt_graph *find_nested(const struct mt_graph *graph, uint32_t id, uint32_t slot)
{
	struct mt_graph *nested;

	if (!graph->nested_count)
		return NULL;
	for (; id < graph->id_count; id++, slot = 0) {
		nested = mt_node_nested(mt_graph_node(graph, id), slot);
		if (nested)
			return nested;
	}
	return NULL;
}

struct mt_graph *mt_graph_walk(const struct mt_graph *root, const struct mt_graph *at)
{
	struct mt_graph *next = find_nested(at, 0, 0);

	while (!next && at != root) {
		next = find_nested(at->parent, at->parent_node, at->parent_slot + 1);
		at = at->parent;
	}
	return next;
}

/* Puts the nested graphs of a graph that dies in front of a list linked through `parent`. */
static struct mt_graph *take_nested(struct mt_graph *graph, struct mt_graph *list)
{
	struct mt_graph *nested;
	struct mt_node *node;
	uint32_t slot;

	if (!graph->nested_count)
		return list;
	mt_graph_for_each_node(graph, node) {
		for (slot = 0; (nested = mt_node_nested(node, slot)); slot++) {
			nested->parent = list;
			list = nested;
		}
	}
	return list;
}

static void release_contents(struct mt_graph *graph)
{
	struct mt_node *node;

	mt_graph_for_each_node(graph, node)
		mt_node_release(graph, node);
	mt_cond_handles_drop(graph);
	mt_memory_group_unref(graph->memory_group);
	mt_edge_set_destroy(graph->edge_set);
	mt_user_refs_drop(graph->user_refs);
	mt_arena_finish(&graph->arena);
}

void mt_graph_destroy(struct mt_graph *graph)
{
	struct mt_graph *list = graph;

	if (list) {
		list->parent = NULL;
		mt_roots_remove(list);
	}
	while (list) {
		graph = list;
		list = take_nested(graph, graph->parent);
		if (graph->capture)
			mt_capture_graph_gone(graph);
		mt_handle_destroy(graph->handle);
		release_contents(graph);
		mt_free(graph);
	}
}

void mt_graph_clear(struct mt_graph *graph)
{
	struct mt_graph *list = take_nested(graph, NULL), *next;
	struct mt_node *node;

	for (; list; list = next) {
		next = list->parent;
		mt_graph_destroy(list);
	}
	mt_graph_for_each_node(graph, node) {
		mt_node_release(graph, node);
		mt_node_count(graph, node, -1);
		node->deps.count = 0;
		node->dependents.count = 0;
		node->dead = true;
	}
	mt_edge_set_destroy(graph->edge_set);
	graph->edge_set = NULL;
	graph->edge_count = 0;
}

/* A zeroed node behind the last one; it counts only once id_count has been raised. */
static struct mt_node *reserve_node(struct mt_graph *graph)
{
	uint32_t block = graph->id_count / MT_NODE_BLOCK;
	struct mt_node **blocks;
	uint32_t capacity;

	if (graph->id_count > MT_HANDLE_SUB_MAX)
		return NULL;
	if (block == graph->block_capacity) {
		capacity = block ? block * 2 : 4;
		blocks = mt_arena_alloc(&graph->arena, capacity * sizeof(*blocks), sizeof(*blocks));
		if (!blocks)
			return NULL;
		if (block)
			memcpy(blocks, graph->blocks, block * sizeof(*blocks));
		graph->blocks = blocks;
		graph->block_capacity = capacity;
	}
	if (block == graph->block_count) {
		graph->blocks[block] = mt_arena_alloc(&graph->arena,
						      MT_NODE_BLOCK * sizeof(struct mt_node),
						      _Alignof(struct mt_node));
		if (!graph->blocks[block])
			return NULL;
		graph->block_count++;
	}
	return mt_graph_node(graph, graph->id_count);
}

MUresult mt_graph_add(struct mt_graph *graph, const uint32_t *deps, uint32_t dep_count,
		      const struct mt_op *op, struct mt_node **node_out)
{
	struct mt_node *node = reserve_node(graph);
	MUresult ret;
	uint32_t i;

	if (!node)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_id_list_reserve(&graph->arena, &node->deps, dep_count);
	for (i = 0; i < dep_count && !ret; i++)
		ret = mt_id_list_reserve(&graph->arena, &mt_graph_node(graph, deps[i])->dependents, 1);
	if (!ret)
		ret = mt_node_init(graph, node, op);
	if (ret)
		return ret;
	node->id = graph->id_count++;
	for (i = 0; i < dep_count; i++)
		mt_edge_link(graph, mt_graph_node(graph, deps[i]), node);
	mt_node_count(graph, node, 1);
	*node_out = node;
	return MUSA_SUCCESS;
}
