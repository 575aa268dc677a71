/* SPDX-License-Identifier: MIT */
/* Events on the mock GPU: order between streams, what queries say, time. */
#include "device.h"

TestSuite(drv_events, .init = device_open, .fini = device_close, .timeout = 60);

static struct mt_event *create(unsigned int flags)
{
	struct mt_event *event;
	MUevent handle;

	OK(mt_event_create(device_ctx, flags, &handle));
	OK(mt_event_get(handle, &event));
	return event;
}

/* An event that was never recorded is complete, and waiting for it does nothing. */
Test(drv_events, never_recorded)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_event *event = create(0);
	float ms;

	OK(mt_event_query(event));
	OK(mt_event_synchronize(event));
	OK(mt_stream_wait_event(stream, event, 0, "test"));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_elapsed(event, event, &ms));
	cr_assert_eq(stream->last_seq, 0);
}

/* Work behind a wait runs after the work in front of the record. */
Test(drv_events, order_between_streams)
{
	static struct device_log log;
	struct mt_stream *a = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_stream *b = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_event *event = create(0);
	struct device_gate gate = {0};

	OK(device_hold(a, &gate));
	OK(device_append(a, &log, 1));
	OK(mt_event_record(event, a, 0, "test"));
	OK(mt_stream_wait_event(b, event, 0, "test"));
	OK(device_append(b, &log, 2));
	EXPECT(MUSA_ERROR_NOT_READY, mt_event_query(event));
	EXPECT(MUSA_ERROR_NOT_READY, mt_stream_query(b));
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(b));
	OK(mt_event_query(event));
	cr_assert_eq(log.ids[0], 1);
	cr_assert_eq(log.ids[1], 2);
}

/* The newest record counts; a wait made earlier keeps the record it saw. */
Test(drv_events, newest_record_counts)
{
	struct mt_stream *a = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_stream *b = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_stream *c = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_event *event = create(0);
	struct device_gate first = {0}, second = {0};
	static _Atomic uint64_t done;

	OK(device_hold(a, &first));
	OK(mt_event_record(event, a, 0, "test"));
	OK(mt_stream_wait_event(c, event, 0, "test"));
	OK(device_add(c, &done));
	OK(device_hold(b, &second));
	OK(mt_event_record(event, b, 0, "test"));
	atomic_store(&first.open, 1);
	OK(mt_stream_synchronize(a));
	OK(mt_stream_synchronize(c));
	cr_assert_eq(done, 1);
	EXPECT(MUSA_ERROR_NOT_READY, mt_event_query(event));
	atomic_store(&second.open, 1);
	OK(mt_event_synchronize(event));
	OK(mt_event_query(event));
}

/* Time passes between two records; without timing, or too early, there is none. */
Test(drv_events, elapsed_time)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_event *start = create(0), *end = create(0);
	struct mt_event *untimed = create(MU_EVENT_DISABLE_TIMING);
	struct device_gate gate = {0};
	float ms = -1;

	OK(mt_event_record(start, stream, 0, "test"));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_elapsed(start, end, &ms));
	OK(device_hold(stream, &gate));
	OK(mt_event_record(end, stream, 0, "test"));
	OK(mt_event_record(untimed, stream, 0, "test"));
	EXPECT(MUSA_ERROR_NOT_READY, mt_event_elapsed(start, end, &ms));
	while (!atomic_load(&gate.entered))
		device_sleep_ms(1);
	device_sleep_ms(20);
	atomic_store(&gate.open, 1);
	OK(mt_event_synchronize(untimed));
	OK(mt_event_elapsed(start, end, &ms));
	cr_assert_geq(ms, 20.0f);
	OK(mt_event_elapsed(end, start, &ms));
	cr_assert_leq(ms, -20.0f);
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_elapsed(start, untimed, &ms));
}

/* Flags are checked; the external one needs a capture. */
Test(drv_events, flags)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_event *event = create(0);
	MUevent handle;

	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_event_create(device_ctx, 8, &handle));
	EXPECT(MUSA_ERROR_INVALID_VALUE,
	       mt_event_create(device_ctx, MU_EVENT_INTERPROCESS, &handle));
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_event_record(event, stream, 2, "test"));
	EXPECT(MUSA_ERROR_ILLEGAL_STATE, mt_event_record(event, stream, 1, "test"));
	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_stream_wait_event(stream, event, 2, "test"));
	EXPECT(MUSA_ERROR_ILLEGAL_STATE, mt_stream_wait_event(stream, event, 1, "test"));
	OK(mt_event_query(event));
}

/* An event may go while its record and waits for it are pending; its successor is not confused. */
Test(drv_events, destroyed_while_pending)
{
	struct mt_stream *a = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_stream *b = device_stream(MU_STREAM_NON_BLOCKING);
	struct device_gate gate = {0};
	static _Atomic uint64_t done;
	struct mt_event *event, *stale;
	MUevent handle;

	OK(device_hold(a, &gate));
	for (int i = 0; i < 100; i++) {
		OK(mt_event_create(device_ctx, 0, &handle));
		OK(mt_event_get(handle, &event));
		OK(mt_event_query(event));
		OK(mt_event_record(event, a, 0, "test"));
		OK(mt_stream_wait_event(b, event, 0, "test"));
		OK(device_add(b, &done));
		EXPECT(MUSA_ERROR_NOT_READY, mt_event_query(event));
		OK(mt_event_destroy(event));
		EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_get(handle, &stale));
	}
	cr_assert_eq(done, 0);
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(b));
	cr_assert_eq(done, 100);
}

/* A reference keeps an event's memory beyond its handle and its context. */
Test(drv_events, reference_outlives_context)
{
	struct mt_event *event = create(0);

	mt_event_ref(event);
	OK(mt_event_destroy(event));
	OK(mt_ctx_primary_reset(0));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_query(event));
	mt_event_unref(event);
	device_open();
}
