/* SPDX-License-Identifier: MIT */
/*
 * A node's op: copied in, replaced in place, released. Replacing reuses the old op's memory, so that
 * a graph whose parameters are set again and again does not grow.
 */
#include "graph/node.h"

#include <string.h>

#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "graph/conditional_build.h"
#include "graph/edge.h"
#include "graph/mem_node.h"

static bool is_own_type(uint8_t type)
{
	return type == MT_OP_CHILD || type == MT_OP_ALLOC || type == MT_OP_FREE ||
	       type == MT_OP_CONDITIONAL;
}

static uint16_t room_units(uint32_t args_b)
{
	uint32_t units = args_b / MT_ARGS_UNIT_B;

	return units < UINT16_MAX ? (uint16_t)units : UINT16_MAX;
}

/* Ops that run on no device of their own count to their graph's. */
static bool has_device(uint8_t type)
{
	return type == MT_OP_KERNEL || type == MT_OP_COPY || type == MT_OP_FILL;
}

MUresult mt_node_init(struct mt_graph *graph, struct mt_node *node, const struct mt_op *op)
{
	MUresult ret;

	if (is_own_type(op->type)) {
		node->op = *op;
		return MUSA_SUCCESS;
	}
	ret = mt_op_copy_in(&node->op, op, &graph->arena);
	if (ret)
		return ret;
	if (op->type == MT_OP_KERNEL)
		node->args_room = room_units(node->op.kernel.args_b);
	if (!has_device(op->type))
		node->op.device = (uint8_t)graph->device;
	return MUSA_SUCCESS;
}

struct mt_graph *mt_node_nested(const struct mt_node *node, uint32_t slot)
{
	const struct mt_conditional *conditional;

	if (node->dead)
		return NULL;
	if (node->op.type == MT_OP_CHILD && slot == 0)
		return ((const struct mt_child *)node->op.graph)->graph;
	if (node->op.type == MT_OP_CONDITIONAL) {
		conditional = node->op.graph;
		return slot < conditional->size ? conditional->bodies[slot] : NULL;
	}
	return NULL;
}

void mt_node_count(struct mt_graph *graph, const struct mt_node *node, int sign)
{
	graph->node_count += (uint32_t)sign;
	switch (node->op.type) {
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		graph->mem_node_count += (uint32_t)sign;
		break;
	case MT_OP_CONDITIONAL:
		graph->cond_node_count += (uint32_t)sign;
		graph->nested_count += (uint32_t)sign;
		break;
	case MT_OP_CHILD:
		graph->nested_count += (uint32_t)sign;
		break;
	default:
		break;
	}
}

void mt_node_release(struct mt_graph *graph, struct mt_node *node)
{
	switch (node->op.type) {
	case MT_OP_CHILD:
		break;
	case MT_OP_CONDITIONAL:
		mt_conditional_release(node);
		break;
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		mt_mem_node_release(graph, node);
		break;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		mt_op_finish(&node->op, true);
		break;
	default:
		break; /* all in the arena */
	}
}

/* Attributes are a node's, not its parameters': they stay. */
static MUresult set_kernel(struct mt_graph *graph, struct mt_node *node, const struct mt_op *op)
{
	uint32_t args_b = op->kernel.args_b;
	struct mt_kernel_attrs *attrs = node->op.kernel.attrs;
	void *args = node->op.kernel.args;

	if (args_b > (uint32_t)node->args_room * MT_ARGS_UNIT_B) {
		args_b = (args_b + MT_ARGS_UNIT_B - 1) & ~(MT_ARGS_UNIT_B - 1);
		args = mt_arena_alloc(&graph->arena, args_b, 64);
		if (!args)
			return MUSA_ERROR_OUT_OF_MEMORY;
		node->args_room = room_units(args_b);
	}
	if (op->kernel.args_b)
		memcpy(args, op->kernel.args, op->kernel.args_b);
	node->op = *op;
	node->op.kernel.args = args;
	node->op.kernel.attrs = attrs;
	return MUSA_SUCCESS;
}

/* The new references are taken before the old ones go. */
static MUresult set_event(struct mt_node *node, const struct mt_op *op)
{
	mt_event_ref(op->event.event);
	mt_event_unref(node->op.event.event);
	node->op.event = op->event;
	return MUSA_SUCCESS;
}

static MUresult set_semaphores(struct mt_graph *graph, struct mt_node *node, const struct mt_op *op)
{
	struct mt_op old = node->op;
	uint32_t i;
	MUresult ret;

	if (op->sem.count > old.sem.count) {
		ret = mt_op_copy_in(&node->op, op, &graph->arena);
		if (ret)
			return ret;
		node->op.device = old.device;
		mt_op_finish(&old, true);
		return MUSA_SUCCESS;
	}
	for (i = 0; i < op->sem.count; i++)
		mt_ext_semaphore_ref(op->sem.params[i].semaphore);
	for (i = 0; i < old.sem.count; i++)
		mt_ext_semaphore_unref(old.sem.params[i].semaphore);
	if (op->sem.count)
		memcpy(old.sem.params, op->sem.params, op->sem.count * sizeof(*op->sem.params));
	node->op.sem.count = op->sem.count;
	return MUSA_SUCCESS;
}

MUresult mt_node_set_op(struct mt_graph *graph, struct mt_node *node, const struct mt_op *op)
{
	struct mt_op old = node->op;

	switch (op->type) {
	case MT_OP_KERNEL:
		return set_kernel(graph, node, op);
	case MT_OP_COPY:
		*old.copy = *op->copy;
		node->op.device = op->device;
		return MUSA_SUCCESS;
	case MT_OP_FILL:
		*old.fill = *op->fill;
		node->op.device = op->device;
		return MUSA_SUCCESS;
	case MT_OP_HOST:
		node->op.host = op->host;
		return MUSA_SUCCESS;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		return set_event(node, op);
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		return set_semaphores(graph, node, op);
	case MT_OP_EMPTY:
		return MUSA_SUCCESS;
	default:
		return MUSA_ERROR_NOT_SUPPORTED;
	}
}

MUresult mt_graph_remove_node(struct mt_graph *graph, struct mt_node *node)
{
	struct mt_graph *nested;
	uint32_t slot;

	mt_edge_unlink_node(graph, node);
	for (slot = 0; (nested = mt_node_nested(node, slot)); slot++)
		mt_graph_destroy(nested);
	mt_node_release(graph, node);
	mt_node_count(graph, node, -1);
	node->dead = true;
	return MUSA_SUCCESS;
}
