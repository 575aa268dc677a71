/* SPDX-License-Identifier: MIT */
/* All nodes of a file in memory, for commands that go through them in another order than the file's. */
#ifndef MT_DUMP_MODEL_H
#define MT_DUMP_MODEL_H

#include "tools/dump/file.h"

struct model {
	struct dump_file *file; /* borrowed */
	struct file_node *nodes; /* sorted by graph, then id; what they point to is the model's */
	uint32_t node_count, node_room;
	const struct mtg_graph *graphs; /* borrowed from the file */
	uint32_t graph_count;
	uint32_t *first;        /* by graph: its first node; graph_count + 1 entries */
	void **blocks;          /* copies of sections */
	uint32_t block_count, block_room;
};

/* Reads all nodes; every dependency is a node that is there, and every nested graph stands in a node
 * that can hold it. */
int model_load(struct model *model, struct dump_file *file);
void model_finish(struct model *model); /* accepts a zeroed one */

/* Index of a node, MTG_NONE if there is none. O(log n). */
uint32_t model_find(const struct model *model, uint32_t graph, uint32_t id);

#endif
