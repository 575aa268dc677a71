/* SPDX-License-Identifier: MIT */
/* External memory and semaphores, and memory of other processes, in the driver API. */
#include <string.h>

#include "drv/capture.h"
#include "drv/ext_memory.h"
#include "drv/ext_semaphore.h"
#include "drv/mu_internal.h"

MUresult muImportExternalMemory(MUexternalMemory *extMem_out,
				const MUSA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc)
{
	struct mt_ctx *ctx;
	uint64_t handle;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!extMem_out || !memHandleDesc))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_ext_memory_open(ctx, memHandleDesc->type, memHandleDesc->handle.fd,
					 memHandleDesc->size, memHandleDesc->flags, &handle);
	if (!ret)
		*extMem_out = (MUexternalMemory)(uintptr_t)handle;
	return ret;
}

static MUresult find_memory(MUexternalMemory handle, struct mt_import **import_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_ext_memory_get((uintptr_t)handle, import_out);
}

MUresult muExternalMemoryGetMappedBuffer(MUdeviceptr *devPtr, MUexternalMemory extMem,
					 const MUSA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc)
{
	struct mt_import *import;
	uint64_t va;
	MUresult ret = find_memory(extMem, &import);

	if (!ret && (!devPtr || !bufferDesc || bufferDesc->flags))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_ext_memory_map(import, bufferDesc->offset, bufferDesc->size, &va);
	if (!ret)
		*devPtr = va;
	return ret;
}

MUresult muDestroyExternalMemory(MUexternalMemory extMem)
{
	struct mt_import *import;
	MUresult ret = find_memory(extMem, &import);

	if (!ret)
		mt_ext_memory_destroy(import);
	return ret;
}

MUresult muImportExternalSemaphore(MUexternalSemaphore *extSem_out,
				   const MUSA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc)
{
	struct mt_ctx *ctx;
	uint64_t handle;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!extSem_out || !semHandleDesc))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_ext_semaphore_open(ctx, semHandleDesc->type, semHandleDesc->handle.fd,
					    semHandleDesc->flags, &handle);
	if (!ret)
		*extSem_out = (MUexternalSemaphore)(uintptr_t)handle;
	return ret;
}

MUresult muDestroyExternalSemaphore(MUexternalSemaphore extSem)
{
	struct mt_ext_semaphore *semaphore;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret)
		ret = mt_ext_semaphore_get((uintptr_t)extSem, &semaphore);
	if (!ret)
		mt_ext_semaphore_destroy(semaphore);
	return ret;
}

static MUresult enqueue(const MUexternalSemaphore *semaphores, const void *params,
			unsigned int count, MUstream handle, bool signal, const char *api)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	return ret ? ret
		   : mt_ext_semaphore_enqueue(stream, (const uint64_t *)(const void *)semaphores,
					      params, count, signal, api);
}

MUresult muSignalExternalSemaphoresAsync(const MUexternalSemaphore *extSemArray,
					 const MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
					 unsigned int numExtSems, MUstream stream)
{
	return enqueue(extSemArray, paramsArray, numExtSems, stream, true,
		       "muSignalExternalSemaphoresAsync");
}

MUresult muWaitExternalSemaphoresAsync(const MUexternalSemaphore *extSemArray,
				       const MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
				       unsigned int numExtSems, MUstream stream)
{
	return enqueue(extSemArray, paramsArray, numExtSems, stream, false,
		       "muWaitExternalSemaphoresAsync");
}

_Static_assert(sizeof(struct mt_ipc_memory) == sizeof(MUipcMemHandle),
	       "the handle's bytes are ours");

MUresult muIpcGetMemHandle(MUipcMemHandle *pHandle, MUdeviceptr dptr)
{
	struct mt_ipc_memory told;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !pHandle)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_ipc_memory_export(dptr, &told);
	if (!ret)
		memcpy(pHandle, &told, sizeof(*pHandle));
	return ret;
}

MUresult muIpcOpenMemHandle_v2(MUdeviceptr *pdptr, MUipcMemHandle handle, unsigned int Flags)
{
	struct mt_ipc_memory told;
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!pdptr || Flags > MU_IPC_MEM_LAZY_POLICY_MAX))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_capture_check_unsafe("muIpcOpenMemHandle");
	if (ret)
		return ret;
	memcpy(&told, &handle, sizeof(told));
	ret = mt_ipc_memory_open(ctx, &told, &va);
	if (!ret)
		*pdptr = va;
	return ret;
}

MUresult muIpcCloseMemHandle(MUdeviceptr dptr)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret)
		ret = mt_capture_check_unsafe("muIpcCloseMemHandle");
	return ret ? ret : mt_ipc_memory_close(dptr);
}
