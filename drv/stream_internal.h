/* SPDX-License-Identifier: MIT */
/*
 * How the parts of the layer that submit to a stream (ops, events, graph launches) do it: begin,
 * write packets, end. Not for the layers above.
 */
#ifndef MT_DRV_STREAM_INTERNAL_H
#define MT_DRV_STREAM_INTERNAL_H

#include "drv/command_writer.h"
#include "drv/stream.h"

#define MT_STREAM_WAITS 32u /* implicit waits of one submission; more go ahead in their own */

/* Submissions that a queue may hold before a stream waits for the oldest; below the ring's size. */
#define MT_STREAM_DEPTH 1536u
/* A stream that is full sleeps until so many have ended, so that the device wakes it seldom; but not
 * longer than this while one has ended: what it holds may wait for the caller. */
#define MT_STREAM_BATCH    (MT_STREAM_DEPTH / 4)
#define MT_STREAM_BATCH_NS 200000

/* The implicit order that a submission has to keep. */
struct mt_stream_waits {
	uint32_t count;
	bool more;            /* legacy stream: there are more than fit */
	uint64_t legacy_seen; /* blocking stream: what it has waited for after this submission */
	struct {
		uint64_t va, value;
		struct mt_command_writer *writer; /* to wait for again if the submission fails */
	} at[MT_STREAM_WAITS];
};

/* A submission in the making. */
struct mt_stream_work {
	struct mt_command_space space;
	uint8_t *at;      /* where the caller's packets go; behind the implicit waits */
	uint64_t data_va; /* of space.data */
	struct mt_stream_waits waits;
};

/**
 * mt_stream_begin() - Lock the stream and prepare one submission.
 * @packets_b:	Bytes of the caller's packets, END not included.
 * @data_b:	Bytes of kernargs and slots, multiple of 64.
 * @work_out:	[out] On success.
 *
 * Waits, without the lock, while the stream has too much in flight. On success the stream is locked
 * until mt_stream_end() or mt_stream_abandon(); on failure it is not.
 */
MUresult mt_stream_begin(struct mt_stream *stream, uint32_t packets_b, uint32_t data_b,
			 struct mt_stream_work *work_out);

/* Completes the packets that end at `end`, submits them and unlocks. */
MUresult mt_stream_end(struct mt_stream *stream, struct mt_stream_work *work, void *end);

/* Submits nothing and unlocks. */
void mt_stream_abandon(struct mt_stream *stream, struct mt_stream_work *work);

/* What a use of the stream asks first: a host function may not, a failed device cannot, and the
 * legacy stream may be off limits because of a capture. */
MUresult mt_stream_check_use(struct mt_stream *stream, const char *api);

MUresult mt_stream_reach_peer(struct mt_ctx *ctx, struct mt_hw_semaphore *semaphore);

/* Lets lanes of the context's device wait for a semaphore or timeline of any device. */
static inline MUresult mt_stream_reach(struct mt_ctx *ctx, struct mt_hw_semaphore *semaphore)
{
	if (__builtin_expect(semaphore->dev == ctx->hw, 1))
		return MUSA_SUCCESS;
	return mt_stream_reach_peer(ctx, semaphore);
}

/* drv/stream_order.c; all under the stream's lock. */
void mt_stream_order_collect(struct mt_stream *stream, struct mt_stream_waits *waits_out);
void mt_stream_order_commit(struct mt_stream *stream, const struct mt_stream_waits *waits);
void mt_stream_order_revert(struct mt_stream *stream, const struct mt_stream_waits *waits);
void mt_stream_order_publish(struct mt_stream *stream, uint64_t seq);

/* The legacy stream has to wait for work that it does not wait for yet. */
static inline bool mt_stream_order_pending(struct mt_stream *stream)
{
	return stream->legacy &&
	       atomic_load_explicit(&stream->ctx->unordered, memory_order_acquire);
}

MUresult mt_stream_create_internal(struct mt_ctx *ctx, unsigned int flags, int priority,
				   bool legacy, bool per_thread, struct mt_stream **stream_out);
void mt_stream_free(struct mt_stream *stream); /* out of the list, handle dead; accepts NULL */

#endif
