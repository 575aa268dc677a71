/* SPDX-License-Identifier: MIT */
/* Arrays of the runtime API. There are no mipmapped, layered or sparse ones. */
#include "drv/rt.h"

#include <string.h>

#define ARRAY_ALIGN_B 512u

/* Parameters of what is not there are part of the ABI; nobody reads them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static MUresult find_array(musaArray_const_t handle, struct mt_array **array_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	return ret ? ret : mt_drv->mt_array_get((uint64_t)(uintptr_t)handle, array_out);
}

static MUresult create_array(musaArray_t *out, const struct musaChannelFormatDesc *format,
			     struct musaExtent extent, unsigned int flags, const char *api)
{
	struct mt_array_desc desc = {
		.width = extent.width,
		.height = extent.height,
		.depth = extent.depth,
		.flags = flags,
	};
	struct mt_array *array;
	struct mt_ctx *ctx;
	MUresult ret;

	if (!out || !format)
		return MUSA_ERROR_INVALID_VALUE;
	desc.channel_bits[0] = format->x;
	desc.channel_bits[1] = format->y;
	desc.channel_bits[2] = format->z;
	desc.channel_bits[3] = format->w;
	desc.channel_kind = (int)format->f;
	ret = mt_rt_ctx(&ctx);
	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call(api);
	if (!ret)
		ret = mt_drv->mt_array_create(ctx, &desc, &array);
	if (!ret)
		*out = (musaArray_t)(uintptr_t)array->handle;
	return ret;
}

musaError_t musaMallocArray(musaArray_t *array, const struct musaChannelFormatDesc *desc,
			    size_t width, size_t height, unsigned int flags)
{
	struct musaExtent extent = {.width = width, .height = height};

	return mt_rt_return(create_array(array, desc, extent, flags, "musaMallocArray"));
}

musaError_t musaMalloc3DArray(musaArray_t *array, const struct musaChannelFormatDesc *desc,
			      struct musaExtent extent, unsigned int flags)
{
	return mt_rt_return(create_array(array, desc, extent, flags, "musaMalloc3DArray"));
}

musaError_t musaFreeArray(musaArray_t array)
{
	struct mt_array *a;
	MUresult ret;

	if (!array)
		return mt_rt_return(MUSA_SUCCESS);
	ret = find_array(array, &a);
	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaFreeArray");
	if (!ret)
		ret = mt_drv->mt_array_destroy(a);
	return mt_rt_return(ret);
}

static void tell_format(const struct mt_array *array, struct musaChannelFormatDesc *desc)
{
	desc->x = array->channel_bits[0];
	desc->y = array->channel_bits[1];
	desc->z = array->channel_bits[2];
	desc->w = array->channel_bits[3];
	desc->f = (enum musaChannelFormatKind)array->channel_kind;
}

musaError_t musaArrayGetInfo(struct musaChannelFormatDesc *desc, struct musaExtent *extent,
			     unsigned int *flags, musaArray_t array)
{
	struct mt_array *a;
	MUresult ret = find_array(array, &a);

	if (ret)
		return mt_rt_return(ret);
	if (desc)
		tell_format(a, desc);
	if (extent) {
		extent->width = a->width;
		extent->height = a->height;
		extent->depth = a->depth;
	}
	if (flags)
		*flags = a->flags;
	return mt_rt_return(MUSA_SUCCESS);
}

musaError_t musaGetChannelDesc(struct musaChannelFormatDesc *desc, musaArray_const_t array)
{
	struct mt_array *a;
	MUresult ret = desc ? find_array(array, &a) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		tell_format(a, desc);
	return mt_rt_return(ret);
}

struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w,
						   enum musaChannelFormatKind f)
{
	struct musaChannelFormatDesc desc = {.x = x, .y = y, .z = z, .w = w, .f = f};

	return desc;
}

musaError_t musaArrayGetMemoryRequirements(struct musaArrayMemoryRequirements *memoryRequirements,
					   musaArray_t array, int device)
{
	struct mt_array *a;
	MUresult ret = memoryRequirements ? find_array(array, &a) : MUSA_ERROR_INVALID_VALUE;

	if (!ret && (device < 0 || (uint32_t)device >= mt_drv->mt_device_count()))
		ret = MUSA_ERROR_INVALID_DEVICE;
	if (!ret) {
		memset(memoryRequirements, 0, sizeof(*memoryRequirements));
		memoryRequirements->size = a->slice_b * (a->depth ? a->depth : 1);
		memoryRequirements->alignment = ARRAY_ALIGN_B;
	}
	return mt_rt_return(ret);
}

musaError_t musaArrayGetPlane(musaArray_t *pPlaneArray, musaArray_t hArray, unsigned int planeIdx)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaArrayGetSparseProperties(struct musaArraySparseProperties *sparseProperties,
					 musaArray_t array)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaMallocMipmappedArray(musaMipmappedArray_t *mipmappedArray,
				     const struct musaChannelFormatDesc *desc,
				     struct musaExtent extent, unsigned int numLevels,
				     unsigned int flags)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

/* NULL is freed like any other pointer; there are no others. */
musaError_t musaFreeMipmappedArray(musaMipmappedArray_t mipmappedArray)
{
	return mt_rt_return(mipmappedArray ? MUSA_ERROR_INVALID_HANDLE : MUSA_SUCCESS);
}

musaError_t musaGetMipmappedArrayLevel(musaArray_t *levelArray,
				       musaMipmappedArray_const_t mipmappedArray,
				       unsigned int level)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t
musaMipmappedArrayGetMemoryRequirements(struct musaArrayMemoryRequirements *memoryRequirements,
					musaMipmappedArray_t mipmap, int device)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t
musaMipmappedArrayGetSparseProperties(struct musaArraySparseProperties *sparseProperties,
				      musaMipmappedArray_t mipmap)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}
