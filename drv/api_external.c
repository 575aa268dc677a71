/* SPDX-License-Identifier: MIT */
/*
 * External memory and semaphores of the runtime API. Both come as file descriptors; the descriptors
 * of other systems are not there.
 */
#include "drv/rt.h"

_Static_assert(sizeof(struct musaExternalSemaphoreSignalParams) == MT_EXT_SEMAPHORE_PARAMS_B &&
		       sizeof(struct musaExternalSemaphoreWaitParams) == MT_EXT_SEMAPHORE_PARAMS_B,
	       "the core steps over both arrays alike");

musaError_t musaImportExternalMemory(musaExternalMemory_t *extMem_out,
				     const struct musaExternalMemoryHandleDesc *memHandleDesc)
{
	struct mt_ctx *ctx;
	uint64_t handle;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (!extMem_out || !memHandleDesc))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_ext_memory_open(ctx, memHandleDesc->type, memHandleDesc->handle.fd,
						 memHandleDesc->size, memHandleDesc->flags,
						 &handle);
	if (!ret)
		*extMem_out = (musaExternalMemory_t)(uintptr_t)handle;
	return mt_rt_return(ret);
}

static MUresult find_memory(musaExternalMemory_t handle, struct mt_import **import_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	return ret ? ret : mt_drv->mt_ext_memory_get((uint64_t)(uintptr_t)handle, import_out);
}

musaError_t musaExternalMemoryGetMappedBuffer(void **devPtr, musaExternalMemory_t extMem,
					      const struct musaExternalMemoryBufferDesc *bufferDesc)
{
	struct mt_import *import;
	uint64_t va;
	MUresult ret = find_memory(extMem, &import);

	if (!ret && (!devPtr || !bufferDesc || bufferDesc->flags))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_ext_memory_map(import, bufferDesc->offset, bufferDesc->size, &va);
	if (!ret)
		*devPtr = (void *)(uintptr_t)va;
	return mt_rt_return(ret);
}

musaError_t
musaExternalMemoryGetMappedMipmappedArray(musaMipmappedArray_t *mipmap, musaExternalMemory_t extMem,
					  const struct musaExternalMemoryMipmappedArrayDesc *desc)
{
	(void)mipmap;
	(void)extMem;
	(void)desc;
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaDestroyExternalMemory(musaExternalMemory_t extMem)
{
	struct mt_import *import;
	MUresult ret = find_memory(extMem, &import);

	if (!ret)
		mt_drv->mt_ext_memory_destroy(import);
	return mt_rt_return(ret);
}

musaError_t musaImportExternalSemaphore(musaExternalSemaphore_t *extSem_out,
					const struct musaExternalSemaphoreHandleDesc *semHandleDesc)
{
	struct mt_ctx *ctx;
	uint64_t handle;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (!extSem_out || !semHandleDesc))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_ext_semaphore_open(ctx, semHandleDesc->type,
						    semHandleDesc->handle.fd, semHandleDesc->flags,
						    &handle);
	if (!ret)
		*extSem_out = (musaExternalSemaphore_t)(uintptr_t)handle;
	return mt_rt_return(ret);
}

static MUresult enqueue(const musaExternalSemaphore_t *semaphores, const void *params,
			unsigned int count, musaStream_t stream, bool signal, const char *api)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (ret)
		return ret;
	return mt_drv->mt_ext_semaphore_enqueue(s, (const uint64_t *)(const void *)semaphores,
						params, count, signal, api);
}

musaError_t
musaSignalExternalSemaphoresAsync(const musaExternalSemaphore_t *extSemArray,
				  const struct musaExternalSemaphoreSignalParams *paramsArray,
				  unsigned int numExtSems, musaStream_t stream)
{
	return mt_rt_return(enqueue(extSemArray, paramsArray, numExtSems, stream, true,
				    "musaSignalExternalSemaphoresAsync"));
}

musaError_t
musaWaitExternalSemaphoresAsync(const musaExternalSemaphore_t *extSemArray,
				const struct musaExternalSemaphoreWaitParams *paramsArray,
				unsigned int numExtSems, musaStream_t stream)
{
	return mt_rt_return(enqueue(extSemArray, paramsArray, numExtSems, stream, false,
				    "musaWaitExternalSemaphoresAsync"));
}

musaError_t musaDestroyExternalSemaphore(musaExternalSemaphore_t extSem)
{
	struct mt_ext_semaphore *semaphore;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_ext_semaphore_get((uint64_t)(uintptr_t)extSem, &semaphore);
	if (!ret)
		mt_drv->mt_ext_semaphore_destroy(semaphore);
	return mt_rt_return(ret);
}
