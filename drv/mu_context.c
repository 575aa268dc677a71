/* SPDX-License-Identifier: MIT */
/* Contexts of the driver API: the thread's stack, primary contexts, limits. */
#include "drv/mu_internal.h"

#include "drv/capture.h"
#include "drv/host.h"
#include "drv/memory.h"
#include "drv/thread.h"
#include "hw/base/handle.h"

#define CTX_FLAGS ((unsigned int)MU_CTX_FLAGS_MASK)

/* The current context's handle, 0 if there is none. */
static MUresult current_handle(uint64_t *handle_out)
{
	const struct mt_thread *thread = mt_thread_get();
	struct mt_ctx *ctx;
	MUresult ret;

	*handle_out = thread->depth ? thread->contexts[thread->depth - 1] : 0;
	if (thread->depth || !thread->runtime)
		return MUSA_SUCCESS;
	ret = mt_ctx_primary((uint32_t)thread->device, &ctx);
	if (!ret)
		*handle_out = ctx->handle;
	return ret;
}

/* The stack has changed: the runtime's device follows its top. */
static void follow_top(struct mt_thread *thread)
{
	struct mt_ctx *ctx;

	if (!thread->depth)
		return;
	ctx = mt_handle_get(thread->contexts[thread->depth - 1], MT_HANDLE_CONTEXT);
	if (ctx)
		thread->device = (int)ctx->device;
}

static MUresult find_ctx(uint64_t handle, struct mt_ctx **ctx_out)
{
	*ctx_out = mt_handle_get(handle, MT_HANDLE_CONTEXT);
	return *ctx_out ? MUSA_SUCCESS : MUSA_ERROR_CONTEXT_IS_DESTROYED;
}

MUresult mt_mu_ctx(struct mt_ctx **ctx_out)
{
	MUresult ret = mt_initialised();
	uint64_t handle;

	if (ret)
		return ret;
	if (mt_in_host_function())
		return MUSA_ERROR_NOT_PERMITTED;
	ret = current_handle(&handle);
	if (!ret && !handle)
		ret = MUSA_ERROR_INVALID_CONTEXT;
	if (!ret)
		ret = find_ctx(handle, ctx_out);
	return ret ? ret : mt_ctx_error(*ctx_out);
}

MUresult mt_mu_ctx_get(MUcontext handle, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_initialised();

	if (ret)
		return ret;
	if (!handle)
		return mt_mu_ctx(ctx_out);
	*ctx_out = mt_handle_get((uint64_t)(uintptr_t)handle, MT_HANDLE_CONTEXT);
	return *ctx_out ? MUSA_SUCCESS : MUSA_ERROR_INVALID_CONTEXT;
}

MUresult mt_mu_stream(MUstream handle, bool per_thread_default, struct mt_stream **stream_out)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_stream_get(ctx, handle, per_thread_default, stream_out);
}

MUresult muDevicePrimaryCtxRetain(MUcontext *pctx, MUdevice dev)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_device(dev);

	if (!ret && !pctx)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_ctx_primary_retain((uint32_t)dev, &ctx);
	if (!ret)
		*pctx = (MUcontext)(uintptr_t)ctx->handle;
	return ret;
}

MUresult muDevicePrimaryCtxRelease_v2(MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	return ret ? ret : mt_ctx_primary_release((uint32_t)dev);
}

MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags)
{
	MUresult ret = mt_mu_device(dev);

	if (!ret && (flags & ~CTX_FLAGS))
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_ctx_primary_flags((uint32_t)dev, flags);
}

MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int *flags, int *active)
{
	MUresult ret = mt_mu_device(dev);
	unsigned int value;
	bool live;

	if (!ret && (!flags || !active))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	mt_ctx_primary_state((uint32_t)dev, &value, &live);
	*flags = value;
	*active = live;
	return MUSA_SUCCESS;
}

MUresult muDevicePrimaryCtxReset_v2(MUdevice dev)
{
	MUresult ret = mt_mu_device(dev);

	return ret ? ret : mt_ctx_primary_reset((uint32_t)dev);
}

MUresult muCtxPushCurrent_v2(MUcontext ctx)
{
	struct mt_thread *thread = mt_thread_get();
	struct mt_ctx *found;
	MUresult ret = mt_initialised();

	if (!ret && !ctx)
		ret = MUSA_ERROR_INVALID_CONTEXT;
	if (!ret)
		ret = mt_mu_ctx_get(ctx, &found);
	if (!ret && thread->depth == MT_THREAD_CONTEXTS_MAX)
		ret = MUSA_ERROR_OUT_OF_MEMORY;
	if (ret)
		return ret;
	thread->contexts[thread->depth++] = found->handle;
	follow_top(thread);
	return MUSA_SUCCESS;
}

MUresult muCtxPopCurrent_v2(MUcontext *pctx)
{
	struct mt_thread *thread = mt_thread_get();
	MUresult ret = mt_initialised();

	if (!ret && !thread->depth)
		ret = MUSA_ERROR_INVALID_CONTEXT;
	if (ret)
		return ret;
	thread->depth--;
	if (pctx)
		*pctx = (MUcontext)(uintptr_t)thread->contexts[thread->depth];
	follow_top(thread);
	return MUSA_SUCCESS;
}

MUresult muCtxSetCurrent(MUcontext ctx)
{
	struct mt_thread *thread = mt_thread_get();
	struct mt_ctx *found;
	MUresult ret = mt_initialised();

	if (ret)
		return ret;
	if (!ctx) {
		if (thread->depth)
			thread->depth--;
		else
			thread->runtime = false;
		follow_top(thread);
		return MUSA_SUCCESS;
	}
	ret = mt_mu_ctx_get(ctx, &found);
	if (ret)
		return ret;
	if (!thread->depth)
		thread->depth = 1;
	thread->contexts[thread->depth - 1] = found->handle;
	follow_top(thread);
	return MUSA_SUCCESS;
}

MUresult muCtxGetCurrent(MUcontext *pctx)
{
	uint64_t handle;
	MUresult ret = mt_initialised();

	if (!ret && !pctx)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = current_handle(&handle);
	if (!ret)
		*pctx = (MUcontext)(uintptr_t)handle;
	return ret;
}

MUresult muCtxGetDevice(MUdevice *device)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !device)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*device = (MUdevice)ctx->device;
	return ret;
}

MUresult muCtxGetFlags(unsigned int *flags)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*flags = ctx->flags;
	return ret;
}

MUresult muCtxSetFlags(unsigned int flags)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (flags & ~CTX_FLAGS))
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_ctx_primary_flags(ctx->device, flags);
}

MUresult muCtxGetId(MUcontext ctx, unsigned long long *ctxId)
{
	struct mt_ctx *found;
	MUresult ret = mt_mu_ctx_get(ctx, &found);

	if (!ret && !ctxId)
		ret = MUSA_ERROR_INVALID_VALUE;
	/* A context made after a reset has another handle. */
	if (!ret)
		*ctxId = found->handle;
	return ret;
}

MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int *version)
{
	struct mt_ctx *found;
	MUresult ret = mt_mu_ctx_get(ctx, &found);

	if (!ret && !version)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*version = MUSA_VERSION;
	return ret;
}

MUresult muCtxSynchronize(void)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	return ret ? ret : mt_ctx_synchronize(ctx);
}

static uint64_t *limit_of(struct mt_ctx *ctx, MUlimit limit)
{
	switch (limit) {
	case MU_LIMIT_STACK_SIZE:
		return &ctx->stack_limit_b;
	case MU_LIMIT_PRINTF_FIFO_SIZE:
		return &ctx->printf_limit_b;
	case MU_LIMIT_MALLOC_HEAP_SIZE:
		return &ctx->heap_limit_b;
	default:
		return NULL;
	}
}

static MUresult find_limit(MUlimit limit, struct mt_ctx **ctx, uint64_t **place)
{
	MUresult ret = mt_mu_ctx(ctx);

	if (ret)
		return ret;
	if ((unsigned int)limit >= MU_LIMIT_MAX)
		return MUSA_ERROR_INVALID_VALUE;
	*place = limit_of(*ctx, limit);
	return *place ? MUSA_SUCCESS : MUSA_ERROR_UNSUPPORTED_LIMIT;
}

MUresult muCtxSetLimit(MUlimit limit, size_t value)
{
	uint64_t *place;
	struct mt_ctx *ctx;
	MUresult ret = find_limit(limit, &ctx, &place);

	if (!ret)
		ret = mt_capture_check_unsafe("muCtxSetLimit");
	if (!ret)
		*place = value;
	return ret;
}

MUresult muCtxGetLimit(size_t *pvalue, MUlimit limit)
{
	uint64_t *place;
	struct mt_ctx *ctx;
	MUresult ret = find_limit(limit, &ctx, &place);

	if (!ret && !pvalue)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pvalue = *place;
	return ret;
}

/* Splits of cache and shared memory are hints: kept for queries, without other effect. */
MUresult muCtxGetCacheConfig(MUfunc_cache *pconfig)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !pconfig)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pconfig = (MUfunc_cache)ctx->cache_config;
	return ret;
}

MUresult muCtxSetCacheConfig(MUfunc_cache config)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (unsigned int)config > MU_FUNC_CACHE_PREFER_EQUAL)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_capture_check_unsafe("muCtxSetCacheConfig");
	if (!ret)
		ctx->cache_config = (uint32_t)config;
	return ret;
}

MUresult muCtxGetSharedMemConfig(MUsharedconfig *pConfig)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !pConfig)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*pConfig = (MUsharedconfig)ctx->shared_config;
	return ret;
}

MUresult muCtxSetSharedMemConfig(MUsharedconfig config)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (unsigned int)config > MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ctx->shared_config = (uint32_t)config;
	return ret;
}

MUresult muCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (ret)
		return ret;
	if (leastPriority)
		*leastPriority = ctx->hw->info.priority_least;
	if (greatestPriority)
		*greatestPriority = ctx->hw->info.priority_greatest;
	return MUSA_SUCCESS;
}

MUresult muCtxResetPersistingL2Cache(void)
{
	struct mt_ctx *ctx;

	return mt_mu_ctx(&ctx);
}

MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags)
{
	struct mt_ctx *ctx, *peer;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && Flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret && !peerContext)
		ret = MUSA_ERROR_INVALID_CONTEXT;
	if (!ret)
		ret = mt_mu_ctx_get(peerContext, &peer);
	return ret ? ret : mt_mem_peer_enable(ctx, peer->device);
}

MUresult muCtxDisablePeerAccess(MUcontext peerContext)
{
	struct mt_ctx *ctx, *peer;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !peerContext)
		ret = MUSA_ERROR_INVALID_CONTEXT;
	if (!ret)
		ret = mt_mu_ctx_get(peerContext, &peer);
	return ret ? ret : mt_mem_peer_disable(ctx, peer->device);
}
