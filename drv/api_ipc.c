/* SPDX-License-Identifier: MIT */
/* Memory of other processes in the runtime API. Events are not shared between processes. */
#include "drv/rt.h"

#include <string.h>

#define OPEN_FLAGS_MAX 7u /* the highest access policy that the driver API numbers */

_Static_assert(sizeof(struct mt_ipc_memory) == sizeof(musaIpcMemHandle_t),
	       "the handle's bytes are ours");

musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t *handle, void *devPtr)
{
	struct mt_ipc_memory told;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !handle)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_ipc_memory_export((uint64_t)(uintptr_t)devPtr, &told);
	if (!ret)
		memcpy(handle, &told, sizeof(*handle));
	return mt_rt_return(ret);
}

musaError_t musaIpcOpenMemHandle(void **devPtr, musaIpcMemHandle_t handle, unsigned int flags)
{
	struct mt_ipc_memory told;
	struct mt_ctx *ctx;
	uint64_t va;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (!devPtr || flags > OPEN_FLAGS_MAX))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaIpcOpenMemHandle");
	if (!ret) {
		memcpy(&told, &handle, sizeof(told));
		ret = mt_drv->mt_ipc_memory_open(ctx, &told, &va);
	}
	if (!ret)
		*devPtr = (void *)(uintptr_t)va;
	return mt_rt_return(ret);
}

musaError_t musaIpcCloseMemHandle(void *devPtr)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaIpcCloseMemHandle");
	if (!ret)
		ret = mt_drv->mt_ipc_memory_close((uint64_t)(uintptr_t)devPtr);
	return mt_rt_return(ret);
}

musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t *handle, musaEvent_t event)
{
	(void)handle;
	(void)event;
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaIpcOpenEventHandle(musaEvent_t *event, musaIpcEventHandle_t handle)
{
	(void)event;
	(void)handle;
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}
