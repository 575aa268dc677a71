/* SPDX-License-Identifier: MIT */
/* Occupancy: how many blocks of a kernel fit a multiprocessor by threads, registers and memory. */
#include "drv/rt.h"

static MUresult get_function(const void *func, int block_size, struct mt_ctx **ctx,
			     struct mt_function **fn)
{
	MUresult ret = mt_rt_ctx(ctx);

	if (!ret)
		ret = mt_rt_function(*ctx, func, fn);
	if (!ret && block_size <= 0)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret;
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
								   int blockSize,
								   size_t dynamicSMemSize,
								   unsigned int flags)
{
	struct mt_ctx *ctx;
	struct mt_function *fn;
	MUresult ret = get_function(func, blockSize, &ctx, &fn);

	if (!ret && (!numBlocks || (flags & ~musaOccupancyDisableCachingOverride)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*numBlocks = (int)mt_drv->mt_function_blocks_per_mp(fn, (uint32_t)blockSize,
								    dynamicSMemSize);
	return mt_rt_return(ret);
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
							  int blockSize, size_t dynamicSMemSize)
{
	return musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		numBlocks, func, blockSize, dynamicSMemSize, musaOccupancyDefault);
}

musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
						      int numBlocks, int blockSize)
{
	struct mt_ctx *ctx;
	struct mt_function *fn;
	MUresult ret = get_function(func, blockSize, &ctx, &fn);
	uint64_t share;

	if (!ret && (!dynamicSmemSize || numBlocks <= 0 ||
		     (uint32_t)numBlocks > mt_drv->mt_function_blocks_per_mp(
						   fn, (uint32_t)blockSize, 0)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	share = ctx->hw->info.shared_block_b / (uint64_t)numBlocks;
	*dynamicSmemSize = share > fn->static_shared_b ? share - fn->static_shared_b : 0;
	return mt_rt_return(MUSA_SUCCESS);
}
