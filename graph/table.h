/* SPDX-License-Identifier: MIT */
/*
 * The graph layer's half of the private function table (see drv/table.h): what libmusart's graph
 * entry points call.
 */
#ifndef MT_GRAPH_TABLE_H
#define MT_GRAPH_TABLE_H

#include "graph/calls.h"
#include "graph/capture.h"
#include "graph/graph.h"

#define MT_GRAPH_TABLE_VERSION 1u

#define MT_GRAPH_TABLE(X)									\
	X(mt_capture_begin)									\
	X(mt_capture_begin_to_graph)								\
	X(mt_capture_end)									\
	X(mt_capture_is_capturing)								\
	X(mt_capture_info)									\
	X(mt_capture_update_deps)								\
	X(mt_capture_exchange_mode)

struct mt_graph_table {
	uint32_t version, size_b;
#define MT_GRAPH_TABLE_MEMBER(f) __typeof__(f) *f;
	MT_GRAPH_TABLE(MT_GRAPH_TABLE_MEMBER)
#undef MT_GRAPH_TABLE_MEMBER
};

extern const struct mt_graph_table mt_graph_table_v1; /* exported by libmusa */

/* How entry points of libmusart write it. */
#define mt_graph_core (&mt_graph_table_v1)

#endif
