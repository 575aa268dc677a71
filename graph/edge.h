/* SPDX-License-Identifier: MIT */
/*
 * Edges inside a graph: the id lists of the nodes and the hash set that answers "is there this edge"
 * where lists are long.
 */
#ifndef MT_GRAPH_EDGE_H
#define MT_GRAPH_EDGE_H

#include "graph/graph.h"

/* Room for `extra` more ids, so that mt_id_list_push() cannot fail. OUT_OF_MEMORY. */
MUresult mt_id_list_reserve(struct mt_arena *arena, struct mt_id_list *list, size_t extra);
bool mt_id_list_remove(struct mt_id_list *list, uint32_t id); /* keeps the order */

static inline void mt_id_list_push(struct mt_id_list *list, uint32_t id)
{
	mt_id_list_data(list)[list->count++] = id;
}

/* Enters an edge whose lists have room. Cannot fail. */
void mt_edge_link(struct mt_graph *graph, struct mt_node *from, struct mt_node *to);

/* Takes all edges of a node away; cost is the sum of its neighbours' degrees. */
void mt_edge_unlink_node(struct mt_graph *graph, struct mt_node *node);


#endif
