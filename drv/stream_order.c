/* SPDX-License-Identifier: MIT */
/*
 * The implicit order of the legacy stream: its work waits for earlier work of all blocking streams
 * of the context, and their later work waits for it.
 *
 * A blocking stream compares one number with what it has seen of the legacy stream. In the other
 * direction a blocking stream that submits puts its writer on the context's list unless it is
 * there, and the legacy stream empties the list; so neither side looks at streams where nothing
 * happened. Only the legacy stream, under its lock, takes from the list, so that a single pop is
 * safe.
 */
#include "drv/stream_internal.h"

static bool is_blocking(const struct mt_stream *stream)
{
	return !stream->legacy && !(stream->flags & MU_STREAM_NON_BLOCKING);
}

static void queue_writer(struct mt_ctx *ctx, struct mt_command_writer *writer)
{
	/* The order of this against the legacy stream's clearing and reading decides which of the
	 * two sees the submission: sequentially consistent on both sides. */
	if (atomic_load(&writer->order_queued) || atomic_exchange(&writer->order_queued, true))
		return;
	writer->order_next = atomic_load_explicit(&ctx->unordered, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&ctx->unordered, &writer->order_next, writer,
						      memory_order_release, memory_order_relaxed))
		;
}

static struct mt_command_writer *unqueue_writer(struct mt_ctx *ctx)
{
	struct mt_command_writer *writer =
		atomic_load_explicit(&ctx->unordered, memory_order_acquire);

	while (writer &&
	       !atomic_compare_exchange_weak_explicit(&ctx->unordered, &writer, writer->order_next,
						      memory_order_acquire, memory_order_acquire))
		;
	if (writer)
		atomic_store(&writer->order_queued, false);
	return writer;
}

static void collect_for_legacy(struct mt_stream *stream, struct mt_stream_waits *waits)
{
	struct mt_command_writer *writer;
	uint64_t seq;

	while (waits->count < MT_STREAM_WAITS) {
		writer = unqueue_writer(stream->ctx);
		if (!writer)
			return;
		seq = atomic_load(&writer->order_seq);
		if (mt_hw_queue_completed(writer->queue) >= seq)
			continue;
		waits->at[waits->count].va = writer->queue->timeline.va;
		waits->at[waits->count].value = seq;
		waits->at[waits->count].writer = writer;
		waits->count++;
	}
	waits->more = mt_stream_order_pending(stream);
}

void mt_stream_order_collect(struct mt_stream *stream, struct mt_stream_waits *waits_out)
{
	struct mt_stream *legacy = stream->ctx->legacy;
	struct mt_hw_queue *queue;

	waits_out->count = 0;
	waits_out->more = false;
	if (stream->legacy) {
		collect_for_legacy(stream, waits_out);
		return;
	}
	if (!is_blocking(stream))
		return;
	waits_out->legacy_seen = atomic_load_explicit(&legacy->last_seq, memory_order_acquire);
	if (waits_out->legacy_seen <= stream->legacy_seen)
		return;
	queue = atomic_load_explicit(&legacy->queue, memory_order_acquire);
	if (mt_hw_queue_completed(queue) >= waits_out->legacy_seen)
		return;
	waits_out->at[0].va = queue->timeline.va;
	waits_out->at[0].value = waits_out->legacy_seen;
	waits_out->count = 1;
}

void mt_stream_order_commit(struct mt_stream *stream, const struct mt_stream_waits *waits)
{
	if (is_blocking(stream))
		stream->legacy_seen = waits->legacy_seen;
}

void mt_stream_order_revert(struct mt_stream *stream, const struct mt_stream_waits *waits)
{
	if (!stream->legacy)
		return;
	for (uint32_t i = 0; i < waits->count; i++)
		queue_writer(stream->ctx, waits->at[i].writer);
}

void mt_stream_order_publish(struct mt_stream *stream, uint64_t seq)
{
	if (!is_blocking(stream))
		return;
	atomic_store(&stream->writer->order_seq, seq);
	queue_writer(stream->ctx, stream->writer);
}
