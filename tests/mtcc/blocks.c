/* SPDX-License-Identifier: MIT */
/* The threads of a block see their own indices and share what they should share. */
#include <criterion/criterion.h>
#include <stdlib.h>
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

TestSuite(blocks, .init = open_image, .fini = close_image);

static void run(const char *name, struct t_launch launch, void **params)
{
	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

#define GRID(gx, bx) ((struct t_launch){.grid = {gx, 0, 0}, .block = {bx, 0, 0}})

Test(blocks, indices)
{
	unsigned int out[2 * 3 * 2 * 5 * 4 * 3], *p = out, at = 0;
	struct t_launch launch = {.grid = {2, 3, 2}, .block = {5, 4, 3}};
	void *params[] = {&p};

	run("indices", launch, params);
	for (unsigned int b = 0; b < 12; b++)
		for (unsigned int z = 0; z < 3; z++)
			for (unsigned int y = 0; y < 4; y++)
				for (unsigned int x = 0; x < 5; x++)
					cr_assert(out[at++] == x + 100 * y + 10000 * z +
								       1000000 * (b % 2) +
								       50000000);
}

/* Around every limit at which a vectorised loop and its remainder could disagree. */
Test(blocks, guard)
{
	static float a[1100], b[1100], c[1100];
	float *pa = a, *pb = b, *pc = c, scale = 3;
	void *params[5] = {&pa, &pb, &pc, NULL, &scale};

	for (int n = -3; n < 520; n += n < 20 ? 1 : 37) {
		for (int i = 0; i < 1100; i++) {
			a[i] = (float)i;
			b[i] = 0.5f;
			c[i] = -1;
		}
		params[3] = &n;
		run("guarded", GRID(4, 128), params);
		for (int i = 0; i < 1100; i++)
			cr_assert(c[i] == (i < n && i < 512 ? 3 * (float)i + 0.5f : -1.0f),
				  "n %d, c[%d] is %g", n, i, (double)c[i]);
	}
}

Test(blocks, guards_in_two_dimensions)
{
	static int out[70 * 40];
	int *p = out, width, height;
	void *params[] = {&p, &width, &height};
	struct t_launch launch = {.grid = {4, 5, 0}, .block = {16, 8, 0}};

	for (width = 1; width <= 70; width += 3) {
		for (height = 1; height <= 40; height += 13) {
			memset(out, 0, sizeof(out));
			run("image", launch, params);
			for (int i = 0; i < width * height; i++) {
				int x = i % width, y = i / width;

				cr_assert(out[i] == (x < 64 ? x + 1000 * y : 0));
			}
		}
	}
}

/* Both ends guarded; n = 0 makes the upper one wrap. */
Test(blocks, guards_at_both_ends)
{
	static int in[258], out[258];
	int *pi = in, *po = out;
	unsigned int n;
	void *params[] = {&po, &pi, &n};

	for (int i = 0; i < 258; i++)
		in[i] = i;
	for (n = 0; n < 258; n += 43) {
		memset(out, 0, sizeof(out));
		run("inner", GRID(4, 64), params);
		for (unsigned int i = 0; i < 256; i++)
			cr_assert(out[i] == (i > 0 && (!n || i < n - 1) ? 2 * (int)i : 0));
	}
}

Test(blocks, guards_where_the_index_wraps)
{
	unsigned int count = 0, *p = &count;
	int base = 0x7fffffff - 9, n = 0x7fffffff;
	long out[64], *po = out;
	size_t wide_base = (size_t)0 - 20, wide_n = 30;
	void *params[] = {&p, &base, &n}, *wide[] = {&po, &wide_base, &wide_n};

	/* 9 indices below n, n itself, 54 that have become negative. */
	run("wraps", GRID(1, 64), params);
	cr_assert(count == 63, "%u", count);
	memset(out, 0xff, sizeof(out));
	run("wide", GRID(1, 64), wide);
	for (int i = 0; i < 64; i++)
		cr_assert(out[i] == (i <= 30 ? i : -1), "%d: %ld", i, out[i]);
}

/* The vectorised loop must not assume that the arrays are apart. */
Test(blocks, in_place)
{
	float a[256], *p = a, scale = 2;
	int n = 256;
	void *params[5] = {&p, &p, &p, &n, &scale};

	for (int i = 0; i < 256; i++)
		a[i] = (float)i;
	run("guarded", GRID(1, 256), params);
	for (int i = 0; i < 256; i++)
		cr_assert(a[i] == 3 * (float)i);
}

Test(blocks, strided_loop)
{
	static float a[1000], c[1000];
	float *pa = a, *pc = c;
	int n = 1000;
	void *params[] = {&pa, &pc, &n};

	for (int i = 0; i < n; i++)
		a[i] = (float)i;
	run("strided", GRID(3, 64), params);
	for (int i = 0; i < n; i++)
		cr_assert(c[i] == 2 * (float)i);
}

Test(blocks, early_return)
{
	int out[32] = {0}, *p = out, n = 20;
	void *params[] = {&p, &n};

	run("returns_early", GRID(1, 32), params);
	for (int i = 0; i < 32; i++)
		cr_assert(out[i] == (i >= 20 ? 0 : i % 2 ? i : i + 100));
}

Test(blocks, static_shared)
{
	int data[512], *p = data;
	void *params[] = {&p};
	struct t_kernel *kernel = t_image_kernel(image, "reverse");

	cr_assert(kernel->shared_b == 1024 && kernel->barrier && kernel->fibers);
	for (int i = 0; i < 512; i++)
		data[i] = i;
	run("reverse", GRID(2, 256), params);
	for (int i = 0; i < 512; i++)
		cr_assert(data[i] == i / 256 * 256 + 255 - i % 256);
}

Test(blocks, dynamic_shared)
{
	int data[64], *p = data, n = 64;
	struct t_launch launch = {.block = {64, 0, 0}, .dynamic_shared_b = 64 * 12};
	void *params[] = {&p, &n};

	cr_assert(t_image_kernel(image, "dynamic")->shared_b == 6);
	for (int i = 0; i < 64; i++)
		data[i] = 2 * i;
	run("dynamic", launch, params);
	for (int i = 0; i < 64; i++)
		cr_assert(data[i] == 2 * (63 - i) + i + 7);
}

/* Each kernel pays for the variables that it can reach, not for the file's. */
Test(blocks, shared_sizes)
{
	cr_expect(t_image_kernel(image, "sums")->shared_b == 2048);
	cr_expect(t_image_kernel(image, "one_tile")->shared_b == 64 * 65 * 4);
	cr_expect(t_image_kernel(image, "leaves_before")->shared_b == 4);
	cr_expect(t_image_kernel(image, "guarded")->shared_b == 0);
}

Test(blocks, shared_in_templates)
{
	int ints[256], *pi = ints;
	float floats[256], *pf = floats;
	void *params[] = {&pi, &pf};

	for (int i = 0; i < 256; i++) {
		ints[i] = i;
		floats[i] = 0.5f;
	}
	run("sums", GRID(1, 256), params);
	for (int i = 0; i < 256; i++)
		cr_assert(ints[i] == 255 * 128 && floats[i] == 128);
}

Test(blocks, two_dimensional_tile)
{
	static int out[64 * 8];
	int *p = out;
	struct t_launch launch = {.block = {64, 8, 0}};
	void *params[] = {&p};

	run("one_tile", launch, params);
	for (int x = 0; x < 64; x++)
		for (int y = 0; y < 8; y++)
			cr_assert(out[x * 8 + y] == y * 64 + x);
}

Test(blocks, reducing_barriers)
{
	int out[100], *p = out, limit;
	void *params[] = {&p, &limit};

	for (limit = 0; limit <= 100; limit += 50) {
		run("votes", GRID(1, 100), params);
		for (int i = 0; i < 100; i++)
			cr_assert(out[i] == limit * 4 + (limit == 100) * 2 + (limit > 0));
	}
}

Test(blocks, threads_that_left_do_not_count)
{
	int out[90] = {0}, *p = out;
	void *params[] = {&p};

	run("leaves_before", GRID(1, 90), params);
	for (int i = 0; i < 90; i++)
		cr_assert(out[i] == (i % 3 == 2 ? 0 : 60));
}

Test(blocks, functions_not_inlined)
{
	unsigned int out[4 * 3 * 2], *p = out, at = 0;
	struct t_launch launch = {.grid = {2, 0, 0}, .block = {4, 3, 0}};
	void *params[] = {&p};

	run("calls", launch, params);
	for (unsigned int b = 0; b < 2; b++)
		for (unsigned int y = 0; y < 3; y++)
			for (unsigned int x = 0; x < 4; x++)
				cr_assert(out[at++] == x + 10 * y + 1000 * b + 5 + 32);
}

Test(blocks, recursion)
{
	int out[12], *p = out, a = 0, b = 1;
	void *params[] = {&p};

	run("recursion", GRID(1, 12), params);
	for (int i = 0; i < 12; i++) {
		cr_assert(out[i] == 2 * a + !(i % 2));
		b += a;
		a = b - a;
	}
}

Test(blocks, indirect_calls)
{
	int out[8], *p = out;
	void *params[] = {&p};

	cr_assert(t_image_kernel(image, "indirect")->barrier, "a barrier behind a virtual call");
	run("indirect", GRID(1, 8), params);
	for (int i = 0; i < 8; i++)
		cr_assert(out[i] == (i % 2 ? 9 + i + 3000 : 2000));
}

Test(blocks, private_arrays)
{
	int out[50], *p = out, n = 30;
	void *params[] = {&p, &n};

	cr_expect(t_image_kernel(image, "private_array")->private_b >= 128);
	cr_expect(t_image_kernel(image, "guarded")->private_b == 0);
	run("private_array", GRID(1, 50), params);
	for (int i = 0; i < 50; i++)
		cr_assert(out[i] == i * 435, "%d: %d", i, out[i]);
}

Test(blocks, waiting_for_a_neighbour)
{
	int flags[2] = {0, 0}, *p = flags;
	void *params[] = {&p};

	run("waits_for", GRID(1, 2), params);
	cr_assert(flags[0] == 5);
}

/* Plain kernels pay for no fiber. */
Test(blocks, which_kernels_need_fibers)
{
	cr_expect(!t_image_kernel(image, "guarded")->fibers);
	cr_expect(!t_image_kernel(image, "recursion")->fibers);
	cr_expect(!t_image_kernel(image, "calls")->fibers);
	cr_expect(t_image_kernel(image, "votes")->fibers);
	cr_expect(!t_image_kernel(image, "waits_for")->barrier);
}
