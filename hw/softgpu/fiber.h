/* SPDX-License-Identifier: MIT */
/*
 * Fibers of a worker, shared between the files that run them.
 */
#ifndef MT_SOFTGPU_FIBER_H
#define MT_SOFTGPU_FIBER_H

#include "hw/softgpu/internal.h"

/* A thread's stack, its lowest page a guard: kernels with large local arrays do not fit. The stacks'
 * distance is no power of two, so that their tops are spread over the cache's sets. */
#define STACK_B     (65536u + 4096u)
#define GUARD_B     4096u
#define SLAB_STACKS 64u
#define SLABS_MAX   1024u
#define FIBERS_MAX  (SLAB_STACKS * SLABS_MAX)
#define WARPS_MAX   32u

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
	enum fiber_state state;
	bool is_entry; /* runs a block's entry */
	/* A barrier touches the line above only. */
	const void *place __attribute__((aligned(CACHE_LINE_B))); /* FIBER_GATHER: the call that it
								   * waits in */
	uint64_t gathered[2]; /* lanes that went on from there together */
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
	uint32_t *free_stacks;           /* owned, FIBERS_MAX entries */
	struct exchange *free_exchanges; /* borrowed from all_exchanges */
	struct exchange *all_exchanges;  /* owned, by next_made */
};

static inline struct sg_worker *mt_sg_worker_of(struct mt_dev_block *block)
{
	return block->engine;
}

/* fiber.c */
void mt_sg_fiber_fail(struct sg_worker *worker, enum mt_hw_fault_code code, const char *why)
	__attribute__((noreturn, cold));
/* The worker's fibers, made on first use; fails the kernel if memory has run out. */
struct sg_fibers *mt_sg_fibers_of(struct sg_worker *worker);
/* Room for fibers and teams. */
bool mt_sg_fibers_reserve(struct sg_fibers *fibers, uint64_t count, uint32_t teams);
/* The running thread; fails the kernel with `what` outside run_threads(). */
struct fiber *mt_sg_fiber_running(struct mt_dev_block *block, const char *what);
/* Switches to the fiber, which can go on; returns when somebody switches back to *save_sp. */
void mt_sg_fiber_resume(struct sg_worker *worker, void **save_sp, struct fiber *next);
/* The running fiber waits, as its state says. */
void mt_sg_fiber_wait(struct sg_worker *worker, struct fiber *fiber);
/* The threads of a team, all new. */
void mt_sg_team_start(struct sg_fibers *fibers, struct team *team, const struct mt_dev_block *block,
		      mt_dev_thread_fn fn);

/* warp.c */
/* Lets lanes that wait at one place go on together, in every warp; false if none waits. */
bool mt_sg_warps_gather(struct sg_fibers *fibers, uint32_t warp_size);
/* A thread has returned: those who only waited for it can go on. */
void mt_sg_warp_leave(struct sg_fibers *fibers, struct fiber *fiber, uint32_t warp_size);
void mt_sg_exchanges_free(struct sg_fibers *fibers);

/* cooperative.c */
void mt_sg_grid_leave(struct sg_fibers *fibers);

#endif
