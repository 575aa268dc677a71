/* SPDX-License-Identifier: MIT */
/*
 * Per-thread state of the runtime API and the ways from its arguments to the core's objects.
 */
#include "drv/rt.h"

static _Thread_local musaError_t last_error;
static _Thread_local struct mt_thread *thread; /* borrowed from the core for the thread's life */

static struct mt_thread *own_thread(void)
{
	if (__builtin_expect(!thread, 0))
		thread = mt_drv->mt_thread_get();
	return thread;
}

musaError_t mt_rt_return(MUresult result)
{
	if (__builtin_expect(result != MUSA_SUCCESS, 0))
		last_error = (musaError_t)result;
	return (musaError_t)result;
}

musaError_t mt_rt_last_error(bool clear)
{
	musaError_t error = last_error;

	if (clear)
		last_error = musaSuccess;
	return error;
}

int mt_rt_device(void)
{
	return own_thread()->device;
}

void mt_rt_device_set(int device)
{
	mt_drv->mt_thread_set_device(own_thread(), device);
}

MUresult mt_rt_init(void)
{
	return mt_drv->mt_init();
}

MUresult mt_rt_ctx_of(int device, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_rt_init();

	if (ret)
		return ret;
	if (device < 0)
		return MUSA_ERROR_INVALID_DEVICE;
	ret = mt_drv->mt_ctx_primary((uint32_t)device, ctx_out);
	if (ret)
		return ret;
	return mt_drv->mt_ctx_error(*ctx_out);
}

MUresult mt_rt_ctx(struct mt_ctx **ctx_out)
{
	struct mt_thread *own = own_thread();

	own->runtime = true; /* the driver API finds the same context from now on */
	return mt_rt_ctx_of(own->device, ctx_out);
}

MUresult mt_rt_stream(musaStream_t stream, bool per_thread_default, struct mt_stream **stream_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (ret)
		return ret;
	return mt_drv->mt_stream_get(ctx, stream, per_thread_default, stream_out);
}

MUresult mt_rt_function(struct mt_ctx *ctx, const void *func, struct mt_function **fn_out)
{
	MUresult ret;

	if (!func)
		return (MUresult)musaErrorInvalidDeviceFunction;
	ret = mt_drv->mt_runtime_function(ctx, func, fn_out);
	return ret == MUSA_ERROR_NOT_FOUND ? (MUresult)musaErrorInvalidDeviceFunction : ret;
}

MUresult mt_rt_symbol(struct mt_ctx *ctx, const void *symbol, struct mt_variable *variable_out)
{
	MUresult ret;

	if (!symbol)
		return (MUresult)musaErrorInvalidSymbol;
	ret = mt_drv->mt_runtime_variable(ctx, symbol, variable_out);
	return ret == MUSA_ERROR_NOT_FOUND ? (MUresult)musaErrorInvalidSymbol : ret;
}
