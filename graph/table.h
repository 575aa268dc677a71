/* SPDX-License-Identifier: MIT */
/*
 * The graph layer's half of the private function table (see drv/table.h): what libmusart's graph
 * entry points call.
 */
#ifndef MT_GRAPH_TABLE_H
#define MT_GRAPH_TABLE_H

#include "graph/calls.h"
#include "graph/capture.h"
#include "graph/chain_print.h"
#include "graph/conditional_build.h"
#include "graph/exec.h"
#include "graph/graph.h"
#include "graph/instantiate.h"
#include "graph/mem_node.h"
#include "graph/node_op.h"
#include "graph/save.h"
#include "graph/update.h"

#define MT_GRAPH_TABLE_VERSION 1u

#define MT_GRAPH_TABLE(X)									\
	X(mt_graph_get)										\
	X(mt_graph_new)										\
	X(mt_graph_delete)									\
	X(mt_graph_append)									\
	X(mt_graph_append_child)								\
	X(mt_graph_append_conditional)								\
	X(mt_graph_new_conditional_handle)							\
	X(mt_node_delete)									\
	X(mt_node_child)									\
	X(mt_node_set_child)									\
	X(mt_graph_add_dependencies)								\
	X(mt_graph_remove_dependencies)								\
	X(mt_edge_data_check_deps)								\
	X(mt_node_type)										\
	X(mt_graph_list_nodes)									\
	X(mt_graph_list_roots)									\
	X(mt_graph_list_edges)									\
	X(mt_node_list_deps)									\
	X(mt_node_list_dependents)								\
	X(mt_graph_copy)									\
	X(mt_graph_find_in_copy)								\
	X(mt_node_params)									\
	X(mt_node_kernel_args)									\
	X(mt_node_semaphores)									\
	X(mt_node_set_attr)									\
	X(mt_node_get_attr)									\
	X(mt_node_copy_attrs)									\
	X(mt_graph_ctx)										\
	X(mt_node_ctx)										\
	X(mt_node_op_kernel)									\
	X(mt_node_op_copy)									\
	X(mt_node_op_fill)									\
	X(mt_node_op_host)									\
	X(mt_node_op_event)									\
	X(mt_node_op_semaphores)								\
	X(mt_node_op_append)									\
	X(mt_node_op_set)									\
	X(mt_node_op_exec_set)									\
	X(mt_params_are_clean)									\
	X(mt_user_object_create)								\
	X(mt_user_object_retain)								\
	X(mt_user_object_release)								\
	X(mt_graph_retain_object)								\
	X(mt_graph_release_object)								\
	X(mt_graph_print_dot)									\
	X(mt_exec_get)										\
	X(mt_exec_find_node)									\
	X(mt_exec_make)										\
	X(mt_exec_make_logged)									\
	X(mt_exec_destroy)									\
	X(mt_exec_get_flags)									\
	X(mt_exec_upload)									\
	X(mt_exec_launch)									\
	X(mt_exec_update)									\
	X(mt_exec_set_child)									\
	X(mt_exec_node_info)									\
	X(mt_exec_set_enabled)									\
	X(mt_exec_get_enabled)									\
	X(mt_exec_print)									\
	X(mt_graph_save)									\
	X(mt_exec_save)										\
	X(mt_graph_append_alloc)								\
	X(mt_graph_append_free)									\
	X(mt_graph_alloc_params)								\
	X(mt_graph_free_params)								\
	X(mt_graph_memory_get)									\
	X(mt_graph_memory_set)									\
	X(mt_graph_memory_trim)									\
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
