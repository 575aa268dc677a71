/* SPDX-License-Identifier: MIT */
/*
 * Contexts that programs create. A device has one context: a created one is a reference to it, which
 * ends it if it is the last.
 */
#include <pthread.h>

#include "drv/mu_internal.h"
#include "drv/thread.h"

/* References that muCtxCreate() gave and muCtxDestroy() has not taken back. */
static struct {
	uint64_t handle; /* of the context that they are to: one made after a reset is another */
	unsigned int count;
} created[MT_DEVICES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count_created(const struct mt_ctx *ctx)
{
	pthread_mutex_lock(&lock);
	if (created[ctx->device].handle != ctx->handle)
		created[ctx->device].count = 0;
	created[ctx->device].handle = ctx->handle;
	created[ctx->device].count++;
	pthread_mutex_unlock(&lock);
}

/* Takes one reference back; false if there is none. */
static bool take_created(const struct mt_ctx *ctx)
{
	bool found;

	pthread_mutex_lock(&lock);
	found = created[ctx->device].handle == ctx->handle && created[ctx->device].count;
	if (found)
		created[ctx->device].count--;
	pthread_mutex_unlock(&lock);
	return found;
}

MUresult muCtxCreate_v2(MUcontext *pctx, unsigned int flags, MUdevice dev)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_device(dev);

	if (!ret && (!pctx || (flags & ~(unsigned int)MU_CTX_FLAGS_MASK)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_ctx_primary_retain((uint32_t)dev, &ctx);
	if (ret)
		return ret;
	ret = muCtxPushCurrent_v2((MUcontext)(uintptr_t)ctx->handle);
	if (ret) {
		mt_ctx_primary_release((uint32_t)dev);
		return ret;
	}
	if (flags)
		mt_ctx_primary_flags((uint32_t)dev, flags);
	count_created(ctx);
	*pctx = (MUcontext)(uintptr_t)ctx->handle;
	return MUSA_SUCCESS;
}

MUresult muCtxDestroy_v2(MUcontext ctx)
{
	const struct mt_thread *thread = mt_thread_get();
	struct mt_ctx *found;
	uint32_t device;
	MUresult ret = mt_initialised();

	if (!ret && !ctx)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_mu_ctx_get(ctx, &found);
	if (!ret && !take_created(found))
		ret = MUSA_ERROR_INVALID_CONTEXT;
	if (ret)
		return ret;
	device = found->device;
	if (thread->depth && thread->contexts[thread->depth - 1] == found->handle)
		muCtxPopCurrent_v2(NULL);
	return mt_ctx_primary_release(device);
}
