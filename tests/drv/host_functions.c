/* SPDX-License-Identifier: MIT */
/* Host functions and stream callbacks on the mock GPU. */
#include "device.h"

#include "drv/host.h"

TestSuite(drv_host_functions, .init = device_open, .fini = device_close, .timeout = 60);

static struct device_log log;

static void append(void *data)
{
	log.ids[atomic_fetch_add(&log.count, 1)] = (uint32_t)(uintptr_t)data;
}

/* A host function runs after the work in front of it and before the work behind it. */
Test(drv_host_functions, in_order_with_kernels)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);

	for (uint32_t i = 0; i < 200; i++) {
		if (i % 2)
			OK(device_host(stream, append, (void *)(uintptr_t)i));
		else
			OK(device_append(stream, &log, i));
	}
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(log.count, 200);
	for (uint32_t i = 0; i < 200; i++)
		cr_assert_eq(log.ids[i], i);
}

/* Forty host functions that all block hold neither each other nor a kernel of another stream. */
Test(drv_host_functions, blocked_ones_do_not_hold_others)
{
	enum { COUNT = 40 };
	struct device_gate gates[COUNT] = {0};
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);
	static _Atomic uint64_t done;

	for (int i = 0; i < COUNT; i++)
		OK(device_hold(device_stream(MU_STREAM_NON_BLOCKING), &gates[i]));
	for (int i = 0; i < COUNT; i++)
		while (!atomic_load(&gates[i].entered))
			device_sleep_ms(1);
	OK(device_add(stream, &done));
	OK(device_host(stream, append, NULL));
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(done, 1);
	cr_assert_eq(log.count, 1);
	for (int i = 0; i < COUNT; i++)
		atomic_store(&gates[i].open, 1);
	OK(mt_ctx_synchronize(device_ctx));
}

static MUresult results[8];
static struct mt_stream *used_inside;

static void misbehave(void *data)
{
	struct mt_ctx *ctx;
	MUevent event;

	(void)data;
	cr_assert(mt_in_host_function());
	results[0] = mt_ctx_primary(0, &ctx);
	results[1] = device_append(used_inside, &log, 1);
	results[2] = mt_stream_synchronize(used_inside);
	results[3] = mt_stream_query(used_inside);
	results[4] = mt_ctx_synchronize(device_ctx);
	results[5] = mt_ctx_primary_reset(0);
	results[6] = mt_event_create(device_ctx, 1u << 31, &event);
}

/* Calls of the API inside a host function are refused instead of deadlocking. */
Test(drv_host_functions, may_not_call_the_api)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);

	used_inside = stream;
	OK(device_host(stream, misbehave, NULL));
	OK(mt_stream_synchronize(stream));
	for (int i = 0; i < 6; i++)
		EXPECT(MUSA_ERROR_NOT_PERMITTED, results[i]);
	cr_assert_eq(log.count, 0);
	cr_assert_not(mt_in_host_function());
}

static struct {
	MUstream stream;
	MUresult status;
	void *data;
	int calls;
} seen;

static void notice(MUstream stream, MUresult status, void *data)
{
	cr_assert(mt_in_host_function());
	seen.stream = stream;
	seen.status = status;
	seen.data = data;
	seen.calls++;
}

/* A callback is told its stream, the state of the device and its own data. */
Test(drv_host_functions, callback)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);

	EXPECT(MUSA_ERROR_INVALID_VALUE, mt_stream_add_callback(stream, NULL, NULL, "test"));
	OK(mt_stream_add_callback(stream, notice, &seen, "test"));
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(seen.calls, 1);
	cr_assert_eq(seen.stream, (MUstream)(uintptr_t)stream->handle);
	cr_assert_eq(seen.status, MUSA_SUCCESS);
	cr_assert_eq(seen.data, &seen);
}

/* Callbacks that a failed device never calls are given back with the context. */
Test(drv_host_functions, callbacks_of_a_failed_device)
{
	struct mt_stream *stream = device_stream(MU_STREAM_NON_BLOCKING);
	struct device_gate gate = {0};

	OK(device_hold(stream, &gate));
	OK(device_launch(stream, "trap", NULL));
	OK(mt_stream_add_callback(stream, notice, NULL, "test"));
	atomic_store(&gate.open, 1);
	EXPECT(MUSA_ERROR_LAUNCH_FAILED, mt_stream_synchronize(stream));
	EXPECT(MUSA_ERROR_LAUNCH_FAILED, mt_stream_add_callback(stream, notice, NULL, "test"));
	cr_assert_eq(seen.calls, 0);
}
