/* SPDX-License-Identifier: MIT */
/*
 * Proves that packets do what the packet set says, driven through the hardware layer's face.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hw/gpu.h"

static struct t_gpu gpu;

static void open_gpu(void)
{
	t_open(&gpu);
}

static void close_gpu(void)
{
	t_close(&gpu);
}

TestSuite(execute, .init = open_gpu, .fini = close_gpu, .timeout = 60);

/* A kernel reads its arguments and writes to device memory. */
Test(execute, store)
{
	uint64_t *word = t_data(&gpu, 8), start = t_here(&gpu);

	t_dispatch(&gpu, 0, 1, k_store, (uintptr_t)word, 42);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(*word, 42);
	cr_assert_eq(mt_hw_queue_completed(gpu.queue), 1);
}

/* The GS base is the block. */
Test(execute, segment_base)
{
	uint64_t *word = t_data(&gpu, 8), start = t_here(&gpu);

	t_dispatch(&gpu, 0, 1, k_gs, (uintptr_t)word, 0);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(*word, 1);
}

/* Every thread of every block runs exactly once, whatever the grid's shape. */
Test(execute, grids)
{
	static const uint32_t shapes[][6] = {
		{1, 1, 1, 1, 1, 1},    {3, 1, 1, 5, 1, 1},   {2, 3, 4, 4, 2, 2},
		{1, 7, 1, 1, 1, 64},   {1, 1, 9, 32, 32, 1}, {4001, 1, 1, 3, 1, 1},
		{13, 17, 19, 2, 1, 1},
	};
	uint32_t i, k, n;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		uint64_t start = t_here(&gpu);
		struct mt_pkt_dispatch *packet;
		uint32_t *out;

		n = 1;
		for (k = 0; k < 6; k++)
			n *= shapes[i][k];
		out = (uint32_t *)(void *)t_data(&gpu, n * 4u);
		packet = t_dispatch(&gpu, 0, 1, k_grid, (uintptr_t)out, 0);
		packet->grid_x = shapes[i][0];
		packet->grid_y = shapes[i][1];
		packet->grid_z = shapes[i][2];
		packet->block_x = shapes[i][3];
		packet->block_y = shapes[i][4];
		packet->block_z = shapes[i][5];
		t_end(&gpu);
		cr_assert_eq(t_run(&gpu, start), 0);
		for (k = 0; k < n; k++)
			cr_assert_eq(out[k], 1, "shape %u thread %u ran %u times", i, k, out[k]);
	}
}

/* Barriers keep a chain in order. */
Test(execute, chain)
{
	uint64_t *log = t_data(&gpu, 1001 * 8), start = t_here(&gpu), i;

	for (i = 0; i < 1000; i++)
		t_dispatch(&gpu, MT_PKT_BARRIER, (uint32_t)i, i % 50 ? k_log : k_log_slow,
			   (uintptr_t)log, i);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(log[0], 1000);
	for (i = 0; i < 1000; i++)
		cr_assert_eq(log[1 + i], i);
}

/* 2,000 submissions fit through one queue in order. */
Test(execute, many_submissions)
{
	uint64_t *word = t_data(&gpu, 8), *gate = t_data(&gpu, 8), start = t_here(&gpu), i;

	t_dispatch(&gpu, 0, 1, k_add, (uintptr_t)word, 1);
	t_end(&gpu);
	for (i = 0; i < 2000; i++)
		cr_assert_eq(t_submit_on(gpu.queue, start), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(*word, 2000);
	/* 1,024 behind a submission that waits. */
	for (i = 0; i < 1024; i++) {
		struct mt_hw_submit submit = {
			.lane_va = &start,
			.lane_count = 1,
			.wait_va = (uintptr_t)gate,
			.wait_value = 1,
		};
		cr_assert_eq(mt_hw_queue_submit(gpu.queue, &submit), 0);
	}
	cr_assert_eq(*word, 2000);
	cr_assert_eq(mt_hw_queue_wait(gpu.queue, 2001, 1000000), -ETIME);
	__atomic_store_n(gate, 1, __ATOMIC_RELEASE); /* nobody announces it */
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(*word, 3024);
}

/* Lanes start after the prologue and meet through words. */
Test(execute, lanes)
{
	uint64_t *log = t_data(&gpu, 64 * 8), *slots = t_data(&gpu, 64 * 8), lanes[5], prologue;
	uint64_t at[8], i;

	prologue = t_here(&gpu);
	t_dispatch(&gpu, 0, 0, k_log_slow, (uintptr_t)log, 100);
	t_end(&gpu);
	lanes[0] = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_log, (uintptr_t)log, 0);
	t_signal(&gpu, 0, 1, &slots[0], 1);
	for (i = 1; i < 5; i++)
		t_wait(&gpu, 0, 6, &slots[i], 1);
	t_dispatch(&gpu, MT_PKT_BARRIER, 6, k_log, (uintptr_t)log, 6);
	t_end(&gpu);
	for (i = 1; i < 5; i++) {
		lanes[i] = t_here(&gpu);
		t_wait(&gpu, 0, (uint32_t)i + 1, &slots[0], 1);
		t_dispatch(&gpu, 0, (uint32_t)i + 1, i == 2 ? k_log_slow : k_log, (uintptr_t)log,
			   i);
		t_signal(&gpu, 0, (uint32_t)i + 1, &slots[i], 1);
		t_end(&gpu);
	}
	cr_assert_eq(t_submit_lanes(&gpu, lanes, 5, prologue), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(log[0], 7);
	for (i = 0; i < 7; i++)
		at[log[1 + i] == 100 ? 7 : log[1 + i]] = i;
	cr_assert_eq(at[7], 0);
	cr_assert_eq(at[0], 1);
	cr_assert_eq(at[6], 6);
}

/* Boxes are copied row by row, and nothing else is touched. */
Test(execute, copies)
{
	unsigned char *src = (void *)t_data(&gpu, 4096), *dst = (void *)t_data(&gpu, 4096);
	uint64_t start = t_here(&gpu);
	struct mt_pkt_copy *packet;
	uint32_t x, y, z, i;

	for (i = 0; i < 4096; i++) {
		src[i] = (unsigned char)(i * 7);
		dst[i] = 0xee;
	}
	packet = t_copy(&gpu, 0, 1, dst + 5, src + 3, 11);
	packet->height = 4;
	packet->depth = 3;
	packet->src_pitch_b = 32;
	packet->src_slice_b = 256;
	packet->dst_pitch_b = 48;
	packet->dst_slice_b = 512;
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	for (z = 0; z < 3; z++)
		for (y = 0; y < 4; y++)
			for (x = 0; x < 11; x++) {
				unsigned char *at = dst + 5 + z * 512 + y * 48 + x;

				cr_assert_eq(*at, src[3 + z * 256 + y * 32 + x]);
				*at = 0xee;
			}
	for (i = 0; i < 4096; i++)
		cr_assert_eq(dst[i], 0xee);
}

/* Large copies and fills, which are split, are whole; pageable host memory is reached. */
Test(execute, large_copies)
{
	size_t size_b = (20u << 20) + 13, i;
	unsigned char *host = malloc(size_b), *back = malloc(size_b);
	unsigned char *device = (void *)t_data(&gpu, size_b);
	uint64_t start = t_here(&gpu);

	for (i = 0; i < size_b; i++)
		host[i] = (unsigned char)(i * 31 >> 3);
	t_copy(&gpu, 0, 1, device, host, size_b);
	t_copy(&gpu, MT_PKT_BARRIER, 2, back, device, size_b);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(memcmp(host, back, size_b), 0);
	start = t_here(&gpu);
	t_fill(&gpu, 0, 3, device, size_b / 4 * 4, 0x12345678, 4);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	for (i = 0; i < size_b / 4; i++)
		cr_assert_eq(((uint32_t *)(void *)device)[i], 0x12345678);
	free(host);
	free(back);
}

Test(execute, fills)
{
	uint16_t *dst = (void *)t_data(&gpu, 4096);
	uint64_t start = t_here(&gpu);
	struct mt_pkt_fill *packet;
	uint32_t i, set = 0;

	packet = t_fill(&gpu, 0, 1, dst + 1, 6, 0xffabcd, 2);
	packet->height = 5;
	packet->depth = 2;
	packet->pitch_b = 64;
	packet->slice_b = 1024;
	t_fill(&gpu, 0, 2, (char *)dst + 2049, 7, 0x1ff, 1);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	for (i = 0; i < 1024; i++)
		set += dst[i] == 0xabcd;
	cr_assert_eq(set, 30);
	cr_assert_eq(dst[1 + 512 + 32 * 4 + 2], 0xabcd);
	for (i = 0; i < 7; i++)
		cr_assert_eq(((unsigned char *)dst)[2049 + i], 0xff);
	cr_assert_eq(((unsigned char *)dst)[2048], 0);
	cr_assert_eq(((unsigned char *)dst)[2056], 0);
}

/* A disabled packet does nothing, and order holds across it. */
Test(execute, disabled)
{
	uint64_t *log = t_data(&gpu, 64), start = t_here(&gpu);

	t_dispatch(&gpu, 0, 1, k_log_slow, (uintptr_t)log, 1);
	t_dispatch(&gpu, MT_PKT_BARRIER | MT_PKT_DISABLED, 2, k_log, (uintptr_t)log, 2);
	t_dispatch(&gpu, 0, 3, k_log, (uintptr_t)log, 3);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(log[0], 2);
	cr_assert_eq(log[1], 1);
	cr_assert_eq(log[2], 3);
}

/* A loop of a million passes runs in one submission; IF jumps over its body. */
Test(execute, branches)
{
	uint64_t *word = t_data(&gpu, 8), *sum = t_data(&gpu, 8), *passes = t_data(&gpu, 8);
	struct mt_pkt_cond cond = {.word_va = (uintptr_t)word, .passes_va = (uintptr_t)passes};
	uint64_t start = t_here(&gpu), top, body;
	struct mt_pkt_cond *loop, *once;

	top = t_here(&gpu);
	cond.compare = MT_PKT_GE;
	cond.value = 1000000;
	loop = (void *)gpu.at;
	gpu.at = mt_pkt_put_cond(gpu.at, 0, 1, &cond);
	t_dispatch(&gpu, 0, 2, k_add, (uintptr_t)word, 1);
	gpu.at = mt_pkt_put_jump(gpu.at, 0, 1, top);
	loop->target_va = t_here(&gpu);
	cond.compare = MT_PKT_NE;
	cond.passes_va = 0;
	once = (void *)gpu.at;
	gpu.at = mt_pkt_put_cond(gpu.at, 0, 3, &cond);
	t_dispatch(&gpu, 0, 4, k_add, (uintptr_t)sum, 1);
	once->target_va = t_here(&gpu);
	body = t_here(&gpu) + 16 + 8;
	gpu.at = mt_pkt_put_call(gpu.at, MT_PKT_BARRIER, 5, body);
	t_end(&gpu);
	t_dispatch(&gpu, 0, 6, k_add, (uintptr_t)sum, 10);
	gpu.at = mt_pkt_put_return(gpu.at, MT_PKT_BARRIER, 6);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(*word, 1000000);
	cr_assert_eq(*passes, 0);
	cr_assert_eq(*sum, 11);
}

/* Pairs are read when the packet executes; MAX keeps a larger value and its time. */
Test(execute, indirect)
{
	struct mt_pkt_pair *pair = (void *)t_data(&gpu, 16);
	uint64_t *slot = t_data(&gpu, 16), *word = t_data(&gpu, 8), start = t_here(&gpu), stamp;

	t_signal(&gpu, MT_PKT_SIGNAL_INDIRECT | MT_PKT_SIGNAL_TIMESTAMP, 1, pair, 0);
	t_wait(&gpu, MT_PKT_WAIT_INDIRECT, 2, pair, 0);
	t_dispatch(&gpu, 0, 3, k_add, (uintptr_t)word, 1);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0, "a pair with address 0 does nothing");
	pair->semaphore_va = (uintptr_t)slot;
	pair->value = 9;
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(*word, 2);
	cr_assert_eq(slot[0], 9);
	cr_assert_neq(slot[1], 0);
	cr_assert_leq(slot[1], gpu.dev->ops->device_time_ns(gpu.dev));
	stamp = slot[1];
	start = t_here(&gpu);
	t_signal(&gpu, MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP, 1, slot, 8);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(slot[0], 9);
	cr_assert_eq(slot[1], stamp);
	start = t_here(&gpu);
	t_signal(&gpu, MT_PKT_SIGNAL_MAX | MT_PKT_SIGNAL_TIMESTAMP, 1, slot, 10);
	gpu.at = mt_pkt_put_timestamp(gpu.at, 0, 2, (uintptr_t)word);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(slot[0], 10);
	cr_assert_geq(*word, slot[1]);
}

Test(execute, writes)
{
	uint64_t *words = t_data(&gpu, 32), start = t_here(&gpu);

	gpu.at = mt_pkt_put_write(gpu.at, 0, 1, (uintptr_t)words, (const uint64_t[]){5, 6, 7}, 3);
	gpu.at = mt_pkt_put_nop(gpu.at, 0, 1, 100);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(words[0], 5);
	cr_assert_eq(words[2], 7);
	cr_assert_eq(words[3], 0);
}
