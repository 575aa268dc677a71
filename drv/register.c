/* SPDX-License-Identifier: MIT */
/*
 * The registry of what the compiler's host code announces: which stub is which kernel, which host
 * variable is which device variable. Looked up without a lock at every launch.
 *
 * The table is open-addressed. A key stays in its slot for good; a new table, made when the old one
 * is half full, leaves the dead ones out. Old tables are kept, because a reader may still look.
 */
#include <string.h>

#include "drv/module_internal.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"

struct slot {
	_Atomic(const void *) key;
	_Atomic(struct mt_entry *) entry; /* NULL: unregistered */
};

struct table {
	struct table *older; /* owned */
	uint32_t size, used; /* slots: a power of two; with a key */
	struct slot slots[];
};

#define TABLE_MIN 64u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* writers; also entries of binaries */
static _Atomic(struct table *) current; /* owned; reachable until the process ends */

static uint32_t hash_key(const void *key)
{
	return (uint32_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull) >> 32);
}

/* The key's slot, or the free one where it would go. */
static struct slot *find_slot(struct table *table, const void *key)
{
	uint32_t mask = table->size - 1;

	for (uint32_t i = hash_key(key);; i++) {
		struct slot *slot = &table->slots[i & mask];
		const void *there = atomic_load_explicit(&slot->key, memory_order_acquire);

		if (there == key || !there)
			return slot;
	}
}

static struct mt_entry *find_entry(const void *key)
{
	struct table *table = atomic_load_explicit(&current, memory_order_acquire);
	struct slot *slot;

	if (!table || !key)
		return NULL;
	slot = find_slot(table, key);
	/* A free slot has no entry yet: whoever fills it writes the entry before the key. */
	if (!atomic_load_explicit(&slot->key, memory_order_acquire))
		return NULL;
	return atomic_load_explicit(&slot->entry, memory_order_acquire);
}

static void fill_slot(struct table *table, const void *key, struct mt_entry *entry)
{
	struct slot *slot = find_slot(table, key);

	atomic_store_explicit(&slot->entry, entry, memory_order_release);
	if (!atomic_load_explicit(&slot->key, memory_order_relaxed)) {
		atomic_store_explicit(&slot->key, key, memory_order_release);
		table->used++;
	}
}

/* Room for one more key. The lock is held. */
static MUresult need_room(void)
{
	struct table *old = atomic_load_explicit(&current, memory_order_relaxed);
	uint32_t size = TABLE_MIN, live = 0;
	struct table *table;

	if (old && old->used < old->size / 2)
		return MUSA_SUCCESS;
	for (uint32_t i = 0; old && i < old->size; i++)
		live += atomic_load_explicit(&old->slots[i].entry, memory_order_relaxed) != NULL;
	while (size < live * 4)
		size *= 2;
	table = mt_calloc(1, sizeof(*table) + size * sizeof(table->slots[0]));
	if (!table)
		return MUSA_ERROR_OUT_OF_MEMORY;
	table->size = size;
	table->older = old;
	for (uint32_t i = 0; old && i < old->size; i++) {
		struct mt_entry *entry =
			atomic_load_explicit(&old->slots[i].entry, memory_order_relaxed);

		if (entry)
			fill_slot(table, entry->key, entry);
	}
	atomic_store_explicit(&current, table, memory_order_release);
	return MUSA_SUCCESS;
}

/* The same key may be registered several times: inline kernels in several libraries. The first
 * registration counts. The lock is held, and there is room. */
static void add_entry(struct mt_entry *entry)
{
	struct table *table = atomic_load_explicit(&current, memory_order_relaxed);
	struct mt_entry *last = find_entry(entry->key);

	if (!last) {
		fill_slot(table, entry->key, entry);
		return;
	}
	while (last->same_key)
		last = last->same_key;
	last->same_key = entry;
}

static void remove_entry(struct mt_entry *entry)
{
	struct table *table = atomic_load_explicit(&current, memory_order_relaxed);
	struct mt_entry *before = find_entry(entry->key);

	if (before == entry) {
		fill_slot(table, entry->key, entry->same_key);
		return;
	}
	while (before && before->same_key != entry)
		before = before->same_key;
	if (before)
		before->same_key = entry->same_key;
}

void *mt_register_fat_binary(const void *wrapper)
{
	struct mt_binary *binary;

	return mt_binary_create(wrapper, &binary) ? NULL : binary;
}

static void register_entry(struct mt_binary *binary, const void *key, const char *name)
{
	struct mt_entry *entry;

	if (!binary || !key || !name)
		return;
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&binary->lock);
	if (!need_room() && !mt_binary_add_entry(binary, key, name, &entry))
		add_entry(entry);
	pthread_mutex_unlock(&binary->lock);
	pthread_mutex_unlock(&lock);
}

void mt_register_function(void *binary, const void *stub, const char *name)
{
	register_entry(binary, stub, name);
}

void mt_register_variable(void *binary, const void *host_variable, const char *name, size_t size_b,
			  bool constant)
{
	/* The code object knows size and section of its variables. */
	(void)size_b;
	(void)constant;
	register_entry(binary, host_variable, name);
}

void mt_unregister_fat_binary(void *handle)
{
	struct mt_binary *binary = handle;

	/* In a forked child the locks may be held by threads that are not there. */
	if (!binary || mt_process_forked())
		return;
	/* An exit must not wait for kernels: modules that may be in use stay with their contexts.
	 */
	mt_binary_leave_busy(binary);
	pthread_mutex_lock(&lock);
	for (struct mt_entry *entry = binary->entries; entry; entry = entry->next)
		remove_entry(entry);
	pthread_mutex_unlock(&lock);
	mt_binary_destroy(binary);
}

MUresult mt_runtime_function(struct mt_ctx *ctx, const void *func, struct mt_function **fn_out)
{
	uint64_t value = (uint64_t)(uintptr_t)func;
	struct mt_entry *entry;

	/* Handles have their kind above bit 48, pointers have nothing there. */
	if (__builtin_expect(value >> 48 == 0, 1)) {
		entry = find_entry(func);
	} else {
		*fn_out = mt_handle_get(value, MT_HANDLE_FUNCTION);
		if (*fn_out)
			return (*fn_out)->device == ctx->device ? MUSA_SUCCESS
								: MUSA_ERROR_INVALID_HANDLE;
		entry = mt_handle_get(value, MT_HANDLE_KERNEL);
	}
	return entry ? mt_entry_function(entry, ctx, fn_out) : MUSA_ERROR_NOT_FOUND;
}

MUresult mt_runtime_variable(struct mt_ctx *ctx, const void *symbol,
			     struct mt_variable *variable_out)
{
	struct mt_entry *entry = find_entry(symbol);
	struct mt_module *module;
	MUresult ret;

	if (!entry)
		return MUSA_ERROR_NOT_FOUND;
	ret = mt_binary_module(entry->binary, ctx, &module);
	return ret ? ret : mt_module_find_variable(module, entry->name, variable_out);
}
