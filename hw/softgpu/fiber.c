/* SPDX-License-Identifier: MIT */
/*
 * Fibers: the threads of a block, each on a stack of its own as soon as one of them has to wait.
 *
 * Everything here runs on one worker. A fiber that waits looks for the next one that can go on, in
 * the order of thread numbers, and switches to it directly. A thread that ends hands its stack to
 * the next one that has not started, so threads that never wait share one stack. If no fiber can
 * go on, they wait for something that cannot come, which is a device error.
 *
 * In a cooperative launch all blocks live at once: each block's entry runs on a fiber, too, and a
 * switch between fibers of different blocks exchanges the block's part of the context.
 *
 * This file is compiled without sanitizers, which do not follow its stacks.
 */
#include <string.h>
#include <sys/mman.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/fiber.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard that does not split the mapping */
#endif

void mt_sg_fiber_fail(struct sg_worker *worker, enum mt_hw_fault_code code, const char *why)
{
	mt_sg_worker_fault(worker, code, atomic_load(&worker->pc), "%s", why);
	mt_sg_worker_abort(worker);
}

struct sg_fibers *mt_sg_fibers_of(struct sg_worker *worker)
{
	struct sg_fibers *fibers = worker->fibers;

	if (likely(fibers != NULL))
		return fibers;
	fibers = mt_calloc(1, sizeof(*fibers));
	if (fibers) {
		fibers->free_stacks = mt_calloc(FIBERS_MAX, sizeof(*fibers->free_stacks));
		if (!fibers->free_stacks) {
			mt_free(fibers);
			fibers = NULL;
		}
	}
	if (!fibers)
		mt_sg_fiber_fail(worker, MT_HW_FAULT_RESOURCES, "no memory for fibers");
	worker->fibers = fibers;
	return fibers;
}

static char *stack_bottom(struct sg_fibers *fibers, uint32_t index)
{
	return fibers->slabs[index / SLAB_STACKS] + index % SLAB_STACKS * STACK_B;
}

static bool add_slab(struct sg_fibers *fibers)
{
	uint32_t slab = fibers->stack_count / SLAB_STACKS, i;
	char *memory;

	if (slab == SLABS_MAX)
		return false;
	if (!fibers->slabs[slab]) {
		memory = mmap(NULL, (size_t)SLAB_STACKS * STACK_B, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (memory == MAP_FAILED)
			return false;
		for (i = 0; i < SLAB_STACKS; i++) {
			if (madvise(memory + i * STACK_B, GUARD_B, MADV_GUARD_INSTALL) &&
			    mprotect(memory + i * STACK_B, GUARD_B, PROT_NONE)) {
				munmap(memory, (size_t)SLAB_STACKS * STACK_B);
				return false;
			}
		}
		fibers->slabs[slab] = memory;
	}
	for (i = 0; i < SLAB_STACKS; i++)
		fibers->free_stacks[fibers->free_count++] =
			fibers->stack_count + SLAB_STACKS - 1 - i;
	fibers->stack_count += SLAB_STACKS;
	return true;
}

static void fiber_main(void *argument);

/* First frame of a fiber: mt_sg_stack_switch pops six registers and returns to the start. */
static void prepare(struct sg_worker *worker, struct fiber *fiber)
{
	struct sg_fibers *fibers = worker->fibers;
	uint64_t *sp;

	if (!fibers->free_count && !add_slab(fibers))
		mt_sg_fiber_fail(worker, MT_HW_FAULT_RESOURCES, "no memory for a thread's stack");
	fiber->stack = fibers->free_stacks[--fibers->free_count];
	/* Tops differ in their cache sets: by the page from stack to stack, and within it. */
	sp = (uint64_t *)(void *)(stack_bottom(fibers, fiber->stack) + STACK_B -
				  fiber->stack / 16 % 16 * 256u);
	*--sp = 0;
	*--sp = 0;
	*--sp = (uint64_t)(uintptr_t)mt_sg_stack_start;
	*--sp = 0;                               /* rbp */
	*--sp = 0;                               /* rbx */
	*--sp = (uint64_t)(uintptr_t)fiber_main; /* r12 */
	*--sp = (uint64_t)(uintptr_t)worker;     /* r13 */
	*--sp = 0;                               /* r14 */
	*--sp = 0;                               /* r15 */
	fiber->sp = sp;
}

static bool can_go(const struct sg_fibers *fibers, const struct fiber *fiber)
{
	switch (fiber->state) {
	case FIBER_NEW:
	case FIBER_READY:
		return true;
	case FIBER_BARRIER:
		return fiber->generation != fiber->team->generation;
	case FIBER_WARP:
		return fiber->exchange->done;
	case FIBER_GRID:
		return fiber->generation != fibers->grid_generation;
	case FIBER_JOIN:
		return !fiber->team->live;
	default:
		return false;
	}
}

static struct fiber *find_able(struct sg_fibers *fibers)
{
	uint32_t i, index = fibers->current;

	for (i = 0; i < fibers->count; i++) {
		if (++index == fibers->count)
			index = 0;
		if (can_go(fibers, &fibers->fibers[index]))
			return &fibers->fibers[index];
	}
	return NULL;
}

static struct fiber *find_next(struct sg_worker *worker)
{
	struct fiber *next = find_able(worker->fibers);

	if (!next && mt_sg_warps_gather(worker->fibers, worker->block.warp_size))
		next = find_able(worker->fibers);
	return next;
}

/* Makes the fiber the running one, all but the stack. */
static void enter(struct sg_worker *worker, struct fiber *fiber)
{
	struct sg_fibers *fibers = worker->fibers;
	struct mt_dev_block *block = &worker->block;
	struct team *team = fiber->team;

	fibers->current = (uint32_t)(fiber - fibers->fibers);
	block->thread_x = fiber->x;
	block->thread_y = fiber->y;
	block->thread_z = fiber->z;
	if (team != fibers->at) {
		fibers->at = team;
		block->block_x = team->block_x;
		block->block_y = team->block_y;
		block->block_z = team->block_z;
		block->shared = team->shared;
	}
}

/* Fibers mostly run one after the other: the next one's stack is on its way when it is wanted. */
static void prefetch_after(const struct sg_fibers *fibers)
{
	const struct fiber *fiber = &fibers->fibers[fibers->current];

	if (fibers->current + 2 >= fibers->count)
		return;
	__builtin_prefetch(fiber[1].sp);
	__builtin_prefetch((const char *)fiber[1].sp + CACHE_LINE_B);
	__builtin_prefetch(&fiber[2]);
}

void mt_sg_fiber_resume(struct sg_worker *worker, void **save_sp, struct fiber *next)
{
	if (next->state == FIBER_NEW)
		prepare(worker, next);
	next->state = FIBER_READY;
	enter(worker, next);
	prefetch_after(worker->fibers);
	mt_sg_stack_switch(save_sp, next->sp);
}

/* The running fiber waits, as its state says. */
void mt_sg_fiber_wait(struct sg_worker *worker, struct fiber *fiber)
{
	struct fiber *next = find_next(worker);

	if (unlikely(!next))
		mt_sg_fiber_fail(worker, MT_HW_FAULT_KERNEL,
				 "threads of a block wait for each other for ever (barrier not "
				 "reached by all?)");
	if (next == fiber) {
		fiber->state = FIBER_READY;
		return;
	}
	mt_sg_fiber_resume(worker, &fiber->sp, next);
}

struct fiber *mt_sg_fiber_running(struct mt_dev_block *block, const char *what)
{
	struct sg_fibers *fibers = mt_sg_worker_of(block)->fibers;

	if (unlikely(!fibers || !fibers->active || fibers->fibers[fibers->current].is_entry))
		mt_sg_fiber_fail(mt_sg_worker_of(block), MT_HW_FAULT_KERNEL, what);
	return &fibers->fibers[fibers->current];
}

static void release_barrier(struct team *team)
{
	team->result_count = team->count;
	team->result_and = team->count == team->arrived;
	team->result_or = team->count != 0;
	team->arrived = 0;
	team->count = 0;
	team->generation++;
}

static uint32_t barrier_result(const struct team *team, uint32_t op)
{
	switch (op) {
	case MT_DEV_BARRIER_COUNT:
		return team->result_count;
	case MT_DEV_BARRIER_AND:
		return team->result_and;
	case MT_DEV_BARRIER_OR:
		return team->result_or;
	default:
		return 0;
	}
}

uint32_t mt_sg_barrier(struct mt_dev_block *block, uint32_t op, uint32_t value)
{
	struct fiber *fiber = mt_sg_fiber_running(block, "barrier outside run_threads()");
	struct team *team = fiber->team;

	team->count += value != 0;
	if (++team->arrived == team->live) {
		release_barrier(team);
		return barrier_result(team, op);
	}
	fiber->state = FIBER_BARRIER;
	fiber->generation = team->generation;
	mt_sg_fiber_wait(mt_sg_worker_of(block), fiber);
	return barrier_result(team, op);
}

/* A thread has returned: whoever waited for it only can go on. */
static void thread_ended(struct sg_fibers *fibers, struct fiber *fiber, uint32_t warp_size)
{
	struct team *team = fiber->team;

	mt_sg_warp_leave(fibers, fiber, warp_size);
	team->live--;
	if (team->live && team->arrived == team->live)
		release_barrier(team);
	if (fibers->cooperative)
		mt_sg_grid_leave(fibers);
}

static void fiber_main(void *argument)
{
	struct sg_worker *worker = argument;
	struct sg_fibers *fibers = worker->fibers;
	struct mt_dev_block *block = &worker->block;
	struct fiber *fiber, *next;
	void *nowhere;

	for (;;) {
		fiber = &fibers->fibers[fibers->current];
		if (fiber->is_entry) {
			fibers->entry(block);
		} else {
			fiber->team->fn(block, fiber->x, fiber->y, fiber->z);
			thread_ended(fibers, fiber, block->warp_size);
		}
		fiber->state = FIBER_DONE;
		if (!--fibers->undone)
			break;
		next = find_next(worker);
		if (!next)
			mt_sg_fiber_fail(worker, MT_HW_FAULT_KERNEL,
					 "threads of a block wait for each other for ever (barrier "
					 "not reached by all?)");
		if (next->state == FIBER_NEW) {
			next->stack = fiber->stack;
			next->state = FIBER_READY;
			enter(worker, next);
			continue;
		}
		fibers->free_stacks[fibers->free_count++] = fiber->stack;
		mt_sg_fiber_resume(worker, &nowhere, next);
	}
	fibers->free_stacks[fibers->free_count++] = fiber->stack;
	mt_sg_stack_switch(&nowhere, fibers->main_sp);
	__builtin_unreachable();
}

bool mt_sg_fibers_reserve(struct sg_fibers *fibers, uint64_t count, uint32_t teams)
{
	void *grown;

	if (count > FIBERS_MAX)
		return false;
	if (count > fibers->room) {
		grown = mt_alloc_aligned(CACHE_LINE_B, count * sizeof(*fibers->fibers));
		if (!grown)
			return false;
		mt_free(fibers->fibers);
		fibers->fibers = grown;
		fibers->room = (uint32_t)count;
	}
	if (teams > fibers->team_room) {
		grown = mt_realloc(fibers->teams, teams * sizeof(*fibers->teams));
		if (!grown)
			return false;
		fibers->teams = grown;
		fibers->team_room = teams;
	}
	return true;
}

void mt_sg_team_start(struct sg_fibers *fibers, struct team *team, const struct mt_dev_block *block,
		      mt_dev_thread_fn fn)
{
	uint32_t i, x = 0, y = 0, z = 0, lanes;
	struct fiber *fiber;

	team->fn = fn;
	team->live = team->threads;
	team->started = true;
	for (i = 0; i < team->threads; i++) {
		fiber = &fibers->fibers[team->first + i];
		fiber->team = team;
		fiber->exchange = NULL;
		fiber->x = x;
		fiber->y = y;
		fiber->z = z;
		fiber->linear = i;
		fiber->state = FIBER_NEW;
		fiber->is_entry = false;
		if (++x == block->block_dim_x) {
			x = 0;
			if (++y == block->block_dim_y) {
				y = 0;
				z++;
			}
		}
	}
	for (i = 0; i * block->warp_size < team->threads; i++) {
		lanes = team->threads - i * block->warp_size;
		if (lanes > block->warp_size)
			lanes = block->warp_size;
		team->warps[i].open = NULL;
		team->warps[i].live[0] = lanes >= 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
		team->warps[i].live[1] = lanes >= 128 ? UINT64_MAX
					 : lanes > 64 ? (UINT64_C(1) << (lanes - 64)) - 1
						      : 0;
	}
	fibers->undone += team->threads;
}

/* A cooperative block's entry asks for its threads. */
static void join_team(struct sg_worker *worker, mt_dev_thread_fn fn)
{
	struct sg_fibers *fibers = worker->fibers;
	struct fiber *fiber = &fibers->fibers[fibers->current];

	if (!fiber->is_entry || fiber->team->started)
		mt_sg_fiber_fail(worker, MT_HW_FAULT_KERNEL,
				 "run_threads() called twice or by a thread");
	mt_sg_team_start(fibers, fiber->team, &worker->block, fn);
	fiber->state = FIBER_JOIN;
	mt_sg_fiber_wait(worker, fiber);
}

void mt_sg_run_threads(struct mt_dev_block *block, mt_dev_thread_fn fn)
{
	struct sg_worker *worker = mt_sg_worker_of(block);
	struct sg_fibers *fibers = mt_sg_fibers_of(worker);
	struct team *team;

	if (fibers->active) {
		join_team(worker, fn);
		return;
	}
	if (!mt_sg_fibers_reserve(fibers, MT_SG_BLOCK_THREADS, 1))
		mt_sg_fiber_fail(worker, MT_HW_FAULT_RESOURCES, "no memory for fibers");
	team = &fibers->teams[0];
	team->block_x = block->block_x;
	team->block_y = block->block_y;
	team->block_z = block->block_z;
	team->shared = block->shared;
	team->threads = block->block_dim_x * block->block_dim_y * block->block_dim_z;
	team->first = 0;
	team->arrived = team->count = 0;
	fibers->undone = 0;
	mt_sg_team_start(fibers, team, block, fn);
	fibers->count = team->threads;
	fibers->at = team;
	fibers->cooperative = false;
	fibers->active = true;
	mt_sg_fiber_resume(worker, &fibers->main_sp, &fibers->fibers[0]);
	fibers->active = false;
}

void mt_sg_fiber_yield(struct sg_worker *worker)
{
	struct sg_fibers *fibers = worker->fibers;
	struct fiber *fiber;

	if (!fibers || !fibers->active)
		return;
	fiber = &fibers->fibers[fibers->current];
	fiber->state = FIBER_READY;
	mt_sg_fiber_wait(worker, fiber);
}

void mt_sg_fibers_reset(struct sg_worker *worker)
{
	struct sg_fibers *fibers = worker->fibers;
	uint32_t slabs, i;

	worker->block.shared = worker->shared;
	if (!fibers)
		return;
	fibers->active = false;
	slabs = fibers->stack_count;
	fibers->stack_count = 0;
	fibers->free_count = 0;
	for (i = 0; i < slabs; i += SLAB_STACKS)
		add_slab(fibers);
}

void mt_sg_fibers_free(struct sg_worker *worker)
{
	struct sg_fibers *fibers = worker->fibers;
	uint32_t i;

	if (!fibers)
		return;
	for (i = 0; i < SLABS_MAX && fibers->slabs[i]; i++)
		munmap(fibers->slabs[i], (size_t)SLAB_STACKS * STACK_B);
	mt_sg_exchanges_free(fibers);
	mt_free(fibers->coop_shared);
	mt_free(fibers->free_stacks);
	mt_free(fibers->fibers);
	mt_free(fibers->teams);
	mt_free(fibers);
}
