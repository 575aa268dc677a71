/* SPDX-License-Identifier: MIT */
/* Many threads on one context: streams, events, host functions, modules, all at once. */
#include "device.h"

#include <pthread.h>
#include <stdlib.h>

#ifndef STRESS_ROUNDS
#define STRESS_ROUNDS 150
#endif

TestSuite(drv_stress, .init = device_open, .fini = device_close, .timeout = 120);

static _Atomic uint64_t kernels, functions;
static _Atomic uint64_t launched, called;

static void count_call(void *data)
{
	(void)data;
	atomic_fetch_add(&functions, 1);
}

static void launch_some(struct mt_stream *stream, int count)
{
	for (int i = 0; i < count; i++)
		OK(device_add(stream, &kernels));
	atomic_fetch_add(&launched, (uint64_t)count);
}

static void *work(void *argument)
{
	unsigned int seed = (unsigned int)(uintptr_t)argument;
	struct mt_event *event;
	MUevent handle;

	OK(mt_event_create(device_ctx, 0, &handle));
	OK(mt_event_get(handle, &event));
	for (int round = 0; round < STRESS_ROUNDS; round++) {
		struct mt_stream *a = device_stream(rand_r(&seed) % 2 ? MU_STREAM_NON_BLOCKING
								      : MU_STREAM_DEFAULT);
		struct mt_stream *mine;
		float ms;

		launch_some(a, rand_r(&seed) % 20);
		OK(mt_event_record(event, a, 0, "test"));
		OK(mt_stream_get(device_ctx, MU_STREAM_PER_THREAD, false, &mine));
		OK(mt_stream_wait_event(mine, event, 0, "test"));
		launch_some(mine, rand_r(&seed) % 5);
		if (rand_r(&seed) % 4 == 0)
			launch_some(device_ctx->legacy, 2);
		if (rand_r(&seed) % 4 == 0) {
			OK(device_host(a, count_call, NULL));
			atomic_fetch_add(&called, 1);
		}
		if (rand_r(&seed) % 8 == 0)
			OK(mt_stream_synchronize(device_ctx->legacy));
		if (rand_r(&seed) % 16 == 0)
			OK(mt_ctx_synchronize(device_ctx));
		if (rand_r(&seed) % 4 == 0)
			OK(mt_event_synchronize(event));
		mt_event_elapsed(event, event, &ms);
		mt_stream_query(a);
		OK(mt_stream_destroy(a));
		if (rand_r(&seed) % 4 == 0) {
			OK(mt_event_destroy(event));
			OK(mt_event_create(device_ctx, 0, &handle));
			OK(mt_event_get(handle, &event));
		}
	}
	OK(mt_event_destroy(event));
	return NULL;
}

/* Every launch and every host function runs exactly once, and the context ends with nothing left.
 */
Test(drv_stress, threads)
{
	pthread_t threads[4];

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	OK(mt_ctx_synchronize(device_ctx));
	cr_assert_eq(kernels, launched);
	cr_assert_eq(functions, called);
}

/* Streams that wait for each other in a ring of events, round after round, keep the order. */
Test(drv_stress, event_ring)
{
	enum { STREAMS = 8, ROUNDS = 50 };
	static struct device_log log;
	struct mt_stream *streams[STREAMS];
	struct mt_event *events[STREAMS];
	MUevent handle;

	for (int i = 0; i < STREAMS; i++) {
		streams[i] = device_stream(MU_STREAM_NON_BLOCKING);
		OK(mt_event_create(device_ctx, MU_EVENT_DISABLE_TIMING, &handle));
		OK(mt_event_get(handle, &events[i]));
	}
	for (uint32_t step = 0; step < STREAMS * ROUNDS; step++) {
		struct mt_stream *stream = streams[step % STREAMS];

		OK(mt_stream_wait_event(stream, events[(step + STREAMS - 1) % STREAMS], 0, "test"));
		OK(device_append(stream, &log, step));
		OK(mt_event_record(events[step % STREAMS], stream, 0, "test"));
	}
	OK(mt_ctx_synchronize(device_ctx));
	cr_assert_eq(log.count, STREAMS * ROUNDS);
	for (uint32_t step = 0; step < STREAMS * ROUNDS; step++)
		cr_assert_eq(log.ids[step], step);
}
