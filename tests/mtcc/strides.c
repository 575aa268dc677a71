/* SPDX-License-Identifier: MIT */
/* Loops over the grid visit what they should, in whatever order the compiler runs their passes. */
#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>

#include "tests/mtcc/harness.h"

#define CELLS 4096

static struct t_image *image;
static int visits[CELLS], want[CELLS];
static int *to = visits;

static const int sizes[] = {-5, 0, 1, 2, 31, 32, 33, 95, 96, 97, 100, 191, 192, 193, 500, 1000};
static const struct {
	unsigned int grid, block;
} shapes[] = {{1, 1}, {1, 32}, {3, 32}, {2, 7}, {5, 128}, {1, 1000}};

static void open_image(void)
{
	image = t_image_open(KERNELS);
}

static void close_image(void)
{
	t_image_close(image);
}

TestSuite(strides, .init = open_image, .fini = close_image);

static void run(const char *name, unsigned int grid, unsigned int block, void **params)
{
	struct t_launch launch = {.grid = {grid, 0, 0}, .block = {block, 0, 0}};

	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

static void compare(const char *name, int n, unsigned int grid, unsigned int block)
{
	for (int i = 0; i < CELLS; i++)
		cr_assert_eq(visits[i], want[i], "%s n %d grid %u block %u: cell %d is %d, not %d",
			     name, n, grid, block, i, visits[i], want[i]);
}

static void start(void)
{
	memset(visits, 0, sizeof(visits));
	memset(want, 0, sizeof(want));
}

/* @model: what one thread does, with all its passes. */
static void check(const char *name, bool is_long, int end,
		  void (*model)(int place, int total, int n))
{
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (size_t g = 0; g < sizeof(shapes) / sizeof(shapes[0]); g++) {
			unsigned int grid = shapes[g].grid, block = shapes[g].block;
			int n = sizes[s], given = n - end;
			long wide = n;
			void *params[] = {&to, is_long ? (void *)&wide : (void *)&given};

			start();
			for (unsigned int t = 0; t < grid * block; t++)
				model((int)t, (int)(grid * block), n);
			run(name, grid, block, params);
			compare(name, n, grid, block);
		}
	}
}

static void once(int place, int total, int n)
{
	for (int i = place; i < n; i += total)
		want[i]++;
}

Test(strides, every_element_once)
{
	check("by_long", true, 0, once);
	check("by_int", false, 0, once);
	check("to_the_end", false, 1, once);
}

static void once_unsigned(int place, int total, int n)
{
	if (n >= 0)
		once(place, total, n);
}

Test(strides, by_size)
{
	size_t n = 300;
	void *params[] = {&to, &n};

	start();
	for (int t = 0; t < 96; t++)
		once_unsigned(t, 96, (int)n);
	run("by_size", 3, 32, params);
	compare("by_size", (int)n, 3, 32);
}

Test(strides, along_another_axis)
{
	struct t_launch launch = {.grid = {1, 0, 0}, .block = {8, 6, 0}};

	for (int n = 0; n < 40; n++) {
		void *params[] = {&to, &n};

		start();
		for (int i = 0; i < 8 * n; i++)
			want[i] = 1;
		cr_assert(t_run(t_image_kernel(image, "by_row"), &launch, params) == T_END_NORMAL);
		compare("by_row", n, 1, 48);
	}
}

static void leaves_out(int place, int total, int n)
{
	for (int i = place; i < n; i += total)
		want[i] += i % 3 != 0;
}

static void breaks(int place, int total, int n)
{
	for (int i = place; i < n && i / total != 2; i += total)
		want[i]++;
}

static void adds(int place, int total, int n)
{
	for (int i = place; i < n; i += total)
		want[i / 2]++;
}

static void inner(int place, int total, int n)
{
	for (int i = place; i < n; i += total)
		want[i] += (i % 5) * (i % 5 + 1) / 2;
}

static void remembers(int place, int total, int n)
{
	int last[4] = {0, 0, 0, 0};

	for (int i = place; i < n; i += total) {
		want[i] = last[i & 3];
		last[(i * 7 + n) & 3] = i;
	}
}

static void carries(int place, int total, int n)
{
	int sum = 0;

	for (int i = place; i < n; i += total)
		want[i] = sum += i;
}

Test(strides, bodies)
{
	check("leaves_out", false, 0, leaves_out);
	check("breaks", false, 0, breaks);
	check("adds", false, 0, adds);
	check("inner", false, 0, inner);
	check("remembers", false, 0, remembers);
	check("carries", false, 0, carries);
}

Test(strides, values_of_before_the_loop)
{
	int n = 100;
	void *params[] = {&to, &n};

	start();
	for (int i = 1; i < n; i++)
		want[i] = 1;
	want[0] = 7;
	run("keeps", 1, 1, params);
	compare("keeps", n, 1, 1);
}

Test(strides, code_behind_the_loop)
{
	int n = 300;
	void *params[] = {&to, &n};

	start();
	for (int i = 0; i < n; i++)
		want[i] = 1;
	for (int i = 0; i < 64; i++)
		want[n + i] = 5;
	run("ends_with_more", 2, 32, params);
	compare("ends_with_more", n, 2, 32);
}

Test(strides, tests_with_effects)
{
	int n = 100, tests = 0, *at = &tests;
	void *params[] = {&to, &at, &n};

	start();
	for (int i = 0; i < n; i++)
		want[i] = 1;
	run("counts_tests", 1, 32, params);
	compare("counts_tests", n, 1, 32);
	cr_assert_eq(tests, n + 32);
}

Test(strides, limits_that_differ)
{
	int limits[32], *at = limits;
	void *params[] = {&to, &at};

	start();
	for (int t = 0; t < 32; t++) {
		limits[t] = t * 11;
		for (int i = t; i < limits[t]; i += 32)
			want[i]++;
	}
	run("limit_of_thread", 1, 32, params);
	compare("limit_of_thread", 0, 1, 32);
}

Test(strides, numbers_that_wrap_around)
{
	static const unsigned int rows[][3] = {
		{0xfffffffd, 0x80000000, 0x80000000}, /* over the axis */
		{0xb0000000, 0xc0000000, 0x40000000}, /* behind the end */
		{0xb0000000, 0xc0000000, 0x60000000}, /* back below the end, once */
		{5, 5, 0},
		{7, 3, 0xffffffff},
	};

	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		unsigned int first = rows[r][0], n = rows[r][1], step = rows[r][2];
		void *params[] = {&to, &first, &n, &step};

		start();
		for (unsigned int t = 0; t < 8; t++)
			for (unsigned int i = first + t; i < n; i += step)
				want[t]++;
		run("wraps", 1, 8, params);
		compare("wraps", (int)r, 1, 8);
	}
}

Test(strides, signed_ends)
{
	static const int rows[][3] = {
		{INT_MIN, INT_MIN + 100, 9},     {-50, 50, 3}, {INT_MAX - 40, INT_MAX - 20, 10},
		{INT_MAX - 40, INT_MAX - 30, 1}, {10, 5, -1},  {10, 5, 0},
	};

	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		int first = rows[r][0], n = rows[r][1], step = rows[r][2];
		void *params[] = {&to, &first, &n, &step};

		start();
		for (int t = 0; t < 8; t++)
			for (long i = (long)first + t; i < n; i += step)
				want[t]++;
		run("steps", 1, 8, params);
		compare("steps", (int)r, 1, 8);
	}
}
