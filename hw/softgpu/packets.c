/* SPDX-License-Identifier: MIT */
/*
 * What single packets do, apart from DISPATCH, COPY and FILL. Packets come here validated;
 * addresses are checked here.
 */
#include <errno.h>

#include "hw/softgpu/internal.h"

/* A naturally aligned word of 8 or 16 bytes that the command processor touches. */
static bool check_word(struct sg_worker *worker, uint64_t va, uint64_t size_b, const char *what)
{
	if (va & (size_b - 1)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_MISALIGNED, va, "%s 0x%llx is not aligned",
				   what, (unsigned long long)va);
		return false;
	}
	if (!mt_sg_check(worker, SG_ACCESS_WORD, va, size_b)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, va,
				   "%s 0x%llx is not mapped", what, (unsigned long long)va);
		return false;
	}
	return true;
}

static bool check_read(struct sg_worker *worker, uint64_t va, uint64_t size_b, const char *what)
{
	if (mt_sg_check(worker, SG_ACCESS_ARGUMENT, va, size_b))
		return true;
	mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, va, "%s 0x%llx is not mapped", what,
			   (unsigned long long)va);
	return false;
}

static _Atomic uint64_t *word_at(uint64_t va)
{
	return (_Atomic uint64_t *)(uintptr_t)va;
}

bool mt_sg_do_write(struct sg_worker *worker, const struct mt_pkt_write *packet)
{
	uint32_t i, count = packet->header.len_qw - 2u;

	if (!mt_sg_check(worker, SG_ACCESS_WRITE, packet->dst_va, count * 8u)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->dst_va,
				   "WRITE to 0x%llx, which is not mapped",
				   (unsigned long long)packet->dst_va);
		return false;
	}
	for (i = 0; i < count; i++)
		atomic_store_explicit(word_at(packet->dst_va + i * 8u), packet->data[i],
				      memory_order_release);
	atomic_thread_fence(memory_order_seq_cst);
	if (unlikely(atomic_load_explicit(&mt_sg_waiting, memory_order_relaxed)))
		for (i = 0; i < count; i++)
			mt_sg_notify(packet->dst_va + i * 8u);
	return true;
}

bool mt_sg_do_timestamp(struct sg_worker *worker, const struct mt_pkt_timestamp *packet)
{
	if (!check_word(worker, packet->address, 8, "TIMESTAMP's address"))
		return false;
	atomic_store_explicit(word_at(packet->address), mt_sg_time_ns(), memory_order_release);
	return true;
}

bool mt_sg_do_signal(struct sg_worker *worker, const struct mt_pkt_signal *packet)
{
	uint64_t va = packet->address, value = packet->value, old;
	const struct mt_pkt_pair *pair;
	bool stamp = packet->header.flags & MT_PKT_SIGNAL_TIMESTAMP;

	if (packet->header.flags & MT_PKT_SIGNAL_INDIRECT) {
		if (!check_read(worker, va, sizeof(*pair), "SIGNAL's pair"))
			return false;
		pair = (const void *)(uintptr_t)va;
		va = pair->semaphore_va;
		value = pair->value;
		if (!va)
			return true;
	}
	if (!check_word(worker, va, stamp ? 16 : 8, "SIGNAL's word"))
		return false;
	old = atomic_load_explicit(word_at(va), memory_order_acquire);
	if (packet->header.flags & MT_PKT_SIGNAL_MAX && old > value)
		return true;
	if (stamp)
		atomic_store_explicit(word_at(va + 8), mt_sg_time_ns(), memory_order_relaxed);
	if (packet->header.flags & MT_PKT_SIGNAL_MAX) {
		while (old < value && !atomic_compare_exchange_weak(word_at(va), &old, value))
			;
	} else {
		atomic_exchange(word_at(va), value);
	}
	mt_sg_notify(va);
	return true;
}

enum sg_result mt_sg_do_wait(struct sg_worker *worker, struct sg_lane *lane,
			     const struct mt_pkt_wait *packet)
{
	uint64_t va = packet->address, value = packet->value;
	const struct mt_pkt_pair *pair;

	if (packet->header.flags & MT_PKT_WAIT_INDIRECT) {
		if (!check_read(worker, va, sizeof(*pair), "WAIT's pair"))
			return SG_STOPPED;
		pair = (const void *)(uintptr_t)va;
		va = pair->semaphore_va;
		value = pair->value;
		if (!va)
			return SG_NEXT;
	}
	if (!check_word(worker, va, 8, "WAIT's word"))
		return SG_STOPPED;
	if (mt_sg_word_load(va) >= value)
		return SG_NEXT;
	mt_sg_lane_wait(lane, packet->header.node, va, value);
	return SG_BLOCKED;
}

static bool cond_holds(const struct mt_pkt_cond *packet)
{
	uint32_t word = atomic_load_explicit((_Atomic uint32_t *)(uintptr_t)packet->word_va,
					     memory_order_acquire);

	switch (packet->compare) {
	case MT_PKT_EQ:
		return word == packet->value;
	case MT_PKT_NE:
		return word != packet->value;
	case MT_PKT_LT:
		return word < packet->value;
	default:
		return word >= packet->value;
	}
}

static bool do_cond(struct sg_worker *worker, struct sg_lane *lane,
		    const struct mt_pkt_cond *packet)
{
	uint64_t cap = worker->engine->config.while_cap, passes;
	bool jump;

	if (!check_read(worker, packet->word_va, 4, "COND's word"))
		return false;
	if (packet->passes_va && !check_word(worker, packet->passes_va, 8, "COND's pass counter"))
		return false;
	jump = cond_holds(packet);
	if (packet->passes_va) {
		passes = jump ? 0
			      : atomic_load_explicit(word_at(packet->passes_va),
						     memory_order_relaxed) +
					 1;
		atomic_store_explicit(word_at(packet->passes_va), passes, memory_order_relaxed);
		if (cap && passes > cap) {
			mt_sg_worker_fault(worker, MT_HW_FAULT_TIMEOUT, lane->pc,
					   "loop has made %llu passes (MUSA_MOCK_WHILE_CAP)",
					   (unsigned long long)cap);
			return false;
		}
	}
	lane->pc = jump ? packet->target_va : lane->pc + sizeof(*packet);
	return true;
}

bool mt_sg_do_branch(struct sg_worker *worker, struct sg_lane *lane,
		     const struct mt_pkt_header *packet)
{
	const struct mt_pkt_jump *jump = (const void *)packet;

	switch (packet->opcode) {
	case MT_PKT_OP_COND:
		return do_cond(worker, lane, (const struct mt_pkt_cond *)packet);
	case MT_PKT_OP_CALL:
		if (lane->depth == MT_PKT_CALL_DEPTH_MAX) {
			mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, lane->pc,
					   "CALL deeper than %u", MT_PKT_CALL_DEPTH_MAX);
			return false;
		}
		lane->stack[lane->depth++] = lane->pc + packet->len_qw * 8u;
		lane->pc = jump->target_va;
		return true;
	case MT_PKT_OP_RETURN:
		if (!lane->depth) {
			mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, lane->pc,
					   "RETURN without a CALL");
			return false;
		}
		lane->pc = lane->stack[--lane->depth];
		return true;
	default:
		lane->pc = jump->target_va;
		return true;
	}
}
