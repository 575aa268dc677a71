/* SPDX-License-Identifier: MIT */
/*
 * Arrays that GetParams hands out. They belong to the node and are written anew by each query.
 */
#ifndef MT_GRAPH_PARAMS_H
#define MT_GRAPH_PARAMS_H

#include "graph/graph.h"

struct mt_node_view {
	uint64_t room; /* of words */
	uint64_t words[];
};

/* At least `words` 64-bit words of the node's own, contents undefined; NULL if out of memory. */
uint64_t *mt_node_view_words(struct mt_graph *graph, struct mt_node *node, uint64_t words);

#endif
