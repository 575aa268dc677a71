/* SPDX-License-Identifier: MIT */
/* Kernel launches, function attributes and occupancy. */
#ifndef __MUSA_LAUNCH_API_H__
#define __MUSA_LAUNCH_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
			     size_t sharedMem, musaStream_t stream);
musaError_t musaLaunchKernelExC(const musaLaunchConfig_t *config, const void *func, void **args);
musaError_t musaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
					size_t sharedMem, musaStream_t stream);
musaError_t musaFuncSetCacheConfig(const void *func, enum musaFuncCache cacheConfig);
musaError_t musaFuncGetAttributes(struct musaFuncAttributes *attr, const void *func);
musaError_t musaFuncSetAttribute(const void *func, enum musaFuncAttribute attr, int value);
musaError_t musaFuncGetName(const char **name, const void *func);
musaError_t musaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
				 size_t *paramSize);
musaError_t musaFuncSetSharedMemConfig(const void *func, enum musaSharedMemConfig config);
musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
							  int blockSize, size_t dynamicSMemSize);
musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
						      int numBlocks, int blockSize);
musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
		int blockSize, size_t dynamicSMemSize, unsigned int flags);
musaError_t musaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
						 const musaLaunchConfig_t *launchConfig);
musaError_t musaOccupancyMaxActiveClusters(int *numClusters, const void *func,
					   const musaLaunchConfig_t *launchConfig);
musaError_t musaLaunchCooperativeKernelMultiDevice(struct musaLaunchParams *launchParamsList,
						   unsigned int numDevices,
						   unsigned int flags __dv(0));

#include "api_end.h"

#endif /* __MUSA_LAUNCH_API_H__ */
