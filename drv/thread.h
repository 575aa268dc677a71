/* SPDX-License-Identifier: MIT */
/*
 * What a thread has chosen: its device and its stack of contexts. The two APIs share it, so that a
 * program may mix them. The contexts themselves are drv/context.h's.
 */
#ifndef MT_DRV_THREAD_H
#define MT_DRV_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#define MT_THREAD_CONTEXTS_MAX 64u

struct mt_thread {
	int device;   /* of the top of the stack; what musaSetDevice chose where that is empty */
	bool runtime; /* the runtime API is in use: with an empty stack the device's primary context
		       * is current */
	uint32_t depth;
	uint64_t contexts[MT_THREAD_CONTEXTS_MAX]; /* handles: one that has ended is noticed */
};

/* The calling thread's, valid until it ends. */
struct mt_thread *mt_thread_get(void);

/* musaSetDevice: the primary context of a device, which exists, becomes current. */
void mt_thread_set_device(struct mt_thread *thread, int device);

#endif
