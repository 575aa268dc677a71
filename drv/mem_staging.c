/* SPDX-License-Identifier: MIT */
/*
 * Staging blocks wait in a list until the queue that reads them has come past their copy.
 */
#include "drv/mem_staging.h"

#include <string.h>

#include "hw/base/alloc.h"

#define REAP_WAITING_MAX 16u /* unfinished ones to pass by: the list is roughly in order */

MUresult mt_staging_create(struct mt_memory *memory, struct mt_op_copy *copy,
			   struct mt_staging **staging_out)
{
	uint64_t slice_b = copy->width_b * copy->height;
	struct mt_staging *staging;
	char *to;
	MUresult ret;

	mt_staging_reap(memory);
	staging = mt_calloc(1, sizeof(*staging));
	if (!staging)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_memory_take(memory, &memory->host, slice_b * copy->depth, &staging->block);
	if (ret) {
		mt_free(staging);
		return ret;
	}
	to = (char *)(uintptr_t)staging->block->va;
	for (uint64_t z = 0; z < copy->depth; z++) {
		for (uint64_t y = 0; y < copy->height; y++, to += copy->width_b)
			memcpy(to,
			       (const char *)(uintptr_t)(copy->src.va + z * copy->src.slice_b +
							 y * copy->src.row_b),
			       copy->width_b);
	}
	copy->src.va = staging->block->va;
	copy->src.row_b = copy->width_b;
	copy->src.slice_b = slice_b;
	copy->src.type = MT_MEM_PINNED;
	*staging_out = staging;
	return MUSA_SUCCESS;
}

void mt_staging_destroy(struct mt_memory *memory, struct mt_staging *staging)
{
	mt_heap_free(&memory->host, staging->block);
	mt_free(staging);
}

void mt_staging_commit(struct mt_memory *memory, struct mt_staging *staging,
		       struct mt_stream *stream)
{
	staging->ticket.queue = stream->queue;
	staging->ticket.seq = atomic_load_explicit(&stream->last_seq, memory_order_acquire);
	pthread_mutex_lock(&memory->lock);
	*memory->staged_end = staging;
	memory->staged_end = &staging->next;
	atomic_fetch_add_explicit(&memory->chores, 1, memory_order_relaxed);
	pthread_mutex_unlock(&memory->lock);
}

static bool is_done(const struct mt_staging *staging)
{
	return mt_hw_queue_completed(staging->ticket.queue) >= staging->ticket.seq;
}

void mt_staging_reap(struct mt_memory *memory)
{
	struct mt_staging **link, *staging;
	uint32_t waiting = 0;

	pthread_mutex_lock(&memory->lock);
	for (link = &memory->staged; (staging = *link) && waiting < REAP_WAITING_MAX;) {
		if (!is_done(staging)) {
			link = &staging->next;
			waiting++;
			continue;
		}
		*link = staging->next;
		atomic_fetch_sub_explicit(&memory->chores, 1, memory_order_relaxed);
		mt_staging_destroy(memory, staging);
	}
	if (!*link)
		memory->staged_end = link;
	pthread_mutex_unlock(&memory->lock);
}

void mt_staging_finish(struct mt_memory *memory)
{
	struct mt_staging *staging, *next;

	for (staging = memory->staged; staging; staging = next) {
		next = staging->next;
		mt_staging_destroy(memory, staging);
	}
	memory->staged = NULL;
	memory->staged_end = &memory->staged;
}
