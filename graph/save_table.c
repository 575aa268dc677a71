/* SPDX-License-Identifier: MIT */
/* Indices for things that nodes name again and again. */
#include <string.h>

#include "graph/save_internal.h"
#include "hw/base/alloc.h"

static uint32_t slot_of(const struct mt_save_table *table, uint64_t key)
{
	uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & table->slot_mask;

	while (table->slots[slot] && table->keys[table->slots[slot] - 1] != key)
		slot = (slot + 1) & table->slot_mask;
	return slot;
}

static MUresult grow(struct mt_save_table *table)
{
	uint32_t room = table->room ? table->room * 2 : 64, i;
	uint64_t *keys = mt_realloc(table->keys, (size_t)room * sizeof(*keys));
	uint32_t *slots;

	if (!keys)
		return MUSA_ERROR_OUT_OF_MEMORY;
	table->keys = keys;
	slots = mt_calloc((size_t)room * 2, sizeof(*slots));
	if (!slots)
		return MUSA_ERROR_OUT_OF_MEMORY;
	mt_free(table->slots);
	table->slots = slots;
	table->slot_mask = room * 2 - 1;
	table->room = room;
	for (i = 0; i < table->count; i++)
		slots[slot_of(table, keys[i])] = i + 1;
	return MUSA_SUCCESS;
}

MUresult mt_save_table_add(struct mt_save_table *table, uint64_t key, uint32_t *index_out)
{
	uint32_t slot;
	MUresult ret;

	if (table->count == table->room) {
		if (table->room > UINT32_MAX / 8)
			return MUSA_ERROR_OUT_OF_MEMORY;
		ret = grow(table);
		if (ret)
			return ret;
	}
	slot = slot_of(table, key);
	if (!table->slots[slot]) {
		table->keys[table->count++] = key;
		table->slots[slot] = table->count;
	}
	*index_out = table->slots[slot] - 1;
	return MUSA_SUCCESS;
}

uint32_t mt_save_table_find(const struct mt_save_table *table, uint64_t key)
{
	uint32_t slot;

	if (!table->count)
		return MTG_NONE;
	slot = slot_of(table, key);
	return table->slots[slot] ? table->slots[slot] - 1 : MTG_NONE;
}

void mt_save_table_finish(struct mt_save_table *table)
{
	mt_free(table->keys);
	mt_free(table->slots);
	memset(table, 0, sizeof(*table));
}
