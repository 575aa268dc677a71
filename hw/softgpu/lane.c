/* SPDX-License-Identifier: MIT */
/*
 * The packet loop: lanes of one submission, in order of issue, kernels in place. Priorities and random
 * order are careful.c's.
 */
#include "hw/softgpu/internal.h"

/* Packets between two looks at other ready queues, so that a long loop shares a single worker. */
#define PACKETS_PER_TURN 4096u

/* Copies from this size on are worth giving the role away meanwhile. */
#define LONG_COPY_B 65536u

/* The packet at pc, header checked and wholly readable; NULL: fault raised. */
const struct mt_pkt_header *mt_sg_packet_fetch(struct sg_worker *worker, uint64_t pc)
{
	const struct mt_pkt_header *packet = (const void *)(uintptr_t)pc;
	const char *why;

	atomic_store_explicit(&worker->pc, pc, memory_order_relaxed);
	atomic_store_explicit(&worker->node, MT_PKT_NODE_NONE, memory_order_relaxed);
	if (pc & 7) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_MISALIGNED, pc,
				   "packet address is no multiple of 8");
		return NULL;
	}
	if (!mt_sg_check(worker, SG_ACCESS_PACKET, pc, 8)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, pc,
				   "packet address is not mapped");
		return NULL;
	}
	atomic_store_explicit(&worker->node, packet->node, memory_order_relaxed);
	if (packet->len_qw && !mt_sg_check(worker, SG_ACCESS_PACKET, pc, packet->len_qw * 8u)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, pc,
				   "packet ends outside its memory");
		return NULL;
	}
	if (mt_pkt_validate(packet, packet->len_qw ? packet->len_qw : 1, &why)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, pc, "%s", why);
		return NULL;
	}
	return packet;
}

bool mt_sg_lane_runnable(struct sg_worker *worker, struct sg_lane *lane)
{
	switch (lane->block) {
	case SG_BLOCK_ORDER:
		if (atomic_load_explicit(&lane->pending, memory_order_acquire))
			return false;
		break;
	case SG_BLOCK_WAIT:
		/* Checked when the WAIT was executed, but mappings may have gone since. */
		mt_sg_check_refresh(worker);
		if (unlikely(!mt_sg_check(worker, SG_ACCESS_WORD, lane->waiter.va, 8))) {
			atomic_store_explicit(&worker->node, lane->wait_node, memory_order_relaxed);
			mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, lane->waiter.va,
					   "WAIT on a word whose memory has gone");
			return false;
		}
		if (mt_sg_word_load(lane->waiter.va) < lane->waiter.value)
			return false;
		mt_sg_waiter_unlink(worker->engine, &lane->waiter);
		break;
	default:
		break;
	}
	lane->block = SG_RUNNABLE;
	return true;
}

/* Could a packet behind this one start before this one has completed? */
static bool overlaps(const struct sg_worker *worker, const struct mt_sg_queue *queue, uint64_t next)
{
	const struct mt_pkt_header *packet = (const void *)(uintptr_t)next;
	const struct sg_range *range = &worker->found[SG_ACCESS_PACKET];

	if (queue->live & (queue->live - 1))
		return true;
	if (next - range->va + 8 > range->size_b)
		return true;
	if (packet->flags & MT_PKT_BARRIER)
		return false;
	switch (packet->opcode) {
	case MT_PKT_OP_BARRIER:
	case MT_PKT_OP_SIGNAL:
	case MT_PKT_OP_COND:
	case MT_PKT_OP_TIMESTAMP:
	case MT_PKT_OP_END:
		return false;
	default:
		return true;
	}
}

/* The token by which the role may be taken back; everything else is out of reach from now on. */
static inline uint64_t publish(struct mt_sg_queue *queue, uint32_t index)
{
	uint64_t token = queue->token + SG_STATE_TOKENS;

	queue->inline_lane = index;
	queue->token = token;
	mt_sg_watcher_arm(queue->engine);
	atomic_store_explicit(&queue->state, token, memory_order_release);
	return token;
}

/* False: another worker has the role now. */
static inline bool take_back(struct mt_sg_queue *queue, uint64_t token, uint32_t index)
{
	if (likely(atomic_compare_exchange_strong(&queue->state, &token, SG_STATE_OWNED)))
		return true;
	mt_sg_item_done(queue, index);
	return false;
}

enum sg_result mt_sg_lane_execute(struct sg_worker *worker, struct mt_sg_queue *queue, uint32_t index,
				  const struct mt_pkt_header *packet, bool share)
{
	uint64_t token = 0;
	bool done;

	worker->lane = index;
	if (share && worker->engine->config.workers > 1)
		token = publish(queue, index);
	switch (packet->opcode) {
	case MT_PKT_OP_DISPATCH:
		done = mt_sg_do_dispatch(worker, (const struct mt_pkt_dispatch *)packet);
		break;
	case MT_PKT_OP_COPY:
		done = mt_sg_do_copy(worker, (const struct mt_pkt_copy *)packet);
		break;
	case MT_PKT_OP_FILL:
		done = mt_sg_do_fill(worker, (const struct mt_pkt_fill *)packet);
		break;
	case MT_PKT_OP_WRITE:
		done = mt_sg_do_write(worker, (const struct mt_pkt_write *)packet);
		break;
	case MT_PKT_OP_HOST:
		done = mt_sg_do_host(worker, queue, index, (const struct mt_pkt_host *)packet);
		break;
	default:
		done = true; /* NOP */
		break;
	}
	if (unlikely(!done))
		return SG_STOPPED;
	if (token && !take_back(queue, token, index))
		return SG_LOST;
	return SG_NEXT;
}

/* Ordered packets wait here until all earlier ones have completed. */
static bool in_order(struct sg_lane *lane)
{
	if (!atomic_load_explicit(&lane->pending, memory_order_acquire))
		return true;
	lane->block = SG_BLOCK_ORDER;
	return false;
}

enum sg_result mt_sg_lane_control(struct sg_worker *worker, struct sg_lane *lane,
				  const struct mt_pkt_header *packet)
{
	uint64_t next = lane->pc + packet->len_qw * 8u;
	enum sg_result result;

	switch (packet->opcode) {
	case MT_PKT_OP_WAIT:
		result = mt_sg_do_wait(worker, lane, (const struct mt_pkt_wait *)packet);
		if (result != SG_STOPPED)
			lane->pc = next;
		return result;
	case MT_PKT_OP_SIGNAL:
		if (!in_order(lane))
			return SG_BLOCKED;
		if (!mt_sg_do_signal(worker, (const struct mt_pkt_signal *)packet))
			return SG_STOPPED;
		lane->pc = next;
		return SG_NEXT;
	case MT_PKT_OP_TIMESTAMP:
		if (!in_order(lane))
			return SG_BLOCKED;
		if (!mt_sg_do_timestamp(worker, (const struct mt_pkt_timestamp *)packet))
			return SG_STOPPED;
		lane->pc = next;
		return SG_NEXT;
	case MT_PKT_OP_BARRIER:
		if (!in_order(lane))
			return SG_BLOCKED;
		lane->pc = next;
		return SG_NEXT;
	case MT_PKT_OP_END:
		if (!in_order(lane))
			return SG_BLOCKED;
		if (lane->depth) {
			mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, lane->pc,
					   "END inside a CALL");
			return SG_STOPPED;
		}
		return SG_ENDED;
	case MT_PKT_OP_COND:
		if (!in_order(lane))
			return SG_BLOCKED;
		/* fallthrough */
	default: /* JUMP, CALL, RETURN */
		return mt_sg_do_branch(worker, lane, packet) ? SG_NEXT : SG_STOPPED;
	}
}

static bool is_control(uint8_t opcode)
{
	switch (opcode) {
	case MT_PKT_OP_NOP:
	case MT_PKT_OP_DISPATCH:
	case MT_PKT_OP_COPY:
	case MT_PKT_OP_FILL:
	case MT_PKT_OP_WRITE:
	case MT_PKT_OP_HOST:
		return false;
	default:
		return true;
	}
}

bool mt_sg_packet_is_control(const struct mt_pkt_header *packet)
{
	return is_control(packet->opcode);
}

static bool worth_sharing(const struct mt_pkt_header *packet)
{
	switch (packet->opcode) {
	case MT_PKT_OP_DISPATCH:
		return true;
	case MT_PKT_OP_COPY:
		return ((const struct mt_pkt_copy *)packet)->width_b *
			       ((const struct mt_pkt_copy *)packet)->height >= LONG_COPY_B;
	case MT_PKT_OP_FILL:
		return ((const struct mt_pkt_fill *)packet)->width_b *
			       ((const struct mt_pkt_fill *)packet)->height >= LONG_COPY_B;
	default:
		return false;
	}
}

static enum sg_result run_lane(struct sg_worker *worker, struct mt_sg_queue *queue, uint32_t index)
{
	struct mt_sg_engine *engine = worker->engine;
	struct sg_lane *lane = &queue->lanes[index];
	const struct mt_pkt_header *packet;
	uint32_t turn = PACKETS_PER_TURN;
	enum sg_result result;

	for (;;) {
		if (unlikely(atomic_load_explicit(&engine->stopped, memory_order_relaxed)))
			return SG_STOPPED;
		if (unlikely(atomic_load_explicit(&engine->urgent, memory_order_relaxed) >
			     queue->level + 1))
			return SG_YIELD;
		if (unlikely(!turn--)) {
			if (mt_sg_ready_any(engine))
				return SG_YIELD;
			turn = PACKETS_PER_TURN;
		}
		mt_sg_check_refresh(worker);
		packet = mt_sg_packet_fetch(worker, lane->pc);
		if (unlikely(!packet))
			return SG_STOPPED;
		atomic_store_explicit(&queue->progress,
				      atomic_load_explicit(&queue->progress, memory_order_relaxed) + 1,
				      memory_order_relaxed);
		if (packet->flags & MT_PKT_BARRIER && !in_order(lane))
			return SG_BLOCKED;
		if (packet->flags & MT_PKT_DISABLED) {
			lane->pc += packet->len_qw * 8u;
			continue;
		}
		if (is_control(packet->opcode)) {
			result = mt_sg_lane_control(worker, lane, packet);
			if (result != SG_NEXT)
				return result;
			continue;
		}
		if (unlikely(packet->opcode == MT_PKT_OP_DISPATCH &&
			     ((const struct mt_pkt_dispatch *)packet)->priority))
			return SG_CAREFUL;
		lane->pc += packet->len_qw * 8u;
		result = mt_sg_lane_execute(worker, queue, index, packet,
					    worth_sharing(packet) &&
						    overlaps(worker, queue, lane->pc));
		if (result != SG_NEXT)
			return result;
	}
}

/* Runs lanes in turn until the submission has ended, or none can go on. */
enum sg_result mt_sg_lanes_run(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	enum sg_result result;
	uint32_t i, index;

	for (;;) {
		for (i = 0; i < MT_HW_LANES_MAX; i++) {
			index = (queue->lane_at + i) % MT_HW_LANES_MAX;
			if (queue->live >> index & 1 &&
			    mt_sg_lane_runnable(worker, &queue->lanes[index]))
				break;
		}
		if (i == MT_HW_LANES_MAX)
			return atomic_load(&worker->engine->stopped) ? SG_STOPPED : SG_BLOCKED;
		queue->lane_at = index;
		result = run_lane(worker, queue, index);
		if (result == SG_ENDED) {
			queue->live &= ~(1u << index);
			if (!queue->live)
				return SG_ENDED;
		} else if (result != SG_BLOCKED) {
			return result;
		}
		queue->lane_at = (index + 1) % MT_HW_LANES_MAX;
	}
}
