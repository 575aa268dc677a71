/* SPDX-License-Identifier: MIT */
/*
 * One node's parameters in an exec: what may change, what has changed, and the change itself.
 */
#include <string.h>

#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "drv/module.h"
#include "graph/compile.h"
#include "graph/graph_memory.h"
#include "graph/update.h"

#define PRIORITY_BIT (1u << MU_LAUNCH_ATTRIBUTE_PRIORITY)

/* --- what may change ---------------------------------------------------------------------------- */

static uint32_t cooperative_of(const struct mt_op_kernel *kernel)
{
	return kernel->attrs && kernel->attrs->cooperative;
}

static int32_t requested_priority(const struct mt_op_kernel *kernel)
{
	return kernel->attrs && (kernel->attrs->set & PRIORITY_BIT)
		       ? kernel->attrs->priority_requested : 0;
}

static uint32_t refuse(enum mt_update_param param, uint32_t result,
		       enum mt_update_param *param_out)
{
	*param_out = param;
	return result;
}

static uint32_t check_kernel(const struct mt_exec *exec, const struct mt_exec_node *node,
			     const struct mt_op *op, bool with_attrs, enum mt_update_param *param)
{
	const uint32_t function = MU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
	const uint32_t attributes = MU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
	const struct mt_op_kernel *now = &node->op.kernel, *next = &op->kernel;

	if (op->device != node->op.device)
		return refuse(MT_UPDATE_DEVICE, function, param);
	if (next->fn->device != now->fn->device)
		return refuse(MT_UPDATE_FUNCTION_DEVICE, function, param);
	if (next->fn->device_launch && !now->fn->device_launch)
		return refuse(MT_UPDATE_DEVICE_LAUNCH, function, param);
	if (with_attrs && cooperative_of(now) != cooperative_of(next))
		return refuse(MT_UPDATE_COOPERATIVE, attributes, param);
	if (with_attrs && (exec->flags & MT_EXEC_NODE_PRIORITY) &&
	    requested_priority(now) != requested_priority(next))
		return refuse(MT_UPDATE_PRIORITY, attributes, param);
	return MU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* Memory types that updates take for the same. A kind that names a direction settles it: then plain
 * memory of every type is one class. */
static uint32_t memory_class(uint8_t type, uint8_t kind)
{
	switch ((enum mt_mem_type)type) {
	case MT_MEM_PAGEABLE:
	case MT_MEM_PINNED:
		return 0;
	case MT_MEM_DEVICE:
	case MT_MEM_MANAGED:
		return kind == 4 /* default: the pointers decide */;
	case MT_MEM_ARRAY:
		break;
	}
	return 2;
}

static bool on_device(const struct mt_copy_side *side)
{
	return side->type == MT_MEM_DEVICE || side->type == MT_MEM_MANAGED;
}

static bool same_memory(const struct mt_copy_side *now, const struct mt_copy_side *next,
			uint8_t kind)
{
	if (memory_class(now->type, kind) != memory_class(next->type, kind))
		return false;
	return !on_device(now) || !on_device(next) || now->device == next->device;
}

static bool same_side(const struct mt_copy_side *a, const struct mt_copy_side *b)
{
	return a->ptr == b->ptr && a->pitch_b == b->pitch_b &&
	       a->ysize == b->ysize && a->pos_x == b->pos_x && a->pos_y == b->pos_y &&
	       a->pos_z == b->pos_z && a->array == b->array && a->va == b->va;
}

static bool same_extent(const struct mt_op_copy *a, const struct mt_op_copy *b)
{
	return a->width == b->width && a->height == b->height && a->depth == b->depth;
}

static bool same_copy(const struct mt_op_copy *a, const struct mt_op_copy *b)
{
	return a->kind == b->kind && same_extent(a, b) && same_side(&a->src, &b->src) &&
	       same_side(&a->dst, &b->dst);
}

static enum mt_update_param find_copy_change(const struct mt_op_copy *now,
					     const struct mt_op_copy *next)
{
	if (now->is_1d != next->is_1d)
		return MT_UPDATE_COPY_FORM;
	if (now->kind != next->kind)
		return MT_UPDATE_COPY_KIND;
	if (!same_memory(&now->src, &next->src, now->kind))
		return MT_UPDATE_COPY_SOURCE_MEMORY;
	if (!same_memory(&now->dst, &next->dst, now->kind))
		return MT_UPDATE_COPY_TARGET_MEMORY;
	if (now->is_1d)
		return MT_UPDATE_NONE;
	if (!same_extent(now, next))
		return MT_UPDATE_COPY_EXTENT;
	if (!same_side(&now->src, &next->src))
		return MT_UPDATE_COPY_SOURCE;
	return same_side(&now->dst, &next->dst) ? MT_UPDATE_NONE : MT_UPDATE_COPY_TARGET;
}

static enum mt_update_param find_fill_change(const struct mt_exec_node *node,
					     const struct mt_op *op)
{
	const struct mt_op_fill *now = node->op.fill, *next = op->fill;

	if (node->op.device != op->device)
		return MT_UPDATE_DEVICE;
	if (now->height != next->height)
		return MT_UPDATE_FILL_HEIGHT;
	if (now->height <= 1)
		return MT_UPDATE_NONE;
	if (now->width != next->width)
		return MT_UPDATE_FILL_WIDTH;
	if (now->pitch_b != next->pitch_b)
		return MT_UPDATE_FILL_PITCH;
	return now->element_b == next->element_b ? MT_UPDATE_NONE : MT_UPDATE_FILL_ELEMENT;
}

uint32_t mt_update_check(const struct mt_exec *exec, const struct mt_exec_node *node,
			 const struct mt_op *op, bool with_attrs, enum mt_update_param *param_out)
{
	enum mt_update_param change = MT_UPDATE_NONE;

	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		return check_kernel(exec, node, op, with_attrs, param_out);
	case MT_OP_COPY:
		change = find_copy_change(node->op.copy, op->copy);
		/* Device code launches no copies of pageable memory. */
		if (!change && exec->device_graph && op->copy->src.type == MT_MEM_PAGEABLE)
			change = MT_UPDATE_COPY_SOURCE_MEMORY;
		else if (!change && exec->device_graph && op->copy->dst.type == MT_MEM_PAGEABLE)
			change = MT_UPDATE_COPY_TARGET_MEMORY;
		break;
	case MT_OP_FILL:
		change = find_fill_change(node, op);
		break;
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		if (node->op.sem.count != op->sem.count)
			change = MT_UPDATE_SEMAPHORES;
		break;
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		if (!mt_exec_memory_can_replace(exec, node, op->graph))
			return refuse(MT_UPDATE_ALLOCATION,
				      MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, param_out);
		break;
	default:
		break;
	}
	if (!change)
		return MU_GRAPH_EXEC_UPDATE_SUCCESS;
	return refuse(change, MU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, param_out);
}

/* --- what has changed --------------------------------------------------------------------------- */

bool mt_update_same_attrs(const struct mt_kernel_attrs *a, const struct mt_kernel_attrs *b)
{
	if (!a || !b)
		return (!a || !a->set) && (!b || !b->set);
	return !memcmp(a, b, sizeof(*a));
}

static bool same_fill(const struct mt_op_fill *a, const struct mt_op_fill *b)
{
	return a->dst == b->dst && a->pitch_b == b->pitch_b && a->width == b->width &&
	       a->height == b->height && a->value == b->value && a->element_b == b->element_b;
}

static bool same_semaphores(const struct mt_op_sem *a, const struct mt_op_sem *b)
{
	uint32_t i;

	if (a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++)
		if (a->params[i].semaphore != b->params[i].semaphore ||
		    a->params[i].value != b->params[i].value)
			return false;
	return true;
}

bool mt_update_is_same(const struct mt_exec *exec, const struct mt_exec_node *node,
		       const struct mt_op *op)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		return mt_update_same_kernel(exec, node, &op->kernel);
	case MT_OP_COPY:
		return same_copy(node->op.copy, op->copy) &&
		       node->op.copy->src.type == op->copy->src.type &&
		       node->op.copy->dst.type == op->copy->dst.type;
	case MT_OP_FILL:
		return same_fill(node->op.fill, op->fill);
	case MT_OP_HOST:
		return node->op.host.fn == op->host.fn && node->op.host.data == op->host.data;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		return node->op.event.event == op->event.event;
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		return same_semaphores(&node->op.sem, &op->sem);
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		return node->op.graph == op->graph;
	default:
		return true;
	}
}

/* --- the change --------------------------------------------------------------------------------- */

MUresult mt_update_prepare(struct mt_exec *exec, struct mt_update_change *change)
{
	uint32_t kernarg_b = mt_op_kernarg_b(change->op);
	struct mt_exec_node *node = change->node;

	change->move.room_b = 0;
	if (change->op->type == MT_OP_SEM_SIGNAL || change->op->type == MT_OP_SEM_WAIT)
		return mt_ext_semaphores_reach(&change->op->sem, exec->ctx);
	if (change->op->type != MT_OP_KERNEL)
		return MUSA_SUCCESS;
	if (change->with_attrs && change->op->kernel.attrs && !node->op.kernel.attrs) {
		node->op.kernel.attrs = mt_arena_alloc(&exec->arena,
						       sizeof(struct mt_kernel_attrs), 8);
		if (!node->op.kernel.attrs)
			return MUSA_ERROR_OUT_OF_MEMORY;
	}
	if (kernarg_b <= node->data_b)
		return MUSA_SUCCESS;
	return mt_patch_find_data(exec, node, kernarg_b, &change->move);
}

static void set_attrs(struct mt_exec_node *node, const struct mt_kernel_attrs *attrs)
{
	if (attrs)
		*node->op.kernel.attrs = *attrs;
	else if (node->op.kernel.attrs)
		memset(node->op.kernel.attrs, 0, sizeof(*node->op.kernel.attrs));
}

/* References to the new first: both may be the same. */
static void set_event(struct mt_exec_node *node, struct mt_event *event)
{
	mt_event_ref(event);
	mt_event_unref(node->op.event.event);
	node->op.event.event = event;
}

static void set_semaphores(struct mt_exec_node *node, const struct mt_op_sem *next)
{
	uint32_t i;

	for (i = 0; i < next->count; i++) {
		mt_ext_semaphore_ref(next->params[i].semaphore);
		mt_ext_semaphore_unref(node->op.sem.params[i].semaphore);
		node->op.sem.params[i] = next->params[i];
	}
}

static void set_op(const struct mt_update_change *change)
{
	struct mt_exec_node *node = change->node;
	const struct mt_op *op = change->op;
	struct mt_kernel_attrs *attrs;

	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		attrs = node->op.kernel.attrs;
		node->op = *op;
		node->op.kernel.attrs = attrs;
		if (change->with_attrs)
			set_attrs(node, op->kernel.attrs);
		break;
	case MT_OP_COPY:
		*node->op.copy = *op->copy;
		break;
	case MT_OP_FILL:
		*node->op.fill = *op->fill;
		break;
	case MT_OP_HOST:
		node->op.host = op->host;
		break;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		set_event(node, op->event.event);
		break;
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		set_semaphores(node, &op->sem);
		break;
	default:
		break;
	}
}

MUresult mt_update_commit(struct mt_exec *exec, const struct mt_update_change *change)
{
	struct mt_exec_node *node = change->node;
	struct mt_op_memory memory = { 0 };
	struct mt_patch_target target;
	MUresult ret;

	if (!node->packet_b)
		return MUSA_SUCCESS;
	if (!change->move.room_b && mt_exec_is_at_rest(exec)) {
		target.packet = mt_chain_cpu(&exec->chain, node->packet);
		target.data = node->data_b ? mt_chain_cpu(&exec->chain, node->data) : NULL;
	} else {
		ret = mt_patch_target(exec, node, &change->move, &target);
		if (ret)
			return ret;
	}
	set_op(change);
	memory.kernarg = target.data;
	memory.slot = (uint64_t *)(void *)target.data;
	memory.kernarg_va = node->data_b ? mt_chain_va(&exec->chain, node->data) : 0;
	memory.slot_va = memory.kernarg_va;
	if (node->op.type == MT_OP_KERNEL) {
		memory.priority = mt_exec_kernel_priority(exec, &node->op);
		node->op.kernel.args = change->op->kernel.args; /* for the encoder only */
	}
	mt_op_encode(&node->op, &memory, target.packet, mt_exec_node_flags(node),
		     (uint32_t)(node - exec->nodes));
	if (node->op.type == MT_OP_KERNEL)
		node->op.kernel.args = NULL;
	return MUSA_SUCCESS;
}
