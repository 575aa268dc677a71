/* SPDX-License-Identifier: MIT */
/* Arrays and their channel descriptions. */
#ifndef __MUSA_ARRAY_API_H__
#define __MUSA_ARRAY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaCreateChannelDesc() - Describe the channels of an element.
 * @x:	Bits of the first channel, 0 if there is none.
 * @y:	Bits of the second.
 * @z:	Bits of the third.
 * @w:	Bits of the fourth.
 * @f:	Signed, unsigned or floating point.
 *
 * Thread safety: any thread.
 */
struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w,
						   enum musaChannelFormatKind f);

/**
 * musaMallocArray() - Allocate an array of one or two dimensions.
 * @array:	[out] Array. The caller frees it.
 * @desc:	Channels of an element.
 * @width:	Elements in a row.
 * @height:	Rows; 0 for one dimension.
 * @flags:	musaArray*.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, size 0, unknown flag
 *		musaErrorInvalidChannelDescriptor  unknown element
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMallocArray(musaArray_t *array, const struct musaChannelFormatDesc *desc,
			    size_t width, size_t height __dv(0), unsigned int flags __dv(0));

/**
 * musaMalloc3DArray() - Allocate an array of one to three dimensions, or layers.
 * @array:	[out] Array. The caller frees it.
 * @desc:	Channels of an element.
 * @extent:	Elements in a row, rows, slices or layers; what is not there is 0.
 * @flags:	musaArray*.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, size 0, unknown flag
 *		musaErrorInvalidChannelDescriptor  unknown element
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMalloc3DArray(musaArray_t *array, const struct musaChannelFormatDesc *desc,
			      struct musaExtent extent, unsigned int flags __dv(0));

/**
 * musaFreeArray() - Free an array.
 * @array:	Array; NULL does nothing.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  freed before, or no array
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaFreeArray(musaArray_t array);

/**
 * musaArrayGetInfo() - Describe an array.
 * @desc:	[out] Channels. May be NULL.
 * @extent:	[out] Elements. May be NULL.
 * @flags:	[out] Flags. May be NULL.
 * @array:	Array.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL array
 */
musaError_t musaArrayGetInfo(struct musaChannelFormatDesc *desc, struct musaExtent *extent,
			     unsigned int *flags, musaArray_t array);

/**
 * musaGetChannelDesc() - Ask for the channels of an array.
 * @desc:	[out] Channels.
 * @array:	Array.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaGetChannelDesc(struct musaChannelFormatDesc *desc, musaArray_const_t array);

/**
 * musaArrayGetPlane() - Take one plane out of a planar array.
 * @pPlaneArray:	[out] Array of the plane; it belongs to @hArray.
 * @hArray:	Array.
 * @planeIdx:	Plane, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or no such plane
 *		musaErrorNotSupported  not available
 */
musaError_t musaArrayGetPlane(musaArray_t *pPlaneArray, musaArray_t hArray, unsigned int planeIdx);

/**
 * musaArrayGetMemoryRequirements() - Ask what memory a deferred array needs.
 * @memoryRequirements:	[out] Bytes and alignment.
 * @array:	Array.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaArrayGetMemoryRequirements(struct musaArrayMemoryRequirements *memoryRequirements,
					   musaArray_t array, int device);

/**
 * musaMipmappedArrayGetMemoryRequirements() - Ask what memory a deferred mipmapped array needs.
 * @memoryRequirements:	[out] Bytes and alignment.
 * @mipmap:	Mipmapped array.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaMipmappedArrayGetMemoryRequirements(
		struct musaArrayMemoryRequirements *memoryRequirements, musaMipmappedArray_t mipmap,
		int device);

/**
 * musaArrayGetSparseProperties() - Ask for the tiles of a sparse array.
 * @sparseProperties:	[out] Tiles.
 * @array:	Array.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or not sparse
 *		musaErrorNotSupported  not available
 */
musaError_t musaArrayGetSparseProperties(struct musaArraySparseProperties *sparseProperties,
					 musaArray_t array);

/**
 * musaMipmappedArrayGetSparseProperties() - Ask for the tiles of a sparse mipmapped array.
 * @sparseProperties:	[out] Tiles.
 * @mipmap:	Mipmapped array.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or not sparse
 *		musaErrorNotSupported  not available
 */
musaError_t musaMipmappedArrayGetSparseProperties(
		struct musaArraySparseProperties *sparseProperties, musaMipmappedArray_t mipmap);

/**
 * musaMallocMipmappedArray() - Allocate a mipmapped array.
 * @mipmappedArray:	[out] Array.
 * @desc:	Channels of an element.
 * @extent:	Elements of the largest level.
 * @numLevels:	Levels of the mip chain.
 * @flags:	musaArray*.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorNotSupported  not available
 *		musaErrorMemoryAllocation
 */
musaError_t musaMallocMipmappedArray(musaMipmappedArray_t *mipmappedArray,
				     const struct musaChannelFormatDesc *desc,
				     struct musaExtent extent, unsigned int numLevels,
				     unsigned int flags __dv(0));

/**
 * musaFreeMipmappedArray() - Free a mipmapped array.
 * @mipmappedArray:	Array; NULL does nothing.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorNotSupported  not available
 */
musaError_t musaFreeMipmappedArray(musaMipmappedArray_t mipmappedArray);

/**
 * musaGetMipmappedArrayLevel() - Take one level out of a mipmapped array.
 * @levelArray:	[out] Array of the level; it belongs to @mipmappedArray.
 * @mipmappedArray:	Array.
 * @level:	Level, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or no such level
 *		musaErrorNotSupported  not available
 */
musaError_t musaGetMipmappedArrayLevel(musaArray_t *levelArray,
				       musaMipmappedArray_const_t mipmappedArray,
				       unsigned int level);

#include "api_end.h"

#endif /* __MUSA_ARRAY_API_H__ */
