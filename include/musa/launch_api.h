/* SPDX-License-Identifier: MIT */
/* Kernel launches, function attributes and occupancy. */
#ifndef __MUSA_LAUNCH_API_H__
#define __MUSA_LAUNCH_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaLaunchKernel() - Run a kernel in a stream.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @gridDim:	Blocks in the grid.
 * @blockDim:	Threads in a block.
 * @args:	Address of each argument, in the order of the parameters.
 * @sharedMem:	Dynamic shared memory of a block, in bytes.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Argument values are copied by the call. Captured as a kernel node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  a dimension of 0, missing arguments
 *		musaErrorInvalidDeviceFunction  no such kernel
 *		musaErrorInvalidConfiguration  a block or shared memory over the limit
 *		musaErrorLaunchOutOfResources  not enough registers or shared memory
 *		musaErrorNoKernelImageForDevice  no code for this device
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
			     size_t sharedMem, musaStream_t stream);

/**
 * musaLaunchKernelExC() - Run a kernel as a configuration says.
 * @config:	Dimensions, shared memory, stream, and launch attributes.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @args:	Address of each argument, in the order of the parameters.
 *
 * musaLaunchKernelEx() is its typed form in C++.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  a dimension of 0, missing arguments
 *		musaErrorInvalidDeviceFunction  no such kernel
 *		musaErrorInvalidConfiguration  a block or shared memory over the limit
 *		musaErrorLaunchOutOfResources  not enough registers or shared memory
 *		musaErrorNoKernelImageForDevice  no code for this device
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaLaunchKernelExC(const musaLaunchConfig_t *config, const void *func, void **args);

/**
 * musaLaunchCooperativeKernel() - Run a kernel whose blocks may wait for each other.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @gridDim:	Blocks in the grid.
 * @blockDim:	Threads in a block.
 * @args:	Address of each argument, in the order of the parameters.
 * @sharedMem:	Dynamic shared memory of a block, in bytes.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * All blocks must fit on the device at once.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  a dimension of 0, missing arguments
 *		musaErrorInvalidDeviceFunction  no such kernel
 *		musaErrorInvalidConfiguration  a block or shared memory over the limit
 *		musaErrorLaunchOutOfResources  not enough registers or shared memory
 *		musaErrorNoKernelImageForDevice  no code for this device
 *		musaErrorCooperativeLaunchTooLarge  the grid does not fit
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
					size_t sharedMem, musaStream_t stream);

/**
 * musaLaunchCooperativeKernelMultiDevice() - Run one cooperative kernel on several devices.
 * @launchParamsList:	One launch for each device.
 * @numDevices:	Length of the list.
 * @flags:	musaCooperativeLaunchMultiDeviceNoPreSync, NoPostSync.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorNotSupported  not available
 */
musaError_t musaLaunchCooperativeKernelMultiDevice(struct musaLaunchParams *launchParamsList,
						   unsigned int numDevices,
						   unsigned int flags __dv(0));

/**
 * musaFuncGetAttributes() - Describe a kernel on the current device.
 * @attr:	[out] Description.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaFuncGetAttributes(struct musaFuncAttributes *attr, const void *func);

/**
 * musaFuncSetAttribute() - Set an attribute of a kernel on the current device.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @attr:	Attribute.
 * @value:	Value: bytes of dynamic shared memory, per cent of carve-out.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown attribute, or a value out of range
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaFuncSetAttribute(const void *func, enum musaFuncAttribute attr, int value);

/**
 * musaFuncSetCacheConfig() - Prefer a split of cache and shared memory for a kernel.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @cacheConfig:	Preference, which the device may ignore.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown preference
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaFuncSetCacheConfig(const void *func, enum musaFuncCache cacheConfig);

/**
 * musaFuncSetSharedMemConfig() - Prefer a bank width of shared memory for a kernel.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @config:	Width, which the device may ignore.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  unknown width
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaFuncSetSharedMemConfig(const void *func, enum musaSharedMemConfig config);

/**
 * musaFuncGetName() - Ask for the name of a kernel.
 * @name:	[out] Name as in the code object; lives as long as the code.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaFuncGetName(const char **name, const void *func);

/**
 * musaFuncGetParamInfo() - Ask where a parameter of a kernel lies.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @paramIndex:	Parameter, from 0.
 * @paramOffset:	[out] Its offset in the packed arguments, in bytes.
 * @paramSize:	[out] Its bytes. May be NULL.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or no such parameter
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
				 size_t *paramSize);

/**
 * musaOccupancyMaxActiveBlocksPerMultiprocessor() - Ask how many blocks of a kernel fit on a
 *	multiprocessor.
 * @numBlocks:	[out] Blocks.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @blockSize:	Threads in a block.
 * @dynamicSMemSize:	Dynamic shared memory of a block, in bytes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or a block size out of range
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
							  int blockSize, size_t dynamicSMemSize);

/**
 * musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags() - As
 *	musaOccupancyMaxActiveBlocksPerMultiprocessor(), with flags.
 * @numBlocks:	[out] Blocks.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @blockSize:	Threads in a block.
 * @dynamicSMemSize:	Dynamic shared memory of a block, in bytes.
 * @flags:	musaOccupancyDefault or musaOccupancyDisableCachingOverride.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, unknown flag, or a block size out of range
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
								   int blockSize,
								   size_t dynamicSMemSize,
								   unsigned int flags);

/**
 * musaOccupancyAvailableDynamicSMemPerBlock() - Ask how much dynamic shared memory blocks may have.
 * @dynamicSmemSize:	[out] Bytes.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @numBlocks:	Blocks that are to fit on a multiprocessor.
 * @blockSize:	Threads in a block.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or more blocks than fit
 *		musaErrorInvalidDeviceFunction  no such kernel
 */
musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
						      int numBlocks, int blockSize);

/**
 * musaOccupancyMaxPotentialClusterSize() - Ask how many blocks a cluster may have.
 * @clusterSize:	[out] Blocks.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @launchConfig:	Launch that is meant.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDeviceFunction  no such kernel
 *		musaErrorNotSupported  the device has no clusters
 */
musaError_t musaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
						 const musaLaunchConfig_t *launchConfig);

/**
 * musaOccupancyMaxActiveClusters() - Ask how many clusters fit on the device.
 * @numClusters:	[out] Clusters.
 * @func:	Kernel: its host stub, or a musaKernel_t or musaFunction_t as void *.
 * @launchConfig:	Launch that is meant.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDeviceFunction  no such kernel
 *		musaErrorNotSupported  the device has no clusters
 */
musaError_t musaOccupancyMaxActiveClusters(int *numClusters, const void *func,
					   const musaLaunchConfig_t *launchConfig);

#include "api_end.h"

#endif /* __MUSA_LAUNCH_API_H__ */
