/* SPDX-License-Identifier: MIT */
/*
 * Blocks: host memory in large pieces. Those that are given back stay for the next taker, up to a
 * bound, because fresh pages cost more than what is done with them.
 */
#ifndef MT_BASE_BLOCK_H
#define MT_BASE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#define MT_BLOCK_ALIGN_B 64u

/* What a block of this size really has: small ones exactly this, large ones up to an eighth more. */
size_t mt_block_size(size_t size_b);

/* mt_block_size(size_b) bytes, aligned to MT_BLOCK_ALIGN_B; NULL if memory has run out. Thread-safe. */
void *mt_block_take(size_t size_b, bool zeroed);

/* Back to the pool, with the size that was asked for. Accepts NULL. Thread-safe. */
void mt_block_give(void *block, size_t size_b);

/* Bytes that wait for a taker. */
size_t mt_block_pooled_b(void);

#endif
