/* SPDX-License-Identifier: MIT */
/* Allocation, registration and queries of memory. */
#ifndef __MUSA_MEMORY_API_H__
#define __MUSA_MEMORY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaMallocManaged(void **devPtr, size_t size,
			      unsigned int flags __dv(musaMemAttachGlobal));
musaError_t musaMalloc(void **devPtr, size_t size);
musaError_t musaMallocHost(void **ptr, size_t size);
musaError_t musaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
musaError_t musaFree(void *devPtr);
musaError_t musaFreeHost(void *ptr);
musaError_t musaHostAlloc(void **pHost, size_t size, unsigned int flags);
musaError_t musaHostRegister(void *ptr, size_t size, unsigned int flags);
musaError_t musaHostUnregister(void *ptr);
musaError_t musaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);
musaError_t musaHostGetFlags(unsigned int *pFlags, void *pHost);
musaError_t musaMalloc3D(struct musaPitchedPtr *pitchedDevPtr, struct musaExtent extent);
musaError_t musaMemGetInfo(size_t *free, size_t *total);
musaError_t musaGetSymbolAddress(void **devPtr, const void *symbol);
musaError_t musaGetSymbolSize(size_t *size, const void *symbol);
musaError_t musaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
				 musaStream_t stream __dv(0));
musaError_t musaMemAdvise(const void *devPtr, size_t count, enum musaMemoryAdvise advice,
			  int device);
musaError_t musaMemRangeGetAttribute(void *data, size_t dataSize,
				     enum musaMemRangeAttribute attribute, const void *devPtr,
				     size_t count);
musaError_t musaMemRangeGetAttributes(void **data, size_t *dataSizes,
				      enum musaMemRangeAttribute *attributes, size_t numAttributes,
				      const void *devPtr, size_t count);
musaError_t musaPointerGetAttributes(struct musaPointerAttributes *attributes, const void *ptr);
musaError_t musaMemAdvise_v2(const void *devPtr, size_t count, enum musaMemoryAdvise advice,
			     struct musaMemLocation location);
musaError_t musaMemPrefetchAsync_v2(const void *devPtr, size_t count,
				    struct musaMemLocation location, unsigned int flags,
				    musaStream_t stream __dv(0));

#include "api_end.h"

#endif /* __MUSA_MEMORY_API_H__ */
