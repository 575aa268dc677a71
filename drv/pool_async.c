/* SPDX-License-Identifier: MIT */
/*
 * Stream-ordered allocation: which block a stream may have, and when a freed one is free for all.
 */
#include <string.h>

#include "drv/capture.h"
#include "drv/pool_internal.h"
#include "drv/stream_internal.h"
#include "hw/base/alloc.h"

#define BIN_TRIES 16u /* blocks of the same power of two to look at */

static uint32_t bin_of(uint64_t size_b)
{
	return 63 - (uint32_t)__builtin_clzll(size_b);
}

static struct mt_pool_stream *find_stream(struct mt_pool *pool, uint64_t id)
{
	struct mt_pool_stream *stream = pool->streams;

	while (stream && stream->id != id)
		stream = stream->next;
	return stream;
}

static void pending_push(struct mt_pool_stream *stream, struct mt_pool_block *block)
{
	struct mt_pool_block **bin = &stream->bins[bin_of(block->block->size_b)];

	block->stream = stream;
	block->newer = NULL;
	block->older = stream->newest;
	if (stream->newest)
		stream->newest->newer = block;
	else
		stream->oldest = block;
	stream->newest = block;

	block->bin_next = *bin;
	block->bin_link = bin;
	if (*bin)
		(*bin)->bin_link = &block->bin_next;
	*bin = block;
	atomic_fetch_add_explicit(&block->pool->memory->chores, 1, memory_order_relaxed);
}

static void pending_drop(struct mt_pool_block *block)
{
	struct mt_pool_stream *stream = block->stream;

	if (block->older)
		block->older->newer = block->newer;
	else
		stream->oldest = block->newer;
	if (block->newer)
		block->newer->older = block->older;
	else
		stream->newest = block->older;
	*block->bin_link = block->bin_next;
	if (block->bin_next)
		block->bin_next->bin_link = block->bin_link;
	block->stream = NULL;
	atomic_fetch_sub_explicit(&block->pool->memory->chores, 1, memory_order_relaxed);
}

static bool is_done(const struct mt_stream_ticket *ticket)
{
	return !ticket->queue || mt_hw_queue_completed(ticket->queue) >= ticket->seq;
}

void mt_pool_pop_done(struct mt_pool *pool)
{
	struct mt_pool_stream **link = &pool->streams, *stream;

	while ((stream = *link)) {
		struct mt_pool_block *block;

		while ((block = stream->oldest) && is_done(&block->ticket)) {
			pending_drop(block);
			mt_heap_free(&pool->heap, block->block);
			mt_free(block);
			mt_pool_note_spare(pool);
		}
		if (stream->oldest) {
			link = &stream->next;
			continue;
		}
		*link = stream->next;
		mt_free(stream);
	}
}

/* A pending block of the stream that fits: one of about the size if there is, else a larger one. */
static struct mt_pool_block *pending_fit(struct mt_pool_stream *stream, uint64_t size_b)
{
	uint32_t bin = bin_of(size_b), tries = BIN_TRIES;
	struct mt_pool_block *block;

	for (block = stream->bins[bin]; block && tries; block = block->bin_next, tries--) {
		if (block->block->size_b >= size_b)
			return block;
	}
	while (++bin < MT_POOL_BINS) {
		if (stream->bins[bin])
			return stream->bins[bin];
	}
	return NULL;
}

/* Takes a pending block over for a new allocation; what is too much of it stays pending. */
static struct mt_pool_block *pending_take(struct mt_pool_block *block, uint64_t size_b)
{
	struct mt_pool_stream *stream = block->stream;
	struct mt_heap_block *rest = NULL;
	struct mt_pool_block *rest_block;

	pending_drop(block);
	rest_block = mt_calloc(1, sizeof(*rest_block));
	if (!rest_block)
		return block;
	mt_heap_split(&block->pool->heap, block->block, size_b, &rest);
	if (!rest) {
		mt_free(rest_block);
		return block;
	}
	rest_block->pool = block->pool;
	rest_block->block = rest;
	rest_block->ticket = block->ticket;
	pending_push(stream, rest_block);
	return block;
}

static struct mt_pool_block *take_own(struct mt_pool *pool, uint64_t stream_id, uint64_t size_b)
{
	struct mt_pool_stream *stream = find_stream(pool, stream_id);
	struct mt_pool_block *block = stream ? pending_fit(stream, size_b) : NULL;

	return block ? pending_take(block, size_b) : NULL;
}

/* One of another stream of the same device: the caller makes its stream wait for the ticket. */
static struct mt_pool_block *take_foreign(struct mt_pool *pool, const struct mt_hw_device *dev,
					  uint64_t size_b)
{
	struct mt_pool_stream *stream;
	struct mt_pool_block *block;

	for (stream = pool->streams; stream; stream = stream->next) {
		block = pending_fit(stream, size_b);
		if (block && block->ticket.queue && block->ticket.queue->dev == dev)
			return pending_take(block, size_b);
	}
	return NULL;
}

static struct mt_pool_block *take_heap(struct mt_pool *pool, uint64_t size_b, bool grow)
{
	struct mt_pool_block *block = mt_calloc(1, sizeof(*block));

	if (!block)
		return NULL;
	block->pool = pool;
	if (mt_heap_alloc(&pool->heap, size_b, grow, &block->block)) {
		mt_free(block);
		return NULL;
	}
	return block;
}

/* Under the lock. *wait_out: the stream has to wait for the block's ticket before it uses it. */
static struct mt_pool_block *take(struct mt_pool *pool, struct mt_stream *stream, uint64_t size_b,
				  bool *wait_out)
{
	struct mt_pool_block *block = take_own(pool, stream->id, size_b);

	*wait_out = false;
	if (block)
		return block;
	if (pool->opportunistic)
		mt_pool_pop_done(pool);
	block = take_heap(pool, size_b, false);
	if (block)
		return block;
	if (pool->internal_deps) {
		block = take_foreign(pool, stream->ctx->hw, size_b);
		*wait_out = block != NULL;
	}
	return block ? block : take_heap(pool, size_b, true);
}

/* Under the lock: the block counts as allocated. */
static void count_in(struct mt_pool_block *block)
{
	struct mt_pool *pool = block->pool;

	pool->used_b += block->block->size_b;
	if (pool->used_b > pool->used_high_b)
		pool->used_high_b = pool->used_b;
	pool->live_count++;
}

static void count_out(struct mt_pool_block *block)
{
	block->pool->used_b -= block->block->size_b;
	block->pool->live_count--;
}

static MUresult wait_for(struct mt_stream *stream, const struct mt_stream_ticket *ticket)
{
	struct mt_stream_work work;
	MUresult ret = mt_stream_reach(stream->ctx, &ticket->queue->timeline);
	void *end;

	if (!ret)
		ret = mt_stream_begin(stream, sizeof(struct mt_pkt_wait), 0, &work);
	if (ret)
		return ret;
	end = mt_pkt_put_wait(work.at, 0, MT_PKT_NODE_NONE, ticket->queue->timeline.va,
			      ticket->seq);
	return mt_stream_end(stream, &work, end);
}

/* Everything that could be had by waiting is had; a last try. */
static struct mt_pool_block *take_after_trim(struct mt_pool *pool, uint64_t size_b)
{
	struct mt_memory *memory = pool->memory;
	struct mt_pool_block *block;

	if (mt_ctx_wait_idle(memory->ctx))
		return NULL;
	mt_staging_reap(memory);
	mt_pool_trim_all(memory);
	mt_heap_trim(&memory->device, 0);
	pthread_mutex_lock(&pool->lock);
	block = take_heap(pool, size_b, true);
	if (block)
		count_in(block);
	pthread_mutex_unlock(&pool->lock);
	return block;
}

static MUresult enter(struct mt_pool_block *block, uint64_t size_b)
{
	const struct mt_mem_info info = {
		.base = block->block->va,
		.size_b = size_b,
		.kind = MT_ALLOC_POOL,
		.type = MT_MEM_DEVICE,
		.device = block->pool->memory->ctx->device,
		.owner = block,
	};

	return mt_mem_add(&info);
}

/* Back to the heap at once: nobody uses it any more, or nobody ever did. */
static void free_idle(struct mt_pool_block *block)
{
	struct mt_pool *pool = block->pool;
	struct mt_memory *memory = pool->memory;

	pthread_mutex_lock(&memory->lock);
	pthread_mutex_lock(&pool->lock);
	count_out(block);
	mt_heap_free(&pool->heap, block->block);
	mt_free(block);
	mt_pool_pop_done(pool);
	mt_pool_give_back(pool, pool->threshold_b);
	if (mt_pool_is_over(pool))
		mt_pool_release(pool);
	else
		pthread_mutex_unlock(&pool->lock);
	pthread_mutex_unlock(&memory->lock);
}

void mt_pool_free_idle(const struct mt_mem_info *info)
{
	free_idle(info->owner);
}

static MUresult alloc_block(struct mt_stream *stream, struct mt_pool *pool, uint64_t size_b,
			    uint64_t *va_out)
{
	struct mt_stream_ticket ticket = {0};
	struct mt_pool_block *block;
	MUresult ret = MUSA_SUCCESS;
	bool wait;

	pthread_mutex_lock(&pool->lock);
	block = take(pool, stream, mt_heap_round(size_b), &wait);
	if (block) {
		ticket = block->ticket;
		count_in(block);
	}
	pthread_mutex_unlock(&pool->lock);
	if (!block)
		block = take_after_trim(pool, size_b);
	if (!block)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (wait)
		ret = wait_for(stream, &ticket);
	/* Without the wait the block is not this stream's; the device has failed anyhow. */
	if (!ret)
		ret = enter(block, size_b);
	if (ret) {
		free_idle(block);
		return ret;
	}
	*va_out = block->block->va;
	return MUSA_SUCCESS;
}

MUresult mt_pool_alloc_async(struct mt_stream *stream, struct mt_pool *pool, uint64_t size_b,
			     uint64_t *va_out, const char *api)
{
	MUresult ret;

	if (atomic_load_explicit(&stream->capture, memory_order_acquire)) {
		if (size_b)
			return mt_capture_ops->alloc(stream, size_b, pool, va_out, api);
		*va_out = 0;
		return MUSA_SUCCESS;
	}
	ret = mt_capture_check_unsafe(api);
	if (!ret && !size_b) {
		*va_out = 0;
		return MUSA_SUCCESS;
	}
	if (!ret)
		ret = mt_stream_check_use(stream, api);
	if (ret)
		return ret;
	if (!pool)
		pool = stream->ctx->memory->current_pool;
	if (size_b > pool->memory->ctx->hw->info.memory_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (mt_hw_alloc_admit(pool->memory->ctx->hw))
		return MUSA_ERROR_OUT_OF_MEMORY;
	return alloc_block(stream, pool, size_b, va_out);
}

/* The point of the stream behind everything that could use the memory. Blocking streams need a
 * submission of their own there: it takes up the implicit order with the legacy stream. */
static MUresult mark(struct mt_stream *stream, struct mt_stream_ticket *ticket_out)
{
	struct mt_stream_work work;
	MUresult ret;

	if (!(stream->flags & MU_STREAM_NON_BLOCKING) || stream->legacy) {
		ret = mt_stream_begin(stream, 0, 0, &work);
		if (!ret)
			ret = mt_stream_end(stream, &work, work.at);
		if (ret)
			return ret;
	}
	pthread_mutex_lock(&stream->lock);
	ticket_out->queue = stream->queue;
	ticket_out->seq = atomic_load_explicit(&stream->last_seq, memory_order_acquire);
	pthread_mutex_unlock(&stream->lock);
	return MUSA_SUCCESS;
}

static MUresult free_block(struct mt_stream *stream, uint64_t va)
{
	struct mt_pool_stream *pending = NULL, *spare = mt_calloc(1, sizeof(*spare));
	struct mt_stream_ticket ticket;
	struct mt_pool_block *block;
	struct mt_mem_info info;
	struct mt_pool *pool;
	MUresult ret;

	if (!spare)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mark(stream, &ticket);
	if (!ret && !mt_mem_map_take_kind(va, 1u << MT_ALLOC_POOL, &info))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret) {
		mt_free(spare);
		return ret;
	}
	block = info.owner;
	pool = block->pool;
	pthread_mutex_lock(&pool->lock);
	pending = find_stream(pool, stream->id);
	if (!pending) {
		pending = spare;
		spare = NULL;
		pending->id = stream->id;
		pending->next = pool->streams;
		pool->streams = pending;
	}
	count_out(block);
	block->ticket = ticket;
	pending_push(pending, block);
	pthread_mutex_unlock(&pool->lock);
	mt_free(spare);
	return MUSA_SUCCESS;
}

MUresult mt_pool_free_async(struct mt_stream *stream, uint64_t va, const char *api)
{
	bool capturing = atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL;
	struct mt_mem_info info;
	MUresult ret;

	if (!va && capturing)
		return MUSA_SUCCESS;
	if (!va || !mt_mem_find(va, &info) || info.base != va)
		return MUSA_ERROR_INVALID_VALUE;
	if (info.kind != MT_ALLOC_POOL && info.kind != MT_ALLOC_GRAPH)
		return MUSA_ERROR_INVALID_VALUE;
	if (capturing)
		return info.kind == MT_ALLOC_GRAPH ? mt_capture_ops->free(stream, va, api)
						   : MUSA_ERROR_INVALID_VALUE;
	ret = mt_capture_check_unsafe(api);
	if (!ret)
		ret = mt_stream_check_use(stream, api);
	if (ret)
		return ret;
	if (info.kind == MT_ALLOC_GRAPH)
		return info.hooks->free(info.owner, stream, api);
	return free_block(stream, va);
}
