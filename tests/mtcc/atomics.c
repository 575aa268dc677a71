/* SPDX-License-Identifier: MIT */
/* Atomic operations return the old value, and a program's own overload wins over ours. */
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

TestSuite(atomics, .init = open_image, .fini = close_image);

static void run(const char *name, uint32_t threads, void **params)
{
	struct t_launch launch = {.block = {threads, 0, 0}};

	cr_assert(t_run(t_image_kernel(image, name), &launch, params) == T_END_NORMAL, "%s", name);
}

Test(atomics, adds)
{
	int i = 0, *pi = &i;
	unsigned int u = 0, *pu = &u;
	unsigned long long l = 0, *pl = &l;
	float f = 0.5f, *pf = &f;
	double d = 0, *pd = &d;
	void *params[] = {&pi, &pu, &pl, &pf, &pd};

	run("adds", 100, params);
	cr_expect(i == 200 + 100 * 1000);
	cr_expect(u == 100);
	cr_expect(l == 300ull << 32);
	cr_expect(f == 100.5f);
	cr_expect(d == 100 * 1001, "the program's own atomicAdd(double *, double) was not taken");
}

Test(atomics, others)
{
	int v[128] = {1000, -1, -1, 0, 0}, *pv = v, seen = 0;
	unsigned int u[8] = {0, 5, 0, ~0u, 0, 0, 0}, *pu = u;
	void *params[] = {&pv, &pu};
	float f;

	v[100] = -7;
	run("others", 31, params);
	cr_expect(v[0] == 20 && v[1] == 30 && v[2] == (int)0x80000000 && v[3] == 0x7fffffff &&
		  v[4] == 0x7fffffff);
	for (int t = 0; t < 31; t++)
		seen += v[5 + t];
	cr_expect(seen + v[100] == 30 * 31 / 2 - 7);
	cr_expect(u[0] == 31 % 10);
	cr_expect(u[1] == 4, "%u", u[1]); /* 5 steps down to 0, one to 9, 25 more: 9 - 25 % 10 */
	cr_expect(u[2] == 31);
	cr_expect(u[3] == 3000000000u && u[4] == 3000000000u);
	cr_expect(u[5] == 31);
	memcpy(&f, &u[6], sizeof(f));
	cr_expect(f == 2.5f);
}

Test(atomics, lock)
{
	int mutex = 0, counter = 0, *pm = &mutex, *pc = &counter;
	void *params[] = {&pm, &pc};

	run("lock", 64, params);
	cr_expect(counter == 64 && mutex == 0);
}
