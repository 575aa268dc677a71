/* SPDX-License-Identifier: MIT */
/* Two devices: events order work between them, and what belongs to one is refused by the other. */
#include "device.h"

static struct mt_ctx *second;
static struct mt_function *second_append;

static void open_both(void)
{
	struct cob_buf image = {0};
	uint64_t module;

	device_env("MUSA_MOCK_DEVICES", "2");
	device_env("MUSA_MOCK_THREADS", "2");
	device_open();
	OK(mt_ctx_primary(1, &second));
	device_image(&image);
	OK(mt_module_load_data(second, image.data, &module));
	OK(mt_module_function(module, "append", &second_append));
	cob_free(&image);
}

static void close_both(void)
{
	device_close();
	OK(mt_ctx_primary_reset(1));
}

TestSuite(drv_two_devices, .init = open_both, .fini = close_both, .timeout = 60);

static MUresult append_on_second(struct mt_stream *stream, struct device_log *log, uint32_t id)
{
	void *params[] = {&log, &id};
	const struct mt_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params};

	return mt_launch_kernel(stream, second_append, &launch, "test");
}

static struct mt_stream *stream_on_second(void)
{
	struct mt_stream *stream;
	MUstream handle;

	OK(mt_stream_create(second, MU_STREAM_NON_BLOCKING, 0, &handle));
	/* A stream is found from whichever context. */
	OK(mt_stream_get(device_ctx, handle, false, &stream));
	cr_assert_eq(stream->ctx, second);
	return stream;
}

/* Streams of two devices take turns, each waiting for an event of the other. */
Test(drv_two_devices, events_order_devices)
{
	static struct device_log log;
	struct mt_stream *here = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_stream *there = stream_on_second();
	struct mt_event *here_done, *there_done;
	struct device_gate gate = {0};
	MUevent handle;

	OK(mt_event_create(device_ctx, 0, &handle));
	OK(mt_event_get(handle, &here_done));
	OK(mt_event_create(second, 0, &handle));
	OK(mt_event_get(handle, &there_done));
	OK(device_hold(here, &gate));
	for (uint32_t i = 0; i < 100; i += 2) {
		OK(device_append(here, &log, i));
		OK(mt_event_record(here_done, here, 0, "test"));
		OK(mt_stream_wait_event(there, here_done, 0, "test"));
		OK(append_on_second(there, &log, i + 1));
		OK(mt_event_record(there_done, there, 0, "test"));
		OK(mt_stream_wait_event(here, there_done, 0, "test"));
	}
	device_sleep_ms(20);
	cr_assert_eq(log.count, 0);
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(there));
	OK(mt_stream_synchronize(here));
	cr_assert_eq(log.count, 100);
	for (uint32_t i = 0; i < 100; i++)
		cr_assert_eq(log.ids[i], i);
}

/* Kernels and events go to streams of their own device only. */
Test(drv_two_devices, foreign_objects_are_refused)
{
	static struct device_log log;
	struct mt_stream *there = stream_on_second();
	struct mt_event *event, *other;
	struct mt_function *fn;
	MUevent handle;
	float ms;

	OK(mt_event_create(device_ctx, 0, &handle));
	OK(mt_event_get(handle, &event));
	OK(mt_event_create(second, 0, &handle));
	OK(mt_event_get(handle, &other));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, device_append(there, &log, 1));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, append_on_second(device_ctx->legacy, &log, 1));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_record(event, there, 0, "test"));
	OK(mt_event_record(event, device_ctx->legacy, 0, "test"));
	OK(mt_event_record(other, there, 0, "test"));
	OK(mt_event_synchronize(event));
	OK(mt_event_synchronize(other));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, mt_event_elapsed(event, other, &ms));
	EXPECT(MUSA_ERROR_INVALID_HANDLE,
	       mt_runtime_function(second, (const void *)(uintptr_t)device_function("add")->handle,
				   &fn));
	cr_assert_eq(log.count, 0);
}

/* An error of one device is none of the other's. */
Test(drv_two_devices, faults_stay_on_their_device)
{
	static struct device_log log;
	struct mt_stream *there = stream_on_second();

	OK(device_launch(device_ctx->legacy, "trap", NULL));
	EXPECT(MUSA_ERROR_LAUNCH_FAILED, mt_ctx_synchronize(device_ctx));
	OK(append_on_second(there, &log, 1));
	OK(mt_ctx_synchronize(second));
	cr_assert_eq(log.count, 1);
}
