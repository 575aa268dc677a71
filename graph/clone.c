/* SPDX-License-Identifier: MIT */
/*
 * Deep copies of graphs with what is embedded in them, and finding a node's copy. Ids are kept, so a
 * node and its copy find each other without a table.
 */
#include <string.h>

#include "graph/calls.h"
#include "graph/edge.h"
#include "graph/node.h"
#include "graph/user_object.h"

static MUresult copy_list(struct mt_arena *arena, struct mt_id_list *copy,
			  const struct mt_id_list *list)
{
	struct mt_id_list from = *list;
	MUresult ret;

	if (from.capacity <= 2) {
		*copy = from;
		return MUSA_SUCCESS;
	}
	ret = mt_id_list_reserve(arena, copy, from.count);
	if (ret)
		return ret;
	memcpy(mt_id_list_data(copy), mt_id_list_data(&from), from.count * sizeof(uint32_t));
	copy->count = from.count;
	return MUSA_SUCCESS;
}

/* A child node's copy owns an empty place until its embedded graph has been copied. */
static MUresult copy_op(struct mt_graph *clone, struct mt_node *copy, const struct mt_node *node)
{
	struct mt_op op = node->op;

	if (op.type == MT_OP_CHILD) {
		op.graph = mt_arena_alloc(&clone->arena, sizeof(struct mt_child),
					  _Alignof(struct mt_child));
		if (!op.graph)
			return MUSA_ERROR_OUT_OF_MEMORY;
	}
	return mt_node_init(clone, copy, &op);
}

static MUresult copy_node(struct mt_graph *clone, struct mt_node *copy, const struct mt_node *node)
{
	MUresult ret;

	copy->id = node->id;
	copy->dead = true; /* until it is complete */
	if (node->dead)
		return MUSA_SUCCESS;
	ret = copy_list(&clone->arena, &copy->deps, &node->deps);
	if (!ret)
		ret = copy_list(&clone->arena, &copy->dependents, &node->dependents);
	if (!ret)
		ret = copy_op(clone, copy, node);
	if (ret)
		return ret;
	copy->dead = false;
	mt_node_count(clone, copy, 1);
	return MUSA_SUCCESS;
}

static MUresult copy_nodes(struct mt_graph *clone, const struct mt_graph *graph)
{
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	clone->blocks = mt_arena_alloc(&clone->arena, graph->block_count * sizeof(*clone->blocks),
				       sizeof(*clone->blocks));
	if (graph->block_count && !clone->blocks)
		return MUSA_ERROR_OUT_OF_MEMORY;
	clone->block_capacity = graph->block_count;
	for (; clone->id_count < graph->id_count && !ret; clone->id_count++) {
		i = clone->id_count / MT_NODE_BLOCK;
		if (i == clone->block_count) {
			clone->blocks[i] = mt_arena_alloc(&clone->arena,
							  MT_NODE_BLOCK * sizeof(struct mt_node),
							  _Alignof(struct mt_node));
			if (!clone->blocks[i])
				return MUSA_ERROR_OUT_OF_MEMORY;
			clone->block_count++;
		}
		ret = copy_node(clone, mt_graph_node(clone, clone->id_count),
				mt_graph_node(graph, clone->id_count));
	}
	return ret;
}

/* One graph without what is embedded in it. */
static MUresult copy_flat(const struct mt_graph *graph, enum mt_graph_role role,
			  struct mt_graph **clone_out)
{
	struct mt_graph *clone;
	MUresult ret;

	if (graph->mem_node_count || graph->cond_node_count)
		return MUSA_ERROR_NOT_SUPPORTED;
	ret = mt_graph_create(graph->device, role, &clone);
	if (ret)
		return ret;
	ret = copy_nodes(clone, graph);
	if (!ret)
		ret = mt_user_refs_copy(graph->user_refs, &clone->user_refs);
	if (ret) {
		mt_graph_destroy(clone);
		return ret;
	}
	clone->edge_count = graph->edge_count;
	clone->cloned_from = graph->uid;
	clone->clone_ids = graph->id_count;
	*clone_out = clone;
	return MUSA_SUCCESS;
}

void mt_graph_adopt(struct mt_graph *graph, const struct mt_node *node, uint32_t slot,
		    struct mt_graph *nested)
{
	struct mt_graph *at;

	nested->parent = graph;
	nested->parent_node = node->id;
	nested->parent_slot = slot;
	nested->depth = graph->depth + 1;
	for (at = mt_graph_walk(nested, nested); at; at = mt_graph_walk(nested, at))
		at->depth = at->parent->depth + 1;
}

MUresult mt_graph_clone(const struct mt_graph *graph, enum mt_graph_role role,
			struct mt_graph **clone_out)
{
	const struct mt_graph *at = graph, *next;
	struct mt_graph *root, *clone, *nested;
	struct mt_node *node;
	MUresult ret;

	ret = copy_flat(graph, role, &root);
	if (ret)
		return ret;
	/* `clone` is the copy of `at` throughout. */
	clone = root;
	while ((next = mt_graph_walk(graph, at))) {
		for (; at != next->parent; at = at->parent)
			clone = clone->parent;
		ret = copy_flat(next, MT_GRAPH_CHILD, &nested);
		if (ret) {
			mt_graph_destroy(root);
			return ret;
		}
		node = mt_graph_node(clone, next->parent_node);
		((struct mt_child *)node->op.graph)->graph = nested;
		nested->parent = clone;
		nested->parent_node = next->parent_node;
		nested->depth = clone->depth + 1;
		clone = nested;
		at = next;
	}
	*clone_out = root;
	return MUSA_SUCCESS;
}

MUresult mt_graph_copy(MUgraph original, MUgraph *clone_out)
{
	struct mt_graph *graph, *clone;
	MUresult ret = mt_graph_get(original, &graph);

	if (ret || !clone_out)
		return MUSA_ERROR_INVALID_VALUE;
	if (graph->role == MT_GRAPH_BODY)
		return MUSA_ERROR_NOT_SUPPORTED;
	ret = mt_graph_clone(graph, MT_GRAPH_ROOT, &clone);
	if (!ret)
		*clone_out = (MUgraph)(uintptr_t)clone->handle;
	return ret;
}

MUresult mt_graph_find_in_copy(MUgraphNode original, MUgraph clone_handle, MUgraphNode *node_out)
{
	struct mt_graph *graph, *clone;
	struct mt_node *node, *copy;

	if (!node_out || mt_node_get(original, &graph, &node) || mt_graph_get(clone_handle, &clone))
		return MUSA_ERROR_INVALID_VALUE;
	if (clone->cloned_from != graph->uid || node->id >= clone->clone_ids)
		return MUSA_ERROR_INVALID_VALUE;
	copy = mt_graph_node(clone, node->id);
	if (copy->dead)
		return MUSA_ERROR_INVALID_VALUE;
	*node_out = (MUgraphNode)(uintptr_t)mt_node_handle(clone, copy);
	return MUSA_SUCCESS;
}
