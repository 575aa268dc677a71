/* SPDX-License-Identifier: MIT */
/* Allocation, copies, fills, arrays and pointer queries of the driver API. */
#ifndef __MUSA_DRV_MEMORY_API_H__
#define __MUSA_DRV_MEMORY_API_H__

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

/* Ask how much memory the current device has; see musaMemGetInfo(). */
MUresult muMemGetInfo_v2(size_t *free, size_t *total);
/* Allocate bytes in the current context, aligned to 256 bytes at least; 0 is an invalid value. */
MUresult muMemAlloc_v2(MUdeviceptr *dptr, size_t bytesize);
/* Allocate rows; the pitch suits accesses of 4, 8 or 16 bytes. */
MUresult muMemAllocPitch_v2(MUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
			    unsigned int ElementSizeBytes);
/* Free memory by its first byte; waits for the context. */
MUresult muMemFree_v2(MUdeviceptr dptr);
/* Ask for first byte and size of the allocation that an address is in; either may be NULL.
 * MUSA_ERROR_NOT_FOUND for an address that is in none. */
MUresult muMemGetAddressRange_v2(MUdeviceptr *pbase, size_t *psize, MUdeviceptr dptr);
/* Allocate pinned host memory. */
MUresult muMemAllocHost_v2(void **pp, size_t bytesize);
/* Free pinned host memory. */
MUresult muMemFreeHost(void *p);
/* Allocate pinned host memory with flags MU_MEMHOSTALLOC_*. */
MUresult muMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);
/* Ask by which address a device reaches pinned host memory. Flags: 0. */
MUresult muMemHostGetDevicePointer_v2(MUdeviceptr *pdptr, void *p, unsigned int Flags);
/* Ask for the flags of pinned host memory. */
MUresult muMemHostGetFlags(unsigned int *pFlags, void *p);
/* Allocate memory that host and devices reach, with flags MU_MEM_ATTACH_*. */
MUresult muMemAllocManaged(MUdeviceptr *dptr, size_t bytesize, unsigned int flags);
/* Describe an allocation to another process; see musaIpcGetMemHandle(). */
MUresult muIpcGetMemHandle(MUipcMemHandle *pHandle, MUdeviceptr dptr);
/* Map an allocation of another process; see musaIpcOpenMemHandle(). */
MUresult muIpcOpenMemHandle_v2(MUdeviceptr *pdptr, MUipcMemHandle handle, unsigned int Flags);
/* Undo musaIpcOpenMemHandle(); see musaIpcCloseMemHandle(). */
MUresult muIpcCloseMemHandle(MUdeviceptr dptr);
/* Pin host memory with flags MU_MEMHOSTREGISTER_*. */
MUresult muMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags);
/* Undo muMemHostRegister(). */
MUresult muMemHostUnregister(void *p);
/* Copy bytes, in order with the legacy default stream; see musaMemcpy(). */
MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount);
/* Copy bytes from device to device; see musaMemcpyPeer(). */
MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
		      MUcontext srcContext, size_t ByteCount);
/* Copy bytes from host to device. */
MUresult muMemcpyHtoD_v2(MUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);
/* Copy bytes from device to host. */
MUresult muMemcpyDtoH_v2(void *dstHost, MUdeviceptr srcDevice, size_t ByteCount);
/* Copy bytes from device to device. */
MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount);
/* Copy bytes from host into an array of one dimension. */
MUresult muMemcpyHtoA_v2(MUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount);
/* Copy bytes from an array of one dimension to the host. */
MUresult muMemcpyAtoH_v2(void *dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount);
/* Copy rows; see musaMemcpy2D(). */
MUresult muMemcpy2D_v2(const MUSA_MEMCPY2D *pCopy);
/* Copy a box between arrays or pitched memory; see musaMemcpy3D(). */
MUresult muMemcpy3D_v2(const MUSA_MEMCPY3D *pCopy);
/* Copy bytes in a stream; see musaMemcpyAsync(). */
MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount, MUstream hStream);
/* Copy bytes from device to device in a stream; see musaMemcpyPeerAsync(). */
MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
			   MUcontext srcContext, size_t ByteCount, MUstream hStream);
/* Copy bytes from host to device in a stream. */
MUresult muMemcpyHtoDAsync_v2(MUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
			      MUstream hStream);
/* Copy bytes from device to host in a stream. */
MUresult muMemcpyDtoHAsync_v2(void *dstHost, MUdeviceptr srcDevice, size_t ByteCount,
			      MUstream hStream);
/* Copy bytes from device to device in a stream. */
MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount,
			      MUstream hStream);
/* Copy bytes from host into an array of one dimension in a stream. */
MUresult muMemcpyHtoAAsync_v2(MUarray dstArray, size_t dstOffset, const void *srcHost,
			      size_t ByteCount, MUstream hStream);
/* Copy bytes from an array of one dimension to the host in a stream. */
MUresult muMemcpyAtoHAsync_v2(void *dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount,
			      MUstream hStream);
/* Copy rows in a stream; see musaMemcpy2DAsync(). */
MUresult muMemcpy2DAsync_v2(const MUSA_MEMCPY2D *pCopy, MUstream hStream);
/* Copy a box in a stream; see musaMemcpy3DAsync(). */
MUresult muMemcpy3DAsync_v2(const MUSA_MEMCPY3D *pCopy, MUstream hStream);
/* Fill @N bytes. */
MUresult muMemsetD8_v2(MUdeviceptr dstDevice, unsigned char uc, size_t N);
/* Fill @N elements of 2 bytes, which the address is aligned to. */
MUresult muMemsetD16_v2(MUdeviceptr dstDevice, unsigned short us, size_t N);
/* Fill @N elements of 4 bytes, which the address is aligned to. */
MUresult muMemsetD32_v2(MUdeviceptr dstDevice, unsigned int ui, size_t N);
/* Fill rows of bytes; the pitch is in bytes. */
MUresult muMemsetD2D8_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			 size_t Height);
/* Fill rows of elements of 2 bytes; the pitch is in bytes. */
MUresult muMemsetD2D16_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
			  size_t Height);
/* Fill rows of elements of 4 bytes; the pitch is in bytes. */
MUresult muMemsetD2D32_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			  size_t Height);
/* Fill @N bytes in a stream. */
MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N, MUstream hStream);
/* Fill @N elements of 2 bytes in a stream. */
MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N, MUstream hStream);
/* Fill @N elements of 4 bytes in a stream. */
MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N, MUstream hStream);
/* Fill rows of bytes in a stream. */
MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			   size_t Height, MUstream hStream);
/* Fill rows of elements of 2 bytes in a stream. */
MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
			    size_t Height, MUstream hStream);
/* Fill rows of elements of 4 bytes in a stream. */
MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			    size_t Height, MUstream hStream);
/* Ask for one property of an address; MUSA_ERROR_INVALID_VALUE if nothing is known of it. Truth values
 * are written as unsigned int. */
MUresult muPointerGetAttribute(void *data, MUpointer_attribute attribute, MUdeviceptr ptr);
/* Say how managed memory will be used; see musaMemAdvise(). */
MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice, MUdevice device);
/* Ask for advice given to managed memory; see musaMemRangeGetAttribute(). */
MUresult muMemRangeGetAttribute(void *data, size_t dataSize, MUmem_range_attribute attribute,
				MUdeviceptr devPtr, size_t count);
/* As musaMemRangeGetAttribute(), several at once; see musaMemRangeGetAttributes(). */
MUresult muMemRangeGetAttributes(void **data, size_t *dataSizes, MUmem_range_attribute *attributes,
				 size_t numAttributes, MUdeviceptr devPtr, size_t count);
/* Ask for several properties; of an address that nothing is known of they are 0, and the ordinal is
 * MU_DEVICE_INVALID. */
MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute *attributes,
				void **data, MUdeviceptr ptr);
/* Describe a range of memory to another API. */
MUresult muMemGetHandleForAddressRange(void *handle, MUdeviceptr dptr, size_t size,
				       MUmemRangeHandleType handleType, unsigned long long flags);
/* As musaMemAdvise(), for any location; see musaMemAdvise_v2(). */
MUresult muMemAdvise_v2(MUdeviceptr devPtr, size_t count, MUmem_advise advice,
			MUmemLocation location);
/* Move managed memory to where it will be used; see musaMemPrefetchAsync(). */
MUresult muMemPrefetchAsync(MUdeviceptr devPtr, size_t count, MUdevice dstDevice, MUstream hStream);
/* As musaMemPrefetchAsync(), to any location; see musaMemPrefetchAsync_v2(). */
MUresult muMemPrefetchAsync_v2(MUdeviceptr devPtr, size_t count, MUmemLocation location,
			       unsigned int flags, MUstream hStream);
/* Copy rows whose pitch may be any. */
MUresult muMemcpy2DUnaligned_v2(const MUSA_MEMCPY2D *pCopy);
/* Copy a box from device to device; see musaMemcpy3DPeer(). */
MUresult muMemcpy3DPeer(const MUSA_MEMCPY3D_PEER *pCopy);
/* Copy a box from device to device in a stream; see musaMemcpy3DPeerAsync(). */
MUresult muMemcpy3DPeerAsync(const MUSA_MEMCPY3D_PEER *pCopy, MUstream hStream);
/* Allocate an array of one to three dimensions, or layers. */
MUresult muArray3DCreate_v2(MUarray *pHandle, const MUSA_ARRAY3D_DESCRIPTOR *pAllocateArray);
/* Allocate an array of one or two dimensions. */
MUresult muArrayCreate_v2(MUarray *pHandle, const MUSA_ARRAY_DESCRIPTOR *pAllocateArray);
/* Free an array. */
MUresult muArrayDestroy(MUarray hArray);

#include "api_end.h"

#endif /* __MUSA_DRV_MEMORY_API_H__ */
