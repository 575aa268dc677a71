/* SPDX-License-Identifier: MIT */
/* Stream-ordered allocation and memory pools. */
#ifndef __MUSA_POOL_API_H__
#define __MUSA_POOL_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t *memPool, int device);
musaError_t musaDeviceSetMemPool(int device, musaMemPool_t memPool);
musaError_t musaDeviceGetMemPool(musaMemPool_t *memPool, int device);
musaError_t musaMallocAsync(void **devPtr, size_t size, musaStream_t hStream);
musaError_t musaFreeAsync(void *devPtr, musaStream_t hStream);
musaError_t musaMemPoolTrimTo(musaMemPool_t memPool, size_t minBytesToKeep);
musaError_t musaMemPoolSetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value);
musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value);
musaError_t musaMemPoolSetAccess(musaMemPool_t memPool, const struct musaMemAccessDesc *descList,
				 size_t count);
musaError_t musaMemPoolGetAccess(enum musaMemAccessFlags *flags, musaMemPool_t memPool,
				 struct musaMemLocation *location);
musaError_t musaMemPoolCreate(musaMemPool_t *memPool, const struct musaMemPoolProps *poolProps);
musaError_t musaMemPoolDestroy(musaMemPool_t memPool);
musaError_t musaMallocFromPoolAsync(void **ptr, size_t size, musaMemPool_t memPool,
				    musaStream_t stream);
musaError_t musaMemPoolExportToShareableHandle(void *shareableHandle, musaMemPool_t memPool,
					       enum musaMemAllocationHandleType handleType,
					       unsigned int flags);
musaError_t musaMemPoolImportFromShareableHandle(musaMemPool_t *memPool, void *shareableHandle,
						 enum musaMemAllocationHandleType handleType,
						 unsigned int flags);
musaError_t musaMemPoolExportPointer(struct musaMemPoolPtrExportData *exportData, void *ptr);
musaError_t musaMemPoolImportPointer(void **ptr, musaMemPool_t memPool,
				     struct musaMemPoolPtrExportData *exportData);

#include "api_end.h"

#endif /* __MUSA_POOL_API_H__ */
