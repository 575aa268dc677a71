/* SPDX-License-Identifier: MIT */
/* Memory and semaphores shared with other APIs. */
#ifndef __MUSA_EXTERNAL_API_H__
#define __MUSA_EXTERNAL_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaImportExternalMemory() - Take memory over from another API.
 * @extMem_out:	[out] External memory. The caller destroys it.
 * @memHandleDesc:	Handle, its type, and bytes. A file descriptor belongs to the library from
 *	then on.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or unknown type
 *		musaErrorNotSupported  a type of another system
 *		musaErrorOperatingSystem
 *		musaErrorMemoryAllocation
 */
musaError_t musaImportExternalMemory(musaExternalMemory_t *extMem_out,
				     const struct musaExternalMemoryHandleDesc *memHandleDesc);

/**
 * musaExternalMemoryGetMappedBuffer() - Map a part of external memory.
 * @devPtr:	[out] First byte. Freed by musaFree().
 * @extMem:	External memory.
 * @bufferDesc:	Offset and size in bytes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end
 *		musaErrorInvalidResourceHandle  destroyed
 */
musaError_t musaExternalMemoryGetMappedBuffer(
		void **devPtr, musaExternalMemory_t extMem,
		const struct musaExternalMemoryBufferDesc *bufferDesc);

/**
 * musaExternalMemoryGetMappedMipmappedArray() - Map an array in external memory.
 * @mipmap:	[out] Array.
 * @extMem:	External memory.
 * @mipmapDesc:	Place and form.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorNotSupported  not available
 */
musaError_t musaExternalMemoryGetMappedMipmappedArray(
		musaMipmappedArray_t *mipmap, musaExternalMemory_t extMem,
		const struct musaExternalMemoryMipmappedArrayDesc *mipmapDesc);

/**
 * musaDestroyExternalMemory() - Give external memory up.
 * @extMem:	External memory.
 *
 * Free what was mapped first.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed
 */
musaError_t musaDestroyExternalMemory(musaExternalMemory_t extMem);

/**
 * musaImportExternalSemaphore() - Take a semaphore over from another API.
 * @extSem_out:	[out] External semaphore. The caller destroys it.
 * @semHandleDesc:	Handle and its type. A file descriptor belongs to the library from then on.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or unknown type
 *		musaErrorNotSupported  a type of another system
 *		musaErrorOperatingSystem
 *		musaErrorMemoryAllocation
 */
musaError_t musaImportExternalSemaphore(
		musaExternalSemaphore_t *extSem_out,
		const struct musaExternalSemaphoreHandleDesc *semHandleDesc);

/**
 * musaSignalExternalSemaphoresAsync() - Signal external semaphores after the work so far.
 * @extSemArray:	Semaphores.
 * @paramsArray:	One set of parameters for each semaphore.
 * @numExtSems:	Length of both arrays.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Captured as a signal node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed semaphore or stream
 */
musaError_t musaSignalExternalSemaphoresAsync(
		const musaExternalSemaphore_t *extSemArray,
		const struct musaExternalSemaphoreSignalParams *paramsArray,
		unsigned int numExtSems, musaStream_t stream __dv(0));

/**
 * musaWaitExternalSemaphoresAsync() - Let later work of a stream wait for external semaphores.
 * @extSemArray:	Semaphores.
 * @paramsArray:	One set of parameters for each semaphore.
 * @numExtSems:	Length of both arrays.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Captured as a wait node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed semaphore or stream
 */
musaError_t musaWaitExternalSemaphoresAsync(
		const musaExternalSemaphore_t *extSemArray,
		const struct musaExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems,
		musaStream_t stream __dv(0));

/**
 * musaDestroyExternalSemaphore() - Give an external semaphore up.
 * @extSem:	External semaphore.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed
 */
musaError_t musaDestroyExternalSemaphore(musaExternalSemaphore_t extSem);

#include "api_end.h"

#endif /* __MUSA_EXTERNAL_API_H__ */
