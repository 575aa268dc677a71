/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out: every allocation of a load fails once, and nothing is left behind.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "tests/codeobj/samples.h"

typedef MUresult load_fn(const void *image, const char *path, struct mt_codeobj **codeobj_out);

static MUresult from_memory(const void *image, const char *path, struct mt_codeobj **codeobj_out)
{
	struct mt_codeobj_container *container = NULL;
	MUresult result = mt_codeobj_container_open_memory(image, 0, &container, NULL);

	(void)path;
	if (!result)
		result = mt_codeobj_load(container, 900, codeobj_out, NULL);
	mt_codeobj_container_close(container);
	return result;
}

static MUresult from_file(const void *image, const char *path, struct mt_codeobj **codeobj_out)
{
	struct mt_codeobj_container *container = NULL;
	MUresult result = mt_codeobj_container_open_file(path, &container, NULL);

	(void)image;
	if (!result)
		result = mt_codeobj_load(container, 900, codeobj_out, NULL);
	mt_codeobj_container_close(container);
	return result;
}

/* Fails the n-th allocation for n = 1, 2, ... until the load succeeds. */
static void fail_each(load_fn *load, const void *image, const char *path)
{
	struct mt_alloc_stats before, after;
	uint64_t n = 0;
	MUresult result;

	mt_alloc_stats_get(&before);
	do {
		struct mt_codeobj *codeobj = NULL;

		mt_alloc_fail_at(++n);
		result = load(image, path, &codeobj);
		mt_alloc_fail_at(0);
		cr_assert(result == MUSA_ERROR_OUT_OF_MEMORY || result == MUSA_SUCCESS,
			  "allocation %llu: %d", (unsigned long long)n, result);
		cr_expect_eq(codeobj != NULL, result == MUSA_SUCCESS);
		mt_codeobj_destroy(codeobj);
		mt_alloc_stats_get(&after);
		cr_assert_eq(before.live_count, after.live_count, "allocation %llu",
			     (unsigned long long)n);
	} while (result);
	cr_expect_gt(n, 5, "%llu", (unsigned long long)n);
}

Test(codeobj_failures, every_allocation)
{
	char path[] = "/tmp/codeobj-XXXXXX";
	struct cob_buf elf = {0}, bundle = {0};
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	sample_rich(&elf, ET_DYN, 62);
	fail_each(from_memory, elf.data, NULL);
	sample_bundle(&bundle, &sample_scan_22);
	fail_each(from_memory, bundle.data, NULL);
	cr_assert_eq(write(fd, bundle.data, bundle.size), (ssize_t)bundle.size);
	fail_each(from_file, NULL, path);
	close(fd);
	unlink(path);
	cob_free(&elf);
	cob_free(&bundle);
}
