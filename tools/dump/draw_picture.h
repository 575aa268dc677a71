/* SPDX-License-Identifier: MIT */
/* The picture of a saved graph: which nodes are shown, how they are folded and grouped, for Graphviz. */
#ifndef MT_DUMP_DRAW_PICTURE_H
#define MT_DUMP_DRAW_PICTURE_H

#include "tools/dump/draw_model.h"

struct draw_options {
	uint32_t limit; /* nodes shown of one graph before it is folded; UINT32_MAX: never */
};

/*
 * Draws the model to a file in a format that Graphviz names ("svg", "png", "pdf", "dot"). Nodes of the
 * picture have the attributes `weight_ns` or `weight_nodes`, and `critical=true` on the critical path, which
 * Graphviz keeps in the dot format. An exit code.
 */
int draw_picture(struct dump_file *file, const struct draw_model *model,
		 const struct draw_options *options, const char *path, const char *format);

#endif
