/* SPDX-License-Identifier: MIT */
/*
 * Adding and removing dependencies by user handles, and the rule for edge data.
 */
#include <string.h>

#include "graph/calls.h"

static bool is_default(const MUgraphEdgeData *data)
{
	static const MUgraphEdgeData zero;

	return !memcmp(data, &zero, sizeof(zero));
}

/* Programmatic edges between kernels, with the port that says when they fire. */
static bool is_well_formed(const MUgraphEdgeData *data, bool kernels)
{
	static const unsigned char zero[sizeof(data->reserved)];

	return kernels && data->type == MU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC && !data->to_port &&
	       (data->from_port == MU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC ||
		data->from_port == MU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER) &&
	       !memcmp(data->reserved, zero, sizeof(zero));
}

MUresult mt_edge_data_check(const MUgraphEdgeData *data, size_t count, bool kernels)
{
	MUresult ret = MUSA_SUCCESS;
	size_t i;

	for (i = 0; data && i < count; i++) {
		if (is_default(&data[i]))
			continue;
		if (!is_well_formed(&data[i], kernels))
			return MUSA_ERROR_INVALID_VALUE;
		ret = MUSA_ERROR_NOT_SUPPORTED;
	}
	return ret;
}

MUresult mt_edge_data_check_deps(const MUgraphNode *deps, const MUgraphEdgeData *data, size_t count,
				 uint32_t type)
{
	MUresult ret = MUSA_SUCCESS, one;
	struct mt_graph *graph;
	struct mt_node *node;
	size_t i;

	for (i = 0; data && i < count; i++) {
		if (!deps || mt_node_get(deps[i], &graph, &node))
			return MUSA_ERROR_INVALID_VALUE;
		one = mt_edge_data_check(&data[i], 1,
					 type == MT_OP_KERNEL && node->op.type == MT_OP_KERNEL);
		if (one == MUSA_ERROR_INVALID_VALUE)
			return one;
		if (one)
			ret = one;
	}
	return ret;
}

/* Both ends of one pair: live nodes of this graph, not the same. */
static MUresult get_pair(const struct mt_graph *graph, MUgraphNode from, MUgraphNode to,
			 struct mt_node **from_out, struct mt_node **to_out)
{
	struct mt_graph *from_graph, *to_graph;

	if (mt_node_get(from, &from_graph, from_out) || mt_node_get(to, &to_graph, to_out))
		return MUSA_ERROR_INVALID_VALUE;
	if (from_graph != graph || to_graph != graph || *from_out == *to_out)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

static MUresult check_pairs(const struct mt_graph *graph, const MUgraphNode *from,
			    const MUgraphNode *to, const MUgraphEdgeData *data, size_t count)
{
	MUresult ret = MUSA_SUCCESS, one;
	struct mt_node *source, *target;
	size_t i;

	if (!from || !to)
		return MUSA_ERROR_INVALID_VALUE;
	for (i = 0; i < count; i++) {
		if (get_pair(graph, from[i], to[i], &source, &target))
			return MUSA_ERROR_INVALID_VALUE;
		if (!data)
			continue;
		one = mt_edge_data_check(&data[i], 1, source->op.type == MT_OP_KERNEL &&
						      target->op.type == MT_OP_KERNEL);
		if (one == MUSA_ERROR_INVALID_VALUE)
			return one;
		if (one)
			ret = one;
	}
	return ret;
}

static MUresult for_each_pair(struct mt_graph *graph, const MUgraphNode *from,
			      const MUgraphNode *to, const MUgraphEdgeData *data, size_t count,
			      MUresult (*act)(struct mt_graph *graph, uint32_t from, uint32_t to))
{
	MUresult ret;
	size_t i;

	if (!count)
		return MUSA_SUCCESS;
	ret = check_pairs(graph, from, to, data, count);
	for (i = 0; i < count && !ret; i++)
		ret = act(graph, mt_handle_sub_index((uintptr_t)from[i]),
			  mt_handle_sub_index((uintptr_t)to[i]));
	return ret;
}

MUresult mt_graph_add_dependencies(MUgraph handle, const MUgraphNode *from, const MUgraphNode *to,
				   const MUgraphEdgeData *data, size_t count)
{
	struct mt_graph *graph;
	MUresult ret = mt_graph_get(handle, &graph);

	return ret ? ret : for_each_pair(graph, from, to, data, count, mt_graph_add_edge);
}

MUresult mt_graph_remove_dependencies(MUgraph handle, const MUgraphNode *from,
				      const MUgraphNode *to, const MUgraphEdgeData *data,
				      size_t count)
{
	struct mt_graph *graph;
	MUresult ret = mt_graph_get(handle, &graph);

	if (ret)
		return ret;
	if (graph->mem_node_count)
		return MUSA_ERROR_NOT_SUPPORTED;
	return for_each_pair(graph, from, to, data, count, mt_graph_remove_edge);
}
