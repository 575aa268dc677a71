/* SPDX-License-Identifier: MIT */
/*
 * Memory nodes of the template: parameters and rules. Addresses and backing are graph memory's.
 */
#ifndef MT_GRAPH_MEM_NODE_H
#define MT_GRAPH_MEM_NODE_H

#include "graph/graph.h"

struct mt_dot;

void mt_mem_node_release(struct mt_graph *graph, struct mt_node *node);
void mt_mem_node_print(struct mt_dot *dot, const struct mt_node *node);

#endif
