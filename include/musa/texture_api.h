/* SPDX-License-Identifier: MIT */
/* Textures, surfaces and graphics interoperability. */
#ifndef __MUSA_TEXTURE_API_H__
#define __MUSA_TEXTURE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
						 const struct musaChannelFormatDesc *fmtDesc,
						 int device);
musaError_t musaGraphicsUnregisterResource(musaGraphicsResource_t resource);
musaError_t musaGraphicsResourceSetMapFlags(musaGraphicsResource_t resource, unsigned int flags);
musaError_t musaGraphicsMapResources(int count, musaGraphicsResource_t *resources,
				     musaStream_t stream __dv(0));
musaError_t musaGraphicsUnmapResources(int count, musaGraphicsResource_t *resources,
				       musaStream_t stream __dv(0));
musaError_t musaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
						 musaGraphicsResource_t resource);
musaError_t musaGraphicsSubResourceGetMappedArray(musaArray_t *array,
						  musaGraphicsResource_t resource,
						  unsigned int arrayIndex, unsigned int mipLevel);
musaError_t musaGraphicsResourceGetMappedMipmappedArray(musaMipmappedArray_t *mipmappedArray,
							musaGraphicsResource_t resource);
musaError_t musaCreateTextureObject(musaTextureObject_t *pTexObject,
				    const struct musaResourceDesc *pResDesc,
				    const struct musaTextureDesc *pTexDesc,
				    const struct musaResourceViewDesc *pResViewDesc);
musaError_t musaDestroyTextureObject(musaTextureObject_t texObject);
musaError_t musaGetTextureObjectResourceDesc(struct musaResourceDesc *pResDesc,
					     musaTextureObject_t texObject);
musaError_t musaGetTextureObjectTextureDesc(struct musaTextureDesc *pTexDesc,
					    musaTextureObject_t texObject);
musaError_t musaGetTextureObjectResourceViewDesc(struct musaResourceViewDesc *pResViewDesc,
						 musaTextureObject_t texObject);
musaError_t musaCreateSurfaceObject(musaSurfaceObject_t *pSurfObject,
				    const struct musaResourceDesc *pResDesc);
musaError_t musaDestroySurfaceObject(musaSurfaceObject_t surfObject);
musaError_t musaGetSurfaceObjectResourceDesc(struct musaResourceDesc *pResDesc,
					     musaSurfaceObject_t surfObject);

#include "api_end.h"

#endif /* __MUSA_TEXTURE_API_H__ */
