/* SPDX-License-Identifier: MIT */
/* The graph layer's function table, as libmusa exports it to libmusart. */
#include "graph/table.h"

#define MT_GRAPH_TABLE_ENTRY(f) .f = f,
__attribute__((visibility("default"))) const struct mt_graph_table mt_graph_table_v1 = {
	.version = MT_GRAPH_TABLE_VERSION,
	.size_b = sizeof(struct mt_graph_table),
	MT_GRAPH_TABLE(MT_GRAPH_TABLE_ENTRY)
};
