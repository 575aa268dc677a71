/* SPDX-License-Identifier: MIT */
/* Cooperative groups have the sizes, ranks and results that their makers promise. */
#include <criterion/criterion.h>

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

TestSuite(groups, .init = open_image, .fini = close_image);

static void run(const char *name, struct t_launch launch, void **params)
{
	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

Test(groups, block)
{
	int out[64], *p = out;
	struct t_launch launch = {.block = {32, 2, 0}};
	void *params[] = {&p};

	run("blocks", launch, params);
	for (int i = 0; i < 64; i++)
		cr_assert(out[i] == 64000 + 64 + i / 32 * 1000000);
}

Test(groups, tiles)
{
	int out[64 * 8], *p = out;
	struct t_launch launch = {.block = {64, 0, 0}};
	void *params[] = {&p};

	run("tiles", launch, params);
	for (int t = 0; t < 64; t++) {
		int *mine = out + t * 8, group = t / 8 * 8;

		cr_expect(mine[0] == t % 8 + 100 * (t / 8) + 80000);
		cr_expect(mine[1] == group + 3);
		cr_expect(mine[2] == (t % 8 == 7 ? t : t + 1));
		cr_expect(mine[3] == 8 * group + 28);
		cr_expect(mine[4] == t / 32 * 32 + 31);
		cr_expect(mine[5] == 0xaa);
		cr_expect(mine[6] == (t % 8 + 1) * 200 + t % 8 * 3);
		cr_expect(mine[7] == (t / 8 == 1) * 10 + (t < 16));
	}
}

Test(groups, coalesced)
{
	int counter = 0, out[64] = {0}, adds = 0, *pc = &counter, *po = out, *pa = &adds, sum = 0;
	struct t_launch launch = {.block = {64, 0, 0}};
	void *params[] = {&pc, &po, &pa};

	run("coalesced", launch, params);
	cr_assert(counter == 22 && adds == 2, "%d %d", counter, adds);
	for (int i = 0; i < 22; i++)
		sum += out[i];
	cr_assert(sum == 3 * 21 * 22 / 2);
}

Test(groups, partitions)
{
	int out[32], *p = out;
	struct t_launch launch = {.block = {32, 0, 0}};
	void *params[] = {&p};

	run("partitions", launch, params);
	for (int t = 0; t < 32; t++)
		cr_assert(out[t] == 16 + 100 * (t % 16) + 10000 * (t % 4 ? 24 : 8) + 15000000);
}

Test(groups, grid)
{
	unsigned long long out[24], *p = out;
	struct t_launch launch = {.grid = {3, 0, 0}, .block = {8, 0, 0}};
	void *params[] = {&p};

	run("grids", launch, params);
	for (int i = 0; i < 24; i++)
		cr_assert(out[i] == 24000ull + (unsigned int)i / 8 * 100 + 3);
}
