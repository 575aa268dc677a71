/* SPDX-License-Identifier: MIT */
/*
 * Address map: a two-level table over granules of 512 KiB, read without a lock.
 *
 *   va  47        34 33        19 18         0
 *      +------------+------------+------------+
 *      | top (14)   | table (15) |  in leaf   |
 *      +------------+------------+------------+
 *
 * A slot of a table is 0, or names the one range that fills the granule (record << 1 | 1), or
 * points to a leaf: the sorted starts of the ranges in the granule. So a look-up costs two loads
 * and a binary search in a short list (1,024 ranges of 512 bytes), however many ranges there are,
 * and entering one costs a store a granule.
 *
 * Writers hold a mutex and make the sequence number odd meanwhile; readers run through and look at
 * the number again. Tables, leaves and records are never given back, only used again, so that
 * a reader that is overtaken reads stale words but no foreign memory. They lie in two address
 * ranges that are reserved once and backed as they fill.
 */
#include "drv/mem_map.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define VA_BITS       48
#define GRANULE_SHIFT 19
#define GRANULE_B     (1ull << GRANULE_SHIFT)
#define TABLE_BITS    15
#define TABLE_SLOTS   (1u << TABLE_BITS)
#define TOP_SLOTS     (1u << (VA_BITS - GRANULE_SHIFT - TABLE_BITS))

#define NODES_RESERVED_B   (16ull << 30) /* tables and leaves */
#define RECORDS_RESERVED_B (4ull << 30)
#define COMMIT_STEP_B      (1ull << 20)

#define LEAF_CLASS_MIN 3  /* 8 qwords: head and 7 entries */
#define LEAF_CLASS_MAX 20 /* a start on every byte and the head: out of reach */
#define SPINS_MAX      64

typedef _Atomic uint64_t word;

/* Head: class << 32 | count; then `count` entries start << 32 | record, by start. */
struct leaf {
	word head;
	word entries[];
};

/* One range; `what` is flags << 32 | device << 16 | type << 8 | kind. One cache line. */
struct record {
	word base, size_b, what, host_va, id, hooks, owner, next_free;
};

_Static_assert(sizeof(struct record) == 64, "a record is one cache line");

/* A reserved address range that is backed from its start on. */
struct region {
	char *base;
	uint64_t reserved_b, committed_b, used_b;
};

static word top[TOP_SLOTS]; /* -> table, or 0 */
static word sequence;       /* odd while a writer is at work */
static _Atomic uint32_t graph_ranges;
static _Atomic(char *) record_base; /* records.base, for readers */
static _Atomic uint32_t record_end; /* records that there are: a stale word may name any number */
static _Atomic uint64_t next_id = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by lock. */
static struct region nodes = {.reserved_b = NODES_RESERVED_B};
static struct region records = {.reserved_b = RECORDS_RESERVED_B};
static uint64_t free_leaves[LEAF_CLASS_MAX + 1];
static uint32_t free_records; /* record number, 0 none */

/* On the reading side acquire keeps the second look at the sequence number behind the words read;
 * on the writing side release keeps the words behind the odd number. */
static uint64_t get(const word *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}

static void put(word *to, uint64_t value)
{
	atomic_store_explicit(to, value, memory_order_release);
}

static struct record *record_at(uint64_t number)
{
	return (struct record *)(void *)atomic_load_explicit(&record_base, memory_order_acquire) +
	       number;
}

static void *region_take(struct region *region, uint64_t size_b)
{
	void *taken;

	if (!region->base) {
		taken = mmap(NULL, region->reserved_b, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (taken == MAP_FAILED)
			return NULL;
		region->base = taken;
	}
	if (region->used_b + size_b > region->committed_b) {
		uint64_t step_b = (size_b + COMMIT_STEP_B - 1) & ~(COMMIT_STEP_B - 1);

		if (region->committed_b + step_b > region->reserved_b)
			return NULL;
		if (mprotect(region->base + region->committed_b, step_b, PROT_READ | PROT_WRITE))
			return NULL;
		region->committed_b += step_b;
	}
	taken = region->base + region->used_b;
	region->used_b += size_b;
	return taken;
}

static struct leaf *leaf_take(uint32_t class)
{
	struct leaf *leaf = (struct leaf *)(uintptr_t)free_leaves[class];

	if (leaf)
		free_leaves[class] = get(&leaf->entries[0]);
	else
		leaf = region_take(&nodes, sizeof(word) << class);
	return leaf;
}

static void leaf_give(struct leaf *leaf)
{
	uint32_t class = (uint32_t)(get(&leaf->head) >> 32);

	put(&leaf->entries[0], free_leaves[class]);
	free_leaves[class] = (uint64_t)(uintptr_t)leaf;
}

/* Record number 0 is never used: 0 means none. */
static uint32_t record_take(void)
{
	struct record *record;
	uint32_t number = free_records;

	if (number) {
		free_records = (uint32_t)get(&record_at(number)->next_free);
		return number;
	}
	if (!records.base && !region_take(&records, sizeof(*record)))
		return 0;
	record = region_take(&records, sizeof(*record));
	if (!record)
		return 0;
	number = (uint32_t)(record - (struct record *)(void *)records.base);
	atomic_store_explicit(&record_base, records.base, memory_order_release);
	atomic_store_explicit(&record_end, number + 1, memory_order_release);
	return number;
}

static void record_give(uint32_t number)
{
	put(&record_at(number)->next_free, free_records);
	free_records = number;
}

static word *slot_find(uint64_t granule)
{
	uint64_t table = get(&top[granule >> TABLE_BITS]);

	return table ? (word *)(uintptr_t)table + (granule & (TABLE_SLOTS - 1)) : NULL;
}

/* Number of entries whose start is <= offset. Without branches on the data: where in a granule an
 * address lies is not to be guessed. */
static uint32_t leaf_rank(const struct leaf *leaf, uint32_t count, uint64_t offset)
{
	uint64_t key = offset << 32 | UINT32_MAX;
	uint32_t at = 0;

	if (!count)
		return 0;
	while (count > 1) {
		uint32_t half = count / 2;

		at += half & -(uint32_t)(get(&leaf->entries[at + half]) <= key);
		count -= half;
	}
	return at + (get(&leaf->entries[at]) <= key);
}

/* Number of the record whose range starts at or before va in its granule; 0 if none. The leaf's
 * words may be stale, so its count is bounded by its class, which never changes. */
static uint32_t candidate(uint64_t va)
{
	const word *slot = slot_find(va >> GRANULE_SHIFT);
	uint64_t value = slot ? get(slot) : 0, head, room;
	const struct leaf *leaf;
	uint32_t rank;

	if (!value)
		return 0;
	if (value & 1)
		return (uint32_t)(value >> 1);
	leaf = (const struct leaf *)(uintptr_t)value;
	head = get(&leaf->head);
	room = (1u << (head >> 32)) - 1;
	rank = leaf_rank(leaf, (uint32_t)head < room ? (uint32_t)head : (uint32_t)room,
			 va & (GRANULE_B - 1));
	return rank ? (uint32_t)get(&leaf->entries[rank - 1]) : 0;
}

static bool read_record(uint32_t number, uint64_t va, struct mt_mem_info *info)
{
	const struct record *record = record_at(number);
	uint64_t what;

	info->base = get(&record->base);
	info->size_b = get(&record->size_b);
	if (va - info->base >= info->size_b)
		return false;
	what = get(&record->what);
	info->kind = (enum mt_alloc_kind)(what & 0xff);
	info->type = (enum mt_mem_type)(what >> 8 & 0xff);
	info->device = (uint32_t)(what >> 16 & 0xffff);
	info->flags = (unsigned int)(what >> 32);
	info->host_va = get(&record->host_va);
	info->id = get(&record->id);
	info->hooks = (const struct mt_alloc_hooks *)(uintptr_t)get(&record->hooks);
	info->owner = (void *)(uintptr_t)get(&record->owner);
	return true;
}

static bool look(uint64_t va, struct mt_mem_info *info)
{
	uint32_t number = candidate(va);

	return number && number < atomic_load_explicit(&record_end, memory_order_acquire) &&
	       read_record(number, va, info);
}

bool mt_mem_find(uint64_t va, struct mt_mem_info *info_out)
{
	struct mt_mem_info info;
	bool found;

	if (va >> VA_BITS)
		return false;
	for (unsigned int spin = 0; spin < SPINS_MAX; spin++) {
		uint64_t before = get(&sequence);

		if (before & 1)
			continue;
		found = look(va, &info);
		if (get(&sequence) == before)
			goto out;
	}
	pthread_mutex_lock(&lock);
	found = look(va, &info);
	pthread_mutex_unlock(&lock);
out:
	if (found)
		*info_out = info;
	return found;
}

/* What a range covers of a granule: offsets of its first byte and behind its last one. */
static void clip(uint64_t granule, uint64_t base, uint64_t end, uint64_t *from_out,
		 uint64_t *to_out)
{
	uint64_t start = granule << GRANULE_SHIFT;

	*from_out = base > start ? base - start : 0;
	*to_out = end - start < GRANULE_B ? end - start : GRANULE_B;
}

static bool leaf_overlaps(const struct leaf *leaf, uint64_t granule, uint64_t from, uint64_t to)
{
	uint32_t rank = leaf_rank(leaf, (uint32_t)get(&leaf->head), to - 1);
	const struct record *record;

	if (!rank)
		return false;
	record = record_at((uint32_t)get(&leaf->entries[rank - 1]));
	return get(&record->base) + get(&record->size_b) > (granule << GRANULE_SHIFT) + from;
}

static bool range_overlaps(uint64_t base, uint64_t end)
{
	for (uint64_t g = base >> GRANULE_SHIFT; g <= (end - 1) >> GRANULE_SHIFT; g++) {
		const word *slot = slot_find(g);
		uint64_t value = slot ? get(slot) : 0, from, to;

		clip(g, base, end, &from, &to);
		if (value & 1)
			return true;
		if (value && leaf_overlaps((struct leaf *)(uintptr_t)value, g, from, to))
			return true;
	}
	return false;
}

/* Room for one more entry in a granule that the range covers in part; for a whole one the slot is
 * enough. Changes nothing that a reader could notice. */
static bool granule_prepare(uint64_t granule, bool whole)
{
	word *table = (word *)(uintptr_t)get(&top[granule >> TABLE_BITS]);
	struct leaf *leaf, *larger;
	uint64_t head;
	uint32_t class;

	if (!table) {
		table = region_take(&nodes, sizeof(word) << TABLE_BITS);
		if (!table)
			return false;
		put(&top[granule >> TABLE_BITS], (uint64_t)(uintptr_t)table);
	}
	if (whole)
		return true;
	leaf = (struct leaf *)(uintptr_t)get(&table[granule & (TABLE_SLOTS - 1)]);
	if (!leaf) {
		leaf = leaf_take(LEAF_CLASS_MIN);
		if (!leaf)
			return false;
		put(&leaf->head, (uint64_t)LEAF_CLASS_MIN << 32);
		put(&table[granule & (TABLE_SLOTS - 1)], (uint64_t)(uintptr_t)leaf);
		return true;
	}
	head = get(&leaf->head);
	class = (uint32_t)(head >> 32);
	if ((uint32_t)head < (1u << class) - 1)
		return true;
	larger = class < LEAF_CLASS_MAX ? leaf_take(class + 1) : NULL;
	if (!larger)
		return false;
	for (uint32_t i = 0; i < (uint32_t)head; i++)
		put(&larger->entries[i], get(&leaf->entries[i]));
	put(&larger->head, (uint64_t)(class + 1) << 32 | (uint32_t)head);
	put(&table[granule & (TABLE_SLOTS - 1)], (uint64_t)(uintptr_t)larger);
	leaf_give(leaf);
	return true;
}

static void leaf_insert(struct leaf *leaf, uint64_t start, uint32_t number)
{
	uint64_t head = get(&leaf->head);
	uint32_t count = (uint32_t)head, at = leaf_rank(leaf, count, start);

	for (uint32_t i = count; i > at; i--)
		put(&leaf->entries[i], get(&leaf->entries[i - 1]));
	put(&leaf->entries[at], start << 32 | number);
	put(&leaf->head, head + 1);
}

static void leaf_erase(word *slot, struct leaf *leaf, uint64_t start)
{
	uint64_t head = get(&leaf->head);
	uint32_t count = (uint32_t)head, at = leaf_rank(leaf, count, start) - 1;

	for (uint32_t i = at; i + 1 < count; i++)
		put(&leaf->entries[i], get(&leaf->entries[i + 1]));
	put(&leaf->head, head - 1);
	if (count == 1) {
		put(slot, 0);
		leaf_give(leaf);
	}
}

/* Enters or removes the range in all its granules. The granules are prepared. */
static void range_set(uint64_t base, uint64_t end, uint32_t number, bool enter)
{
	for (uint64_t g = base >> GRANULE_SHIFT; g <= (end - 1) >> GRANULE_SHIFT; g++) {
		word *slot = slot_find(g);
		uint64_t from, to;

		clip(g, base, end, &from, &to);
		if (!from && to == GRANULE_B)
			put(slot, enter ? (uint64_t)number << 1 | 1 : 0);
		else if (enter)
			leaf_insert((struct leaf *)(uintptr_t)get(slot), from, number);
		else
			leaf_erase(slot, (struct leaf *)(uintptr_t)get(slot), from);
	}
}

static void write_begin(void)
{
	pthread_mutex_lock(&lock);
	atomic_fetch_add_explicit(&sequence, 1, memory_order_acq_rel);
}

static void write_end(void)
{
	atomic_fetch_add_explicit(&sequence, 1, memory_order_release);
	pthread_mutex_unlock(&lock);
}

/* Leaves that were made for an insertion that did not happen. */
static void drop_empty_leaf(uint64_t granule)
{
	word *slot = slot_find(granule);
	uint64_t value = slot ? get(slot) : 0;
	struct leaf *leaf = (struct leaf *)(uintptr_t)value;

	if (!value || (value & 1) || (uint32_t)get(&leaf->head))
		return;
	put(slot, 0);
	leaf_give(leaf);
}

static MUresult range_prepare(uint64_t base, uint64_t end, uint32_t *number_out)
{
	uint64_t g, from, to;

	if (range_overlaps(base, end))
		return MUSA_ERROR_ALREADY_MAPPED;
	for (g = base >> GRANULE_SHIFT; g <= (end - 1) >> GRANULE_SHIFT; g++) {
		clip(g, base, end, &from, &to);
		if (!granule_prepare(g, !from && to == GRANULE_B))
			goto drop_leaves;
	}
	*number_out = record_take();
	if (*number_out)
		return MUSA_SUCCESS;
drop_leaves:
	drop_empty_leaf(base >> GRANULE_SHIFT);
	drop_empty_leaf((end - 1) >> GRANULE_SHIFT);
	return MUSA_ERROR_OUT_OF_MEMORY;
}

MUresult mt_mem_add(const struct mt_mem_info *info)
{
	uint64_t base = info->base, end = base + info->size_b;
	struct record *record;
	uint32_t number;
	MUresult ret;

	if (!info->size_b || end < base || (end - 1) >> VA_BITS)
		return MUSA_ERROR_INVALID_VALUE;
	write_begin();
	ret = range_prepare(base, end, &number);
	if (ret)
		goto out;
	record = record_at(number);
	put(&record->base, base);
	put(&record->size_b, info->size_b);
	put(&record->what, (uint64_t)info->flags << 32 | (uint64_t)(info->device & 0xffff) << 16 |
				   (uint64_t)(info->type & 0xff) << 8 | (info->kind & 0xff));
	put(&record->host_va, info->host_va);
	put(&record->id, info->id ? info->id : mt_mem_map_new_id());
	put(&record->hooks, (uint64_t)(uintptr_t)info->hooks);
	put(&record->owner, (uint64_t)(uintptr_t)info->owner);
	range_set(base, end, number, true);
	if (info->kind == MT_ALLOC_GRAPH)
		atomic_fetch_add_explicit(&graph_ranges, 1, memory_order_relaxed);
out:
	write_end();
	return ret;
}

bool mt_mem_map_take_kind(uint64_t base, uint32_t kinds, struct mt_mem_info *info_out)
{
	struct mt_mem_info info;
	uint32_t number;
	bool found = false;

	if (base >> VA_BITS)
		return false;
	write_begin();
	number = candidate(base);
	if (number && read_record(number, base, &info) && info.base == base &&
	    (kinds >> info.kind & 1)) {
		range_set(base, base + info.size_b, number, false);
		record_give(number);
		if (info.kind == MT_ALLOC_GRAPH)
			atomic_fetch_sub_explicit(&graph_ranges, 1, memory_order_relaxed);
		found = true;
	}
	write_end();
	if (found && info_out)
		*info_out = info;
	return found;
}

bool mt_mem_map_take(uint64_t base, struct mt_mem_info *info_out)
{
	return mt_mem_map_take_kind(base, UINT32_MAX, info_out);
}

void mt_mem_remove(uint64_t base)
{
	mt_mem_map_take(base, NULL);
}

bool mt_mem_map_overlaps(uint64_t va, uint64_t size_b)
{
	uint64_t end = va + size_b;
	bool overlaps;

	if (!size_b || end < va || (end - 1) >> VA_BITS)
		return false;
	pthread_mutex_lock(&lock);
	overlaps = range_overlaps(va, end);
	pthread_mutex_unlock(&lock);
	return overlaps;
}

uint64_t mt_mem_map_new_id(void)
{
	return atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed);
}

uint32_t mt_mem_map_graph_count(void)
{
	return atomic_load_explicit(&graph_ranges, memory_order_relaxed);
}
