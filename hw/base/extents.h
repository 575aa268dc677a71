/* SPDX-License-Identifier: MIT */
/*
 * Free ranges of an address space or of a memory, in pages.
 */
#ifndef MT_BASE_EXTENTS_H
#define MT_BASE_EXTENTS_H

#include <stdint.h>

struct mt_extent {
	uint64_t start, size_b;
};

/* Sorted by start; neighbours are merged. Not thread-safe. */
struct mt_extents {
	struct mt_extent *free; /* owned */
	uint32_t count, room;
	uint32_t out; /* ranges taken and not given back */
};

/* -ENOMEM. */
int mt_extents_init(struct mt_extents *extents, uint64_t start, uint64_t size_b);
void mt_extents_finish(struct mt_extents *extents);

/* One range; align_b a power of two. -ENOMEM if there is none. */
int mt_extents_take(struct mt_extents *extents, uint64_t size_b, uint64_t align_b,
		    uint64_t *start_out);
/* The largest part of size_b that is free in one piece; 0: nothing is free. */
uint64_t mt_extents_take_some(struct mt_extents *extents, uint64_t size_b, uint64_t *start_out);
/* Cannot fail: room for the entry was kept when the range was taken. */
void mt_extents_give(struct mt_extents *extents, uint64_t start, uint64_t size_b);

#endif
