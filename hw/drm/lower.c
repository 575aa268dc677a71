/* SPDX-License-Identifier: MIT */
/*
 * Reads the packets of a submission for a device that does not read packets itself.
 *
 * The walk follows the stream as a command processor would. Kernels and branches have no form in
 * the published interface: a graph with them is refused where it is instantiated, so meeting one
 * here is an error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/drm/queue.h"

/* A stream that jumps in a circle is found out. */
#define PACKETS_MAX (UINT64_C(1) << 32)

struct walk {
	uint64_t at;
	uint64_t stack[MT_PKT_CALL_DEPTH_MAX];
	uint32_t depth;
	bool ended;
};

int mt_drm_lower_fault(struct mt_drm_queue *queue, enum mt_hw_fault_code code, uint64_t address,
		       const char *text)
{
	struct mt_hw_fault fault = {
		.code = code,
		.node = queue->lower.node,
		.queue = queue->base.id,
		.seq = queue->base.submitted + 1,
		.address = address,
	};

	snprintf(fault.text, sizeof(fault.text), "%s", text);
	mt_drm_fault(queue->device, &fault);
	return -EIO;
}

bool mt_drm_lower_find(struct mt_drm_queue *queue, uint64_t va, struct mt_drm_range *cache)
{
	const struct mt_drm_range *range;

	if (va - cache->va < cache->size_b)
		return true;
	pthread_mutex_lock(&queue->device->lock);
	range = mt_drm_ranges_find(&queue->device->map, va);
	if (range)
		*cache = *range;
	pthread_mutex_unlock(&queue->device->lock);
	return range != NULL;
}

/* Memory that packets and what they point to lie in. */
static const void *read_words(struct mt_drm_queue *queue, uint64_t va, uint64_t size_b)
{
	struct mt_drm_range *range = &queue->lower.packet;

	if (!mt_drm_lower_find(queue, va, range) || !range->cpu ||
	    range->size_b - (va - range->va) < size_b || va % 8)
		return NULL;
	return (const void *)(uintptr_t)va;
}

static int read_pair(struct mt_drm_queue *queue, uint64_t address, uint64_t value, bool indirect,
		     struct mt_pkt_pair *pair_out)
{
	const struct mt_pkt_pair *pair;

	*pair_out = (struct mt_pkt_pair){address, value};
	if (!indirect)
		return 0;
	pair = read_words(queue, address, sizeof(*pair));
	if (!pair)
		return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, address,
					  "a pair lies in no readable memory");
	*pair_out = *pair;
	return 0;
}

static int lower_wait_for(struct mt_drm_queue *queue, const struct mt_pkt_pair *pair)
{
	uint64_t handle = mt_drm_semaphore_handle(queue->device, pair->semaphore_va);

	if (!handle)
		return mt_drm_lower_fault(
			queue, MT_HW_FAULT_ILLEGAL_ADDRESS, pair->semaphore_va,
			"a wait for something that is no semaphore of this device");
	if (atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)pair->semaphore_va,
				 memory_order_acquire) >= pair->value)
		return 0;
	return mt_drm_lower_check(queue, handle, pair->value);
}

static int lower_wait(struct mt_drm_queue *queue, const struct mt_pkt_wait *packet)
{
	struct mt_pkt_pair pair;
	int ret = read_pair(queue, packet->address, packet->value,
			    packet->header.flags & MT_PKT_WAIT_INDIRECT, &pair);

	return ret || !pair.semaphore_va ? ret : lower_wait_for(queue, &pair);
}

/*
 * Where a value must not sink, or time is asked for, the host signals. UNVERIFIED: whether a job's
 * update could lower a value; it is not risked.
 */
static int lower_signal(struct mt_drm_queue *queue, const struct mt_pkt_signal *packet)
{
	uint8_t flags = packet->header.flags;
	struct mt_drm_step step = {.kind = MT_DRM_STEP_SIGNAL};
	struct mt_pkt_pair pair;
	uint64_t handle;
	int ret = read_pair(queue, packet->address, packet->value, flags & MT_PKT_SIGNAL_INDIRECT,
			    &pair);

	if (ret || !pair.semaphore_va)
		return ret;
	handle = mt_drm_semaphore_handle(queue->device, pair.semaphore_va);
	if (!handle)
		return mt_drm_lower_fault(
			queue, MT_HW_FAULT_ILLEGAL_ADDRESS, pair.semaphore_va,
			"a signal of something that is no semaphore of this device");
	if (!(flags & (MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP)))
		return mt_drm_lower_update(queue, handle, pair.value);
	step.a = pair.semaphore_va;
	step.b = pair.value;
	step.stamp = flags & MT_PKT_SIGNAL_TIMESTAMP;
	return mt_drm_lower_step(queue, &step);
}

static int lower_host(struct mt_drm_queue *queue, const struct mt_pkt_host *packet)
{
	const struct mt_pkt_host_args *args = read_words(queue, packet->args_va, sizeof(*args));
	struct mt_drm_step step = {.kind = MT_DRM_STEP_CALL};

	if (!args)
		return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->args_va,
					  "a host call's words lie in no readable memory");
	step.a = args->fn;
	step.b = args->data;
	return mt_drm_lower_step(queue, &step);
}

static int lower_timestamp(struct mt_drm_queue *queue, const struct mt_pkt_timestamp *packet)
{
	struct mt_drm_step step = {.kind = MT_DRM_STEP_TIME, .a = packet->address};

	if (!read_words(queue, packet->address, sizeof(uint64_t)))
		return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->address,
					  "a time stamp goes to memory that the host does not see");
	return mt_drm_lower_step(queue, &step);
}

static int refuse(struct mt_drm_queue *queue, const char *what)
{
	mt_log(MT_LOG_ERROR,
	       "%s: generation %s: %s of node %d is not supported: its encoding is not public",
	       queue->device->path, queue->device->generation->name, what, (int)queue->lower.node);
	return -ENOTSUP;
}

static int lower_dispatch(struct mt_drm_queue *queue, const struct mt_pkt_dispatch *packet)
{
	const struct mt_drm_generation *generation = queue->device->generation;

	return generation->lower_dispatch ? generation->lower_dispatch(queue, packet)
					  : refuse(queue, "the kernel");
}

/* Packets that move data or signal something. */
static int lower_work(struct mt_drm_queue *queue, const void *packet, uint8_t opcode)
{
	switch ((enum mt_pkt_opcode)opcode) {
	case MT_PKT_OP_DISPATCH:
		return lower_dispatch(queue, packet);
	case MT_PKT_OP_COPY:
		return mt_drm_lower_copy(queue, packet);
	case MT_PKT_OP_FILL:
		return mt_drm_lower_fill(queue, packet);
	case MT_PKT_OP_WRITE:
		return mt_drm_lower_write(queue, packet);
	case MT_PKT_OP_WAIT:
		return lower_wait(queue, packet);
	case MT_PKT_OP_SIGNAL:
		return lower_signal(queue, packet);
	case MT_PKT_OP_HOST:
		return lower_host(queue, packet);
	case MT_PKT_OP_TIMESTAMP:
		return lower_timestamp(queue, packet);
	case MT_PKT_OP_COND:
		return refuse(queue, "the branch");
	default:
		return 0; /* stages are in order in any case */
	}
}

/* Goes on behind the packet, or where it leads. */
static int step_on(struct mt_drm_queue *queue, struct walk *walk,
		   const struct mt_pkt_header *header)
{
	const struct mt_pkt_jump *jump = (const struct mt_pkt_jump *)header;
	uint64_t behind = walk->at + header->len_qw * 8u;
	bool disabled = header->flags & MT_PKT_DISABLED;

	switch ((enum mt_pkt_opcode)header->opcode) {
	case MT_PKT_OP_JUMP:
		walk->at = disabled ? behind : jump->target_va;
		return 0;
	case MT_PKT_OP_CALL:
		walk->at = disabled ? behind : jump->target_va;
		if (disabled)
			return 0;
		if (walk->depth == MT_PKT_CALL_DEPTH_MAX)
			return mt_drm_lower_fault(queue, MT_HW_FAULT_BAD_PACKET, walk->at,
						  "calls are nested too deeply");
		walk->stack[walk->depth++] = behind;
		return 0;
	case MT_PKT_OP_RETURN:
		if (!walk->depth)
			return mt_drm_lower_fault(queue, MT_HW_FAULT_BAD_PACKET, walk->at,
						  "a return without a call");
		walk->at = walk->stack[--walk->depth];
		return 0;
	case MT_PKT_OP_END:
		walk->ended = true;
		return 0;
	default:
		walk->at = behind;
		return 0;
	}
}

static int lower_packets(struct mt_drm_queue *queue, uint64_t first_va)
{
	struct mt_drm_lower *lower = &queue->lower;
	struct walk walk = {.at = first_va};
	const struct mt_pkt_header *header;
	const char *why;
	int ret = 0;

	for (uint64_t i = 0; !walk.ended && !ret; i++) {
		lower->node = MT_PKT_NODE_NONE;
		header = read_words(queue, walk.at, sizeof(*header));
		if (!header)
			return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, walk.at,
						  "packets lie in no readable memory");
		if (mt_pkt_validate(header,
				    (lower->packet.size_b - (walk.at - lower->packet.va)) / 8,
				    &why))
			return mt_drm_lower_fault(queue, MT_HW_FAULT_BAD_PACKET, walk.at, why);
		lower->node = header->node;
		if (i == PACKETS_MAX)
			return mt_drm_lower_fault(queue, MT_HW_FAULT_TIMEOUT, walk.at,
						  "the stream does not end");
		if (!(header->flags & MT_PKT_DISABLED))
			ret = lower_work(queue, header, header->opcode);
		if (!ret)
			ret = step_on(queue, &walk, header);
	}
	return ret;
}

int mt_drm_lower(struct mt_drm_queue *queue, const struct mt_hw_submit *submit)
{
	struct mt_pkt_pair first = {submit->wait_va, submit->wait_value};
	struct mt_drm_lower *lower = &queue->lower;
	int ret = 0;

	if (submit->lane_count != 1)
		return -ENOTSUP; /* lanes run side by side, stages do not */
	lower->cmds.count = lower->checks.count = lower->updates.count = lower->stages.count = 0;
	lower->cmd_first = lower->check_first = lower->update_first = 0;
	lower->stage = queue->stage;
	lower->pattern_va = 0;
	lower->node = MT_PKT_NODE_NONE;
	/* Mappings may have changed since. */
	lower->dst.size_b = lower->src.size_b = lower->packet.size_b = 0;
	if (submit->wait_va)
		ret = lower_wait_for(queue, &first);
	if (!ret && submit->prologue_va)
		ret = lower_packets(queue, submit->prologue_va);
	if (!ret)
		ret = lower_packets(queue, submit->lane_va[0]);
	return ret ? ret : mt_drm_lower_end(queue, queue->base.submitted + 1);
}

void mt_drm_lower_finish(struct mt_drm_lower *lower)
{
	mt_free(lower->cmds.at);
	mt_free(lower->checks.at);
	mt_free(lower->updates.at);
	mt_free(lower->stages.at);
}
