/* SPDX-License-Identifier: MIT */
/* The layer on the mock GPU, with what most tests do on it. */
#ifndef TESTS_DRV_DEVICE_H
#define TESTS_DRV_DEVICE_H

#include <criterion/criterion.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/event.h"
#include "drv/launch.h"
#include "drv/module.h"
#include "drv/stream.h"
#include "image.h"

#define OK(call) EXPECT(MUSA_SUCCESS, call)
#define EXPECT(want, call)                                                                         \
	do {                                                                                       \
		int expect_got = (int)(call);                                                      \
		cr_assert_eq(expect_got, (int)(want), "%s gives %d, not %d", #call, expect_got,    \
			     (int)(want));                                                         \
	} while (0)

struct device_log {
	_Atomic uint64_t count;
	uint32_t ids[4096];
};

/* Initialises the layer on one mock device with 4 workers (or what the environment says), opens the
 * context and loads the image. */
void device_open(void);
void device_close(void);                              /* resets the context */
void device_env(const char *name, const char *value); /* before device_open() */

extern struct mt_ctx *device_ctx;
extern uint64_t device_module;

struct mt_function *device_function(const char *name);
struct mt_stream *device_stream(unsigned int flags);

MUresult device_launch(struct mt_stream *stream, const char *name, void **params);
MUresult device_add(struct mt_stream *stream, _Atomic uint64_t *counter);
MUresult device_append(struct mt_stream *stream, struct device_log *log, uint32_t id);
MUresult device_spin(struct mt_stream *stream, _Atomic uint32_t *flag);

/* A host function that holds the stream until the gate opens. */
struct device_gate {
	_Atomic uint32_t entered, open;
};
MUresult device_hold(struct mt_stream *stream, struct device_gate *gate);
MUresult device_host(struct mt_stream *stream, void (*fn)(void *data), void *data);

void device_sleep_ms(unsigned int ms);

#endif
