/* SPDX-License-Identifier: MIT */
/* What the driver API tells about addresses; advice and prefetches of managed memory. */
#include "drv/memory.h"
#include "drv/mu_internal.h"

#include <string.h>

/* An attribute's value and how much of it the caller has room for. */
struct answer {
	uint64_t value;
	size_t size_b;
};

static bool answer(struct answer *out, uint64_t value, size_t size_b)
{
	*out = (struct answer){ value, size_b };
	return true;
}

static uint64_t context_of(const struct mt_mem_info *info)
{
	const struct mt_ctx *ctx = mt_ctx_primary_peek(info->device);

	return ctx ? ctx->handle : 0;
}

/* One attribute of an address; info is zeroed for memory that is not known. False: there is no such
 * attribute. */
static bool ask(const struct mt_mem_info *info, uint64_t va, MUpointer_attribute attribute,
		struct answer *out)
{
	bool known = info->size_b != 0;
	bool host = info->type == MT_MEM_PINNED;

	switch ((int)attribute) {
	case MU_POINTER_ATTRIBUTE_CONTEXT:
		return answer(out, known ? context_of(info) : 0, sizeof(MUcontext));
	case MU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		return answer(out, !known ? 0 : host ? MU_MEMORYTYPE_HOST : MU_MEMORYTYPE_DEVICE,
			      sizeof(MUmemorytype));
	case MU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		return answer(out, known ? va : 0, sizeof(MUdeviceptr));
	case MU_POINTER_ATTRIBUTE_HOST_POINTER:
		return answer(out, info->host_va ? info->host_va + (va - info->base) : 0,
			      sizeof(void *));
	case MU_POINTER_ATTRIBUTE_BUFFER_ID:
		return answer(out, info->id, sizeof(unsigned long long));
	case MU_POINTER_ATTRIBUTE_IS_MANAGED:
		return answer(out, known && info->type == MT_MEM_MANAGED, sizeof(unsigned int));
	case MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		return answer(out, known ? info->device : (uint64_t)MU_DEVICE_INVALID, sizeof(int));
	case MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE:
		return answer(out, info->kind == MT_ALLOC_DEVICE, sizeof(unsigned int));
	case MU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
	case MU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
		return answer(out, info->base, sizeof(MUdeviceptr));
	case MU_POINTER_ATTRIBUTE_RANGE_SIZE:
	case MU_POINTER_ATTRIBUTE_MAPPING_SIZE:
		return answer(out, info->size_b, sizeof(size_t));
	case MU_POINTER_ATTRIBUTE_MAPPED:
		return answer(out, known, sizeof(unsigned int));
	/* Nothing is exported by handle, reached by other hardware, or made synchronous. */
	case MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
		return answer(out, 0, sizeof(unsigned long long));
	case MU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
	case MU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
	case MU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
		return answer(out, 0, sizeof(unsigned int));
	case MU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		return answer(out, known ? MU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE : 0,
			      sizeof(unsigned int));
	case MU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
		return answer(out, info->id, sizeof(unsigned long long));
	default:
		return false;
	}
}

static bool is_unsupported(MUpointer_attribute attribute)
{
	return attribute == MU_POINTER_ATTRIBUTE_P2P_TOKENS ||
	       attribute == MU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
}

static MUresult tell(const struct mt_mem_info *info, uint64_t va, MUpointer_attribute attribute,
		     void *data)
{
	struct answer found;

	if (!data)
		return MUSA_ERROR_INVALID_VALUE;
	if (is_unsupported(attribute))
		return MUSA_ERROR_NOT_SUPPORTED;
	if (!ask(info, va, attribute, &found))
		return MUSA_ERROR_INVALID_VALUE;
	memcpy(data, &found.value, found.size_b); /* the low bytes come first */
	return MUSA_SUCCESS;
}

MUresult muPointerGetAttribute(void *data, MUpointer_attribute attribute, MUdeviceptr ptr)
{
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!data || !mt_mem_attributes(ptr, &info)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && attribute == MU_POINTER_ATTRIBUTE_HOST_POINTER && !info.host_va)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : tell(&info, ptr, attribute, data);
}

MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute *attributes,
				void **data, MUdeviceptr ptr)
{
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!numAttributes || !attributes || !data))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && !mt_mem_attributes(ptr, &info))
		memset(&info, 0, sizeof(info));
	for (unsigned int i = 0; i < numAttributes && !ret; i++)
		ret = tell(&info, ptr, attributes[i], data[i]);
	return ret;
}

MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice, MUdevice device)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_mem_advise(devPtr, count, (int)advice, device);
}

MUresult muMemAdvise_v2(MUdeviceptr devPtr, size_t count, MUmem_advise advice,
			MUmemLocation location)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_mem_advise_at(devPtr, count, (int)advice, &location);
}

MUresult muMemPrefetchAsync(MUdeviceptr devPtr, size_t count, MUdevice dstDevice, MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret
		   : mt_mem_prefetch(stream, devPtr, count, dstDevice, "muMemPrefetchAsync");
}

MUresult muMemPrefetchAsync_v2(MUdeviceptr devPtr, size_t count, MUmemLocation location,
			       unsigned int flags, MUstream hStream)
{
	struct mt_stream *stream;
	int number;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	if (!ret)
		ret = flags ? MUSA_ERROR_INVALID_VALUE : mt_mem_location(&location, &number);
	return ret ? ret
		   : mt_mem_prefetch(stream, devPtr, count, number, "muMemPrefetchAsync_v2");
}

MUresult muMemRangeGetAttribute(void *data, size_t dataSize, MUmem_range_attribute attribute,
				MUdeviceptr devPtr, size_t count)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_mem_range_attribute(data, dataSize, (int)attribute, devPtr, count);
}

MUresult muMemRangeGetAttributes(void **data, size_t *dataSizes, MUmem_range_attribute *attributes,
				 size_t numAttributes, MUdeviceptr devPtr, size_t count)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret
		   : mt_mem_range_attributes(data, dataSizes, (const int *)(const void *)attributes,
					     numAttributes, devPtr, count);
}
