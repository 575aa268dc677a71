/* SPDX-License-Identifier: MIT */
/* Large blocks of host memory stay for the next taker, up to a bound, and count as freed meanwhile. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/base/arena.h"
#include "hw/base/block.h"

#ifdef __SANITIZE_ADDRESS__
#define KEEPS 0 /* so that a use after free is found */
#else
#define KEEPS 1
#endif

Test(blocks, sizes)
{
	size_t size_b, got_b;

	for (size_b = 1; size_b < (size_t)1 << 34; size_b += size_b / 3 + 1) {
		got_b = mt_block_size(size_b);
		cr_assert_geq(got_b, size_b);
		cr_assert_leq(got_b, size_b + size_b / 8 + 1);
		cr_assert_eq(mt_block_size(got_b), got_b);
	}
}

/* The same memory comes back, zeroed where that was asked for. */
Test(blocks, reuse)
{
	size_t size_b = 300000, before_b = mt_block_pooled_b(), i;
	struct mt_alloc_stats before, after;
	unsigned char *first, *second;

	mt_alloc_stats_get(&before);
	first = mt_block_take(size_b, false);
	cr_assert_not_null(first);
	cr_assert_eq((uintptr_t)first % MT_BLOCK_ALIGN_B, 0);
	memset(first, 0xaa, mt_block_size(size_b));
	mt_block_give(first, size_b);
	cr_assert_eq(mt_block_pooled_b() - before_b, KEEPS * mt_block_size(size_b));
	mt_alloc_stats_get(&after);
	cr_assert_eq(after.live_b, before.live_b);
	cr_assert_eq(after.live_count, before.live_count);
	second = mt_block_take(size_b, true);
	cr_assert(!KEEPS || second == first);
	for (i = 0; i < size_b; i++)
		cr_assert_eq(second[i], 0);
	mt_block_give(second, size_b);
	mt_block_give(NULL, size_b);
}

/* A refused block stays where it was. */
Test(blocks, refused)
{
	size_t size_b = 1 << 20, pooled_b;
	void *block = mt_block_take(size_b, false);

	mt_block_give(block, size_b);
	pooled_b = mt_block_pooled_b();
	mt_alloc_fail_at(1);
	cr_assert_null(mt_block_take(size_b, false));
	cr_assert_eq(mt_block_pooled_b(), pooled_b);
	block = mt_block_take(size_b, false);
	cr_assert_not_null(block);
	mt_block_give(block, size_b);
}

Test(blocks, bound)
{
	enum { COUNT = 40, SIZE_B = 16 << 20 };
	void *held[COUNT];
	int i;

	for (i = 0; i < COUNT; i++)
		cr_assert_not_null(held[i] = mt_alloc_aligned_dirty(64, mt_block_size(SIZE_B)));
	for (i = 0; i < COUNT; i++)
		mt_block_give(held[i], SIZE_B);
	cr_assert_leq(mt_block_pooled_b(), (size_t)256 << 20);
	cr_assert(!KEEPS || mt_block_pooled_b() >= SIZE_B);
}

/* An arena that is built again needs no new memory. */
Test(blocks, arenas)
{
	struct mt_arena arena;
	size_t pooled_b = 0, i;
	int round;

	for (round = 0; round < 3; round++) {
		mt_arena_init(&arena);
		for (i = 0; i < 100000; i++)
			cr_assert_not_null(mt_arena_alloc(&arena, 64, 8));
		mt_arena_finish(&arena);
		cr_assert(round == 0 || mt_block_pooled_b() == pooled_b);
		pooled_b = mt_block_pooled_b();
	}
	cr_assert(!KEEPS || pooled_b >= 6000000);
}
