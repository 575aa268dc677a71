/* SPDX-License-Identifier: MIT */
/*
 * Host threads: they run the functions that a device calls for, one set of threads per device. A
 * function that blocks keeps one thread; there is always another one while the limit allows.
 */
#ifndef MT_DRV_HOST_H
#define MT_DRV_HOST_H

#include <stdbool.h>

#include "drv/context.h"
#include "drv/result.h"

/* Makes sure that host functions of the context's device get run: before the first HOST packet is
 * submitted. One load after the first call. */
MUresult mt_host_prepare(struct mt_ctx *ctx);

/* Stops all threads of a device; ones inside a function that does not return are left behind. */
void mt_host_finish(struct mt_hw_device *hw);

/* A context ends: its callbacks that have not been called never will be. */
void mt_host_forget(struct mt_ctx *ctx);

/* The calling thread is inside a host function, where calls of the API are not permitted. */
extern _Thread_local bool mt_host_inside __attribute__((tls_model("initial-exec")));

static inline bool mt_in_host_function(void)
{
	return mt_host_inside;
}

/* Calls fn(data) as a host function. Also for destructors of user objects. */
void mt_host_call(void (*fn)(void *data), void *data);

#endif
