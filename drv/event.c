/* SPDX-License-Identifier: MIT */
/*
 * Events: records and waits as packets on the event's own semaphore, and the pool that makes
 * creating one cheap. A semaphore passes from one event to the next without ever sinking, so that
 * a wait or a signal that is still in some queue is harmless to the next owner.
 */
#include "drv/event.h"

#include "drv/capture.h"
#include "drv/host.h"
#include "drv/memory.h"
#include "drv/stream_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

#define EVENT_FLAGS (MU_EVENT_BLOCKING_SYNC | MU_EVENT_DISABLE_TIMING | MU_EVENT_INTERPROCESS)

struct mt_event_pool {
	pthread_mutex_t lock;   /* guards what follows */
	struct mt_event *live;  /* with a handle or references */
	struct mt_event *spare; /* owned: free ones, with their semaphores */
};

/* Guards event->ctx against the context's end while the last reference goes. */
static pthread_mutex_t orphan_lock = PTHREAD_MUTEX_INITIALIZER;

MUresult mt_event_pool_create(struct mt_ctx *ctx)
{
	struct mt_event_pool *pool = mt_calloc(1, sizeof(*pool));

	if (!pool)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (pthread_mutex_init(&pool->lock, NULL)) {
		mt_free(pool);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	ctx->events = pool;
	return MUSA_SUCCESS;
}

static void link_event(struct mt_event **head, struct mt_event *event)
{
	event->link = head;
	event->next = *head;
	if (event->next)
		event->next->link = &event->next;
	*head = event;
}

static void unlink_event(struct mt_event *event)
{
	*event->link = event->next;
	if (event->next)
		event->next->link = event->link;
}

void mt_event_pool_destroy(struct mt_ctx *ctx)
{
	struct mt_event_pool *pool = ctx->events;
	struct mt_event *event, *next;

	if (!pool)
		return;
	pthread_mutex_lock(&orphan_lock);
	for (event = pool->live; event; event = next) {
		next = event->next;
		ctx->hw->ops->semaphore_destroy(&event->semaphore);
		event->semaphore = (struct mt_hw_semaphore){0};
		event->ctx = NULL;
		/* The handle's reference ends with the handle; nodes and execs may hold others. */
		if (event->handle) {
			mt_handle_destroy(event->handle);
			event->handle = 0;
			if (atomic_fetch_sub(&event->refs, 1) == 1)
				mt_free(event);
		}
	}
	for (event = pool->spare; event; event = next) {
		next = event->next;
		ctx->hw->ops->semaphore_destroy(&event->semaphore);
		mt_free(event);
	}
	ctx->events = NULL;
	pthread_mutex_unlock(&orphan_lock);
	pthread_mutex_destroy(&pool->lock);
	mt_free(pool);
}

static struct mt_event *take_spare(struct mt_event_pool *pool)
{
	struct mt_event *event;

	pthread_mutex_lock(&pool->lock);
	event = pool->spare;
	if (event)
		unlink_event(event);
	pthread_mutex_unlock(&pool->lock);
	return event;
}

static void put_spare(struct mt_event_pool *pool, struct mt_event *event)
{
	pthread_mutex_lock(&pool->lock);
	link_event(&pool->spare, event);
	pthread_mutex_unlock(&pool->lock);
}

static MUresult create_event(struct mt_ctx *ctx, struct mt_event **event_out)
{
	struct mt_event *event = mt_calloc(1, sizeof(*event));
	int error;

	if (!event)
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = ctx->hw->ops->semaphore_create(ctx->hw, &event->semaphore);
	if (error) {
		mt_free(event);
		return mt_result_from_errno(ctx->hw, error);
	}
	event->ctx = ctx;
	*event_out = event;
	return MUSA_SUCCESS;
}

MUresult mt_event_create(struct mt_ctx *ctx, unsigned int flags, MUevent *out)
{
	struct mt_event_pool *pool = ctx->events;
	struct mt_event *event;
	MUresult ret = MUSA_SUCCESS;

	if (flags & ~(unsigned int)EVENT_FLAGS)
		return MUSA_ERROR_INVALID_VALUE;
	if ((flags & MU_EVENT_INTERPROCESS) && !(flags & MU_EVENT_DISABLE_TIMING))
		return MUSA_ERROR_INVALID_VALUE;
	event = take_spare(pool);
	if (!event)
		ret = create_event(ctx, &event);
	if (ret)
		return ret;
	event->handle = mt_handle_create(MT_HANDLE_EVENT, event);
	if (!event->handle) {
		put_spare(pool, event);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	event->flags = flags;
	event->base = event->recorded ? event->recorded : event->base;
	atomic_store_explicit(&event->recorded, 0, memory_order_relaxed);
	atomic_store_explicit(&event->refs, 1, memory_order_relaxed);
	pthread_mutex_lock(&pool->lock);
	link_event(&pool->live, event);
	pthread_mutex_unlock(&pool->lock);
	*out = (MUevent)(uintptr_t)event->handle;
	return MUSA_SUCCESS;
}

MUresult mt_event_get(MUevent handle, struct mt_event **event_out)
{
	struct mt_event *event = mt_handle_get((uint64_t)(uintptr_t)handle, MT_HANDLE_EVENT);

	if (!event)
		return MUSA_ERROR_INVALID_HANDLE;
	*event_out = event;
	return MUSA_SUCCESS;
}

void mt_event_ref(struct mt_event *event)
{
	atomic_fetch_add_explicit(&event->refs, 1, memory_order_relaxed);
}

void mt_event_unref(struct mt_event *event)
{
	struct mt_event_pool *pool;

	if (atomic_fetch_sub_explicit(&event->refs, 1, memory_order_acq_rel) != 1)
		return;
	if (atomic_load_explicit(&event->capture, memory_order_acquire))
		mt_capture_ops->event_destroyed(event);
	pthread_mutex_lock(&orphan_lock);
	if (!event->ctx) {
		mt_free(event);
	} else {
		pool = event->ctx->events;
		pthread_mutex_lock(&pool->lock);
		unlink_event(event);
		link_event(&pool->spare, event);
		pthread_mutex_unlock(&pool->lock);
	}
	pthread_mutex_unlock(&orphan_lock);
}

MUresult mt_event_destroy(struct mt_event *event)
{
	mt_handle_destroy(event->handle);
	event->handle = 0;
	mt_event_unref(event);
	return MUSA_SUCCESS;
}

uint64_t mt_event_next_record(struct mt_event *event)
{
	uint64_t old = atomic_load_explicit(&event->recorded, memory_order_relaxed);
	uint64_t number;

	do
		number = (old ? old : event->base) + 1;
	while (!atomic_compare_exchange_weak(&event->recorded, &old, number));
	return number;
}

void mt_event_cancel_record(struct mt_event *event, uint64_t number)
{
	uint64_t expected = number;
	uint64_t before = number - 1 == event->base ? 0 : number - 1;

	/* A later record has been numbered already: what waits for this one must not hang. */
	if (!atomic_compare_exchange_strong(&event->recorded, &expected, before))
		event->semaphore.dev->ops->semaphore_signal(&event->semaphore, number);
}

static uint8_t signal_flags(const struct mt_event *event)
{
	uint8_t flags = MT_PKT_RELEASE | MT_PKT_SIGNAL_MAX;

	return event->flags & MU_EVENT_DISABLE_TIMING ? flags : flags | MT_PKT_SIGNAL_TIMESTAMP;
}

/* The checks that record and wait share. */
static MUresult check_flags(struct mt_stream *stream, struct mt_event *event, unsigned int flags)
{
	if (flags & ~1u)
		return MUSA_ERROR_INVALID_VALUE;
	if (!event->ctx)
		return MUSA_ERROR_INVALID_HANDLE;
	/* Only a graph can hold the node that the external flag asks for. */
	if (flags && !atomic_load_explicit(&stream->capture, memory_order_acquire))
		return MUSA_ERROR_ILLEGAL_STATE;
	return MUSA_SUCCESS;
}

static bool has_capture(struct mt_stream *stream, struct mt_event *event)
{
	return atomic_load_explicit(&stream->capture, memory_order_acquire) ||
	       atomic_load_explicit(&event->capture, memory_order_acquire);
}

MUresult mt_event_record(struct mt_event *event, struct mt_stream *stream, unsigned int flags,
			 const char *api)
{
	MUresult ret = check_flags(stream, event, flags);
	struct mt_stream_work work;
	bool handled = false;
	uint64_t number;
	void *end;

	if (!ret && event->ctx != stream->ctx)
		ret = MUSA_ERROR_INVALID_HANDLE;
	if (!ret)
		ret = mt_stream_check_use(stream, api);
	if (!ret && has_capture(stream, event))
		ret = mt_capture_ops->event_record(stream, event, flags, api, &handled);
	if (ret || handled)
		return ret;
	ret = mt_stream_begin(stream, sizeof(struct mt_pkt_signal), 0, &work);
	if (ret)
		return ret;
	number = mt_event_next_record(event);
	end = mt_pkt_put_signal(work.at, signal_flags(event), MT_PKT_NODE_NONE, event->semaphore.va,
				number);
	ret = mt_stream_end(stream, &work, end);
	if (ret)
		mt_event_cancel_record(event, number);
	return ret;
}

static bool reached(const struct mt_event *event, uint64_t number)
{
	return atomic_load_explicit(event->semaphore.value, memory_order_acquire) >= number;
}

MUresult mt_event_reach(struct mt_event *event, struct mt_ctx *ctx)
{
	return mt_stream_reach(ctx, &event->semaphore);
}

MUresult mt_stream_wait_event(struct mt_stream *stream, struct mt_event *event, unsigned int flags,
			      const char *api)
{
	MUresult ret = check_flags(stream, event, flags);
	struct mt_stream_work work;
	bool handled = false;
	uint64_t number;
	void *end;

	if (!ret)
		ret = mt_stream_check_use(stream, api);
	if (!ret && has_capture(stream, event))
		ret = mt_capture_ops->event_wait(stream, event, flags, api, &handled);
	if (ret || handled)
		return ret;
	number = atomic_load_explicit(&event->recorded, memory_order_acquire);
	if (!number || reached(event, number))
		return MUSA_SUCCESS;
	ret = mt_event_reach(event, stream->ctx);
	if (ret)
		return ret;
	ret = mt_stream_begin(stream, sizeof(struct mt_pkt_wait), 0, &work);
	if (ret)
		return ret;
	end = mt_pkt_put_wait(work.at, MT_PKT_ACQUIRE, MT_PKT_NODE_NONE, event->semaphore.va,
			      number);
	return mt_stream_end(stream, &work, end);
}

static MUresult check_use(struct mt_event *event, const char *api)
{
	if (mt_in_host_function())
		return MUSA_ERROR_NOT_PERMITTED;
	if (!event->ctx)
		return MUSA_ERROR_INVALID_HANDLE;
	if (atomic_load_explicit(&mt_capture_live, memory_order_acquire) ||
	    atomic_load_explicit(&event->capture, memory_order_acquire))
		return mt_capture_ops->event_use(event, api);
	return MUSA_SUCCESS;
}

MUresult mt_event_query(struct mt_event *event)
{
	MUresult ret = check_use(event, "event query");

	if (ret)
		return ret;
	ret = mt_ctx_error(event->ctx);
	if (ret)
		return ret;
	return reached(event, atomic_load_explicit(&event->recorded, memory_order_acquire))
		       ? MUSA_SUCCESS
		       : MUSA_ERROR_NOT_READY;
}

MUresult mt_event_synchronize(struct mt_event *event)
{
	MUresult ret = check_use(event, "event synchronize");
	uint64_t number;
	int error = 0;

	if (ret)
		return ret;
	number = atomic_load_explicit(&event->recorded, memory_order_acquire);
	if (!reached(event, number))
		error = event->ctx->hw->ops->semaphore_wait(&event->semaphore, number, -1);
	ret = mt_ctx_error(event->ctx);
	if (!ret)
		ret = mt_result_from_errno(event->ctx->hw, error);
	if (!ret)
		mt_memory_synced(event->ctx);
	return ret;
}

/* An event recorded in a capture has no time. */
static MUresult check_elapsed(struct mt_event *event)
{
	if (!atomic_load_explicit(&event->capture, memory_order_acquire))
		return MUSA_SUCCESS;
	return mt_capture_ops->event_elapsed(event);
}

MUresult mt_event_elapsed(struct mt_event *start, struct mt_event *end, float *ms_out)
{
	uint64_t first, last;
	MUresult ret;

	if (!start->ctx || start->ctx != end->ctx)
		return MUSA_ERROR_INVALID_HANDLE;
	ret = check_elapsed(start);
	if (!ret)
		ret = check_elapsed(end);
	if (ret)
		return ret;
	first = atomic_load_explicit(&start->recorded, memory_order_acquire);
	last = atomic_load_explicit(&end->recorded, memory_order_acquire);
	if (!first || !last || ((start->flags | end->flags) & MU_EVENT_DISABLE_TIMING))
		return MUSA_ERROR_INVALID_HANDLE;
	ret = mt_ctx_error(start->ctx);
	if (ret)
		return ret;
	if (!reached(start, first) || !reached(end, last))
		return MUSA_ERROR_NOT_READY;
	first = atomic_load_explicit(&start->semaphore.value[1], memory_order_relaxed);
	last = atomic_load_explicit(&end->semaphore.value[1], memory_order_relaxed);
	*ms_out = (float)((double)(int64_t)(last - first) / 1e6);
	return MUSA_SUCCESS;
}
