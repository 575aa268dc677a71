/* SPDX-License-Identifier: MIT */
/* The heap hands out pieces that do not overlap, merges what comes back, and gives slabs back. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drv/mem_heap.h"
#include "hw/base/alloc.h"

#define MIB (1ull << 20)

static uint64_t device_b; /* memory of the device that is left */
static uint32_t bo_count;
static uint64_t next_va = 1ull << 40;

static int create_bo(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
		     uint32_t flags, struct mt_hw_bo **bo_out)
{
	struct mt_hw_bo *bo;

	(void)domain;
	(void)flags;
	if (size_b > device_b)
		return -ENOMEM;
	bo = calloc(1, sizeof(*bo));
	bo->dev = dev;
	bo->size_b = size_b;
	bo->va = next_va;
	next_va += size_b + MIB;
	device_b -= size_b;
	bo_count++;
	*bo_out = bo;
	return 0;
}

static void destroy_bo(struct mt_hw_bo *bo)
{
	device_b += bo->size_b;
	bo_count--;
	free(bo);
}

static const struct mt_hw_ops ops = {.bo_create = create_bo, .bo_destroy = destroy_bo};
static struct mt_hw_device device = {.ops = &ops};
static struct mt_ctx ctx = {.hw = &device};
static struct mt_heap heap;

static void open_heap(void)
{
	const struct mt_heap_config config = {.page_b = 4096, .slab_b = 32 * MIB, .spare = 1};

	device_b = 256 * MIB;
	mt_heap_init(&heap, &ctx, &config);
}

static void close_heap(void)
{
	mt_heap_finish(&heap, NULL);
	cr_assert_eq(bo_count, 0);
}

TestSuite(memory_heap, .init = open_heap, .fini = close_heap);

static struct mt_heap_block *take(uint64_t size_b)
{
	struct mt_heap_block *block;

	cr_assert_eq(mt_heap_alloc(&heap, size_b, true, &block), MUSA_SUCCESS);
	cr_assert_geq(block->size_b, size_b);
	cr_assert_eq(block->va % MT_HEAP_UNIT_B, 0);
	return block;
}

static struct mt_heap_stats stats(void)
{
	struct mt_heap_stats got;

	mt_heap_stats_get(&heap, &got);
	return got;
}

enum { LIVE = 500 };

/* A random life: no two pieces overlap, and the books agree with the sum. */
Test(memory_heap, pieces_do_not_overlap)
{
	static struct mt_heap_block *blocks[LIVE];
	uint64_t used_b = 0;

	srand(3);
	for (int round = 0; round < 30000; round++) {
		int i = rand() % LIVE;

		if (blocks[i]) {
			used_b -= blocks[i]->size_b;
			mt_heap_free(&heap, blocks[i]);
			blocks[i] = NULL;
		} else {
			blocks[i] = take(1 + (uint64_t)rand() % (rand() % 4 ? 4096 : 300000));
			used_b += blocks[i]->size_b;
		}
		cr_assert_eq(stats().used_b, used_b);
		if (round % 500)
			continue;
		for (int a = 0; a < LIVE; a++) {
			for (int b = 0; blocks[a] && b < a; b++) {
				cr_assert(!blocks[b] ||
					  blocks[a]->va + blocks[a]->size_b <= blocks[b]->va ||
					  blocks[b]->va + blocks[b]->size_b <= blocks[a]->va);
			}
		}
	}
}

/* Small pieces share a slab; large ones have their own, which goes back at once. */
Test(memory_heap, large_pieces_have_their_own_slab)
{
	struct mt_heap_block *small = take(100), *large = take(40 * MIB);

	cr_assert_eq(bo_count, 2);
	cr_assert_eq(stats().reserved_b, 72 * MIB);
	mt_heap_free(&heap, large);
	cr_assert_eq(bo_count, 1);
	mt_heap_free(&heap, small);
	/* One empty slab is kept for the next piece. */
	cr_assert_eq(bo_count, 1);
	mt_heap_trim(&heap, 0);
	cr_assert_eq(bo_count, 0);
	cr_assert_eq(stats().reserved_b, 0);
	cr_assert_eq(stats().reserved_high_b, 72 * MIB);
}

/* Freed neighbours become one piece again, in every order. */
Test(memory_heap, neighbours_merge)
{
	const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

	for (size_t o = 0; o < 6; o++) {
		struct mt_heap_block *blocks[3], *whole;

		for (int i = 0; i < 3; i++)
			blocks[i] = take(10 * MIB);
		for (int i = 0; i < 3; i++)
			mt_heap_free(&heap, blocks[orders[o][i]]);
		cr_assert_eq(mt_heap_alloc(&heap, 32 * MIB, false, &whole), MUSA_SUCCESS);
		mt_heap_free(&heap, whole);
	}
}

/* All of the device's memory can be had, and a piece that came back can be had again. */
Test(memory_heap, fills_the_device)
{
	struct mt_heap_block *blocks[256], *more;

	for (int i = 0; i < 256; i++)
		blocks[i] = take(MIB);
	cr_assert_eq(device_b, 0);
	cr_assert_eq(mt_heap_alloc(&heap, 1, true, &more), MUSA_ERROR_OUT_OF_MEMORY);
	for (int i = 0; i < 256; i += 5) {
		mt_heap_free(&heap, blocks[i]);
		cr_assert_eq(mt_heap_alloc(&heap, MIB + 1, true, &more), MUSA_ERROR_OUT_OF_MEMORY);
		blocks[i] = take(MIB);
	}
}

/* A piece that just fits is found although pieces of its class need not fit. */
Test(memory_heap, finds_a_tight_piece)
{
	struct mt_heap_block *tight, *guard;

	device_b = 32 * MIB;
	tight = take(3 * MIB + 512);
	guard = take(28 * MIB);
	mt_heap_free(&heap, tight);
	tight = take(3 * MIB + 512);
	cr_assert_eq(bo_count, 1);
	mt_heap_free(&heap, guard);
}

/* With less memory than a slab takes there is still one of the size that is needed. */
Test(memory_heap, makes_do_with_small_slabs)
{
	device_b = 2 * MIB;
	take(MIB);
	cr_assert_eq(bo_count, 1);
	take(MIB);
	cr_assert_eq(device_b, 0);
}

/* Cutting a used piece makes two that are freed one by one. */
Test(memory_heap, splits_used_pieces)
{
	struct mt_heap_block *block = take(MIB), *rest;
	uint64_t va = block->va;

	cr_assert_eq(mt_heap_split(&heap, block, 1000, &rest), MUSA_SUCCESS);
	cr_assert_eq(block->size_b, 1024);
	cr_assert_eq(rest->va, va + 1024);
	cr_assert_eq(rest->size_b, MIB - 1024);
	cr_assert_eq(stats().used_b, MIB);
	mt_heap_free(&heap, block);
	cr_assert_eq(stats().used_b, MIB - 1024);
	cr_assert_eq(mt_heap_split(&heap, rest, MIB, &block), MUSA_SUCCESS);
	cr_assert_null(block);
	mt_heap_free(&heap, rest);
	cr_assert_eq(stats().used_b, 0);
}

/* Wherever host memory runs out, nothing is lost. */
Test(memory_heap, survives_refused_memory)
{
	struct mt_heap_block *block, *rest;
	struct mt_alloc_stats before, after;

	mt_heap_free(&heap, take(100));
	mt_heap_trim(&heap, 0);
	mt_alloc_stats_get(&before);
	for (uint64_t n = 1; n < 8; n++) {
		MUresult ret;

		mt_alloc_fail_at(n);
		ret = mt_heap_alloc(&heap, 100, true, &block);
		mt_alloc_fail_at(0);
		if (!ret) {
			if (!mt_heap_split(&heap, block, 50, &rest) && rest)
				mt_heap_free(&heap, rest);
			mt_heap_free(&heap, block);
		}
		mt_heap_trim(&heap, 0);
		mt_alloc_stats_get(&after);
		cr_assert_eq(after.live_count, before.live_count);
		cr_assert_eq(device_b, 256 * MIB);
	}
}

/* A limit is a limit. */
Test(memory_heap, keeps_to_its_limit)
{
	struct mt_heap limited;
	const struct mt_heap_config config = {
		.page_b = 4096, .slab_b = 32 * MIB, .max_b = 40 * MIB};
	struct mt_heap_block *block;

	mt_heap_init(&limited, &ctx, &config);
	cr_assert_eq(mt_heap_alloc(&limited, 33 * MIB, true, &block), MUSA_SUCCESS);
	cr_assert_eq(mt_heap_alloc(&limited, 8 * MIB, true, &block), MUSA_ERROR_OUT_OF_MEMORY);
	cr_assert_eq(mt_heap_alloc(&limited, 7 * MIB, true, &block), MUSA_SUCCESS);
	cr_assert_eq(mt_heap_alloc(&limited, 1, true, &block), MUSA_ERROR_OUT_OF_MEMORY);
	mt_heap_finish(&limited, NULL);
}
