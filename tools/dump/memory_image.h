/* SPDX-License-Identifier: MIT */
/* The memory image of a file: put into the memory of a rebuilt graph, read back, compared. */
#ifndef MT_DUMP_MEMORY_IMAGE_H
#define MT_DUMP_MEMORY_IMAGE_H

#include "tools/dump/rebuild.h"

enum image_fill {
	IMAGE_FILL_NONE = 0, /* what the file lacks is an error */
	IMAGE_FILL_ZERO,
	IMAGE_FILL_PATTERN,  /* bytes that differ from place to place */
};

/* Names on stderr the memory whose contents the file lacks; DUMP_UNREADABLE if there is any. */
int image_check(struct dump_file *file);

/* Writes the image: saved contents, and `fill` where there are none. */
int image_restore(struct rebuild *rebuild, enum image_fill fill);

/* A copy of all memory as it is now. */
struct image {
	uint8_t **bytes; /* owned: by range, NULL for ranges that are not compared */
	uint32_t count;
};
int image_take(struct rebuild *rebuild, struct image *image);
void image_finish(struct image *image); /* accepts a zeroed one */

/* A range that differs between two copies. */
struct image_difference {
	uint32_t range;
	uint64_t bytes;        /* that differ */
	uint64_t offset_b;     /* of the first of them */
	uint8_t before, after; /* what it is */
};
/* *index: 0 to begin. */
bool image_next_difference(const struct rebuild *rebuild, const struct image *before,
			   const struct image *after, uint32_t *index,
			   struct image_difference *difference_out);

#endif
