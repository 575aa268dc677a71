/* SPDX-License-Identifier: MIT */
/*
 * The pool object, shared by pool.c (objects, attributes) and pool_async.c (allocation).
 */
#ifndef MT_DRV_POOL_INTERNAL_H
#define MT_DRV_POOL_INTERNAL_H

#include "drv/mem_internal.h"
#include "drv/pool.h"

#define MT_POOL_BINS 64u /* pending blocks by power of two of their size */

/* One allocation, or one block that waits for its stream. */
struct mt_pool_block {
	struct mt_pool *pool;
	struct mt_heap_block *block;
	/* While pending. */
	struct mt_pool_stream *stream;
	struct mt_stream_ticket ticket;      /* when the free is reached */
	struct mt_pool_block *newer, *older; /* in the stream's order of frees */
	struct mt_pool_block *bin_next, **bin_link;
};

/* What was freed in one stream and is not known to be done. */
struct mt_pool_stream {
	uint64_t id; /* of the stream */
	struct mt_pool_block *oldest, *newest;
	struct mt_pool_block *bins[MT_POOL_BINS];
	struct mt_pool_stream *next;
};

struct mt_pool {
	uint64_t handle;
	struct mt_memory *memory;     /* borrowed: of the device it belongs to */
	struct mt_pool *next, **link; /* in memory->pools; guarded by memory->lock */
	struct mt_heap heap;
	pthread_mutex_t lock;           /* guards the rest; inside memory->lock */
	struct mt_pool_stream *streams; /* owned */
	uint64_t threshold_b;
	int follow_events, opportunistic, internal_deps;
	uint64_t used_b, used_high_b; /* allocated now, pending blocks not counted */
	uint32_t live_count;
	bool dead;  /* destroyed by the program */
	bool spare; /* counted in memory->chores: may have slabs to give back */
	uint8_t access[MT_DEVICES_MAX];
};

/* All under pool->lock. */
void mt_pool_pop_done(struct mt_pool *pool); /* pending blocks whose stream came by */
void mt_pool_give_back(struct mt_pool *pool, uint64_t keep_b);
void mt_pool_note_spare(struct mt_pool *pool);
bool mt_pool_is_over(const struct mt_pool *pool); /* dead, and nothing is left in it */

/* Takes a pool that is over out of its list and frees it. Caller holds memory->lock. */
void mt_pool_release(struct mt_pool *pool);

#endif
