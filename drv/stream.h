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
	struct mt_hw_queue *queue;   /* owned; NULL until first needed */
	_Atomic uint64_t last_seq;   /* last submission, 0 none */
	uint64_t legacy_seen;        /* legacy submission that this stream already waits for */
	struct mt_command_writer *writer; /* owned: command memory of direct ops */
	void *attrs;                 /* owned, or NULL */
};

/* Resolves a handle as the API gives it: 0 and 1 the legacy stream, 2 the calling thread's own
 * stream (created on first use), else a created stream. `per_thread_default`: 0 means 2.
 * INVALID_HANDLE for a stale or foreign handle. */
MUresult mt_stream_get(struct mt_ctx *ctx, MUstream handle, bool per_thread_default,
		       struct mt_stream **stream_out);

MUresult mt_stream_create(struct mt_ctx *ctx, unsigned int flags, int priority, MUstream *out);
MUresult mt_stream_destroy(struct mt_stream *stream); /* work goes on; see the API */
MUresult mt_stream_synchronize(struct mt_stream *stream);
MUresult mt_stream_query(struct mt_stream *stream);

/**
 * mt_stream_enqueue() - The one door for asynchronous work.
 * @stream:	Target.
 * @op:		Built op. Borrowed; its memory may be the caller's stack.
 * @api:	Name of the API call, for logs and capture reasons.
 *
 * Adds a node if the stream captures, else encodes and submits with the implicit order of the
 * legacy stream. Kernel, copy, fill, host, event and semaphore ops.
 */
MUresult mt_stream_enqueue(struct mt_stream *stream, const struct mt_op *op, const char *api);

/* Submits an executable graph's chain: like an op, with the implicit order. `submit` lacks only the
 * stream's own waits: wait_va/wait_value may already hold one, further ones (implicit order) are
 * put in front as packets. *seq_out is the number of the submission. The caller holds no stream lock. */
struct mt_stream_ticket {
	struct mt_hw_queue *queue; /* borrowed while the stream lives: valid for waits by address */
	uint64_t seq;
};
MUresult mt_stream_submit(struct mt_stream *stream, struct mt_hw_submit *submit,
			  struct mt_stream_ticket *ticket_out);

/* As mt_stream_submit() with packets in front: `before` (before_b bytes of packets without END) runs
 * after everything earlier in the stream and before the chain, in the same submission order. */
MUresult mt_stream_submit_with(struct mt_stream *stream, const void *before, uint32_t before_b,
			       struct mt_hw_submit *submit, struct mt_stream_ticket *ticket_out);

#endif
