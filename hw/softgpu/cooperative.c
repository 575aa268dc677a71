/* SPDX-License-Identifier: MIT */
/*
 * Cooperative launches: all blocks of a grid on the fibers of one worker, so that they can wait for
 * each other. Compiled without sanitizers, because it runs on fibers' stacks.
 */
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/fiber.h"

#define COOP_SHARED_MAX_B (256u << 20)

void mt_sg_grid_barrier(struct mt_dev_block *block)
{
	struct fiber *fiber = mt_sg_fiber_running(block, "grid barrier outside run_threads()");
	struct sg_fibers *fibers = mt_sg_worker_of(block)->fibers;

	if (!fibers->cooperative)
		mt_sg_fiber_fail(mt_sg_worker_of(block), MT_HW_FAULT_KERNEL,
				 "grid barrier in a launch that is not cooperative");
	if (++fibers->grid_arrived == fibers->grid_live) {
		fibers->grid_arrived = 0;
		fibers->grid_generation++;
		return;
	}
	fiber->state = FIBER_GRID;
	fiber->generation = fibers->grid_generation;
	mt_sg_fiber_wait(mt_sg_worker_of(block), fiber);
}

/* A thread has returned: it does not count any more. */
void mt_sg_grid_leave(struct sg_fibers *fibers)
{
	fibers->grid_live--;
	if (fibers->grid_live && fibers->grid_arrived == fibers->grid_live) {
		fibers->grid_arrived = 0;
		fibers->grid_generation++;
	}
}

static bool reserve_shared(struct sg_fibers *fibers, uint64_t size_b)
{
	if (size_b <= fibers->coop_shared_b)
		return true;
	if (size_b > COOP_SHARED_MAX_B)
		return false;
	mt_free(fibers->coop_shared);
	fibers->coop_shared_b = 0;
	fibers->coop_shared = mt_alloc_aligned(128, size_b);
	if (fibers->coop_shared)
		fibers->coop_shared_b = size_b;
	return fibers->coop_shared != NULL;
}

static void start_entries(struct sg_worker *worker, struct sg_fibers *fibers, uint32_t blocks,
			  uint32_t threads, uint64_t shared_b)
{
	const struct mt_dev_block *block = &worker->block;
	struct team *team;
	uint32_t i;

	for (i = 0; i < blocks; i++) {
		team = &fibers->teams[i];
		memset(team, 0, sizeof(*team));
		team->block_x = i % block->grid_dim_x;
		team->block_y = i / block->grid_dim_x % block->grid_dim_y;
		team->block_z = i / block->grid_dim_x / block->grid_dim_y;
		team->threads = threads;
		team->first = blocks + i * threads;
		team->shared = (char *)fibers->coop_shared + i * shared_b;
		fibers->fibers[i] = (struct fiber){.team = team, .is_entry = true};
	}
	for (i = blocks; i < fibers->count; i++)
		fibers->fibers[i].state = FIBER_DONE;
}

bool mt_sg_cooperative_run(struct sg_worker *worker, const struct mt_pkt_dispatch *packet,
			   uint64_t blocks)
{
	struct mt_dev_block *block = &worker->block;
	uint64_t threads = (uint64_t)packet->block_x * packet->block_y * packet->block_z;
	uint64_t shared_b =
		((uint64_t)packet->static_shared_b + 15) / 16 * 16 + packet->dynamic_shared_b;
	struct sg_fibers *fibers = mt_sg_fibers_of(worker);

	shared_b = (shared_b + 127) / 128 * 128;
	if (blocks > FIBERS_MAX || blocks * (threads + 1) > FIBERS_MAX ||
	    !reserve_shared(fibers, blocks * shared_b + 128) ||
	    !mt_sg_fibers_reserve(fibers, blocks * (threads + 1), (uint32_t)blocks)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_RESOURCES, atomic_load(&worker->pc),
				   "cooperative launch of %llu blocks does not fit",
				   (unsigned long long)blocks);
		return false;
	}
	fibers->count = (uint32_t)(blocks * (threads + 1));
	start_entries(worker, fibers, (uint32_t)blocks, (uint32_t)threads, shared_b);
	fibers->undone = (uint32_t)blocks;
	fibers->grid_live = (uint32_t)(blocks * threads);
	fibers->grid_arrived = 0;
	fibers->entry = (void (*)(struct mt_dev_block *))(uintptr_t)packet->code_va;
	fibers->cooperative = true;
	fibers->at = NULL;
	fibers->active = true;
	atomic_store_explicit(&worker->in_kernel, 1, memory_order_relaxed);
	mt_sg_fiber_resume(worker, &fibers->main_sp, &fibers->fibers[0]);
	atomic_store_explicit(&worker->in_kernel, 0, memory_order_relaxed);
	fibers->active = false;
	block->shared = worker->shared;
	if (unlikely(worker->runs != NULL))
		mt_sg_record_flush(worker);
	return true;
}
