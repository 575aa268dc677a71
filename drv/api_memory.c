/* SPDX-License-Identifier: MIT */
/* Allocation and registration of memory in the runtime API. */
#include "drv/rt.h"

/* Context of the current device, if the calling thread may allocate now; nothing always may be. */
static MUresult allocating_ctx(bool nothing, const char *api, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_rt_ctx(ctx_out);

	return ret || nothing ? ret : mt_drv->mt_capture_check_unsafe_call(api);
}

static MUresult alloc_device(uint64_t size_b, const char *api, void **out)
{
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret = allocating_ctx(!size_b, api, &ctx);

	if (!ret)
		ret = mt_drv->mt_mem_alloc(ctx, size_b, &va);
	if (!ret)
		*out = (void *)(uintptr_t)va;
	return ret;
}

musaError_t musaMalloc(void **devPtr, size_t size)
{
	if (!devPtr)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	return mt_rt_return(alloc_device(size, "musaMalloc", devPtr));
}

musaError_t musaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret;

	if (!devPtr)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = allocating_ctx(false, "musaMallocManaged", &ctx);
	if (!ret)
		ret = mt_drv->mt_mem_managed_alloc(ctx, size, flags, &va);
	if (!ret)
		*devPtr = (void *)(uintptr_t)va;
	return mt_rt_return(ret);
}

static MUresult alloc_pitched(size_t width, size_t height, size_t depth, const char *api,
			      void **out, size_t *pitch_out)
{
	uint64_t va, pitch_b;
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx(!width || !height || !depth, api, &ctx);

	if (!ret)
		ret = mt_drv->mt_mem_alloc_pitched(ctx, width, height, depth, &va, &pitch_b);
	if (ret)
		return ret;
	*out = (void *)(uintptr_t)va;
	*pitch_out = pitch_b;
	return MUSA_SUCCESS;
}

musaError_t musaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
	if (!devPtr || !pitch)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	return mt_rt_return(alloc_pitched(width, height, 1, "musaMallocPitch", devPtr, pitch));
}

musaError_t musaMalloc3D(struct musaPitchedPtr *pitchedDevPtr, struct musaExtent extent)
{
	struct musaPitchedPtr pitched = {.xsize = extent.width, .ysize = extent.height};
	MUresult ret;

	if (!pitchedDevPtr)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = alloc_pitched(extent.width, extent.height, extent.depth, "musaMalloc3D", &pitched.ptr,
			    &pitched.pitch);
	if (!ret)
		*pitchedDevPtr = pitched;
	return mt_rt_return(ret);
}

musaError_t musaFree(void *devPtr)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_mem_free((uint64_t)(uintptr_t)devPtr, "musaFree");
	return mt_rt_return(ret);
}

static MUresult alloc_host(size_t size, unsigned int flags, const char *api, void **out)
{
	struct mt_ctx *ctx;
	MUresult ret;

	if (!out)
		return MUSA_ERROR_INVALID_VALUE;
	ret = allocating_ctx(!size, api, &ctx);
	return ret ? ret : mt_drv->mt_mem_host_alloc(ctx, size, flags, out);
}

musaError_t musaMallocHost(void **ptr, size_t size)
{
	return mt_rt_return(alloc_host(size, musaHostAllocDefault, "musaMallocHost", ptr));
}

musaError_t musaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
	return mt_rt_return(alloc_host(size, flags, "musaHostAlloc", pHost));
}

musaError_t musaFreeHost(void *ptr)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaFreeHost");
	if (!ret)
		ret = mt_drv->mt_mem_host_free(ptr);
	return mt_rt_return(ret);
}

musaError_t musaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx(false, "musaHostRegister", &ctx);

	if (!ret)
		ret = mt_drv->mt_mem_host_register(ctx, ptr, size, flags);
	return mt_rt_return(ret);
}

musaError_t musaHostUnregister(void *ptr)
{
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx(false, "musaHostUnregister", &ctx);

	if (!ret)
		ret = mt_drv->mt_mem_host_unregister(ptr);
	return mt_rt_return(ret);
}

musaError_t musaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret;

	if (!pDevice || flags)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = mt_rt_ctx(&ctx);
	if (!ret)
		ret = mt_drv->mt_mem_host_address(pHost, &va);
	if (!ret)
		*pDevice = (void *)(uintptr_t)va;
	return mt_rt_return(ret);
}

musaError_t musaHostGetFlags(unsigned int *pFlags, void *pHost)
{
	struct mt_ctx *ctx;
	MUresult ret;

	if (!pFlags)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = mt_rt_ctx(&ctx);
	if (!ret)
		ret = mt_drv->mt_mem_host_flags(pHost, pFlags);
	return mt_rt_return(ret);
}

musaError_t musaMemGetInfo(size_t *free, size_t *total)
{
	uint64_t free_b, total_b;
	struct mt_ctx *ctx;
	MUresult ret;

	if (!free || !total)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = mt_rt_ctx(&ctx);
	if (!ret)
		ret = mt_drv->mt_mem_get_info(ctx, &free_b, &total_b);
	if (!ret) {
		*free = free_b;
		*total = total_b;
	}
	return mt_rt_return(ret);
}

static MUresult find_symbol(const void *symbol, struct mt_variable *variable)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	return ret ? ret : mt_rt_symbol(ctx, symbol, variable);
}

musaError_t musaGetSymbolAddress(void **devPtr, const void *symbol)
{
	struct mt_variable variable;
	MUresult ret;

	if (!devPtr)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = find_symbol(symbol, &variable);
	if (!ret)
		*devPtr = (void *)(uintptr_t)variable.va;
	return mt_rt_return(ret);
}

musaError_t musaGetSymbolSize(size_t *size, const void *symbol)
{
	struct mt_variable variable;
	MUresult ret;

	if (!size)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = find_symbol(symbol, &variable);
	if (!ret)
		*size = variable.size_b;
	return mt_rt_return(ret);
}
