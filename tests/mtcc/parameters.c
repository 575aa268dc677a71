/* SPDX-License-Identifier: MIT */
/* Parameters reach the kernel whole: their list in the metadata and their values in the code. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/mtcc/harness.h"

static struct t_image *image;
static double out[16];
static const struct t_launch one = {{0}, {0}, 0, 0};

static void open_image(void)
{
	image = t_image_open(KERNELS);
	memset(out, 0, sizeof(out));
}

static void close_image(void)
{
	t_image_close(image);
}

TestSuite(parameters, .init = open_image, .fini = close_image);

#define RUN(name, ...)                                                                             \
	do {                                                                                       \
		void *params[] = {__VA_ARGS__};                                                    \
		struct t_kernel *kernel = t_image_kernel(image, name);                             \
		cr_assert(kernel->param_count == sizeof(params) / sizeof(params[0]), "%zu",        \
			  kernel->param_count);                                                    \
		cr_assert(t_run(kernel, &one, params) == T_END_NORMAL);                            \
	} while (0)
#define EXPECT(i, value)                                                                           \
	cr_expect(out[i] == (value), "out[%d] is %g, not %g", i, out[i], (double)(value))

Test(parameters, scalars)
{
	double *p = out, d = 6.5;
	_Bool b = 1;
	signed char c = -3;
	short s = -300, color = 7;
	int i = -70000, pointed = 99, *ip = &pointed;
	long l = 1l << 40;
	float f = 5.25f;
	unsigned char uc = 200, e2 = 9;

	RUN("scalars", &p, &b, &c, &s, &i, &l, &f, &d, &uc, &color, &ip, &e2);
	EXPECT(0, 1);
	EXPECT(1, -3);
	EXPECT(2, -300);
	EXPECT(3, -70000);
	EXPECT(4, (double)(1l << 40));
	EXPECT(5, 5.25);
	EXPECT(6, 6.5);
	EXPECT(7, 200);
	EXPECT(8, 7);
	EXPECT(9, 99);
	EXPECT(10, 9);
}

Test(parameters, structs)
{
	struct small {
		int a;
		char b;
	} small = {10, 3};
	struct {
		double d;
		int i;
		float f;
	} mixed = {1, 2, 3};
	struct {
		long a;
		double b;
	} two = {20, 0.5};
	struct {
		float x, y, z;
	} three = {1, 2, 3};
	struct {
		int values[20];
		double last;
	} big = {.values = {[3] = 30, [0] = 1}, .last = 0.25};
	struct {
		float v[8];
	} __attribute__((aligned(32))) wide = {{1, [7] = 8}};
	struct {
		char c;
		long l;
	} __attribute__((packed)) packed = {5, 1000};
	struct {
		char empty;
		struct small s;
		float f[4] __attribute__((aligned(16)));
	} nested = {0, {4, 5}, {1, 2, 3, 4}};
	int either = 12345;
	char empty = 0;
	double *p = out;

	RUN("structs", &p, &small, &mixed, &two, &three, &big, &empty, &wide, &packed, &nested,
	    &either);
	EXPECT(0, 13);
	EXPECT(1, 6);
	EXPECT(2, 20.5);
	EXPECT(3, 321);
	EXPECT(4, 30.25);
	EXPECT(5, 8);
	EXPECT(6, 9);
	EXPECT(7, 1005);
	EXPECT(8, 14);
	EXPECT(9, 12345);
	cr_expect(big.values[0] == 1, "the caller's struct changed");
}

Test(parameters, large_struct_only_read)
{
	struct {
		int values[20];
		double last;
	} big = {.values = {1, 2, 3}, .last = 0.5};
	double *p = out;
	int n = 3;

	RUN("read_only", &p, &big, &n);
	EXPECT(0, 7.5);
}

Test(parameters, not_trivially_copied)
{
	double *p = out;
	int c = 41, after = 42;

	RUN("copied", &p, &c, &after);
	EXPECT(0, 41);
	EXPECT(1, 42);
}

Test(parameters, more_than_registers)
{
	struct {
		long a;
		double b;
	} two = {100, 1.5};
	struct {
		int a;
		char b;
	} small = {10, 3};
	struct {
		float x, y, z;
	} three = {1, 2, 3};
	int v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	double *p = out;
	float x = 2.5f;

	RUN("many", &p, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &two, &v[7], &small, &x,
	    &three);
	EXPECT(0, 140);
	EXPECT(1, 101.5);
	EXPECT(2, 8);
	EXPECT(3, 13);
	EXPECT(4, 2.5);
	EXPECT(5, 6);
}

Test(parameters, none)
{
	struct t_kernel *kernel = t_image_kernel(image, "none");

	cr_assert(kernel->param_count == 0);
	cr_assert(t_run(kernel, &one, NULL) == T_END_NORMAL);
}

Test(parameters, vectors_and_bounds)
{
	float v[4] = {1, 2, 3, 4}, w[2] = {5, 6};
	double z[2] = {7, 8}, *p = out;
	unsigned char u[4] = {1, 2, 3, 250};
	unsigned int g[3] = {1, 2, 3};
	long q[2] __attribute__((aligned(16))) = {6, 5};
	long double ld = 1.25L;

	cr_assert(t_image_kernel(image, "bounded")->max_threads == 192);
	cr_assert(t_image_kernel(image, "none")->max_threads == 0);
	RUN("bounded", &p, v, w, z, u, g, q, &ld);
	EXPECT(0, 10);
	EXPECT(1, 11);
	EXPECT(2, 15);
	EXPECT(3, 256);
	EXPECT(4, 6);
	EXPECT(5, 11);
	EXPECT(6, 1.25);
}

Test(parameters, template_and_internal_kernels)
{
	double *p = out;
	short value = 2;
	char empty = 0;
	float f = 3;

	RUN("templated", &p, &value, &empty);
	EXPECT(0, 27);
	RUN("hidden", &p, &f);
	EXPECT(0, 3);
	RUN("local", &p, &f);
	EXPECT(0, 4);
}

/* Sizes and alignments are the source's, so that a packed buffer can be taken apart. */
Test(parameters, layout_in_the_metadata)
{
	static const struct {
		uint64_t size_b, align_b, type;
		const char *name;
	} rows[] = {
		{8, 8, 14, "out"}, {8, 4, 24, "s"},   {16, 8, 24, "m"}, {16, 8, 24, "t"},
		{12, 4, 24, "h"},  {88, 8, 24, "b"},  {1, 1, 24, ""},   {32, 32, 24, "w"},
		{9, 1, 24, "p"},   {32, 16, 24, "n"}, {4, 4, 24, "u"},
	};
	struct t_kernel *kernel = t_image_kernel(image, "structs");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect(kernel->params[i].size_b == rows[i].size_b, "%zu: %lu", i,
			  kernel->params[i].size_b);
		cr_expect(kernel->params[i].align_b == rows[i].align_b, "%zu: %lu", i,
			  kernel->params[i].align_b);
		cr_expect(kernel->params[i].type == rows[i].type, "%zu: %lu", i,
			  kernel->params[i].type);
		cr_expect_str_eq(kernel->params[i].name, rows[i].name);
	}
	kernel = t_image_kernel(image, "scalars");
	cr_expect(!kernel->params[0].read_only && kernel->params[10].read_only);
	cr_expect(kernel->params[1].type == 2 && kernel->params[4].type == 6 &&
		  kernel->params[5].type == 9 && kernel->params[6].type == 8 &&
		  kernel->params[7].type == 11);
}
