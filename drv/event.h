/* SPDX-License-Identifier: MIT */
/*
 * Events. Each has a semaphore of its own; the n-th record signals n with SIGNAL_MAX and a time
 * stamp, so that records on several streams may finish in any order and the newest one counts.
 */
#ifndef MT_DRV_EVENT_H
#define MT_DRV_EVENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/result.h"

struct mt_capture_event; /* graph/'s record of a capture's set at this event */
struct mt_stream;

struct mt_event {
	uint64_t handle;
	struct mt_ctx *ctx;               /* NULL once the context is gone */
	struct mt_event *next, **link;    /* in the pool's list, guarded by its lock */
	_Atomic uint32_t refs;            /* handle, nodes, execs */
	unsigned int flags;               /* MU_EVENT_* */
	struct mt_hw_semaphore semaphore; /* owned; reused by later events, so it never sinks */
	uint64_t base;                    /* the semaphore's highest number when the event was made */
	_Atomic uint64_t recorded;        /* number of the newest record submitted, 0 never */
	_Atomic(struct mt_capture_event *) capture; /* non-NULL after a record inside a capture, until
						     * recorded normally; owned by graph/ */
};

MUresult mt_event_create(struct mt_ctx *ctx, unsigned int flags, MUevent *out);
MUresult mt_event_get(MUevent handle, struct mt_event **event_out); /* INVALID_HANDLE if stale */
MUresult mt_event_destroy(struct mt_event *event); /* handle dies; memory with the last reference */
void mt_event_ref(struct mt_event *event);
void mt_event_unref(struct mt_event *event);
MUresult mt_event_record(struct mt_event *event, struct mt_stream *stream, unsigned int flags,
			 const char *api);
MUresult mt_stream_wait_event(struct mt_stream *stream, struct mt_event *event, unsigned int flags,
			      const char *api);
MUresult mt_event_query(struct mt_event *event);
MUresult mt_event_synchronize(struct mt_event *event);
MUresult mt_event_elapsed(struct mt_event *start, struct mt_event *end, float *ms_out);

/* For graph launches: number of a new record that some submission will signal. If that submission
 * is refused, mt_event_cancel_record() keeps the event from waiting for it for ever. */
uint64_t mt_event_next_record(struct mt_event *event);
void mt_event_cancel_record(struct mt_event *event, uint64_t number);

/* Lets work of a context, of whichever device, wait for an event by its semaphore's address: before
 * such a wait is submitted. A compare for events of the context's own device. */
MUresult mt_event_reach(struct mt_event *event, struct mt_ctx *ctx);

MUresult mt_event_pool_create(struct mt_ctx *ctx);   /* ctx->events */
void mt_event_pool_destroy(struct mt_ctx *ctx);      /* handles become stale */

#endif
