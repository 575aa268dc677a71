/* SPDX-License-Identifier: MIT */
/* Allocation, copies, fills, arrays and pointer queries of the driver API. */
#ifndef __MUSA_DRV_MEMORY_API_H__
#define __MUSA_DRV_MEMORY_API_H__

#include "drv_types.h"

#include "api_begin.h"

MUresult muMemGetInfo_v2(size_t *free, size_t *total);
MUresult muMemAlloc_v2(MUdeviceptr *dptr, size_t bytesize);
MUresult muMemAllocPitch_v2(MUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
			    unsigned int ElementSizeBytes);
MUresult muMemFree_v2(MUdeviceptr dptr);
MUresult muMemGetAddressRange_v2(MUdeviceptr *pbase, size_t *psize, MUdeviceptr dptr);
MUresult muMemAllocHost_v2(void **pp, size_t bytesize);
MUresult muMemFreeHost(void *p);
MUresult muMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);
MUresult muMemHostGetDevicePointer_v2(MUdeviceptr *pdptr, void *p, unsigned int Flags);
MUresult muMemHostGetFlags(unsigned int *pFlags, void *p);
MUresult muMemAllocManaged(MUdeviceptr *dptr, size_t bytesize, unsigned int flags);
MUresult muIpcGetMemHandle(MUipcMemHandle *pHandle, MUdeviceptr dptr);
MUresult muIpcOpenMemHandle_v2(MUdeviceptr *pdptr, MUipcMemHandle handle, unsigned int Flags);
MUresult muIpcCloseMemHandle(MUdeviceptr dptr);
MUresult muMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags);
MUresult muMemHostUnregister(void *p);
MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount);
MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
		      MUcontext srcContext, size_t ByteCount);
MUresult muMemcpyHtoD_v2(MUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);
MUresult muMemcpyDtoH_v2(void *dstHost, MUdeviceptr srcDevice, size_t ByteCount);
MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount);
MUresult muMemcpyHtoA_v2(MUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount);
MUresult muMemcpyAtoH_v2(void *dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount);
MUresult muMemcpy2D_v2(const MUSA_MEMCPY2D *pCopy);
MUresult muMemcpy3D_v2(const MUSA_MEMCPY3D *pCopy);
MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount, MUstream hStream);
MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
			   MUcontext srcContext, size_t ByteCount, MUstream hStream);
MUresult muMemcpyHtoDAsync_v2(MUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
			      MUstream hStream);
MUresult muMemcpyDtoHAsync_v2(void *dstHost, MUdeviceptr srcDevice, size_t ByteCount,
			      MUstream hStream);
MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount,
			      MUstream hStream);
MUresult muMemcpyHtoAAsync_v2(MUarray dstArray, size_t dstOffset, const void *srcHost,
			      size_t ByteCount, MUstream hStream);
MUresult muMemcpyAtoHAsync_v2(void *dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount,
			      MUstream hStream);
MUresult muMemcpy2DAsync_v2(const MUSA_MEMCPY2D *pCopy, MUstream hStream);
MUresult muMemcpy3DAsync_v2(const MUSA_MEMCPY3D *pCopy, MUstream hStream);
MUresult muMemsetD8_v2(MUdeviceptr dstDevice, unsigned char uc, size_t N);
MUresult muMemsetD16_v2(MUdeviceptr dstDevice, unsigned short us, size_t N);
MUresult muMemsetD32_v2(MUdeviceptr dstDevice, unsigned int ui, size_t N);
MUresult muMemsetD2D8_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			 size_t Height);
MUresult muMemsetD2D16_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
			  size_t Height);
MUresult muMemsetD2D32_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			  size_t Height);
MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N, MUstream hStream);
MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N, MUstream hStream);
MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N, MUstream hStream);
MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			   size_t Height, MUstream hStream);
MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
			    size_t Height, MUstream hStream);
MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			    size_t Height, MUstream hStream);
MUresult muPointerGetAttribute(void *data, MUpointer_attribute attribute, MUdeviceptr ptr);
MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice, MUdevice device);
MUresult muMemRangeGetAttribute(void *data, size_t dataSize, MUmem_range_attribute attribute,
				MUdeviceptr devPtr, size_t count);
MUresult muMemRangeGetAttributes(void **data, size_t *dataSizes, MUmem_range_attribute *attributes,
				 size_t numAttributes, MUdeviceptr devPtr, size_t count);
MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute *attributes,
				void **data, MUdeviceptr ptr);
MUresult muMemGetHandleForAddressRange(void *handle, MUdeviceptr dptr, size_t size,
				       MUmemRangeHandleType handleType, unsigned long long flags);
MUresult muMemAdvise_v2(MUdeviceptr devPtr, size_t count, MUmem_advise advice,
			MUmemLocation location);
MUresult muMemPrefetchAsync(MUdeviceptr devPtr, size_t count, MUdevice dstDevice, MUstream hStream);
MUresult muMemPrefetchAsync_v2(MUdeviceptr devPtr, size_t count, MUmemLocation location,
			       unsigned int flags, MUstream hStream);
MUresult muMemcpy2DUnaligned_v2(const MUSA_MEMCPY2D *pCopy);
MUresult muMemcpy3DPeer(const MUSA_MEMCPY3D_PEER *pCopy);
MUresult muMemcpy3DPeerAsync(const MUSA_MEMCPY3D_PEER *pCopy, MUstream hStream);
MUresult muArray3DCreate_v2(MUarray *pHandle, const MUSA_ARRAY3D_DESCRIPTOR *pAllocateArray);
MUresult muArrayCreate_v2(MUarray *pHandle, const MUSA_ARRAY_DESCRIPTOR *pAllocateArray);
MUresult muArrayDestroy(MUarray hArray);

#include "api_end.h"

#endif /* __MUSA_DRV_MEMORY_API_H__ */
