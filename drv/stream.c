/* SPDX-License-Identifier: MIT */
/* Streams: what handles name, creation and end, waiting and asking. */
#include "drv/stream.h"

#include "drv/capture.h"
#include "drv/host.h"
#include "drv/memory.h"
#include "drv/stream_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

static _Atomic uint64_t next_id = 1;

/* The calling thread's own streams, by device. Handles, so that a context's end is noticed. */
static _Thread_local uint64_t per_thread[MT_DEVICES_MAX];
static pthread_once_t per_thread_once = PTHREAD_ONCE_INIT;
static pthread_key_t per_thread_key; /* its destructor ends the thread's streams */
static bool per_thread_ready;

static int clamp_priority(const struct mt_hw_device *hw, int priority)
{
	if (priority > hw->info.priority_least)
		return hw->info.priority_least;
	if (priority < hw->info.priority_greatest)
		return hw->info.priority_greatest;
	return priority;
}

MUresult mt_stream_create_internal(struct mt_ctx *ctx, unsigned int flags, int priority,
				   bool legacy, bool per_thread_stream,
				   struct mt_stream **stream_out)
{
	struct mt_stream *stream = mt_calloc(1, sizeof(*stream));

	if (!stream)
		return MUSA_ERROR_OUT_OF_MEMORY;
	stream->id = atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed);
	stream->ctx = ctx;
	stream->flags = flags;
	stream->priority = clamp_priority(ctx->hw, priority);
	stream->legacy = legacy;
	stream->per_thread = per_thread_stream;
	if (pthread_mutex_init(&stream->lock, NULL)) {
		mt_free(stream);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	if (!legacy) {
		stream->handle = mt_handle_create(MT_HANDLE_STREAM, stream);
		if (!stream->handle) {
			pthread_mutex_destroy(&stream->lock);
			mt_free(stream);
			return MUSA_ERROR_OUT_OF_MEMORY;
		}
		pthread_mutex_lock(&ctx->lock);
		stream->link = &ctx->streams;
		stream->next = ctx->streams;
		if (stream->next)
			stream->next->link = &stream->next;
		ctx->streams = stream;
		pthread_mutex_unlock(&ctx->lock);
	}
	*stream_out = stream;
	return MUSA_SUCCESS;
}

void mt_stream_free(struct mt_stream *stream)
{
	struct mt_ctx *ctx;

	if (!stream)
		return;
	ctx = stream->ctx;
	if (atomic_load_explicit(&stream->capture, memory_order_acquire))
		mt_capture_ops->stream_destroyed(stream);
	if (stream->handle)
		mt_handle_destroy(stream->handle);
	if (!stream->legacy) {
		pthread_mutex_lock(&ctx->lock);
		*stream->link = stream->next;
		if (stream->next)
			stream->next->link = stream->link;
		pthread_mutex_unlock(&ctx->lock);
	}
	mt_command_writer_retire(stream->writer);
	mt_free(stream->attrs);
	pthread_mutex_destroy(&stream->lock);
	mt_free(stream);
}

static void end_thread(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < MT_DEVICES_MAX; i++) {
		if (!per_thread[i])
			continue;
		/* After fork and after the end of the library the handles mean nothing. */
		if (!mt_init())
			mt_stream_free(mt_handle_get(per_thread[i], MT_HANDLE_STREAM));
		per_thread[i] = 0;
	}
}

static void create_per_thread_key(void)
{
	per_thread_ready = !pthread_key_create(&per_thread_key, end_thread);
}

static MUresult get_per_thread(struct mt_ctx *ctx, struct mt_stream **stream_out)
{
	struct mt_stream *stream;
	MUresult ret;

	stream = mt_handle_get(per_thread[ctx->device], MT_HANDLE_STREAM);
	if (stream) {
		*stream_out = stream;
		return MUSA_SUCCESS;
	}
	pthread_once(&per_thread_once, create_per_thread_key);
	if (!per_thread_ready || pthread_setspecific(per_thread_key, per_thread))
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_stream_create_internal(ctx, MU_STREAM_DEFAULT, 0, false, true, &stream);
	if (ret)
		return ret;
	per_thread[ctx->device] = stream->handle;
	*stream_out = stream;
	return MUSA_SUCCESS;
}

MUresult mt_stream_get(struct mt_ctx *ctx, MUstream handle, bool per_thread_default,
		       struct mt_stream **stream_out)
{
	uint64_t value = (uint64_t)(uintptr_t)handle;
	struct mt_stream *stream;

	if (value == (uint64_t)(uintptr_t)MU_STREAM_PER_THREAD || (!value && per_thread_default))
		return get_per_thread(ctx, stream_out);
	if (!value || value == (uint64_t)(uintptr_t)MU_STREAM_LEGACY) {
		*stream_out = ctx->legacy;
		return MUSA_SUCCESS;
	}
	stream = mt_handle_get(value, MT_HANDLE_STREAM);
	if (!stream)
		return MUSA_ERROR_INVALID_HANDLE;
	*stream_out = stream;
	return MUSA_SUCCESS;
}

MUresult mt_stream_create(struct mt_ctx *ctx, unsigned int flags, int priority, MUstream *out)
{
	struct mt_stream *stream;
	MUresult ret;

	if (flags & ~(unsigned int)MU_STREAM_NON_BLOCKING)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_stream_create_internal(ctx, flags, priority, false, false, &stream);
	if (!ret)
		*out = (MUstream)(uintptr_t)stream->handle;
	return ret;
}

MUresult mt_stream_destroy(struct mt_stream *stream)
{
	if (stream->legacy || stream->per_thread)
		return MUSA_ERROR_INVALID_HANDLE;
	mt_stream_free(stream);
	return MUSA_SUCCESS;
}

/* What both synchronise and query ask first. */
static MUresult check_wait(struct mt_stream *stream, const char *api)
{
	if (mt_in_host_function())
		return MUSA_ERROR_NOT_PERMITTED;
	if (__builtin_expect(!atomic_load_explicit(&mt_capture_live, memory_order_acquire), 1))
		return MUSA_SUCCESS;
	if (atomic_load_explicit(&stream->capture, memory_order_acquire))
		return mt_capture_ops->refuse(stream, api);
	if (stream->legacy) {
		MUresult ret = mt_capture_ops->legacy(stream->ctx, api);

		if (ret)
			return ret;
	}
	return mt_capture_ops->unsafe(api);
}

/* The legacy stream's end includes the work of blocking streams that it would wait for. */
static MUresult gather_blocking(struct mt_stream *stream)
{
	struct mt_stream_work work;
	MUresult ret;

	if (!mt_stream_order_pending(stream))
		return MUSA_SUCCESS;
	ret = mt_stream_begin(stream, 0, 0, &work);
	return ret ? ret : mt_stream_end(stream, &work, work.at);
}

MUresult mt_stream_synchronize(struct mt_stream *stream)
{
	MUresult ret = check_wait(stream, "stream synchronize");
	uint64_t seq;
	int error = 0;

	if (!ret)
		ret = gather_blocking(stream);
	if (ret)
		return ret;
	seq = atomic_load_explicit(&stream->last_seq, memory_order_acquire);
	if (seq)
		error = mt_hw_queue_wait(atomic_load_explicit(&stream->queue, memory_order_acquire),
					 seq, -1);
	ret = mt_ctx_error(stream->ctx);
	if (!ret)
		ret = mt_result_from_errno(stream->ctx->hw, error);
	if (!ret)
		mt_memory_synced(stream->ctx);
	return ret;
}

MUresult mt_stream_query(struct mt_stream *stream)
{
	MUresult ret = check_wait(stream, "stream query");
	uint64_t seq;

	if (!ret)
		ret = gather_blocking(stream);
	if (!ret)
		ret = mt_ctx_error(stream->ctx);
	if (ret)
		return ret;
	seq = atomic_load_explicit(&stream->last_seq, memory_order_acquire);
	if (seq &&
	    mt_hw_queue_completed(atomic_load_explicit(&stream->queue, memory_order_acquire)) < seq)
		return MUSA_ERROR_NOT_READY;
	return MUSA_SUCCESS;
}
