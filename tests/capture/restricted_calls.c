/* SPDX-License-Identifier: MIT */
/* Calls that a live capture restricts, by mode and thread, and those that it does not. */
#include <pthread.h>

#include "support.h"

static enum musaStreamCaptureStatus status_of(musaStream_t stream)
{
	enum musaStreamCaptureStatus status;

	OK(musaStreamIsCapturing(stream, &status));
	return status;
}

/* What a potentially unsafe call may need; made before any capture. */
struct things {
	musaStream_t other;
	musaEvent_t event;
	void *device, *pinned, *managed, *host;
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaArray_t array;
	musaMemPool_t pool;
};

static struct things make_things(void)
{
	struct things t;
	struct musaChannelFormatDesc desc = {32, 0, 0, 0, musaChannelFormatKindSigned};
	static char host[8192] __attribute__((aligned(4096)));

	t.other = t_stream();
	OK(musaEventCreate(&t.event));
	OK(musaEventRecord(t.event, t.other));
	OK(musaEventSynchronize(t.event));
	OK(musaMalloc(&t.device, 4096));
	OK(musaMallocHost(&t.pinned, 4096));
	OK(musaMallocManaged(&t.managed, 4096, musaMemAttachGlobal));
	t.host = host;
	OK(musaGraphCreate(&t.graph, 0));
	OK(musaGraphInstantiate(&t.exec, t.graph, 0));
	OK(musaMallocArray(&t.array, &desc, 16, 16, 0));
	OK(musaDeviceGetDefaultMemPool(&t.pool, 0));
	return t;
}

typedef musaError_t (*unsafe_call)(struct things *t);

#define CALL(name, expression)                                                                     \
	static musaError_t name(struct things *t)                                                  \
	{                                                                                          \
		void *out;                                                                         \
		size_t size;                                                                       \
		(void)t;                                                                           \
		(void)out;                                                                         \
		(void)size;                                                                        \
		return expression;                                                                 \
	}

CALL(call_malloc, musaMalloc(&out, 16))
CALL(call_free, musaFree(t->device))
CALL(call_malloc_host, musaMallocHost(&out, 16))
CALL(call_host_alloc, musaHostAlloc(&out, 16, 0))
CALL(call_free_host, musaFreeHost(t->pinned))
CALL(call_host_register, musaHostRegister(t->host, 4096, 0))
CALL(call_managed, musaMallocManaged(&out, 16, musaMemAttachGlobal))
CALL(call_pitch, musaMallocPitch(&out, &size, 16, 16))
CALL(call_malloc_async, musaMallocAsync(&out, 16, t->other))
CALL(call_free_array, musaFreeArray(t->array))
CALL(call_free_nothing, musaFree(NULL))
CALL(call_free_no_host, musaFreeHost(NULL))
CALL(call_malloc_async_nothing, musaMallocAsync(&out, 0, t->other))
CALL(call_set_pool, musaDeviceSetMemPool(0, t->pool))
CALL(call_pool_get, musaMemPoolGetAttribute(t->pool, musaMemPoolAttrReleaseThreshold, &size))
CALL(call_pool_set,
     (size = 0, musaMemPoolSetAttribute(t->pool, musaMemPoolAttrReleaseThreshold, &size)))
CALL(call_attach, musaStreamAttachMemAsync(t->other, t->managed, 0, musaMemAttachSingle))
CALL(call_trim, musaMemPoolTrimTo(t->pool, 0))
CALL(call_limit, musaDeviceSetLimit(musaLimitStackSize, 4096))
CALL(call_sync_other, musaStreamSynchronize(t->other))
CALL(call_query_other, musaStreamQuery(t->other))
CALL(call_event_query, musaEventQuery(t->event))
CALL(call_event_sync, musaEventSynchronize(t->event))
CALL(call_exec_destroy, musaGraphExecDestroy(t->exec))

static musaError_t call_instantiate(struct things *t)
{
	musaGraphExec_t exec;

	return musaGraphInstantiate(&exec, t->graph, 0);
}

static musaError_t call_cache_config(struct things *t)
{
	(void)t;
	return musaDeviceSetCacheConfig(musaFuncCachePreferNone);
}

static const struct {
	const char *name;
	unsafe_call call;
} unsafe_calls[] = {
	{"musaMalloc", call_malloc},
	{"musaFree", call_free},
	{"musaMallocHost", call_malloc_host},
	{"musaHostAlloc", call_host_alloc},
	{"musaFreeHost", call_free_host},
	{"musaHostRegister", call_host_register},
	{"musaMallocManaged", call_managed},
	{"musaMallocPitch", call_pitch},
	{"musaMallocAsync on another stream", call_malloc_async},
	{"musaFreeArray", call_free_array},
	{"musaFree of NULL", call_free_nothing},
	{"musaFreeHost of NULL", call_free_no_host},
	{"musaMallocAsync of nothing on another stream", call_malloc_async_nothing},
	{"musaDeviceSetMemPool", call_set_pool},
	{"musaMemPoolGetAttribute", call_pool_get},
	{"musaMemPoolSetAttribute", call_pool_set},
	{"musaStreamAttachMemAsync on another stream", call_attach},
	{"musaMemPoolTrimTo", call_trim},
	{"musaDeviceSetLimit", call_limit},
	{"musaDeviceSetCacheConfig", call_cache_config},
	{"musaStreamSynchronize of another stream", call_sync_other},
	{"musaStreamQuery of another stream", call_query_other},
	{"musaEventQuery", call_event_query},
	{"musaEventSynchronize", call_event_sync},
	{"musaGraphInstantiate", call_instantiate},
	{"musaGraphExecDestroy", call_exec_destroy},
};
#define UNSAFE_COUNT (sizeof(unsafe_calls) / sizeof(unsafe_calls[0]))

/* Global and thread-local captures of the thread refuse each call and are spoilt by it. */
Test(restricted, unsafe_calls_are_refused_in_strict_modes)
{
	struct things t = make_things();
	musaStream_t s = t_stream();
	musaGraph_t graph;

	for (int mode = musaStreamCaptureModeGlobal; mode <= musaStreamCaptureModeThreadLocal; mode++)
		for (size_t i = 0; i < UNSAFE_COUNT; i++) {
			musaError_t error;

			OK(musaStreamBeginCapture(s, (enum musaStreamCaptureMode)mode));
			error = unsafe_calls[i].call(&t);
			cr_assert_eq(error, musaErrorStreamCaptureUnsupported, "%s in mode %d gives %s",
				     unsafe_calls[i].name, mode, musaGetErrorName(error));
			EQ(status_of(s), musaStreamCaptureStatusInvalidated);
			EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
		}
}

/* Requests for nothing do nothing, in every mode: no error, no node. */
Test(restricted, nothing_is_always_allowed)
{
	int *words = t_ints(4), host[1];
	musaStream_t s = t_stream();
	musaGraph_t graph;
	size_t pitch, count;
	void *memory;

	for (int mode = musaStreamCaptureModeGlobal; mode <= musaStreamCaptureModeRelaxed; mode++) {
		OK(musaStreamBeginCapture(s, (enum musaStreamCaptureMode)mode));
		OK(musaMalloc(&memory, 0));
		OK(musaMallocHost(&memory, 0));
		OK(musaMallocPitch(&memory, &pitch, 0, 4));
		OK(musaMallocAsync(&memory, 0, s));
		OK(musaFreeAsync(NULL, s));
		OK(musaMemcpyAsync(words, host, 0, musaMemcpyDefault, s));
		OK(musaMemcpyPeerAsync(words, 0, words + 1, 0, 0, s));
		EQ(status_of(s), musaStreamCaptureStatusActive);
		OK(musaStreamEndCapture(s, &graph));
		OK(musaGraphGetNodes(graph, NULL, &count));
		EQ(count, 0u);
		OK(musaGraphDestroy(graph));
	}
}

/* What is no kernel is an error of its own in a capture, which goes on. */
Test(restricted, launch_of_no_kernel)
{
	static const char no_kernel;
	musaStream_t s = t_stream();
	dim3 one = {1, 1, 1};
	musaGraph_t graph;

	EXPECT(musaErrorInvalidDeviceFunction, musaLaunchKernel(&no_kernel, one, one, NULL, 0, s));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorInvalidResourceHandle, musaLaunchKernel(&no_kernel, one, one, NULL, 0, s));
	EXPECT(musaErrorInvalidDeviceFunction, musaLaunchKernel(NULL, one, one, NULL, 0, s));
	EQ(status_of(s), musaStreamCaptureStatusActive);
	OK(musaStreamEndCapture(s, &graph));
	OK(musaGraphDestroy(graph));
}

/* A relaxed capture, or a thread in relaxed mode, refuses none of them. */
Test(restricted, relaxed_refuses_none)
{
	musaStream_t s = t_stream();
	enum musaStreamCaptureMode mode;
	musaGraph_t graph;

	for (int by_thread = 0; by_thread < 2; by_thread++) {
		struct things t = make_things();

		mode = musaStreamCaptureModeRelaxed;
		if (by_thread)
			OK(musaThreadExchangeStreamCaptureMode(&mode));
		OK(musaStreamBeginCapture(s, by_thread ? musaStreamCaptureModeGlobal
						       : musaStreamCaptureModeRelaxed));
		for (size_t i = 0; i < UNSAFE_COUNT; i++) {
			musaError_t error = unsafe_calls[i].call(&t);

			cr_assert_eq(error, musaSuccess, "%s gives %s", unsafe_calls[i].name,
				     musaGetErrorName(error));
		}
		EQ(status_of(s), musaStreamCaptureStatusActive);
		OK(musaStreamEndCapture(s, &graph));
		OK(musaHostUnregister(t.host));
	}
}

/* A poll by another thread: what it does depends on both modes (reported case). */
struct poll {
	musaEvent_t event;
	int mode; /* -1: the default */
	musaError_t error;
};

static void *poll_event(void *data)
{
	struct poll *poll = data;
	enum musaStreamCaptureMode mode = (enum musaStreamCaptureMode)poll->mode;

	if (poll->mode >= 0)
		musaThreadExchangeStreamCaptureMode(&mode);
	poll->error = musaEventQuery(poll->event);
	return NULL;
}

static musaError_t poll_elsewhere(musaEvent_t event, int mode)
{
	struct poll poll = {.event = event, .mode = mode};
	pthread_t thread;

	pthread_create(&thread, NULL, poll_event, &poll);
	pthread_join(thread, NULL);
	return poll.error;
}

Test(restricted, polling_from_another_thread)
{
	struct things t = make_things();
	musaStream_t s = t_stream();
	musaEvent_t captured;
	musaGraph_t graph;

	OK(musaEventCreate(&captured));
	for (int round = 0; round < 20; round++) {
		OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
		EXPECT(musaErrorStreamCaptureUnsupported, poll_elsewhere(t.event, -1));
		EQ(status_of(s), musaStreamCaptureStatusInvalidated);
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));

		OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
		OK(poll_elsewhere(t.event, musaStreamCaptureModeThreadLocal));
		OK(poll_elsewhere(t.event, musaStreamCaptureModeRelaxed));
		OK(musaStreamEndCapture(s, &graph));
		OK(musaGraphDestroy(graph));

		OK(musaStreamBeginCapture(s, musaStreamCaptureModeThreadLocal));
		OK(poll_elsewhere(t.event, -1));
		OK(musaStreamEndCapture(s, &graph));
		OK(musaGraphDestroy(graph));

		OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
		OK(musaEventRecord(captured, s));
		EXPECT(musaErrorCapturedEvent,
		       poll_elsewhere(captured, musaStreamCaptureModeRelaxed));
		EQ(status_of(s), musaStreamCaptureStatusInvalidated);
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
	}
}

/* The thread's mode is swapped, starts as global, and refuses nonsense. */
Test(restricted, exchange_swaps_the_thread_mode)
{
	enum musaStreamCaptureMode mode = musaStreamCaptureModeRelaxed;

	OK(musaThreadExchangeStreamCaptureMode(&mode));
	EQ(mode, musaStreamCaptureModeGlobal);
	mode = musaStreamCaptureModeThreadLocal;
	OK(musaThreadExchangeStreamCaptureMode(&mode));
	EQ(mode, musaStreamCaptureModeRelaxed);
	mode = (enum musaStreamCaptureMode)3;
	EXPECT(musaErrorInvalidValue, musaThreadExchangeStreamCaptureMode(&mode));
	EXPECT(musaErrorInvalidValue, musaThreadExchangeStreamCaptureMode(NULL));
}

/* Waiting for the device, or for a capturing stream, is refused in every mode. */
Test(restricted, synchronising_captured_work_is_refused_in_every_mode)
{
	musaStream_t s = t_stream();
	musaGraph_t graph;

	for (int mode = 0; mode < 3; mode++) {
		OK(musaStreamBeginCapture(s, (enum musaStreamCaptureMode)mode));
		EXPECT(musaErrorStreamCaptureUnsupported, musaDeviceSynchronize());
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
		OK(musaStreamBeginCapture(s, (enum musaStreamCaptureMode)mode));
		EXPECT(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(s));
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
		OK(musaStreamBeginCapture(s, (enum musaStreamCaptureMode)mode));
		EXPECT(musaErrorStreamCaptureUnsupported, musaStreamQuery(s));
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
	}
}

/* The legacy stream is off limits while a blocking stream captures, and only then. */
Test(restricted, legacy_stream_and_blocking_captures)
{
	musaStream_t blocking, free_stream = t_stream();
	int *value = t_ints(1), host = 0;
	void *args[] = {&value};
	musaEvent_t event;
	musaGraph_t graph;
	enum musaStreamCaptureStatus status;
	musaError_t error;

	OK(musaStreamCreate(&blocking));
	OK(musaEventCreate(&event));
	for (int call = 0; call < 7; call++) {
		OK(musaStreamBeginCapture(blocking, musaStreamCaptureModeRelaxed));
		switch (call) {
		case 0:
			error = t_launch(kernel_inc, args, NULL);
			break;
		case 1:
			error = musaMemcpy(&host, value, 4, musaMemcpyDeviceToHost);
			break;
		case 2:
			error = musaMemset(value, 0, 4);
			break;
		case 3:
			error = musaMemcpyAsync(value, value, 4, musaMemcpyDeviceToDevice, NULL);
			break;
		case 4:
			error = musaEventRecord(event, NULL);
			break;
		case 5:
			error = musaStreamSynchronize(NULL);
			break;
		default:
			error = musaStreamQuery(NULL);
			break;
		}
		cr_assert_eq(error, musaErrorStreamCaptureImplicit, "call %d gives %s", call,
			     musaGetErrorName(error));
		EQ(status_of(blocking), musaStreamCaptureStatusInvalidated);
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(blocking, &graph));
	}

	OK(musaStreamBeginCapture(blocking, musaStreamCaptureModeGlobal));
	EXPECT(musaErrorStreamCaptureImplicit, musaStreamIsCapturing(NULL, &status));
	EXPECT(musaErrorStreamCaptureImplicit,
	       musaStreamGetCaptureInfo_v2(NULL, &status, NULL, NULL, NULL, NULL));
	EQ(status_of(blocking), musaStreamCaptureStatusActive);
	OK(musaStreamEndCapture(blocking, &graph));

	OK(musaStreamBeginCapture(free_stream, musaStreamCaptureModeGlobal));
	OK(t_launch(kernel_inc, args, NULL));
	OK(musaMemcpy(&host, value, 4, musaMemcpyDeviceToHost));
	EQ(host, 1);
	EXPECT(musaErrorStreamCaptureUnsupported, musaStreamSynchronize(NULL));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(free_stream, &graph));
}

/* A blocking stream that was forked into the capture counts as well. */
Test(restricted, forked_blocking_stream_closes_the_legacy_stream)
{
	musaStream_t s = t_stream(), blocking;
	int *value = t_ints(1);
	void *args[] = {&value};
	musaEvent_t event;
	musaGraph_t graph;

	OK(musaStreamCreate(&blocking));
	OK(musaEventCreate(&event));
	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(t_launch(kernel_inc, args, NULL));
	OK(musaEventRecord(event, s));
	EXPECT(musaErrorStreamCaptureImplicit, musaStreamWaitEvent(NULL, event, 0));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaEventRecord(event, s));
	OK(musaStreamWaitEvent(blocking, event, 0));
	EXPECT(musaErrorStreamCaptureImplicit, t_launch(kernel_inc, args, NULL));
	EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
}

static void host_fn(void *data)
{
	(void)data;
}

static void MUSART_CB callback(musaStream_t stream, musaError_t status, void *data)
{
	(void)stream;
	(void)status;
	(void)data;
}

/* Operations that cannot be captured. */
Test(restricted, operations_that_cannot_be_captured)
{
	struct things t = make_things();
	musaStream_t s = t_stream();
	musaGraph_t graph;

	for (int call = 0; call < 7; call++) {
		musaError_t error;

		OK(musaStreamBeginCapture(s, musaStreamCaptureModeRelaxed));
		switch (call) {
		case 0:
			error = musaGraphLaunch(t.exec, s);
			break;
		case 1:
			error = musaGraphUpload(t.exec, s);
			break;
		case 5: /* the stream is looked at before the exec */
			error = musaGraphLaunch(NULL, s);
			break;
		case 6:
			error = musaGraphUpload(NULL, s);
			break;
		case 2:
			error = musaStreamAddCallback(s, callback, NULL, 0);
			break;
		case 3:
			error = musaMemPrefetchAsync(t.device, 16, 0, s);
			break;
		default:
			error = musaMemcpyPeerAsync(t.device, 0, t.device, 0, 16, s);
			break;
		}
		cr_assert_eq(error, musaErrorStreamCaptureUnsupported, "call %d gives %s", call,
			     musaGetErrorName(error));
		EQ(status_of(s), musaStreamCaptureStatusInvalidated);
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(s, &graph));
	}
}

/* What stays allowed in the strictest mode. */
Test(restricted, allowed_calls_leave_the_capture_alone)
{
	struct things t = make_things();
	musaStream_t s = t_stream(), made;
	int *value = t_ints(1);
	void *args[] = {&value};
	struct musaPointerAttributes attributes;
	unsigned int flags;
	unsigned long long id;
	size_t free_b, total_b;
	musaGraph_t graph, other, clone;
	musaGraphNode_t node;
	musaEvent_t event;
	int device;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(t_launch(kernel_inc, args, t.other));
	OK(musaEventRecord(t.event, t.other));
	OK(musaStreamCreateWithFlags(&made, musaStreamNonBlocking));
	OK(musaStreamDestroy(made));
	OK(musaEventCreate(&event));
	OK(musaEventDestroy(event));
	OK(musaGraphCreate(&other, 0));
	OK(musaGraphAddEmptyNode(&node, other, NULL, 0));
	OK(musaGraphClone(&clone, other));
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(other));
	OK(musaGraphLaunch(t.exec, t.other));
	OK(musaMemGetInfo(&free_b, &total_b));
	OK(musaPointerGetAttributes(&attributes, value));
	OK(musaStreamGetFlags(s, &flags));
	OK(musaStreamGetId(s, &id));
	OK(musaStreamGetDevice(s, &device));
	OK(musaSetDevice(0));
	OK(musaDeviceGraphMemTrim(0));
	OK(musaLaunchHostFunc(s, host_fn, NULL));
	EQ(status_of(s), musaStreamCaptureStatusActive);
	OK(musaStreamEndCapture(s, &graph));
	OK(musaStreamSynchronize(t.other));
	EQ(t_read(value), 1);
}
