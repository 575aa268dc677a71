/* SPDX-License-Identifier: MIT */
/* The process: wrong options, fork, exit with work in flight. */
#include "device.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(drv_process, .timeout = 60);

/* An option that cannot be parsed fails the first call and every later one. */
Test(drv_process, wrong_option)
{
	struct mt_ctx *ctx;

	device_env("MUSA_BACKEND", "mock");
	device_env("MUSA_MOCK_THREADS", "several");
	for (int i = 0; i < 3; i++) {
		EXPECT(MUSA_ERROR_NOT_INITIALIZED, mt_init());
		EXPECT(MUSA_ERROR_NOT_INITIALIZED, mt_ctx_primary(0, &ctx));
	}
	/* Putting it right afterwards does not help. */
	device_env("MUSA_MOCK_THREADS", "2");
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, mt_init());
}

static void *init_once(void *results)
{
	*(MUresult *)results = mt_init();
	return NULL;
}

/* Threads that race for the first call all get its result. */
Test(drv_process, concurrent_first_calls)
{
	MUresult results[8];
	pthread_t threads[8];

	device_env("MUSA_BACKEND", "mock");
	device_env("MUSA_MOCK_DEVICES", "3");
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, init_once, &results[i]);
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		OK(results[i]);
	}
	cr_assert_eq(mt_device_count(), 3);
	cr_assert_null(mt_device_get(3));
}

static int wait_for(pid_t child)
{
	int status = 0;

	for (int i = 0; i < 4000; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
		device_sleep_ms(5);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return -1; /* hung */
}

/* A forked child is refused every call with 3 and exits normally; the parent is not disturbed. */
Test(drv_process, fork)
{
	static _Atomic uint64_t counter;
	struct mt_stream *stream;
	struct device_gate gate = {0};
	struct mt_ctx *ctx;
	pid_t child;

	device_open();
	stream = device_stream(MU_STREAM_NON_BLOCKING);
	OK(device_hold(stream, &gate));
	OK(device_add(stream, &counter));
	child = fork();
	cr_assert_geq(child, 0);
	if (!child) {
		if (mt_init() != MUSA_ERROR_NOT_INITIALIZED)
			_exit(1);
		if (mt_ctx_primary(0, &ctx) != MUSA_ERROR_NOT_INITIALIZED)
			_exit(2);
		if (mt_ctx_primary_reset(0) != MUSA_ERROR_NOT_INITIALIZED)
			_exit(3);
		mt_unregister_fat_binary(&ctx);
		mt_finish();
		_exit(0);
	}
	cr_assert_eq(wait_for(child), 0);
	atomic_store(&gate.open, 1);
	OK(mt_stream_synchronize(stream));
	cr_assert_eq(counter, 1);
	device_close();
}

/* A child forked before the first call has a device of its own. */
Test(drv_process, fork_before_first_call)
{
	static _Atomic uint64_t counter;
	pid_t child = fork();

	cr_assert_geq(child, 0);
	if (!child) {
		device_open();
		OK(device_add(device_ctx->legacy, &counter));
		OK(mt_ctx_synchronize(device_ctx));
		_exit(counter == 1 ? 0 : 1);
	}
	cr_assert_eq(wait_for(child), 0);
	device_open();
	device_close();
}

static _Atomic uint32_t never;
static struct device_gate closed;

static int exit_of_child(void (*leave_behind)(struct mt_stream *stream))
{
	pid_t child = fork();

	cr_assert_geq(child, 0);
	if (!child) {
		device_open();
		leave_behind(device_stream(MU_STREAM_DEFAULT));
		mt_finish(); /* as the library's destructor does */
		if (mt_init() != MUSA_ERROR_DEINITIALIZED)
			_exit(9);
		_exit(5);
	}
	return wait_for(child);
}

static void leave_nothing(struct mt_stream *stream)
{
	OK(device_launch(stream, "empty", NULL));
	OK(mt_stream_synchronize(stream));
}

static void leave_kernel(struct mt_stream *stream)
{
	OK(device_spin(stream, &never));
}

static void leave_host_function(struct mt_stream *stream)
{
	OK(device_hold(stream, &closed));
	while (!atomic_load(&closed.entered))
		device_sleep_ms(1);
}

static void leave_wait(struct mt_stream *stream)
{
	struct mt_stream *other = device_stream(MU_STREAM_NON_BLOCKING);
	struct mt_event *event;
	MUevent handle;

	OK(mt_event_create(device_ctx, 0, &handle));
	OK(mt_event_get(handle, &event));
	OK(device_spin(other, &never));
	OK(mt_event_record(event, other, 0, "test"));
	OK(mt_stream_wait_event(stream, event, 0, "test"));
}

/* A process ends, whatever its device still does. */
Test(drv_process, exit_idle)
{
	cr_assert_eq(exit_of_child(leave_nothing), 5);
}

Test(drv_process, exit_with_running_kernel)
{
	cr_assert_eq(exit_of_child(leave_kernel), 5);
}

Test(drv_process, exit_with_blocked_host_function)
{
	cr_assert_eq(exit_of_child(leave_host_function), 5);
}

Test(drv_process, exit_with_pending_wait)
{
	cr_assert_eq(exit_of_child(leave_wait), 5);
}
