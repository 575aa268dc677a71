/* SPDX-License-Identifier: MIT */
/*
 * Two-level segregated fit over slabs. Descriptors of pieces lie in host memory, not in the pieces.
 */
#include "drv/mem_heap.h"

#include <string.h>
#include <unistd.h>

#include "drv/memory.h"
#include "hw/base/alloc.h"

#define TIGHT_TRIES 32 /* pieces to look at before a new slab is made */

/* The list of a free piece of `units`: all pieces in it are at least as large as its lower bound.
 */
static void list_of(uint64_t units, uint32_t *fl_out, uint32_t *sl_out)
{
	uint32_t log = 63 - (uint32_t)__builtin_clzll(units);

	if (log < MT_HEAP_SL_BITS) {
		*fl_out = 0;
		*sl_out = (uint32_t)units;
		return;
	}
	*fl_out = log - MT_HEAP_SL_BITS + 1;
	*sl_out = (uint32_t)(units >> (log - MT_HEAP_SL_BITS)) & (MT_HEAP_SL_COUNT - 1);
}

/* The first list whose pieces all fit `units`. */
static void list_for(uint64_t units, uint32_t *fl_out, uint32_t *sl_out)
{
	uint32_t log = 63 - (uint32_t)__builtin_clzll(units);

	if (log > MT_HEAP_SL_BITS)
		units += (1ull << (log - MT_HEAP_SL_BITS)) - 1;
	list_of(units, fl_out, sl_out);
}

static void list_push(struct mt_heap *heap, struct mt_heap_block *block)
{
	uint32_t fl, sl;

	list_of(block->size_b / MT_HEAP_UNIT_B, &fl, &sl);
	block->next = heap->lists[fl][sl];
	block->link = &heap->lists[fl][sl];
	if (block->next)
		block->next->link = &block->next;
	heap->lists[fl][sl] = block;
	heap->sl_map[fl] |= 1u << sl;
	heap->fl_map |= 1ull << fl;
}

static void list_drop(struct mt_heap *heap, struct mt_heap_block *block)
{
	uint32_t fl, sl;

	*block->link = block->next;
	if (block->next)
		block->next->link = block->link;
	list_of(block->size_b / MT_HEAP_UNIT_B, &fl, &sl);
	if (heap->lists[fl][sl])
		return;
	heap->sl_map[fl] &= ~(1u << sl);
	if (!heap->sl_map[fl])
		heap->fl_map &= ~(1ull << fl);
}

static struct mt_heap_block *find_fit(struct mt_heap *heap, uint64_t units)
{
	uint32_t fl, sl, map;

	list_for(units, &fl, &sl);
	if (fl >= MT_HEAP_FL_COUNT)
		return NULL;
	map = heap->sl_map[fl] & (~0u << sl);
	if (!map) {
		uint64_t above = heap->fl_map & (~0ull << fl << 1);

		if (!above)
			return NULL;
		fl = (uint32_t)__builtin_ctzll(above);
		map = heap->sl_map[fl];
	}
	return heap->lists[fl][__builtin_ctz(map)];
}

/* A piece that fits although others in its list do not: looks at `most` of them. */
static struct mt_heap_block *find_tight(struct mt_heap *heap, uint64_t units, uint32_t most)
{
	struct mt_heap_block *block;
	uint32_t fl, sl;

	list_of(units, &fl, &sl);
	if (fl >= MT_HEAP_FL_COUNT)
		return NULL;
	for (block = heap->lists[fl][sl]; block && most; block = block->next, most--) {
		if (block->size_b / MT_HEAP_UNIT_B >= units)
			return block;
	}
	return NULL;
}

/* Cuts `block` to size_b; the rest follows it. NULL if memory has run out. */
static struct mt_heap_block *cut(struct mt_heap_block *block, uint64_t size_b)
{
	struct mt_heap_block *rest = mt_calloc(1, sizeof(*rest));

	if (!rest)
		return NULL;
	rest->va = block->va + size_b;
	rest->size_b = block->size_b - size_b;
	rest->slab = block->slab;
	rest->before = block;
	rest->after = block->after;
	if (rest->after)
		rest->after->before = rest;
	block->after = rest;
	block->size_b = size_b;
	return rest;
}

/* Makes `after` part of the piece in front of it. */
static void merge(struct mt_heap_block *block, struct mt_heap_block *after)
{
	block->size_b += after->size_b;
	block->after = after->after;
	if (block->after)
		block->after->before = block;
	mt_free(after);
}

static void slab_destroy(struct mt_heap *heap, struct mt_heap_slab *slab)
{
	struct mt_heap_block *block, *after;

	heap->stats.reserved_b -= slab->bo->size_b;
	*slab->link = slab->next;
	if (slab->next)
		slab->next->link = slab->link;
	for (block = slab->first; block; block = after) {
		after = block->after;
		mt_free(block);
	}
	if (slab->export_fd >= 0)
		close(slab->export_fd);
	if (heap->config.share)
		mt_mem_destroy_shared_bo(slab->bo);
	else
		slab->bo->dev->ops->bo_destroy(slab->bo);
	mt_free(slab);
}

static MUresult slab_create_bo(struct mt_heap *heap, uint64_t size_b, struct mt_hw_bo **bo_out)
{
	struct mt_hw_device *dev = heap->ctx->hw;
	MUresult ret;
	int error;

	error = dev->ops->bo_create(dev, size_b, heap->config.domain, heap->config.bo_flags,
				    bo_out);
	if (error)
		return mt_result_from_errno(dev, error);
	if (!heap->config.share)
		return MUSA_SUCCESS;
	ret = mt_mem_share_bo(heap->ctx, *bo_out);
	if (ret)
		dev->ops->bo_destroy(*bo_out);
	return ret;
}

/* A slab that is one free block, which stands in no list yet. */
static MUresult slab_create(struct mt_heap *heap, uint64_t size_b, struct mt_heap_block **block_out)
{
	struct mt_heap_block *block;
	struct mt_heap_slab *slab;
	MUresult ret;

	if (heap->config.max_b &&
	    (size_b > heap->config.max_b || heap->stats.reserved_b > heap->config.max_b - size_b))
		return MUSA_ERROR_OUT_OF_MEMORY;
	slab = mt_calloc(1, sizeof(*slab));
	block = mt_calloc(1, sizeof(*block));
	if (!slab || !block) {
		ret = MUSA_ERROR_OUT_OF_MEMORY;
		goto free_descriptors;
	}
	ret = slab_create_bo(heap, size_b, &slab->bo);
	if (ret)
		goto free_descriptors;

	slab->heap = heap;
	slab->export_fd = -1;
	slab->first = block;
	slab->next = heap->slabs;
	slab->link = &heap->slabs;
	if (slab->next)
		slab->next->link = &slab->next;
	heap->slabs = slab;
	heap->empty_count++;
	heap->stats.reserved_b += slab->bo->size_b;
	if (heap->stats.reserved_b > heap->stats.reserved_high_b)
		heap->stats.reserved_high_b = heap->stats.reserved_b;
	block->slab = slab;
	block->va = slab->bo->va;
	block->size_b = slab->bo->size_b;
	*block_out = block;
	return MUSA_SUCCESS;

free_descriptors:
	mt_free(slab);
	mt_free(block);
	return ret;
}

/* A fresh slab; if there is no room for a whole one, one that is just large enough. */
static MUresult grow_by(struct mt_heap *heap, uint64_t size_b, struct mt_heap_block **block_out)
{
	uint64_t page_b = heap->config.page_b;
	uint64_t exact_b = (size_b + page_b - 1) & ~(page_b - 1);
	MUresult ret;

	if (exact_b < size_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (size_b >= heap->config.slab_b / 2)
		return slab_create(heap, exact_b, block_out);
	ret = slab_create(heap, heap->config.slab_b, block_out);
	if (ret == MUSA_ERROR_OUT_OF_MEMORY && exact_b < heap->config.slab_b)
		ret = slab_create(heap, exact_b, block_out);
	return ret;
}

void mt_heap_init(struct mt_heap *heap, struct mt_ctx *ctx, const struct mt_heap_config *config)
{
	memset(heap, 0, sizeof(*heap));
	heap->ctx = ctx;
	heap->config = *config;
	pthread_mutex_init(&heap->lock, NULL);
}

void mt_heap_finish(struct mt_heap *heap, void (*gone)(struct mt_heap_block *block))
{
	if (!heap->ctx)
		return;
	while (heap->slabs) {
		struct mt_heap_slab *slab = heap->slabs;

		for (struct mt_heap_block *b = slab->first; b && gone; b = b->after) {
			if (b->used)
				gone(b);
		}
		slab_destroy(heap, slab);
	}
	pthread_mutex_destroy(&heap->lock);
	memset(heap, 0, sizeof(*heap));
}

/* `block` stands in no list. Marks it used and puts what is too much back. */
static void take_block(struct mt_heap *heap, struct mt_heap_block *block, uint64_t size_b)
{
	/* Without memory for a descriptor the block is handed out whole. */
	struct mt_heap_block *rest = block->size_b > size_b ? cut(block, size_b) : NULL;

	if (rest)
		list_push(heap, rest);
	block->used = true;
	block->user = NULL;
	if (!block->slab->used_b)
		heap->empty_count--;
	block->slab->used_b += block->size_b;
	heap->stats.used_b += block->size_b;
	if (heap->stats.used_b > heap->stats.used_high_b)
		heap->stats.used_high_b = heap->stats.used_b;
}

/* The block stands in no list any more. */
static MUresult find_or_grow(struct mt_heap *heap, uint64_t size_b, bool grow,
			     struct mt_heap_block **block_out)
{
	uint64_t units = size_b / MT_HEAP_UNIT_B;
	struct mt_heap_block *block = find_fit(heap, units);
	MUresult ret;

	if (!block)
		block = find_tight(heap, units, TIGHT_TRIES);
	if (!block) {
		ret = grow ? grow_by(heap, size_b, block_out) : MUSA_ERROR_OUT_OF_MEMORY;
		if (ret != MUSA_ERROR_OUT_OF_MEMORY)
			return ret;
		block = find_tight(heap, units, UINT32_MAX);
	}
	if (!block)
		return MUSA_ERROR_OUT_OF_MEMORY;
	list_drop(heap, block);
	*block_out = block;
	return MUSA_SUCCESS;
}

MUresult mt_heap_alloc(struct mt_heap *heap, uint64_t size_b, bool grow,
		       struct mt_heap_block **block_out)
{
	uint64_t rounded_b = mt_heap_round(size_b);
	struct mt_heap_block *block;
	MUresult ret;

	if (rounded_b < size_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&heap->lock);
	ret = find_or_grow(heap, rounded_b, grow, &block);
	if (!ret) {
		take_block(heap, block, rounded_b);
		*block_out = block;
	}
	pthread_mutex_unlock(&heap->lock);
	return ret;
}

MUresult mt_heap_split(struct mt_heap *heap, struct mt_heap_block *block, uint64_t size_b,
		       struct mt_heap_block **rest_out)
{
	uint64_t rounded_b = mt_heap_round(size_b);
	MUresult ret = MUSA_SUCCESS;

	*rest_out = NULL;
	if (rounded_b >= block->size_b)
		return MUSA_SUCCESS;
	pthread_mutex_lock(&heap->lock);
	*rest_out = cut(block, rounded_b);
	if (*rest_out)
		(*rest_out)->used = true;
	else
		ret = MUSA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_unlock(&heap->lock);
	return ret;
}

/* Whether an empty slab goes back at once: odd sizes do, whole ones past the spare. */
static bool is_surplus(const struct mt_heap *heap, const struct mt_heap_slab *slab)
{
	if (heap->config.spare == MT_HEAP_SPARE_ALL)
		return false;
	return slab->bo->size_b != heap->config.slab_b || heap->empty_count > heap->config.spare;
}

void mt_heap_free(struct mt_heap *heap, struct mt_heap_block *block)
{
	struct mt_heap_slab *slab = block->slab;

	pthread_mutex_lock(&heap->lock);
	heap->stats.used_b -= block->size_b;
	slab->used_b -= block->size_b;
	block->used = false;
	if (block->after && !block->after->used) {
		list_drop(heap, block->after);
		merge(block, block->after);
	}
	if (block->before && !block->before->used) {
		list_drop(heap, block->before);
		block = block->before;
		merge(block, block->after);
	}
	if (!slab->used_b)
		heap->empty_count++;
	if (!slab->used_b && is_surplus(heap, slab)) {
		heap->empty_count--;
		slab_destroy(heap, slab);
	} else {
		list_push(heap, block);
	}
	pthread_mutex_unlock(&heap->lock);
}

void mt_heap_trim(struct mt_heap *heap, uint64_t keep_b)
{
	struct mt_heap_slab *slab, *next;

	pthread_mutex_lock(&heap->lock);
	for (slab = heap->slabs; slab && heap->stats.reserved_b > keep_b; slab = next) {
		next = slab->next;
		if (slab->used_b)
			continue;
		list_drop(heap, slab->first);
		heap->empty_count--;
		slab_destroy(heap, slab);
	}
	pthread_mutex_unlock(&heap->lock);
}

void mt_heap_stats_get(struct mt_heap *heap, struct mt_heap_stats *stats_out)
{
	pthread_mutex_lock(&heap->lock);
	*stats_out = heap->stats;
	pthread_mutex_unlock(&heap->lock);
}

void mt_heap_reset_high(struct mt_heap *heap, bool reserved, bool used)
{
	pthread_mutex_lock(&heap->lock);
	if (reserved)
		heap->stats.reserved_high_b = heap->stats.reserved_b;
	if (used)
		heap->stats.used_high_b = heap->stats.used_b;
	pthread_mutex_unlock(&heap->lock);
}
