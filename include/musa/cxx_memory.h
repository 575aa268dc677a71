/* SPDX-License-Identifier: MIT */
/* Typed and defaulted forms of the memory calls, for C++. */
#ifndef __MUSA_CXX_MEMORY_H__
#define __MUSA_CXX_MEMORY_H__

#include "cxx_out.h"
#include "memory_api.h"
#include "pool_api.h"
#include "stream_api.h"

/* Allocation calls take void **; these take the address of a pointer of any type. Sizes: bytes. */

template <class T> static inline musaError_t musaMalloc(T **devPtr, size_t size)
{
	return ::musaMalloc(__musa_out(devPtr), size);
}

template <class T>
static inline musaError_t musaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
	return ::musaMallocPitch(__musa_out(devPtr), pitch, width, height);
}

template <class T>
static inline musaError_t musaMallocManaged(T **devPtr, size_t size,
					    unsigned int flags = musaMemAttachGlobal)
{
	return ::musaMallocManaged(__musa_out(devPtr), size, flags);
}

template <class T>
static inline musaError_t musaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
	return ::musaHostAlloc(__musa_out(ptr), size, flags);
}

/* With flags, musaMallocHost() is musaHostAlloc(). */
static inline musaError_t musaMallocHost(void **ptr, size_t size, unsigned int flags)
{
	return ::musaHostAlloc(ptr, size, flags);
}

template <class T>
static inline musaError_t musaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
	return ::musaHostAlloc(__musa_out(ptr), size, flags);
}

template <class T>
static inline musaError_t musaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
	return ::musaHostGetDevicePointer(__musa_out(pDevice), pHost, flags);
}

template <class T>
static inline musaError_t musaMallocAsync(T **ptr, size_t size, musaStream_t stream)
{
	return ::musaMallocAsync(__musa_out(ptr), size, stream);
}

/* With a pool, musaMallocAsync() is musaMallocFromPoolAsync(). */
static inline musaError_t musaMallocAsync(void **ptr, size_t size, musaMemPool_t memPool,
					  musaStream_t stream)
{
	return ::musaMallocFromPoolAsync(ptr, size, memPool, stream);
}

template <class T>
static inline musaError_t musaMallocAsync(T **ptr, size_t size, musaMemPool_t memPool,
					  musaStream_t stream)
{
	return ::musaMallocFromPoolAsync(__musa_out(ptr), size, memPool, stream);
}

template <class T>
static inline musaError_t musaMallocFromPoolAsync(T **ptr, size_t size, musaMemPool_t memPool,
						  musaStream_t stream)
{
	return ::musaMallocFromPoolAsync(__musa_out(ptr), size, memPool, stream);
}

template <class T>
static inline musaError_t musaStreamAttachMemAsync(musaStream_t stream, T *devPtr,
						   size_t length = 0,
						   unsigned int flags = musaMemAttachSingle)
{
	return ::musaStreamAttachMemAsync(stream, static_cast<void *>(devPtr), length, flags);
}

/* A location instead of a device ordinal: the second version of these calls. */

static inline musaError_t musaMemAdvise(const void *devPtr, size_t count,
					enum musaMemoryAdvise advice,
					struct musaMemLocation location)
{
	return ::musaMemAdvise_v2(devPtr, count, advice, location);
}

static inline musaError_t musaMemPrefetchAsync(const void *devPtr, size_t count,
					       struct musaMemLocation location,
					       unsigned int flags, musaStream_t stream = 0)
{
	return ::musaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}

#endif /* __MUSA_CXX_MEMORY_H__ */
