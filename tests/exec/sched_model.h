/* SPDX-License-Identifier: MIT */
/*
 * A reference interpreter of scheduled lanes: executes nothing, but knows at each node's issue
 * which other nodes must have completed by then, from the rules of the packet stream alone.
 */
#ifndef TESTS_EXEC_SCHED_MODEL_H
#define TESTS_EXEC_SCHED_MODEL_H

#include "graph/schedule.h"

struct model_graph {
	struct mt_sched_input input;
	uint32_t *dep_start, *deps;
	uint8_t *flags;
	int32_t *priority;
};

struct model_counts {
	uint32_t nodes, waits, signals, barriers;
};

/* Builders: nodes are appended; edges go to the node appended last, from earlier ones or (for tests
 * of cycles) later ones. Set input.lane_max before use. */
void model_graph_init(struct model_graph *graph, uint32_t count, uint32_t edge_room);
void model_graph_node(struct model_graph *graph, uint8_t flags);
void model_graph_edge(struct model_graph *graph, uint32_t dep);
void model_graph_finish(struct model_graph *graph);

/* Runs the lanes. NULL if each edge is kept and no lane gets stuck, else what is wrong. */
const char *model_check(const struct model_graph *graph, const struct mt_schedule *schedule,
			struct model_counts *counts_out);

#endif
