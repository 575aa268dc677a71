/* SPDX-License-Identifier: MIT */
/* A saved graph in memory as `draw` needs it: nodes that can be compared, edges, weights, the critical path. */
#ifndef MT_DUMP_DRAW_MODEL_H
#define MT_DUMP_DRAW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/dump/file.h"
#include "tools/dump/longest_path.h"

struct draw_node {
	uint32_t id;
	uint8_t type; /* musaGraphNodeType */
	bool disabled;
	bool timed;     /* the file has its time */
	uint32_t queue; /* MTG_NONE: not known, or none */
};

struct draw_graph {
	uint32_t parent;      /* graph that it is nested in, MTG_NONE for the root */
	uint32_t parent_node; /* position of the node there, MTG_NONE if the file lacks it */
	uint32_t first, node_count;      /* its nodes in draw_model.nodes, by ascending id */
	uint32_t first_edge, edge_count; /* in draw_model.edges; positions within the graph */
	uint64_t length;   /* of its longest path */
	uint64_t signature;
	bool cyclic;
	bool critical;     /* its longest path is part of the critical path of the whole */
};

struct draw_model {
	struct draw_graph *graphs; /* as in the file: parents first */
	uint32_t graph_count;
	struct draw_node *nodes; /* graph by graph */
	uint64_t *signatures;    /* per node: equal for those that look the same */
	uint64_t *weights;       /* per node: ns, or 1 without times */
	bool *critical;          /* per node: on its graph's longest path */
	uint32_t node_count;
	struct edge *edges;
	uint32_t edge_count;
	bool has_times;
};

/* An exit code; what failed has been said. */
int draw_model_load(struct dump_file *file, struct draw_model *model);
void draw_model_free(struct draw_model *model);

/* The position of an id among a graph's nodes; MTG_NONE if there is none. O(log n). */
uint32_t draw_model_find(const struct draw_model *model, uint32_t graph, uint32_t id);

#endif
