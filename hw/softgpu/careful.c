/* SPDX-License-Identifier: MIT */
/*
 * The careful packet loop: every packet that may start is a candidate, and one of them is chosen,
 * by priority or by the random generator.
 *
 * A lane issues packets: control packets happen at once, others join the lane's set of deferred
 * ones, out of which they start in any order. A packet that must not overtake earlier ones is only
 * issued once the set is empty and nothing is pending.
 */
#include "hw/softgpu/internal.h"

struct choice {
	uint32_t lane;
	int32_t deferred; /* index, or -1: issue the lane's next packet */
	int32_t priority;
	uint32_t seen; /* candidates so far */
};

static bool drained(struct sg_lane *lane)
{
	return !lane->deferred_count && !atomic_load_explicit(&lane->pending, memory_order_acquire);
}

/* May the lane's next packet be issued now? */
static bool may_issue(struct sg_worker *worker, struct sg_lane *lane)
{
	const struct mt_pkt_header *packet;

	if (lane->block == SG_BLOCK_WAIT && !mt_sg_lane_runnable(worker, lane))
		return false;
	lane->block = SG_RUNNABLE;
	packet = mt_sg_packet_fetch(worker, lane->pc);
	if (!packet)
		return false;
	if (packet->flags & MT_PKT_BARRIER && !drained(lane))
		return false;
	if (packet->flags & MT_PKT_DISABLED)
		return true;
	switch (packet->opcode) {
	case MT_PKT_OP_BARRIER:
	case MT_PKT_OP_SIGNAL:
	case MT_PKT_OP_COND:
	case MT_PKT_OP_TIMESTAMP:
	case MT_PKT_OP_END:
		return drained(lane);
	case MT_PKT_OP_WAIT:
	case MT_PKT_OP_JUMP:
	case MT_PKT_OP_CALL:
	case MT_PKT_OP_RETURN:
		return true;
	default:
		return lane->deferred_count < SG_DEFERRED_MAX;
	}
}

static int32_t priority_of(uint64_t pc)
{
	const struct mt_pkt_dispatch *packet = (const void *)(uintptr_t)pc;

	return packet->header.opcode == MT_PKT_OP_DISPATCH ? packet->priority : 0;
}

/* Takes the candidate if it beats the choice so far. Issuing comes first, because only what has
 * been issued can be compared. */
static void offer(struct sg_worker *worker, struct choice *choice, uint32_t lane, int32_t deferred,
		  int32_t priority)
{
	bool better;

	choice->seen++;
	if (worker->engine->config.random)
		better = mt_sg_random(worker) % choice->seen == 0;
	else
		better = choice->seen == 1 || priority < choice->priority;
	if (better) {
		choice->lane = lane;
		choice->deferred = deferred;
		choice->priority = priority;
	}
}

static void collect(struct sg_worker *worker, struct mt_sg_queue *queue, struct choice *choice)
{
	struct sg_lane *lane;
	uint32_t i, k;

	for (i = 0; i < MT_HW_LANES_MAX; i++) {
		lane = &queue->lanes[i];
		if (!(queue->live >> i & 1))
			continue;
		if (may_issue(worker, lane))
			offer(worker, choice, i, -1, INT32_MIN);
		for (k = 0; k < lane->deferred_count; k++)
			offer(worker, choice, i, (int32_t)k, priority_of(lane->deferred[k]));
	}
}

static enum sg_result issue(struct sg_worker *worker, struct mt_sg_queue *queue, uint32_t index)
{
	struct sg_lane *lane = &queue->lanes[index];
	const struct mt_pkt_header *packet = mt_sg_packet_fetch(worker, lane->pc);

	if (!packet)
		return SG_STOPPED;
	if (packet->flags & MT_PKT_DISABLED) {
		lane->pc += packet->len_qw * 8u;
		return SG_NEXT;
	}
	if (mt_sg_packet_is_control(packet))
		return mt_sg_lane_control(worker, lane, packet);
	lane->deferred[lane->deferred_count++] = lane->pc;
	lane->pc += packet->len_qw * 8u;
	return SG_NEXT;
}

static enum sg_result start(struct sg_worker *worker, struct mt_sg_queue *queue,
			    const struct choice *choice)
{
	struct sg_lane *lane = &queue->lanes[choice->lane];
	const struct mt_pkt_header *packet;
	uint32_t k;

	packet = mt_sg_packet_fetch(worker, lane->deferred[choice->deferred]);
	if (!packet)
		return SG_STOPPED;
	lane->deferred_count--;
	for (k = (uint32_t)choice->deferred; k < lane->deferred_count; k++)
		lane->deferred[k] = lane->deferred[k + 1];
	/* While this one runs its lane may issue, whatever else there is. */
	return mt_sg_lane_execute(worker, queue, choice->lane, packet, true);
}

/* Blocked: says for each lane what for, so that the queue can be parked. */
static void mark_blocked(struct mt_sg_queue *queue)
{
	uint32_t i;

	for (i = 0; i < MT_HW_LANES_MAX; i++)
		if (queue->live >> i & 1 && queue->lanes[i].block != SG_BLOCK_WAIT)
			queue->lanes[i].block = SG_BLOCK_ORDER;
}

enum sg_result mt_sg_careful_run(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	struct mt_sg_engine *engine = worker->engine;
	struct choice choice;
	enum sg_result result;

	for (;;) {
		if (atomic_load_explicit(&engine->stopped, memory_order_relaxed))
			return SG_STOPPED;
		if (atomic_load_explicit(&engine->urgent, memory_order_relaxed) > queue->level + 1)
			return SG_YIELD;
		if (engine->config.random && mt_sg_ready_any(engine) && mt_sg_random(worker) & 1)
			return SG_YIELD;
		mt_sg_check_refresh(worker);
		choice = (struct choice){.deferred = -1};
		collect(worker, queue, &choice);
		if (atomic_load(&engine->stopped))
			return SG_STOPPED;
		if (!choice.seen) {
			mark_blocked(queue);
			return SG_BLOCKED;
		}
		atomic_fetch_add_explicit(&queue->progress, 1, memory_order_relaxed);
		if (choice.deferred < 0)
			result = issue(worker, queue, choice.lane);
		else
			result = start(worker, queue, &choice);
		if (result == SG_ENDED) {
			queue->live &= ~(1u << choice.lane);
			if (!queue->live)
				return SG_ENDED;
		} else if (result != SG_NEXT && result != SG_BLOCKED) {
			return result;
		}
	}
}
