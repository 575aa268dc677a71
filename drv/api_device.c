/* SPDX-License-Identifier: MIT */
/* Devices of the runtime API: choice, properties, limits, synchronisation. */
#include "drv/rt.h"

#include <stdio.h>
#include <string.h>

#include "musart_version.h"

static musaError_t fill_count(int *count)
{
	MUresult ret = mt_rt_init();

	if (!ret && !count)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*count = (int)mt_drv->mt_device_count();
	return (musaError_t)ret;
}

musaError_t musaGetDeviceCount(int *count)
{
	musaError_t ret = fill_count(count);

	if (ret == musaErrorNoDevice && count)
		*count = 0;
	return mt_rt_return((MUresult)ret);
}

/* Initialised, and the ordinal names a device. */
static MUresult check_device(int device)
{
	MUresult ret = mt_rt_init();

	if (ret)
		return ret;
	if (device < 0 || (uint32_t)device >= mt_drv->mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	return MUSA_SUCCESS;
}

musaError_t musaSetDevice(int device)
{
	MUresult ret = check_device(device);
	struct mt_ctx *ctx;

	if (!ret)
		ret = mt_rt_ctx_of(device, &ctx);
	if (!ret)
		mt_rt_device_set(device);
	return mt_rt_return(ret);
}

musaError_t musaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
	MUresult ret = check_device(device);
	struct mt_ctx *ctx;

	if (!ret && ((flags & ~musaInitDeviceFlagsAreValid) || (deviceFlags & ~musaDeviceMask)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_rt_ctx_of(device, &ctx);
	if (!ret && (flags & musaInitDeviceFlagsAreValid))
		ctx->flags = deviceFlags;
	return mt_rt_return(ret);
}

musaError_t musaGetDevice(int *device)
{
	MUresult ret = mt_rt_init();

	if (!ret && !device)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*device = mt_rt_device();
	return mt_rt_return(ret);
}

musaError_t musaSetValidDevices(int *device_arr, int len)
{
	MUresult ret = mt_rt_init();

	if (!ret && (len < 0 || (len > 0 && !device_arr)))
		ret = MUSA_ERROR_INVALID_VALUE;
	for (int i = 0; !ret && i < len; i++)
		ret = check_device(device_arr[i]);
	if (!ret && len > 0)
		mt_rt_device_set(device_arr[0]);
	return mt_rt_return(ret);
}

musaError_t musaSetDeviceFlags(unsigned int flags)
{
	MUresult ret = mt_rt_init();
	struct mt_ctx *ctx;

	if (!ret && (flags & ~musaDeviceMask))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_rt_ctx(&ctx);
	if (!ret)
		ctx->flags = flags;
	return mt_rt_return(ret);
}

musaError_t musaGetDeviceFlags(unsigned int *flags)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*flags = ctx->flags | musaDeviceMapHost;
	return mt_rt_return(ret);
}

musaError_t musaDeviceReset(void)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_drv->mt_ctx_primary_reset((uint32_t)mt_rt_device());
	return mt_rt_return(ret);
}

musaError_t musaDeviceSynchronize(void)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_ctx_synchronize(ctx);
	return mt_rt_return(ret);
}

static uint64_t *limit_of(struct mt_ctx *ctx, enum musaLimit limit)
{
	switch (limit) {
	case musaLimitStackSize:
		return &ctx->stack_limit_b;
	case musaLimitPrintfFifoSize:
		return &ctx->printf_limit_b;
	case musaLimitMallocHeapSize:
		return &ctx->heap_limit_b;
	default:
		return NULL;
	}
}

static MUresult find_limit(struct mt_ctx *ctx, enum musaLimit limit, uint64_t **place_out)
{
	if ((unsigned int)limit > musaLimitPersistingL2CacheSize)
		return MUSA_ERROR_INVALID_VALUE;
	*place_out = limit_of(ctx, limit);
	return *place_out ? MUSA_SUCCESS : MUSA_ERROR_UNSUPPORTED_LIMIT;
}

musaError_t musaDeviceSetLimit(enum musaLimit limit, size_t value)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);
	uint64_t *place;

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaDeviceSetLimit");
	if (ret)
		return mt_rt_return(ret);
	ret = find_limit(ctx, limit, &place);
	if (ret)
		return mt_rt_return(ret);
	*place = value;
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaDeviceGetLimit(size_t *pValue, enum musaLimit limit)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);
	uint64_t *place;

	if (!ret && !pValue)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	ret = find_limit(ctx, limit, &place);
	if (ret)
		return mt_rt_return(ret);
	*pValue = *place;
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (ret)
		return mt_rt_return(ret);
	if (leastPriority)
		*leastPriority = ctx->hw->info.priority_least;
	if (greatestPriority)
		*greatestPriority = ctx->hw->info.priority_greatest;
	return mt_rt_return(MUSA_SUCCESS);
}

/* Cache and bank preferences are hints: kept for queries, without other effect. */
musaError_t musaDeviceGetCacheConfig(enum musaFuncCache *pCacheConfig)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !pCacheConfig)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pCacheConfig = (enum musaFuncCache)ctx->cache_config;
	return mt_rt_return(ret);
}

musaError_t musaDeviceSetCacheConfig(enum musaFuncCache cacheConfig)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (unsigned int)cacheConfig > musaFuncCachePreferEqual)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaDeviceSetCacheConfig");
	if (!ret)
		ctx->cache_config = (uint32_t)cacheConfig;
	return mt_rt_return(ret);
}

musaError_t musaDeviceGetSharedMemConfig(enum musaSharedMemConfig *pConfig)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !pConfig)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pConfig = (enum musaSharedMemConfig)ctx->shared_config;
	return mt_rt_return(ret);
}

musaError_t musaDeviceSetSharedMemConfig(enum musaSharedMemConfig config)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (unsigned int)config > musaSharedMemBankSizeEightByte)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ctx->shared_config = (uint32_t)config;
	return mt_rt_return(ret);
}

musaError_t musaDeviceGetAttribute(int *value, enum musaDeviceAttr attr, int device)
{
	MUresult ret = check_device(device);

	if (!ret)
		ret = mt_drv->mt_device_attribute((uint32_t)device, (int)attr, value);
	return mt_rt_return(ret);
}

musaError_t musaDeviceGetP2PAttribute(int *value, enum musaDeviceP2PAttr attr, int srcDevice,
				      int dstDevice)
{
	MUresult ret = check_device(srcDevice);

	if (!ret)
		ret = check_device(dstDevice);
	if (!ret && (!value || srcDevice == dstDevice))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	switch (attr) {
	case musaDevP2PAttrPerformanceRank:
		*value = 0;
		break;
	case musaDevP2PAttrAccessSupported:
	case musaDevP2PAttrNativeAtomicSupported:
	case musaDevP2PAttrMusaArrayAccessSupported:
		*value = 1;
		break;
	default:
		ret = MUSA_ERROR_INVALID_VALUE;
	}
	return mt_rt_return(ret);
}

musaError_t musaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
	MUresult ret = check_device(device);
	const struct mt_hw_device_info *info;

	if (!ret && (!pciBusId || len <= 0))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	info = &mt_drv->mt_device_get((uint32_t)device)->info;
	if (info->pci_bus < 0)
		return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
	snprintf(pciBusId, (size_t)len, "%04x:%02x:%02x.0", info->pci_domain, info->pci_bus,
		 info->pci_device);
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
	MUresult ret = mt_rt_init();
	unsigned int domain = 0, bus, dev;

	if (!ret && (!device || !pciBusId))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	if (sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &dev) != 3) {
		domain = 0;
		if (sscanf(pciBusId, "%x:%x", &bus, &dev) != 2)
			return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	}
	for (uint32_t i = 0; i < mt_drv->mt_device_count(); i++) {
		const struct mt_hw_device_info *info = &mt_drv->mt_device_get(i)->info;

		if (info->pci_domain == (int)domain && info->pci_bus == (int)bus &&
		    info->pci_device == (int)dev) {
			*device = (int)i;
			return mt_rt_return(MUSA_SUCCESS);
		}
	}
	return mt_rt_return(MUSA_ERROR_INVALID_DEVICE);
}

musaError_t musaDriverGetVersion(int *driverVersion)
{
	if (!driverVersion)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	*driverVersion = MUSA_VERSION;
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaRuntimeGetVersion(int *runtimeVersion)
{
	if (!runtimeVersion)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	*runtimeVersion = MUSART_VERSION;
	return mt_rt_return(MUSA_SUCCESS);
}

/* The names of the first API, kept for old programs. */
musaError_t musaThreadExit(void)
{
	return musaDeviceReset();
}

musaError_t musaThreadSynchronize(void)
{
	return musaDeviceSynchronize();
}

musaError_t musaThreadSetLimit(enum musaLimit limit, size_t value)
{
	return musaDeviceSetLimit(limit, value);
}

musaError_t musaThreadGetLimit(size_t *pValue, enum musaLimit limit)
{
	return musaDeviceGetLimit(pValue, limit);
}
