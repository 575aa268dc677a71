/* SPDX-License-Identifier: MIT */
/*
 * What the runtime API tells about addresses: attributes, advice and prefetches of managed memory,
 * and access between devices.
 */
#include "drv/rt.h"

#include <string.h>

#define DEVICE_INVALID (-2)

static enum musaMemoryType memory_type(const struct mt_mem_info *info)
{
	switch (info->type) {
	case MT_MEM_PINNED:
		return musaMemoryTypeHost;
	case MT_MEM_DEVICE:
	case MT_MEM_ARRAY:
		return musaMemoryTypeDevice;
	case MT_MEM_MANAGED:
		return musaMemoryTypeManaged;
	case MT_MEM_PAGEABLE:
		break;
	}
	return musaMemoryTypeUnregistered;
}

musaError_t musaPointerGetAttributes(struct musaPointerAttributes *attributes, const void *ptr)
{
	struct musaPointerAttributes told = {
		.type = musaMemoryTypeUnregistered,
		.device = DEVICE_INVALID,
		.hostPointer = (void *)(uintptr_t)ptr,
	};
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret;

	if (!attributes || !ptr)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = mt_rt_ctx(&ctx);
	if (ret)
		return mt_rt_return(ret);
	if (mt_drv->mt_mem_attributes((uint64_t)(uintptr_t)ptr, &info)) {
		uint64_t offset_b = (uint64_t)(uintptr_t)ptr - info.base;

		told.type = memory_type(&info);
		told.device = (int)info.device;
		told.devicePointer = (void *)(uintptr_t)ptr;
		told.hostPointer =
			info.host_va ? (void *)(uintptr_t)(info.host_va + offset_b) : NULL;
	}
	*attributes = told;
	return mt_rt_return(MUSA_SUCCESS);
}

static MUresult advise(const void *ptr, size_t count, enum musaMemoryAdvise advice, int location)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (ret)
		return ret;
	return mt_drv->mt_mem_advise((uint64_t)(uintptr_t)ptr, count, (int)advice, location);
}

musaError_t musaMemAdvise(const void *devPtr, size_t count, enum musaMemoryAdvise advice,
			  int device)
{
	return mt_rt_return(advise(devPtr, count, advice, device));
}

_Static_assert(sizeof(struct musaMemLocation) == sizeof(MUmemLocation), "passed on as it is");

musaError_t musaMemAdvise_v2(const void *devPtr, size_t count, enum musaMemoryAdvise advice,
			     struct musaMemLocation location)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_mem_advise_at((uint64_t)(uintptr_t)devPtr, count, (int)advice,
					       (const void *)&location);
	return mt_rt_return(ret);
}

static MUresult prefetch(const void *ptr, size_t count, int location, musaStream_t stream,
			 const char *api)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (ret)
		return ret;
	return mt_drv->mt_mem_prefetch(s, (uint64_t)(uintptr_t)ptr, count, location, api);
}

musaError_t musaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
				 musaStream_t stream)
{
	return mt_rt_return(prefetch(devPtr, count, dstDevice, stream, "musaMemPrefetchAsync"));
}

musaError_t musaMemPrefetchAsync_v2(const void *devPtr, size_t count,
				    struct musaMemLocation location, unsigned int flags,
				    musaStream_t stream)
{
	int number = 0;
	MUresult ret = flags ? MUSA_ERROR_INVALID_VALUE :
			       mt_drv->mt_mem_location((const void *)&location, &number);

	if (!ret)
		ret = prefetch(devPtr, count, number, stream, "musaMemPrefetchAsync_v2");
	return mt_rt_return(ret);
}

musaError_t musaStreamAttachMemAsync(musaStream_t stream, void *devPtr, size_t length,
				     unsigned int flags)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaStreamAttachMemAsync");
	if (!ret)
		ret = mt_drv->mt_mem_attach(s, (uint64_t)(uintptr_t)devPtr, length, flags,
					    "musaStreamAttachMemAsync");
	return mt_rt_return(ret);
}

musaError_t musaMemRangeGetAttribute(void *data, size_t dataSize,
				     enum musaMemRangeAttribute attribute, const void *devPtr,
				     size_t count)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_mem_range_attribute(data, dataSize, (int)attribute,
						     (uint64_t)(uintptr_t)devPtr, count);
	return mt_rt_return(ret);
}

musaError_t musaMemRangeGetAttributes(void **data, size_t *dataSizes,
				      enum musaMemRangeAttribute *attributes, size_t numAttributes,
				      const void *devPtr, size_t count)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_mem_range_attributes(data, dataSizes,
						      (const int *)(const void *)attributes,
						      numAttributes, (uint64_t)(uintptr_t)devPtr,
						      count);
	return mt_rt_return(ret);
}

static bool is_device(int device)
{
	return device >= 0 && (uint32_t)device < mt_drv->mt_device_count();
}

musaError_t musaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
	MUresult ret = mt_rt_init();

	if (!ret && !canAccessPeer)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && (!is_device(device) || !is_device(peerDevice)))
		ret = MUSA_ERROR_INVALID_DEVICE;
	if (!ret)
		*canAccessPeer = device != peerDevice;
	return mt_rt_return(ret);
}

/* The current context and a peer's number. */
static MUresult peer_of(int peer, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_rt_ctx(ctx_out);

	if (!ret && (!is_device(peer) || (uint32_t)peer == (*ctx_out)->device))
		ret = MUSA_ERROR_INVALID_DEVICE;
	return ret;
}

musaError_t musaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
	struct mt_ctx *ctx;
	MUresult ret = flags ? MUSA_ERROR_INVALID_VALUE : peer_of(peerDevice, &ctx);

	if (!ret)
		ret = mt_drv->mt_mem_peer_enable(ctx, (uint32_t)peerDevice);
	return mt_rt_return(ret);
}

musaError_t musaDeviceDisablePeerAccess(int peerDevice)
{
	struct mt_ctx *ctx;
	MUresult ret = peer_of(peerDevice, &ctx);

	if (!ret)
		ret = mt_drv->mt_mem_peer_disable(ctx, (uint32_t)peerDevice);
	return mt_rt_return(ret);
}
