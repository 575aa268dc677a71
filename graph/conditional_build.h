/* SPDX-License-Identifier: MIT */
/*
 * Conditional nodes of the template: handles, which are device words, and bodies.
 */
#ifndef MT_GRAPH_CONDITIONAL_BUILD_H
#define MT_GRAPH_CONDITIONAL_BUILD_H

#include "graph/graph.h"

/* A handle on a graph. `flags`: 0 or 1, the default is assigned at launch. */
MUresult mt_graph_new_conditional_handle(MUgraph graph, uint32_t default_value, uint32_t flags,
					 uint64_t *handle_out);

/* Appends a conditional node; *bodies_out is an array of `size` graphs that lives as long as the node. */
MUresult mt_graph_append_conditional(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
				     size_t dep_count, uint64_t handle, uint32_t type,
				     uint32_t size, MUgraph **bodies_out);

/* The handle as seen from a graph: made on it or on one that it is nested in; NULL for others. Also for
 * what is no handle at all. */
struct mt_cond_handle *mt_cond_handle_find(const struct mt_graph *graph, uint64_t handle);

void mt_conditional_release(struct mt_node *node);      /* its handle becomes unused */
void mt_cond_handles_drop(struct mt_graph *graph);      /* all handles made on it */

#endif
