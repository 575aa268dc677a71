/* SPDX-License-Identifier: MIT */
/*
 * A set of edges. A key is from << 32 | to plus one, so that 0 means an empty place; at most 3/4 of
 * the places are in use.
 */
#include "graph/edge_set.h"

#include "hw/base/alloc.h"
#include "hw/base/block.h"

#define MIN_PLACES 64u

struct mt_edge_set {
	uint64_t *keys; /* owned, mask + 1 places */
	uint64_t mask, count;
};

static uint64_t make_key(uint32_t from, uint32_t to)
{
	return ((uint64_t)from << 32 | to) + 1;
}

static uint64_t hash_key(uint64_t key)
{
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}

/* The key's place, or the empty one where it would go. */
static uint64_t find_place(const struct mt_edge_set *set, uint64_t key)
{
	uint64_t place = hash_key(key) & set->mask;

	while (set->keys[place] && set->keys[place] != key)
		place = (place + 1) & set->mask;
	return place;
}

static bool grow_set(struct mt_edge_set *set, uint64_t places)
{
	struct mt_edge_set bigger = { .mask = places - 1, .count = set->count };
	uint64_t i;

	bigger.keys = mt_block_take(places * sizeof(*bigger.keys), true);
	if (!bigger.keys)
		return false;
	for (i = 0; set->keys && i <= set->mask; i++)
		if (set->keys[i])
			bigger.keys[find_place(&bigger, set->keys[i])] = set->keys[i];
	mt_block_give(set->keys, (set->mask + 1) * sizeof(*set->keys));
	*set = bigger;
	return true;
}

struct mt_edge_set *mt_edge_set_create(uint64_t expected)
{
	struct mt_edge_set *set = mt_calloc(1, sizeof(*set));
	uint64_t places = MIN_PLACES;

	if (!set)
		return NULL;
	while (places / 4 * 3 < expected)
		places *= 2;
	if (!grow_set(set, places)) {
		mt_free(set);
		return NULL;
	}
	return set;
}

void mt_edge_set_destroy(struct mt_edge_set *set)
{
	if (!set)
		return;
	mt_block_give(set->keys, (set->mask + 1) * sizeof(*set->keys));
	mt_free(set);
}

bool mt_edge_set_insert(struct mt_edge_set *set, uint32_t from, uint32_t to)
{
	uint64_t key = make_key(from, to);

	if (set->count >= (set->mask + 1) / 4 * 3 && !grow_set(set, (set->mask + 1) * 2))
		return false;
	set->keys[find_place(set, key)] = key;
	set->count++;
	return true;
}

void mt_edge_set_remove(struct mt_edge_set *set, uint32_t from, uint32_t to)
{
	uint64_t hole = find_place(set, make_key(from, to));
	uint64_t place, home;

	if (!set->keys[hole])
		return;
	set->count--;
	/* Keys further along the run move up if their home does not lie behind the hole. */
	for (place = (hole + 1) & set->mask; set->keys[place]; place = (place + 1) & set->mask) {
		home = hash_key(set->keys[place]) & set->mask;
		if (((place - home) & set->mask) < ((place - hole) & set->mask))
			continue;
		set->keys[hole] = set->keys[place];
		hole = place;
	}
	set->keys[hole] = 0;
}

bool mt_edge_set_has(const struct mt_edge_set *set, uint32_t from, uint32_t to)
{
	return set->keys[find_place(set, make_key(from, to))] != 0;
}
