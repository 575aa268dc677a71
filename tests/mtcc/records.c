/* SPDX-License-Identifier: MIT */
/* Kernels compiled with --record-access report exactly what they touch. */
#include <criterion/criterion.h>

#include "tests/mtcc/harness.h"

Test(records, loads_and_stores)
{
	struct t_image *image = t_image_open(KERNELS);
	int in[64] = {0}, out[64] = {0}, *pi = in, *po = out, n = 50;
	struct t_launch launch = {.grid = {2, 0, 0}, .block = {32, 0, 0}};
	void *params[] = {&po, &pi, &n};

	t_record(out, sizeof(out));
	cr_assert(t_run(t_image_kernel(image, "every_second"), &launch, params) == T_END_NORMAL);
	cr_expect(t_recorded(true) == 25 * 4 && t_recorded(false) == 0);
	t_record(in, sizeof(in));
	cr_assert(t_run(t_image_kernel(image, "every_second"), &launch, params) == T_END_NORMAL);
	cr_expect(t_recorded(true) == 0 && t_recorded(false) == 25 * 4);
	t_record(NULL, 0);
	cr_assert(t_run(t_image_kernel(image, "every_second"), &launch, params) == T_END_NORMAL);
	cr_expect(out[2] == 2 + 2 && out[3] == 0 && out[48] == 48 && out[50] == 0);
	t_image_close(image);
}

Test(records, blocks_of_memory_and_atomics)
{
	struct t_image *image = t_image_open(KERNELS);
	int to[16] = {0}, from[16] = {5}, value[16] = {1}, counter = 0;
	int *pt = to, *pf = from, *pc = &counter;
	struct t_launch launch = {.block = {32, 0, 0}};
	void *params[] = {&pt, &pf, &pc, value};
	struct t_kernel *kernel = t_image_kernel(image, "others");

	t_record(to, sizeof(to));
	cr_assert(t_run(kernel, &launch, params) == T_END_NORMAL);
	cr_expect(t_recorded(true) == 64 + 8 && t_recorded(false) == 0);
	t_record(from, sizeof(from));
	cr_assert(t_run(kernel, &launch, params) == T_END_NORMAL);
	cr_expect(t_recorded(true) == 0 && t_recorded(false) == 64);
	t_record(&counter, sizeof(counter));
	cr_assert(t_run(kernel, &launch, params) == T_END_NORMAL);
	cr_expect(t_recorded(true) == 32 * 4);
	cr_expect(counter == 96 && to[0] == 5);
	t_image_close(image);
}
