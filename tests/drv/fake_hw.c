/* SPDX-License-Identifier: MIT */
/* The device that executes nothing. */
#include "fake_hw.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drv/command_writer.h"
#include "drv/event.h"
#include "drv/stream_internal.h"
#include "hw/base/alloc.h"

struct fake_queue *fake_queues;
unsigned int fake_queue_count;
unsigned int fake_bo_count, fake_bo_created;
unsigned int fake_waits;
unsigned int fake_fail_submit;
bool fake_bo_fail;
bool fake_wait_completes, fake_wait_patience;
unsigned int fake_signals;

static int create_bo(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
		     uint32_t flags, struct mt_hw_bo **bo_out)
{
	struct mt_hw_bo *bo;

	if (fake_bo_fail)
		return -ENOMEM;
	bo = calloc(1, sizeof(*bo));
	cr_assert(bo);
	bo->dev = dev;
	bo->size_b = size_b;
	bo->cpu = aligned_alloc(4096, size_b);
	cr_assert(bo->cpu);
	memset(bo->cpu, 0xee, size_b);
	/* Not the CPU's address, so that a mistaken one shows. */
	bo->va = (uint64_t)(uintptr_t)bo->cpu + (1ull << 40);
	bo->domain = domain;
	bo->flags = flags;
	fake_bo_count++;
	fake_bo_created++;
	*bo_out = bo;
	return 0;
}

static void destroy_bo(struct mt_hw_bo *bo)
{
	fake_bo_count--;
	free(bo->cpu);
	free(bo);
}

static int create_queue(struct mt_hw_device *dev, int priority, struct mt_hw_queue **queue_out)
{
	struct fake_queue *queue = calloc(1, sizeof(*queue));

	cr_assert(queue);
	queue->hw.dev = dev;
	queue->hw.id = ++fake_queue_count;
	queue->hw.timeline.dev = dev;
	queue->hw.timeline.va = (uint64_t)(uintptr_t)queue->values;
	queue->hw.timeline.value = queue->values;
	queue->priority = priority;
	queue->next = fake_queues;
	fake_queues = queue;
	*queue_out = &queue->hw;
	return 0;
}

static void destroy_queue(struct mt_hw_queue *hw)
{
	struct fake_queue **link = &fake_queues;

	while (&(*link)->hw != hw)
		link = &(*link)->next;
	*link = (*link)->next;
	free(hw);
}

static int submit(struct mt_hw_queue *hw, const struct mt_hw_submit *values)
{
	struct fake_queue *queue = (struct fake_queue *)hw;

	if (fake_fail_submit && !--fake_fail_submit)
		return -ENOMEM;
	cr_assert_lt(hw->submitted, FAKE_SUBMITS_MAX);
	queue->lanes[hw->submitted++] = values->lane_va[0];
	return 0;
}

static int create_semaphore(struct mt_hw_device *dev, struct mt_hw_semaphore *out)
{
	_Atomic uint64_t *value = aligned_alloc(16, 16);

	cr_assert(value);
	atomic_init(&value[0], 0);
	atomic_init(&value[1], 0);
	out->dev = dev;
	out->va = (uint64_t)(uintptr_t)value;
	out->value = value;
	return 0;
}

static void destroy_semaphore(struct mt_hw_semaphore *semaphore)
{
	free((void *)semaphore->value);
}

static int wait_semaphore(struct mt_hw_semaphore *semaphore, uint64_t value, int64_t timeout_ns)
{
	if (atomic_load(semaphore->value) >= value)
		return 0;
	fake_waits++;
	if (!fake_wait_completes || (fake_wait_patience && timeout_ns >= 0))
		return -ETIME;
	atomic_store(semaphore->value, value);
	return 0;
}

static int signal_semaphore(struct mt_hw_semaphore *semaphore, uint64_t value)
{
	fake_signals++;
	if (atomic_load(semaphore->value) < value)
		atomic_store(semaphore->value, value);
	return 0;
}

static const struct mt_hw_ops ops = {
	.name = "fake",
	.bo_create = create_bo,
	.bo_destroy = destroy_bo,
	.queue_create = create_queue,
	.queue_destroy = destroy_queue,
	.queue_submit = submit,
	.semaphore_create = create_semaphore,
	.semaphore_destroy = destroy_semaphore,
	.semaphore_wait = wait_semaphore,
	.semaphore_signal = signal_semaphore,
};

struct mt_hw_device fake_device = {
	.ops = &ops,
	.info = {.priority_least = 0, .priority_greatest = -5, .shared_block_b = 1 << 16},
};

void fake_ctx_open(struct mt_ctx *ctx)
{
	memset(ctx, 0, sizeof(*ctx));
	ctx->hw = &fake_device;
	pthread_mutex_init(&ctx->lock, NULL);
	cr_assert_eq(mt_command_pool_create(ctx, &ctx->commands), MUSA_SUCCESS);
	cr_assert_eq(mt_event_pool_create(ctx), MUSA_SUCCESS);
	cr_assert_eq(
		mt_stream_create_internal(ctx, MU_STREAM_DEFAULT, 0, true, false, &ctx->legacy),
		MUSA_SUCCESS);
}

void fake_ctx_close(struct mt_ctx *ctx)
{
	fake_wait_completes = true;
	while (ctx->streams)
		mt_stream_free(ctx->streams);
	mt_stream_free(ctx->legacy);
	mt_command_writers_finish(ctx);
	mt_event_pool_destroy(ctx);
	mt_command_pool_destroy(ctx->commands);
	pthread_mutex_destroy(&ctx->lock);
	cr_assert_eq(fake_bo_count, 0);
	cr_assert_null(fake_queues);
}

struct mt_stream *fake_stream(struct mt_ctx *ctx, unsigned int flags)
{
	struct mt_stream *stream;

	cr_assert_eq(mt_stream_create_internal(ctx, flags, 0, false, false, &stream), MUSA_SUCCESS);
	return stream;
}

struct fake_queue *fake_queue_of(struct mt_stream *stream)
{
	cr_assert(stream->queue);
	return (struct fake_queue *)atomic_load(&stream->queue);
}

void fake_complete(struct mt_stream *stream)
{
	struct fake_queue *queue = fake_queue_of(stream);

	atomic_store(&queue->values[0], queue->hw.submitted);
}

const struct mt_pkt_header *fake_packet(struct fake_queue *queue, uint64_t seq, unsigned int index)
{
	const struct mt_pkt_header *packet;
	const char *why = "";

	cr_assert(seq > 0 && seq <= queue->hw.submitted);
	packet = (const void *)(uintptr_t)(queue->lanes[seq - 1] - (1ull << 40));
	for (;;) {
		cr_assert_eq(mt_pkt_validate(packet, 64, &why), 0, "%s", why);
		if (!index--)
			return packet;
		if (packet->opcode == MT_PKT_OP_END)
			return NULL;
		packet += packet->len_qw;
	}
}

unsigned int fake_count(struct fake_queue *queue, uint64_t seq, enum mt_pkt_opcode opcode)
{
	const struct mt_pkt_header *packet;
	unsigned int count = 0;

	for (unsigned int i = 0; (packet = fake_packet(queue, seq, i)); i++)
		count += packet->opcode == opcode;
	return count;
}
