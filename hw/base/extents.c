/* SPDX-License-Identifier: MIT */
/*
 * Free ranges: first fit in a sorted array. Every range taken may come back as an entry of its own,
 * so the array keeps room for one entry per range that is out.
 */
#include "hw/base/extents.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "hw/base/alloc.h"

int mt_extents_init(struct mt_extents *extents, uint64_t start, uint64_t size_b)
{
	extents->room = 64;
	extents->out = 0;
	extents->free = mt_calloc(extents->room, sizeof(*extents->free));
	if (!extents->free)
		return -ENOMEM;
	extents->free[0] = (struct mt_extent){start, size_b};
	extents->count = 1;
	return 0;
}

void mt_extents_finish(struct mt_extents *extents)
{
	mt_free(extents->free);
	memset(extents, 0, sizeof(*extents));
}

/* A take can split an entry in two and will come back as a third. */
static int reserve_entries(struct mt_extents *extents)
{
	uint64_t needed = (uint64_t)extents->count + extents->out + 3;
	struct mt_extent *grown;

	if (needed <= extents->room)
		return 0;
	grown = mt_realloc(extents->free, extents->room * 2u * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	extents->free = grown;
	extents->room *= 2;
	return 0;
}

static void remove_entry(struct mt_extents *extents, uint32_t at)
{
	memmove(&extents->free[at], &extents->free[at + 1],
		(extents->count - at - 1) * sizeof(*extents->free));
	extents->count--;
}

static void insert_entry(struct mt_extents *extents, uint32_t at, uint64_t start, uint64_t size_b)
{
	memmove(&extents->free[at + 1], &extents->free[at],
		(extents->count - at) * sizeof(*extents->free));
	extents->free[at] = (struct mt_extent){start, size_b};
	extents->count++;
}

int mt_extents_take(struct mt_extents *extents, uint64_t size_b, uint64_t align_b,
		    uint64_t *start_out)
{
	struct mt_extent *entry;
	uint64_t start, front_b, back_b;
	uint32_t i;

	if (reserve_entries(extents))
		return -ENOMEM;
	for (i = 0; i < extents->count; i++) {
		entry = &extents->free[i];
		start = (entry->start + align_b - 1) & ~(align_b - 1);
		front_b = start - entry->start;
		if (front_b > entry->size_b || entry->size_b - front_b < size_b)
			continue;
		back_b = entry->size_b - front_b - size_b;
		if (front_b) {
			entry->size_b = front_b;
			if (back_b)
				insert_entry(extents, i + 1, start + size_b, back_b);
		} else if (back_b) {
			entry->start = start + size_b;
			entry->size_b = back_b;
		} else {
			remove_entry(extents, i);
		}
		extents->out++;
		*start_out = start;
		return 0;
	}
	return -ENOMEM;
}

uint64_t mt_extents_take_some(struct mt_extents *extents, uint64_t size_b, uint64_t *start_out)
{
	uint64_t largest_b = 0;
	uint32_t i;

	for (i = 0; i < extents->count && largest_b < size_b; i++)
		if (extents->free[i].size_b > largest_b)
			largest_b = extents->free[i].size_b;
	if (size_b > largest_b)
		size_b = largest_b;
	if (!size_b || mt_extents_take(extents, size_b, 1, start_out))
		return 0;
	return size_b;
}

void mt_extents_give(struct mt_extents *extents, uint64_t start, uint64_t size_b)
{
	uint32_t low = 0, high = extents->count, middle;
	bool joins_before, joins_behind;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (extents->free[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	joins_before = low && extents->free[low - 1].start + extents->free[low - 1].size_b == start;
	joins_behind = low < extents->count && start + size_b == extents->free[low].start;
	extents->out--;
	if (joins_before && joins_behind) {
		extents->free[low - 1].size_b += size_b + extents->free[low].size_b;
		remove_entry(extents, low);
	} else if (joins_before) {
		extents->free[low - 1].size_b += size_b;
	} else if (joins_behind) {
		extents->free[low].start = start;
		extents->free[low].size_b += size_b;
	} else {
		insert_entry(extents, low, start, size_b);
	}
}
