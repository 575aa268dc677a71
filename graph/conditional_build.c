/* SPDX-License-Identifier: MIT */
/*
 * Conditional handles and nodes of the template: who may use which handle, and the bodies.
 */
#include "graph/conditional_build.h"

#include "graph/calls.h"
#include "graph/conditional_words.h"
#include "graph/node.h"

MUresult mt_graph_new_conditional_handle(MUgraph graph_handle, uint32_t default_value,
					 uint32_t flags, uint64_t *handle_out)
{
	struct mt_cond_handle *handle;
	struct mt_graph *graph;
	struct mt_ctx *ctx;
	MUresult ret;

	if (!handle_out || flags & ~(uint32_t)MU_GRAPH_COND_ASSIGN_DEFAULT ||
	    mt_graph_get(graph_handle, &graph))
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_ctx_primary(graph->device, &ctx);
	if (ret)
		return ret;
	handle = mt_arena_alloc(&graph->arena, sizeof(*handle), _Alignof(struct mt_cond_handle));
	if (!handle)
		return MUSA_ERROR_OUT_OF_MEMORY;
	handle->graph = graph;
	handle->default_value = default_value;
	handle->flags = flags;
	ret = mt_cond_word_alloc(ctx, handle, &handle->va);
	if (ret)
		return ret;
	handle->next = graph->cond_handles;
	graph->cond_handles = handle;
	*handle_out = handle->va;
	return MUSA_SUCCESS;
}

struct mt_cond_handle *mt_cond_handle_find(const struct mt_graph *graph, uint64_t handle)
{
	struct mt_cond_handle *found = mt_cond_word_handle(handle);

	while (found && graph && found->graph != graph)
		graph = graph->parent;
	return graph ? found : NULL;
}

void mt_conditional_release(struct mt_node *node)
{
	const struct mt_conditional *conditional = node->op.graph;
	struct mt_cond_handle *handle = mt_cond_word_handle(conditional->handle);

	if (handle)
		handle->used = false;
}

void mt_cond_handles_drop(struct mt_graph *graph)
{
	struct mt_cond_handle *handle;

	for (handle = graph->cond_handles; handle; handle = handle->next) {
		mt_cond_word_forget(handle->va);
		mt_cond_word_unref(handle->va);
	}
	graph->cond_handles = NULL;
}

/* Each body takes a handle; there cannot be more. */
#define BODIES_MAX (1u << 22)

static bool is_good_size(uint32_t type, uint32_t size)
{
	switch (type) {
	case MU_GRAPH_COND_TYPE_IF:
		return size == 1 || size == 2;
	case MU_GRAPH_COND_TYPE_WHILE:
		return size == 1;
	case MU_GRAPH_COND_TYPE_SWITCH:
		return size >= 1;
	default:
		return false;
	}
}

static bool is_in_child(const struct mt_graph *graph)
{
	for (; graph; graph = graph->parent)
		if (graph->role == MT_GRAPH_CHILD)
			return true;
	return false;
}

static void destroy_bodies(struct mt_conditional *conditional, uint32_t count)
{
	while (count)
		mt_graph_destroy(conditional->bodies[--count]);
}

static MUresult create_bodies(struct mt_graph *graph, struct mt_conditional *conditional)
{
	MUresult ret;
	uint32_t i;

	conditional->bodies = mt_arena_alloc(&graph->arena,
					     conditional->size * sizeof(*conditional->bodies),
					     sizeof(*conditional->bodies));
	conditional->body_handles = mt_arena_alloc(&graph->arena,
						   conditional->size *
							   sizeof(*conditional->body_handles),
						   sizeof(*conditional->body_handles));
	if (!conditional->bodies || !conditional->body_handles)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < conditional->size; i++) {
		ret = mt_graph_create(graph->device, MT_GRAPH_BODY, &conditional->bodies[i]);
		if (ret) {
			destroy_bodies(conditional, i);
			return ret;
		}
		conditional->body_handles[i] = conditional->bodies[i]->handle;
	}
	return MUSA_SUCCESS;
}

static MUresult add_node(struct mt_graph *graph, const MUgraphNode *deps, size_t dep_count,
			 struct mt_conditional *conditional, struct mt_node **node_out)
{
	struct mt_op op = { .type = MT_OP_CONDITIONAL, .device = (uint8_t)graph->device };
	MUresult ret;
	uint32_t i;

	ret = create_bodies(graph, conditional);
	if (ret)
		return ret;
	op.graph = conditional;
	ret = mt_graph_add_checked(graph, deps, dep_count, &op, node_out);
	if (ret) {
		destroy_bodies(conditional, conditional->size);
		return ret;
	}
	for (i = 0; i < conditional->size; i++)
		mt_graph_adopt(graph, *node_out, i, conditional->bodies[i]);
	return MUSA_SUCCESS;
}

MUresult mt_graph_append_conditional(MUgraphNode *node_out, MUgraph graph_handle,
				     const MUgraphNode *deps, size_t dep_count, uint64_t handle,
				     uint32_t type, uint32_t size, MUgraph **bodies_out)
{
	struct mt_conditional *conditional;
	struct mt_cond_handle *used;
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret;

	if (!node_out || mt_graph_get(graph_handle, &graph) || !is_good_size(type, size))
		return MUSA_ERROR_INVALID_VALUE;
	used = mt_cond_handle_find(graph, handle);
	if (!used || used->used)
		return MUSA_ERROR_INVALID_VALUE;
	if (is_in_child(graph))
		return MUSA_ERROR_NOT_SUPPORTED;
	if (size > BODIES_MAX)
		return MUSA_ERROR_OUT_OF_MEMORY;
	conditional = mt_arena_alloc(&graph->arena, sizeof(*conditional),
				     _Alignof(struct mt_conditional));
	if (!conditional)
		return MUSA_ERROR_OUT_OF_MEMORY;
	conditional->handle = handle;
	conditional->type = type;
	conditional->size = size;
	ret = add_node(graph, deps, dep_count, conditional, &node);
	if (ret)
		return ret;
	used->used = true;
	*bodies_out = (MUgraph *)conditional->body_handles;
	*node_out = (MUgraphNode)(uintptr_t)mt_node_handle(graph, node);
	return MUSA_SUCCESS;
}
