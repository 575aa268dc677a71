/* SPDX-License-Identifier: MIT */
/*
 * What is registered at which address: a sorted array under a lock, with a cache of the last hits
 * in every worker that a generation number keeps true.
 */
#include <errno.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

static const uint32_t access_flags[SG_ACCESS_COUNT] = {
	[SG_ACCESS_PACKET] = MT_SG_READ,   [SG_ACCESS_CODE] = MT_SG_EXECUTE,
	[SG_ACCESS_ARGUMENT] = MT_SG_READ, [SG_ACCESS_WORD] = MT_SG_READ | MT_SG_WRITE,
	[SG_ACCESS_READ] = MT_SG_READ,     [SG_ACCESS_WRITE] = MT_SG_WRITE,
};

/* First mapping that ends behind va. */
static uint32_t lower_bound(const struct mt_sg_engine *engine, uint64_t va)
{
	uint32_t low = 0, high = engine->mapping_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (engine->mappings[middle].end <= va)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int reserve_entries(struct mt_sg_engine *engine, uint32_t more)
{
	uint32_t room = engine->mapping_room;
	struct sg_mapping *grown;

	if (engine->mapping_count + more <= room)
		return 0;
	room = room ? room * 2 : 64;
	grown = mt_realloc(engine->mappings, room * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	engine->mappings = grown;
	engine->mapping_room = room;
	return 0;
}

static void insert_entry(struct mt_sg_engine *engine, uint32_t at, struct sg_mapping entry)
{
	memmove(&engine->mappings[at + 1], &engine->mappings[at],
		(engine->mapping_count - at) * sizeof(entry));
	engine->mappings[at] = entry;
	engine->mapping_count++;
}

int mt_sg_map(struct mt_sg_engine *engine, uint64_t va, uint64_t size_b, uint32_t flags)
{
	uint32_t at;
	int ret;

	if (!size_b || va + size_b < va)
		return -EINVAL;
	pthread_mutex_lock(&engine->map_lock);
	at = lower_bound(engine, va);
	if (at < engine->mapping_count && engine->mappings[at].va < va + size_b) {
		ret = -EEXIST;
		goto unlock;
	}
	ret = reserve_entries(engine, 1);
	if (ret)
		goto unlock;
	insert_entry(engine, at, (struct sg_mapping){va, va + size_b, flags});
	atomic_fetch_add(&engine->map_generation, 1);
	mt_sg_attention(engine);
unlock:
	pthread_mutex_unlock(&engine->map_lock);
	return ret;
}

int mt_sg_unmap(struct mt_sg_engine *engine, uint64_t va, uint64_t size_b)
{
	uint64_t end = va + size_b;
	struct sg_mapping *entry;
	uint32_t at, last;
	int ret;

	pthread_mutex_lock(&engine->map_lock);
	ret = reserve_entries(engine, 1);
	if (ret)
		goto unlock;
	at = lower_bound(engine, va);
	if (at < engine->mapping_count && engine->mappings[at].va < va) {
		entry = &engine->mappings[at];
		if (entry->end > end)
			insert_entry(engine, at + 1,
				     (struct sg_mapping){end, entry->end, entry->flags});
		engine->mappings[at].end = va;
		at++;
	}
	for (last = at; last < engine->mapping_count && engine->mappings[last].end <= end; last++)
		;
	memmove(&engine->mappings[at], &engine->mappings[last],
		(engine->mapping_count - last) * sizeof(*entry));
	engine->mapping_count -= last - at;
	if (at < engine->mapping_count && engine->mappings[at].va < end)
		engine->mappings[at].va = end;
	atomic_fetch_add(&engine->map_generation, 1);
	mt_sg_attention(engine);
unlock:
	pthread_mutex_unlock(&engine->map_lock);
	return ret;
}

/* Neighbours that touch count as one range. */
bool mt_sg_range_find_locked(const struct mt_sg_engine *engine, uint64_t va, uint64_t size_b,
			     uint32_t flags, struct sg_range *range_out)
{
	uint32_t first = lower_bound(engine, va), last;
	const struct sg_mapping *map = engine->mappings;

	if (first == engine->mapping_count || map[first].va > va ||
	    (map[first].flags & flags) != flags)
		return false;
	last = first;
	while (last + 1 < engine->mapping_count && map[last + 1].va == map[last].end &&
	       (map[last + 1].flags & flags) == flags)
		last++;
	if (size_b > map[last].end - va)
		return false;
	range_out->va = map[first].va;
	range_out->size_b = map[last].end - map[first].va;
	return true;
}

bool mt_sg_range_find(struct mt_sg_engine *engine, uint64_t va, uint64_t size_b, uint32_t flags,
		      struct sg_range *range_out)
{
	bool found;

	pthread_mutex_lock(&engine->map_lock);
	found = mt_sg_range_find_locked(engine, va, size_b, flags, range_out);
	pthread_mutex_unlock(&engine->map_lock);
	return found;
}

bool mt_sg_check_slow(struct sg_worker *worker, enum sg_access access, uint64_t va, uint64_t size_b)
{
	const struct mt_sg_config *config = &worker->engine->config;
	struct sg_range range;

	if (mt_sg_range_find(worker->engine, va, size_b, access_flags[access], &range)) {
		worker->found[access] = range;
		return true;
	}
	if ((access != SG_ACCESS_READ && access != SG_ACCESS_WRITE) || !config->host_memory)
		return false;
	/* Pageable host memory: nobody registers it; a bad pointer crashes and is caught there. */
	return va + size_b >= va &&
	       (va + size_b <= config->window_va || va >= config->window_va + config->window_b);
}

void mt_sg_check_flush(struct sg_worker *worker)
{
	worker->map_generation = atomic_load(&worker->engine->map_generation);
	memset(worker->found, 0, sizeof(worker->found));
}
