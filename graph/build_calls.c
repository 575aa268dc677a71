/* SPDX-License-Identifier: MIT */
/*
 * Creating, appending and deleting by user handles, with the checks that the API documents.
 */
#include "graph/calls.h"
#include "graph/node.h"
#include "hw/base/alloc.h"

#define STACK_DEPS 64u

MUresult mt_graph_new(uint32_t device, MUgraph *graph_out)
{
	struct mt_graph *graph;
	MUresult ret;

	if (!graph_out)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_graph_create(device, MT_GRAPH_ROOT, &graph);
	if (!ret)
		*graph_out = (MUgraph)(uintptr_t)graph->handle;
	return ret;
}

/* Whether a live capture fills the graph or one nested in it. */
static bool is_captured(const struct mt_graph *graph)
{
	const struct mt_graph *at;

	for (at = graph; at; at = mt_graph_walk(graph, at))
		if (at->capture)
			return true;
	return false;
}

MUresult mt_graph_delete(MUgraph handle)
{
	struct mt_graph *graph;
	MUresult ret = mt_graph_get(handle, &graph);

	if (ret)
		return ret;
	if (graph->role != MT_GRAPH_ROOT)
		return MUSA_ERROR_INVALID_VALUE;
	if (is_captured(graph))
		return MUSA_ERROR_ILLEGAL_STATE;
	mt_graph_destroy(graph);
	return MUSA_SUCCESS;
}

/* Ids of the dependencies; nodes stay marked until unmark_deps(). *done_out: entries handled. */
static MUresult mark_deps(struct mt_graph *graph, const MUgraphNode *deps, size_t count,
			  uint32_t *ids, size_t *done_out)
{
	struct mt_graph *owner;
	struct mt_node *node;
	size_t i;

	for (i = 0; i < count; i++) {
		*done_out = i;
		if (mt_node_get(deps[i], &owner, &node) || owner != graph || node->mark)
			return MUSA_ERROR_INVALID_VALUE;
		node->mark = true;
		ids[i] = node->id;
	}
	*done_out = count;
	return MUSA_SUCCESS;
}

MUresult mt_graph_add_checked(struct mt_graph *graph, const MUgraphNode *deps, size_t dep_count,
			      const struct mt_op *op, struct mt_node **node_out)
{
	uint32_t stack_ids[STACK_DEPS], *ids = stack_ids;
	size_t i, done = 0;
	MUresult ret;

	if (dep_count && !deps)
		return MUSA_ERROR_INVALID_VALUE;
	/* More dependencies than nodes: one is listed twice. */
	if (dep_count > graph->node_count)
		return MUSA_ERROR_INVALID_VALUE;
	if (dep_count > STACK_DEPS) {
		ids = mt_alloc(dep_count * sizeof(*ids));
		if (!ids)
			return MUSA_ERROR_OUT_OF_MEMORY;
	}
	ret = mark_deps(graph, deps, dep_count, ids, &done);
	for (i = 0; i < done; i++)
		mt_graph_node(graph, ids[i])->mark = false;
	if (!ret)
		ret = mt_graph_add(graph, ids, (uint32_t)dep_count, op, node_out);
	if (ids != stack_ids)
		mt_free(ids);
	return ret;
}

MUresult mt_graph_append(MUgraphNode *node_out, MUgraph handle, const MUgraphNode *deps,
			 size_t dep_count, const struct mt_op *op)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret;

	if (!node_out)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_graph_get(handle, &graph);
	if (!ret)
		ret = mt_graph_add_checked(graph, deps, dep_count, op, &node);
	if (!ret)
		*node_out = (MUgraphNode)(uintptr_t)mt_node_handle(graph, node);
	return ret;
}

/* A graph may not contain itself. `child` may hold `graph` at any depth. */
static MUresult check_ancestor(const struct mt_graph *graph, const struct mt_graph *child)
{
	const struct mt_graph *at;
	bool in_body = false;

	for (at = graph; at; at = at->parent) {
		if (at == child)
			return in_body ? MUSA_ERROR_NOT_SUPPORTED : MUSA_ERROR_INVALID_VALUE;
		in_body = in_body || at->role == MT_GRAPH_BODY;
	}
	return MUSA_SUCCESS;
}

/* What may be embedded in `graph`: only a graph of the program's own, and none that holds it. */
static MUresult check_child(const struct mt_graph *graph, const struct mt_graph *child)
{
	MUresult ret = check_ancestor(graph, child);

	return ret || child->role == MT_GRAPH_ROOT ? ret : MUSA_ERROR_NOT_SUPPORTED;
}

MUresult mt_graph_append_child(MUgraphNode *node_out, MUgraph handle, const MUgraphNode *deps,
			       size_t dep_count, MUgraph child_handle)
{
	struct mt_graph *graph, *original;
	struct mt_child *child;
	struct mt_node *node;
	struct mt_op op = { .type = MT_OP_CHILD };
	MUresult ret;

	if (!node_out || mt_graph_get(handle, &graph) || mt_graph_get(child_handle, &original))
		return MUSA_ERROR_INVALID_VALUE;
	ret = check_child(graph, original);
	if (ret)
		return ret;
	child = mt_arena_alloc(&graph->arena, sizeof(*child), _Alignof(struct mt_child));
	if (!child)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_graph_clone(original, MT_GRAPH_CHILD, &child->graph);
	if (ret)
		return ret;
	op.graph = child;
	op.device = (uint8_t)graph->device;
	ret = mt_graph_add_checked(graph, deps, dep_count, &op, &node);
	if (ret) {
		mt_graph_destroy(child->graph);
		return ret;
	}
	mt_graph_adopt(graph, node, 0, child->graph);
	*node_out = (MUgraphNode)(uintptr_t)mt_node_handle(graph, node);
	return MUSA_SUCCESS;
}

MUresult mt_node_delete(MUgraphNode handle)
{
	struct mt_graph *graph, *nested;
	struct mt_node *node;
	uint32_t slot;
	MUresult ret = mt_node_get(handle, &graph, &node);

	if (ret)
		return ret;
	if (graph->mem_node_count)
		return MUSA_ERROR_NOT_SUPPORTED;
	if (graph->capture)
		return MUSA_ERROR_ILLEGAL_STATE;
	for (slot = 0; (nested = mt_node_nested(node, slot)); slot++)
		if (is_captured(nested))
			return MUSA_ERROR_ILLEGAL_STATE;
	return mt_graph_remove_node(graph, node);
}

MUresult mt_node_child(MUgraphNode handle, MUgraph *graph_out)
{
	struct mt_graph *graph;
	struct mt_node *node;

	if (!graph_out || mt_node_get(handle, &graph, &node) || node->op.type != MT_OP_CHILD)
		return MUSA_ERROR_INVALID_VALUE;
	*graph_out = (MUgraph)(uintptr_t)mt_node_nested(node, 0)->handle;
	return MUSA_SUCCESS;
}

MUresult mt_node_set_child(MUgraphNode handle, MUgraph child_handle)
{
	struct mt_graph *graph, *original, *old, *clone;
	struct mt_node *node;
	MUresult ret;

	if (mt_node_get(handle, &graph, &node) || node->op.type != MT_OP_CHILD ||
	    mt_graph_get(child_handle, &original))
		return MUSA_ERROR_INVALID_VALUE;
	ret = check_child(graph, original);
	if (ret)
		return ret;
	old = mt_node_nested(node, 0);
	if (is_captured(old))
		return MUSA_ERROR_ILLEGAL_STATE;
	ret = mt_graph_clone(original, MT_GRAPH_CHILD, &clone);
	if (ret)
		return ret;
	mt_graph_destroy(old);
	((struct mt_child *)node->op.graph)->graph = clone;
	mt_graph_adopt(graph, node, 0, clone);
	return MUSA_SUCCESS;
}
