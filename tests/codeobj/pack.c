/* SPDX-License-Identifier: MIT */
/*
 * Launch arguments: from pointers and from packed structs to the kernarg image.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "tests/codeobj/samples.h"

#define ADDRESS UINT64_C(0x500000000000)

static uint64_t get(const uint8_t *image, uint32_t word, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, image + word * 4, size);
	return value;
}

static struct mt_codeobj *load_sample(const struct sample *sample)
{
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;

	sample_elf(&elf, sample, ET_DYN, 0);
	codeobj = sample_load(&elf, sample->arch_id);
	cob_free(&elf);
	return codeobj;
}

struct histogram {
	const int *data;
	int *histogram;
	int size, bins;
};

/* The worked example with a filled hole and an unused parameter. */
Test(codeobj_pack, histogram)
{
	struct mt_codeobj *codeobj = load_sample(&sample_histogram_22);
	const struct mt_codeobj_kernel *kernel = &codeobj->kernels[0];
	struct histogram packed = {(const int *)0x1122334455667788, (int *)0x99aabbccddeeff00,
				   1234567, 256};
	void *params[] = {&packed.data, &packed.histogram, &packed.size, &packed.bins};
	uint8_t image[100], other[100];

	cr_assert_eq(kernel->kernarg_size_b, sizeof(image));
	cr_assert_eq(kernel->packed_size_b, sizeof(packed));
	memset(image, 0xee, sizeof(image));
	memset(other, 0x11, sizeof(other));
	cr_assert_eq(mt_codeobj_pack_params(kernel, params, image, ADDRESS), MUSA_SUCCESS);
	cr_expect_eq(get(image, 16, 8), 0x1122334455667788);
	cr_expect_eq(get(image, 18, 8), 0x99aabbccddeeff00);
	cr_expect_eq(get(image, 15, 4), 1234567);
	cr_expect_eq(get(image, 20, 4), 256);
	cr_expect_eq(get(image, 21, 4), 65536);
	cr_expect_eq(get(image, 24, 4), 1);
	for (uint32_t word = 0; word < 15; word++)
		cr_expect_eq(get(image, word, 4), 0, "word %u", word);

	cr_assert_eq(mt_codeobj_pack_buffer(kernel, &packed, sizeof(packed), other, ADDRESS),
		     MUSA_SUCCESS);
	cr_expect_arr_eq(image, other, sizeof(image));
	mt_codeobj_destroy(codeobj);
}

struct scaled {
	float a;
	float *x, *y;
};

/* The worked example whose struct has a hole. */
Test(codeobj_pack, float_first)
{
	struct mt_codeobj *codeobj = load_sample(&sample_float_31);
	const struct mt_codeobj_kernel *kernel = &codeobj->kernels[0];
	struct scaled packed = {1.5f, (float *)0x1000, (float *)0x2000};
	void *params[] = {&packed.a, &packed.x, &packed.y};
	uint8_t image[100], other[100];
	float a;

	cr_assert_eq(kernel->packed_size_b, sizeof(packed));
	cr_expect_eq(kernel->params[1].packed_b, 8);
	cr_assert_eq(mt_codeobj_pack_params(kernel, params, image, 0), MUSA_SUCCESS);
	memcpy(&a, image + 14 * 4, 4);
	cr_expect_eq(a, 1.5f);
	cr_expect_eq(get(image, 16, 8), 0x1000);
	cr_expect_eq(get(image, 18, 8), 0x2000);
	cr_expect_eq(get(image, 23, 4), 19875);
	cr_assert_eq(mt_codeobj_pack_buffer(kernel, &packed, sizeof(packed), other, 0),
		     MUSA_SUCCESS);
	cr_expect_arr_eq(image, other, sizeof(image));
	mt_codeobj_destroy(codeobj);
}

/* Descriptors go behind the registers, and the registers get their addresses. */
Test(codeobj_pack, indirect)
{
	struct mt_codeobj *codeobj = load_sample(&sample_indirect_31);
	const struct mt_codeobj_kernel *kernel = &codeobj->kernels[0];
	uint8_t *packed = calloc(1, 256), *image = calloc(1, 576), *other = calloc(1, 576);
	void *params[10];

	cr_assert(packed && image && other);
	for (size_t i = 0; i < 256; i++)
		packed[i] = (uint8_t)(i * 3 + 1);
	for (uint32_t i = 0; i < 10; i++)
		params[i] = packed + kernel->params[i].packed_b;
	cr_assert_eq(mt_codeobj_pack_params(kernel, params, image, ADDRESS), MUSA_SUCCESS);
	cr_expect_eq(get(image, 4, 8), ADDRESS + 448);
	cr_expect_eq(get(image, 6, 8), ADDRESS + 512);
	cr_expect_arr_eq(image + 448, packed + 64, 64);
	cr_expect_arr_eq(image + 512, packed + 128, 64);
	cr_expect_arr_eq(image + 16 * 4, packed + 192, 16);
	cr_expect_arr_eq(image + 0, packed + 0, 16);
	cr_expect_arr_eq(image + 110 * 4, packed + 224, 8);
	cr_expect_eq(get(image, 71, 4), 40);
	cr_assert_eq(mt_codeobj_pack_buffer(kernel, packed, 232, other, ADDRESS), MUSA_SUCCESS);
	cr_expect_arr_eq(image, other, 576);

	/* Moved: only the addresses change. */
	mt_codeobj_pack_address(kernel, other, ADDRESS + 4096);
	cr_expect_eq(get(other, 4, 8), ADDRESS + 4096 + 448);
	cr_expect_eq(get(other, 6, 8), ADDRESS + 4096 + 512);
	mt_codeobj_pack_address(kernel, other, ADDRESS);
	cr_expect_arr_eq(image, other, 576);
	free(packed);
	free(image);
	free(other);
	mt_codeobj_destroy(codeobj);
}

/* Hidden words are those of the launch; parameters and immediates stay as they are. */
Test(codeobj_pack, hidden)
{
	static const struct mt_codeobj_launch launch = {
		.grid = {11, 12, 13},
		.block = {64, 2, 3},
		.spill_base = UINT64_C(0x123456789a),
		.core_number = 7,
		.code_address = UINT64_C(0x7fff00001000),
	};
	struct mt_codeobj *codeobj = load_sample(&sample_indirect_31);
	const struct mt_codeobj_kernel *kernel = &codeobj->kernels[0];
	uint8_t packed[256] = {0}, image[576], before[576];

	memset(packed, 0x5a, sizeof(packed));
	cr_assert_eq(mt_codeobj_pack_buffer(kernel, packed, 256, image, ADDRESS), MUSA_SUCCESS);
	memcpy(before, image, sizeof(image));
	mt_codeobj_pack_hidden(kernel, image, &launch);
	cr_expect_eq(get(image, 60, 8), launch.code_address);
	cr_expect_eq(get(image, 62, 4), 64);
	cr_expect_eq(get(image, 63, 4), 11);
	cr_expect_eq(get(image, 64, 4), 12);
	cr_expect_eq(get(image, 65, 4), 13);
	cr_expect_eq(get(image, 66, 4), 64);
	cr_expect_eq(get(image, 67, 8), launch.spill_base);
	cr_expect_eq(get(image, 69, 4), 7);
	cr_expect_arr_eq(image, before, 60 * 4);
	cr_expect_arr_eq(image + 70 * 4, before + 70 * 4, 576 - 70 * 4);
	mt_codeobj_destroy(codeobj);
}

/* What is missing is an error, and then nothing is written. */
Test(codeobj_pack, errors)
{
	struct mt_codeobj *codeobj = load_sample(&sample_histogram_22);
	const struct mt_codeobj_kernel *kernel = &codeobj->kernels[0];
	uint8_t packed[32] = {0}, image[100], untouched[100];
	uint64_t value = 0;
	void *params[] = {&value, &value, &value, NULL};

	memset(image, 0xee, sizeof(image));
	memset(untouched, 0xee, sizeof(untouched));
	cr_expect_eq(mt_codeobj_pack_params(kernel, NULL, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_params(kernel, params, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_buffer(kernel, packed, 23, image, 0),
		     MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_buffer(kernel, packed, 0, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_buffer(kernel, NULL, 24, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_arr_eq(image, untouched, sizeof(image));
	cr_expect_eq(mt_codeobj_pack_buffer(kernel, packed, 24, image, 0), MUSA_SUCCESS);
	cr_expect_eq(mt_codeobj_pack_buffer(kernel, packed, 32, image, 0), MUSA_SUCCESS);
	mt_codeobj_destroy(codeobj);
}

/* A kernel without parameters takes no array and no buffer. */
Test(codeobj_pack, no_parameters)
{
	struct mt_codeobj *codeobj = load_sample(&sample_empty_31);
	struct mt_codeobj *hidden = load_sample(&sample_empty_22);
	uint8_t image[64];

	cr_expect_eq(mt_codeobj_pack_params(&codeobj->kernels[0], NULL, NULL, 0), MUSA_SUCCESS);
	cr_expect_eq(mt_codeobj_pack_buffer(&codeobj->kernels[0], NULL, 0, NULL, 0), MUSA_SUCCESS);
	cr_assert_eq(hidden->kernels[0].kernarg_size_b, 64);
	cr_expect_eq(mt_codeobj_pack_params(&hidden->kernels[0], NULL, image, 0), MUSA_SUCCESS);
	cr_expect_eq(get(image, 14, 4), 65536);
	cr_expect_eq(get(image, 15, 4), 262144);
	mt_codeobj_destroy(codeobj);
	mt_codeobj_destroy(hidden);
}

/* The list of a launch's extra argument: both orders, and what is wrong with it. */
Test(codeobj_pack, extra)
{
	struct mt_codeobj *codeobj = load_sample(&sample_float_31);
	const struct mt_codeobj_kernel *kernel = &codeobj->kernels[0];
	struct scaled packed = {2.5f, (float *)0x3000, (float *)0x4000};
	size_t size = sizeof(packed), short_size = 16;
	void *const pointer = MU_LAUNCH_PARAM_BUFFER_POINTER,
		    *const length = MU_LAUNCH_PARAM_BUFFER_SIZE, *const end = MU_LAUNCH_PARAM_END;
	void *good[] = {pointer, &packed, length, &size, end};
	void *turned[] = {length, &size, pointer, &packed, end};
	void *no_size[] = {pointer, &packed, end};
	void *no_pointer[] = {length, &size, end};
	void *null_size[] = {pointer, &packed, length, NULL, end};
	void *too_short[] = {pointer, &packed, length, &short_size, end};
	void *unknown[] = {pointer, &packed, length, &size, (void *)3, NULL, end};
	void *endless[] = {pointer, &packed, length,  &size,  pointer, &packed, length,
			   &size,   pointer, &packed, length, &size,   pointer, &packed};
	void *empty[] = {end};
	uint8_t image[100];

	cr_expect_eq(mt_codeobj_pack_extra(kernel, good, image, 0), MUSA_SUCCESS);
	cr_expect_eq(get(image, 18, 8), 0x4000);
	memset(image, 0, sizeof(image));
	cr_expect_eq(mt_codeobj_pack_extra(kernel, turned, image, 0), MUSA_SUCCESS);
	cr_expect_eq(get(image, 16, 8), 0x3000);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, NULL, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, no_size, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, no_pointer, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, null_size, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, too_short, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, unknown, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, endless, image, 0), MUSA_ERROR_INVALID_VALUE);
	cr_expect_eq(mt_codeobj_pack_extra(kernel, empty, image, 0), MUSA_ERROR_INVALID_VALUE);
	mt_codeobj_destroy(codeobj);
}

/* Odd sizes fill their words with zeroes above the value. */
Test(codeobj_pack, small_values)
{
	static const uint32_t sizes[] = {1, 2, 8, 16, 4};
	const struct cob_mock_kernel described = {.name = "small",
						  .code = cob_code_return,
						  .code_size = 1,
						  .param_sizes = sizes,
						  .param_count = 5};
	struct cob_buf elf = {0};
	struct mt_codeobj *codeobj;
	const struct mt_codeobj_kernel *kernel;
	uint8_t a = 0xff, image[128], vector[16];
	uint16_t b = 0xfffe;
	uint64_t c = UINT64_MAX;
	uint32_t d = 5;
	void *params[] = {&a, &b, &c, vector, &d};

	cob_mock_elf(&elf, &described, 1, NULL, 0);
	codeobj = sample_load(&elf, 900);
	kernel = mt_codeobj_find_kernel(codeobj, "small");
	cr_assert_leq(kernel->kernarg_size_b, sizeof(image));
	memset(vector, 0x77, sizeof(vector));
	memset(image, 0xee, sizeof(image));
	cr_assert_eq(mt_codeobj_pack_params(kernel, params, image, 0), MUSA_SUCCESS);
	cr_expect_eq(get(image, 14, 4), 0xff);
	cr_expect_eq(get(image, 15, 4), 0xfffe);
	cr_expect_eq(get(image, 16, 8), UINT64_MAX);
	cr_expect_arr_eq(image + 20 * 4, vector, 16);
	cr_expect_eq(get(image, 24, 4), 5);
	mt_codeobj_destroy(codeobj);
	cob_free(&elf);
}

/* Packing allocates nothing. */
Test(codeobj_pack, no_allocation)
{
	struct mt_codeobj *codeobj = load_sample(&sample_indirect_31);
	uint8_t packed[256] = {0}, image[576];
	struct mt_alloc_stats before, after;

	mt_alloc_stats_get(&before);
	cr_expect_eq(mt_codeobj_pack_buffer(&codeobj->kernels[0], packed, 256, image, 0),
		     MUSA_SUCCESS);
	mt_codeobj_pack_hidden(&codeobj->kernels[0], image, &(struct mt_codeobj_launch){0});
	mt_alloc_stats_get(&after);
	cr_expect_eq(before.calls, after.calls);
	mt_codeobj_destroy(codeobj);
}
