/* SPDX-License-Identifier: MIT */
/* Saving graphs and executable graphs to files of include/mtgraph_format.h. */
#ifndef MT_GRAPH_SAVE_H
#define MT_GRAPH_SAVE_H

#include "graph/exec.h"

enum mt_save_flags {
	MT_SAVE_CODE = 1u << 0, /* the number of mtGraphSaveCode */
};

/**
 * mt_graph_save() - Write a graph to a file.
 * @path:	Replaced if it exists, and only once the new file is complete.
 * @flags:	enum mt_save_flags; others are refused.
 * @memory_b:	Most bytes of memory contents to save; 0: none.
 *
 * Waits for the work of the graph's device, for a second at most, where contents are saved.
 * Linear in nodes, edges and bytes. Errors: INVALID_VALUE, OUT_OF_MEMORY, OPERATING_SYSTEM if the file
 * cannot be written.
 */
MUresult mt_graph_save(MUgraph graph, const char *path, uint32_t flags, uint64_t memory_b);

/* The same for an executable graph: with its current parameters, packets and patch sites. */
MUresult mt_exec_save(MUgraphExec exec, const char *path, uint32_t flags, uint64_t memory_b);

/* MUSA_GRAPH_SAVE: saves a graph that has just been instantiated. A failure is logged, no more. */
void mt_exec_save_new(struct mt_exec *exec);

#endif
