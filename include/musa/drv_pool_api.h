/* SPDX-License-Identifier: MIT */
/* Memory pools, stream-ordered allocation and address-space mapping of the driver API. */
#ifndef __MUSA_DRV_POOL_API_H__
#define __MUSA_DRV_POOL_API_H__

#include "drv_types.h"

/*
 * DOC: A call that names its runtime twin behaves as that does; what differs is the type of the
 * arguments and, where there is one, the context. NULL for a context means the current one. The
 * results have the runtime's numbers. Any thread may call; use of one graph is serialised by its
 * callers. Calls return MUSA_ERROR_NOT_INITIALIZED before muInit(), MUSA_ERROR_INVALID_CONTEXT if they
 * need a current context and there is none, and MUSA_ERROR_NOT_SUPPORTED if the README lists them as
 * not supported.
 */

#include "api_begin.h"

/* Reserve addresses without memory; size and alignment are multiples of the granularity. */
MUresult muMemAddressReserve(MUdeviceptr *ptr, size_t size, size_t alignment, MUdeviceptr addr,
			     unsigned long long flags);
/* Give reserved addresses up. */
MUresult muMemAddressFree(MUdeviceptr ptr, size_t size);
/* Make memory without an address. */
MUresult muMemCreate(MUmemGenericAllocationHandle *handle, size_t size,
		     const MUmemAllocationProp *prop, unsigned long long flags);
/* Give memory up; it goes when nothing maps it. */
MUresult muMemRelease(MUmemGenericAllocationHandle handle);
/* Map memory at reserved addresses. Offset: 0. */
MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset, MUmemGenericAllocationHandle handle,
		  unsigned long long flags);
/* Undo muMemMap(), for whole mappings. */
MUresult muMemUnmap(MUdeviceptr ptr, size_t size);
/* Say which devices reach mapped memory. */
MUresult muMemSetAccess(MUdeviceptr ptr, size_t size, const MUmemAccessDesc *desc, size_t count);
/* Ask whether a location reaches mapped memory. */
MUresult muMemGetAccess(unsigned long long *flags, const MUmemLocation *location, MUdeviceptr ptr);
/* Describe memory to another process. */
MUresult muMemExportToShareableHandle(void *shareableHandle, MUmemGenericAllocationHandle handle,
				      MUmemAllocationHandleType handleType,
				      unsigned long long flags);
/* Open memory of another process. */
MUresult muMemImportFromShareableHandle(MUmemGenericAllocationHandle *handle, void *osHandle,
					MUmemAllocationHandleType shHandleType);
/* Ask of which size sizes and addresses are multiples. */
MUresult muMemGetAllocationGranularity(size_t *granularity, const MUmemAllocationProp *prop,
				       MUmemAllocationGranularity_flags option);
/* Ask how memory was made. */
MUresult muMemGetAllocationPropertiesFromHandle(MUmemAllocationProp *prop,
						MUmemGenericAllocationHandle handle);
/* Ask which memory is mapped at an address, and take a reference. */
MUresult muMemRetainAllocationHandle(MUmemGenericAllocationHandle *handle, void *addr);
/* Ask for the pool that a device starts with; see musaDeviceGetDefaultMemPool(). */
MUresult muDeviceGetDefaultMemPool(MUmemoryPool *pool_out, MUdevice dev);
/* Ask for the pool that musaMallocAsync() uses; see musaDeviceGetMemPool(). */
MUresult muDeviceGetMemPool(MUmemoryPool *pool, MUdevice dev);
/* Set the pool that musaMallocAsync() uses; see musaDeviceSetMemPool(). */
MUresult muDeviceSetMemPool(MUdevice dev, MUmemoryPool pool);
/* Allocate memory in stream order from the pool of the device; see musaMallocAsync(). */
MUresult muMemAllocAsync(MUdeviceptr *dptr, size_t bytesize, MUstream hStream);
/* Allocate memory in stream order from a pool; see musaMallocFromPoolAsync(). */
MUresult muMemAllocFromPoolAsync(MUdeviceptr *dptr, size_t bytesize, MUmemoryPool pool,
				 MUstream hStream);
/* Free memory in stream order; see musaFreeAsync(). */
MUresult muMemFreeAsync(MUdeviceptr dptr, MUstream hStream);
/* Make a pool; see musaMemPoolCreate(). */
MUresult muMemPoolCreate(MUmemoryPool *pool, const MUmemPoolProps *poolProps);
/* Destroy a pool; see musaMemPoolDestroy(). */
MUresult muMemPoolDestroy(MUmemoryPool pool);
/* Describe an allocation of a shared pool; see musaMemPoolExportPointer(). */
MUresult muMemPoolExportPointer(MUmemPoolPtrExportData *shareData_out, MUdeviceptr ptr);
/* Describe a pool to another process; see musaMemPoolExportToShareableHandle(). */
MUresult muMemPoolExportToShareableHandle(void *handle_out, MUmemoryPool pool,
					  MUmemAllocationHandleType handleType,
					  unsigned long long flags);
/* Ask whether a device reaches the memory of a pool; see musaMemPoolGetAccess(). */
MUresult muMemPoolGetAccess(MUmemAccess_flags *flags, MUmemoryPool memPool,
			    MUmemLocation *location);
/* Ask for an attribute of a pool; see musaMemPoolGetAttribute(). */
MUresult muMemPoolGetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void *value);
/* Open a pool of another process; see musaMemPoolImportFromShareableHandle(). */
MUresult muMemPoolImportFromShareableHandle(MUmemoryPool *pool_out, void *handle,
					    MUmemAllocationHandleType handleType,
					    unsigned long long flags);
/* Open an allocation of a shared pool; see musaMemPoolImportPointer(). */
MUresult muMemPoolImportPointer(MUdeviceptr *ptr_out, MUmemoryPool pool,
				MUmemPoolPtrExportData *shareData);
/* Say which devices reach the memory of a pool; see musaMemPoolSetAccess(). */
MUresult muMemPoolSetAccess(MUmemoryPool pool, const MUmemAccessDesc *map, size_t count);
/* Set an attribute of a pool; see musaMemPoolSetAttribute(). */
MUresult muMemPoolSetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void *value);
/* Give unused memory of a pool back to the operating system; see musaMemPoolTrimTo(). */
MUresult muMemPoolTrimTo(MUmemoryPool pool, size_t minBytesToKeep);

#include "api_end.h"

#endif /* __MUSA_DRV_POOL_API_H__ */
