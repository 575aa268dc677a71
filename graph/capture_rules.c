/* SPDX-License-Identifier: MIT */
/*
 * What calls a live capture forbids, and to whom: the answers to what drv/ asks before it works, and
 * the ops that become nodes.
 */
#include "graph/capture.h"

#include <stdio.h>
#include <string.h>

#include "graph/mem_node.h"
#include "graph/trace.h"
#include "hw/base/log.h"

/* Does this capture forbid potentially unsafe calls of the calling thread? */
static bool forbids_unsafe(const struct mt_capture *capture, enum mt_capture_mode thread_mode)
{
	if (thread_mode == MT_CAPTURE_RELAXED)
		return false;
	if (capture->thread == mt_capture_thread())
		return capture->mode != MT_CAPTURE_RELAXED;
	return thread_mode == MT_CAPTURE_GLOBAL && capture->mode == MT_CAPTURE_GLOBAL;
}

MUresult mt_capture_unsafe(const char *api)
{
	enum mt_capture_mode mode = *mt_capture_thread_mode();
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	for (struct mt_capture *c = mt_capture_list; c; c = c->next) {
		if (!forbids_unsafe(c, mode))
			continue;
		ret = MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
		mt_capture_invalidate(c, c->origin->stream, api,
				      "the call is unsafe while a capture is under way; make it before "
				      "or after, or exchange the thread's capture mode for relaxed");
	}
	mt_capture_unlock();
	return ret;
}

/* The first stream of the capture that is blocking and on the context's device. */
static const struct mt_stream *find_blocking(const struct mt_capture *capture,
					     const struct mt_ctx *ctx)
{
	for (const struct mt_capture_stream *p = capture->streams; p; p = p->next)
		if (p->stream && p->stream->ctx == ctx &&
		    !(p->stream->flags & MU_STREAM_NON_BLOCKING))
			return p->stream;
	return NULL;
}

MUresult mt_capture_legacy(struct mt_ctx *ctx, const char *api)
{
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	for (struct mt_capture *c = mt_capture_list; c; c = c->next) {
		const struct mt_stream *blocking = find_blocking(c, ctx);

		if (!blocking)
			continue;
		ret = MUSA_ERROR_STREAM_CAPTURE_IMPLICIT;
		mt_capture_invalidate(c, blocking, api,
				      "the legacy stream waits for this blocking stream; use a "
				      "non-blocking stream for the capture or another than the legacy "
				      "stream for the call");
	}
	mt_capture_unlock();
	return ret;
}

static const struct mt_stream *find_on_device(const struct mt_capture *capture,
					      const struct mt_ctx *ctx)
{
	for (const struct mt_capture_stream *p = capture->streams; p; p = p->next)
		if (p->stream && p->stream->ctx == ctx)
			return p->stream;
	return NULL;
}

MUresult mt_capture_device_sync(struct mt_ctx *ctx, const char *api)
{
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	for (struct mt_capture *c = mt_capture_list; c; c = c->next) {
		const struct mt_stream *stream = find_on_device(c, ctx);

		if (!stream)
			continue;
		ret = MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
		mt_capture_invalidate(c, stream, api,
				      "captured work does not run, so the device cannot be waited for; "
				      "end the capture first");
	}
	mt_capture_unlock();
	return ret;
}

MUresult mt_capture_refuse(struct mt_stream *stream, const char *api)
{
	struct mt_capture_stream *part;
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	part = atomic_load_explicit(&stream->capture, memory_order_acquire);
	if (part) {
		ret = MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
		mt_capture_invalidate(part->capture, stream, api,
				      "this call cannot be captured; make it on another stream or after "
				      "the capture");
	}
	mt_capture_unlock();
	return ret;
}

void mt_capture_spoil(struct mt_stream *stream, MUresult why, const char *api)
{
	struct mt_capture_stream *part;
	char text[64];

	snprintf(text, sizeof(text), "its arguments were refused with error %d", (int)why);
	mt_capture_lock();
	part = atomic_load_explicit(&stream->capture, memory_order_acquire);
	if (part)
		mt_capture_invalidate(part->capture, stream, api, text);
	mt_capture_unlock();
}

/* A kernel node gets the priority of the stream it was captured from. */
static void inherit_priority(struct mt_op *op, struct mt_kernel_attrs *attrs,
			     const struct mt_stream *stream)
{
	const uint32_t bit = 1u << MU_LAUNCH_ATTRIBUTE_PRIORITY;

	if (op->kernel.attrs && (op->kernel.attrs->set & bit))
		return;
	if (op->kernel.attrs)
		*attrs = *op->kernel.attrs;
	else
		memset(attrs, 0, sizeof(*attrs));
	attrs->set |= bit;
	attrs->priority = stream->priority;
	attrs->priority_requested = stream->priority;
	op->kernel.attrs = attrs;
}

MUresult mt_capture_add(struct mt_stream *stream, const struct mt_op *op, const char *api)
{
	struct mt_capture_stream *part;
	struct mt_kernel_attrs attrs;
	struct mt_op captured = *op;
	struct mt_node *node;
	MUresult ret;

	if (op->type == MT_OP_KERNEL && stream->priority)
		inherit_priority(&captured, &attrs, stream);
	mt_capture_lock();
	part = atomic_load_explicit(&stream->capture, memory_order_acquire);
	if (!part)
		ret = MUSA_ERROR_ILLEGAL_STATE; /* ended by another thread since the caller looked */
	else if (part->capture->status == MT_CAPTURE_INVALIDATED)
		ret = MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else
		ret = mt_capture_append(part, &captured, &node);
	mt_capture_unlock();
	if (!ret)
		mt_log(MT_LOG_DEBUG, "%s captured on stream %llu as node %u", api,
		       (unsigned long long)stream->id, node->id);
	return ret;
}

void mt_capture_stream_destroyed(struct mt_stream *stream)
{
	struct mt_capture_stream *part;
	struct mt_capture *capture;

	mt_capture_lock();
	part = atomic_load_explicit(&stream->capture, memory_order_acquire);
	if (!part) {
		mt_capture_unlock();
		return;
	}
	capture = part->capture;
	part->stream = NULL;
	atomic_store_explicit(&stream->capture, NULL, memory_order_release);
	if (part == capture->origin) {
		if (mt_tracing())
			mt_trace_capture_spoiled(capture->id, stream, "musaStreamDestroy",
						 "the stream that began the capture was destroyed");
		mt_log(MT_LOG_WARN, "capture %llu dropped: its stream %llu was destroyed",
		       (unsigned long long)capture->id, (unsigned long long)stream->id);
		capture->refs++;
		mt_capture_finish(capture);
		mt_capture_drop_graph(capture);
		mt_capture_unref(capture);
	}
	mt_capture_unlock();
}

void mt_capture_init(void)
{
	static const struct mt_capture_ops ops = {
		.unsafe = mt_capture_unsafe,
		.legacy = mt_capture_legacy,
		.device_sync = mt_capture_device_sync,
		.refuse = mt_capture_refuse,
		.add = mt_capture_add,
		.spoil = mt_capture_spoil,
		.event_record = mt_capture_event_record,
		.event_wait = mt_capture_event_wait,
		.event_use = mt_capture_event_use,
		.event_elapsed = mt_capture_event_elapsed,
		.alloc = mt_mem_node_capture_alloc,
		.free = mt_mem_node_capture_free,
		.stream_destroyed = mt_capture_stream_destroyed,
		.event_destroyed = mt_capture_event_destroyed,
	};

	mt_capture_ops_set(&ops);
}
