/* SPDX-License-Identifier: MIT */
/*
 * What every runtime entry point (api_*.c, here and in graph/) rests on: the calling thread's current
 * device and last error, and the way into the core through its function table. Part of libmusart.
 *
 * An entry point looks like this:
 *
 *	musaError_t musaStreamQuery(musaStream_t stream)
 *	{
 *		struct mt_stream *s;
 *		MUresult ret = mt_rt_stream(stream, false, &s);
 *
 *		if (!ret)
 *			ret = mt_drv->mt_stream_query(s);
 *		return mt_rt_return(ret);
 *	}
 *
 * Every function of drv/ that an entry point needs stands in MT_DRV_TABLE and is called through
 * mt_drv; inline functions and hw/base are not available to this side.
 */
#ifndef MT_DRV_RT_H
#define MT_DRV_RT_H

#include <stdbool.h>

#include "drv/table.h"
#include "musa_runtime_api.h"

/* The core's table. */
#define mt_drv (&mt_drv_table_v1)

/* Records a failure as the thread's last error and returns it as the runtime's number. */
musaError_t mt_rt_return(MUresult result);

/* Initialises if needed; the process-wide result. */
MUresult mt_rt_init(void);

/* The context of the current device, created on first use; a sticky device error is returned. */
MUresult mt_rt_ctx(struct mt_ctx **ctx_out);

/* The context of a device named by ordinal: INVALID_DEVICE (101) if there is none. */
MUresult mt_rt_ctx_of(int device, struct mt_ctx **ctx_out);

/* The stream that a handle names for the current device; see mt_stream_get(). */
MUresult mt_rt_stream(musaStream_t stream, bool per_thread_default, struct mt_stream **stream_out);

/* A `func` argument of the current device: 98 for NULL and what is no kernel, 209 without an image
 * for the device. */
MUresult mt_rt_function(struct mt_ctx *ctx, const void *func, struct mt_function **fn_out);

/* A `symbol` argument: 13 for NULL and unknown ones. */
MUresult mt_rt_symbol(struct mt_ctx *ctx, const void *symbol, struct mt_variable *variable_out);

/* The thread's current device, 0 at first. */
int mt_rt_device(void);
void mt_rt_device_set(int device);

/* Returns the last error and, if `clear`, forgets it. */
musaError_t mt_rt_last_error(bool clear);

#endif
