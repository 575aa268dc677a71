/* SPDX-License-Identifier: MIT */
/*
 * The list of all graphs that are not embedded in others. Thread-safe.
 */
#ifndef MT_GRAPH_BUILD_ROOTS_H
#define MT_GRAPH_BUILD_ROOTS_H

#include "graph/graph.h"

void mt_roots_add(struct mt_graph *graph);
void mt_roots_remove(struct mt_graph *graph); /* no effect on what is not in the list */

/* Destroys every graph that names something of a context: kernels and events end with it. Graphs that a
 * capture fills are the capture's business. */
void mt_roots_ctx_gone(struct mt_ctx *ctx);

#endif
