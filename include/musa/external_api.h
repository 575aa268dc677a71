/* SPDX-License-Identifier: MIT */
/* Memory and semaphores shared with other APIs. */
#ifndef __MUSA_EXTERNAL_API_H__
#define __MUSA_EXTERNAL_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaImportExternalMemory(musaExternalMemory_t *extMem_out,
				     const struct musaExternalMemoryHandleDesc *memHandleDesc);
musaError_t musaExternalMemoryGetMappedBuffer(void **devPtr, musaExternalMemory_t extMem,
					      const struct musaExternalMemoryBufferDesc *bufferDesc);
musaError_t musaExternalMemoryGetMappedMipmappedArray(musaMipmappedArray_t *mipmap,
						      musaExternalMemory_t extMem,
						      const struct musaExternalMemoryMipmappedArrayDesc *mipmapDesc);
musaError_t musaDestroyExternalMemory(musaExternalMemory_t extMem);
musaError_t musaImportExternalSemaphore(musaExternalSemaphore_t *extSem_out,
					const struct musaExternalSemaphoreHandleDesc *semHandleDesc);
musaError_t musaSignalExternalSemaphoresAsync(const musaExternalSemaphore_t *extSemArray,
					      const struct musaExternalSemaphoreSignalParams *paramsArray,
					      unsigned int numExtSems, musaStream_t stream __dv(0));
musaError_t musaWaitExternalSemaphoresAsync(const musaExternalSemaphore_t *extSemArray,
					    const struct musaExternalSemaphoreWaitParams *paramsArray,
					    unsigned int numExtSems, musaStream_t stream __dv(0));
musaError_t musaDestroyExternalSemaphore(musaExternalSemaphore_t extSem);

#include "api_end.h"

#endif /* __MUSA_EXTERNAL_API_H__ */
