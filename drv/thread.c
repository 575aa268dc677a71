/* SPDX-License-Identifier: MIT */
/* The calling thread's device and contexts. */
#include "drv/thread.h"

#include "drv/context.h"

static _Thread_local struct mt_thread current;

struct mt_thread *mt_thread_get(void)
{
	return &current;
}

void mt_thread_set_device(struct mt_thread *thread, int device)
{
	struct mt_ctx *ctx = mt_ctx_primary_peek((uint32_t)device);

	thread->device = device;
	thread->runtime = true;
	if (thread->depth && ctx)
		thread->contexts[thread->depth - 1] = ctx->handle;
}
