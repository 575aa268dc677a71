/* SPDX-License-Identifier: MIT */
/*
 * Handle table: two levels, read without a lock, changed under one.
 *
 * An entry's tag is the upper 16 bits of its handle (kind, generation); 0 while the slot is free.
 * Free slots queue up and are taken oldest first, and never before REUSE_DELAY others are free, so
 * that a generation comes again only after about two million destroys.
 */
#include "hw/base/handle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "hw/base/alloc.h"

#define SLOT_BITS       22
#define BLOCK_BITS      12
#define BLOCK_SLOTS     (1u << BLOCK_BITS)
#define BLOCK_COUNT     (1u << (SLOT_BITS - BLOCK_BITS))
#define SLOT_MAX        (1u << SLOT_BITS)
#define GENERATION_BITS 11
#define GENERATION_MAX  ((1u << GENERATION_BITS) - 1)
#define REUSE_DELAY     1024u

struct entry {
	_Atomic uint32_t tag;
	uint32_t next_free;     /* slot, while in the free queue */
	_Atomic(void *) object; /* borrowed */
	uint32_t generation;    /* of the next handle */
};

static _Atomic(struct entry *) blocks[BLOCK_COUNT]; /* owned, never freed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by lock. */
static uint32_t used_slots, free_count, free_head, free_tail;

static struct entry *entry_of(uint32_t slot)
{
	struct entry *block =
		atomic_load_explicit(&blocks[slot >> BLOCK_BITS], memory_order_acquire);

	return block ? &block[slot & (BLOCK_SLOTS - 1)] : NULL;
}

/* Under the lock; SLOT_MAX if memory or slots have run out. */
static uint32_t take_slot(void)
{
	struct entry *block;
	uint32_t slot;

	if (free_count > REUSE_DELAY || (free_count && used_slots == SLOT_MAX)) {
		slot = free_head;
		free_head = entry_of(slot)->next_free;
		free_count--;
		return slot;
	}
	if (used_slots == SLOT_MAX)
		return SLOT_MAX;
	slot = used_slots;
	if (!(slot & (BLOCK_SLOTS - 1))) {
		block = mt_calloc(BLOCK_SLOTS, sizeof(*block));
		if (!block)
			return SLOT_MAX;
		atomic_store_explicit(&blocks[slot >> BLOCK_BITS], block, memory_order_release);
	}
	used_slots++;
	entry_of(slot)->generation = 1;
	return slot;
}

uint64_t mt_handle_create(enum mt_handle_kind kind, void *object)
{
	struct entry *entry;
	uint32_t slot, tag;

	pthread_mutex_lock(&lock);
	slot = take_slot();
	if (slot == SLOT_MAX) {
		pthread_mutex_unlock(&lock);
		return 0;
	}
	entry = entry_of(slot);
	tag = (uint32_t)kind << GENERATION_BITS | entry->generation;
	atomic_store_explicit(&entry->object, object, memory_order_relaxed);
	atomic_store_explicit(&entry->tag, tag, memory_order_release);
	pthread_mutex_unlock(&lock);
	return (uint64_t)tag << 48 | slot;
}

void mt_handle_destroy(uint64_t handle)
{
	uint32_t slot = (uint32_t)handle & (SLOT_MAX - 1);
	struct entry *entry;

	pthread_mutex_lock(&lock);
	entry = entry_of(slot);
	if (entry && handle >> 48 &&
	    atomic_load_explicit(&entry->tag, memory_order_relaxed) == handle >> 48) {
		atomic_store_explicit(&entry->tag, 0, memory_order_release);
		atomic_store_explicit(&entry->object, NULL, memory_order_relaxed);
		entry->generation = entry->generation == GENERATION_MAX ? 1 : entry->generation + 1;
		if (free_count)
			entry_of(free_tail)->next_free = slot;
		else
			free_head = slot;
		free_tail = slot;
		free_count++;
	}
	pthread_mutex_unlock(&lock);
}

uint64_t mt_handle_sub(uint64_t handle, enum mt_handle_kind kind, uint32_t sub)
{
	uint64_t generation = handle >> 48 & GENERATION_MAX;

	return (uint64_t)kind << 59 | generation << 48 | (uint64_t)(sub & MT_HANDLE_SUB_MAX) << 22 |
	       (handle & (SLOT_MAX - 1));
}

void *mt_handle_get(uint64_t handle, enum mt_handle_kind kind)
{
	uint32_t tag = (uint32_t)(handle >> 48);
	struct entry *entry;

	if (tag >> GENERATION_BITS != (uint32_t)kind)
		return NULL;
	if (kind == MT_HANDLE_NODE)
		tag = (uint32_t)MT_HANDLE_GRAPH << GENERATION_BITS | (tag & GENERATION_MAX);
	else if (mt_handle_sub_index(handle))
		return NULL;
	entry = entry_of((uint32_t)handle & (SLOT_MAX - 1));
	if (!entry || atomic_load_explicit(&entry->tag, memory_order_acquire) != tag)
		return NULL;
	return atomic_load_explicit(&entry->object, memory_order_relaxed);
}
