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
#include "hw/softgpu/internal.h"

/* A thread's stack, its lowest page a guard: kernels with large local arrays do not fit. */
#define STACK_B      65536u
#define GUARD_B      4096u
#define SLAB_STACKS  64u
#define SLABS_MAX    1024u
#define FIBERS_MAX   (SLAB_STACKS * SLABS_MAX)
#define STACK_NONE   UINT32_MAX
#define WARPS_MAX    32u
#define COOP_SHARED_MAX_B (256u << 20)

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard that does not split the mapping */
#endif

enum fiber_state {
	FIBER_NEW,
	FIBER_READY,
	FIBER_BARRIER, /* until the block's barrier generation changes */
	FIBER_WARP,    /* until its exchange is done */
	FIBER_GATHER,  /* until nothing else can go on: then lanes at one place go on together */
	FIBER_GRID,    /* until the grid's barrier generation changes */
	FIBER_JOIN,    /* a block's entry, until its threads have ended */
	FIBER_DONE,
};

/* A meeting of some lanes of a warp. */
struct exchange {
	struct exchange *next;      /* of the warp, or of the free list */
	struct exchange *next_made; /* of all */
	uint64_t mask[2], arrived[2];
	bool sync, done;
	uint32_t refs; /* fibers that wait for it or may still read values */
	uint64_t values[128];
};

struct warp {
	uint64_t live[2];
	struct exchange *open; /* borrowed; not done */
};

/* A block that runs on fibers. */
struct team {
	uint32_t block_x, block_y, block_z;
	uint32_t threads, live;
	uint32_t first; /* index of its first thread's fiber */
	uint32_t arrived, generation, count;
	uint32_t result_count, result_and, result_or;
	bool started;
	void *shared;
	mt_dev_thread_fn fn;
	struct warp warps[WARPS_MAX];
};

struct fiber {
	void *sp;
	struct team *team;
	struct exchange *exchange; /* last one, referenced */
	uint32_t x, y, z, linear;
	uint32_t stack;
	uint32_t generation;
	const void *place;     /* FIBER_GATHER: the call that it waits in */
	uint64_t gathered[2];  /* lanes that went on from there together */
	enum fiber_state state;
	bool is_entry; /* runs a block's entry */
};

struct sg_fibers {
	struct fiber *fibers; /* owned */
	uint32_t room, count, current, undone;
	struct team *teams; /* owned */
	uint32_t team_room;
	struct team *at; /* whose part of the context is loaded */
	void *main_sp;
	bool active, cooperative;
	void (*entry)(struct mt_dev_block *block);

	uint32_t grid_live, grid_arrived, grid_generation;
	void *coop_shared; /* owned */
	uint64_t coop_shared_b;

	char *slabs[SLABS_MAX]; /* owned */
	uint32_t stack_count, free_count;
	uint32_t *free_stacks; /* owned, FIBERS_MAX entries */
	struct exchange *free_exchanges; /* borrowed from all_exchanges */
	struct exchange *all_exchanges;  /* owned, by next_made */
};

static struct sg_worker *worker_of(struct mt_dev_block *block)
{
	return block->engine;
}

static void __attribute__((noreturn, cold)) fail(struct sg_worker *worker,
						 enum mt_hw_fault_code code, const char *why)
{
	mt_sg_worker_fault(worker, code, atomic_load(&worker->pc), "%s", why);
	mt_sg_worker_abort(worker);
}

static struct sg_fibers *fibers_of(struct sg_worker *worker)
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
		fail(worker, MT_HW_FAULT_RESOURCES, "no memory for fibers");
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
		fibers->free_stacks[fibers->free_count++] = fibers->stack_count + SLAB_STACKS - 1 - i;
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
		fail(worker, MT_HW_FAULT_RESOURCES, "no memory for a thread's stack");
	fiber->stack = fibers->free_stacks[--fibers->free_count];
	/* Tops differ in their cache sets. */
	sp = (uint64_t *)(void *)(stack_bottom(fibers, fiber->stack) + STACK_B -
				  fiber->stack % 16 * 128u);
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

static bool release_all_gathered(struct sg_fibers *fibers, uint32_t warp_size)
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

	if (!next && release_all_gathered(worker->fibers, worker->block.warp_size))
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

static void resume(struct sg_worker *worker, void **save_sp, struct fiber *next)
{
	if (next->state == FIBER_NEW)
		prepare(worker, next);
	next->state = FIBER_READY;
	enter(worker, next);
	mt_sg_stack_switch(save_sp, next->sp);
}

/* The running fiber waits, as its state says. */
static void wait_here(struct sg_worker *worker, struct fiber *fiber)
{
	struct fiber *next = find_next(worker);

	if (unlikely(!next))
		fail(worker, MT_HW_FAULT_KERNEL,
		     "threads of a block wait for each other for ever (barrier not reached by all?)");
	if (next == fiber) {
		fiber->state = FIBER_READY;
		return;
	}
	resume(worker, &fiber->sp, next);
}

static struct fiber *running(struct mt_dev_block *block, const char *what)
{
	struct sg_fibers *fibers = worker_of(block)->fibers;

	if (unlikely(!fibers || !fibers->active || fibers->fibers[fibers->current].is_entry))
		fail(worker_of(block), MT_HW_FAULT_KERNEL, what);
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
	struct fiber *fiber = running(block, "barrier outside run_threads()");
	struct team *team = fiber->team;

	team->count += value != 0;
	if (++team->arrived == team->live) {
		release_barrier(team);
		return barrier_result(team, op);
	}
	fiber->state = FIBER_BARRIER;
	fiber->generation = team->generation;
	wait_here(worker_of(block), fiber);
	return barrier_result(team, op);
}

void mt_sg_grid_barrier(struct mt_dev_block *block)
{
	struct fiber *fiber = running(block, "grid barrier outside run_threads()");
	struct sg_fibers *fibers = worker_of(block)->fibers;

	if (!fibers->cooperative)
		fail(worker_of(block), MT_HW_FAULT_KERNEL,
		     "grid barrier in a launch that is not cooperative");
	if (++fibers->grid_arrived == fibers->grid_live) {
		fibers->grid_arrived = 0;
		fibers->grid_generation++;
		return;
	}
	fiber->state = FIBER_GRID;
	fiber->generation = fibers->grid_generation;
	wait_here(worker_of(block), fiber);
}

/* ---- warps ---- */

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
			fail(worker, MT_HW_FAULT_RESOURCES, "no memory for a warp exchange");
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
	struct fiber *fiber = running(block, "warp operation outside run_threads()");
	struct sg_worker *worker = worker_of(block);
	uint32_t lane = fiber->linear % block->warp_size;
	struct warp *warp = &fiber->team->warps[fiber->linear / block->warp_size];
	struct exchange *exchange;

	if (block->warp_size == 32) {
		mask_lo &= UINT32_MAX;
		mask_hi = 0;
	}
	if (!((lane < 64 ? mask_lo >> lane : mask_hi >> (lane - 64)) & 1))
		fail(worker, MT_HW_FAULT_KERNEL, "warp operation by a lane that is not in its mask");
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
		wait_here(worker, fiber);
	}
	return exchange;
}

void mt_sg_warp_sync(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi)
{
	struct fiber *fiber = running(block, "warp operation outside run_threads()");
	struct exchange *kept = fiber->exchange;

	/* A barrier is no exchange: values of the last one stay valid. */
	fiber->exchange = NULL;
	meet(block, mask_lo, mask_hi, 0, true);
	drop_exchange(worker_of(block)->fibers, fiber);
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
	struct fiber *fiber = running(block, "warp operation outside run_threads()");

	fiber->place = __builtin_return_address(0);
	fiber->state = FIBER_GATHER;
	wait_here(worker_of(block), fiber);
	mask[0] = fiber->gathered[0];
	mask[1] = fiber->gathered[1];
}

/* ---- life ---- */

/* A thread has returned: whoever waited for it only can go on. */
static void thread_ended(struct sg_fibers *fibers, struct fiber *fiber, uint32_t warp_size)
{
	uint32_t lane = fiber->linear % warp_size;
	struct team *team = fiber->team;
	struct warp *warp = &team->warps[fiber->linear / warp_size];

	drop_exchange(fibers, fiber);
	warp->live[lane / 64] &= ~(UINT64_C(1) << lane % 64);
	if (warp->open)
		settle(warp);
	team->live--;
	if (team->live && team->arrived == team->live)
		release_barrier(team);
	if (!fibers->cooperative)
		return;
	fibers->grid_live--;
	if (fibers->grid_live && fibers->grid_arrived == fibers->grid_live) {
		fibers->grid_arrived = 0;
		fibers->grid_generation++;
	}
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
			fail(worker, MT_HW_FAULT_KERNEL,
			     "threads of a block wait for each other for ever (barrier not reached by all?)");
		if (next->state == FIBER_NEW) {
			next->stack = fiber->stack;
			next->state = FIBER_READY;
			enter(worker, next);
			continue;
		}
		fibers->free_stacks[fibers->free_count++] = fiber->stack;
		resume(worker, &nowhere, next);
	}
	fibers->free_stacks[fibers->free_count++] = fiber->stack;
	mt_sg_stack_switch(&nowhere, fibers->main_sp);
	__builtin_unreachable();
}

static bool reserve_fibers(struct sg_fibers *fibers, uint64_t count, uint32_t teams)
{
	void *grown;

	if (count > FIBERS_MAX)
		return false;
	if (count > fibers->room) {
		grown = mt_realloc(fibers->fibers, count * sizeof(*fibers->fibers));
		if (!grown)
			return false;
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

static void start_team(struct sg_fibers *fibers, struct team *team, const struct mt_dev_block *block,
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
		team->warps[i].live[1] = lanes >= 128 ? UINT64_MAX :
					 lanes > 64   ? (UINT64_C(1) << (lanes - 64)) - 1 :
							0;
	}
	fibers->undone += team->threads;
}

/* A cooperative block's entry asks for its threads. */
static void join_team(struct sg_worker *worker, mt_dev_thread_fn fn)
{
	struct sg_fibers *fibers = worker->fibers;
	struct fiber *fiber = &fibers->fibers[fibers->current];

	if (!fiber->is_entry || fiber->team->started)
		fail(worker, MT_HW_FAULT_KERNEL, "run_threads() called twice or by a thread");
	start_team(fibers, fiber->team, &worker->block, fn);
	fiber->state = FIBER_JOIN;
	wait_here(worker, fiber);
}

void mt_sg_run_threads(struct mt_dev_block *block, mt_dev_thread_fn fn)
{
	struct sg_worker *worker = worker_of(block);
	struct sg_fibers *fibers = fibers_of(worker);
	struct team *team;

	if (fibers->active) {
		join_team(worker, fn);
		return;
	}
	if (!reserve_fibers(fibers, MT_SG_BLOCK_THREADS, 1))
		fail(worker, MT_HW_FAULT_RESOURCES, "no memory for fibers");
	team = &fibers->teams[0];
	team->block_x = block->block_x;
	team->block_y = block->block_y;
	team->block_z = block->block_z;
	team->shared = block->shared;
	team->threads = block->block_dim_x * block->block_dim_y * block->block_dim_z;
	team->first = 0;
	team->arrived = team->count = 0;
	fibers->undone = 0;
	start_team(fibers, team, block, fn);
	fibers->count = team->threads;
	fibers->at = team;
	fibers->cooperative = false;
	fibers->active = true;
	resume(worker, &fibers->main_sp, &fibers->fibers[0]);
	fibers->active = false;
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
		fibers->fibers[i] = (struct fiber){ .team = team, .is_entry = true };
	}
	for (i = blocks; i < fibers->count; i++)
		fibers->fibers[i].state = FIBER_DONE;
}

bool mt_sg_cooperative_run(struct sg_worker *worker, const struct mt_pkt_dispatch *packet,
			   uint64_t blocks)
{
	struct mt_dev_block *block = &worker->block;
	uint64_t threads = (uint64_t)packet->block_x * packet->block_y * packet->block_z;
	uint64_t shared_b = ((uint64_t)packet->static_shared_b + 15) / 16 * 16 +
			    packet->dynamic_shared_b;
	struct sg_fibers *fibers = fibers_of(worker);

	shared_b = (shared_b + 127) / 128 * 128;
	if (blocks > FIBERS_MAX || blocks * (threads + 1) > FIBERS_MAX ||
	    !reserve_shared(fibers, blocks * shared_b + 128) ||
	    !reserve_fibers(fibers, blocks * (threads + 1), (uint32_t)blocks)) {
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
	resume(worker, &fibers->main_sp, &fibers->fibers[0]);
	atomic_store_explicit(&worker->in_kernel, 0, memory_order_relaxed);
	fibers->active = false;
	block->shared = worker->shared;
	return true;
}

void mt_sg_fiber_yield(struct sg_worker *worker)
{
	struct sg_fibers *fibers = worker->fibers;
	struct fiber *fiber;

	if (!fibers || !fibers->active)
		return;
	fiber = &fibers->fibers[fibers->current];
	fiber->state = FIBER_READY;
	wait_here(worker, fiber);
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
	struct exchange *exchange, *next;
	uint32_t i;

	if (!fibers)
		return;
	for (i = 0; i < SLABS_MAX && fibers->slabs[i]; i++)
		munmap(fibers->slabs[i], (size_t)SLAB_STACKS * STACK_B);
	for (exchange = fibers->all_exchanges; exchange; exchange = next) {
		next = exchange->next_made;
		mt_free(exchange);
	}
	mt_free(fibers->coop_shared);
	mt_free(fibers->free_stacks);
	mt_free(fibers->fibers);
	mt_free(fibers->teams);
	mt_free(fibers);
}
