/* SPDX-License-Identifier: MIT */
/*
 * Arena: host memory of one owner, given back as a whole. Small allocations share blocks; a test
 * switch gives every arena pages of its own, so that a test can make one owner's memory
 * inaccessible.
 */
#ifndef MT_BASE_ARENA_H
#define MT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct mt_arena_block;

struct mt_arena {
	struct mt_arena_block *blocks; /* owned, newest first */
	char *at, *end;                /* free part of the newest block */
	size_t next_b;                 /* size of the next block */
	size_t used_b;                 /* bytes handed out */
	bool own_pages;
};

void mt_arena_init(struct mt_arena *arena);
void mt_arena_finish(struct mt_arena *arena); /* accepts a zeroed arena */

/* Zeroed memory, align_b a power of two <= 64; NULL if memory has run out. Not thread-safe. */
void *mt_arena_alloc(struct mt_arena *arena, size_t size_b, size_t align_b);

/* Test switch: arenas initialised from now on use whole pages of their own. */
void mt_arena_set_own_pages(bool on);

/* Test hook: sets the protection of an own-pages arena's blocks (PROT_NONE, PROT_READ|WRITE). */
int mt_arena_protect(struct mt_arena *arena, int protection);

#endif
