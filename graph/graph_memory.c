/* SPDX-License-Identifier: MIT */
/*
 * Graph memory of a context: addresses, backing, frees by the program, attributes, trimming.
 */
#include "graph/graph_memory.h"

#include <string.h>
#include <time.h>

#include "drv/stream.h"
#include "graph/trace.h"
#include "hw/base/alloc.h"

/* How long a trim waits for launches to end: 20 ms in all. */
#define TRIM_PAUSE_NS 50000
#define TRIM_PAUSES   400u

static struct mt_graph_memory *memory_of(const struct mt_ctx *ctx)
{
	return ctx->graph;
}

MUresult mt_graph_memory_create(struct mt_ctx *ctx, struct mt_graph_memory **memory_out)
{
	struct mt_graph_memory *memory = mt_calloc(1, sizeof(*memory));

	if (!memory)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memory->ctx = ctx;
	pthread_mutex_init(&memory->lock, NULL);
	*memory_out = memory;
	return MUSA_SUCCESS;
}

/* --- backing ------------------------------------------------------------------------------------ */

MUresult mt_graph_memory_take(struct mt_graph_memory *memory, uint64_t size_b,
			      struct mt_hw_bo **bo_out)
{
	struct mt_hw_device *hw = memory->ctx->hw;
	int error = hw->ops->bo_create(hw, size_b, MT_HW_DEVICE, MT_HW_BO_NO_MAP, bo_out);

	if (error)
		return mt_result_from_errno(hw, error);
	memory->reserved_b += (*bo_out)->size_b;
	if (memory->reserved_b > memory->reserved_high_b)
		memory->reserved_high_b = memory->reserved_b;
	if (memory->reserved_b > memory->used_high_b)
		memory->used_high_b = memory->reserved_b;
	return MUSA_SUCCESS;
}

void mt_graph_memory_give(struct mt_graph_memory *memory, struct mt_hw_bo *bo)
{
	memory->reserved_b -= bo->size_b;
	memory->ctx->hw->ops->bo_destroy(bo);
}

void mt_graph_alloc_unmap(struct mt_graph_memory *memory, struct mt_graph_alloc *alloc)
{
	struct mt_hw_device *hw = memory->ctx->hw;

	if (!alloc->mapped && !alloc->bo)
		return;
	hw->ops->bo_unmap(hw, alloc->va, alloc->mapped_b);
	alloc->mapped = false;
	if (alloc->bo)
		mt_graph_memory_give(memory, alloc->bo);
	alloc->bo = NULL;
}

/* --- groups and allocations --------------------------------------------------------------------- */

static void drop_group(struct mt_memory_group *group)
{
	if (!group || --group->refs)
		return;
	if (group->memory) {
		*group->link = group->next;
		if (group->next)
			group->next->link = group->link;
	}
	mt_free(group);
}

void mt_memory_group_unref(struct mt_memory_group *group)
{
	struct mt_graph_memory *memory = group ? group->memory : NULL;

	if (memory)
		pthread_mutex_lock(&memory->lock);
	drop_group(group);
	if (memory)
		pthread_mutex_unlock(&memory->lock);
}

static MUresult need_group(struct mt_graph_memory *memory, struct mt_memory_group **group)
{
	struct mt_memory_group *made;

	if (*group) /* all memory of a graph lies on one device */
		return (*group)->memory == memory ? MUSA_SUCCESS : MUSA_ERROR_NOT_SUPPORTED;
	made = mt_calloc(1, sizeof(*made));
	if (!made)
		return MUSA_ERROR_OUT_OF_MEMORY;
	made->refs = 1;
	made->memory = memory;
	made->next = memory->groups;
	made->link = &memory->groups;
	if (made->next)
		made->next->link = &made->next;
	memory->groups = made;
	*group = made;
	return MUSA_SUCCESS;
}

/* Gives address and backing up; the object may live on for nodes that name it. */
static void end_alloc(struct mt_graph_memory *memory, struct mt_graph_alloc *alloc)
{
	struct mt_hw_device *hw = memory->ctx->hw;

	mt_mem_remove(alloc->va);
	mt_graph_alloc_unmap(memory, alloc);
	hw->ops->va_release(hw, alloc->va, alloc->mapped_b);
	*alloc->link = alloc->next;
	if (alloc->next)
		alloc->next->link = alloc->link;
}

static void drop_alloc(struct mt_graph_alloc *alloc)
{
	if (--alloc->refs)
		return;
	if (alloc->group->memory)
		end_alloc(alloc->group->memory, alloc);
	drop_group(alloc->group);
	mt_free(alloc->access);
	mt_free(alloc);
}

void mt_graph_alloc_ref(struct mt_graph_alloc *alloc)
{
	struct mt_graph_memory *memory = alloc->group->memory;

	if (memory)
		pthread_mutex_lock(&memory->lock);
	alloc->refs++;
	if (memory)
		pthread_mutex_unlock(&memory->lock);
}

void mt_graph_alloc_unref(struct mt_graph_alloc *alloc)
{
	struct mt_graph_memory *memory = alloc->group->memory;

	if (memory)
		pthread_mutex_lock(&memory->lock);
	drop_alloc(alloc);
	if (memory)
		pthread_mutex_unlock(&memory->lock);
}

/* --- frees by the program ----------------------------------------------------------------------- */

static MUresult free_alloc(void *owner, struct mt_stream *stream, const char *api)
{
	struct mt_graph_alloc *alloc = owner;
	struct mt_graph_memory *memory = alloc->group->memory;
	uint64_t va = alloc->va;
	MUresult ret = MUSA_SUCCESS;

	(void)api;
	pthread_mutex_lock(&memory->lock);
	if (!alloc->live || alloc->own_free) {
		ret = MUSA_ERROR_INVALID_VALUE;
	} else {
		alloc->live = false;
		alloc->freed.queue = stream ? atomic_load(&stream->queue) : NULL;
		alloc->freed.seq = stream ? atomic_load(&stream->last_seq) : 0;
		drop_alloc(alloc);
	}
	pthread_mutex_unlock(&memory->lock);
	if (mt_tracing() && !ret)
		mt_trace_graph_free(va);
	return ret;
}

static bool is_live(void *owner)
{
	struct mt_graph_alloc *alloc = owner;

	return __atomic_load_n(&alloc->live, __ATOMIC_RELAXED);
}

static bool is_nameable(void *owner)
{
	struct mt_graph_alloc *alloc = owner;

	return !__atomic_load_n(&alloc->own_free, __ATOMIC_RELAXED);
}

static const struct mt_alloc_hooks hooks = {
	.free = free_alloc,
	.live = is_live,
	.nameable = is_nameable,
};

struct mt_graph_alloc *mt_graph_alloc_find(uint64_t va)
{
	struct mt_mem_info info;

	if (!va || !mt_mem_find(va, &info) || info.base != va || info.hooks != &hooks)
		return NULL;
	return info.owner;
}

static MUresult reserve(struct mt_graph_memory *memory, struct mt_graph_alloc *alloc)
{
	struct mt_hw_device *hw = memory->ctx->hw;
	uint64_t page_b = mt_hw_page_b(hw);
	struct mt_mem_info info = { .size_b = alloc->size_b, .kind = MT_ALLOC_GRAPH,
				    .type = MT_MEM_DEVICE, .device = memory->ctx->device,
				    .hooks = &hooks, .owner = alloc };
	MUresult ret;
	int error;

	alloc->mapped_b = (alloc->size_b + page_b - 1) & ~(page_b - 1);
	error = hw->ops->va_reserve(hw, alloc->mapped_b, page_b, &alloc->va);
	if (error)
		return mt_result_from_errno(hw, error);
	info.base = alloc->va;
	ret = mt_mem_add(&info);
	if (ret) {
		hw->ops->va_release(hw, alloc->va, alloc->mapped_b);
		return ret;
	}
	alloc->next = memory->allocs;
	alloc->link = &memory->allocs;
	if (alloc->next)
		alloc->next->link = &alloc->next;
	memory->allocs = alloc;
	return MUSA_SUCCESS;
}

static struct mt_graph_alloc *new_alloc(const struct mt_graph_alloc_desc *desc)
{
	struct mt_graph_alloc *alloc = mt_calloc(1, sizeof(*alloc));

	if (!alloc)
		return NULL;
	alloc->refs = 1;
	alloc->size_b = desc->size_b;
	memcpy(alloc->props, desc->props, sizeof(alloc->props));
	alloc->access_count = desc->access_count;
	if (desc->access_count) {
		alloc->access = mt_alloc((size_t)desc->access_count * MT_MEM_ACCESS_DESC_B);
		if (!alloc->access) {
			mt_free(alloc);
			return NULL;
		}
		memcpy(alloc->access, desc->access,
		       (size_t)desc->access_count * MT_MEM_ACCESS_DESC_B);
	}
	return alloc;
}

MUresult mt_graph_alloc_create(struct mt_ctx *ctx, const struct mt_graph_alloc_desc *desc,
			       struct mt_memory_group **group, struct mt_graph_alloc **alloc_out)
{
	struct mt_graph_memory *memory = memory_of(ctx);
	struct mt_graph_alloc *alloc;
	MUresult ret;

	if (desc->size_b > ctx->hw->info.memory_b)
		return MUSA_ERROR_OUT_OF_MEMORY;
	alloc = new_alloc(desc);
	if (!alloc)
		return MUSA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&memory->lock);
	ret = need_group(memory, group);
	if (!ret)
		ret = reserve(memory, alloc);
	if (!ret) {
		alloc->group = *group;
		alloc->group->refs++;
	}
	pthread_mutex_unlock(&memory->lock);
	if (ret) {
		mt_free(alloc->access);
		mt_free(alloc);
		return ret;
	}
	*alloc_out = alloc;
	return MUSA_SUCCESS;
}

/* --- attributes and trimming -------------------------------------------------------------------- */

MUresult mt_graph_memory_get(struct mt_ctx *ctx, uint32_t attribute, uint64_t *value_out)
{
	struct mt_graph_memory *memory = memory_of(ctx);
	MUresult ret = MUSA_SUCCESS;

	if (!value_out)
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&memory->lock);
	switch (attribute) {
	case MU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: /* backing stays until it is trimmed */
	case MU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
		*value_out = memory->reserved_b;
		break;
	case MU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
		*value_out = memory->used_high_b;
		break;
	case MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
		*value_out = memory->reserved_high_b;
		break;
	default:
		ret = MUSA_ERROR_INVALID_VALUE;
	}
	pthread_mutex_unlock(&memory->lock);
	return ret;
}

MUresult mt_graph_memory_set(struct mt_ctx *ctx, uint32_t attribute, uint64_t value)
{
	struct mt_graph_memory *memory = memory_of(ctx);

	if (value || (attribute != MU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
		      attribute != MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&memory->lock);
	if (attribute == MU_GRAPH_MEM_ATTR_USED_MEM_HIGH)
		memory->used_high_b = memory->reserved_b;
	else
		memory->reserved_high_b = memory->reserved_b;
	pthread_mutex_unlock(&memory->lock);
	return MUSA_SUCCESS;
}

/* Takes a region's memory away from all that are mapped to it. */
static void end_region(struct mt_graph_memory *memory, struct mt_memory_region *region)
{
	struct mt_memory_group *group;
	struct mt_graph_alloc *alloc;

	for (alloc = memory->allocs; alloc; alloc = alloc->next)
		if (alloc->mapped && alloc->group->region == region)
			mt_graph_alloc_unmap(memory, alloc);
	for (group = memory->groups; group; group = group->next)
		if (group->region == region)
			group->region = NULL;
	mt_graph_memory_give(memory, region->bo);
	mt_free(region);
}

/* Gives back what no launch uses; true if launches still use memory that is free after them. */
static bool trim(struct mt_graph_memory *memory)
{
	struct mt_memory_region **link, *region;
	struct mt_graph_alloc *alloc;
	bool busy = false;

	pthread_mutex_lock(&memory->lock);
	for (link = &memory->regions; (region = *link);) {
		if (!mt_ticket_is_done(&region->last)) {
			busy = true;
			link = &region->next;
			continue;
		}
		*link = region->next;
		end_region(memory, region);
	}
	for (alloc = memory->allocs; alloc; alloc = alloc->next) {
		if (!alloc->bo || alloc->live)
			continue;
		if (mt_ticket_is_done(&alloc->freed) && mt_ticket_is_done(&alloc->group->last))
			mt_graph_alloc_unmap(memory, alloc);
		else
			busy = true;
	}
	pthread_mutex_unlock(&memory->lock);
	return busy;
}

/* Programs trim right behind their last launch: one that is about to end is waited for, one that
 * waits for the program itself is not. */
MUresult mt_graph_memory_trim(struct mt_ctx *ctx)
{
	const struct timespec pause = { .tv_nsec = TRIM_PAUSE_NS };
	struct mt_graph_memory *memory = memory_of(ctx);

	for (uint32_t i = 0; trim(memory) && i < TRIM_PAUSES; i++)
		nanosleep(&pause, NULL);
	return MUSA_SUCCESS;
}

void mt_graph_memory_destroy(struct mt_graph_memory *memory)
{
	struct mt_memory_group *group, *next;
	struct mt_memory_region *region;
	struct mt_graph_alloc *alloc;

	pthread_mutex_lock(&memory->lock);
	while ((region = memory->regions)) {
		memory->regions = region->next;
		end_region(memory, region);
	}
	while ((alloc = memory->allocs)) {
		end_alloc(memory, alloc);
		if (!alloc->live)
			continue;
		alloc->live = false;
		if (--alloc->refs)
			continue; /* nodes still name it */
		drop_group(alloc->group);
		mt_free(alloc->access);
		mt_free(alloc);
	}
	for (group = memory->groups; group; group = next) {
		next = group->next;
		group->memory = NULL;
	}
	pthread_mutex_unlock(&memory->lock);
	pthread_mutex_destroy(&memory->lock);
	mt_free(memory);
}
