/* SPDX-License-Identifier: MIT */
/* Arrays and their channel descriptions. */
#ifndef __MUSA_ARRAY_API_H__
#define __MUSA_ARRAY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaMallocArray(musaArray_t *array, const struct musaChannelFormatDesc *desc,
			    size_t width, size_t height __dv(0), unsigned int flags __dv(0));
musaError_t musaFreeArray(musaArray_t array);
musaError_t musaFreeMipmappedArray(musaMipmappedArray_t mipmappedArray);
musaError_t musaMalloc3DArray(musaArray_t *array, const struct musaChannelFormatDesc *desc,
			      struct musaExtent extent, unsigned int flags __dv(0));
musaError_t musaMallocMipmappedArray(musaMipmappedArray_t *mipmappedArray,
				     const struct musaChannelFormatDesc *desc,
				     struct musaExtent extent, unsigned int numLevels,
				     unsigned int flags __dv(0));
musaError_t musaGetMipmappedArrayLevel(musaArray_t *levelArray,
				       musaMipmappedArray_const_t mipmappedArray,
				       unsigned int level);
musaError_t musaArrayGetInfo(struct musaChannelFormatDesc *desc, struct musaExtent *extent,
			     unsigned int *flags, musaArray_t array);
musaError_t musaArrayGetPlane(musaArray_t *pPlaneArray, musaArray_t hArray, unsigned int planeIdx);
musaError_t musaArrayGetMemoryRequirements(struct musaArrayMemoryRequirements *memoryRequirements,
					   musaArray_t array, int device);
musaError_t musaMipmappedArrayGetMemoryRequirements(
						    struct musaArrayMemoryRequirements *memoryRequirements,
						    musaMipmappedArray_t mipmap, int device);
musaError_t musaArrayGetSparseProperties(struct musaArraySparseProperties *sparseProperties,
					 musaArray_t array);
musaError_t musaMipmappedArrayGetSparseProperties(
						  struct musaArraySparseProperties *sparseProperties,
						  musaMipmappedArray_t mipmap);
musaError_t musaGetChannelDesc(struct musaChannelFormatDesc *desc, musaArray_const_t array);
struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w,
						   enum musaChannelFormatKind f);

#include "api_end.h"

#endif /* __MUSA_ARRAY_API_H__ */
