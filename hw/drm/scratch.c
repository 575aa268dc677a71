/* SPDX-License-Identifier: MIT */
/*
 * Small data of a DMA queue that its jobs read: fill patterns and values to write. Room in a chunk
 * is used again once all jobs that read the chunk have completed.
 */
#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/drm/queue.h"

#define SLOT_B     64u
#define TAKE_MAX_B 4096u
#define IN_USE     UINT64_MAX /* by the submission that is being read */

static int add_chunk(struct mt_drm_queue *queue)
{
	struct mt_drm_scratch *chunk = mt_calloc(1, sizeof(*chunk));
	int ret;

	if (!chunk)
		return -ENOMEM;
	ret = mt_drm_bo_create(queue->base.dev, MT_DRM_BO_B, MT_HW_HOST, MT_HW_BO_ZERO, &chunk->bo);
	if (ret) {
		mt_free(chunk);
		return ret;
	}
	chunk->next = queue->scratch;
	queue->scratch = chunk;
	return 0;
}

/* A chunk that no job reads any more becomes the first. */
static bool reuse_chunk(struct mt_drm_queue *queue)
{
	uint64_t completed = atomic_load_explicit(queue->progress.value, memory_order_acquire);
	struct mt_drm_scratch **link, *chunk;

	for (link = &queue->scratch; (chunk = *link); link = &chunk->next) {
		if (chunk->last_stage > completed)
			continue;
		*link = chunk->next;
		chunk->next = queue->scratch;
		queue->scratch = chunk;
		chunk->used_b = 0;
		return true;
	}
	return false;
}

int mt_drm_scratch_take(struct mt_drm_queue *queue, uint32_t size_b, uint64_t *va_out)
{
	struct mt_drm_scratch *chunk = queue->scratch;
	int ret;

	size_b = (size_b + SLOT_B - 1) & ~(SLOT_B - 1);
	if (size_b > TAKE_MAX_B)
		return -EINVAL;
	if (!chunk || chunk->bo->size_b - chunk->used_b < size_b) {
		if (!reuse_chunk(queue)) {
			ret = add_chunk(queue);
			if (ret)
				return ret;
		}
		chunk = queue->scratch;
		queue->lower.pattern_va = 0;
	}
	*va_out = chunk->bo->va + chunk->used_b;
	chunk->used_b += size_b;
	chunk->last_stage = IN_USE;
	return 0;
}

void mt_drm_scratch_settle(struct mt_drm_queue *queue, uint64_t stage)
{
	struct mt_drm_scratch *chunk;

	for (chunk = queue->scratch; chunk; chunk = chunk->next)
		if (chunk->last_stage == IN_USE)
			chunk->last_stage = stage;
}

void mt_drm_scratch_free(struct mt_drm_queue *queue)
{
	struct mt_drm_scratch *chunk, *next;

	for (chunk = queue->scratch; chunk; chunk = next) {
		next = chunk->next;
		mt_drm_bo_destroy(chunk->bo);
		mt_free(chunk);
	}
	queue->scratch = NULL;
}
