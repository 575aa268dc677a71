/* SPDX-License-Identifier: MIT */
/* Events and captures: forking, joining, external records and waits, and what they refuse. */
#include "graph/capture.h"

#include "hw/base/alloc.h"

static struct mt_capture_stream *part_of(struct mt_stream *stream)
{
	return atomic_load_explicit(&stream->capture, memory_order_acquire);
}

/* Forgets that the event was recorded in a capture. Lock held. */
static void forget(struct mt_event *event)
{
	struct mt_capture_event *mark = atomic_load_explicit(&event->capture, memory_order_acquire);

	if (!mark)
		return;
	atomic_store_explicit(&event->capture, NULL, memory_order_release);
	mt_capture_set_finish(&mark->set);
	mt_capture_unref(mark->capture);
	mt_free(mark);
}

void mt_capture_event_destroyed(struct mt_event *event)
{
	mt_capture_lock();
	forget(event);
	mt_capture_unlock();
}

/* The event remembers the stream's set. */
static MUresult remember(struct mt_capture_stream *part, struct mt_event *event)
{
	struct mt_capture_event *mark = mt_calloc(1, sizeof(*mark));
	MUresult ret;

	if (!mark)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_capture_set_assign(&mark->set, part->set.ids, part->set.count);
	if (ret) {
		mt_free(mark);
		return ret;
	}
	forget(event);
	mark->capture = part->capture;
	mark->capture->refs++;
	atomic_store_explicit(&event->capture, mark, memory_order_release);
	return MUSA_SUCCESS;
}

static MUresult append_event_node(struct mt_capture_stream *part, uint8_t type,
				  struct mt_event *event)
{
	struct mt_op op = {.type = type, .device = (uint8_t)part->stream->ctx->device};
	struct mt_node *node;

	op.event.event = event;
	return mt_capture_append(part, &op, &node);
}

MUresult mt_capture_event_record(struct mt_stream *stream, struct mt_event *event,
				 unsigned int flags, const char *api, bool *handled_out)
{
	struct mt_capture_stream *part;
	MUresult ret = MUSA_SUCCESS;

	(void)api;
	mt_capture_lock();
	part = part_of(stream);
	*handled_out = true;
	if (!part) {
		if (flags & MU_EVENT_RECORD_EXTERNAL) {
			ret = MUSA_ERROR_ILLEGAL_STATE;
		} else {
			forget(event);
			*handled_out = false;
		}
	} else if (part->capture->status == MT_CAPTURE_INVALIDATED) {
		ret = MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	} else if (flags & MU_EVENT_RECORD_EXTERNAL) {
		ret = append_event_node(part, MT_OP_EVENT_RECORD, event);
	} else {
		ret = remember(part, event);
	}
	mt_capture_unlock();
	return ret;
}

/* A capturing stream waits for an event that was not recorded in a live capture. */
static MUresult wait_outside(struct mt_capture_stream *part, struct mt_event *event,
			     const struct mt_capture_event *mark, const char *api)
{
	if (mark) {
		mt_capture_invalidate(part->capture, part->stream, api,
				      "the event was recorded in a capture that has ended; record it "
				      "again inside this one");
		return MUSA_ERROR_INVALID_VALUE;
	}
	if (!atomic_load_explicit(&event->recorded, memory_order_acquire))
		return MUSA_SUCCESS;
	mt_capture_invalidate(part->capture, part->stream, api,
			      "the event was recorded outside the capture; record it on a capturing "
			      "stream, wait for it before the capture, or wait with the external flag");
	return MUSA_ERROR_STREAM_CAPTURE_ISOLATION;
}

/* Adds the event's set to a stream, which joins the capture if it does not take part yet. */
static MUresult wait_inside(struct mt_stream *stream, struct mt_capture_stream *part,
			    const struct mt_capture_event *mark, const char *api)
{
	struct mt_capture *capture = mark->capture;
	MUresult ret;

	if (part && part->capture != capture) {
		static const char why[] = "it would join two captures; let each have events of its own";

		mt_capture_invalidate(part->capture, stream, api, why);
		mt_capture_invalidate(capture, stream, api, why);
		return MUSA_ERROR_STREAM_CAPTURE_MERGE;
	}
	if (stream->legacy) {
		mt_capture_invalidate(capture, NULL, api,
				      "the legacy stream cannot take part in a capture; use a created "
				      "stream");
		return MUSA_ERROR_STREAM_CAPTURE_IMPLICIT;
	}
	if (capture->status == MT_CAPTURE_INVALIDATED)
		return MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (!part) {
		ret = mt_capture_join(capture, stream, &part);
		if (ret)
			return ret;
	}
	return mt_capture_set_add(&part->set, mark->set.ids, mark->set.count);
}

MUresult mt_capture_event_wait(struct mt_stream *stream, struct mt_event *event, unsigned int flags,
			       const char *api, bool *handled_out)
{
	const struct mt_capture_event *mark;
	struct mt_capture_stream *part;
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	part = part_of(stream);
	mark = atomic_load_explicit(&event->capture, memory_order_acquire);
	*handled_out = true;
	if (!part && (flags & MU_EVENT_WAIT_EXTERNAL))
		ret = MUSA_ERROR_ILLEGAL_STATE;
	else if (part && part->capture->status == MT_CAPTURE_INVALIDATED)
		ret = MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else if ((flags & MU_EVENT_WAIT_EXTERNAL) &&
		 !(mark && mark->capture->status == MT_CAPTURE_NONE))
		ret = append_event_node(part, MT_OP_EVENT_WAIT, event);
	else if (mark && mark->capture->status != MT_CAPTURE_NONE)
		ret = wait_inside(stream, part, mark, api);
	else if (part)
		ret = wait_outside(part, event, mark, api);
	else if (mark)
		ret = MUSA_ERROR_INVALID_VALUE;
	else
		*handled_out = false;
	mt_capture_unlock();
	return ret;
}

MUresult mt_capture_event_use(struct mt_event *event, const char *api)
{
	const struct mt_capture_event *mark;
	MUresult ret = MUSA_SUCCESS;
	bool captured;

	mt_capture_lock();
	mark = atomic_load_explicit(&event->capture, memory_order_acquire);
	captured = mark != NULL;
	if (captured && mark->capture->status == MT_CAPTURE_NONE) {
		ret = MUSA_ERROR_INVALID_VALUE;
	} else if (captured) {
		ret = MUSA_ERROR_CAPTURED_EVENT;
		mt_capture_invalidate(mark->capture, NULL, api,
				      "the event was recorded in the capture and has no state of its "
				      "own; use an event that is recorded outside");
	}
	mt_capture_unlock();
	return captured ? ret : mt_capture_unsafe(api);
}

MUresult mt_capture_event_elapsed(struct mt_event *event)
{
	const struct mt_capture_event *mark;
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	mark = atomic_load_explicit(&event->capture, memory_order_acquire);
	if (mark)
		ret = mark->capture->status == MT_CAPTURE_NONE ? MUSA_ERROR_INVALID_VALUE
							       : MUSA_ERROR_CAPTURED_EVENT;
	mt_capture_unlock();
	return ret;
}
