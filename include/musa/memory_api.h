/* SPDX-License-Identifier: MIT */
/* Allocation, registration and queries of memory. */
#ifndef __MUSA_MEMORY_API_H__
#define __MUSA_MEMORY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaMalloc() - Allocate memory on the current device.
 * @devPtr:	[out] First byte; NULL for a size of 0.
 * @size:	Bytes.
 *
 * Aligned to 256 bytes at least. Waits for no stream.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMalloc(void **devPtr, size_t size);

/**
 * musaMallocManaged() - Allocate memory that host and devices reach.
 * @devPtr:	[out] First byte.
 * @size:	Bytes, at least 1.
 * @flags:	musaMemAttachGlobal or musaMemAttachHost.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, size 0, unknown flag
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMallocManaged(void **devPtr, size_t size,
			      unsigned int flags __dv(musaMemAttachGlobal));

/**
 * musaMallocHost() - Allocate pinned host memory.
 * @ptr:	[out] First byte.
 * @size:	Bytes.
 *
 * Copies to and from it do not wait on the host.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMallocHost(void **ptr, size_t size);

/**
 * musaHostAlloc() - Allocate pinned host memory with flags.
 * @pHost:	[out] First byte.
 * @size:	Bytes.
 * @flags:	musaHostAllocPortable, Mapped, WriteCombined.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaHostAlloc(void **pHost, size_t size, unsigned int flags);

/**
 * musaMallocPitch() - Allocate rows with a pitch that the device likes.
 * @devPtr:	[out] First byte.
 * @pitch:	[out] Bytes from one row to the next.
 * @width:	Bytes in a row.
 * @height:	Rows.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);

/**
 * musaMalloc3D() - Allocate slices of rows with a pitch that the device likes.
 * @pitchedDevPtr:	[out] First byte, pitch, and the width and height that were asked for.
 * @extent:	Width in bytes, rows, slices.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaMalloc3D(struct musaPitchedPtr *pitchedDevPtr, struct musaExtent extent);

/**
 * musaFree() - Free memory of a device.
 * @devPtr:	First byte of an allocation, also of a graph's or of a pool's; NULL does nothing.
 *
 * Waits for the device.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  another address, freed before, or freed by its graph
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaFree(void *devPtr);

/**
 * musaFreeHost() - Free pinned host memory.
 * @ptr:	First byte of an allocation; NULL does nothing.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  another address
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaFreeHost(void *ptr);

/**
 * musaHostRegister() - Pin host memory that the program has.
 * @ptr:	First byte.
 * @size:	Bytes.
 * @flags:	musaHostRegisterPortable, Mapped, IoMemory, ReadOnly.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, size 0, unknown flag
 *		musaErrorHostMemoryAlreadyRegistered  part of it is registered
 *		musaErrorStreamCaptureUnsupported  the thread is capturing in a mode that refuses it
 */
musaError_t musaHostRegister(void *ptr, size_t size, unsigned int flags);

/**
 * musaHostUnregister() - Undo musaHostRegister().
 * @ptr:	Its address.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorHostMemoryNotRegistered  not registered at that address
 */
musaError_t musaHostUnregister(void *ptr);

/**
 * musaHostGetDevicePointer() - Ask by which address a device reaches host memory.
 * @pDevice:	[out] Address.
 * @pHost:	Address within pinned or registered memory.
 * @flags:	0: none is defined.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, flags, or other memory
 */
musaError_t musaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);

/**
 * musaHostGetFlags() - Ask for the flags of pinned host memory.
 * @pFlags:	[out] Flags.
 * @pHost:	Its address.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or other memory
 */
musaError_t musaHostGetFlags(unsigned int *pFlags, void *pHost);

/**
 * musaMemGetInfo() - Ask how much memory the current device has.
 * @free:	[out] Bytes that are free.
 * @total:	[out] Bytes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaMemGetInfo(size_t *free, size_t *total);

/**
 * musaPointerGetAttributes() - Ask what an address belongs to.
 * @attributes:	[out] Kind of memory, device, and the addresses by which device and host reach it.
 *	24 bytes are written.
 * @ptr:	Any address; unknown memory is Unregistered, which is no error.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 */
musaError_t musaPointerGetAttributes(struct musaPointerAttributes *attributes, const void *ptr);

/**
 * musaMemPrefetchAsync() - Move managed memory to where it will be used.
 * @devPtr:	First byte.
 * @count:	Bytes.
 * @dstDevice:	Device, or musaCpuDeviceId.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  other memory, or size 0
 *		musaErrorInvalidDevice  no such device
 *		musaErrorStreamCaptureUnsupported  the stream is capturing, and its capture is
 *			invalidated
 */
musaError_t musaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
				 musaStream_t stream __dv(0));

/**
 * musaMemPrefetchAsync_v2() - As musaMemPrefetchAsync(), to any location.
 * @devPtr:	First byte.
 * @count:	Bytes.
 * @location:	Device, or host or one of its NUMA nodes.
 * @flags:	0: none is defined.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  other memory, location or flags
 *		musaErrorInvalidDevice  no such device
 *		musaErrorStreamCaptureUnsupported
 */
musaError_t musaMemPrefetchAsync_v2(const void *devPtr, size_t count,
				    struct musaMemLocation location, unsigned int flags,
				    musaStream_t stream __dv(0));

/**
 * musaMemAdvise() - Say how managed memory will be used.
 * @devPtr:	First byte.
 * @count:	Bytes.
 * @advice:	Advice.
 * @device:	Device, or musaCpuDeviceId, where the advice names one.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  other memory, or unknown advice
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaMemAdvise(const void *devPtr, size_t count, enum musaMemoryAdvise advice,
			  int device);

/**
 * musaMemAdvise_v2() - As musaMemAdvise(), for any location.
 * @devPtr:	First byte.
 * @count:	Bytes.
 * @advice:	Advice.
 * @location:	Device, or host or one of its NUMA nodes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  other memory, advice or location
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaMemAdvise_v2(const void *devPtr, size_t count, enum musaMemoryAdvise advice,
			     struct musaMemLocation location);

/**
 * musaMemRangeGetAttribute() - Ask for advice given to managed memory.
 * @data:	[out] Value.
 * @dataSize:	Bytes in @data.
 * @attribute:	Which advice.
 * @devPtr:	First byte.
 * @count:	Bytes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, wrong size, unknown attribute, or other memory
 */
musaError_t musaMemRangeGetAttribute(void *data, size_t dataSize,
				     enum musaMemRangeAttribute attribute, const void *devPtr,
				     size_t count);

/**
 * musaMemRangeGetAttributes() - As musaMemRangeGetAttribute(), several at once.
 * @data:	[out] Values.
 * @dataSizes:	Bytes in each.
 * @attributes:	Which advice.
 * @numAttributes:	Length of the arrays.
 * @devPtr:	First byte.
 * @count:	Bytes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, wrong size, unknown attribute, or other memory
 */
musaError_t musaMemRangeGetAttributes(void **data, size_t *dataSizes,
				      enum musaMemRangeAttribute *attributes, size_t numAttributes,
				      const void *devPtr, size_t count);

/**
 * musaGetSymbolAddress() - Ask for the address of a device variable on the current device.
 * @devPtr:	[out] Address.
 * @symbol:	Device variable (the address of its host shadow).
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidSymbol  no such variable
 */
musaError_t musaGetSymbolAddress(void **devPtr, const void *symbol);

/**
 * musaGetSymbolSize() - Ask for the size of a device variable.
 * @size:	[out] Bytes.
 * @symbol:	Device variable (the address of its host shadow).
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidSymbol  no such variable
 */
musaError_t musaGetSymbolSize(size_t *size, const void *symbol);

#include "api_end.h"

#endif /* __MUSA_MEMORY_API_H__ */
