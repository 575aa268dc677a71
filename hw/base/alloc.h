/* SPDX-License-Identifier: MIT */
/*
 * Host memory of the library: malloc behind one door, so that tests can count and refuse.
 */
#ifndef MT_BASE_ALLOC_H
#define MT_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mt_alloc(size_t size_b);
void *mt_calloc(size_t count, size_t size_b); /* zeroed; NULL on overflow of the product */
void *mt_realloc(void *pointer, size_t size_b);
void *mt_alloc_aligned(size_t align_b, size_t size_b); /* zeroed; align_b is a power of two */
void *mt_alloc_aligned_dirty(size_t align_b, size_t size_b); /* the same, not zeroed */
char *mt_strdup(const char *text);
void mt_free(void *pointer); /* accepts NULL; for all of the above */

/* For a pool of freed memory: put aside, it counts as freed; taken up, as allocated anew, which may be
 * refused (false). */
void mt_alloc_put_aside(void *pointer);
bool mt_alloc_take_up(void *pointer);

/* Counters over the whole process, exact when no other thread allocates. */
struct mt_alloc_stats {
	uint64_t calls;      /* successful allocations so far */
	uint64_t live_b;     /* bytes not yet freed, by usable size */
	uint64_t live_count; /* blocks not yet freed */
};
void mt_alloc_stats_get(struct mt_alloc_stats *stats_out);

/* Test hook: the n-th allocation from now on fails, once (n = 1: the next); 0 switches it off. */
void mt_alloc_fail_at(uint64_t n);

#endif
