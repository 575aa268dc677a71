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

/* Prints where memory differs from a copy, a line for each range; the number of ranges that do. */
uint32_t image_compare(const struct rebuild *rebuild, const struct image *before,
		       const struct image *after);

#endif
