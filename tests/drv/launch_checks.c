/* SPDX-License-Identifier: MIT */
/* Launch configurations that are refused, at the call and with nothing submitted. */
#include "device.h"

#include <string.h>

#include "drv/command.h"

TestSuite(drv_launch_checks, .init = device_open, .fini = device_close, .timeout = 60);

static MUresult try_shape(const uint32_t grid[3], const uint32_t block[3], uint64_t shared_b)
{
	struct mt_launch launch = {.dynamic_shared_b = shared_b};
	MUresult ret;

	memcpy(launch.grid, grid, sizeof(launch.grid));
	memcpy(launch.block, block, sizeof(launch.block));
	ret = mt_launch_kernel(device_ctx->legacy, device_function("empty"), &launch, "test");
	if (ret)
		cr_assert_eq(mt_stream_query(device_ctx->legacy), MUSA_SUCCESS);
	OK(mt_stream_synchronize(device_ctx->legacy));
	return ret;
}

/* Zero and too large dimensions. */
Test(drv_launch_checks, dimensions)
{
	static const struct {
		uint32_t grid[3], block[3];
		MUresult want;
	} rows[] = {
		{{1, 1, 1}, {1, 1, 1}, MUSA_SUCCESS},
		{{0, 1, 1}, {1, 1, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 0, 1}, {1, 1, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 0}, {1, 1, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {0, 1, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {1, 0, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {1, 1, 0}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {1024, 1, 1}, MUSA_SUCCESS},
		{{1, 1, 1}, {1, 1024, 1}, MUSA_SUCCESS},
		{{1, 1, 1}, {1, 1, 1024}, MUSA_SUCCESS},
		{{1, 1, 1}, {1025, 1, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {1, 1025, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {1, 1, 1025}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {32, 32, 1}, MUSA_SUCCESS},
		{{1, 1, 1}, {32, 33, 1}, MUSA_ERROR_INVALID_VALUE},
		{{1, 1, 1}, {65536, 65536, 1}, MUSA_ERROR_INVALID_VALUE},
		{{0x80000000u, 1, 1}, {1, 1, 1}, MUSA_ERROR_INVALID_VALUE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(try_shape(rows[i].grid, rows[i].block, 0), rows[i].want, "row %zu", i);
}

/* Dynamic shared memory over the function's and the device's limit. */
Test(drv_launch_checks, shared_memory)
{
	static const uint32_t one[3] = {1, 1, 1};
	struct mt_function *fn = device_function("empty");
	uint64_t limit_b = device_ctx->hw->info.shared_block_b - fn->static_shared_b;

	OK(try_shape(one, one, limit_b));
	EXPECT(MUSA_ERROR_INVALID_VALUE, try_shape(one, one, limit_b + 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, try_shape(one, one, 1ull << 32));
	OK(mt_function_set_attribute(fn, MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000));
	OK(try_shape(one, one, 1000));
	EXPECT(MUSA_ERROR_INVALID_VALUE, try_shape(one, one, 1001));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       mt_function_set_attribute(fn, MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
					 (int)limit_b + 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       mt_function_set_attribute(fn, MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       mt_function_set_attribute(fn, MU_FUNC_ATTRIBUTE_NUM_REGS, 1));
}

/* A kernel's own limit of threads holds, too. */
Test(drv_launch_checks, threads_of_the_kernel)
{
	static const uint32_t one[3] = {1, 1, 1}, many[3] = {65, 1, 1}, fit[3] = {64, 1, 1};

	device_function("empty")->max_threads = 64;
	OK(try_shape(one, fit, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, try_shape(one, many, 0));
}

/* Arguments come in one form or the other, and completely. */
Test(drv_launch_checks, arguments)
{
	static struct device_log log;
	struct device_log *to = &log;
	uint32_t id = 7;
	void *params[] = {&to, &id}, *short_params[] = {&to, NULL};
	struct {
		struct device_log *log;
		uint32_t id;
	} packed = {&log, 8};
	size_t size_b = sizeof(packed), short_b = 8;
	void *extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, &packed, MU_LAUNCH_PARAM_BUFFER_SIZE,
			 &size_b, MU_LAUNCH_PARAM_END};
	void *short_extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, &packed, MU_LAUNCH_PARAM_BUFFER_SIZE,
			       &short_b, MU_LAUNCH_PARAM_END};
	struct mt_function *fn = device_function("append");
	struct mt_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
	struct mt_stream *stream = device_ctx->legacy;

	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_launch_kernel(stream, fn, &launch, "test"));
	launch.params = params;
	OK(mt_launch_kernel(stream, fn, &launch, "test"));
	launch.extra = extra;
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_launch_kernel(stream, fn, &launch, "test"));
	launch.params = NULL;
	OK(mt_launch_kernel(stream, fn, &launch, "test"));
	launch.extra = short_extra;
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_launch_kernel(stream, fn, &launch, "test"));
	launch.extra = NULL;
	launch.params = short_params;
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_launch_kernel(stream, fn, &launch, "test"));
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(log.count, 2);
	cr_assert_eq(log.ids[0], 7);
	cr_assert_eq(log.ids[1], 8);
}

static MUresult with_attr(MUlaunchAttributeID id, uint32_t word)
{
	MUlaunchAttribute attr = {.id = id};
	struct mt_kernel_attrs attrs;

	memcpy(attr.value.pad, &word, sizeof(word));
	return mt_launch_attrs(device_ctx, &attr, 1, &attrs);
}

/* Attributes: ranges, unknown ids, what is not there. */
Test(drv_launch_checks, attributes)
{
	MUlaunchAttribute attr = {.id = MU_LAUNCH_ATTRIBUTE_PRIORITY};
	struct mt_kernel_attrs attrs;

	OK(with_attr(MU_LAUNCH_ATTRIBUTE_IGNORE, 99));
	OK(with_attr(MU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1));
	EXPECT(MUSA_ERROR_INVALID_VALUE, with_attr(MU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2));
	EXPECT(MUSA_ERROR_INVALID_VALUE, with_attr(MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, 2));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       with_attr(MU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
	EXPECT(MUSA_ERROR_INVALID_VALUE, with_attr(MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, 1));
	EXPECT(MUSA_ERROR_NOT_SUPPORTED, with_attr(MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, with_attr((MUlaunchAttributeID)77, 0));
	EXPECT(MUSA_ERROR_INVALID_CLUSTER_SIZE,
	       with_attr(MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 1));
	attr.value.priority = -1000;
	OK(mt_launch_attrs(device_ctx, &attr, 1, &attrs));
	cr_assert_eq(attrs.set, 1u << MU_LAUNCH_ATTRIBUTE_PRIORITY);
	cr_assert_eq(attrs.priority, device_ctx->hw->info.priority_greatest);
	cr_assert_eq(attrs.priority_requested, -1000);
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_launch_attrs(device_ctx, NULL, 1, &attrs));
}

/* Blocks that wait for each other must all be resident. */
Test(drv_launch_checks, cooperative_grid_must_fit)
{
	const struct mt_kernel_attrs attrs = {.set = 1u << MU_LAUNCH_ATTRIBUTE_COOPERATIVE,
					      .cooperative = 1};
	struct mt_function *fn = device_function("empty");
	uint32_t fit = mt_function_blocks_per_mp(fn, 1, 0) * device_ctx->hw->info.mp_count;
	struct mt_launch launch = {.grid = {fit, 1, 1}, .block = {1, 1, 1}, .attrs = &attrs};

	cr_assert_gt(fit, 0);
	OK(mt_launch_kernel(device_ctx->legacy, fn, &launch, "test"));
	launch.grid[0]++;
	EXPECT(MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
	       mt_launch_kernel(device_ctx->legacy, fn, &launch, "test"));
	OK(mt_stream_synchronize(device_ctx->legacy));
}
