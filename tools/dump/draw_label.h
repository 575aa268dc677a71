/* SPDX-License-Identifier: MIT */
/* What nodes look like in a picture: words, colours, shapes. */
#ifndef MT_DUMP_DRAW_LABEL_H
#define MT_DUMP_DRAW_LABEL_H

#include <stdint.h>
#include <stdio.h>

#include "tools/dump/file.h"

/* Writes bytes as a part of a Graphviz label: backslashes doubled, control characters and what is no
 * UTF-8 as \xNN; long ones are cut, with "..." in place of the rest. */
void draw_text(FILE *out, const char *bytes, size_t count);

/* The lines that say what a node does: "saxpy\n256 x 256 threads". */
void draw_node_lines(FILE *out, struct dump_file *file, const struct file_node *node);

/* A time or, without times, a number of nodes: "12.3 us", "17 nodes". */
void draw_weight(FILE *out, uint64_t weight, bool is_time);

const char *draw_fill_colour(uint32_t type);
const char *draw_shape(uint32_t type);
const char *draw_queue_colour(uint32_t queue); /* of a node's border */

#endif
