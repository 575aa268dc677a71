/* SPDX-License-Identifier: MIT */
/*
 * Heap: hands out pieces of large buffer objects (slabs). Device memory, pinned memory and every
 * memory pool have one. It knows sizes and slabs, not who uses a piece or when it is free again.
 *
 * Two-level segregated fit: free pieces stand in lists by size, two bit maps find the first list
 * that fits, neighbours merge at once. Allocating and freeing are O(1) at any number of pieces.
 */
#ifndef MT_DRV_MEM_HEAP_H
#define MT_DRV_MEM_HEAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/result.h"

#define MT_HEAP_UNIT_B    512u /* sizes and addresses are multiples of it */
#define MT_HEAP_FL_COUNT  40u  /* powers of two, in units */
#define MT_HEAP_SL_BITS   4u
#define MT_HEAP_SPARE_ALL UINT32_MAX
#define MT_HEAP_SL_COUNT  (1u << MT_HEAP_SL_BITS) /* lists within a power of two */

struct mt_heap;

struct mt_heap_slab {
	struct mt_heap *heap;
	struct mt_hw_bo *bo; /* owned */
	struct mt_heap_slab *next, **link;
	struct mt_heap_block *first; /* owned: all pieces, by address */
	uint64_t used_b;
	int export_fd; /* owned, -1 until somebody shares the slab */
};

struct mt_heap_block {
	uint64_t va, size_b;
	struct mt_heap_slab *slab;
	struct mt_heap_block *before, *after; /* neighbours in the slab */
	struct mt_heap_block *next, **link;   /* in a free list */
	bool used;
	void *user; /* of who holds the block */
};

struct mt_heap_config {
	enum mt_hw_domain domain;
	uint32_t bo_flags;
	uint64_t page_b; /* granule of buffer objects */
	uint64_t slab_b; /* least size of a slab; requests from half of it on get their own */
	uint64_t max_b;  /* most to reserve, 0: no limit */
	uint32_t spare;  /* empty slabs of slab_b to keep; MT_HEAP_SPARE_ALL: all, of any size */
	bool share;      /* map slabs into all devices */
};

struct mt_heap_stats {
	uint64_t reserved_b, reserved_high_b; /* in slabs */
	uint64_t used_b, used_high_b;         /* in blocks handed out */
};

struct mt_heap {
	struct mt_ctx *ctx; /* borrowed */
	struct mt_heap_config config;
	pthread_mutex_t lock;       /* guards the rest; innermost */
	struct mt_heap_slab *slabs; /* owned */
	uint32_t empty_count;       /* slabs without a used block */
	struct mt_heap_stats stats;
	uint64_t fl_map;
	uint32_t sl_map[MT_HEAP_FL_COUNT];
	struct mt_heap_block *lists[MT_HEAP_FL_COUNT][MT_HEAP_SL_COUNT];
};

void mt_heap_init(struct mt_heap *heap, struct mt_ctx *ctx, const struct mt_heap_config *config);

/* Gives all slabs back, used or not. Accepts a zeroed heap. `gone`, if not NULL, is called for
 * each used block first. */
void mt_heap_finish(struct mt_heap *heap, void (*gone)(struct mt_heap_block *block));

/**
 * mt_heap_alloc() - A block of at least size_b bytes.
 * @size_b:	Not 0.
 * @grow:	Whether a new slab may be made.
 *
 * Errors: OUT_OF_MEMORY, also if it would have to grow and may not.
 */
MUresult mt_heap_alloc(struct mt_heap *heap, uint64_t size_b, bool grow,
		       struct mt_heap_block **block_out);
void mt_heap_free(struct mt_heap *heap, struct mt_heap_block *block);

/* Cuts a used block down to size_b and makes the rest a used block of its own. *rest_out is NULL if
 * nothing is left to cut off. */
MUresult mt_heap_split(struct mt_heap *heap, struct mt_heap_block *block, uint64_t size_b,
		       struct mt_heap_block **rest_out);

/* Gives empty slabs back while more than keep_b are reserved. */
void mt_heap_trim(struct mt_heap *heap, uint64_t keep_b);

void mt_heap_stats_get(struct mt_heap *heap, struct mt_heap_stats *stats_out);

/* Sets the high marks to the current values. */
void mt_heap_reset_high(struct mt_heap *heap, bool reserved, bool used);

static inline uint64_t mt_heap_round(uint64_t size_b)
{
	return (size_b + MT_HEAP_UNIT_B - 1) & ~(uint64_t)(MT_HEAP_UNIT_B - 1);
}

#endif
