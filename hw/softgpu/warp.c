/* SPDX-License-Identifier: MIT */
/*
 * Warps: exchanges and barriers of some lanes, and lanes that are at one place together. Compiled
 * without sanitizers, because it runs on fibers' stacks.
 */
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/fiber.h"

/* Lets the lanes of @first's warp that wait at the same place go on. */
static void release_gathered(struct sg_fibers *fibers, struct fiber *first, uint32_t warp_size)
{
	struct team *team = first->team;
	uint32_t begin = first->linear / warp_size * warp_size, lane;
	uint32_t end = begin + warp_size < team->threads ? begin + warp_size : team->threads;
	struct fiber *lanes = &fibers->fibers[team->first + begin];
	const void *place = first->place;
	uint64_t mask[2] = {0, 0};

	for (lane = 0; lane < end - begin; lane++)
		if (lanes[lane].state == FIBER_GATHER && lanes[lane].place == place)
			mask[lane / 64] |= UINT64_C(1) << lane % 64;
	for (lane = 0; lane < end - begin; lane++) {
		if (!(mask[lane / 64] >> lane % 64 & 1))
			continue;
		lanes[lane].gathered[0] = mask[0];
		lanes[lane].gathered[1] = mask[1];
		lanes[lane].state = FIBER_READY;
	}
}

bool mt_sg_warps_gather(struct sg_fibers *fibers, uint32_t warp_size)
{
	bool released = false;
	uint32_t i;

	for (i = 0; i < fibers->count; i++) {
		if (fibers->fibers[i].state != FIBER_GATHER)
			continue;
		release_gathered(fibers, &fibers->fibers[i], warp_size);
		released = true;
	}
	return released;
}

static void drop_exchange(struct sg_fibers *fibers, struct fiber *fiber)
{
	struct exchange *exchange = fiber->exchange;

	fiber->exchange = NULL;
	if (!exchange || --exchange->refs)
		return;
	exchange->next = fibers->free_exchanges;
	fibers->free_exchanges = exchange;
}

static void settle(struct warp *warp)
{
	struct exchange **link = &warp->open, *exchange;

	while ((exchange = *link)) {
		if ((exchange->mask[0] & warp->live[0] & ~exchange->arrived[0]) ||
		    (exchange->mask[1] & warp->live[1] & ~exchange->arrived[1])) {
			link = &exchange->next;
			continue;
		}
		exchange->done = true;
		*link = exchange->next;
	}
}

static struct exchange *join_exchange(struct sg_worker *worker, struct warp *warp, uint64_t mask_lo,
				      uint64_t mask_hi, bool sync)
{
	struct sg_fibers *fibers = worker->fibers;
	struct exchange *exchange;

	for (exchange = warp->open; exchange; exchange = exchange->next)
		if (exchange->mask[0] == mask_lo && exchange->mask[1] == mask_hi &&
		    exchange->sync == sync)
			return exchange;
	exchange = fibers->free_exchanges;
	if (exchange) {
		fibers->free_exchanges = exchange->next;
	} else {
		exchange = mt_alloc(sizeof(*exchange));
		if (!exchange)
			mt_sg_fiber_fail(worker, MT_HW_FAULT_RESOURCES,
					 "no memory for a warp exchange");
		exchange->next_made = fibers->all_exchanges;
		fibers->all_exchanges = exchange;
	}
	exchange->mask[0] = mask_lo;
	exchange->mask[1] = mask_hi;
	exchange->arrived[0] = exchange->arrived[1] = 0;
	exchange->sync = sync;
	exchange->done = false;
	exchange->refs = 0;
	if (!sync)
		memset(exchange->values, 0, worker->block.warp_size * sizeof(uint64_t));
	exchange->next = warp->open;
	warp->open = exchange;
	return exchange;
}

static struct exchange *meet(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi,
			     uint64_t value, bool sync)
{
	struct fiber *fiber = mt_sg_fiber_running(block, "warp operation outside run_threads()");
	struct sg_worker *worker = mt_sg_worker_of(block);
	uint32_t lane = fiber->linear % block->warp_size;
	struct warp *warp = &fiber->team->warps[fiber->linear / block->warp_size];
	struct exchange *exchange;

	if (block->warp_size == 32) {
		mask_lo &= UINT32_MAX;
		mask_hi = 0;
	}
	if (!((lane < 64 ? mask_lo >> lane : mask_hi >> (lane - 64)) & 1))
		mt_sg_fiber_fail(worker, MT_HW_FAULT_KERNEL,
				 "warp operation by a lane that is not in its mask");
	drop_exchange(worker->fibers, fiber);
	exchange = join_exchange(worker, warp, mask_lo, mask_hi, sync);
	exchange->arrived[lane / 64] |= UINT64_C(1) << lane % 64;
	exchange->refs++;
	if (!sync)
		exchange->values[lane] = value;
	fiber->exchange = exchange;
	settle(warp);
	if (!exchange->done) {
		fiber->state = FIBER_WARP;
		mt_sg_fiber_wait(worker, fiber);
	}
	return exchange;
}

void mt_sg_warp_sync(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi)
{
	struct fiber *fiber = mt_sg_fiber_running(block, "warp operation outside run_threads()");
	struct exchange *kept = fiber->exchange;

	/* A barrier is no exchange: values of the last one stay valid. */
	fiber->exchange = NULL;
	meet(block, mask_lo, mask_hi, 0, true);
	drop_exchange(mt_sg_worker_of(block)->fibers, fiber);
	fiber->exchange = kept;
}

const uint64_t *mt_sg_warp_exchange(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi,
				    uint64_t value, uint64_t arrived[2])
{
	struct exchange *exchange = meet(block, mask_lo, mask_hi, value, false);

	arrived[0] = exchange->arrived[0];
	arrived[1] = exchange->arrived[1];
	return exchange->values;
}

/* Lanes that are together are those that wait in the same call once no other thread can go on:
 * where branches part, each side finds its own. */
void mt_sg_active_mask(struct mt_dev_block *block, uint64_t mask[2])
{
	struct fiber *fiber = mt_sg_fiber_running(block, "warp operation outside run_threads()");

	fiber->place = __builtin_return_address(0);
	fiber->state = FIBER_GATHER;
	mt_sg_fiber_wait(mt_sg_worker_of(block), fiber);
	mask[0] = fiber->gathered[0];
	mask[1] = fiber->gathered[1];
}

void mt_sg_warp_leave(struct sg_fibers *fibers, struct fiber *fiber, uint32_t warp_size)
{
	uint32_t lane = fiber->linear % warp_size;
	struct warp *warp = &fiber->team->warps[fiber->linear / warp_size];

	drop_exchange(fibers, fiber);
	warp->live[lane / 64] &= ~(UINT64_C(1) << lane % 64);
	if (warp->open)
		settle(warp);
}

void mt_sg_exchanges_free(struct sg_fibers *fibers)
{
	struct exchange *exchange, *next;

	for (exchange = fibers->all_exchanges; exchange; exchange = next) {
		next = exchange->next_made;
		mt_free(exchange);
	}
}
