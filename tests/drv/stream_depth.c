/* SPDX-License-Identifier: MIT */
/* How much a stream holds, what it does when it is full, and that it allocates nothing afterwards.
 */
#include <criterion/criterion.h>

#include "drv/codeobj.h"
#include "drv/command_writer.h"
#include "drv/module.h"
#include "drv/stream_internal.h"
#include "fake_hw.h"
#include "hw/base/alloc.h"

static struct mt_ctx ctx;
static struct mt_stream *stream;
static const struct mt_codeobj_kernel kernel = {.name = "k"};
static struct mt_function fn = {.kernel = &kernel, .name = "k", .code_va = 0x1000};
static _Alignas(64) uint8_t args[MT_COMMAND_KERNARG_MAX];

static void open_ctx(void)
{
	fake_ctx_open(&ctx);
	stream = fake_stream(&ctx, MU_STREAM_NON_BLOCKING);
}

static void close_ctx(void)
{
	fake_ctx_close(&ctx);
}

TestSuite(drv_stream_depth, .init = open_ctx, .fini = close_ctx);

static MUresult launch(uint32_t args_b)
{
	struct mt_op op = {.type = MT_OP_KERNEL};

	op.kernel.fn = &fn;
	for (int i = 0; i < 3; i++)
		op.kernel.grid[i] = op.kernel.block[i] = 1;
	op.kernel.args_b = args_b;
	op.kernel.args = args;
	return mt_stream_enqueue(stream, &op, "test");
}

/* A stream takes 1,024 launches with 4 KiB of arguments each before one has started. */
Test(drv_stream_depth, holds_1024_launches)
{
	struct fake_queue *queue;

	for (int i = 0; i < 1024; i++) {
		args[0] = (uint8_t)i;
		cr_assert_eq(launch(4096), MUSA_SUCCESS);
	}
	cr_assert_eq(fake_waits, 0);
	queue = fake_queue_of(stream);
	for (uint64_t seq = 1; seq <= 1024; seq++) {
		const struct mt_pkt_dispatch *packet = (const void *)fake_packet(queue, seq, 0);

		cr_assert_eq(packet->header.opcode, MT_PKT_OP_DISPATCH);
		cr_assert_eq(packet->kernarg_va % 64, 0);
		cr_assert_eq(packet->kernarg_b, 4096);
		cr_assert_eq(*(uint8_t *)(uintptr_t)(packet->kernarg_va - (1ull << 40)),
			     (uint8_t)(seq - 1));
	}
}

/* Past that a launch waits for the oldest, a batch of them at once, and no command memory is reused
 * before its time. */
Test(drv_stream_depth, full_stream_waits_for_the_oldest)
{
	const unsigned int batch = MT_STREAM_BATCH + 1, total = MT_STREAM_DEPTH + 3 * batch;

	fake_wait_completes = true;
	for (unsigned int i = 0; i < total; i++)
		cr_assert_eq(launch(64), MUSA_SUCCESS);
	cr_assert_eq(fake_waits, 3);
	cr_assert_eq(mt_hw_queue_completed(&fake_queue_of(stream)->hw), 3 * batch);
}

/* Where no batch ends in time, one is enough. */
Test(drv_stream_depth, full_stream_goes_on_with_one)
{
	fake_wait_completes = fake_wait_patience = true;
	for (unsigned int i = 0; i < MT_STREAM_DEPTH + 5; i++)
		cr_assert_eq(launch(64), MUSA_SUCCESS);
	cr_assert_eq(fake_waits, 2 * 5);
	cr_assert_eq(mt_hw_queue_completed(&fake_queue_of(stream)->hw), 5);
}

/* A wait that fails (a device error, here a time-out) fails the launch and leaves the stream
 * usable. */
Test(drv_stream_depth, failed_wait_fails_the_launch)
{
	for (unsigned int i = 0; i < MT_STREAM_DEPTH; i++)
		cr_assert_eq(launch(0), MUSA_SUCCESS);
	cr_assert_neq(launch(0), MUSA_SUCCESS);
	fake_complete(stream);
	cr_assert_eq(launch(0), MUSA_SUCCESS);
}

/* Once warm, launches and completions allocate nothing, neither host nor command memory. */
Test(drv_stream_depth, steady_state_allocates_nothing)
{
	struct mt_alloc_stats before, after;
	unsigned int bos;

	for (int i = 0; i < 600; i++) {
		cr_assert_eq(launch(256), MUSA_SUCCESS);
		if (i % 64 == 63)
			fake_complete(stream);
	}
	mt_alloc_stats_get(&before);
	bos = fake_bo_created;
	for (int i = 0; i < 3000; i++) {
		cr_assert_eq(launch(256), MUSA_SUCCESS);
		if (i % 64 == 63)
			fake_complete(stream);
	}
	mt_alloc_stats_get(&after);
	cr_assert_eq(after.calls, before.calls);
	cr_assert_eq(fake_bo_created, bos);
	cr_assert_eq(fake_waits, 0);
}

/* With no command memory to be had a launch waits for work that will give some back. */
Test(drv_stream_depth, short_of_memory_waits)
{
	struct mt_command_block taken;
	int held = 0;

	cr_assert_eq(launch(4096), MUSA_SUCCESS);
	fake_bo_fail = true;
	fake_wait_completes = true;
	while (!mt_command_alloc(ctx.commands, MT_COMMAND_CHUNK_B, &taken))
		held++;
	while (!mt_command_alloc(ctx.commands, MT_COMMAND_STEP_B, &taken))
		held++;
	cr_assert_gt(held, 0);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(launch(4096), MUSA_SUCCESS);
	cr_assert_gt(fake_waits, 0);
}

/* With nothing in flight there is nothing to wait for: the launch is out of memory. */
Test(drv_stream_depth, no_memory_is_an_error)
{
	fake_bo_fail = true;
	cr_assert_eq(launch(4096), MUSA_ERROR_OUT_OF_MEMORY);
	fake_bo_fail = false;
	cr_assert_eq(launch(4096), MUSA_SUCCESS);
}

/* The largest argument image there may be still fits a submission. */
Test(drv_stream_depth, largest_arguments_fit)
{
	cr_assert_eq(launch(MT_COMMAND_KERNARG_MAX), MUSA_SUCCESS);
	cr_assert_eq(launch(MT_COMMAND_KERNARG_MAX), MUSA_SUCCESS);
}

/* Streams that never submit have no queue: 2,000 of them cost 2,000 small structs. */
Test(drv_stream_depth, unused_streams_have_no_queue)
{
	unsigned int before = fake_queue_count;

	for (int i = 0; i < 2000; i++)
		fake_stream(&ctx, MU_STREAM_NON_BLOCKING);
	cr_assert_eq(fake_queue_count, before);
}

/* A queue serves one stream after another, but never one while another's work is in it. */
Test(drv_stream_depth, queues_are_reused_when_idle)
{
	struct mt_hw_queue *first;

	cr_assert_eq(launch(64), MUSA_SUCCESS);
	first = stream->queue;
	mt_stream_free(stream);
	stream = fake_stream(&ctx, MU_STREAM_NON_BLOCKING);
	cr_assert_eq(launch(64), MUSA_SUCCESS);
	cr_assert_neq((void *)stream->queue, (void *)first);
	atomic_store(&((struct fake_queue *)first)->values[0], first->submitted);
	stream = fake_stream(&ctx, MU_STREAM_NON_BLOCKING);
	cr_assert_eq(launch(64), MUSA_SUCCESS);
	cr_assert_eq((void *)stream->queue, (void *)first);
	cr_assert_eq(stream->last_seq, 2);
}
