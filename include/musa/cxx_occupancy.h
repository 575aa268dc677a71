/* SPDX-License-Identifier: MIT */
/* Occupancy of kernels, for C++: how many blocks fit, and which block size fills a device. */
#ifndef __MUSA_CXX_OCCUPANCY_H__
#define __MUSA_CXX_OCCUPANCY_H__

#include "device_api.h"
#include "launch_api.h"

template <class T>
static inline musaError_t
musaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func, int blockSize,
					      size_t dynamicSMemSize)
{
	return ::musaOccupancyMaxActiveBlocksPerMultiprocessor(
		numBlocks, reinterpret_cast<const void *>(func), blockSize, dynamicSMemSize);
}

template <class T>
static inline musaError_t
musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func, int blockSize,
						       size_t dynamicSMemSize, unsigned int flags)
{
	return ::musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		numBlocks, reinterpret_cast<const void *>(func), blockSize, dynamicSMemSize, flags);
}

template <class T>
static inline musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
								    T *func, int numBlocks,
								    int blockSize)
{
	return ::musaOccupancyAvailableDynamicSMemPerBlock(
		dynamicSmemSize, reinterpret_cast<const void *>(func), numBlocks, blockSize);
}

template <class T>
static inline musaError_t musaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
							       const musaLaunchConfig_t *config)
{
	return ::musaOccupancyMaxPotentialClusterSize(
		clusterSize, reinterpret_cast<const void *>(func), config);
}

template <class T>
static inline musaError_t musaOccupancyMaxActiveClusters(int *numClusters, T *func,
							 const musaLaunchConfig_t *config)
{
	return ::musaOccupancyMaxActiveClusters(numClusters, reinterpret_cast<const void *>(func),
						config);
}

/* The limits that the search below works within. */
struct __musa_occupancy_limits {
	int warp;
	int threads_per_block;
	int threads_per_mp;
	int mp_count;
};

static inline musaError_t __musa_occupancy_limits_get(struct __musa_occupancy_limits *l,
						      const void *func)
{
	struct musaFuncAttributes attr;
	musaError_t err;
	int device;

	err = musaGetDevice(&device);
	if (err == musaSuccess)
		err = musaDeviceGetAttribute(&l->threads_per_mp,
					     musaDevAttrMaxThreadsPerMultiProcessor, device);
	if (err == musaSuccess)
		err = musaDeviceGetAttribute(&l->threads_per_block, musaDevAttrMaxThreadsPerBlock,
					     device);
	if (err == musaSuccess)
		err = musaDeviceGetAttribute(&l->mp_count, musaDevAttrMultiProcessorCount, device);
	if (err == musaSuccess)
		err = musaDeviceGetAttribute(&l->warp, musaDevAttrWarpSize, device);
	if (err == musaSuccess)
		err = musaFuncGetAttributes(&attr, func);
	if (err == musaSuccess && attr.maxThreadsPerBlock < l->threads_per_block)
		l->threads_per_block = attr.maxThreadsPerBlock;
	return err;
}

/**
 * musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags() - Find the block size that fills.
 * @minGridSize:	[out] Blocks that fill the device at that size.
 * @blockSize:		[out] Threads in a block.
 * @func:		Kernel.
 * @blockSizeToDynamicSMemSize:	Bytes of dynamic shared memory of a block of so many threads.
 * @blockSizeLimit:	Most threads in a block; 0 for no limit of one's own.
 * @flags:		musaOccupancyDefault or musaOccupancyDisableCachingOverride.
 *
 * Tries the limit first and then every smaller multiple of the warp size; of two equally good
 * sizes the larger wins.
 */
template <typename UnaryFunction, class T>
static inline musaError_t musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
	int *minGridSize, int *blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize,
	int blockSizeLimit = 0, unsigned int flags = 0)
{
	const void *kernel = reinterpret_cast<const void *>(func);
	struct __musa_occupancy_limits l;
	int best_threads = 0, best_size = 0, best_blocks = 0;
	musaError_t err;

	if (!minGridSize || !blockSize || !kernel)
		return musaErrorInvalidValue;
	err = __musa_occupancy_limits_get(&l, kernel);
	if (err != musaSuccess)
		return err;

	if (blockSizeLimit <= 0 || blockSizeLimit > l.threads_per_block)
		blockSizeLimit = l.threads_per_block;
	for (int size = (blockSizeLimit + l.warp - 1) / l.warp * l.warp; size > 0; size -= l.warp) {
		int threads = size < blockSizeLimit ? size : blockSizeLimit;
		int blocks = 0;

		err = ::musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
			&blocks, kernel, threads, blockSizeToDynamicSMemSize(threads), flags);
		if (err != musaSuccess)
			return err;
		if (threads * blocks > best_threads) {
			best_threads = threads * blocks;
			best_size = threads;
			best_blocks = blocks;
		}
		if (best_threads == l.threads_per_mp)
			break;
	}

	*minGridSize = best_blocks * l.mp_count;
	*blockSize = best_size;
	return musaSuccess;
}

template <typename UnaryFunction, class T>
static inline musaError_t
musaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
					       UnaryFunction blockSizeToDynamicSMemSize,
					       int blockSizeLimit = 0)
{
	return musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
		minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit,
		musaOccupancyDefault);
}

/* The same number of bytes for every block size. */
struct __musa_occupancy_same {
	size_t size_b;

	size_t operator()(int) const
	{
		return size_b;
	}
};

template <class T>
static inline musaError_t
musaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T func,
					    size_t dynamicSMemSize = 0, int blockSizeLimit = 0,
					    unsigned int flags = 0)
{
	return musaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
		minGridSize, blockSize, func, __musa_occupancy_same{dynamicSMemSize},
		blockSizeLimit, flags);
}

template <class T>
static inline musaError_t musaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
							     T func, size_t dynamicSMemSize = 0,
							     int blockSizeLimit = 0)
{
	return musaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
							   dynamicSMemSize, blockSizeLimit,
							   musaOccupancyDefault);
}

#endif /* __MUSA_CXX_OCCUPANCY_H__ */
