/* SPDX-License-Identifier: MIT */
/*
 * Binary search and insertion; addresses mostly grow, so that insertions are mostly at the end.
 */
#include "hw/drm/ranges.h"

#include <errno.h>
#include <string.h>

#include "hw/base/alloc.h"

#define ROOM_MIN 64u

void mt_drm_ranges_finish(struct mt_drm_ranges *ranges)
{
	mt_free(ranges->at);
	memset(ranges, 0, sizeof(*ranges));
}

uint32_t mt_drm_ranges_index(const struct mt_drm_ranges *ranges, uint64_t va)
{
	uint32_t low = 0, high = ranges->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (ranges->at[middle].va + ranges->at[middle].size_b <= va)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int mt_drm_ranges_add(struct mt_drm_ranges *ranges, const struct mt_drm_range *range)
{
	uint32_t at = mt_drm_ranges_index(ranges, range->va), room;
	struct mt_drm_range *grown;

	if (at < ranges->count && ranges->at[at].va < range->va + range->size_b)
		return -EEXIST;
	if (ranges->count == ranges->room) {
		room = ranges->room ? ranges->room * 2 : ROOM_MIN;
		grown = mt_realloc(ranges->at, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		ranges->at = grown;
		ranges->room = room;
	}
	memmove(&ranges->at[at + 1], &ranges->at[at], (ranges->count - at) * sizeof(*ranges->at));
	ranges->at[at] = *range;
	ranges->count++;
	return 0;
}

void mt_drm_ranges_remove(struct mt_drm_ranges *ranges, uint64_t va)
{
	uint32_t at = mt_drm_ranges_index(ranges, va);

	if (at == ranges->count || ranges->at[at].va != va)
		return;
	ranges->count--;
	memmove(&ranges->at[at], &ranges->at[at + 1], (ranges->count - at) * sizeof(*ranges->at));
}

const struct mt_drm_range *mt_drm_ranges_find(const struct mt_drm_ranges *ranges, uint64_t va)
{
	uint32_t at = mt_drm_ranges_index(ranges, va);

	return at < ranges->count && ranges->at[at].va <= va ? &ranges->at[at] : NULL;
}
