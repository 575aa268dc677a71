/* SPDX-License-Identifier: MIT */
/* Primary contexts: creation on first use, synchronisation, errors, reset. */
#include "drv/context.h"

#include "drv/capture.h"
#include "drv/command_writer.h"
#include "drv/context_internal.h"
#include "drv/event.h"
#include "drv/host.h"
#include "drv/memory.h"
#include "drv/module_internal.h"
#include "drv/stream_internal.h"
#include "hw/base/handle.h"
#include "hw/base/log.h"

#define STACK_LIMIT_B  1024u
#define PRINTF_LIMIT_B (1u << 20)
#define HEAP_LIMIT_B   (8u << 20)

/* Static, so that a pointer that outlives a reset still points to a context. */
static struct mt_ctx contexts[MT_DEVICES_MAX];
static _Atomic bool live[MT_DEVICES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* creation and end; outermost */

static void destroy_parts(struct mt_ctx *ctx)
{
	const struct mt_graph_hooks *hooks = mt_graph_hooks_get();

	if (ctx->graph && hooks && hooks->ctx_destroyed)
		hooks->ctx_destroyed(ctx);
	mt_binaries_forget(ctx);
	if (ctx->memory)
		mt_memory_forget_queues(ctx);
	while (ctx->streams)
		mt_stream_free(ctx->streams);
	mt_stream_free(ctx->legacy);
	ctx->legacy = NULL;
	mt_command_writers_finish(ctx);
	mt_host_forget(ctx);
	mt_modules_finish(ctx);
	mt_event_pool_destroy(ctx);
	if (ctx->memory)
		mt_memory_finish(ctx);
	ctx->memory = NULL;
	mt_command_pool_destroy(ctx->commands);
	ctx->commands = NULL;
	if (ctx->handle)
		mt_handle_destroy(ctx->handle);
	ctx->handle = 0;
	pthread_mutex_destroy(&ctx->lock);
}

static MUresult create_parts(struct mt_ctx *ctx)
{
	const struct mt_graph_hooks *hooks = mt_graph_hooks_get();
	MUresult ret;

	ctx->handle = mt_handle_create(MT_HANDLE_CONTEXT, ctx);
	ret = ctx->handle ? MUSA_SUCCESS : MUSA_ERROR_OUT_OF_MEMORY;
	if (!ret)
		ret = mt_command_pool_create(ctx, &ctx->commands);
	if (!ret)
		ret = mt_event_pool_create(ctx);
	if (!ret)
		ret = mt_memory_init(ctx);
	if (!ret)
		ret = mt_stream_create_internal(ctx, MU_STREAM_DEFAULT, 0, true, false,
						&ctx->legacy);
	if (!ret && hooks && hooks->ctx_created)
		ret = hooks->ctx_created(ctx);
	return ret;
}

static MUresult create_context(uint32_t device)
{
	struct mt_ctx *ctx = &contexts[device];
	unsigned int flags = ctx->flags; /* may be set before the context exists */
	MUresult ret;

	*ctx = (struct mt_ctx){
		.device = device,
		.hw = mt_device_get(device),
		.heap_limit_b = HEAP_LIMIT_B,
		.shared_config = MU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE,
		.printf_limit_b = PRINTF_LIMIT_B,
		.stack_limit_b = STACK_LIMIT_B,
		.flags = flags,
	};
	if (pthread_mutex_init(&ctx->lock, NULL))
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = create_parts(ctx);
	if (ret)
		destroy_parts(ctx);
	return ret;
}

static MUresult need_context(uint32_t device)
{
	MUresult ret = mt_init();

	if (__builtin_expect(ret != MUSA_SUCCESS, 0))
		return ret;
	if (__builtin_expect(mt_in_host_function(), 0))
		return MUSA_ERROR_NOT_PERMITTED;
	if (__builtin_expect(device >= mt_device_count(), 0))
		return MUSA_ERROR_INVALID_DEVICE;
	if (__builtin_expect(atomic_load_explicit(&live[device], memory_order_acquire), 1))
		return MUSA_SUCCESS;
	pthread_mutex_lock(&lock);
	if (!atomic_load_explicit(&live[device], memory_order_acquire)) {
		ret = create_context(device);
		if (!ret)
			atomic_store_explicit(&live[device], true, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

MUresult mt_ctx_primary(uint32_t device, struct mt_ctx **ctx_out)
{
	MUresult ret = need_context(device);
	struct mt_ctx *ctx;

	if (__builtin_expect(ret != MUSA_SUCCESS, 0))
		return ret;
	ctx = &contexts[device];
	if (__builtin_expect(!atomic_load_explicit(&ctx->kept, memory_order_relaxed), 0))
		atomic_store_explicit(&ctx->kept, true, memory_order_relaxed);
	*ctx_out = ctx;
	return MUSA_SUCCESS;
}

MUresult mt_ctx_primary_retain(uint32_t device, struct mt_ctx **ctx_out)
{
	MUresult ret = need_context(device);

	if (ret)
		return ret;
	pthread_mutex_lock(&lock);
	contexts[device].retained++;
	pthread_mutex_unlock(&lock);
	*ctx_out = &contexts[device];
	return MUSA_SUCCESS;
}

MUresult mt_ctx_primary_release(uint32_t device)
{
	struct mt_ctx *ctx = mt_ctx_primary_peek(device);
	bool last;

	pthread_mutex_lock(&lock);
	if (!ctx || !ctx->retained) {
		pthread_mutex_unlock(&lock);
		return MUSA_ERROR_INVALID_CONTEXT;
	}
	last = !--ctx->retained && !atomic_load_explicit(&ctx->kept, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	return last ? mt_ctx_primary_reset(device) : MUSA_SUCCESS;
}

MUresult mt_ctx_primary_flags(uint32_t device, unsigned int flags)
{
	pthread_mutex_lock(&lock);
	contexts[device].flags = flags;
	pthread_mutex_unlock(&lock);
	return MUSA_SUCCESS;
}

void mt_ctx_primary_state(uint32_t device, unsigned int *flags_out, bool *active_out)
{
	pthread_mutex_lock(&lock);
	*flags_out = contexts[device].flags;
	*active_out = atomic_load_explicit(&live[device], memory_order_relaxed);
	pthread_mutex_unlock(&lock);
}

struct mt_ctx *mt_ctx_primary_peek(uint32_t device)
{
	if (device >= MT_DEVICES_MAX || !atomic_load_explicit(&live[device], memory_order_acquire))
		return NULL;
	return &contexts[device];
}

void mt_ctx_end(uint32_t device)
{
	pthread_mutex_lock(&lock);
	if (atomic_load_explicit(&live[device], memory_order_acquire)) {
		atomic_store_explicit(&live[device], false, memory_order_release);
		destroy_parts(&contexts[device]);
	}
	pthread_mutex_unlock(&lock);
}

MUresult mt_ctx_primary_reset(uint32_t device)
{
	MUresult ret = mt_init();
	struct mt_ctx *ctx;

	if (ret)
		return ret;
	if (mt_in_host_function())
		return MUSA_ERROR_NOT_PERMITTED;
	if (device >= mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	ctx = mt_ctx_primary_peek(device);
	if (!ctx)
		return MUSA_SUCCESS;
	mt_ctx_wait_idle(ctx); /* a failed device has nothing that could still end */
	mt_ctx_end(device);
	return MUSA_SUCCESS;
}

MUresult mt_ctx_wait_idle(struct mt_ctx *ctx)
{
	struct mt_command_writer *writer =
		atomic_load_explicit(&ctx->writers, memory_order_acquire);
	int error = 0;

	for (; writer && !error; writer = writer->next)
		error = mt_hw_queue_wait(
			writer->queue,
			atomic_load_explicit(&writer->last_seq, memory_order_acquire), -1);
	if (error)
		return mt_result_from_errno(ctx->hw, error);
	return mt_ctx_error(ctx);
}

bool mt_ctx_idle(struct mt_ctx *ctx)
{
	struct mt_command_writer *writer =
		atomic_load_explicit(&ctx->writers, memory_order_acquire);

	for (; writer; writer = writer->next)
		if (mt_hw_queue_completed(writer->queue) <
		    atomic_load_explicit(&writer->last_seq, memory_order_acquire))
			return false;
	return true;
}

MUresult mt_ctx_synchronize(struct mt_ctx *ctx)
{
	MUresult ret = MUSA_SUCCESS;

	if (mt_in_host_function())
		return MUSA_ERROR_NOT_PERMITTED;
	if (atomic_load_explicit(&mt_capture_live, memory_order_acquire))
		ret = mt_capture_ops->device_sync(ctx, "device synchronize");
	if (!ret)
		ret = mt_ctx_wait_idle(ctx);
	if (!ret)
		mt_memory_synced(ctx);
	return ret;
}

static void log_fault(struct mt_ctx *ctx)
{
	struct mt_hw_fault fault;

	ctx->hw->ops->device_fault(ctx->hw, &fault);
	if (fault.node == MT_PKT_NODE_NONE)
		mt_log(MT_LOG_ERROR,
		       "device %u failed: %s (queue %llu, submission %llu, address 0x%llx)",
		       ctx->device, fault.text, (unsigned long long)fault.queue,
		       (unsigned long long)fault.seq, (unsigned long long)fault.address);
	else
		mt_log(MT_LOG_ERROR,
		       "device %u failed at node %u: %s (queue %llu, submission %llu, address "
		       "0x%llx)",
		       ctx->device, fault.node, fault.text, (unsigned long long)fault.queue,
		       (unsigned long long)fault.seq, (unsigned long long)fault.address);
}

MUresult mt_ctx_error(struct mt_ctx *ctx)
{
	uint32_t fault = atomic_load_explicit(&ctx->hw->fault, memory_order_acquire);
	uint32_t before = MUSA_SUCCESS;
	MUresult ret;

	if (__builtin_expect(!fault, 1))
		return MUSA_SUCCESS;
	ret = mt_result_from_fault(fault);
	if (atomic_compare_exchange_strong(&ctx->sticky, &before, (uint32_t)ret))
		log_fault(ctx);
	return ret;
}
