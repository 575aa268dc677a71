/* SPDX-License-Identifier: MIT */
/*
 * Refused updates in words, for the log and the trace. Nothing here decides anything.
 */
#include <inttypes.h>
#include <stdio.h>

#include "graph/exec_conditional.h"
#include "graph/graph_memory.h"
#include "graph/update.h"

static const char *const param_names[] = {
	[MT_UPDATE_TYPE] = "node type",
	[MT_UPDATE_DEVICE] = "device",
	[MT_UPDATE_FUNCTION_DEVICE] = "device of the function",
	[MT_UPDATE_DEVICE_LAUNCH] = "function launches graphs",
	[MT_UPDATE_COOPERATIVE] = "cooperative attribute",
	[MT_UPDATE_PRIORITY] = "priority attribute",
	[MT_UPDATE_COPY_FORM] = "dimensions",
	[MT_UPDATE_COPY_KIND] = "copy kind",
	[MT_UPDATE_COPY_SOURCE_MEMORY] = "memory of the source",
	[MT_UPDATE_COPY_TARGET_MEMORY] = "memory of the destination",
	[MT_UPDATE_COPY_EXTENT] = "extent",
	[MT_UPDATE_COPY_SOURCE] = "source",
	[MT_UPDATE_COPY_TARGET] = "destination",
	[MT_UPDATE_FILL_HEIGHT] = "height",
	[MT_UPDATE_FILL_WIDTH] = "width",
	[MT_UPDATE_FILL_PITCH] = "pitch",
	[MT_UPDATE_FILL_ELEMENT] = "element size",
	[MT_UPDATE_SEMAPHORES] = "number of semaphores",
	[MT_UPDATE_ALLOCATION] = "allocation",
	[MT_UPDATE_CONDITIONAL_TYPE] = "conditional type",
	[MT_UPDATE_CONDITIONAL_BODIES] = "number of bodies",
	[MT_UPDATE_DEPENDENCIES] = "number of dependencies",
	[MT_UPDATE_EDGE] = "dependency",
	[MT_UPDATE_NODES] = "number of nodes",
	[MT_UPDATE_SINKS] = "number of nodes that lead to a sink",
};

const char *mt_update_type_name(uint8_t type)
{
	static const char *const names[] = { "kernel", "memcpy", "memset", "host", "child graph",
					     "empty", "event wait", "event record",
					     "semaphore signal", "semaphore wait", "alloc", "free",
					     "batch", "conditional" };

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown";
}

static void describe_memory(const struct mt_copy_side *side, char *text, size_t size_b)
{
	static const char *const names[] = { "pageable host", "pinned host", "device", "managed",
					     "array" };

	if (side->type <= MT_MEM_PINNED)
		snprintf(text, size_b, "%s memory", names[side->type]);
	else
		snprintf(text, size_b, "%s memory of device %u",
			 side->type <= MT_MEM_ARRAY ? names[side->type] : "unknown", side->device);
}

static void describe_side(const struct mt_copy_side *side, char *text, size_t size_b)
{
	snprintf(text, size_b, "0x%" PRIx64 " at (%" PRIu64 ", %" PRIu64 ", %" PRIu64
		 "), pitch %" PRIu64, side->va, side->pos_x, side->pos_y, side->pos_z,
		 side->pitch_b);
}

static void describe_copy(const struct mt_op_copy *copy, enum mt_update_param param, char *text,
			  size_t size_b)
{
	static const char *const kinds[] = { "host to host", "host to device", "device to host",
					     "device to device", "default" };

	switch (param) {
	case MT_UPDATE_COPY_FORM:
		snprintf(text, size_b, "%s", copy->is_1d ? "one" : "two or three");
		break;
	case MT_UPDATE_COPY_KIND:
		snprintf(text, size_b, "%s", copy->kind < 5 ? kinds[copy->kind] : "unknown");
		break;
	case MT_UPDATE_COPY_SOURCE_MEMORY:
		describe_memory(&copy->src, text, size_b);
		break;
	case MT_UPDATE_COPY_TARGET_MEMORY:
		describe_memory(&copy->dst, text, size_b);
		break;
	case MT_UPDATE_COPY_EXTENT:
		snprintf(text, size_b, "%" PRIu64 " x %" PRIu64 " x %" PRIu64, copy->width,
			 copy->height, copy->depth);
		break;
	case MT_UPDATE_COPY_SOURCE:
		describe_side(&copy->src, text, size_b);
		break;
	default:
		describe_side(&copy->dst, text, size_b);
		break;
	}
}

static uint64_t fill_value(const struct mt_op_fill *fill, enum mt_update_param param)
{
	switch (param) {
	case MT_UPDATE_FILL_HEIGHT:
		return fill->height;
	case MT_UPDATE_FILL_WIDTH:
		return fill->width;
	case MT_UPDATE_FILL_PITCH:
		return fill->pitch_b;
	default:
		return fill->element_b;
	}
}

static int64_t kernel_value(const struct mt_op *op, enum mt_update_param param)
{
	const struct mt_kernel_attrs *attrs = op->kernel.attrs;

	switch (param) {
	case MT_UPDATE_FUNCTION_DEVICE:
		return op->kernel.fn->device;
	case MT_UPDATE_DEVICE_LAUNCH:
		return op->kernel.fn->device_launch;
	case MT_UPDATE_COOPERATIVE:
		return attrs && attrs->cooperative;
	default:
		return attrs && (attrs->set & (1u << MU_LAUNCH_ATTRIBUTE_PRIORITY))
			       ? attrs->priority_requested : 0;
	}
}

static void describe_allocation(const struct mt_op *op, char *text, size_t size_b)
{
	const struct mt_graph_alloc *alloc = op->graph;

	snprintf(text, size_b, "%" PRIu64 " bytes, %s", alloc->size_b,
		 alloc->own_free ? "freed by its graph" : "not freed by its graph");
}

/* A conditional node's `graph` differs between exec and template. */
static void describe_conditional(uint32_t type, uint32_t size, enum mt_update_param param,
				 char *text, size_t size_b)
{
	static const char *const names[] = { "IF", "WHILE", "SWITCH" };

	if (param == MT_UPDATE_CONDITIONAL_TYPE)
		snprintf(text, size_b, "%s", type < 3 ? names[type] : "unknown");
	else
		snprintf(text, size_b, "%u", size);
}

static void describe(const struct mt_op *op, enum mt_update_param param, char *text, size_t size_b)
{
	switch (param) {
	case MT_UPDATE_TYPE:
		snprintf(text, size_b, "%s", mt_update_type_name(op->type));
		return;
	case MT_UPDATE_DEVICE:
		snprintf(text, size_b, "%u", op->device);
		return;
	case MT_UPDATE_FUNCTION_DEVICE:
	case MT_UPDATE_DEVICE_LAUNCH:
	case MT_UPDATE_COOPERATIVE:
	case MT_UPDATE_PRIORITY:
		snprintf(text, size_b, "%" PRId64, kernel_value(op, param));
		return;
	case MT_UPDATE_FILL_HEIGHT:
	case MT_UPDATE_FILL_WIDTH:
	case MT_UPDATE_FILL_PITCH:
	case MT_UPDATE_FILL_ELEMENT:
		snprintf(text, size_b, "%" PRIu64, fill_value(op->fill, param));
		return;
	case MT_UPDATE_SEMAPHORES:
		snprintf(text, size_b, "%u", op->sem.count);
		return;
	case MT_UPDATE_ALLOCATION:
		describe_allocation(op, text, size_b);
		return;
	case MT_UPDATE_COPY_FORM:
	case MT_UPDATE_COPY_KIND:
	case MT_UPDATE_COPY_SOURCE_MEMORY:
	case MT_UPDATE_COPY_TARGET_MEMORY:
	case MT_UPDATE_COPY_EXTENT:
	case MT_UPDATE_COPY_SOURCE:
	case MT_UPDATE_COPY_TARGET:
		describe_copy(op->copy, param, text, size_b);
		return;
	default:
		return;
	}
}

void mt_update_explain(const struct mt_exec *exec, const struct mt_exec_node *node,
		       const struct mt_op *op, enum mt_update_param param,
		       struct mt_update_reason *reason_out)
{
	struct mt_update_reason *r = reason_out;
	const struct mt_exec_cond *cond;
	const struct mt_conditional *next;

	r->node = node ? (uint32_t)(node - exec->nodes) : MT_EXEC_NONE;
	r->name = param_names[param];
	r->now[0] = r->next[0] = 0;
	if (!node || !op)
		return;
	if (param == MT_UPDATE_CONDITIONAL_TYPE || param == MT_UPDATE_CONDITIONAL_BODIES) {
		cond = node->op.graph;
		next = op->graph;
		describe_conditional(cond->type, cond->size, param, r->now, sizeof(r->now));
		describe_conditional(next->type, next->size, param, r->next, sizeof(r->next));
		return;
	}
	describe(&node->op, param, r->now, sizeof(r->now));
	describe(op, param, r->next, sizeof(r->next));
}

void mt_update_explain_counts(enum mt_update_param param, uint64_t now, uint64_t next,
			      struct mt_update_reason *reason_out)
{
	reason_out->name = param_names[param];
	snprintf(reason_out->now, sizeof(reason_out->now), "%" PRIu64, now);
	snprintf(reason_out->next, sizeof(reason_out->next), "%" PRIu64, next);
}
