/* SPDX-License-Identifier: MIT */
/*
 * Streams: order of submission, the implicit order of the legacy stream, and the place where an op
 * either goes to the device or into a capture.
 */
#ifndef MT_DRV_STREAM_H
#define MT_DRV_STREAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/op.h"
#include "drv/result.h"

struct mt_capture_stream; /* graph/'s state of one capturing stream */
struct mt_command_writer;

/* A stream's queue and command memory come with its first submission: a stream that only captures
 * costs this struct and a handle. */
struct mt_stream {
	uint64_t handle; /* MUstream; 0 for the legacy stream */
	uint64_t id;     /* unique in the process */
	struct mt_ctx *ctx;
	struct mt_stream *next, **link; /* in ctx->streams; guarded by ctx->lock */
	unsigned int flags;  /* MU_STREAM_NON_BLOCKING */
	int priority;
	bool legacy, per_thread;
	_Atomic(struct mt_capture_stream *) capture; /* non-NULL while it takes part in a capture;
						      * written by graph/ under its capture lock */
	pthread_mutex_t lock;        /* serialises submissions; guards the rest */
	_Atomic(struct mt_hw_queue *) queue; /* of the writer; NULL until first needed */
	_Atomic uint64_t last_seq;   /* last submission of this stream on the queue, 0 none */
	uint64_t legacy_seen;        /* legacy submission that this stream already waits for */
	struct mt_command_writer *writer; /* owned: queue and command memory of direct ops */
	void *attrs;                 /* owned, or NULL */
};

/* Resolves a handle as the API gives it: 0 and 1 the legacy stream, 2 the calling thread's own
 * stream (created on first use), else a created stream, of whichever context: the caller's context
 * only decides what 0, 1 and 2 mean. `per_thread_default`: 0 means 2. INVALID_HANDLE for a stale
 * handle. */
MUresult mt_stream_get(struct mt_ctx *ctx, MUstream handle, bool per_thread_default,
		       struct mt_stream **stream_out);

MUresult mt_stream_create(struct mt_ctx *ctx, unsigned int flags, int priority, MUstream *out);
/* Work goes on. INVALID_HANDLE for the legacy stream and per-thread streams. */
MUresult mt_stream_destroy(struct mt_stream *stream);
MUresult mt_stream_synchronize(struct mt_stream *stream);
MUresult mt_stream_query(struct mt_stream *stream);

/**
 * mt_stream_enqueue() - The one door for asynchronous work.
 * @stream:	Target.
 * @op:		Built op. Borrowed; its memory may be the caller's stack.
 * @api:	Name of the API call, for logs and capture reasons.
 *
 * Adds a node if the stream captures, else encodes and submits with the implicit order of the
 * legacy stream. Kernel, copy, fill, host, event and semaphore ops. Holds at least 1,024 ops that
 * have not started, then waits for the oldest. Allocates nothing in the steady state.
 *
 * Errors:	the device's sticky error; INVALID_HANDLE for a kernel of another device;
 *		NOT_PERMITTED inside a host function
 */
MUresult mt_stream_enqueue(struct mt_stream *stream, const struct mt_op *op, const char *api);

/* fn(stream, status, data) on a host thread after all earlier work; later work waits for it. */
MUresult mt_stream_add_callback(struct mt_stream *stream, MUstreamCallback fn, void *data,
				const char *api);

/* Submits an executable graph's chain: like an op, with the implicit order. `submit` is complete:
 * wait_va/wait_value may hold a wait of the caller's, those of the implicit order are put in front.
 * The caller holds no stream lock, and has seen that the stream does not capture. */
struct mt_stream_ticket {
	struct mt_hw_queue *queue; /* borrowed: lives as long as the context */
	uint64_t seq;
};
MUresult mt_stream_submit(struct mt_stream *stream, struct mt_hw_submit *submit,
			  struct mt_stream_ticket *ticket_out);

/* As mt_stream_submit() with packets in front: `before` (before_b bytes of packets without END, at
 * most 8 KiB) runs after everything earlier in the stream and before the chain, with nothing in
 * between. It is a submission of its own, so it may run although the chain's submission is refused. */
MUresult mt_stream_submit_with(struct mt_stream *stream, const void *before, uint32_t before_b,
			       struct mt_hw_submit *submit, struct mt_stream_ticket *ticket_out);

#endif
