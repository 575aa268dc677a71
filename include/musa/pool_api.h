/* SPDX-License-Identifier: MIT */
/* Stream-ordered allocation and memory pools. */
#ifndef __MUSA_POOL_API_H__
#define __MUSA_POOL_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaMallocAsync() - Allocate memory in stream order, from the pool of the stream's device.
 * @devPtr:	[out] First byte, at once; usable by work ordered after the call.
 * @size:	Bytes; 0 gives NULL.
 * @hStream:	Stream; 0 is the legacy default stream.
 *
 * Captured as an allocation node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 *		musaErrorInvalidResourceHandle  destroyed stream
 *		musaErrorStreamCaptureUnsupported  the thread is capturing elsewhere
 */
musaError_t musaMallocAsync(void **devPtr, size_t size, musaStream_t hStream);

/**
 * musaMallocFromPoolAsync() - Allocate memory in stream order, from a pool.
 * @ptr:	[out] First byte.
 * @size:	Bytes.
 * @memPool:	Pool.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Captured as an allocation node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 *		musaErrorInvalidResourceHandle  destroyed stream or pool
 *		musaErrorStreamCaptureUnsupported
 */
musaError_t musaMallocFromPoolAsync(void **ptr, size_t size, musaMemPool_t memPool,
				    musaStream_t stream);

/**
 * musaFreeAsync() - Free memory in stream order.
 * @devPtr:	First byte of an allocation; NULL does nothing.
 * @hStream:	Stream; 0 is the legacy default stream.
 *
 * Captured as a free node if a graph allocated it.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  another address, or freed before
 *		musaErrorInvalidResourceHandle  destroyed stream
 *		musaErrorStreamCaptureUnsupported
 */
musaError_t musaFreeAsync(void *devPtr, musaStream_t hStream);

/**
 * musaMemPoolCreate() - Make a pool.
 * @memPool:	[out] Pool. The caller destroys it.
 * @poolProps:	Kind of memory, location, handle types, and a maximum in bytes (0: none).
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or properties that the device lacks
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMemPoolCreate(musaMemPool_t *memPool, const struct musaMemPoolProps *poolProps);

/**
 * musaMemPoolDestroy() - Destroy a pool.
 * @memPool:	Pool.
 *
 * Memory that is still allocated stays until it is freed.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or the default pool of a device
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMemPoolDestroy(musaMemPool_t memPool);

/**
 * musaMemPoolTrimTo() - Give unused memory of a pool back to the operating system.
 * @memPool:	Pool.
 * @minBytesToKeep:	Bytes to keep.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMemPoolTrimTo(musaMemPool_t memPool, size_t minBytesToKeep);

/**
 * musaMemPoolSetAttribute() - Set an attribute of a pool.
 * @memPool:	Pool.
 * @attr:	Attribute.
 * @value:	An int for the reuse policies; a 64-bit number of bytes else. A high-water mark
 *	takes 0 only.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, another attribute, or another value
 */
musaError_t musaMemPoolSetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value);

/**
 * musaMemPoolGetAttribute() - Ask for an attribute of a pool.
 * @memPool:	Pool.
 * @attr:	Attribute.
 * @value:	[out] An int for the reuse policies; a 64-bit number of bytes else.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown attribute
 */
musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr, void *value);

/**
 * musaMemPoolSetAccess() - Say which devices reach the memory of a pool.
 * @memPool:	Pool.
 * @descList:	Devices and access.
 * @count:	Length of the array.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or taking access from the own device
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaMemPoolSetAccess(musaMemPool_t memPool, const struct musaMemAccessDesc *descList,
				 size_t count);

/**
 * musaMemPoolGetAccess() - Ask whether a device reaches the memory of a pool.
 * @flags:	[out] Access.
 * @memPool:	Pool.
 * @location:	Device.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaMemPoolGetAccess(enum musaMemAccessFlags *flags, musaMemPool_t memPool,
				 struct musaMemLocation *location);

/**
 * musaDeviceGetDefaultMemPool() - Ask for the pool that a device starts with.
 * @memPool:	[out] Pool.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t *memPool, int device);

/**
 * musaDeviceGetMemPool() - Ask for the pool that musaMallocAsync() uses.
 * @memPool:	[out] Pool.
 * @device:	Device ordinal, from 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGetMemPool(musaMemPool_t *memPool, int device);

/**
 * musaDeviceSetMemPool() - Set the pool that musaMallocAsync() uses.
 * @device:	Device ordinal, from 0.
 * @memPool:	Pool of this device.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or a pool of another device
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceSetMemPool(int device, musaMemPool_t memPool);

/**
 * musaMemPoolExportToShareableHandle() - Describe a pool to another process.
 * @shareableHandle:	[out] File descriptor.
 * @memPool:	Pool.
 * @handleType:	One that the pool was made for.
 * @flags:	0: none is defined.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or another type
 *		musaErrorNotSupported  not available
 */
musaError_t musaMemPoolExportToShareableHandle(void *shareableHandle, musaMemPool_t memPool,
					       enum musaMemAllocationHandleType handleType,
					       unsigned int flags);

/**
 * musaMemPoolImportFromShareableHandle() - Open a pool of another process.
 * @memPool:	[out] Pool.
 * @shareableHandle:	File descriptor, as a void *.
 * @handleType:	Its type.
 * @flags:	0: none is defined.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or another type
 *		musaErrorNotSupported  not available
 */
musaError_t musaMemPoolImportFromShareableHandle(musaMemPool_t *memPool, void *shareableHandle,
						 enum musaMemAllocationHandleType handleType,
						 unsigned int flags);

/**
 * musaMemPoolExportPointer() - Describe an allocation of a shared pool.
 * @exportData:	[out] 64 bytes to pass on.
 * @ptr:	First byte.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or other memory
 *		musaErrorNotSupported  not available
 */
musaError_t musaMemPoolExportPointer(struct musaMemPoolPtrExportData *exportData, void *ptr);

/**
 * musaMemPoolImportPointer() - Open an allocation of a shared pool.
 * @ptr:	[out] First byte.
 * @memPool:	Imported pool.
 * @exportData:	Bytes from musaMemPoolExportPointer() there.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  not available
 */
musaError_t musaMemPoolImportPointer(void **ptr, musaMemPool_t memPool,
				     struct musaMemPoolPtrExportData *exportData);

#include "api_end.h"

#endif /* __MUSA_POOL_API_H__ */
