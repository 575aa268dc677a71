/* SPDX-License-Identifier: MIT */
/* musaDeviceProp, assembled from device attributes, and the choice of a device by it. */
#include "drv/rt.h"

#include <string.h>

/* Where an attribute goes; all members named here are int or size_t. */
struct prop_row {
	int attribute;
	uint16_t offset_b, size_b;
};

#define ROW(member, attribute)                                                                     \
	{                                                                                          \
		attribute, offsetof(struct musaDeviceProp, member),                                \
			sizeof(((struct musaDeviceProp *)0)->member)                               \
	}

static const struct prop_row rows[] = {
	ROW(sharedMemPerBlock, musaDevAttrMaxSharedMemoryPerBlock),
	ROW(regsPerBlock, musaDevAttrMaxRegistersPerBlock),
	ROW(warpSize, musaDevAttrWarpSize),
	ROW(memPitch, musaDevAttrMaxPitch),
	ROW(maxThreadsPerBlock, musaDevAttrMaxThreadsPerBlock),
	ROW(maxThreadsDim[0], musaDevAttrMaxBlockDimX),
	ROW(maxThreadsDim[1], musaDevAttrMaxBlockDimY),
	ROW(maxThreadsDim[2], musaDevAttrMaxBlockDimZ),
	ROW(maxGridSize[0], musaDevAttrMaxGridDimX),
	ROW(maxGridSize[1], musaDevAttrMaxGridDimY),
	ROW(maxGridSize[2], musaDevAttrMaxGridDimZ),
	ROW(clockRate, musaDevAttrClockRate),
	ROW(totalConstMem, musaDevAttrTotalConstantMemory),
	ROW(major, musaDevAttrComputeCapabilityMajor),
	ROW(minor, musaDevAttrComputeCapabilityMinor),
	ROW(textureAlignment, musaDevAttrTextureAlignment),
	ROW(texturePitchAlignment, musaDevAttrTexturePitchAlignment),
	ROW(deviceOverlap, musaDevAttrGpuOverlap),
	ROW(multiProcessorCount, musaDevAttrMultiProcessorCount),
	ROW(kernelExecTimeoutEnabled, musaDevAttrKernelExecTimeout),
	ROW(integrated, musaDevAttrIntegrated),
	ROW(canMapHostMemory, musaDevAttrCanMapHostMemory),
	ROW(computeMode, musaDevAttrComputeMode),
	ROW(surfaceAlignment, musaDevAttrSurfaceAlignment),
	ROW(concurrentKernels, musaDevAttrConcurrentKernels),
	ROW(ECCEnabled, musaDevAttrEccEnabled),
	ROW(pciBusID, musaDevAttrPciBusId),
	ROW(pciDeviceID, musaDevAttrPciDeviceId),
	ROW(pciDomainID, musaDevAttrPciDomainId),
	ROW(tccDriver, musaDevAttrTccDriver),
	ROW(asyncEngineCount, musaDevAttrAsyncEngineCount),
	ROW(unifiedAddressing, musaDevAttrUnifiedAddressing),
	ROW(memoryClockRate, musaDevAttrMemoryClockRate),
	ROW(memoryBusWidth, musaDevAttrGlobalMemoryBusWidth),
	ROW(l2CacheSize, musaDevAttrL2CacheSize),
	ROW(persistingL2CacheMaxSize, musaDevAttrMaxPersistingL2CacheSize),
	ROW(maxThreadsPerMultiProcessor, musaDevAttrMaxThreadsPerMultiProcessor),
	ROW(streamPrioritiesSupported, musaDevAttrStreamPrioritiesSupported),
	ROW(globalL1CacheSupported, musaDevAttrGlobalL1CacheSupported),
	ROW(localL1CacheSupported, musaDevAttrLocalL1CacheSupported),
	ROW(sharedMemPerMultiprocessor, musaDevAttrMaxSharedMemoryPerMultiprocessor),
	ROW(regsPerMultiprocessor, musaDevAttrMaxRegistersPerMultiprocessor),
	ROW(managedMemory, musaDevAttrManagedMemory),
	ROW(isMultiGpuBoard, musaDevAttrIsMultiGpuBoard),
	ROW(multiGpuBoardGroupID, musaDevAttrMultiGpuBoardGroupID),
	ROW(hostNativeAtomicSupported, musaDevAttrHostNativeAtomicSupported),
	ROW(singleToDoublePrecisionPerfRatio, musaDevAttrSingleToDoublePrecisionPerfRatio),
	ROW(pageableMemoryAccess, musaDevAttrPageableMemoryAccess),
	ROW(concurrentManagedAccess, musaDevAttrConcurrentManagedAccess),
	ROW(computePreemptionSupported, musaDevAttrComputePreemptionSupported),
	ROW(canUseHostPointerForRegisteredMem, musaDevAttrCanUseHostPointerForRegisteredMem),
	ROW(cooperativeLaunch, musaDevAttrCooperativeLaunch),
	ROW(cooperativeMultiDeviceLaunch, musaDevAttrCooperativeMultiDeviceLaunch),
	ROW(sharedMemPerBlockOptin, musaDevAttrMaxSharedMemoryPerBlockOptin),
	ROW(pageableMemoryAccessUsesHostPageTables, musaDevAttrPageableMemoryAccessUsesHostPageTables),
	ROW(directManagedMemAccessFromHost, musaDevAttrDirectManagedMemAccessFromHost),
	ROW(maxBlocksPerMultiProcessor, musaDevAttrMaxBlocksPerMultiprocessor),
	ROW(accessPolicyMaxWindowSize, musaDevAttrMaxAccessPolicyWindowSize),
	ROW(reservedSharedMemPerBlock, musaDevAttrReservedSharedMemoryPerBlock),
	ROW(hostRegisterSupported, musaDevAttrHostRegisterSupported),
	ROW(sparseMusaArraySupported, musaDevAttrSparseMusaArraySupported),
	ROW(hostRegisterReadOnlySupported, musaDevAttrHostRegisterReadOnlySupported),
	ROW(timelineSemaphoreInteropSupported, musaDevAttrTimelineSemaphoreInteropSupported),
	ROW(memoryPoolsSupported, musaDevAttrMemoryPoolsSupported),
	ROW(gpuDirectRDMASupported, musaDevAttrGPUDirectRDMASupported),
	ROW(memoryPoolSupportedHandleTypes, musaDevAttrMemoryPoolSupportedHandleTypes),
	ROW(deferredMappingMusaArraySupported, musaDevAttrDeferredMappingMusaArraySupported),
	ROW(ipcEventSupported, musaDevAttrIpcEventSupport),
	ROW(clusterLaunch, musaDevAttrClusterLaunch),
};

static MUresult fill_props(uint32_t device, struct musaDeviceProp *prop)
{
	const struct mt_hw_device *hw = mt_drv->mt_device_get(device);

	if (!hw)
		return MUSA_ERROR_INVALID_DEVICE;
	memset(prop, 0, sizeof(*prop));
	memcpy(prop->name, hw->info.name, sizeof(prop->name));
	memcpy(&prop->uuid, hw->info.uuid, sizeof(prop->uuid));
	prop->totalGlobalMem = hw->info.memory_b;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *place = (char *)prop + rows[i].offset_b;
		int value;
		MUresult ret = mt_drv->mt_device_attribute(device, rows[i].attribute, &value);

		if (ret)
			return ret;
		if (rows[i].size_b == sizeof(int)) {
			memcpy(place, &value, sizeof(value));
		} else {
			size_t wide = (size_t)value;

			memcpy(place, &wide, sizeof(wide));
		}
	}
	return MUSA_SUCCESS;
}

musaError_t musaGetDeviceProperties(struct musaDeviceProp *prop, int device)
{
	MUresult ret = mt_rt_init();

	if (!ret && !prop)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && device < 0)
		ret = MUSA_ERROR_INVALID_DEVICE;
	if (!ret)
		ret = fill_props((uint32_t)device, prop);
	return mt_rt_return(ret);
}

/* How many of the wishes that are not zero a device meets. */
static int score(const struct musaDeviceProp *have, const struct musaDeviceProp *want)
{
	int points = 0;

	points += want->name[0] && !strcmp(have->name, want->name);
	points += want->major > 0 && (have->major > want->major ||
				      (have->major == want->major && have->minor >= want->minor));
	points += want->totalGlobalMem > 0 && have->totalGlobalMem >= want->totalGlobalMem;
	points += want->multiProcessorCount > 0 &&
		  have->multiProcessorCount >= want->multiProcessorCount;
	return points;
}

musaError_t musaChooseDevice(int *device, const struct musaDeviceProp *prop)
{
	MUresult ret = mt_rt_init();
	int best = -1;

	if (!ret && (!device || !prop))
		ret = MUSA_ERROR_INVALID_VALUE;
	for (uint32_t i = 0; !ret && i < mt_drv->mt_device_count(); i++) {
		struct musaDeviceProp have;
		int points;

		ret = fill_props(i, &have);
		points = ret ? 0 : score(&have, prop);
		if (!ret && points > best) {
			best = points;
			*device = (int)i;
		}
	}
	return mt_rt_return(ret);
}
