/* SPDX-License-Identifier: MIT */
/*
 * Arena: bump allocation in growing blocks that are given back as a whole.
 */
#include "hw/base/arena.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "hw/base/block.h"

#define FIRST_BLOCK_B 1024u
#define BLOCK_MAX_B   (256u << 10)
#define PAGE_B        4096u

struct mt_arena_block {
	struct mt_arena_block *next; /* owned */
	size_t size_b;               /* whole block, this header included */
	size_t reserved[6];          /* keeps what follows on a cache line */
};
_Static_assert(sizeof(struct mt_arena_block) == MT_BLOCK_ALIGN_B, "payload alignment");

static atomic_bool own_pages_on;

void mt_arena_set_own_pages(bool on)
{
	atomic_store_explicit(&own_pages_on, on, memory_order_relaxed);
}

void mt_arena_init(struct mt_arena *arena)
{
	memset(arena, 0, sizeof(*arena));
	arena->next_b = FIRST_BLOCK_B;
	arena->own_pages = atomic_load_explicit(&own_pages_on, memory_order_relaxed);
}

void mt_arena_finish(struct mt_arena *arena)
{
	struct mt_arena_block *block = arena->blocks, *next;

	for (; block; block = next) {
		next = block->next;
		if (arena->own_pages)
			munmap(block, block->size_b);
		else
			mt_block_give(block, block->size_b);
	}
	memset(arena, 0, sizeof(*arena));
}

static int add_block(struct mt_arena *arena, size_t room_b)
{
	size_t size_b = room_b + sizeof(struct mt_arena_block);
	struct mt_arena_block *block;

	if (size_b < room_b)
		return -ENOMEM;
	if (size_b < arena->next_b)
		size_b = arena->next_b;
	if (arena->own_pages) {
		size_b = (size_b + PAGE_B - 1) & ~(size_t)(PAGE_B - 1);
		block = mmap(NULL, size_b, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
		if (block == MAP_FAILED)
			return -ENOMEM;
	} else {
		size_b = mt_block_size(size_b);
		block = mt_block_take(size_b, true);
		if (!block)
			return -ENOMEM;
	}
	block->next = arena->blocks;
	block->size_b = size_b;
	arena->blocks = block;
	arena->at = (char *)(block + 1);
	arena->end = (char *)block + size_b;
	if (arena->next_b < BLOCK_MAX_B)
		arena->next_b *= 2;
	return 0;
}

void *mt_arena_alloc(struct mt_arena *arena, size_t size_b, size_t align_b)
{
	uintptr_t at = ((uintptr_t)arena->at + align_b - 1) & ~(uintptr_t)(align_b - 1);

	if (!arena->blocks || at > (uintptr_t)arena->end || size_b > (uintptr_t)arena->end - at) {
		if (add_block(arena, size_b))
			return NULL;
		at = (uintptr_t)arena->at; /* 64-byte aligned */
	}
	arena->at = (char *)at + size_b;
	arena->used_b += size_b;
	return (void *)at;
}

int mt_arena_protect(struct mt_arena *arena, int protection)
{
	struct mt_arena_block *block, *next;

	if (!arena->own_pages)
		return -EINVAL;
	for (block = arena->blocks; block; block = next) {
		/* The header cannot be read once its page is closed, nor before it is open. */
		if (protection & PROT_READ)
			if (mprotect(block, PAGE_B, protection))
				return -errno;
		next = block->next;
		if (mprotect(block, block->size_b, protection))
			return -errno;
	}
	return 0;
}
