/* SPDX-License-Identifier: MIT */
/* The layer on the mock GPU, ready to launch. */
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct mt_ctx *device_ctx;
uint64_t device_module;

void device_env(const char *name, const char *value)
{
	setenv(name, value, 1);
}

void device_open(void)
{
	struct cob_buf image = {0};

	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_THREADS", "4", 0);
	setenv("MUSA_MOCK_MEMORY", "256M", 0);
	OK(mt_ctx_primary(0, &device_ctx));
	device_image(&image);
	OK(mt_module_load_data(device_ctx, image.data, &device_module));
	cob_free(&image);
}

void device_close(void)
{
	OK(mt_ctx_primary_reset(0));
}

struct mt_function *device_function(const char *name)
{
	struct mt_function *fn;

	OK(mt_module_function(device_module, name, &fn));
	return fn;
}

struct mt_stream *device_stream(unsigned int flags)
{
	struct mt_stream *stream;
	MUstream handle;

	OK(mt_stream_create(device_ctx, flags, 0, &handle));
	OK(mt_stream_get(device_ctx, handle, false, &stream));
	return stream;
}

MUresult device_launch(struct mt_stream *stream, const char *name, void **params)
{
	const struct mt_launch launch = {
		.grid = {1, 1, 1},
		.block = {1, 1, 1},
		.params = params,
	};

	return mt_launch_kernel(stream, device_function(name), &launch, "test");
}

MUresult device_add(struct mt_stream *stream, _Atomic uint64_t *counter)
{
	void *params[] = {&counter};

	return device_launch(stream, "add", params);
}

MUresult device_append(struct mt_stream *stream, struct device_log *log, uint32_t id)
{
	void *params[] = {&log, &id};

	return device_launch(stream, "append", params);
}

MUresult device_spin(struct mt_stream *stream, _Atomic uint32_t *flag)
{
	void *params[] = {&flag};

	return device_launch(stream, "spin", params);
}

static void hold(void *argument)
{
	struct device_gate *gate = argument;

	atomic_store(&gate->entered, 1);
	while (!atomic_load(&gate->open))
		device_sleep_ms(1);
}

MUresult device_hold(struct mt_stream *stream, struct device_gate *gate)
{
	return device_host(stream, hold, gate);
}

MUresult device_host(struct mt_stream *stream, void (*fn)(void *data), void *argument)
{
	struct mt_op op = {.type = MT_OP_HOST, .host = {fn, argument}};

	return mt_stream_enqueue(stream, &op, "test");
}

void device_sleep_ms(unsigned int ms)
{
	struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};

	nanosleep(&time, NULL);
}
