/* SPDX-License-Identifier: MIT */
/* Allocation and registration of memory, and arrays, in the driver API. */
#include "drv/capture.h"
#include "drv/memory.h"
#include "drv/mu_internal.h"

/* The current context, if the calling thread may allocate now. */
static MUresult allocating_ctx(const char *api, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_mu_ctx(ctx_out);

	return ret ? ret : mt_capture_check_unsafe(api);
}

/* Unlike the runtime's, the driver's allocations of nothing are errors. */
static MUresult check_request(const void *out, size_t size_b)
{
	return out && size_b ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
}

MUresult muMemAlloc_v2(MUdeviceptr *dptr, size_t bytesize)
{
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret = allocating_ctx("muMemAlloc", &ctx);

	if (!ret)
		ret = check_request(dptr, bytesize);
	if (!ret)
		ret = mt_mem_alloc(ctx, bytesize, &va);
	if (!ret)
		*dptr = va;
	return ret;
}

MUresult muMemAllocPitch_v2(MUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
			    unsigned int ElementSizeBytes)
{
	uint64_t va, pitch_b;
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx("muMemAllocPitch", &ctx);

	if (!ret)
		ret = check_request(dptr, WidthInBytes);
	if (!ret)
		ret = check_request(pPitch, Height);
	if (!ret && ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_mem_alloc_pitched(ctx, WidthInBytes, Height, 1, &va, &pitch_b);
	if (ret)
		return ret;
	*dptr = va;
	*pPitch = pitch_b;
	return MUSA_SUCCESS;
}

MUresult muMemAllocManaged(MUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret = allocating_ctx("muMemAllocManaged", &ctx);

	if (!ret)
		ret = check_request(dptr, bytesize);
	if (!ret)
		ret = mt_mem_managed_alloc(ctx, bytesize, flags, &va);
	if (!ret)
		*dptr = va;
	return ret;
}

MUresult muMemFree_v2(MUdeviceptr dptr)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_mem_free(dptr, "muMemFree");
}

MUresult muMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx("muMemHostAlloc", &ctx);

	if (!ret)
		ret = check_request(pp, bytesize);
	return ret ? ret : mt_mem_host_alloc(ctx, bytesize, Flags, pp);
}

MUresult muMemAllocHost_v2(void **pp, size_t bytesize)
{
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx("muMemAllocHost", &ctx);

	if (!ret)
		ret = check_request(pp, bytesize);
	return ret ? ret : mt_mem_host_alloc(ctx, bytesize, 0, pp);
}

MUresult muMemFreeHost(void *p)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !p)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_capture_check_unsafe("muMemFreeHost");
	return ret ? ret : mt_mem_host_free(p);
}

MUresult muMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)
{
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx("muMemHostRegister", &ctx);

	return ret ? ret : mt_mem_host_register(ctx, p, bytesize, Flags);
}

MUresult muMemHostUnregister(void *p)
{
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx("muMemHostUnregister", &ctx);

	return ret ? ret : mt_mem_host_unregister(p);
}

MUresult muMemHostGetDevicePointer_v2(MUdeviceptr *pdptr, void *p, unsigned int Flags)
{
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!pdptr || Flags))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_mem_host_address(p, &va);
	if (!ret)
		*pdptr = va;
	return ret;
}

MUresult muMemHostGetFlags(unsigned int *pFlags, void *p)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !pFlags)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_mem_host_flags(p, pFlags);
}

/* Either out-parameter may be NULL. */
MUresult muMemGetInfo_v2(size_t *free, size_t *total)
{
	uint64_t free_b, total_b;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret)
		ret = mt_mem_get_info(ctx, &free_b, &total_b);
	if (!ret && free)
		*free = free_b;
	if (!ret && total)
		*total = total_b;
	return ret;
}

MUresult muMemGetAddressRange_v2(MUdeviceptr *pbase, size_t *psize, MUdeviceptr dptr)
{
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !mt_mem_attributes(dptr, &info))
		ret = MUSA_ERROR_NOT_FOUND;
	if (!ret && pbase)
		*pbase = info.base;
	if (!ret && psize)
		*psize = info.size_b;
	return ret;
}

/* Channel bits and kind of a format; others are not there. The kinds are the runtime API's. */
static MUresult set_format(struct mt_array_desc *desc, MUarray_format format, unsigned int channels)
{
	static const struct {
		MUarray_format format;
		int bits, kind;
	} formats[] = {
		{ MU_AD_FORMAT_SIGNED_INT8, 8, 0 },    { MU_AD_FORMAT_SIGNED_INT16, 16, 0 },
		{ MU_AD_FORMAT_SIGNED_INT32, 32, 0 },  { MU_AD_FORMAT_UNSIGNED_INT8, 8, 1 },
		{ MU_AD_FORMAT_UNSIGNED_INT16, 16, 1 }, { MU_AD_FORMAT_UNSIGNED_INT32, 32, 1 },
		{ MU_AD_FORMAT_HALF, 16, 2 },          { MU_AD_FORMAT_FLOAT, 32, 2 },
	};

	if (channels != 1 && channels != 2 && channels != 4)
		return MUSA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (formats[i].format != format)
			continue;
		desc->channel_kind = formats[i].kind;
		for (unsigned int c = 0; c < channels; c++)
			desc->channel_bits[c] = formats[i].bits;
		return MUSA_SUCCESS;
	}
	return (unsigned int)format >= MU_AD_FORMAT_NV12 ? MUSA_ERROR_NOT_SUPPORTED
							 : MUSA_ERROR_INVALID_VALUE;
}

MUresult muArray3DCreate_v2(MUarray *pHandle, const MUSA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
	struct mt_array_desc desc = { 0 };
	struct mt_array *array;
	struct mt_ctx *ctx;
	MUresult ret = allocating_ctx("muArray3DCreate", &ctx);

	if (!ret && (!pHandle || !pAllocateArray))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = set_format(&desc, pAllocateArray->Format, pAllocateArray->NumChannels);
	if (ret)
		return ret;
	desc.width = pAllocateArray->Width;
	desc.height = pAllocateArray->Height;
	desc.depth = pAllocateArray->Depth;
	desc.flags = pAllocateArray->Flags;
	ret = mt_array_create(ctx, &desc, &array);
	if (!ret)
		*pHandle = (MUarray)(uintptr_t)array->handle;
	return ret;
}

MUresult muArrayCreate_v2(MUarray *pHandle, const MUSA_ARRAY_DESCRIPTOR *pAllocateArray)
{
	MUSA_ARRAY3D_DESCRIPTOR flat;

	if (!pAllocateArray)
		return muArray3DCreate_v2(pHandle, NULL);
	flat = (MUSA_ARRAY3D_DESCRIPTOR){
		.Width = pAllocateArray->Width,
		.Height = pAllocateArray->Height,
		.Format = pAllocateArray->Format,
		.NumChannels = pAllocateArray->NumChannels,
	};
	return muArray3DCreate_v2(pHandle, &flat);
}

MUresult muArrayDestroy(MUarray hArray)
{
	struct mt_array *array;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret)
		ret = mt_array_get((uintptr_t)hArray, &array);
	if (!ret)
		ret = mt_capture_check_unsafe("muArrayDestroy");
	return ret ? ret : mt_array_destroy(array);
}
