/* SPDX-License-Identifier: MIT */
/* Device variables, printf, assert, trap, the heap, memory functions, graphs from device code. */
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

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

TestSuite(services, .init = open_image, .fini = close_image);

static enum t_end run(const char *name, uint32_t threads, void **params)
{
	struct t_launch launch = {.block = {threads, 0, 0}};

	return t_run(t_image_kernel(image, name), &launch, params);
}

Test(services, device_variables)
{
	double out[8], *p = out, scale = 2.5;
	int *counter, value = 6;
	void *params[] = {&p}, *place;
	size_t size_b;

	counter = t_image_variable(image, "counter", &size_b);
	cr_assert(size_b == 4 && *counter == 5);
	t_image_variable(image, "table", &size_b);
	cr_assert(size_b == 16);
	place = t_image_variable(image, "scale", &size_b);
	cr_assert(size_b == sizeof(scale));
	memcpy(place, &scale, sizeof(scale));
	memcpy(counter, &value, 4);
	cr_assert(run("variables", 1, params) == T_END_NORMAL);
	cr_expect(out[0] == 12 && out[1] == 10 && out[2] == 3 && out[3] == 34 && out[4] == 9 &&
		  out[5] == 101 && out[6] == 'o');
	cr_expect(*counter == 9);
	cr_assert(run("variables", 1, params) == T_END_NORMAL);
	cr_expect(out[0] == 18 && out[2] == 4 && out[5] == 102);
}

Test(services, printf)
{
	const char *text = "word";
	float f = 2.346f;
	int n = -12;
	void *params[] = {&n, &f, &text};

	cr_assert(run("prints", 2, params) == T_END_NORMAL);
	cr_expect_str_eq(t_printed(), "-12 7 word  2.35 x 1099511627776 0x10|\nplain\n"
				      "-12 7 word  2.35 x 1099511627776 0x10|\nplain\n"
				      "100% one\n");
}

Test(services, assert)
{
	int limit = 8;
	void *params[] = {&limit};

	cr_assert(run("asserts", 8, params) == T_END_NORMAL);
	limit = 5;
	cr_assert(run("asserts", 8, params) == T_END_ASSERT);
	cr_expect(strstr(t_assert_text(), "(int)threadIdx.x < limit && \"too many\""), "%s",
		  t_assert_text());
	cr_expect(strstr(t_assert_text(), "services.mu 46 "), "%s", t_assert_text());
	cr_expect(strstr(t_assert_text(), " 5"), "the thread: %s", t_assert_text());
}

Test(services, trap)
{
	int limit = 8;
	void *params[] = {&limit};

	cr_expect(run("traps", 8, params) == T_END_NORMAL);
	limit = 7;
	cr_expect(run("traps", 8, params) == T_END_TRAP);
}

Test(services, heap)
{
	int out[8], *p = out;
	void *params[] = {&p};

	cr_assert(run("heap", 8, params) == T_END_NORMAL);
	for (int i = 0; i < 8; i++)
		cr_expect(out[i] == (3 + i) * 100 + 45 + 70000);
}

Test(services, memory_functions)
{
	static char from[3000], to[3000], want[3000];
	char *pf = from, *pt = to;
	int out[2], *po = out;
	void *params[] = {&pt, &pf, &po};

	for (int i = 0; i < 3000; i++)
		from[i] = (char)(i * 7);
	memcpy(want, from, 3000);
	memcpy(want, from + 1, 100);
	memset(want + 200, 7, 50);
	memmove(want + 301, want + 300, 500);
	cr_assert(run("copies", 1, params) == T_END_NORMAL);
	cr_expect(!memcmp(to, want, 3000));
	cr_expect((out[0] < 0) == (memcmp(want, from, 3000) < 0) && out[0]);
}

Test(services, graphs)
{
	unsigned long long out[5], *p = out, exec = 4;
	unsigned int word = 0, *handle = &word;
	void *params[] = {&p, &exec, &handle};

	cr_assert(run("graphs", 1, params) == T_END_NORMAL);
	cr_expect(out[0] == 41 && out[1] == 42 && out[2] == 43);
	cr_expect(out[3] == 1, "no kind of launch: musaErrorInvalidValue");
	cr_expect(out[4] == 77 && word == 17);
}

Test(services, clocks)
{
	long long out[2], *p = out, real_ns;
	void *params[] = {&p};
	struct timespec before, after;

	clock_gettime(CLOCK_MONOTONIC, &before);
	cr_assert(run("time_passes", 1, params) == T_END_NORMAL);
	clock_gettime(CLOCK_MONOTONIC, &after);
	real_ns = (after.tv_sec - before.tv_sec) * 1000000000ll + after.tv_nsec - before.tv_nsec;
	cr_expect(out[0] >= 3000000 && out[1] > 0);
	cr_expect(real_ns >= out[0], "a tick is a nanosecond: %lld ticks in %lld ns", out[0], real_ns);
}
