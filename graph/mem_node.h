/* SPDX-License-Identifier: MIT */
/*
 * Memory nodes of the template: parameters and rules. Addresses and backing are graph memory's.
 */
#ifndef MT_GRAPH_MEM_NODE_H
#define MT_GRAPH_MEM_NODE_H

#include "graph/graph_memory.h"

struct mt_capture_stream;
struct mt_dot;

/**
 * mt_graph_append_alloc() - Append an alloc node.
 * @params:	Where, how much, who may use it; gets the allocation's address, which is for good.
 *
 * Errors: INVALID_VALUE; OUT_OF_MEMORY; NOT_SUPPORTED in an embedded child graph, for memory that is to
 * be shared, and for access that is less than all; INVALID_DEVICE for access by a device that is not
 * there.
 */
MUresult mt_graph_append_alloc(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
			       size_t dep_count, MUSA_MEM_ALLOC_NODE_PARAMS *params);

/* Appends a free node for an allocation of this or another graph. Errors as above. */
MUresult mt_graph_append_free(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
			      size_t dep_count, uint64_t va);

/* Parameters of an alloc node; the array is valid until the node is destroyed. */
MUresult mt_graph_alloc_params(MUgraphNode node, MUSA_MEM_ALLOC_NODE_PARAMS *params_out);
/* The address that a free node frees, to 8 bytes at `va_out`. */
MUresult mt_graph_free_params(MUgraphNode node, void *va_out);

/* Stream-ordered allocation on a capturing stream, see struct mt_capture_ops. */
MUresult mt_mem_node_capture_alloc(struct mt_stream *stream, uint64_t size_b, void *pool,
				   uint64_t *va_out, const char *api);
MUresult mt_mem_node_capture_free(struct mt_stream *stream, uint64_t va, const char *api);

void mt_mem_node_release(struct mt_graph *graph, struct mt_node *node);
void mt_mem_node_print(struct mt_dot *dot, const struct mt_node *node);

#endif
