/* SPDX-License-Identifier: MIT */
/* The longest path through a graph: its critical path when nodes weigh what they took. */
#ifndef MT_DUMP_LONGEST_PATH_H
#define MT_DUMP_LONGEST_PATH_H

#include <stdbool.h>
#include <stdint.h>

/* An edge between two nodes of one graph, by their positions. */
struct edge {
	uint32_t from, to;
};

/*
 * Marks one path whose summed weights no other path exceeds; of equal ones that whose last node, then
 * whose earlier nodes, come first. `marked` has room for one flag a node. The sum is stored in *length_out.
 * 0, -ENOMEM, or -ELOOP where the edges form a cycle (nothing is marked then).
 */
int longest_path(uint32_t node_count, const struct edge *edges, uint32_t edge_count,
		 const uint64_t *weights, bool *marked, uint64_t *length_out);

/*
 * The layer of each node: 0 for nodes without predecessors, else one more than the deepest
 * predecessor's. 0, -ENOMEM or -ELOOP.
 */
int graph_layers(uint32_t node_count, const struct edge *edges, uint32_t edge_count,
		 uint32_t *layers);

#endif
