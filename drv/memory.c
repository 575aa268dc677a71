/* SPDX-License-Identifier: MIT */
/*
 * Device and managed memory of a context. Pinned memory is host_memory.c's, stream-ordered memory
 * pool.c's.
 */
#include "drv/memory.h"

#include <errno.h>
#include <string.h>

#include "drv/capture.h"
#include "drv/ext_memory.h"
#include "drv/mem_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "musa_runtime_api.h"

#define PITCH_ALIGN_B 512u

#define DEVICE_SLAB_B (32ull << 20)
#define HOST_SLAB_B   (4ull << 20)

#define OWN_KINDS (1u << MT_ALLOC_DEVICE | 1u << MT_ALLOC_MANAGED)
#define FREEABLE_KINDS                                                                             \
	(OWN_KINDS | 1u << MT_ALLOC_POOL | 1u << MT_ALLOC_GRAPH | 1u << MT_ALLOC_IMPORTED)

MUresult mt_mem_share_bo(struct mt_ctx *ctx, struct mt_hw_bo *bo)
{
	const struct mt_hw_ops *ops = ctx->hw->ops;
	uint32_t count = mt_device_count(), i;
	int error;

	for (i = 0; i < count; i++) {
		if (i == ctx->device)
			continue;
		error = ops->bo_map_peer(bo, mt_device_get(i));
		/* Cards that cannot see each other's memory are used one by one all the same. */
		if (error && error != -ENOTSUP)
			goto unmap;
	}
	return MUSA_SUCCESS;

unmap:
	while (i--) {
		if (i != ctx->device)
			ops->bo_unmap_peer(bo, mt_device_get(i));
	}
	return mt_result_from_errno(ctx->hw, error);
}

void mt_mem_destroy_shared_bo(struct mt_hw_bo *bo)
{
	uint32_t count = mt_device_count();

	for (uint32_t i = 0; i < count; i++) {
		if (mt_device_get(i) != bo->dev)
			bo->dev->ops->bo_unmap_peer(bo, mt_device_get(i));
	}
	bo->dev->ops->bo_destroy(bo);
}

MUresult mt_memory_init(struct mt_ctx *ctx)
{
	const struct mt_heap_config device = {
		.domain = MT_HW_DEVICE,
		.bo_flags = MT_HW_BO_EXPORTABLE | MT_HW_BO_SLAB,
		.page_b = mt_hw_page_b(ctx->hw),
		.slab_b = DEVICE_SLAB_B,
		.spare = 1,
		.share = true,
	};
	const struct mt_heap_config host = {
		.domain = MT_HW_HOST,
		.page_b = mt_hw_page_b(ctx->hw),
		.slab_b = HOST_SLAB_B,
		.spare = 1,
		.share = true,
	};
	struct mt_memory *memory = mt_calloc(1, sizeof(*memory));
	MUresult ret;

	if (!memory)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memory->ctx = ctx;
	memory->staged_end = &memory->staged;
	pthread_mutex_init(&memory->lock, NULL);
	mt_heap_init(&memory->device, ctx, &device);
	mt_heap_init(&memory->host, ctx, &host);
	ret = mt_pool_init(memory);
	if (ret)
		goto free_memory;
	ctx->memory = memory;
	return MUSA_SUCCESS;

free_memory:
	mt_heap_finish(&memory->host, NULL);
	mt_heap_finish(&memory->device, NULL);
	pthread_mutex_destroy(&memory->lock);
	mt_free(memory);
	return ret;
}

/* A block that the program never freed. */
static void forget_block(struct mt_heap_block *block)
{
	struct mt_mem_info info;

	if (mt_mem_map_take(block->va, &info) && info.kind == MT_ALLOC_MANAGED)
		mt_free(block->user);
}

void mt_memory_finish(struct mt_ctx *ctx)
{
	struct mt_memory *memory = ctx->memory;

	if (!memory)
		return;
	mt_ext_semaphore_finish(memory);
	mt_staging_finish(memory);
	mt_array_finish(memory);
	mt_import_finish(memory);
	mt_register_finish(memory);
	mt_pool_finish(memory);
	mt_heap_finish(&memory->host, forget_block);
	mt_heap_finish(&memory->device, forget_block);
	pthread_mutex_destroy(&memory->lock);
	mt_free(memory);
	ctx->memory = NULL;
}

void mt_memory_forget_queues(struct mt_ctx *ctx)
{
	uint32_t count = mt_device_count();

	/* Pools of other devices may hold what was freed in a stream of this one. */
	for (uint32_t i = 0; i < count; i++) {
		struct mt_ctx *other = i == ctx->device ? ctx : mt_ctx_primary_peek(i);

		if (other && other->memory)
			mt_pool_forget_queues(other->memory, ctx->hw);
	}
	if (ctx->memory)
		mt_staging_finish(ctx->memory);
}

void mt_memory_synced(struct mt_ctx *ctx)
{
	struct mt_memory *memory = ctx->memory;

	if (!memory || !atomic_load_explicit(&memory->chores, memory_order_relaxed))
		return;
	mt_staging_reap(memory);
	mt_pool_reap(memory);
	mt_ext_semaphore_reap(memory);
}

MUresult mt_memory_take(struct mt_memory *memory, struct mt_heap *heap, uint64_t size_b,
			struct mt_heap_block **block_out)
{
	MUresult ret;

	if (heap->config.domain == MT_HW_DEVICE && mt_hw_alloc_admit(memory->ctx->hw))
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_heap_alloc(heap, size_b, true, block_out);
	if (ret != MUSA_ERROR_OUT_OF_MEMORY)
		return ret;
	mt_staging_reap(memory);
	mt_pool_trim_all(memory);
	mt_heap_trim(&memory->host, 0);
	mt_heap_trim(&memory->device, 0);
	return mt_heap_alloc(heap, size_b, true, block_out);
}

static MUresult enter(struct mt_memory *memory, struct mt_heap_block *block, uint64_t size_b,
		      enum mt_alloc_kind kind, unsigned int flags)
{
	const struct mt_mem_info info = {
		.base = block->va,
		.size_b = size_b,
		.kind = kind,
		.type = kind == MT_ALLOC_MANAGED ? MT_MEM_MANAGED : MT_MEM_DEVICE,
		.device = memory->ctx->device,
		.flags = flags,
		.host_va = kind == MT_ALLOC_MANAGED ? block->va : 0,
		.owner = block,
	};

	return mt_mem_add(&info);
}

MUresult mt_mem_alloc(struct mt_ctx *ctx, uint64_t size_b, uint64_t *va_out)
{
	struct mt_memory *memory = ctx->memory;
	struct mt_heap_block *block;
	MUresult ret;

	if (!size_b) {
		*va_out = 0;
		return MUSA_SUCCESS;
	}
	if (size_b > ctx->hw->info.memory_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_memory_take(memory, &memory->device, size_b, &block);
	if (ret)
		return ret;
	ret = enter(memory, block, size_b, MT_ALLOC_DEVICE, 0);
	if (ret) {
		mt_heap_free(&memory->device, block);
		return ret;
	}
	*va_out = block->va;
	return MUSA_SUCCESS;
}

MUresult mt_mem_managed_alloc(struct mt_ctx *ctx, uint64_t size_b, unsigned int flags,
			      uint64_t *va_out)
{
	struct mt_memory *memory = ctx->memory;
	struct mt_heap_block *block;
	struct mt_managed *managed;
	MUresult ret;

	if (!size_b || (flags != musaMemAttachGlobal && flags != musaMemAttachHost))
		return MUSA_ERROR_INVALID_VALUE;
	if (size_b > ctx->hw->info.memory_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	managed = mt_calloc(1, sizeof(*managed));
	if (!managed)
		return MUSA_ERROR_OUT_OF_MEMORY;
	managed->preferred = managed->prefetched = -2;
	pthread_mutex_init(&managed->lock, NULL);
	ret = mt_memory_take(memory, &memory->host, size_b, &block);
	if (ret)
		goto free_managed;
	block->user = managed;
	ret = enter(memory, block, size_b, MT_ALLOC_MANAGED, flags);
	if (ret)
		goto free_block;
	*va_out = block->va;
	return MUSA_SUCCESS;

free_block:
	mt_heap_free(&memory->host, block);
free_managed:
	mt_free(managed);
	return ret;
}

static MUresult free_own(const struct mt_mem_info *found)
{
	struct mt_mem_info info;
	struct mt_heap_block *block;

	/* Another thread may have freed it meanwhile: that is a double free. */
	if (!mt_mem_map_take_kind(found->base, OWN_KINDS, &info))
		return MUSA_ERROR_INVALID_VALUE;
	block = info.owner;
	if (info.kind == MT_ALLOC_MANAGED)
		mt_free(block->user);
	mt_heap_free(block->slab->heap, block);
	return MUSA_SUCCESS;
}

MUresult mt_mem_free(uint64_t va, const char *api)
{
	struct mt_mem_info info;
	struct mt_ctx *ctx;
	MUresult ret;

	ret = mt_capture_check_unsafe(api);
	if (ret || !va)
		return ret;
	if (!mt_mem_find(va, &info) || info.base != va)
		return MUSA_ERROR_INVALID_VALUE;
	if (!(FREEABLE_KINDS >> info.kind & 1))
		return MUSA_ERROR_INVALID_VALUE;
	ctx = mt_ctx_primary_peek(info.device);
	if (!ctx)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_ctx_wait_idle(ctx);
	if (ret)
		return ret;
	if (info.kind == MT_ALLOC_GRAPH)
		return info.hooks->free(info.owner, NULL, api);
	if (info.kind == MT_ALLOC_IMPORTED)
		return mt_ext_memory_unmap(&info);
	if (info.kind != MT_ALLOC_POOL)
		return free_own(&info);
	if (!mt_mem_map_take_kind(va, 1u << MT_ALLOC_POOL, &info))
		return MUSA_ERROR_INVALID_VALUE;
	mt_pool_free_idle(&info);
	return MUSA_SUCCESS;
}

MUresult mt_mem_get_info(struct mt_ctx *ctx, uint64_t *free_out, uint64_t *total_out)
{
	struct mt_heap_stats stats;
	uint64_t free_b, total_b;
	int error = ctx->hw->ops->device_memory(ctx->hw, &free_b, &total_b);

	if (error)
		return mt_result_from_errno(ctx->hw, error);
	mt_heap_stats_get(&ctx->memory->device, &stats);
	*free_out = free_b + (stats.reserved_b - stats.used_b);
	*total_out = total_b;
	return MUSA_SUCCESS;
}

MUresult mt_mem_alloc_pitched(struct mt_ctx *ctx, uint64_t width_b, uint64_t height,
			      uint64_t depth, uint64_t *va_out, uint64_t *pitch_b_out)
{
	uint64_t pitch_b, slice_b, size_b;
	MUresult ret;

	if (__builtin_add_overflow(width_b, PITCH_ALIGN_B - 1, &pitch_b))
		return MUSA_ERROR_OUT_OF_MEMORY;
	pitch_b &= ~(uint64_t)(PITCH_ALIGN_B - 1);
	if (__builtin_mul_overflow(pitch_b, height, &slice_b) ||
	    __builtin_mul_overflow(slice_b, depth, &size_b))
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_mem_alloc(ctx, size_b, va_out);
	if (!ret)
		*pitch_b_out = pitch_b;
	return ret;
}

bool mt_mem_attributes(uint64_t va, struct mt_mem_info *info_out)
{
	struct mt_mem_info info;

	if (!mt_mem_find(va, &info) || (info.hooks && !info.hooks->live(info.owner)))
		return false;
	*info_out = info;
	return true;
}
