/* SPDX-License-Identifier: MIT */
/* Memory pools, stream-ordered allocation and address-space mapping of the driver API. */
#ifndef __MUSA_DRV_POOL_API_H__
#define __MUSA_DRV_POOL_API_H__

#include "drv_types.h"

#include "api_begin.h"

MUresult muMemAddressReserve(MUdeviceptr *ptr, size_t size, size_t alignment, MUdeviceptr addr,
			     unsigned long long flags);
MUresult muMemAddressFree(MUdeviceptr ptr, size_t size);
MUresult muMemCreate(MUmemGenericAllocationHandle *handle, size_t size,
		     const MUmemAllocationProp *prop, unsigned long long flags);
MUresult muMemRelease(MUmemGenericAllocationHandle handle);
MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset, MUmemGenericAllocationHandle handle,
		  unsigned long long flags);
MUresult muMemUnmap(MUdeviceptr ptr, size_t size);
MUresult muMemSetAccess(MUdeviceptr ptr, size_t size, const MUmemAccessDesc *desc, size_t count);
MUresult muMemGetAccess(unsigned long long *flags, const MUmemLocation *location, MUdeviceptr ptr);
MUresult muMemExportToShareableHandle(void *shareableHandle, MUmemGenericAllocationHandle handle,
				      MUmemAllocationHandleType handleType,
				      unsigned long long flags);
MUresult muMemImportFromShareableHandle(MUmemGenericAllocationHandle *handle, void *osHandle,
					MUmemAllocationHandleType shHandleType);
MUresult muMemGetAllocationGranularity(size_t *granularity, const MUmemAllocationProp *prop,
				       MUmemAllocationGranularity_flags option);
MUresult muMemGetAllocationPropertiesFromHandle(MUmemAllocationProp *prop,
						MUmemGenericAllocationHandle handle);
MUresult muMemRetainAllocationHandle(MUmemGenericAllocationHandle *handle, void *addr);
MUresult muDeviceGetDefaultMemPool(MUmemoryPool *pool_out, MUdevice dev);
MUresult muDeviceGetMemPool(MUmemoryPool *pool, MUdevice dev);
MUresult muDeviceSetMemPool(MUdevice dev, MUmemoryPool pool);
MUresult muMemAllocAsync(MUdeviceptr *dptr, size_t bytesize, MUstream hStream);
MUresult muMemAllocFromPoolAsync(MUdeviceptr *dptr, size_t bytesize, MUmemoryPool pool,
				 MUstream hStream);
MUresult muMemFreeAsync(MUdeviceptr dptr, MUstream hStream);
MUresult muMemPoolCreate(MUmemoryPool *pool, const MUmemPoolProps *poolProps);
MUresult muMemPoolDestroy(MUmemoryPool pool);
MUresult muMemPoolExportPointer(MUmemPoolPtrExportData *shareData_out, MUdeviceptr ptr);
MUresult muMemPoolExportToShareableHandle(void *handle_out, MUmemoryPool pool,
					  MUmemAllocationHandleType handleType,
					  unsigned long long flags);
MUresult muMemPoolGetAccess(MUmemAccess_flags *flags, MUmemoryPool memPool,
			    MUmemLocation *location);
MUresult muMemPoolGetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void *value);
MUresult muMemPoolImportFromShareableHandle(MUmemoryPool *pool_out, void *handle,
					    MUmemAllocationHandleType handleType,
					    unsigned long long flags);
MUresult muMemPoolImportPointer(MUdeviceptr *ptr_out, MUmemoryPool pool,
				MUmemPoolPtrExportData *shareData);
MUresult muMemPoolSetAccess(MUmemoryPool pool, const MUmemAccessDesc *map, size_t count);
MUresult muMemPoolSetAttribute(MUmemoryPool pool, MUmemPool_attribute attr, void *value);
MUresult muMemPoolTrimTo(MUmemoryPool pool, size_t minBytesToKeep);

#include "api_end.h"

#endif /* __MUSA_DRV_POOL_API_H__ */
