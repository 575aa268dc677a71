/* SPDX-License-Identifier: MIT */
/* The implicit order of the legacy stream, by the waits that stand in the packets. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "drv/event.h"
#include "drv/stream_internal.h"
#include "fake_hw.h"

static struct mt_ctx ctx;

static void open_ctx(void)
{
	fake_ctx_open(&ctx);
}

static void close_ctx(void)
{
	fake_ctx_close(&ctx);
}

TestSuite(drv_legacy_order, .init = open_ctx, .fini = close_ctx);

static MUresult submit(struct mt_stream *stream)
{
	struct mt_stream_work work;
	MUresult ret = mt_stream_begin(stream, 0, 0, &work);

	return ret ? ret : mt_stream_end(stream, &work, work.at);
}

/* Waits in the newest submission of a stream. */
static unsigned int waits_of(struct mt_stream *stream)
{
	struct fake_queue *queue = fake_queue_of(stream);

	return fake_count(queue, queue->hw.submitted, MT_PKT_OP_WAIT);
}

static bool waits_for(struct mt_stream *stream, struct mt_stream *other, uint64_t seq)
{
	struct fake_queue *queue = fake_queue_of(stream);
	const struct mt_pkt_header *packet;

	for (unsigned int i = 0; (packet = fake_packet(queue, queue->hw.submitted, i)); i++) {
		const struct mt_pkt_wait *wait = (const void *)packet;

		if (packet->opcode == MT_PKT_OP_WAIT &&
		    wait->address == fake_queue_of(other)->hw.timeline.va && wait->value == seq)
			return true;
	}
	return false;
}

/* Work in the legacy stream waits for earlier work of every blocking stream, once. */
Test(drv_legacy_order, legacy_waits_for_blocking_streams)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);
	struct mt_stream *b = fake_stream(&ctx, MU_STREAM_DEFAULT);

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(submit(b), MUSA_SUCCESS);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(waits_of(ctx.legacy), 2);
	cr_assert(waits_for(ctx.legacy, a, 2));
	cr_assert(waits_for(ctx.legacy, b, 1));
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(waits_of(ctx.legacy), 0);
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(waits_of(ctx.legacy), 1);
	cr_assert(waits_for(ctx.legacy, a, 3));
}

/* Later work of a blocking stream waits for the legacy stream, once. */
Test(drv_legacy_order, blocking_stream_waits_for_legacy)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(waits_of(a), 0);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(waits_of(a), 1);
	cr_assert(waits_for(a, ctx.legacy, 1));
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(waits_of(a), 0);
}

/* Non-blocking streams take no part, in neither direction. */
Test(drv_legacy_order, non_blocking_streams_take_no_part)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_NON_BLOCKING);

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(waits_of(ctx.legacy), 0);
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(waits_of(a), 0);
}

/* What has completed needs no wait. */
Test(drv_legacy_order, completed_work_is_not_waited_for)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	fake_complete(a);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(waits_of(ctx.legacy), 0);
	fake_complete(ctx.legacy);
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert_eq(waits_of(a), 0);
}

/* More streams than fit one submission are waited for in several, and none is forgotten. */
Test(drv_legacy_order, many_streams)
{
	enum { COUNT = 3 * MT_STREAM_WAITS + 5 };
	struct mt_stream *streams[COUNT];
	struct fake_queue *queue;
	unsigned int waits = 0;

	for (int i = 0; i < COUNT; i++) {
		streams[i] = fake_stream(&ctx, MU_STREAM_DEFAULT);
		cr_assert_eq(submit(streams[i]), MUSA_SUCCESS);
	}
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	queue = fake_queue_of(ctx.legacy);
	for (uint64_t seq = 1; seq <= queue->hw.submitted; seq++)
		waits += fake_count(queue, seq, MT_PKT_OP_WAIT);
	cr_assert_eq(waits, COUNT);
}

/* A refused submission loses no dependency: the next one has it. */
Test(drv_legacy_order, refused_submissions_keep_the_order)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	fake_fail_submit = 1;
	cr_assert_eq(submit(ctx.legacy), MUSA_ERROR_OUT_OF_MEMORY);
	cr_assert_eq(ctx.legacy->last_seq, 0);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert(waits_for(ctx.legacy, a, 1));
	fake_fail_submit = 1;
	cr_assert_eq(submit(a), MUSA_ERROR_OUT_OF_MEMORY);
	cr_assert_eq(submit(a), MUSA_SUCCESS);
	cr_assert(waits_for(a, ctx.legacy, 1));
}

/* The work of a destroyed blocking stream is still waited for. */
Test(drv_legacy_order, destroyed_streams_count)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);
	uint64_t timeline_va;
	const struct mt_pkt_wait *wait;

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	timeline_va = fake_queue_of(a)->hw.timeline.va;
	cr_assert_eq(mt_stream_destroy(a), MUSA_SUCCESS);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	wait = (const void *)fake_packet(fake_queue_of(ctx.legacy), 1, 0);
	cr_assert_eq(wait->header.opcode, MT_PKT_OP_WAIT);
	cr_assert_eq(wait->address, timeline_va);
	cr_assert_eq(wait->value, 1);
}

/* Work of a non-blocking stream on a queue that a blocking one used before takes no part either. */
Test(drv_legacy_order, reused_queue_of_a_non_blocking_stream)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);
	struct mt_stream *b = fake_stream(&ctx, MU_STREAM_NON_BLOCKING);
	struct mt_hw_queue *queue;

	cr_assert_eq(submit(a), MUSA_SUCCESS);
	fake_complete(a);
	queue = a->queue;
	cr_assert_eq(mt_stream_destroy(a), MUSA_SUCCESS);
	cr_assert_eq(submit(b), MUSA_SUCCESS);
	cr_assert_eq((void *)b->queue, (void *)queue);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert_eq(waits_of(ctx.legacy), 0);
}

/* A graph's chain goes in front of nothing it must wait for, and costs one submission otherwise. */
Test(drv_legacy_order, chains_keep_the_order)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_DEFAULT);
	uint64_t lane_va = 0x5000;
	struct mt_hw_submit chain = {.lane_va = &lane_va, .lane_count = 1};
	struct mt_stream_ticket ticket;

	cr_assert_eq(mt_stream_submit(a, &chain, &ticket), MUSA_SUCCESS);
	cr_assert_eq(ticket.seq, 1);
	cr_assert_eq(submit(ctx.legacy), MUSA_SUCCESS);
	cr_assert(waits_for(ctx.legacy, a, 1));
	cr_assert_eq(mt_stream_submit(a, &chain, &ticket), MUSA_SUCCESS);
	cr_assert_eq(ticket.seq, 3);
	cr_assert_eq(fake_count(fake_queue_of(a), 2, MT_PKT_OP_WAIT), 1);
	cr_assert_eq(fake_queue_of(a)->lanes[2], lane_va);
	cr_assert_eq(mt_stream_submit(a, &chain, &ticket), MUSA_SUCCESS);
	cr_assert_eq(ticket.seq, 4);
}

/* Random work of many streams: every pair that the rule orders is ordered by waits and queues. */
Test(drv_legacy_order, random_work_keeps_the_rule)
{
	enum { STREAMS = 6, STEPS = 600 };
	struct mt_stream *streams[STREAMS + 1];
	uint64_t known[STREAMS + 1][STREAMS + 1] = {0}; /* [x][y]: x's work is behind y's n-th */

	srand(3);
	for (int i = 0; i < STREAMS; i++)
		streams[i] =
			fake_stream(&ctx, i % 3 == 2 ? MU_STREAM_NON_BLOCKING : MU_STREAM_DEFAULT);
	streams[STREAMS] = ctx.legacy;
	for (int step = 0; step < STEPS; step++) {
		int s = rand() % (STREAMS + 1);
		struct fake_queue *queue;
		const struct mt_pkt_header *packet;

		cr_assert_eq(submit(streams[s]), MUSA_SUCCESS);
		queue = fake_queue_of(streams[s]);
		for (unsigned int i = 0; (packet = fake_packet(queue, queue->hw.submitted, i));
		     i++) {
			const struct mt_pkt_wait *wait = (const void *)packet;

			for (int y = 0; y <= STREAMS && packet->opcode == MT_PKT_OP_WAIT; y++)
				if (streams[y]->queue &&
				    wait->address == fake_queue_of(streams[y])->hw.timeline.va &&
				    wait->value > known[s][y])
					known[s][y] = wait->value;
		}
		for (int y = 0; y <= STREAMS; y++) {
			bool ordered = y != s && (s == STREAMS || y == STREAMS) && s % 3 != 2 &&
				       y % 3 != 2;

			if (ordered && streams[y]->queue)
				cr_assert_geq(known[s][y], (uint64_t)streams[y]->last_seq,
					      "step %d: stream %d does not wait for %d", step, s,
					      y);
			else if (y != s && !ordered)
				cr_assert_eq(known[s][y], 0, "stream %d waits for %d", s, y);
		}
	}
}

/* Recording an event whose submission is refused leaves the event as it was. */
Test(drv_legacy_order, refused_record_is_taken_back)
{
	struct mt_stream *a = fake_stream(&ctx, MU_STREAM_NON_BLOCKING);
	struct mt_event *event;
	MUevent handle;

	cr_assert_eq(mt_event_create(&ctx, 0, &handle), MUSA_SUCCESS);
	cr_assert_eq(mt_event_get(handle, &event), MUSA_SUCCESS);
	fake_fail_submit = 1;
	cr_assert_eq(mt_event_record(event, a, 0, "test"), MUSA_ERROR_OUT_OF_MEMORY);
	cr_assert_eq(mt_event_query(event), MUSA_SUCCESS);
	cr_assert_eq(mt_event_record(event, a, 0, "test"), MUSA_SUCCESS);
	cr_assert_eq(mt_event_query(event), MUSA_ERROR_NOT_READY);
	fake_fail_submit = 1;
	cr_assert_eq(mt_event_record(event, a, 0, "test"), MUSA_ERROR_OUT_OF_MEMORY);
	atomic_store(event->semaphore.value, 1);
	cr_assert_eq(mt_event_query(event), MUSA_SUCCESS);
	cr_assert_eq(fake_signals, 0);
}
