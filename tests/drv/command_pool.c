/* SPDX-License-Identifier: MIT */
/* Command memory: blocks do not overlap, small ones share chunks, and what is free is found. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "drv/command.h"
#include "fake_hw.h"
#include "hw/base/alloc.h"

static struct mt_ctx ctx;

static void open_ctx(void)
{
	fake_ctx_open(&ctx);
}

static void close_ctx(void)
{
	fake_ctx_close(&ctx);
}

TestSuite(drv_command_pool, .init = open_ctx, .fini = close_ctx);

static struct mt_command_stats stats(void)
{
	struct mt_command_stats got;

	mt_command_stats_get(ctx.commands, &got);
	return got;
}

/* Blocks of random sizes, taken and freed at random, never overlap and keep their alignment. */
Test(drv_command_pool, blocks_never_overlap)
{
	enum { COUNT = 400 };
	struct mt_command_block blocks[COUNT] = {0};
	uint64_t used_b = 0;

	srand(7);
	for (int round = 0; round < 20000; round++) {
		int i = rand() % COUNT;
		struct mt_command_block *block = &blocks[i];

		if (block->cpu) {
			for (uint32_t at = 0; at < block->size_b; at += 4)
				cr_assert_eq(*(int *)((char *)block->cpu + at), i);
			used_b -= block->size_b;
			mt_command_free(ctx.commands, block);
			block->cpu = NULL;
		} else {
			uint32_t size_b = 1 + (uint32_t)rand() % MT_COMMAND_CHUNK_B;

			if (rand() % 2)
				size_b = 1 + size_b % 700;
			cr_assert_eq(mt_command_alloc(ctx.commands, size_b, block), MUSA_SUCCESS);
			cr_assert_geq(block->size_b, size_b);
			cr_assert_lt(block->size_b, size_b + MT_COMMAND_STEP_B);
			cr_assert_eq((uintptr_t)block->cpu % MT_COMMAND_STEP_B, 0);
			cr_assert_eq(block->va - (uint64_t)(uintptr_t)block->cpu, 1ull << 40);
			for (uint32_t at = 0; at < block->size_b; at += 4)
				*(int *)((char *)block->cpu + at) = i;
			used_b += block->size_b;
		}
		cr_assert_eq(stats().used_b, used_b);
	}
	for (int i = 0; i < COUNT; i++)
		if (blocks[i].cpu)
			mt_command_free(ctx.commands, &blocks[i]);
	cr_assert_eq(stats().used_b, 0);
}

/* Sixty-four small blocks fill one chunk, so that small owners do not cost a chunk each. */
Test(drv_command_pool, small_blocks_share_a_chunk)
{
	struct mt_command_block blocks[64];
	uintptr_t low = UINTPTR_MAX, high = 0;

	for (int i = 0; i < 64; i++) {
		uintptr_t at;

		cr_assert_eq(mt_command_alloc(ctx.commands, 256, &blocks[i]), MUSA_SUCCESS);
		at = (uintptr_t)blocks[i].cpu;
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	cr_assert_eq(high + 256 - low, MT_COMMAND_CHUNK_B);
	for (int i = 0; i < 64; i++)
		mt_command_free(ctx.commands, &blocks[i]);
}

/* A gap between blocks is used again before the pool grows. */
Test(drv_command_pool, gaps_are_found)
{
	struct mt_command_block blocks[16 * 4], gap;
	uint64_t reserved_b;

	for (int i = 0; i < 16 * 4; i++)
		cr_assert_eq(mt_command_alloc(ctx.commands, 4096, &blocks[i]), MUSA_SUCCESS);
	reserved_b = stats().reserved_b;
	cr_assert_eq(reserved_b, stats().used_b);
	mt_command_free(ctx.commands, &blocks[9]);
	cr_assert_eq(mt_command_alloc(ctx.commands, 1024, &gap), MUSA_SUCCESS);
	cr_assert_eq(gap.cpu, blocks[9].cpu);
	cr_assert_eq(mt_command_alloc(ctx.commands, 3072, &blocks[9]), MUSA_SUCCESS);
	cr_assert_eq(stats().reserved_b, reserved_b);
	mt_command_free(ctx.commands, &gap);
	for (int i = 0; i < 16 * 4; i++)
		mt_command_free(ctx.commands, &blocks[i]);
}

/* What a burst needed goes back to the device, except for a bounded reserve. */
Test(drv_command_pool, idle_memory_is_bounded)
{
	enum { COUNT = 8192 }; /* 128 MiB */
	static struct mt_command_block blocks[COUNT];

	for (int i = 0; i < COUNT; i++)
		cr_assert_eq(mt_command_alloc(ctx.commands, MT_COMMAND_CHUNK_B, &blocks[i]),
			     MUSA_SUCCESS);
	cr_assert_geq(stats().reserved_b, (uint64_t)COUNT * MT_COMMAND_CHUNK_B);
	for (int i = 0; i < COUNT; i++)
		mt_command_free(ctx.commands, &blocks[i]);
	cr_assert_leq(stats().reserved_b, 72u << 20);
	cr_assert_geq(stats().reserved_b, 8u << 20);
}

/* Each way of running out of memory is reported, and nothing is lost by it. */
Test(drv_command_pool, failures_leave_the_pool_whole)
{
	struct mt_command_block block;
	uint64_t n = 0;
	MUresult ret;

	fake_bo_fail = true;
	cr_assert_eq(mt_command_alloc(ctx.commands, 256, &block), MUSA_ERROR_OUT_OF_MEMORY);
	fake_bo_fail = false;
	do {
		mt_alloc_fail_at(++n);
		ret = mt_command_alloc(ctx.commands, 256, &block);
		mt_alloc_fail_at(0);
		cr_assert(ret == MUSA_SUCCESS || ret == MUSA_ERROR_OUT_OF_MEMORY);
	} while (ret);
	cr_assert_gt(n, 1);
	mt_command_free(ctx.commands, &block);
	cr_assert_eq(stats().used_b, 0);
}
