/* SPDX-License-Identifier: MIT */
/*
 * What the driver API's entry points (mu_*.c) share: the ways from handles to objects. Part of
 * libmusa.
 */
#ifndef MT_DRV_MU_INTERNAL_H
#define MT_DRV_MU_INTERNAL_H

#include "drv/context.h"
#include "drv/result.h"
#include "drv/stream.h"

/* The current context: NOT_INITIALIZED before muInit, INVALID_CONTEXT if there is none,
 * CONTEXT_IS_DESTROYED, a sticky device error, NOT_PERMITTED in a host function. */
MUresult mt_mu_ctx(struct mt_ctx **ctx_out);

/* A context handle; NULL means the current one. */
MUresult mt_mu_ctx_get(MUcontext handle, struct mt_ctx **ctx_out);

/* NOT_INITIALIZED before muInit, INVALID_DEVICE for a number that names none. */
MUresult mt_mu_device(MUdevice device);

/* A stream handle for the current context. */
MUresult mt_mu_stream(MUstream handle, bool per_thread_default, struct mt_stream **stream_out);

#endif
