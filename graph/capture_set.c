/* SPDX-License-Identifier: MIT */
/*
 * Sets of node ids that captures keep. Most hold one or two; a join of many streams makes large ones,
 * which get an index: an open-addressed table that is at most half full.
 */
#include <string.h>

#include "graph/capture.h"
#include "hw/base/alloc.h"

#define FEW 16u /* up to here a look at all of them is quicker */

MUresult mt_capture_set_reserve(struct mt_capture_set *set, uint32_t count)
{
	uint32_t capacity = set->capacity ? set->capacity : 4;
	uint32_t *ids, *slots;

	if (count <= set->capacity)
		return MUSA_SUCCESS;
	if (count > UINT32_MAX / 4)
		return MUSA_ERROR_OUT_OF_MEMORY;
	while (capacity < count)
		capacity *= 2;
	if (capacity > FEW) {
		slots = mt_realloc(set->slots, 2 * (size_t)capacity * sizeof(*slots));
		if (!slots)
			return MUSA_ERROR_OUT_OF_MEMORY;
		set->slots = slots;
		set->slot_room = 2 * capacity;
	}
	ids = mt_realloc(set->ids, capacity * sizeof(*ids));
	if (!ids)
		return MUSA_ERROR_OUT_OF_MEMORY;
	set->ids = ids;
	set->capacity = capacity;
	return MUSA_SUCCESS;
}

/* The slot that holds the id, or the free one where it would go. */
static uint32_t *find_slot(const struct mt_capture_set *set, uint32_t id)
{
	uint32_t mask = set->slot_count - 1, at = id * 0x9e3779b1u;

	for (at ^= at >> 15;; at++)
		if (!set->slots[at & mask] || set->ids[set->slots[at & mask] - 1] == id)
			return &set->slots[at & mask];
}

/* Builds the index anew, for four times what the set holds, as far as there is room. */
static void build_index(struct mt_capture_set *set)
{
	uint32_t slot_count = 4 * FEW, i;

	while (slot_count < 4 * set->count)
		slot_count *= 2;
	set->slot_count = slot_count < set->slot_room ? slot_count : set->slot_room;
	memset(set->slots, 0, set->slot_count * sizeof(*set->slots));
	for (i = 0; i < set->count; i++)
		*find_slot(set, set->ids[i]) = i + 1;
}

bool mt_capture_set_has(const struct mt_capture_set *set, uint32_t id)
{
	if (set->slot_count)
		return *find_slot(set, id) != 0;
	for (uint32_t i = 0; i < set->count; i++)
		if (set->ids[i] == id)
			return true;
	return false;
}

static void add_one(struct mt_capture_set *set, uint32_t id)
{
	if (mt_capture_set_has(set, id))
		return;
	set->ids[set->count++] = id;
	if (set->count <= FEW)
		return;
	if (set->count > set->slot_count / 2)
		build_index(set);
	else
		*find_slot(set, id) = set->count;
}

MUresult mt_capture_set_add(struct mt_capture_set *set, const uint32_t *ids, uint32_t count)
{
	MUresult ret = count > UINT32_MAX - set->count
			       ? MUSA_ERROR_OUT_OF_MEMORY
			       : mt_capture_set_reserve(set, set->count + count);

	if (ret)
		return ret;
	for (uint32_t i = 0; i < count; i++)
		add_one(set, ids[i]);
	return MUSA_SUCCESS;
}

MUresult mt_capture_set_assign(struct mt_capture_set *set, const uint32_t *ids, uint32_t count)
{
	MUresult ret = mt_capture_set_reserve(set, count);

	if (ret)
		return ret;
	set->count = 0;
	set->slot_count = 0;
	return mt_capture_set_add(set, ids, count);
}

void mt_capture_set_replace(struct mt_capture_set *set, uint32_t id)
{
	set->ids[0] = id;
	set->count = 1;
	set->slot_count = 0;
}

void mt_capture_set_finish(struct mt_capture_set *set)
{
	mt_free(set->ids);
	mt_free(set->slots);
	memset(set, 0, sizeof(*set));
}
