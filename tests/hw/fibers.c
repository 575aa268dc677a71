/* SPDX-License-Identifier: MIT */
/*
 * Proves the services that need a fiber per thread: barriers, warp exchange, cooperative grids.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

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

TestSuite(fibers, .init = open_gpu, .fini = close_gpu, .timeout = 60);

/* Rounds with a barrier between give what a loop gives. */
Test(fibers, barriers)
{
	static const uint32_t sizes[] = {1, 2, 31, 32, 33, 256, 1024};
	uint32_t *out, expected[2][1024], i, k, n, round;

	for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		uint64_t start = t_here(&gpu);
		struct mt_pkt_dispatch *packet;

		n = sizes[k];
		out = (void *)t_data(&gpu, n * 4);
		packet = t_dispatch(&gpu, 0, k, k_rounds, (uintptr_t)out, 10);
		packet->block_x = n;
		packet->static_shared_b = 8 * n;
		t_end(&gpu);
		cr_assert_eq(t_run(&gpu, start), 0);
		for (i = 0; i < n; i++)
			expected[0][i] = i;
		for (round = 0; round < 10; round++)
			for (i = 0; i < n; i++)
				expected[(round + 1) % 2][i] = expected[round % 2][i] +
							       expected[round % 2][(i + n - 1) % n];
		for (i = 0; i < n; i++)
			cr_assert_eq(out[i], expected[0][i], "size %u thread %u", n, i);
	}
}

/* Threads that have returned do not count. */
Test(fibers, leaving)
{
	uint32_t *out = (void *)t_data(&gpu, 8 * 128), i;
	uint64_t start = t_here(&gpu);

	t_dispatch(&gpu, 0, 1, k_leave, (uintptr_t)out, 0)->block_x = 128;
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	for (i = 0; i < 128; i++) {
		cr_assert_eq(out[i], 0, "thread %u saw a wrong count", i);
		cr_assert_eq(out[128 + i], i + 1);
	}
}

Test(fibers, reductions)
{
	uint32_t *out = (void *)t_data(&gpu, 16 * 96), i;
	uint64_t start = t_here(&gpu);
	struct mt_pkt_dispatch *packet = t_dispatch(&gpu, 0, 1, k_reduce, (uintptr_t)out, 0);

	packet->block_x = 4;
	packet->block_y = 8;
	packet->block_z = 3;
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	for (i = 0; i < 96; i++) {
		cr_assert_eq(out[i * 4], 32);
		cr_assert_eq(out[i * 4 + 1], 0);
		cr_assert_eq(out[i * 4 + 2], 1);
		cr_assert_eq(out[i * 4 + 3], 1);
	}
}

static void check_exchange(uint32_t warp)
{
	uint64_t *out = t_data(&gpu, 32 * 256), start = t_here(&gpu), low;
	uint32_t i, lane, half = warp / 2, base;

	t_dispatch(&gpu, 0, 1, k_exchange, (uintptr_t)out, 0)->block_x = 256;
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	low = half >= 64 ? UINT64_MAX : (UINT64_C(1) << half) - 1;
	for (i = 0; i < 256; i++) {
		lane = i % warp;
		base = i - lane + 100;
		cr_assert_eq(out[i * 4],
			     base + (lane < half ? half - 1 - lane : warp - 1 - (lane - half)));
		cr_assert_eq(out[i * 4 + 1], lane < half ? low : warp == 32 ? 0xffff0000 : 0);
		cr_assert_eq(out[i * 4 + 2], i - lane + (lane + 1) % warp);
		cr_assert_eq(out[i * 4 + 3], warp == 32 ? 0 : UINT64_MAX);
	}
}

/* Parts of a warp exchange among themselves, and values stay while others go on. */
Test(fibers, exchange_32)
{
	check_exchange(32);
}

Test(wide_warp, exchange_128, .timeout = 60)
{
	setenv("MUSA_MOCK_WARP", "128", 1);
	t_open(&gpu);
	cr_assert_eq(gpu.dev->info.warp_size, 128);
	check_exchange(128);
	t_close(&gpu);
}

/* All blocks of a cooperative grid live at once, each with its own shared memory. */
Test(fibers, cooperative)
{
	uint32_t n = 12 * 64, steps = 7, *a, *expected, i, step;
	uint64_t start = t_here(&gpu);
	struct mt_pkt_dispatch *packet;

	a = (void *)t_data(&gpu, n * 8);
	expected = calloc(n * 2, sizeof(*expected));
	for (i = 0; i < n; i++)
		a[i] = expected[i] = i * i;
	packet = t_dispatch(&gpu, MT_PKT_DISPATCH_COOPERATIVE, 1, k_cooperative, (uintptr_t)a,
			    steps);
	packet->grid_x = 12;
	packet->block_x = 64;
	packet->dynamic_shared_b = 64 * 4;
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	for (step = 0; step < steps; step++)
		for (i = 0; i < n; i++)
			expected[(step + 1) % 2 * n + i] =
				expected[step % 2 * n + i] + expected[step % 2 * n + (i + 1) % n];
	for (i = 0; i < n; i++)
		cr_assert_eq(a[steps % 2 * n + i], expected[steps % 2 * n + i]);
	free(expected);
}

/* Blocks with fibers spread over workers like others. */
Test(fibers, many_blocks)
{
	uint32_t *out = (void *)t_data(&gpu, 16 * 32);
	uint64_t start = t_here(&gpu);
	struct mt_pkt_dispatch *packet = t_dispatch(&gpu, 0, 1, k_reduce, (uintptr_t)out, 0);

	packet->grid_x = 500;
	packet->block_x = 32;
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(out[0], 11);
}
