/* SPDX-License-Identifier: MIT */
/*
 * Which address belongs to what: a sorted array of disjoint ranges.
 */
#ifndef MT_DRM_RANGES_H
#define MT_DRM_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct mt_drm_gem;

struct mt_drm_range {
	uint64_t va, size_b;
	uint64_t handle;        /* of the kernel: buffer object or semaphore */
	uint64_t offset_b;      /* of va in the buffer object */
	bool cpu;               /* the CPU may touch the same addresses */
	bool mapped;            /* the device may, too */
	bool command;           /* packets and what they point to */
	struct mt_drm_gem *gem; /* borrowed; NULL: not counted */
	void *owner;            /* borrowed */
};

/* Not thread-safe. */
struct mt_drm_ranges {
	struct mt_drm_range *at; /* owned */
	uint32_t count, room;
};

void mt_drm_ranges_finish(struct mt_drm_ranges *ranges); /* accepts a zeroed one */

/* -ENOMEM; -EEXIST where something overlaps. */
int mt_drm_ranges_add(struct mt_drm_ranges *ranges, const struct mt_drm_range *range);
/* Takes the range that starts at va out. Cannot fail; nothing happens if there is none. */
void mt_drm_ranges_remove(struct mt_drm_ranges *ranges, uint64_t va);
/* The range around va, or NULL; valid until the array changes. */
const struct mt_drm_range *mt_drm_ranges_find(const struct mt_drm_ranges *ranges, uint64_t va);
/* Index of the first range that ends behind va; count if there is none. */
uint32_t mt_drm_ranges_index(const struct mt_drm_ranges *ranges, uint64_t va);

#endif
