/* SPDX-License-Identifier: MIT */
/*
 * The one call upward: what drv/ asks of stream capture, which graph/ implements.
 *
 * Every public call that the capture rules restrict asks one of the checks first. While no capture
 * is live in the process (mt_capture_live == 0) the checks are one load.
 */
#ifndef MT_DRV_CAPTURE_H
#define MT_DRV_CAPTURE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "drv/op.h"
#include "drv/result.h"

struct mt_stream;
struct mt_event;

struct mt_capture_ops {
	/* A potentially unsafe call (allocation, synchronising another stream, ...) by this thread:
	 * success, or 900 after invalidating every capture that forbids it. */
	MUresult (*unsafe)(const char *api);
	/* Use of the legacy stream of a context: 906 (and invalidation) while a blocking stream of
	 * that device captures. */
	MUresult (*legacy)(struct mt_ctx *ctx, const char *api);
	/* Device-wide synchronisation: 900 and invalidation if any stream of the device captures. */
	MUresult (*device_sync)(struct mt_ctx *ctx, const char *api);
	/* A call that a capturing stream refuses (sync, query, launch of a graph, callbacks):
	 * 900 and invalidation. Only called if stream->capture is set. */
	MUresult (*refuse)(struct mt_stream *stream, const char *api);
	/* The stream captures: the op becomes a node. `failed` != 0: the op was refused with that
	 * result because its configuration is bad, which invalidates the capture. */
	MUresult (*add)(struct mt_stream *stream, const struct mt_op *op, const char *api);
	void (*spoil)(struct mt_stream *stream, MUresult why, const char *api);
	/* Record and wait where stream or event have to do with a capture. *handled_out false: carry
	 * on as outside captures. */
	MUresult (*event_record)(struct mt_stream *stream, struct mt_event *event,
				 unsigned int flags, const char *api, bool *handled_out);
	MUresult (*event_wait)(struct mt_stream *stream, struct mt_event *event, unsigned int flags,
			       const char *api, bool *handled_out);
	/* Query or synchronise of an event: 907 if captured in a live capture, IV if that capture has
	 * ended, else what `unsafe` says. */
	MUresult (*event_use)(struct mt_event *event, const char *api);
	/* Elapsed time of an event: 907 or IV as above, and no capture is harmed. */
	MUresult (*event_elapsed)(struct mt_event *event);
	/* Stream-ordered allocation on a capturing stream. */
	MUresult (*alloc)(struct mt_stream *stream, uint64_t size_b, void *pool, uint64_t *va_out,
			  const char *api);
	MUresult (*free)(struct mt_stream *stream, uint64_t va, const char *api);
	void (*stream_destroyed)(struct mt_stream *stream);
	void (*event_destroyed)(struct mt_event *event);
};

/* Set once by graph/ before any stream exists. */
void mt_capture_ops_set(const struct mt_capture_ops *ops);
extern const struct mt_capture_ops *mt_capture_ops;

/* Number of live (active or invalidated) captures in the process. Written by graph/. */
extern _Atomic unsigned int mt_capture_live;

/* The same as a function, for the runtime's side. */
MUresult mt_capture_check_unsafe_call(const char *api);

static inline MUresult mt_capture_check_unsafe(const char *api)
{
	if (__builtin_expect(atomic_load_explicit(&mt_capture_live, memory_order_acquire) != 0, 0))
		return mt_capture_ops->unsafe(api);
	return MUSA_SUCCESS;
}

#endif
