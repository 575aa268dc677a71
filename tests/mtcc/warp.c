/* SPDX-License-Identifier: MIT */
/* Lanes of a warp exchange values as the mask, the width and the warp size say. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/mtcc/harness.h"

static struct t_image *image;

static void open_image(void)
{
	image = t_image_open(KERNELS);
}

static void close_image(void)
{
	t_image_close(image);
}

TestSuite(warp, .init = open_image, .fini = close_image);

static void run(const char *name, uint32_t threads, uint32_t warp_size, void **params)
{
	struct t_launch launch = {.block = {threads, 0, 0}, .warp_size = warp_size};

	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

static void check_shuffles(int warp, int n)
{
	static int out[8 * 256];
	int *p = out;
	void *params[] = {&p};

	run("shuffles", (uint32_t)n, (uint32_t)warp, params);
	for (int t = 0; t < n; t++) {
		int base = t / warp * warp, lane = t % warp, group = t / 8 * 8;

		cr_assert(out[t] == base + 5);
		cr_assert(out[n + t] == (lane < 3 ? t : t - 3));
		cr_assert(out[2 * n + t] == (lane + 4 >= warp ? t : t + 4));
		cr_assert(out[3 * n + t] == (t ^ 9));
		cr_assert(out[4 * n + t] == group + 2);
		cr_assert(out[5 * n + t] == (t == group ? t : t - 1));
		cr_assert(out[6 * n + t] == (t == group + 7 ? t : t + 1));
		/* A later group's value is out of reach, an earlier one's is not. */
		cr_assert(out[7 * n + t] == ((t ^ 12) > (t | 7) ? t : t ^ 12));
	}
}

Test(warp, shuffles_of_32)
{
	check_shuffles(32, 96);
}

Test(warp, shuffles_of_128)
{
	check_shuffles(128, 256);
}

Test(warp, shuffles_without_mask)
{
	int out[32], *p = out;
	void *params[] = {&p};

	run("unmasked_shuffles", 32, 32, params);
	for (int t = 0; t < 32; t++)
		cr_assert(out[t] == 1 + (t ^ 1) + 2);
}

Test(warp, sums_of_every_width)
{
	double out[16], *p = out;
	void *params[] = {&p};

	run("sums", 128, 32, params);
	for (int w = 0; w < 4; w++) {
		cr_assert(out[4 * w] == 496 + 32 * 32 * w);
		cr_assert(out[4 * w + 1] == 16);
		cr_assert(out[4 * w + 2] == 32 * 8589934592.0);
		cr_assert(out[4 * w + 3] == 32 * w + 7);
	}
	run("sums", 128, 128, params);
	cr_assert(out[0] == 127 * 64 && out[1] == 64);
}

Test(warp, votes)
{
	unsigned int out[64 * 6], *p = out;
	int limit;
	void *params[] = {&p, &limit};

	for (limit = 0; limit <= 32; limit += 16) {
		/* 50 threads: the second warp has 18 lanes. */
		run("votes", 50, 32, params);
		for (int t = 0; t < 50; t++) {
			int lanes = t < 32 ? 32 : 18, lane = t % 32;
			unsigned int alive = t < 32 ? ~0u : 0x3ffff, same = 0;

			for (int i = lane % 3; i < lanes; i += 3)
				same |= 1u << i;
			cr_assert(out[t * 6] == (limit == 32 ? alive : limit ? 0xffffu : 0));
			cr_assert(out[t * 6 + 1] == (limit >= lanes));
			cr_assert(out[t * 6 + 2] == (limit > 0));
			cr_assert(out[t * 6 + 3] == alive);
			cr_assert(out[t * 6 + 4] == same);
			cr_assert(out[t * 6 + 5] == (unsigned int)(lanes * (lanes - 1) / 2));
		}
	}
}

Test(warp, masks_in_branches)
{
	int out[32], *p = out;
	void *params[] = {&p};

	run("diverged", 32, 32, params);
	for (int t = 0; t < 32; t++)
		cr_assert(out[t] == (t % 2 ? t ^ 2 : 800), "%d: %d", t, out[t]);
}

Test(warp, branches_without_mask)
{
	int out[32], *p = out;
	void *params[] = {&p};

	run("unmasked_branches", 32, 32, params);
	for (int t = 0; t < 32; t++)
		cr_assert(out[t] == (t % 4 == 1   ? (t + 4 < 32 ? t + 4 : t) * 1000 + 8
				     : t % 4 == 3 ? 4 + 100 + 80000
						  : -1),
			  "%d: %d", t, out[t]);
}

Test(warp, lane_and_warp_numbers)
{
	int out[300], *p = out;
	void *params[] = {&p};

	run("sizes", 300, 32, params);
	for (int t = 0; t < 300; t++)
		cr_assert(out[t] == t % 32 + 1000 * (t / 32) + 3200000);
	run("sizes", 300, 128, params);
	for (int t = 0; t < 300; t++)
		cr_assert(out[t] == t % 128 + 1000 * (t / 128) + 12800000);
}
