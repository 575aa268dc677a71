/* SPDX-License-Identifier: MIT */
/*
 * Host memory of the library: malloc with counters and a refusal switch.
 */
#include "hw/base/alloc.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t calls, live_b, live_count;
/* Allocations left until the one that fails; 0: off. */
static _Atomic uint64_t fail_countdown;

static int refused(void)
{
	uint64_t left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);

	while (left) {
		if (atomic_compare_exchange_weak_explicit(&fail_countdown, &left, left - 1,
							  memory_order_relaxed,
							  memory_order_relaxed))
			return left == 1;
	}
	return 0;
}

static void *count_new(void *pointer)
{
	if (!pointer)
		return NULL;
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&live_count, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&live_b, malloc_usable_size(pointer), memory_order_relaxed);
	return pointer;
}

static void count_gone(void *pointer)
{
	atomic_fetch_sub_explicit(&live_count, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(&live_b, malloc_usable_size(pointer), memory_order_relaxed);
}

void *mt_alloc(size_t size_b)
{
	return refused() ? NULL : count_new(malloc(size_b ? size_b : 1));
}

void *mt_calloc(size_t count, size_t size_b)
{
	size_t product;

	if (__builtin_mul_overflow(count, size_b, &product) || refused())
		return NULL;
	return count_new(calloc(1, product ? product : 1));
}

void *mt_realloc(void *pointer, size_t size_b)
{
	size_t old_b;
	void *moved;

	if (!pointer)
		return mt_alloc(size_b);
	if (refused())
		return NULL;
	old_b = malloc_usable_size(pointer);
	moved = realloc(pointer, size_b ? size_b : 1);
	if (!moved)
		return NULL;
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&live_b, malloc_usable_size(moved) - old_b, memory_order_relaxed);
	return moved;
}

void *mt_alloc_aligned_dirty(size_t align_b, size_t size_b)
{
	void *pointer;

	if (refused())
		return NULL;
	if (align_b < sizeof(void *))
		align_b = sizeof(void *);
	if (posix_memalign(&pointer, align_b, size_b ? size_b : 1))
		return NULL;
	return count_new(pointer);
}

void *mt_alloc_aligned(size_t align_b, size_t size_b)
{
	void *pointer = mt_alloc_aligned_dirty(align_b, size_b);

	if (pointer)
		memset(pointer, 0, size_b);
	return pointer;
}

void mt_alloc_put_aside(void *pointer)
{
	count_gone(pointer);
}

bool mt_alloc_take_up(void *pointer)
{
	if (refused())
		return false;
	count_new(pointer);
	return true;
}

char *mt_strdup(const char *text)
{
	size_t size_b = strlen(text) + 1;
	char *copy = mt_alloc(size_b);

	if (copy)
		memcpy(copy, text, size_b);
	return copy;
}

void mt_free(void *pointer)
{
	if (!pointer)
		return;
	count_gone(pointer);
	free(pointer);
}

void mt_alloc_stats_get(struct mt_alloc_stats *stats_out)
{
	stats_out->calls = atomic_load_explicit(&calls, memory_order_relaxed);
	stats_out->live_b = atomic_load_explicit(&live_b, memory_order_relaxed);
	stats_out->live_count = atomic_load_explicit(&live_count, memory_order_relaxed);
}

void mt_alloc_fail_at(uint64_t n)
{
	atomic_store_explicit(&fail_countdown, n, memory_order_relaxed);
}
