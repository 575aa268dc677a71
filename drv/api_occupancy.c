/* SPDX-License-Identifier: MIT */
/* Occupancy: how many blocks of a kernel fit a multiprocessor by threads, registers and memory. */
#include "drv/rt.h"

#include "drv/codeobj.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int attribute_of(uint32_t device, int id)
{
	int value = 0;

	if (mt_drv->mt_device_attribute(device, id, &value))
		return 0;
	return value;
}

/* Blocks that fit by everything but dynamic shared memory. */
static uint64_t blocks_by_threads(uint32_t device, const struct mt_function *fn, int block_size)
{
	uint64_t blocks = least((uint64_t)attribute_of(device, musaDevAttrMaxThreadsPerMultiProcessor) /
					(uint64_t)block_size,
				MT_MAX_BLOCKS_PER_MP);
	uint64_t registers = (uint64_t)fn->kernel->temp_reg_count * (uint64_t)block_size;

	if (registers)
		blocks = least(blocks, (uint64_t)attribute_of(device, musaDevAttrMaxRegistersPerMultiprocessor) /
					       registers);
	return blocks;
}

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
	uint64_t blocks, shared_b;

	if (!ret && (!numBlocks || (flags & ~musaOccupancyDisableCachingOverride)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	shared_b = fn->static_shared_b + (uint64_t)dynamicSMemSize;
	blocks = blocks_by_threads(ctx->device, fn, blockSize);
	if ((uint32_t)blockSize > fn->max_threads || shared_b > ctx->hw->info.shared_block_b)
		blocks = 0;
	else if (shared_b)
		blocks = least(blocks, ctx->hw->info.shared_block_b / shared_b);
	*numBlocks = (int)blocks;
	return mt_rt_return(MUSA_SUCCESS);
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
		     (uint64_t)numBlocks > blocks_by_threads(ctx->device, fn, blockSize)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	share = ctx->hw->info.shared_block_b / (uint64_t)numBlocks;
	*dynamicSmemSize = share > fn->static_shared_b ? share - fn->static_shared_b : 0;
	return mt_rt_return(MUSA_SUCCESS);
}
