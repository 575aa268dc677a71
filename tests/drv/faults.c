/* SPDX-License-Identifier: MIT */
/* Device errors: the right number, once and for all, and everything can still be taken down. */
#include "device.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drv/memory.h"

TestSuite(drv_faults, .timeout = 60);

static void expect_sticky(struct mt_stream *stream, struct mt_event *event, MUresult want)
{
	static _Atomic uint64_t counter;
	struct mt_stream *other = device_stream(MU_STREAM_NON_BLOCKING);

	for (int i = 0; i < 2; i++) {
		EXPECT(want, mt_ctx_error(device_ctx));
		EXPECT(want, mt_stream_query(stream));
		EXPECT(want, mt_stream_synchronize(stream));
		EXPECT(want, mt_event_query(event));
		EXPECT(want, mt_event_synchronize(event));
		EXPECT(want, mt_event_record(event, stream, 0, "test"));
		EXPECT(want, mt_ctx_synchronize(device_ctx));
		EXPECT(want, device_add(stream, &counter));
		EXPECT(want, device_add(other, &counter));
	}
	OK(mt_stream_destroy(other));
}

static void run(void (*spoil)(struct mt_stream *stream), MUresult want)
{
	struct mt_stream *stream;
	struct mt_event *event;
	MUevent handle;
	MUresult ret;

	device_open();
	stream = device_stream(MU_STREAM_NON_BLOCKING);
	OK(mt_event_create(device_ctx, 0, &handle));
	OK(mt_event_get(handle, &event));
	spoil(stream);
	ret = mt_event_record(event, stream, 0, "test");
	if (ret) /* the device was faster */
		EXPECT(want, ret);
	EXPECT(want, mt_stream_synchronize(stream));
	EXPECT(want, mt_event_synchronize(event));
	expect_sticky(stream, event, want);
	OK(mt_event_destroy(event));
	OK(mt_stream_destroy(stream));
	device_close();
}

static void trap(struct mt_stream *stream)
{
	OK(device_launch(stream, "trap", NULL));
}

/* A kernel that traps: 719. */
Test(drv_faults, trap)
{
	run(trap, MUSA_ERROR_LAUNCH_FAILED);
}

static void fill(struct mt_stream *stream, uint64_t dst, uint32_t element_b)
{
	struct mt_op_fill values = {
		.dst = dst, .width = 1, .height = 1, .depth = 1, .element_b = element_b};
	const struct mt_op op = {.type = MT_OP_FILL, .fill = &values};

	OK(mt_stream_enqueue(stream, &op, "test"));
}

static void touch_unmapped(struct mt_stream *stream)
{
	fill(stream, 4096, 4);
}

/* A fill at an address that is not mapped: 700. */
Test(drv_faults, unmapped_address)
{
	run(touch_unmapped, MUSA_ERROR_ILLEGAL_ADDRESS);
}

static void touch_misaligned(struct mt_stream *stream)
{
	uint64_t va;

	OK(mt_mem_alloc(device_ctx, 4096, &va));
	fill(stream, va + 2, 4);
}

/* A fill of words between words: 716. */
Test(drv_faults, misaligned_address)
{
	run(touch_misaligned, MUSA_ERROR_MISALIGNED_ADDRESS);
}

static _Atomic uint32_t spin_flag;

static void spin(struct mt_stream *stream)
{
	OK(device_spin(stream, &spin_flag));
}

/* A kernel that does not end, with a watchdog: 702, and the process is still there. */
Test(drv_faults, watchdog)
{
	device_env("MUSA_MOCK_WATCHDOG_MS", "100");
	run(spin, MUSA_ERROR_LAUNCH_TIMEOUT);
	atomic_store(&spin_flag, 1);
}

/* The log has one line at level error that names the device's complaint. */
Test(drv_faults, one_log_line)
{
	char path[] = "/tmp/drv-faults-XXXXXX", text[8192] = "", option[64], *line;
	int fd = mkstemp(path), count = 0;

	cr_assert_geq(fd, 0);
	snprintf(option, sizeof(option), "error:%s", path);
	device_env("MUSA_LOG", option);
	run(touch_unmapped, MUSA_ERROR_ILLEGAL_ADDRESS);
	cr_assert_gt(read(fd, text, sizeof(text) - 1), 0);
	for (line = text; (line = strstr(line, "failed")); line++)
		count++;
	cr_assert_eq(count, 1, "%s", text);
	cr_assert(strstr(text, "queue"));
	close(fd);
	unlink(path);
}

/* A submission that is refused is an error of that call alone. */
Test(drv_faults, refused_submission_is_not_sticky)
{
	static _Atomic uint64_t counter;
	struct mt_stream *stream;
	int failed = 0;

	device_env("MUSA_MOCK_FAIL_SUBMIT", "5");
	device_open();
	stream = device_stream(MU_STREAM_DEFAULT);
	for (int i = 0; i < 20; i++)
		failed += device_add(stream, &counter) != MUSA_SUCCESS;
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(failed, 1);
	cr_assert_eq(counter, 19);
	device_close();
}
