/* SPDX-License-Identifier: MIT */
/*
 * The pool of blocks: one list per size class, eight classes per power of two.
 */
#include "hw/base/block.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw/base/alloc.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14: all faults of a range at once */
#endif

#define POOLED_MIN_B (64u << 10) /* smaller blocks are malloc's own business */
#define POOLED_LOG   16
#define STEP_BITS    3 /* classes per power of two, as bits */
#define CLASS_COUNT  ((40 - POOLED_LOG) << STEP_BITS)
#define KEEP_MIN_B   (16u << 20)
#define KEEP_MAX_B   (256u << 20)
#define KEEP_SHARE   64u /* of the machine's memory */
#define HUGE_PAGE_B  (2u << 20)

/* What stands in a block that waits. */
struct pooled {
	struct pooled *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by lock. */
static struct pooled *lists[CLASS_COUNT]; /* owned */
static size_t pooled_b, keep_b;

/* The class that holds blocks of this size, and its size; CLASS_COUNT for blocks that stay out. */
static uint32_t class_of(size_t size_b, size_t *class_b_out)
{
	uint32_t log, shift;
	size_t steps;

	*class_b_out = size_b;
	if (size_b < POOLED_MIN_B || size_b >> 39)
		return CLASS_COUNT;
	log = 63u - (uint32_t)__builtin_clzll(size_b);
	shift = log - STEP_BITS;
	steps = (size_b + ((size_t)1 << shift) - 1) >> shift; /* 8..16: 16 is the next log's first */
	*class_b_out = steps << shift;
	return ((log - POOLED_LOG) << STEP_BITS) + (uint32_t)steps - (1u << STEP_BITS);
}

size_t mt_block_size(size_t size_b)
{
	size_t class_b;

	class_of(size_b, &class_b);
	return class_b;
}

/* Where a freed block must be found by AddressSanitizer, none is kept. */
static size_t bound(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 0;
#else
	uint64_t share = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) /
			 KEEP_SHARE;

	return share > KEEP_MAX_B ? KEEP_MAX_B : share < KEEP_MIN_B ? KEEP_MIN_B : (size_t)share;
#endif
}

static void push(void *block, uint32_t index, size_t class_b)
{
	struct pooled *pooled = block;

	pooled->next = lists[index];
	lists[index] = pooled;
	pooled_b += class_b;
}

/* False if there is a block, and its allocation was refused. */
static bool take_pooled(uint32_t index, size_t class_b, void **block_out)
{
	struct pooled *pooled;
	bool taken = true;

	pthread_mutex_lock(&lock);
	pooled = lists[index];
	if (pooled) {
		taken = mt_alloc_take_up(pooled);
		if (taken) {
			lists[index] = pooled->next;
			pooled_b -= class_b;
		}
	}
	pthread_mutex_unlock(&lock);
	*block_out = pooled;
	return taken;
}

static void advise(void *block, size_t size_b, uintptr_t page_b, int advice)
{
	uintptr_t first = ((uintptr_t)block + page_b - 1) & ~(page_b - 1);
	uintptr_t end = ((uintptr_t)block + size_b) & ~(page_b - 1);

	if (end > first)
		(void)madvise((void *)first, end - first, advice);
}

/* Pages that the caller will touch anyway, large ones where the block is. A kernel that refuses leaves
 * them to single faults. */
static void populate(void *block, size_t size_b)
{
	if (size_b >= 4 * HUGE_PAGE_B)
		advise(block, size_b, HUGE_PAGE_B, MADV_HUGEPAGE);
	advise(block, size_b, (uintptr_t)sysconf(_SC_PAGESIZE), MADV_POPULATE_WRITE);
}

void *mt_block_take(size_t size_b, bool zeroed)
{
	size_t class_b;
	uint32_t index = class_of(size_b, &class_b);
	void *block = NULL;

	if (index < CLASS_COUNT && !take_pooled(index, class_b, &block))
		return NULL;
	if (!block) {
		block = mt_alloc_aligned_dirty(MT_BLOCK_ALIGN_B, class_b);
		if (!block)
			return NULL;
		if (index < CLASS_COUNT)
			populate(block, size_b);
	}
	if (zeroed)
		memset(block, 0, class_b);
	return block;
}

void mt_block_give(void *block, size_t size_b)
{
	size_t class_b;
	uint32_t index = class_of(size_b, &class_b);
	bool kept = false;

	if (block && index < CLASS_COUNT) {
		pthread_mutex_lock(&lock);
		if (!keep_b)
			keep_b = bound();
		kept = pooled_b + class_b <= keep_b;
		if (kept) {
			mt_alloc_put_aside(block);
			push(block, index, class_b);
		}
		pthread_mutex_unlock(&lock);
	}
	if (!kept)
		mt_free(block);
}

size_t mt_block_pooled_b(void)
{
	size_t size_b;

	pthread_mutex_lock(&lock);
	size_b = pooled_b;
	pthread_mutex_unlock(&lock);
	return size_b;
}
