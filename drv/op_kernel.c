/* SPDX-License-Identifier: MIT */
/* Builder of kernel launches: every check of a launch configuration, and the kernarg image. */
#include <string.h>

#include "drv/attribute.h"
#include "drv/codeobj.h"
#include "drv/launch.h"
#include "drv/module.h"
#include "drv/op.h"

static bool in_range(const uint32_t dims[3], uint32_t limit)
{
	for (int i = 0; i < 3; i++)
		if (!dims[i] || dims[i] > limit)
			return false;
	return true;
}

static MUresult check_shared(const struct mt_ctx *ctx, const struct mt_function *fn,
			     uint64_t dynamic_shared_b)
{
	uint64_t limit_b = ctx->hw->info.shared_block_b;

	/* Wrong whatever the caller asks for: the kernel does not fit the device. */
	if (fn->static_shared_b > limit_b)
		return MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	if (dynamic_shared_b > fn->max_dynamic_shared_b ||
	    dynamic_shared_b > limit_b - fn->static_shared_b)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

static MUresult check_attrs(const struct mt_ctx *ctx, const struct mt_function *fn,
			    const uint32_t grid[3], uint64_t threads, uint64_t dynamic_shared_b,
			    const struct mt_kernel_attrs *attrs)
{
	uint64_t blocks = (uint64_t)grid[0] * grid[1];

	if (attrs->set & (1u << MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION))
		for (int i = 0; i < 3; i++)
			if (attrs->cluster[i] && grid[i] % attrs->cluster[i])
				return MUSA_ERROR_INVALID_CLUSTER_SIZE;
	if (!attrs->cooperative)
		return MUSA_SUCCESS;
	/* Blocks that wait for each other must all be resident. */
	if (__builtin_mul_overflow(blocks, (uint64_t)grid[2], &blocks) ||
	    blocks > (uint64_t)mt_function_blocks_per_mp(fn, (uint32_t)threads, dynamic_shared_b) *
			     ctx->hw->info.mp_count)
		return MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	return MUSA_SUCCESS;
}

static MUresult pack_arguments(const struct mt_function *fn, const uint32_t grid[3],
			       const uint32_t block[3], void **params, void **extra, void *image)
{
	struct mt_codeobj_launch launch = {
		.grid = {grid[0], grid[1], grid[2]},
		.block = {block[0], block[1], block[2]},
		.code_address = fn->code_va,
	};
	MUresult ret;

	if (params && extra)
		return MUSA_ERROR_INVALID_VALUE;
	if (!params && !extra && fn->kernel->param_count)
		return MUSA_ERROR_INVALID_VALUE;
	ret = extra ? mt_codeobj_pack_extra(fn->kernel, extra, image, 0)
		    : mt_codeobj_pack_params(fn->kernel, params, image, 0);
	if (!ret && fn->kernel->hidden_count)
		mt_codeobj_pack_hidden(fn->kernel, image, &launch);
	return ret;
}

MUresult mt_op_kernel_build(struct mt_ctx *ctx, struct mt_function *fn, const uint32_t grid[3],
			    const uint32_t block[3], uint64_t dynamic_shared_b, void **params,
			    void **extra, void *image, const struct mt_kernel_attrs *attrs,
			    struct mt_op *op)
{
	uint64_t threads;
	MUresult ret;

	if (fn->device != ctx->device)
		return MUSA_ERROR_INVALID_HANDLE;
	if (!in_range(grid, MT_MAX_GRID_DIM) || !in_range(block, MT_MAX_BLOCK_DIM))
		return MUSA_ERROR_INVALID_VALUE;
	threads = (uint64_t)block[0] * block[1] * block[2];
	if (threads > MT_MAX_THREADS_PER_BLOCK || threads > fn->max_threads)
		return MUSA_ERROR_INVALID_VALUE;
	ret = check_shared(ctx, fn, dynamic_shared_b);
	if (!ret && attrs)
		ret = check_attrs(ctx, fn, grid, threads, dynamic_shared_b, attrs);
	if (!ret)
		ret = pack_arguments(fn, grid, block, params, extra, image);
	if (ret)
		return ret;
	*op = (struct mt_op){
		.type = MT_OP_KERNEL,
		.device = (uint8_t)ctx->device,
		.args_form = extra != NULL,
		.kernel =
			{
				.fn = fn,
				.grid = {grid[0], grid[1], grid[2]},
				.block = {block[0], block[1], block[2]},
				.dynamic_shared_b = (uint32_t)dynamic_shared_b,
				.args_b = fn->args_b,
				.args = fn->args_b ? image : NULL,
				.attrs = (struct mt_kernel_attrs *)attrs,
			},
	};
	return MUSA_SUCCESS;
}
