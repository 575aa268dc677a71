/* SPDX-License-Identifier: MIT */
/* What streams promise, seen by what their kernels do on the mock GPU. */
#include "device.h"

#include <pthread.h>

TestSuite(drv_stream_order, .init = device_open, .fini = device_close, .timeout = 60);

static struct device_log log;

/* Work of one stream runs in the order of its calls. */
Test(drv_stream_order, one_stream_is_in_order)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);

	for (uint32_t i = 0; i < 2000; i++)
		OK(device_append(stream, &log, i));
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(log.count, 2000);
	for (uint32_t i = 0; i < 2000; i++)
		cr_assert_eq(log.ids[i], i);
}

/* A stream takes 1,024 launches while a host function blocks it; another stream goes on. */
Test(drv_stream_order, blocked_stream_takes_1024_launches)
{
	struct mt_stream *blocked = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_stream *other = device_stream(MU_STREAM_NON_BLOCKING);
	static _Atomic uint64_t first, second;
	struct device_gate gate = {0};

	OK(device_hold(blocked, &gate));
	for (int i = 0; i < 1024; i++)
		OK(device_add(blocked, &first));
	for (int i = 0; i < 100; i++)
		OK(device_add(other, &second));
	OK(mt_stream_synchronize(other));
	cr_assert_eq(second, 100);
	cr_assert_eq(first, 0);
	EXPECT(MUSA_ERROR_NOT_READY, mt_stream_query(blocked));
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(blocked));
	cr_assert_eq(first, 1024);
	OK(mt_stream_query(blocked));
}

/* Blocking streams and the legacy stream wait for each other, a non-blocking one for neither. */
Test(drv_stream_order, legacy_stream_is_ordered_with_blocking_ones)
{
	struct mt_stream *blocking = device_stream(MU_STREAM_DEFAULT);
	struct mt_stream *free_one = device_stream(MU_STREAM_NON_BLOCKING);
	struct device_gate gate = {0};

	OK(device_hold(blocking, &gate));
	OK(device_append(blocking, &log, 1));
	OK(device_append(device_ctx->legacy, &log, 2));
	OK(device_append(blocking, &log, 3));
	OK(device_append(free_one, &log, 4));
	OK(mt_stream_synchronize(free_one));
	cr_assert_eq(log.count, 1);
	EXPECT(MUSA_ERROR_NOT_READY, mt_stream_query(device_ctx->legacy));
	atomic_store(&gate.open, 1);
	OK(mt_ctx_synchronize(device_ctx));
	cr_assert_eq(log.count, 4);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(log.ids[i], i ? i : 4);
}

/* Waiting for the legacy stream includes the work of blocking streams. */
Test(drv_stream_order, legacy_synchronize_includes_blocking_streams)
{
	struct mt_stream *blocking = device_stream(MU_STREAM_DEFAULT);
	struct device_gate gate = {0};
	static _Atomic uint64_t done;

	OK(device_hold(blocking, &gate));
	OK(device_add(blocking, &done));
	EXPECT(MUSA_ERROR_NOT_READY, mt_stream_query(device_ctx->legacy));
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(device_ctx->legacy));
	cr_assert_eq(done, 1);
}

/* Work goes on after its stream has been destroyed. */
Test(drv_stream_order, destroyed_stream_finishes_its_work)
{
	static _Atomic uint64_t done;
	struct device_gate gate = {0};

	for (int i = 0; i < 20; i++) {
		struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);

		if (!i)
			OK(device_hold(stream, &gate));
		OK(device_add(stream, &done));
		OK(mt_stream_destroy(stream));
	}
	atomic_store(&gate.open, 1);
	OK(mt_ctx_synchronize(device_ctx));
	cr_assert_eq(done, 20);
}

struct thread {
	pthread_t id;
	MUstream mine;
	_Atomic uint64_t *done;
};

static void *use_own_stream(void *argument)
{
	struct thread *thread = argument;
	struct mt_stream *stream, *again;

	OK(mt_stream_get(device_ctx, MU_STREAM_PER_THREAD, false, &stream));
	OK(mt_stream_get(device_ctx, 0, true, &again));
	cr_assert_eq(stream, again);
	cr_assert(stream->per_thread);
	thread->mine = (MUstream)(uintptr_t)stream->handle;
	for (int i = 0; i < 100; i++)
		OK(device_add(stream, thread->done));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_stream_destroy(stream));
	return NULL;
}

/* Each thread has a stream of its own, a blocking one, which ends with it; its work does not. */
Test(drv_stream_order, per_thread_streams)
{
	static _Atomic uint64_t done;
	struct thread threads[4];
	struct device_gate gate = {0};
	struct mt_stream *stream;

	OK(device_hold(device_ctx->legacy, &gate));
	for (int i = 0; i < 4; i++) {
		threads[i].done = &done;
		pthread_create(&threads[i].id, NULL, use_own_stream, &threads[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i].id, NULL);
	cr_assert_eq(done, 0);
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < i; j++)
			cr_assert_neq(threads[i].mine, threads[j].mine);
		EXPECT(MUSA_ERROR_INVALID_HANDLE,
		       mt_stream_get(device_ctx, threads[i].mine, false, &stream));
	}
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(device_ctx->legacy));
	OK(mt_ctx_synchronize(device_ctx));
	cr_assert_eq(done, 400);
}

/* Priorities are clamped to the device's range, flags are checked, handles go stale. */
Test(drv_stream_order, creation)
{
	struct mt_stream *stream;
	MUstream handle;

	OK(mt_stream_create(device_ctx, MU_STREAM_NON_BLOCKING, -1000, &handle));
	OK(mt_stream_get(device_ctx, handle, false, &stream));
	cr_assert_eq(stream->priority, device_ctx->hw->info.priority_greatest);
	OK(mt_stream_destroy(stream));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_stream_get(device_ctx, handle, false, &stream));
	OK(mt_stream_create(device_ctx, MU_STREAM_DEFAULT, 1000, &handle));
	OK(mt_stream_get(device_ctx, handle, false, &stream));
	cr_assert_eq(stream->priority, device_ctx->hw->info.priority_least);
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_stream_create(device_ctx, 2, 0, &handle));
	EXPECT(MUSA_ERROR_INVALID_HANDLE,
	       mt_stream_get(device_ctx, (MUstream)(uintptr_t)0x1234, false, &stream));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_stream_destroy(device_ctx->legacy));
}

/* A reset makes all handles stale, and the next use starts afresh. */
Test(drv_stream_order, reset)
{
	struct mt_stream *stream = device_stream(MU_STREAM_DEFAULT);
	MUstream handle = (MUstream)(uintptr_t)stream->handle;
	static _Atomic uint64_t done;
	struct mt_function *fn;
	uint64_t old = device_module;

	for (int i = 0; i < 50; i++)
		OK(device_add(stream, &done));
	OK(mt_ctx_primary_reset(0));
	cr_assert_eq(done, 50);
	cr_assert_null(mt_ctx_primary_peek(0));
	device_open();
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_stream_get(device_ctx, handle, false, &stream));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_module_function(old, "add", &fn));
	stream = device_stream(MU_STREAM_DEFAULT);
	OK(device_add(stream, &done));
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(done, 51);
}
