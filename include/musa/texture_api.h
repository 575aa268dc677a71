/* SPDX-License-Identifier: MIT */
/* Textures, surfaces and graphics interoperability. */
#ifndef __MUSA_TEXTURE_API_H__
#define __MUSA_TEXTURE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaCreateTextureObject() - Make a texture object.
 * @pTexObject:	[out] Object.
 * @pResDesc:	What it reads.
 * @pTexDesc:	How it reads.
 * @pResViewDesc:	Other element format. May be NULL.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaCreateTextureObject(musaTextureObject_t *pTexObject,
				    const struct musaResourceDesc *pResDesc,
				    const struct musaTextureDesc *pTexDesc,
				    const struct musaResourceViewDesc *pResViewDesc);

/**
 * musaDestroyTextureObject() - Destroy a texture object.
 * @texObject:	Object.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaDestroyTextureObject(musaTextureObject_t texObject);

/**
 * musaGetTextureObjectResourceDesc() - Ask for what a texture object reads.
 * @pResDesc:	[out] Description.
 * @texObject:	Object.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaGetTextureObjectResourceDesc(struct musaResourceDesc *pResDesc,
					     musaTextureObject_t texObject);

/**
 * musaGetTextureObjectTextureDesc() - Ask for how a texture object reads.
 * @pTexDesc:	[out] Description.
 * @texObject:	Object.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaGetTextureObjectTextureDesc(struct musaTextureDesc *pTexDesc,
					    musaTextureObject_t texObject);

/**
 * musaGetTextureObjectResourceViewDesc() - Ask for the element format of a texture object.
 * @pResViewDesc:	[out] Description.
 * @texObject:	Object.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaGetTextureObjectResourceViewDesc(struct musaResourceViewDesc *pResViewDesc,
						 musaTextureObject_t texObject);

/**
 * musaCreateSurfaceObject() - Make a surface object.
 * @pSurfObject:	[out] Object.
 * @pResDesc:	Array that it reads and writes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaCreateSurfaceObject(musaSurfaceObject_t *pSurfObject,
				    const struct musaResourceDesc *pResDesc);

/**
 * musaDestroySurfaceObject() - Destroy a surface object.
 * @surfObject:	Object.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaDestroySurfaceObject(musaSurfaceObject_t surfObject);

/**
 * musaGetSurfaceObjectResourceDesc() - Ask for what a surface object reads and writes.
 * @pResDesc:	[out] Description.
 * @surfObject:	Object.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaGetSurfaceObjectResourceDesc(struct musaResourceDesc *pResDesc,
					     musaSurfaceObject_t surfObject);

/**
 * musaDeviceGetTexture1DLinearMaxWidth() - Ask how wide a linear texture may be.
 * @maxWidthInElements:	[out] Elements.
 * @fmtDesc:	Channels of an element.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDevice  no such device
 *		musaErrorNotSupported  not available
 */
musaError_t musaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
						 const struct musaChannelFormatDesc *fmtDesc,
						 int device);

/**
 * musaGraphicsUnregisterResource() - Let a graphics resource go.
 * @resource:	Resource of a graphics API.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsUnregisterResource(musaGraphicsResource_t resource);

/**
 * musaGraphicsResourceSetMapFlags() - Say how a graphics resource will be used.
 * @resource:	Resource of a graphics API.
 * @flags:	Of enum musaGraphicsMapFlags.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsResourceSetMapFlags(musaGraphicsResource_t resource, unsigned int flags);

/**
 * musaGraphicsMapResources() - Take graphics resources over.
 * @count:	Length of the array.
 * @resources:	Resources.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsMapResources(int count, musaGraphicsResource_t *resources,
				     musaStream_t stream __dv(0));

/**
 * musaGraphicsUnmapResources() - Give graphics resources back.
 * @count:	Length of the array.
 * @resources:	Resources.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsUnmapResources(int count, musaGraphicsResource_t *resources,
				       musaStream_t stream __dv(0));

/**
 * musaGraphicsResourceGetMappedPointer() - Ask for the memory of a graphics resource.
 * @devPtr:	[out] First byte.
 * @size:	[out] Bytes.
 * @resource:	Resource of a graphics API.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
						 musaGraphicsResource_t resource);

/**
 * musaGraphicsSubResourceGetMappedArray() - Ask for an array of a graphics resource.
 * @array:	[out] Array.
 * @resource:	Resource of a graphics API.
 * @arrayIndex:	Layer or face.
 * @mipLevel:	Level.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsSubResourceGetMappedArray(musaArray_t *array,
						  musaGraphicsResource_t resource,
						  unsigned int arrayIndex, unsigned int mipLevel);

/**
 * musaGraphicsResourceGetMappedMipmappedArray() - Ask for the mipmapped array of a graphics
 *	resource.
 * @mipmappedArray:	[out] Array.
 * @resource:	Resource of a graphics API.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotSupported  not available
 */
musaError_t musaGraphicsResourceGetMappedMipmappedArray(musaMipmappedArray_t *mipmappedArray,
							musaGraphicsResource_t resource);

#include "api_end.h"

#endif /* __MUSA_TEXTURE_API_H__ */
