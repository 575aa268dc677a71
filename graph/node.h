/* SPDX-License-Identifier: MIT */
/*
 * What a node owns: its op's copies, embedded graphs, handles.
 */
#ifndef MT_GRAPH_NODE_H
#define MT_GRAPH_NODE_H

#include "graph/graph.h"

/* Deep copy of what drv/ knows of the op; types of graph/'s own move: op->graph belongs to the node. */
MUresult mt_node_init(struct mt_graph *graph, struct mt_node *node, const struct mt_op *op);

/* Gives up what lies outside the arena, except nested graphs: references, conditional handles, graph
 * allocations. The node must not be used afterwards. */
void mt_node_release(struct mt_graph *graph, struct mt_node *node);

/* The nested graph in place `slot` of a node: the embedded child (slot 0) or a body; NULL past the end
 * and for other nodes. */
struct mt_graph *mt_node_nested(const struct mt_node *node, uint32_t slot);

/* Makes `nested` a part of a node: tells it and what it holds where they are. */
void mt_graph_adopt(struct mt_graph *graph, const struct mt_node *node, uint32_t slot,
		    struct mt_graph *nested);

/* Adds `sign` (1 or -1) to the graph's counters of special nodes. */
void mt_node_count(struct mt_graph *graph, const struct mt_node *node, int sign);

#endif
