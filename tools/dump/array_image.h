/* SPDX-License-Identifier: MIT */
/* What arrays hold, in the layout of the file: rows and slices as far apart as they were. */
#ifndef MT_DUMP_ARRAY_IMAGE_H
#define MT_DUMP_ARRAY_IMAGE_H

#include "tools/dump/rebuild.h"

/* The array whose memory a range is; MTG_NONE if it is none, or the file's numbers make no sense. */
uint32_t array_of_range(const struct rebuild *rebuild, uint32_t range);

/* Copies all of it between the array and host memory of the range's size. */
musaError_t array_copy(const struct rebuild *rebuild, uint32_t array, void *bytes, bool to_array);

#endif
