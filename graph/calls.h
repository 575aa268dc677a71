/* SPDX-License-Identifier: MIT */
/*
 * The template half of the graph calls as both APIs see them: handles in, documented results out.
 * Entry points of libmusa call these directly, those of libmusart through graph/table.h.
 *
 * Every function returns INVALID_VALUE for NULL, stale and foreign handles and for NULL
 * out-parameters, and leaves graph and out-parameters as they were when it fails.
 */
#ifndef MT_GRAPH_CALLS_H
#define MT_GRAPH_CALLS_H

#include "graph/graph.h"

/* --- Building ---------------------------------------------------------------------------------- */

MUresult mt_graph_new(uint32_t device, MUgraph *graph_out);
MUresult mt_graph_delete(MUgraph graph); /* ILLEGAL_STATE while a capture fills it or a nested one */

/* Appends a node with a built op; for the types that drv/ knows and EMPTY. */
MUresult mt_graph_append(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
			 size_t dep_count, const struct mt_op *op);

/* Embeds a copy of `child`. NOT_SUPPORTED for what cannot be embedded. */
MUresult mt_graph_append_child(MUgraphNode *node_out, MUgraph graph, const MUgraphNode *deps,
			       size_t dep_count, MUgraph child);

MUresult mt_node_delete(MUgraphNode node);

/* The handle of the graph that a child node owns. */
MUresult mt_node_child(MUgraphNode node, MUgraph *graph_out);

/* Embeds a copy of `child` in a child node in place of what it holds, whose handle dies. The errors of
 * mt_graph_append_child(); ILLEGAL_STATE while a capture fills what it holds. */
MUresult mt_node_set_child(MUgraphNode node, MUgraph child);

/* --- Edges: pairs are checked first, then handled in order. `data` may be NULL ----------------- */

MUresult mt_graph_add_dependencies(MUgraph graph, const MUgraphNode *from, const MUgraphNode *to,
				   const MUgraphEdgeData *data, size_t count);
MUresult mt_graph_remove_dependencies(MUgraph graph, const MUgraphNode *from,
				      const MUgraphNode *to, const MUgraphEdgeData *data,
				      size_t count);

/**
 * mt_edge_data_check() - The rule for edge data.
 * @data:	`count` entries, or NULL for all default.
 * @kernels:	Whether both ends are kernel nodes; only then data other than the default is well
 *		formed.
 *
 * Errors: INVALID_VALUE malformed, NOT_SUPPORTED well formed and not the default.
 */
MUresult mt_edge_data_check(const MUgraphEdgeData *data, size_t count, bool kernels);

/* Edge data of a new node's dependencies: `type` is the new node's. */
MUresult mt_edge_data_check_deps(const MUgraphNode *deps, const MUgraphEdgeData *data, size_t count,
				 uint32_t type);

/* --- Queries: an array NULL asks for the total; a longer one is padded with NULL ---------------- */

MUresult mt_node_type(MUgraphNode node, uint32_t *type_out);
MUresult mt_graph_list_nodes(MUgraph graph, MUgraphNode *nodes, size_t *count);
MUresult mt_graph_list_roots(MUgraph graph, MUgraphNode *nodes, size_t *count);
MUresult mt_graph_list_edges(MUgraph graph, MUgraphNode *from, MUgraphNode *to,
			     MUgraphEdgeData *data, size_t *count);
MUresult mt_node_list_deps(MUgraphNode node, MUgraphNode *nodes, MUgraphEdgeData *data,
			   size_t *count);
MUresult mt_node_list_dependents(MUgraphNode node, MUgraphNode *nodes, MUgraphEdgeData *data,
				 size_t *count);

/* --- Clones ------------------------------------------------------------------------------------ */

MUresult mt_graph_copy(MUgraph original, MUgraph *clone_out);
MUresult mt_graph_find_in_copy(MUgraphNode original, MUgraph clone, MUgraphNode *node_out);

/* --- Parameters --------------------------------------------------------------------------------- */

/* The op of a node of this type, for reading; valid until the node changes. */
MUresult mt_node_params(MUgraphNode node, uint32_t type, const struct mt_op **op_out);

/* Replaces the op of a node of the same type. */
MUresult mt_node_set_params(MUgraphNode node, const struct mt_op *op);

/* The argument arrays of a kernel node, as its form says; valid until the node changes. */
MUresult mt_node_kernel_args(MUgraphNode node, void ***params_out, void ***extra_out);

/* The arrays of an external semaphore node: handles, and params in the caller's layout. */
MUresult mt_node_semaphores(MUgraphNode node, uint32_t type, MUexternalSemaphore **semaphores_out,
			    const void **params_out, unsigned int *count_out);

/* Kernel node attributes by launch attribute id. A value is the member of an API's value union that
 * belongs to the id; no more than its bytes are read or written. NOT_SUPPORTED for what this
 * implementation lacks (kernels that device code updates). */
MUresult mt_node_set_attr(MUgraphNode node, uint32_t id, const void *value);
MUresult mt_node_get_attr(MUgraphNode node, uint32_t id, void *value_out);
MUresult mt_node_copy_attrs(MUgraphNode target, MUgraphNode source);

/* --- User objects -------------------------------------------------------------------------------- */

MUresult mt_user_object_create(void *pointer, MUhostFn destroy, unsigned int refs,
			       unsigned int flags, MUuserObject *object_out);
MUresult mt_user_object_retain(MUuserObject object, unsigned int count);
MUresult mt_user_object_release(MUuserObject object, unsigned int count);
MUresult mt_graph_retain_object(MUgraph graph, MUuserObject object, unsigned int count,
				unsigned int flags);
MUresult mt_graph_release_object(MUgraph graph, MUuserObject object, unsigned int count);

/* --- DOT ----------------------------------------------------------------------------------------- */

/* OPERATING_SYSTEM if the file cannot be opened or not be written to its end. */
MUresult mt_graph_print_dot(MUgraph graph, const char *path, unsigned int flags);

#endif
