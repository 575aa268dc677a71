/* SPDX-License-Identifier: MIT */
/*
 * The packet loop: lanes of one submission, in order of issue, kernels in place. Priorities and
 * random order are careful.c's.
 */
#include <string.h>

#include "hw/softgpu/dispatch.h"
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
		mt_sg_waiter_unlink(&lane->waiter);
		break;
	default:
		break;
	}
	lane->block = SG_RUNNABLE;
	return true;
}

/* Does the packet not wait for the one before it? */
static inline bool may_start_early(const void *next)
{
	const uint32_t ordered = 1u << MT_PKT_OP_BARRIER | 1u << MT_PKT_OP_SIGNAL |
				 1u << MT_PKT_OP_COND | 1u << MT_PKT_OP_TIMESTAMP |
				 1u << MT_PKT_OP_END;
	const struct mt_pkt_header *packet = next;

	return !(packet->flags & MT_PKT_BARRIER) && !(ordered >> (packet->opcode & 31) & 1);
}

/* Could anything start before the packet in front of `next` has completed? */
static bool overlaps(const struct sg_worker *worker, const struct mt_sg_queue *queue, uint64_t next)
{
	const struct sg_range *range = &worker->found[SG_ACCESS_PACKET];

	if (queue->live & (queue->live - 1) || next - range->va + 8 > range->size_b)
		return true;
	return may_start_early((const void *)(uintptr_t)next);
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

enum sg_result mt_sg_lane_execute(struct sg_worker *worker, struct mt_sg_queue *queue,
				  uint32_t index, const struct mt_pkt_header *packet, bool share)
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
		__attribute__((fallthrough));
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
			       ((const struct mt_pkt_copy *)packet)->height >=
		       LONG_COPY_B;
	case MT_PKT_OP_FILL:
		return ((const struct mt_pkt_fill *)packet)->width_b *
			       ((const struct mt_pkt_fill *)packet)->height >=
		       LONG_COPY_B;
	default:
		return false;
	}
}

/* Something has changed that the packet loop must know. */
static enum sg_result notice(struct sg_worker *worker, const struct mt_sg_queue *queue)
{
	struct mt_sg_engine *engine = worker->engine;

	worker->attention = atomic_load_explicit(&engine->attention, memory_order_acquire);
	if (atomic_load(&engine->stopped))
		return SG_STOPPED;
	mt_sg_check_refresh(worker);
	if (worker->beside)
		mt_sg_beside_packet(worker);
	return atomic_load(&engine->urgent) > queue->level + 1 ? SG_YIELD : SG_NEXT;
}

/* Any packet, with all checks. */
static enum sg_result any_packet(struct sg_worker *worker, struct mt_sg_queue *queue,
				 uint32_t index)
{
	struct sg_lane *lane = &queue->lanes[index];
	const struct mt_pkt_header *packet = mt_sg_packet_fetch(worker, lane->pc);

	if (unlikely(!packet))
		return SG_STOPPED;
	if (packet->flags & MT_PKT_BARRIER && !in_order(lane))
		return SG_BLOCKED;
	if (packet->flags & MT_PKT_DISABLED) {
		lane->pc += packet->len_qw * 8u;
		return SG_NEXT;
	}
	if (is_control(packet->opcode))
		return mt_sg_lane_control(worker, lane, packet);
	if (packet->opcode == MT_PKT_OP_DISPATCH &&
	    ((const struct mt_pkt_dispatch *)packet)->priority)
		return SG_CAREFUL;
	lane->pc += packet->len_qw * 8u;
	return mt_sg_lane_execute(worker, queue, index, packet,
				  worth_sharing(packet) && overlaps(worker, queue, lane->pc));
}

/* Header without the flags that change nothing about how a packet is executed. */
#define PLAIN_HEADER(opcode, type) ((uint32_t)(opcode) | (uint32_t)sizeof(struct type) / 8 << 16)
#define PLAIN_FLAGS                ((uint32_t)(MT_PKT_BARRIER | MT_PKT_ACQUIRE | MT_PKT_RELEASE) << 8)

static inline bool in_range(const struct sg_range *range, uint64_t va, uint64_t size_b)
{
	uint64_t offset_b = va - range->va;

	return offset_b < range->size_b && size_b <= range->size_b - offset_b;
}

/* A word of 8 bytes that may be touched without further checks. */
static inline bool known_word(const struct sg_worker *worker, uint64_t va)
{
	return !(va & 7) && in_range(&worker->found[SG_ACCESS_WORD], va, 8);
}

/* One block, no priority, and every address within what was found last. */
static inline bool simple_dispatch(const struct sg_worker *worker,
				   const struct mt_pkt_dispatch *packet)
{
	uint64_t threads = (uint64_t)packet->block_x * packet->block_y;

	return packet->grid_x == 1 && packet->grid_y == 1 && packet->grid_z == 1 &&
	       !packet->priority && threads - 1 < MT_SG_BLOCK_THREADS &&
	       packet->block_z - 1 < MT_SG_BLOCK_THREADS &&
	       threads * packet->block_z <= MT_SG_BLOCK_THREADS &&
	       (uint64_t)packet->static_shared_b + packet->dynamic_shared_b <=
		       MT_SG_SHARED_LIMIT_B - 16 &&
	       in_range(&worker->found[SG_ACCESS_CODE], packet->code_va, 1) &&
	       !(packet->kernarg_va & 63) &&
	       (!packet->kernarg_b || in_range(&worker->found[SG_ACCESS_ARGUMENT],
					       packet->kernarg_va, packet->kernarg_b));
}

static inline void call_block(struct sg_worker *worker, const struct mt_pkt_dispatch *packet)
{
	mt_sg_block_enter(worker, packet);
	worker->block.thread_x = worker->block.thread_y = worker->block.thread_z = 0;
	worker->block.block_x = worker->block.block_y = worker->block.block_z = 0;
	atomic_store_explicit(&worker->in_kernel, 1, memory_order_relaxed);
	((sg_block_entry)(uintptr_t)packet->code_va)(&worker->block);
	atomic_store_explicit(&worker->in_kernel, 0, memory_order_relaxed);
	if (unlikely(worker->runs != NULL))
		mt_sg_record_flush(worker);
}

/* The loop over packets. Small kernels, waits and signals whose memory is known take the short way
 * in here; whatever is special in any respect goes to any_packet(). */
static enum sg_result run_lane(struct sg_worker *worker, struct mt_sg_queue *queue, uint32_t index)
{
	struct mt_sg_engine *engine = worker->engine;
	struct sg_lane *lane = &queue->lanes[index];
	bool share = engine->config.workers > 1, others = queue->live & (queue->live - 1);
	uint64_t progress = atomic_load_explicit(&queue->progress, memory_order_relaxed), pc, token;
	const struct mt_pkt_header *packet;
	uint32_t turn = PACKETS_PER_TURN, word;
	enum sg_result result;

	for (;;) {
		if (unlikely(atomic_load_explicit(&engine->attention, memory_order_relaxed) !=
			     worker->attention)) {
			result = notice(worker, queue);
			if (result != SG_NEXT)
				return result;
		}
		if (unlikely(!turn--)) {
			if (mt_sg_ready_any(engine))
				return SG_YIELD;
			turn = PACKETS_PER_TURN;
		}
		atomic_store_explicit(&queue->progress, ++progress, memory_order_relaxed);
		pc = lane->pc;
		packet = (const void *)(uintptr_t)pc;
		/* With the header of the next packet. */
		if (unlikely(pc & 7 || !in_range(&worker->found[SG_ACCESS_PACKET], pc,
						 sizeof(struct mt_pkt_dispatch) + 8)))
			goto any;
		memcpy(&word, packet, sizeof(word));
		atomic_store_explicit(&worker->pc, pc, memory_order_relaxed);
		atomic_store_explicit(&worker->node, packet->node, memory_order_relaxed);
		if (word & MT_PKT_BARRIER << 8 && !in_order(lane))
			return SG_BLOCKED;
		switch (word & ~PLAIN_FLAGS) {
		case PLAIN_HEADER(MT_PKT_OP_DISPATCH, mt_pkt_dispatch): {
			const struct mt_pkt_dispatch *dispatch = (const void *)packet;

			if (unlikely(!simple_dispatch(worker, dispatch)))
				goto any;
			lane->pc = pc + sizeof(*dispatch);
			if (!share || (!others && !may_start_early(dispatch + 1))) {
				call_block(worker, dispatch);
				continue;
			}
			token = publish(queue, index);
			call_block(worker, dispatch);
			if (unlikely(!take_back(queue, token, index)))
				return SG_LOST;
			continue;
		}
		case PLAIN_HEADER(MT_PKT_OP_WAIT, mt_pkt_wait): {
			const struct mt_pkt_wait *wait = (const void *)packet;

			if (unlikely(!known_word(worker, wait->address)))
				goto any;
			lane->pc = pc + sizeof(*wait);
			if (mt_sg_word_load(wait->address) >= wait->value)
				continue;
			mt_sg_lane_wait(lane, packet->node, wait->address, wait->value);
			return SG_BLOCKED;
		}
		case PLAIN_HEADER(MT_PKT_OP_SIGNAL, mt_pkt_signal): {
			const struct mt_pkt_signal *signal = (const void *)packet;

			if (unlikely(!known_word(worker, signal->address)))
				goto any;
			if (!in_order(lane))
				return SG_BLOCKED;
			atomic_exchange((_Atomic uint64_t *)(uintptr_t)signal->address,
					signal->value);
			mt_sg_notify(signal->address);
			lane->pc = pc + sizeof(*signal);
			continue;
		}
		default:
			break;
		}
	any:
		result = any_packet(worker, queue, index);
		if (result != SG_NEXT)
			return result;
	}
}

/* The short way of mt_sg_lane_runnable(). */
static inline bool may_run(struct sg_worker *worker, struct sg_lane *lane)
{
	if (lane->block == SG_RUNNABLE)
		return true;
	if (lane->block == SG_BLOCK_WAIT &&
	    in_range(&worker->found[SG_ACCESS_WORD], lane->waiter.va, 8) &&
	    mt_sg_word_load(lane->waiter.va) < lane->waiter.value)
		return false;
	return mt_sg_lane_runnable(worker, lane);
}

/* Next lane at or behind lane_at, cyclically, that can go on; -1 if none can. */
static int next_lane(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	uint32_t behind = queue->live & ~0u << queue->lane_at, before = queue->live ^ behind, bits;
	int index;

	for (bits = behind; bits; bits &= bits - 1) {
		index = __builtin_ctz(bits);
		if (may_run(worker, &queue->lanes[index]))
			return index;
	}
	for (bits = before; bits; bits &= bits - 1) {
		index = __builtin_ctz(bits);
		if (may_run(worker, &queue->lanes[index]))
			return index;
	}
	return -1;
}

/* Runs lanes in turn until the submission has ended, or none can go on. */
enum sg_result mt_sg_lanes_run(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	enum sg_result result;
	int index;

	mt_sg_check_refresh(worker);
	while ((index = next_lane(worker, queue)) >= 0) {
		queue->lane_at = (uint32_t)index;
		result = run_lane(worker, queue, (uint32_t)index);
		if (result == SG_ENDED) {
			queue->live &= ~(1u << index);
			if (!queue->live)
				return SG_ENDED;
		} else if (result != SG_BLOCKED) {
			return result;
		}
		queue->lane_at = (uint32_t)(index + 1) % MT_HW_LANES_MAX;
	}
	return atomic_load(&worker->engine->stopped) ? SG_STOPPED : SG_BLOCKED;
}
