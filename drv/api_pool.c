/* SPDX-License-Identifier: MIT */
/* Memory pools and stream-ordered allocation of the runtime API. */
#include "drv/rt.h"

#include <stddef.h>

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
		ret = mt_drv->mt_capture_check_unsafe_call("musaDeviceSetMemPool");
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

/* What the core reads of the properties stands at the same places for the driver API. */
_Static_assert(sizeof(struct musaMemPoolProps) == sizeof(MUmemPoolProps) &&
		       offsetof(struct musaMemPoolProps, maxSize) ==
			       offsetof(MUmemPoolProps, reserved),
	       "passed on as it is");

/* Unused bytes of the properties have to be 0, so that they can get a meaning. */
static MUresult check_own(const struct musaMemPoolProps *props)
{
	for (size_t i = 0; i < sizeof(props->reserved); i++) {
		if (props->reserved[i])
			return MUSA_ERROR_INVALID_VALUE;
	}
	return props->usage ? MUSA_ERROR_NOT_SUPPORTED : MUSA_SUCCESS;
}

musaError_t musaMemPoolCreate(musaMemPool_t *memPool, const struct musaMemPoolProps *poolProps)
{
	MUresult ret = mt_rt_init();

	if (!ret && (!memPool || !poolProps))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = check_own(poolProps);
	if (!ret)
		ret = mt_drv->mt_pool_make((const void *)poolProps, poolProps->maxSize, memPool,
					   "musaMemPoolCreate");
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
		ret = mt_drv->mt_capture_check_unsafe_call("musaMemPoolSetAttribute");
	if (!ret)
		ret = mt_drv->mt_pool_set_attr(pool, (int)attr, value);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value)
{
	struct mt_pool *pool;
	MUresult ret = value ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaMemPoolGetAttribute");
	if (!ret)
		ret = mt_drv->mt_pool_get_attr(pool, (int)attr, value);
	return mt_rt_return(ret);
}

_Static_assert(sizeof(struct musaMemAccessDesc) == sizeof(MUmemAccessDesc),
	       "passed on as it is");

musaError_t musaMemPoolSetAccess(musaMemPool_t memPool, const struct musaMemAccessDesc *descList,
				 size_t count)
{
	struct mt_pool *pool;
	MUresult ret = find_pool(memPool, &pool);

	if (!ret)
		ret = mt_drv->mt_pool_set_access_list(pool, (const void *)descList, count);
	return mt_rt_return(ret);
}

musaError_t musaMemPoolGetAccess(enum musaMemAccessFlags *flags, musaMemPool_t memPool,
				 struct musaMemLocation *location)
{
	struct mt_pool *pool;
	unsigned int access;
	MUresult ret = flags ? find_pool(memPool, &pool) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = mt_drv->mt_pool_get_access_at(pool, (const void *)location, &access);
	if (!ret)
		*flags = (enum musaMemAccessFlags)access;
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
