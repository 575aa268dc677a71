/* SPDX-License-Identifier: MIT */
/* Threads that run host functions and stream callbacks on behalf of the devices. */
#include "drv/host.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "drv/capture.h"
#include "drv/stream.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"

#define THREADS_MAX   64u /* host functions of one device that may block at the same time */
#define STOP_LIMIT_MS 200 /* how long an exit waits for host functions that still run */

_Thread_local bool mt_host_inside __attribute__((tls_model("initial-exec")));

/* The threads of one device; all but `started` guarded by the lock. */
struct host_threads {
	uint32_t count, idle;
	_Atomic bool started;
	bool stopped;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER; /* a thread has gone */
static struct host_threads all_threads[MT_DEVICES_MAX];

void mt_host_call(void (*fn)(void *data), void *data)
{
	mt_host_inside = true;
	fn(data);
	mt_host_inside = false;
}

static void *run_calls(void *argument);

/* The lock is held. */
static int start_thread(struct mt_hw_device *hw)
{
	struct host_threads *threads = &all_threads[hw->index];
	sigset_t all, old;
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	if (pthread_attr_init(&attr))
		return ENOMEM;
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* Signals are the program's own threads' business. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&thread, &attr, run_calls, hw);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (error)
		return error;
	threads->count++;
	threads->idle++;
	return 0;
}

/* A call has arrived: if it took the last idle thread, another one must be ready for the next call,
 * which the one at hand may be waiting for. */
static void leave_idle(struct mt_hw_device *hw)
{
	struct host_threads *threads = &all_threads[hw->index];

	pthread_mutex_lock(&lock);
	threads->idle--;
	if (!threads->idle && !threads->stopped && threads->count < THREADS_MAX && start_thread(hw))
		mt_log(MT_LOG_WARN, "device %u: no thread for further host functions", hw->index);
	pthread_mutex_unlock(&lock);
}

static void enter_idle(struct mt_hw_device *hw)
{
	struct host_threads *threads = &all_threads[hw->index];

	pthread_mutex_lock(&lock);
	threads->idle++;
	pthread_mutex_unlock(&lock);
}

static void *run_calls(void *argument)
{
	struct mt_hw_device *hw = argument;
	struct host_threads *threads = &all_threads[hw->index];
	struct mt_hw_host_call call;

	while (!hw->ops->host_wait(hw, &call)) {
		leave_idle(hw);
		mt_host_call((void (*)(void *))(uintptr_t)call.fn, (void *)(uintptr_t)call.data);
		enter_idle(hw);
		hw->ops->host_done(hw, call.ticket);
	}
	pthread_mutex_lock(&lock);
	threads->count--;
	threads->idle--;
	pthread_cond_broadcast(&ended);
	pthread_mutex_unlock(&lock);
	return NULL;
}

MUresult mt_host_prepare(struct mt_ctx *ctx)
{
	struct host_threads *threads = &all_threads[ctx->hw->index];
	int error = 0;

	if (__builtin_expect(atomic_load_explicit(&threads->started, memory_order_acquire), 1))
		return MUSA_SUCCESS;
	pthread_mutex_lock(&lock);
	if (!threads->count)
		error = threads->stopped ? ESHUTDOWN : start_thread(ctx->hw);
	if (!error)
		atomic_store_explicit(&threads->started, true, memory_order_release);
	pthread_mutex_unlock(&lock);
	return error ? MUSA_ERROR_OPERATING_SYSTEM : MUSA_SUCCESS;
}

void mt_host_finish(struct mt_hw_device *hw)
{
	struct host_threads *threads = &all_threads[hw->index];
	struct timespec limit;

	hw->ops->host_stop(hw);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_nsec += STOP_LIMIT_MS * 1000000l;
	limit.tv_sec += limit.tv_nsec / 1000000000l;
	limit.tv_nsec %= 1000000000l;
	pthread_mutex_lock(&lock);
	threads->stopped = true;
	while (threads->count)
		if (pthread_cond_timedwait(&ended, &lock, &limit))
			break;
	pthread_mutex_unlock(&lock);
}

struct stream_callback {
	MUstreamCallback fn;
	MUstream stream;
	void *data;
	struct mt_ctx *ctx;
	struct stream_callback *next, **link; /* in `pending`; guarded by the lock */
};

/* Not called yet: those that a failed device never calls go with their context. */
static struct stream_callback *pending;

static void unlink_callback(struct stream_callback *call)
{
	*call->link = call->next;
	if (call->next)
		call->next->link = call->link;
}

static void add_pending(struct stream_callback *call)
{
	pthread_mutex_lock(&lock);
	call->link = &pending;
	call->next = pending;
	if (call->next)
		call->next->link = &call->next;
	pending = call;
	pthread_mutex_unlock(&lock);
}

static void drop_pending(struct stream_callback *call)
{
	pthread_mutex_lock(&lock);
	unlink_callback(call);
	pthread_mutex_unlock(&lock);
	mt_free(call);
}

static void run_callback(void *data)
{
	struct stream_callback *entry = data;
	struct stream_callback call = {
		.fn = entry->fn,
		.stream = entry->stream,
		.data = entry->data,
		.ctx = entry->ctx,
	};

	drop_pending(entry);
	call.fn(call.stream, mt_ctx_error(call.ctx), call.data);
}

void mt_host_forget(struct mt_ctx *ctx)
{
	struct stream_callback *call, *next;

	pthread_mutex_lock(&lock);
	for (call = pending; call; call = next) {
		next = call->next;
		if (call->ctx != ctx)
			continue;
		unlink_callback(call);
		mt_free(call);
	}
	pthread_mutex_unlock(&lock);
}

MUresult mt_stream_add_callback(struct mt_stream *stream, MUstreamCallback fn, void *data,
				const char *api)
{
	struct stream_callback *call;
	struct mt_op op = {.type = MT_OP_HOST};
	MUresult ret;

	if (!fn)
		return MUSA_ERROR_INVALID_VALUE;
	if (atomic_load_explicit(&stream->capture, memory_order_acquire))
		return mt_capture_ops->refuse(stream, api);
	call = mt_alloc(sizeof(*call));
	if (!call)
		return MUSA_ERROR_OUT_OF_MEMORY;
	*call = (struct stream_callback){
		.fn = fn,
		.stream = (MUstream)(uintptr_t)stream->handle,
		.data = data,
		.ctx = stream->ctx,
	};
	op.host.fn = run_callback;
	op.host.data = call;
	add_pending(call);
	ret = mt_stream_enqueue(stream, &op, api);
	if (ret)
		drop_pending(call);
	return ret;
}
