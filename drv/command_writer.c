/* SPDX-License-Identifier: MIT */
/* Queues with their command memory, and their reuse by one stream after another. */
#include "drv/command_writer.h"

#include "hw/base/alloc.h"

#define CHUNK_MIN_B   1024u /* most streams never see more */
#define RETIRED_LOOKS 8u    /* retired writers that acquire() looks at */
#define FREE_EXTRA    2u    /* completed chunks given back per new chunk */

static struct mt_command_chunk *chunk_at(const struct mt_command_writer *writer, uint32_t index)
{
	return &writer->ring[(writer->first + index) & (writer->capacity - 1)];
}

static bool writer_idle(const struct mt_command_writer *writer)
{
	return mt_hw_queue_completed(writer->queue) >=
	       atomic_load_explicit(&writer->last_seq, memory_order_acquire);
}

static void open_chunk(struct mt_command_writer *writer, const struct mt_command_block *block)
{
	writer->low = block->cpu;
	writer->high = writer->low + block->size_b;
	writer->to_va = block->va - (uint64_t)(uintptr_t)block->cpu;
}

static void free_oldest(struct mt_command_writer *writer)
{
	mt_command_free(writer->ctx->commands, &chunk_at(writer, 0)->block);
	writer->first = (writer->first + 1) & (writer->capacity - 1);
	writer->count--;
}

static void free_chunks(struct mt_command_writer *writer)
{
	while (writer->count)
		free_oldest(writer);
	writer->low = writer->high = NULL;
	writer->grow_b = CHUNK_MIN_B;
}

static MUresult grow_ring(struct mt_command_writer *writer)
{
	uint32_t capacity = writer->capacity ? writer->capacity * 2 : 4;
	struct mt_command_chunk *ring;

	if (writer->count < writer->capacity)
		return MUSA_SUCCESS;
	ring = mt_alloc(capacity * sizeof(*ring));
	if (!ring)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < writer->count; i++)
		ring[i] = *chunk_at(writer, i);
	mt_free(writer->ring);
	writer->ring = ring;
	writer->capacity = capacity;
	writer->first = 0;
	return MUSA_SUCCESS;
}

/* A new chunk becomes the newest one. */
static MUresult add_chunk(struct mt_command_writer *writer, uint32_t need_b)
{
	struct mt_command_block block;
	MUresult ret;

	while (writer->grow_b < need_b)
		writer->grow_b *= 2;
	ret = grow_ring(writer);
	if (!ret)
		ret = mt_command_alloc(writer->ctx->commands, writer->grow_b, &block);
	if (ret)
		return ret;
	if (writer->grow_b < MT_COMMAND_CHUNK_B)
		writer->grow_b *= 2;
	chunk_at(writer, writer->count++)->block = block;
	open_chunk(writer, &block);
	return MUSA_SUCCESS;
}

/* The oldest chunk becomes the newest one, if it is large enough and its work has ended. */
static bool reuse_oldest(struct mt_command_writer *writer, uint32_t need_b, uint64_t completed)
{
	struct mt_command_chunk chunk;

	if (!writer->count)
		return false;
	chunk = *chunk_at(writer, 0);
	if (chunk.seq > completed || chunk.block.size_b < need_b)
		return false;
	writer->first = (writer->first + 1) & (writer->capacity - 1);
	*chunk_at(writer, writer->count - 1) = chunk;
	open_chunk(writer, &chunk.block);
	return true;
}

static MUresult next_chunk(struct mt_command_writer *writer, uint32_t need_b, uint64_t *wait_out)
{
	uint64_t completed = mt_hw_queue_completed(writer->queue);
	bool reused;
	MUresult ret;

	if (writer->count)
		chunk_at(writer, writer->count - 1)->seq = writer->queue->submitted;
	reused = reuse_oldest(writer, need_b, completed);
	/* A burst has passed, or the chunks are too small: give back what is no longer needed. */
	for (uint32_t i = 0; i < FREE_EXTRA && writer->count > reused; i++) {
		if (chunk_at(writer, 0)->seq > completed)
			break;
		free_oldest(writer);
	}
	if (reused)
		return MUSA_SUCCESS;
	ret = add_chunk(writer, need_b);
	if (ret == MUSA_ERROR_OUT_OF_MEMORY && writer->count &&
	    chunk_at(writer, 0)->seq > completed) {
		*wait_out = chunk_at(writer, 0)->seq;
		ret = MUSA_ERROR_NOT_READY;
	}
	/* Nothing may be written to the chunk whose last submission has just been noted. */
	if (ret)
		writer->low = writer->high = NULL;
	return ret;
}

static bool take_space(struct mt_command_writer *writer, uint32_t packets_b, uint32_t data_b,
		       struct mt_command_space *space_out)
{
	if ((size_t)(writer->high - writer->low) < (size_t)packets_b + data_b)
		return false;
	space_out->packets = writer->low;
	space_out->data = writer->high - data_b;
	space_out->packets_va = (uint64_t)(uintptr_t)space_out->packets + writer->to_va;
	space_out->data_va = (uint64_t)(uintptr_t)space_out->data + writer->to_va;
	return true;
}

MUresult mt_command_writer_reserve(struct mt_command_writer *writer, uint32_t packets_b,
				   uint32_t data_b, struct mt_command_space *space_out,
				   uint64_t *wait_out)
{
	MUresult ret;

	if (__builtin_expect(take_space(writer, packets_b, data_b, space_out), 1))
		return MUSA_SUCCESS;
	ret = next_chunk(writer, packets_b + data_b, wait_out);
	if (!ret)
		take_space(writer, packets_b, data_b, space_out);
	return ret;
}

static MUresult create_writer(struct mt_ctx *ctx, int priority,
			      struct mt_command_writer **writer_out)
{
	struct mt_command_writer *writer = mt_calloc(1, sizeof(*writer));
	int error;

	if (!writer)
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = ctx->hw->ops->queue_create(ctx->hw, priority, &writer->queue);
	if (error) {
		mt_free(writer);
		return mt_result_from_errno(ctx->hw, error);
	}
	writer->ctx = ctx;
	writer->priority = priority;
	writer->grow_b = CHUNK_MIN_B;
	writer->next = atomic_load_explicit(&ctx->writers, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&ctx->writers, &writer->next, writer,
						      memory_order_release, memory_order_relaxed))
		;
	*writer_out = writer;
	return MUSA_SUCCESS;
}

/* An idle writer must not have a stream's work behind another's, so busy ones stay where they are.
 */
static struct mt_command_writer *take_retired(struct mt_ctx *ctx, int priority)
{
	struct mt_command_writer **link = &ctx->retired;
	struct mt_command_writer *writer;

	for (uint32_t i = 0; i < RETIRED_LOOKS && (writer = *link); i++) {
		if (writer->priority == priority && writer_idle(writer)) {
			*link = writer->retired_next;
			return writer;
		}
		link = &writer->retired_next;
	}
	return NULL;
}

MUresult mt_command_writer_acquire(struct mt_ctx *ctx, int priority,
				   struct mt_command_writer **writer_out)
{
	struct mt_command_writer *writer;

	pthread_mutex_lock(&ctx->lock);
	writer = take_retired(ctx, priority);
	pthread_mutex_unlock(&ctx->lock);
	if (!writer)
		return create_writer(ctx, priority, writer_out);
	*writer_out = writer;
	return MUSA_SUCCESS;
}

void mt_command_writer_retire(struct mt_command_writer *writer)
{
	struct mt_ctx *ctx;
	struct mt_command_writer **link;

	if (!writer)
		return;
	ctx = writer->ctx;
	/* A busy one keeps its chunks until it is taken again: they are being read. */
	if (writer_idle(writer))
		free_chunks(writer);
	pthread_mutex_lock(&ctx->lock);
	link = &ctx->retired;
	writer->retired_next = *link;
	*link = writer;
	pthread_mutex_unlock(&ctx->lock);
}

void mt_command_writers_finish(struct mt_ctx *ctx)
{
	struct mt_command_writer *writer = atomic_load(&ctx->writers);
	struct mt_command_writer *next;

	/* Waits on any timeline may stand in any queue: all of them end first. */
	for (struct mt_command_writer *w = writer; w; w = w->next)
		mt_hw_queue_wait(w->queue, atomic_load(&w->last_seq), -1);
	for (; writer; writer = next) {
		next = writer->next;
		ctx->hw->ops->queue_destroy(writer->queue);
		free_chunks(writer);
		mt_free(writer->ring);
		mt_free(writer);
	}
	atomic_store(&ctx->writers, NULL);
	atomic_store(&ctx->unordered, NULL);
	ctx->retired = NULL;
}
