/* SPDX-License-Identifier: MIT */
/*
 * DISPATCH: checks, and the blocks of a grid on this worker and its helpers.
 */
#include "hw/softgpu/dispatch.h"

#define CHUNKS_PER_WORKER 8u
#define CHUNK_MAX         256u

static void run_blocks(struct sg_worker *worker, const struct sg_job *job, uint64_t first,
		       uint64_t count)
{
	const struct mt_pkt_dispatch *packet = job->packet;
	struct mt_dev_block *block = &worker->block;
	uint64_t plane = (uint64_t)packet->grid_x * packet->grid_y, i;
	uint32_t x = (uint32_t)(first % packet->grid_x);
	uint32_t y = (uint32_t)(first % plane / packet->grid_x), z = (uint32_t)(first / plane);

	mt_sg_block_enter(worker, packet);
	atomic_store_explicit(&worker->in_kernel, 1, memory_order_relaxed);
	for (i = 0; i < count; i++) {
		block->thread_x = block->thread_y = block->thread_z = 0;
		block->block_x = x;
		block->block_y = y;
		block->block_z = z;
		((sg_block_entry)(uintptr_t)packet->code_va)(block);
		if (++x < packet->grid_x)
			continue;
		x = 0;
		if (++y < packet->grid_y)
			continue;
		y = 0;
		z++;
	}
	atomic_store_explicit(&worker->in_kernel, 0, memory_order_relaxed);
	if (unlikely(worker->runs != NULL))
		mt_sg_record_flush(worker);
}

static bool __attribute__((cold))
refuse(struct sg_worker *worker, const struct mt_pkt_dispatch *packet)
{
	uint64_t pc = atomic_load_explicit(&worker->pc, memory_order_relaxed);

	if ((uint64_t)packet->block_x * packet->block_y * packet->block_z > MT_SG_BLOCK_THREADS ||
	    packet->block_x > MT_SG_BLOCK_THREADS || packet->block_y > MT_SG_BLOCK_THREADS)
		mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, pc,
				   "block of %ux%ux%u threads, at most %u", packet->block_x,
				   packet->block_y, packet->block_z, MT_SG_BLOCK_THREADS);
	else if (((uint64_t)packet->static_shared_b + 15) / 16 * 16 + packet->dynamic_shared_b >
		 MT_SG_SHARED_LIMIT_B)
		mt_sg_worker_fault(worker, MT_HW_FAULT_RESOURCES, pc,
				   "%u+%u bytes of shared memory, at most %u",
				   packet->static_shared_b, packet->dynamic_shared_b,
				   MT_SG_SHARED_LIMIT_B);
	else if (!mt_sg_check(worker, SG_ACCESS_CODE, packet->code_va, 1))
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->code_va,
				   "no code at 0x%llx", (unsigned long long)packet->code_va);
	else
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, packet->kernarg_va,
				   "kernel arguments at 0x%llx+%u are not mapped",
				   (unsigned long long)packet->kernarg_va, packet->kernarg_b);
	return false;
}

static bool acceptable(struct sg_worker *worker, const struct mt_pkt_dispatch *packet)
{
	/* 64 bits do not overflow once the first two factors are small. */
	return packet->block_x <= MT_SG_BLOCK_THREADS && packet->block_y <= MT_SG_BLOCK_THREADS &&
	       (uint64_t)packet->block_x * packet->block_y * packet->block_z <=
		       MT_SG_BLOCK_THREADS &&
	       ((uint64_t)packet->static_shared_b + 15) / 16 * 16 + packet->dynamic_shared_b <=
		       MT_SG_SHARED_LIMIT_B &&
	       mt_sg_check(worker, SG_ACCESS_CODE, packet->code_va, 1) &&
	       (!packet->kernarg_b ||
		mt_sg_check(worker, SG_ACCESS_ARGUMENT, packet->kernarg_va, packet->kernarg_b));
}

static uint64_t chunk_of(const struct sg_worker *worker, uint64_t blocks)
{
	uint64_t chunk = blocks / (worker->engine->config.workers * CHUNKS_PER_WORKER);

	if (chunk > CHUNK_MAX)
		return CHUNK_MAX;
	return chunk ? chunk : 1;
}

bool mt_sg_do_dispatch(struct sg_worker *worker, const struct mt_pkt_dispatch *packet)
{
	struct mt_dev_block *block = &worker->block;
	uint64_t blocks, plane = (uint64_t)packet->grid_x * packet->grid_y;

	if (unlikely(!acceptable(worker, packet)))
		return refuse(worker, packet);
	if (likely(plane == 1 && packet->grid_z == 1 &&
		   !(packet->header.flags & MT_PKT_DISPATCH_COOPERATIVE))) {
		mt_sg_block_enter(worker, packet);
		block->thread_x = block->thread_y = block->thread_z = 0;
		block->block_x = block->block_y = block->block_z = 0;
		atomic_store_explicit(&worker->in_kernel, 1, memory_order_relaxed);
		((sg_block_entry)(uintptr_t)packet->code_va)(block);
		atomic_store_explicit(&worker->in_kernel, 0, memory_order_relaxed);
		if (unlikely(worker->runs != NULL))
			mt_sg_record_flush(worker);
		return true;
	}
	if (__builtin_mul_overflow(plane, (uint64_t)packet->grid_z, &blocks)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET,
				   atomic_load_explicit(&worker->pc, memory_order_relaxed),
				   "grid of %ux%ux%u blocks is too large", packet->grid_x,
				   packet->grid_y, packet->grid_z);
		return false;
	}
	if (packet->header.flags & MT_PKT_DISPATCH_COOPERATIVE) {
		mt_sg_block_enter(worker, packet);
		return mt_sg_cooperative_run(worker, packet, blocks);
	}
	mt_sg_job_run(worker, run_blocks, packet, blocks, chunk_of(worker, blocks));
	return true;
}
