/* SPDX-License-Identifier: MIT */
/*
 * Values of device attributes. Sizes that the silicon's documentation gives for mp_31 stand for the
 * mock, too; what a device does not have (textures, surfaces) is 0.
 */
#include "drv/attribute.h"

#include <limits.h>

#include "drv/context.h"
#include "driver_types.h"

/* Facts of an architecture that the hardware layer does not report. */
struct arch_facts {
	uint32_t arch_id;
	int major, minor;
	int registers; /* per block and per multiprocessor */
	int threads_per_mp;
	int l2_b;
	int window_b; /* largest access policy window */
};

static const struct arch_facts facts[] = {
	{210, 2, 1, 262144, 6144, 25165824, 0},
	{220, 2, 2, 262144, 6144, 25165824, 0},
	{310, 3, 1, 131072, MT_MAX_THREADS_PER_MP, 62914560, 0},
	/* The mock is an mp_31-like device, so that programs take their newest path. Windows are
	 * hints, which it takes and need not follow. */
	{900, 3, 1, 131072, MT_MAX_THREADS_PER_MP, 62914560, 62914560},
};

static const struct arch_facts *find_facts(uint32_t arch_id)
{
	for (unsigned int i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].arch_id == arch_id)
			return &facts[i];
	return &facts[0];
}

static int clamp_int(uint64_t value)
{
	return value > INT_MAX ? INT_MAX : (int)value;
}

MUresult mt_device_attribute(uint32_t device, int attribute, int *value_out)
{
	const struct mt_hw_device *hw = mt_device_get(device);
	const struct mt_hw_device_info *info;
	const struct arch_facts *arch;
	int value = 0;

	if (!hw)
		return MUSA_ERROR_INVALID_DEVICE;
	if (!value_out)
		return MUSA_ERROR_INVALID_VALUE;
	info = &hw->info;
	arch = find_facts(info->arch_id);

	switch (attribute) {
	case musaDevAttrMaxThreadsPerBlock:
		value = MT_MAX_THREADS_PER_BLOCK;
		break;
	case musaDevAttrMaxBlockDimX:
	case musaDevAttrMaxBlockDimY:
	case musaDevAttrMaxBlockDimZ:
		value = MT_MAX_BLOCK_DIM;
		break;
	case musaDevAttrMaxGridDimX:
	case musaDevAttrMaxGridDimY:
	case musaDevAttrMaxGridDimZ:
		value = MT_MAX_GRID_DIM;
		break;
	case musaDevAttrMaxSharedMemoryPerBlock:
	case musaDevAttrMaxSharedMemoryPerMultiprocessor:
	case musaDevAttrMaxSharedMemoryPerBlockOptin:
		value = clamp_int(info->shared_block_b);
		break;
	case musaDevAttrTotalConstantMemory:
		value = MT_CONSTANT_MEMORY_B;
		break;
	case musaDevAttrWarpSize:
		value = clamp_int(info->warp_size);
		break;
	case musaDevAttrMaxPitch:
		value = INT_MAX;
		break;
	case musaDevAttrMaxRegistersPerBlock:
	case musaDevAttrMaxRegistersPerMultiprocessor:
		value = arch->registers;
		break;
	case musaDevAttrClockRate: /* kHz, nominal */
		value = 1000000;
		break;
	case musaDevAttrMemoryClockRate: /* kHz, nominal */
		value = 1000000;
		break;
	case musaDevAttrGlobalMemoryBusWidth: /* bits, nominal */
		value = 256;
		break;
	case musaDevAttrMultiProcessorCount:
		value = clamp_int(info->mp_count);
		break;
	case musaDevAttrL2CacheSize:
		value = arch->l2_b;
		break;
	case musaDevAttrMaxAccessPolicyWindowSize:
		value = arch->window_b;
		break;
	case musaDevAttrMaxThreadsPerMultiProcessor:
		value = arch->threads_per_mp;
		break;
	case musaDevAttrMaxBlocksPerMultiprocessor:
		value = MT_MAX_BLOCKS_PER_MP;
		break;
	case musaDevAttrAsyncEngineCount:
	case musaDevAttrGpuOverlap:
	case musaDevAttrCanMapHostMemory:
	case musaDevAttrConcurrentKernels:
	case musaDevAttrUnifiedAddressing:
	case musaDevAttrStreamPrioritiesSupported:
	case musaDevAttrManagedMemory:
	case musaDevAttrConcurrentManagedAccess:
	case musaDevAttrCanUseHostPointerForRegisteredMem:
	case musaDevAttrHostRegisterSupported:
	case musaDevAttrMemoryPoolsSupported:
	case musaDevAttrTimelineSemaphoreInteropSupported:
	case musaDevAttrMemSyncDomainCount:
		value = 1;
		break;
	case musaDevAttrCooperativeLaunch:
		value = (info->caps & MT_HW_CAP_KERNELS) != 0;
		break;
	case musaDevAttrMemoryPoolSupportedHandleTypes:
		value = musaMemHandleTypePosixFileDescriptor;
		break;
	case musaDevAttrTextureAlignment:
	case musaDevAttrSurfaceAlignment:
	case musaDevAttrTexturePitchAlignment:
		value = 512;
		break;
	case musaDevAttrComputeCapabilityMajor:
		value = arch->major;
		break;
	case musaDevAttrComputeCapabilityMinor:
		value = arch->minor;
		break;
	case musaDevAttrPciBusId:
		value = info->pci_bus < 0 ? 0 : info->pci_bus;
		break;
	case musaDevAttrPciDeviceId:
		value = info->pci_device < 0 ? 0 : info->pci_device;
		break;
	case musaDevAttrPciDomainId:
		value = info->pci_domain < 0 ? 0 : info->pci_domain;
		break;
	case musaDevAttrGpuPciDeviceId:
		value = (int)((uint32_t)info->pci_device_id << 16 | info->pci_vendor_id);
		break;
	case musaDevAttrSingleToDoublePrecisionPerfRatio:
		value = 2;
		break;
	case musaDevAttrNumaId:
	case musaDevAttrHostNumaId:
		value = -1;
		break;
	default:
		/* Known and absent: textures, surfaces, interoperation. */
		if (attribute < musaDevAttrMaxThreadsPerBlock || attribute >= musaDevAttrMax)
			return MUSA_ERROR_INVALID_VALUE;
		break;
	}
	*value_out = value;
	return MUSA_SUCCESS;
}

bool mt_access_window_fits(uint32_t device, uint64_t size_b)
{
	int largest_b;

	return !mt_device_attribute(device, musaDevAttrMaxAccessPolicyWindowSize, &largest_b) &&
	       size_b <= (uint64_t)largest_b;
}
