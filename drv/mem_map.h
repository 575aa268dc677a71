/* SPDX-License-Identifier: MIT */
/*
 * The process-wide map from addresses to what lies there. mt_mem_find(), mt_mem_add() and
 * mt_mem_remove() of drv/memory.h are its face for others; this header has what the memory files
 * need besides.
 */
#ifndef MT_DRV_MEM_MAP_H
#define MT_DRV_MEM_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "drv/memory.h"

/* Removes the range that starts at `base` and tells what it was. false: there is none. Of several
 * threads that take the same range exactly one gets it, so that a double free is found out. */
bool mt_mem_map_take(uint64_t base, struct mt_mem_info *info_out);

/* As mt_mem_map_take(), if the range's kind is in `kinds` (bits 1 << enum mt_alloc_kind). */
bool mt_mem_map_take_kind(uint64_t base, uint32_t kinds, struct mt_mem_info *info_out);

/* Whether a known range overlaps [va, va + size_b). */
bool mt_mem_map_overlaps(uint64_t va, uint64_t size_b);

/* A buffer id that no other range has. mt_mem_add() takes one itself for id 0. */
uint64_t mt_mem_map_new_id(void);

/* Ranges of kind GRAPH there are: 0 spares the callers the question whether they are live. */
uint32_t mt_mem_map_graph_count(void);

#endif
