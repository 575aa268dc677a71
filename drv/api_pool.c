/* SPDX-License-Identifier: MIT */
/* Memory pools and stream-ordered allocation of the runtime API. */
#include "drv/rt.h"

/* Pools are not shared between processes: those parameters nobody reads. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t *memPool, int device)
{
	struct mt_ctx *ctx;
	MUresult ret = memPool ? mt_rt_ctx_of(device, &ctx) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		*memPool = mt_drv->mt_pool_default(ctx);
	return mt_rt_return(ret);
}

musaError_t musaDeviceGetMemPool(musaMemPool_t *memPool, int device)
{
	struct mt_ctx *ctx;
	MUresult ret = memPool ? mt_rt_ctx_of(device, &ctx) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		*memPool = mt_drv->mt_pool_current(ctx);
	return mt_rt_return(ret);
}

/* The pool that a handle names; the library is initialised. */
static MUresult find_pool(musaMemPool_t handle, struct mt_pool **pool_out)
{
	MUresult ret = mt_rt_init();

	return ret ? ret : mt_drv->mt_pool_get(handle, pool_out);
}

musaError_t musaDeviceSetMemPool(int device, musaMemPool_t memPool)
{
	struct mt_pool *pool;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx_of(device, &ctx);

	if (!ret)
		ret = find_pool(memPool, &pool);
	if (!ret)
		ret = mt_drv->mt_pool_set_current(ctx, pool);
	return mt_rt_return(ret);
}

static MUresult alloc_from(struct mt_pool *pool, void **out, size_t size, musaStream_t stream,
			   const char *api)
{
	struct mt_stream *s;
	uint64_t va;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_drv->mt_pool_alloc_async(s, pool, size, &va, api);
	if (!ret)
		*out = (void *)(uintptr_t)va;
	return ret;
}

musaError_t musaMallocAsync(void **devPtr, size_t size, musaStream_t hStream)
{
	if (!devPtr)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	return mt_rt_return(alloc_from(NULL, devPtr, size, hStream, "musaMallocAsync"));
}

musaError_t musaMallocFromPoolAsync(void **ptr, size_t size, musaMemPool_t memPool,
				    musaStream_t stream)
{
	struct mt_pool *pool;
	MUresult ret = ptr ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = alloc_from(pool, ptr, size, stream, "musaMallocFromPoolAsync");
	return mt_rt_return(ret);
}

musaError_t musaFreeAsync(void *devPtr, musaStream_t hStream)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret)
		ret = mt_drv->mt_pool_free_async(s, (uint64_t)(uintptr_t)devPtr, "musaFreeAsync");
	return mt_rt_return(ret);
}

/* Unused bytes of the properties have to be 0, so that they can get a meaning. */
static MUresult check_props(const struct musaMemPoolProps *props)
{
	if (props->allocType != musaMemAllocationTypePinned)
		return MUSA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < sizeof(props->reserved); i++) {
		if (props->reserved[i])
			return MUSA_ERROR_INVALID_VALUE;
	}
	switch (props->location.type) {
	case musaMemLocationTypeDevice:
		break;
	case musaMemLocationTypeHost:
	case musaMemLocationTypeHostNuma:
	case musaMemLocationTypeHostNumaCurrent:
		return MUSA_ERROR_NOT_SUPPORTED;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
	if (props->location.id < 0 || (uint32_t)props->location.id >= mt_drv->mt_device_count())
		return MUSA_ERROR_INVALID_VALUE;
	if (props->handleTypes != musaMemHandleTypeNone || props->usage)
		return MUSA_ERROR_NOT_SUPPORTED;
	return MUSA_SUCCESS;
}

musaError_t musaMemPoolCreate(musaMemPool_t *memPool, const struct musaMemPoolProps *poolProps)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_init();

	if (!ret && (!memPool || !poolProps))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = check_props(poolProps);
	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaMemPoolCreate");
	if (!ret)
		ret = mt_rt_ctx_of(poolProps->location.id, &ctx);
	if (!ret)
		ret = mt_drv->mt_pool_create(ctx, poolProps->maxSize, memPool);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolDestroy(musaMemPool_t memPool)
{
	struct mt_pool *pool;
	MUresult ret = find_pool(memPool, &pool);

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaMemPoolDestroy");
	if (!ret)
		ret = mt_drv->mt_pool_destroy(pool);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolTrimTo(musaMemPool_t memPool, size_t minBytesToKeep)
{
	struct mt_pool *pool;
	MUresult ret = find_pool(memPool, &pool);

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaMemPoolTrimTo");
	if (!ret)
		mt_drv->mt_pool_trim(pool, minBytesToKeep);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolSetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value)
{
	struct mt_pool *pool;
	MUresult ret = value ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = mt_drv->mt_pool_set_attr(pool, (int)attr, value);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value)
{
	struct mt_pool *pool;
	MUresult ret = value ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = mt_drv->mt_pool_get_attr(pool, (int)attr, value);
	return mt_rt_return(ret);
}

static MUresult location_device(const struct musaMemLocation *location, uint32_t *device_out)
{
	if (location->type != musaMemLocationTypeDevice)
		return MUSA_ERROR_INVALID_VALUE;
	if (location->id < 0 || (uint32_t)location->id >= mt_drv->mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	*device_out = (uint32_t)location->id;
	return MUSA_SUCCESS;
}

musaError_t musaMemPoolSetAccess(musaMemPool_t memPool, const struct musaMemAccessDesc *descList,
				 size_t count)
{
	struct mt_pool *pool;
	uint32_t device;
	MUresult ret = descList || !count ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	for (size_t i = 0; i < count && !ret; i++) {
		ret = location_device(&descList[i].location, &device);
		if (!ret)
			ret = mt_drv->mt_pool_set_access(pool, device,
							 (unsigned int)descList[i].flags);
	}
	return mt_rt_return(ret);
}

musaError_t musaMemPoolGetAccess(enum musaMemAccessFlags *flags, musaMemPool_t memPool,
				 struct musaMemLocation *location)
{
	struct mt_pool *pool;
	uint32_t device;
	MUresult ret = flags && location ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = location_device(location, &device);
	if (!ret)
		*flags = (enum musaMemAccessFlags)mt_drv->mt_pool_get_access(pool, device);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolExportToShareableHandle(void *shareableHandle, musaMemPool_t memPool,
					       enum musaMemAllocationHandleType handleType,
					       unsigned int flags)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaMemPoolImportFromShareableHandle(musaMemPool_t *memPool, void *shareableHandle,
						 enum musaMemAllocationHandleType handleType,
						 unsigned int flags)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaMemPoolExportPointer(struct musaMemPoolPtrExportData *exportData, void *ptr)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaMemPoolImportPointer(void **ptr, musaMemPool_t memPool,
				     struct musaMemPoolPtrExportData *exportData)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}
