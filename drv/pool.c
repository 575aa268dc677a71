/* SPDX-License-Identifier: MIT */
/*
 * Memory pools as objects: their life, attributes and access. Allocation is pool_async.c's.
 */
#include "drv/pool.h"

#include "drv/capture.h"
#include "drv/pool_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

#define POOL_SLAB_B (32ull << 20)

MUresult mt_pool_get(MUmemoryPool handle, struct mt_pool **pool_out)
{
	struct mt_pool *pool = mt_handle_get((uint64_t)(uintptr_t)handle, MT_HANDLE_POOL);

	if (!pool)
		return MUSA_ERROR_INVALID_VALUE;
	*pool_out = pool;
	return MUSA_SUCCESS;
}

MUmemoryPool mt_pool_handle(const struct mt_pool *pool)
{
	return (MUmemoryPool)(uintptr_t)pool->handle;
}

struct mt_ctx *mt_pool_ctx(const struct mt_pool *pool)
{
	return pool->memory->ctx;
}

static MUresult create(struct mt_memory *memory, uint64_t max_b, struct mt_pool **pool_out)
{
	const struct mt_heap_config config = {
		.domain = MT_HW_DEVICE,
		.bo_flags = MT_HW_BO_SLAB,
		.page_b = mt_hw_page_b(memory->ctx->hw),
		.slab_b = max_b && max_b < POOL_SLAB_B ? max_b : POOL_SLAB_B,
		.max_b = max_b,
		.spare = MT_HEAP_SPARE_ALL,
		.share = true,
	};
	struct mt_pool *pool = mt_calloc(1, sizeof(*pool));

	if (!pool)
		return MUSA_ERROR_OUT_OF_MEMORY;
	pool->handle = mt_handle_create(MT_HANDLE_POOL, pool);
	if (!pool->handle) {
		mt_free(pool);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	pool->memory = memory;
	pool->follow_events = pool->opportunistic = pool->internal_deps = 1;
	pool->access[memory->ctx->device] = MU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	pthread_mutex_init(&pool->lock, NULL);
	mt_heap_init(&pool->heap, memory->ctx, &config);

	pthread_mutex_lock(&memory->lock);
	pool->next = memory->pools;
	pool->link = &memory->pools;
	if (pool->next)
		pool->next->link = &pool->next;
	memory->pools = pool;
	pthread_mutex_unlock(&memory->lock);
	*pool_out = pool;
	return MUSA_SUCCESS;
}

MUresult mt_pool_init(struct mt_memory *memory)
{
	struct mt_pool *pool;
	MUresult ret = create(memory, 0, &pool);

	if (!ret)
		memory->default_pool = memory->current_pool = pool;
	return ret;
}

MUresult mt_pool_create(struct mt_ctx *ctx, uint64_t max_b, MUmemoryPool *out)
{
	uint64_t page_b = mt_hw_page_b(ctx->hw);
	struct mt_pool *pool;
	MUresult ret;

	if (max_b > UINT64_MAX - page_b)
		return MUSA_ERROR_INVALID_VALUE;
	ret = create(ctx->memory, (max_b + page_b - 1) & ~(page_b - 1), &pool);
	if (!ret)
		*out = mt_pool_handle(pool);
	return ret;
}

bool mt_pool_is_over(const struct mt_pool *pool)
{
	return pool->dead && !pool->live_count && !pool->streams;
}

/* An allocation that the program never freed. */
static void forget_block(struct mt_heap_block *block)
{
	struct mt_mem_info info;

	if (mt_mem_map_take_kind(block->va, 1u << MT_ALLOC_POOL, &info))
		mt_free(info.owner);
}

static void destroy(struct mt_pool *pool)
{
	struct mt_pool_stream *stream, *next;

	for (stream = pool->streams; stream; stream = next) {
		struct mt_pool_block *block, *newer;

		next = stream->next;
		for (block = stream->oldest; block; block = newer) {
			newer = block->newer;
			mt_free(block);
		}
		mt_free(stream);
	}
	mt_heap_finish(&pool->heap, forget_block);
	pthread_mutex_destroy(&pool->lock);
	mt_free(pool);
}

void mt_pool_release(struct mt_pool *pool)
{
	*pool->link = pool->next;
	if (pool->next)
		pool->next->link = pool->link;
	mt_pool_give_back(pool, 0);
	pthread_mutex_unlock(&pool->lock);
	destroy(pool);
}

void mt_pool_finish(struct mt_memory *memory)
{
	while (memory->pools) {
		struct mt_pool *pool = memory->pools;

		memory->pools = pool->next;
		if (!pool->dead)
			mt_handle_destroy(pool->handle);
		destroy(pool);
	}
	memory->default_pool = memory->current_pool = NULL;
}

MUresult mt_pool_destroy(struct mt_pool *pool)
{
	struct mt_memory *memory = pool->memory;

	if (pool == memory->default_pool)
		return MUSA_ERROR_INVALID_VALUE;
	mt_handle_destroy(pool->handle);
	pthread_mutex_lock(&memory->lock);
	if (memory->current_pool == pool)
		memory->current_pool = memory->default_pool;
	pthread_mutex_lock(&pool->lock);
	pool->dead = true;
	mt_pool_pop_done(pool);
	if (mt_pool_is_over(pool))
		mt_pool_release(pool);
	else
		pthread_mutex_unlock(&pool->lock);
	pthread_mutex_unlock(&memory->lock);
	return MUSA_SUCCESS;
}

MUmemoryPool mt_pool_default(struct mt_ctx *ctx)
{
	return mt_pool_handle(ctx->memory->default_pool);
}

MUmemoryPool mt_pool_current(struct mt_ctx *ctx)
{
	MUmemoryPool handle;

	pthread_mutex_lock(&ctx->memory->lock);
	handle = mt_pool_handle(ctx->memory->current_pool);
	pthread_mutex_unlock(&ctx->memory->lock);
	return handle;
}

MUresult mt_pool_set_current(struct mt_ctx *ctx, struct mt_pool *pool)
{
	if (pool->memory != ctx->memory)
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&ctx->memory->lock);
	ctx->memory->current_pool = pool;
	pthread_mutex_unlock(&ctx->memory->lock);
	return MUSA_SUCCESS;
}

void mt_pool_note_spare(struct mt_pool *pool)
{
	if (pool->spare)
		return;
	pool->spare = true;
	atomic_fetch_add_explicit(&pool->memory->chores, 1, memory_order_relaxed);
}

void mt_pool_give_back(struct mt_pool *pool, uint64_t keep_b)
{
	mt_heap_trim(&pool->heap, keep_b);
	if (!pool->spare)
		return;
	pool->spare = false;
	atomic_fetch_sub_explicit(&pool->memory->chores, 1, memory_order_relaxed);
}

/* keep_b UINT64_MAX: each pool's own threshold. */
static void reap(struct mt_memory *memory, bool all)
{
	struct mt_pool *pool, *next;

	pthread_mutex_lock(&memory->lock);
	for (pool = memory->pools; pool; pool = next) {
		next = pool->next;
		pthread_mutex_lock(&pool->lock);
		mt_pool_pop_done(pool);
		mt_pool_give_back(pool, all ? 0 : pool->threshold_b);
		if (mt_pool_is_over(pool))
			mt_pool_release(pool);
		else
			pthread_mutex_unlock(&pool->lock);
	}
	pthread_mutex_unlock(&memory->lock);
}

void mt_pool_forget_queues(struct mt_memory *memory, const struct mt_hw_device *dev)
{
	pthread_mutex_lock(&memory->lock);
	for (struct mt_pool *pool = memory->pools; pool; pool = pool->next) {
		pthread_mutex_lock(&pool->lock);
		for (struct mt_pool_stream *s = pool->streams; s; s = s->next) {
			for (struct mt_pool_block *b = s->oldest; b; b = b->newer) {
				if (b->ticket.queue && b->ticket.queue->dev == dev)
					b->ticket.queue = NULL;
			}
		}
		pthread_mutex_unlock(&pool->lock);
	}
	pthread_mutex_unlock(&memory->lock);
}

void mt_pool_reap(struct mt_memory *memory)
{
	reap(memory, false);
}

void mt_pool_trim_all(struct mt_memory *memory)
{
	reap(memory, true);
}

void mt_pool_trim(struct mt_pool *pool, uint64_t keep_b)
{
	pthread_mutex_lock(&pool->lock);
	mt_pool_pop_done(pool);
	mt_pool_give_back(pool, keep_b);
	pthread_mutex_unlock(&pool->lock);
}

MUresult mt_pool_get_attr(struct mt_pool *pool, int attr, void *value_out)
{
	struct mt_heap_stats stats;
	MUresult ret = MUSA_SUCCESS;

	mt_heap_stats_get(&pool->heap, &stats);
	pthread_mutex_lock(&pool->lock);
	switch (attr) {
	case MU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
		*(int *)value_out = pool->follow_events;
		break;
	case MU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
		*(int *)value_out = pool->opportunistic;
		break;
	case MU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
		*(int *)value_out = pool->internal_deps;
		break;
	case MU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
		*(uint64_t *)value_out = pool->threshold_b;
		break;
	case MU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
		*(uint64_t *)value_out = stats.reserved_b;
		break;
	case MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
		*(uint64_t *)value_out = stats.reserved_high_b;
		break;
	case MU_MEMPOOL_ATTR_USED_MEM_CURRENT:
		*(uint64_t *)value_out = pool->used_b;
		break;
	case MU_MEMPOOL_ATTR_USED_MEM_HIGH:
		*(uint64_t *)value_out = pool->used_high_b;
		break;
	default:
		ret = MUSA_ERROR_INVALID_VALUE;
	}
	pthread_mutex_unlock(&pool->lock);
	return ret;
}

/* High marks can only be set to 0, which means the current value. */
static MUresult reset_high(struct mt_pool *pool, int attr, uint64_t value)
{
	if (value)
		return MUSA_ERROR_INVALID_VALUE;
	if (attr == MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
		mt_heap_reset_high(&pool->heap, true, false);
	else
		pool->used_high_b = pool->used_b;
	return MUSA_SUCCESS;
}

MUresult mt_pool_set_attr(struct mt_pool *pool, int attr, const void *value)
{
	MUresult ret = MUSA_SUCCESS;

	pthread_mutex_lock(&pool->lock);
	switch (attr) {
	case MU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
		pool->follow_events = *(const int *)value != 0;
		break;
	case MU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
		pool->opportunistic = *(const int *)value != 0;
		break;
	case MU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
		pool->internal_deps = *(const int *)value != 0;
		break;
	case MU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
		pool->threshold_b = *(const uint64_t *)value;
		break;
	case MU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
	case MU_MEMPOOL_ATTR_USED_MEM_HIGH:
		ret = reset_high(pool, attr, *(const uint64_t *)value);
		break;
	default:
		ret = MUSA_ERROR_INVALID_VALUE;
	}
	pthread_mutex_unlock(&pool->lock);
	return ret;
}

MUresult mt_pool_set_access(struct mt_pool *pool, uint32_t device, unsigned int flags)
{
	if (device >= mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	if (flags != MU_MEM_ACCESS_FLAGS_PROT_NONE && flags != MU_MEM_ACCESS_FLAGS_PROT_READ &&
	    flags != MU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		return MUSA_ERROR_INVALID_VALUE;
	/* A device cannot lose its own memory. */
	if (device == pool->memory->ctx->device && flags != MU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&pool->lock);
	pool->access[device] = (uint8_t)flags;
	pthread_mutex_unlock(&pool->lock);
	return MUSA_SUCCESS;
}

unsigned int mt_pool_get_access(const struct mt_pool *pool, uint32_t device)
{
	return device < MT_DEVICES_MAX ? pool->access[device] : 0;
}

static MUresult location_device(const MUmemLocation *location, uint32_t *device_out)
{
	if (!location || location->type != MU_MEM_LOCATION_TYPE_DEVICE)
		return MUSA_ERROR_INVALID_VALUE;
	if (location->id < 0 || (uint32_t)location->id >= mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	*device_out = (uint32_t)location->id;
	return MUSA_SUCCESS;
}

MUresult mt_pool_set_access_list(struct mt_pool *pool, const MUmemAccessDesc *list, size_t count)
{
	MUresult ret = list || !count ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
	uint32_t device;

	for (size_t i = 0; i < count && !ret; i++) {
		ret = location_device(&list[i].location, &device);
		if (!ret)
			ret = mt_pool_set_access(pool, device, (unsigned int)list[i].flags);
	}
	return ret;
}

MUresult mt_pool_get_access_at(const struct mt_pool *pool, const MUmemLocation *location,
			       unsigned int *flags_out)
{
	uint32_t device;
	MUresult ret = location_device(location, &device);

	if (!ret)
		*flags_out = mt_pool_get_access(pool, device);
	return ret;
}

static MUresult check_props(const MUmemPoolProps *props)
{
	if (props->allocType != MU_MEM_ALLOCATION_TYPE_PINNED)
		return MUSA_ERROR_INVALID_VALUE;
	switch ((int)props->location.type) {
	case MU_MEM_LOCATION_TYPE_DEVICE:
		break;
	case MU_MEM_LOCATION_TYPE_HOST:
	case MU_MEM_LOCATION_TYPE_HOST_NUMA:
	case MU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
		return MUSA_ERROR_NOT_SUPPORTED;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
	if (props->location.id < 0 || (uint32_t)props->location.id >= mt_device_count())
		return MUSA_ERROR_INVALID_VALUE;
	return props->handleTypes == MU_MEM_HANDLE_TYPE_NONE ? MUSA_SUCCESS
							     : MUSA_ERROR_NOT_SUPPORTED;
}

MUresult mt_pool_make(const MUmemPoolProps *props, uint64_t max_b, MUmemoryPool *out,
		      const char *api)
{
	struct mt_ctx *ctx;
	MUresult ret = check_props(props);

	if (!ret)
		ret = mt_capture_check_unsafe(api);
	if (!ret)
		ret = mt_ctx_primary((uint32_t)props->location.id, &ctx);
	if (!ret)
		ret = mt_ctx_error(ctx);
	return ret ? ret : mt_pool_create(ctx, max_b, out);
}
