/* SPDX-License-Identifier: MIT */
/* The one encoder from ops to packets, for streams and for graphs. */
#include <string.h>

#include "drv/codeobj.h"
#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "drv/module.h"
#include "drv/op.h"

uint32_t mt_op_packet_b(const struct mt_op *op)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		return sizeof(struct mt_pkt_dispatch);
	case MT_OP_COPY:
		return sizeof(struct mt_pkt_copy);
	case MT_OP_FILL:
		return sizeof(struct mt_pkt_fill);
	case MT_OP_HOST:
		return sizeof(struct mt_pkt_host);
	case MT_OP_EMPTY:
		return sizeof(struct mt_pkt_header);
	case MT_OP_EVENT_RECORD:
		return sizeof(struct mt_pkt_signal);
	case MT_OP_EVENT_WAIT:
		return sizeof(struct mt_pkt_wait);
	case MT_OP_SEM_SIGNAL:
		return op->sem.count * (uint32_t)sizeof(struct mt_pkt_signal);
	case MT_OP_SEM_WAIT:
		return op->sem.count * (uint32_t)sizeof(struct mt_pkt_wait);
	case MT_OP_CHILD:
	case MT_OP_ALLOC:
	case MT_OP_FREE:
	case MT_OP_BATCH_MEM:
	case MT_OP_CONDITIONAL:
		break;
	}
	return 0;
}

uint32_t mt_op_kernarg_b(const struct mt_op *op)
{
	return op->type == MT_OP_KERNEL ? (op->kernel.args_b + 63u) & ~63u : 0;
}

uint32_t mt_op_slot_b(const struct mt_op *op)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_HOST:
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		return sizeof(struct mt_pkt_pair);
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		return op->sem.count * (uint32_t)sizeof(struct mt_pkt_pair);
	default:
		return 0;
	}
}

static void *encode_kernel(const struct mt_op_kernel *kernel, const struct mt_op_memory *memory,
			   void *at, uint8_t flags, uint32_t node)
{
	const struct mt_function *fn = kernel->fn;
	struct mt_pkt_dispatch packet = {
		.header = {.flags = flags, .node = node},
		.code_va = fn->code_va,
		.grid_x = kernel->grid[0],
		.grid_y = kernel->grid[1],
		.grid_z = kernel->grid[2],
		.block_x = kernel->block[0],
		.block_y = kernel->block[1],
		.block_z = kernel->block[2],
		.dynamic_shared_b = kernel->dynamic_shared_b,
		.static_shared_b = fn->static_shared_b,
		.kernarg_b = kernel->args_b,
		.priority = memory->priority,
	};

	if (kernel->attrs && kernel->attrs->cooperative)
		packet.header.flags |= MT_PKT_DISPATCH_COOPERATIVE;
	if (kernel->args_b) {
		packet.kernarg_va = memory->kernarg_va;
		memcpy(memory->kernarg, kernel->args, kernel->args_b);
		if (fn->kernel->indirect_count)
			mt_codeobj_pack_address(fn->kernel, memory->kernarg, memory->kernarg_va);
	}
	return mt_pkt_put_dispatch(at, &packet);
}

static void *encode_copy(const struct mt_op_copy *copy, void *at, uint8_t flags, uint32_t node)
{
	struct mt_pkt_copy packet = {
		.header = {.flags = flags, .node = node},
		.dst_va = copy->dst.va,
		.src_va = copy->src.va,
		.width_b = copy->width_b,
		.dst_pitch_b = copy->dst.row_b,
		.dst_slice_b = copy->dst.slice_b,
		.src_pitch_b = copy->src.row_b,
		.src_slice_b = copy->src.slice_b,
		.height = (uint32_t)copy->height,
		.depth = (uint32_t)copy->depth,
	};

	return mt_pkt_put_copy(at, &packet);
}

static void *encode_fill(const struct mt_op_fill *fill, void *at, uint8_t flags, uint32_t node)
{
	struct mt_pkt_fill packet = {
		.header = {.flags = flags, .node = node},
		.dst_va = fill->dst,
		.width_b = fill->width * fill->element_b,
		.pitch_b = fill->pitch_b,
		.slice_b = fill->slice_b,
		.height = (uint32_t)fill->height,
		.depth = fill->depth,
		.value = fill->value,
		.element_b = fill->element_b,
	};

	return mt_pkt_put_fill(at, &packet);
}

static void *encode_event(const struct mt_op *op, const struct mt_op_memory *memory, void *at,
			  uint8_t flags, uint32_t node)
{
	memory->slot[0] = 0;
	memory->slot[1] = 0;
	if (op->type == MT_OP_EVENT_WAIT)
		return mt_pkt_put_wait(at, flags | MT_PKT_WAIT_INDIRECT, node, memory->slot_va, 0);
	flags |= MT_PKT_SIGNAL_INDIRECT | MT_PKT_SIGNAL_MAX;
	if (!(op->event.event->flags & MU_EVENT_DISABLE_TIMING))
		flags |= MT_PKT_SIGNAL_TIMESTAMP;
	return mt_pkt_put_signal(at, flags, node, memory->slot_va, 0);
}

static void *encode_semaphores(const struct mt_op *op, const struct mt_op_memory *memory, void *at,
			       uint8_t flags, uint32_t node)
{
	uint64_t *pair = memory->slot;
	uint64_t pair_va = memory->slot_va;

	for (uint32_t i = 0; i < op->sem.count; i++) {
		pair[0] = op->sem.params[i].semaphore->hw.va;
		pair[1] = op->sem.params[i].value;
		if (op->type == MT_OP_SEM_SIGNAL)
			at = mt_pkt_put_signal(at, flags | MT_PKT_SIGNAL_INDIRECT, node, pair_va,
					       0);
		else
			at = mt_pkt_put_wait(at, flags | MT_PKT_WAIT_INDIRECT, node, pair_va, 0);
		pair += 2;
		pair_va += sizeof(struct mt_pkt_pair);
		flags &= (uint8_t)~MT_PKT_BARRIER;
	}
	return at;
}

void *mt_op_encode(const struct mt_op *op, const struct mt_op_memory *memory, void *at,
		   uint8_t flags, uint32_t node)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		return encode_kernel(&op->kernel, memory, at, flags, node);
	case MT_OP_COPY:
		return encode_copy(op->copy, at, flags, node);
	case MT_OP_FILL:
		return encode_fill(op->fill, at, flags, node);
	case MT_OP_HOST:
		memory->slot[0] = (uint64_t)(uintptr_t)op->host.fn;
		memory->slot[1] = (uint64_t)(uintptr_t)op->host.data;
		return mt_pkt_put_host(at, flags, node, memory->slot_va);
	case MT_OP_EMPTY:
		return mt_pkt_put_nop(at, flags, node, 1);
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
		return encode_event(op, memory, at, flags, node);
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		return encode_semaphores(op, memory, at, flags, node);
	case MT_OP_CHILD:
	case MT_OP_ALLOC:
	case MT_OP_FREE:
	case MT_OP_BATCH_MEM:
	case MT_OP_CONDITIONAL:
		break;
	}
	return at;
}
