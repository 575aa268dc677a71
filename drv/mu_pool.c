/* SPDX-License-Identifier: MIT */
/* Memory pools and stream-ordered allocation of the driver API. */
#include "drv/capture.h"
#include "drv/mu_internal.h"
#include "drv/pool.h"

/* The primary context of a device, whichever is current. */
static MUresult ctx_of(MUdevice device, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_mu_device(device);

	if (!ret)
		ret = mt_ctx_primary((uint32_t)device, ctx_out);
	return ret ? ret : mt_ctx_error(*ctx_out);
}

static MUresult find_pool(MUmemoryPool handle, struct mt_pool **pool_out)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_pool_get(handle, pool_out);
}

MUresult muDeviceGetDefaultMemPool(MUmemoryPool *pool_out, MUdevice dev)
{
	struct mt_ctx *ctx;
	MUresult ret = ctx_of(dev, &ctx);

	if (!ret && !pool_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pool_out = mt_pool_default(ctx);
	return ret;
}

MUresult muDeviceGetMemPool(MUmemoryPool *pool, MUdevice dev)
{
	struct mt_ctx *ctx;
	MUresult ret = ctx_of(dev, &ctx);

	if (!ret && !pool)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pool = mt_pool_current(ctx);
	return ret;
}

MUresult muDeviceSetMemPool(MUdevice dev, MUmemoryPool pool)
{
	struct mt_pool *found;
	struct mt_ctx *ctx;
	MUresult ret = ctx_of(dev, &ctx);

	if (!ret)
		ret = find_pool(pool, &found);
	return ret ? ret : mt_pool_set_current(ctx, found);
}

static MUresult alloc_from(struct mt_pool *pool, MUdeviceptr *out, size_t size_b, MUstream handle,
			   const char *api)
{
	struct mt_stream *stream;
	uint64_t va;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	if (!ret && (!out || !size_b))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_pool_alloc_async(stream, pool, size_b, &va, api);
	if (!ret)
		*out = va;
	return ret;
}

MUresult muMemAllocAsync(MUdeviceptr *dptr, size_t bytesize, MUstream hStream)
{
	return alloc_from(NULL, dptr, bytesize, hStream, "muMemAllocAsync");
}

MUresult muMemAllocFromPoolAsync(MUdeviceptr *dptr, size_t bytesize, MUmemoryPool pool,
				 MUstream hStream)
{
	struct mt_pool *found;
	MUresult ret = find_pool(pool, &found);

	return ret ? ret
		   : alloc_from(found, dptr, bytesize, hStream, "muMemAllocFromPoolAsync");
}

MUresult muMemFreeAsync(MUdeviceptr dptr, MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_pool_free_async(stream, dptr, "muMemFreeAsync");
}

MUresult muMemPoolCreate(MUmemoryPool *pool, const MUmemPoolProps *poolProps)
{
	MUresult ret = mt_initialised();

	if (!ret && (!pool || !poolProps))
		ret = MUSA_ERROR_INVALID_VALUE;
	for (size_t i = 0; !ret && i < sizeof(poolProps->reserved); i++)
		ret = poolProps->reserved[i] ? MUSA_ERROR_INVALID_VALUE : MUSA_SUCCESS;
	return ret ? ret : mt_pool_make(poolProps, 0, pool, "muMemPoolCreate");
}

MUresult muMemPoolDestroy(MUmemoryPool pool)
{
	struct mt_pool *found;
	MUresult ret = find_pool(pool, &found);

	if (!ret)
		ret = mt_capture_check_unsafe("muMemPoolDestroy");
	return ret ? ret : mt_pool_destroy(found);
}

MUresult muMemPoolTrimTo(MUmemoryPool pool, size_t minBytesToKeep)
{
	struct mt_pool *found;
	MUresult ret = find_pool(pool, &found);

	if (!ret)
		ret = mt_capture_check_unsafe("muMemPoolTrimTo");
	if (!ret)
		mt_pool_trim(found, minBytesToKeep);
	return ret;
}

MUresult muMemPoolGetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void *value)
{
	struct mt_pool *found;
	MUresult ret = find_pool(pool, &found);

	if (!ret && !value)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_pool_get_attr(found, (int)attr, value);
}

MUresult muMemPoolSetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void *value)
{
	struct mt_pool *found;
	MUresult ret = find_pool(pool, &found);

	if (!ret && !value)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_pool_set_attr(found, (int)attr, value);
}

MUresult muMemPoolSetAccess(MUmemoryPool pool, const MUmemAccessDesc *map, size_t count)
{
	struct mt_pool *found;
	MUresult ret = find_pool(pool, &found);

	return ret ? ret : mt_pool_set_access_list(found, map, count);
}

MUresult muMemPoolGetAccess(MUmemAccess_flags *flags, MUmemoryPool memPool, MUmemLocation *location)
{
	struct mt_pool *found;
	unsigned int access;
	MUresult ret = find_pool(memPool, &found);

	if (!ret && !flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_pool_get_access_at(found, location, &access);
	if (!ret)
		*flags = (MUmemAccess_flags)access;
	return ret;
}
