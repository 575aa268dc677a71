/* SPDX-License-Identifier: MIT */
/*
 * Describes a graph with everything nested in it to the DOT writer: which lines a node gets under
 * which flags.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "drv/memory.h"
#include "drv/module.h"
#include "graph/calls.h"
#include "graph/dot.h"
#include "graph/mem_node.h"
#include "graph/node.h"

/* The words that other runtimes' graph files have for types and directions. */
static const char *const type_names[] = {
	[MT_OP_KERNEL] = "KERNEL",
	[MT_OP_COPY] = "MEMCPY",
	[MT_OP_FILL] = "MEMSET",
	[MT_OP_HOST] = "HOST",
	[MT_OP_CHILD] = "GRAPH",
	[MT_OP_EMPTY] = "EMPTY",
	[MT_OP_EVENT_WAIT] = "EVENT_WAIT",
	[MT_OP_EVENT_RECORD] = "EVENT_RECORD",
	[MT_OP_SEM_SIGNAL] = "EXT_SEMAS_SIGNAL",
	[MT_OP_SEM_WAIT] = "EXT_SEMAS_WAIT",
	[MT_OP_ALLOC] = "MEM_ALLOC",
	[MT_OP_FREE] = "MEM_FREE",
	[MT_OP_BATCH_MEM] = "BATCH_MEM_OP",
	[MT_OP_CONDITIONAL] = "CONDITIONAL",
};

static const char *const copy_kinds[] = { "host to host", "host to device", "device to host",
					  "device to device", "default" };

static const char *const memory_types[] = {
	[MT_MEM_PAGEABLE] = "HOST, pageable", [MT_MEM_PINNED] = "HOST, pinned",
	[MT_MEM_DEVICE] = "DEVICE",	      [MT_MEM_MANAGED] = "MANAGED",
	[MT_MEM_ARRAY] = "ARRAY",
};

static const char *const conditional_types[] = { "if", "while", "switch" };

#define NAME_OF(names, index)                                                                      \
	((index) < sizeof(names) / sizeof((names)[0]) ? (names)[(index)] : "unknown")

static void print_kernel(struct mt_dot *dot, const struct mt_op_kernel *kernel)
{
	mt_dot_node_text(dot, "function", kernel->fn->name ? kernel->fn->name : "");
	mt_dot_node_line(dot, "grid", "%u %u %u", kernel->grid[0], kernel->grid[1],
			 kernel->grid[2]);
	mt_dot_node_line(dot, "block", "%u %u %u", kernel->block[0], kernel->block[1],
			 kernel->block[2]);
	mt_dot_node_line(dot, "dynamic shared bytes", "%u", kernel->dynamic_shared_b);
	mt_dot_node_line(dot, "argument bytes", "%u", kernel->args_b);
}

static bool is_set(const struct mt_kernel_attrs *attrs, uint32_t id)
{
	return attrs && (attrs->set & 1u << id);
}

static void print_window(struct mt_dot *dot, const struct mt_kernel_attrs *attrs)
{
	MUaccessPolicyWindow window;

	memcpy(&window, attrs->access_window, sizeof(window));
	/* The ratio in thousandths: printf's fractions depend on the locale. */
	mt_dot_node_line(dot, "access policy window",
			 "base %p, %zu bytes, hit ratio %u/1000, hit property %u, miss property %u",
			 window.base_ptr, window.num_bytes,
			 (unsigned int)(window.hitRatio * 1000.0f + 0.5f),
			 (unsigned int)window.hitProp, (unsigned int)window.missProp);
}

static void print_attrs(struct mt_dot *dot, const struct mt_kernel_attrs *attrs)
{
	mt_dot_node_line(dot, "priority", "%d", attrs ? attrs->priority : 0);
	mt_dot_node_line(dot, "cooperative", "%u", attrs ? attrs->cooperative : 0);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW))
		print_window(dot, attrs);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION))
		mt_dot_node_line(dot, "cluster", "%u %u %u", attrs->cluster[0], attrs->cluster[1],
				 attrs->cluster[2]);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION))
		mt_dot_node_line(dot, "preferred cluster", "%u %u %u",
				 attrs->preferred_cluster[0], attrs->preferred_cluster[1],
				 attrs->preferred_cluster[2]);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE))
		mt_dot_node_line(dot, "cluster scheduling policy", "%u", attrs->cluster_policy);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN))
		mt_dot_node_line(dot, "memory sync domain", "%u", attrs->mem_sync_domain);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP))
		mt_dot_node_line(dot, "memory sync domain map", "%u %u", attrs->mem_sync_map[0],
				 attrs->mem_sync_map[1]);
	if (is_set(attrs, MU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT))
		mt_dot_node_line(dot, "shared memory carveout", "%d", (int)attrs->carveout);
}

static void print_copy_side(struct mt_dot *dot, const char *name, const struct mt_copy_side *side)
{
	if (side->array)
		mt_dot_node_line(dot, name, "0x%llx (ARRAY), position %llu %llu %llu",
				 (unsigned long long)side->array->handle,
				 (unsigned long long)side->pos_x, (unsigned long long)side->pos_y,
				 (unsigned long long)side->pos_z);
	else
		mt_dot_node_line(dot, name,
				 "0x%llx (%s), pitch %llu, size %llu %llu, position %llu %llu %llu",
				 (unsigned long long)side->ptr, NAME_OF(memory_types, side->type),
				 (unsigned long long)side->pitch_b,
				 (unsigned long long)side->xsize, (unsigned long long)side->ysize,
				 (unsigned long long)side->pos_x, (unsigned long long)side->pos_y,
				 (unsigned long long)side->pos_z);
}

static void print_copy(struct mt_dot *dot, const struct mt_op_copy *copy)
{
	mt_dot_node_line(dot, "kind", "%s", NAME_OF(copy_kinds, copy->kind));
	print_copy_side(dot, "source", &copy->src);
	print_copy_side(dot, "destination", &copy->dst);
	mt_dot_node_line(dot, "extent", "%llu %llu %llu", (unsigned long long)copy->width,
			 (unsigned long long)copy->height, (unsigned long long)copy->depth);
}

static void print_fill(struct mt_dot *dot, const struct mt_op_fill *fill)
{
	mt_dot_node_line(dot, "destination", "0x%llx (%s), pitch %llu",
			 (unsigned long long)fill->dst, NAME_OF(memory_types, fill->type),
			 (unsigned long long)fill->pitch_b);
	mt_dot_node_line(dot, "value", "0x%x, element bytes %u", fill->value, fill->element_b);
	mt_dot_node_line(dot, "extent", "%llu %llu", (unsigned long long)fill->width,
			 (unsigned long long)fill->height);
}

static void print_semaphores(struct mt_dot *dot, const struct mt_op_sem *sem)
{
	uint32_t i;

	mt_dot_node_line(dot, "semaphores", "%u", sem->count);
	for (i = 0; i < sem->count; i++)
		mt_dot_node_line(dot, "semaphore", "0x%llx, value %llu",
				 (unsigned long long)sem->params[i].semaphore->handle,
				 (unsigned long long)sem->params[i].value);
}

static void print_conditional(struct mt_dot *dot, const struct mt_conditional *conditional)
{
	mt_dot_node_line(dot, "handle", "0x%llx", (unsigned long long)conditional->handle);
	mt_dot_node_line(dot, "kind", "%s", NAME_OF(conditional_types, conditional->type));
	mt_dot_node_line(dot, "bodies", "%u", conditional->size);
}

/* The lines that belong to the node's type. */
static void print_params(struct mt_dot *dot, const struct mt_node *node, unsigned int flags)
{
	const struct mt_op *op = &node->op;

	if (op->type == MT_OP_KERNEL && flags & MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS)
		print_kernel(dot, &op->kernel);
	if (op->type == MT_OP_KERNEL && flags & MU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES)
		print_attrs(dot, op->kernel.attrs);
	if (op->type == MT_OP_COPY && flags & MU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS)
		print_copy(dot, op->copy);
	if (op->type == MT_OP_FILL && flags & MU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS)
		print_fill(dot, op->fill);
	if (op->type == MT_OP_HOST && flags & MU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS)
		mt_dot_node_line(dot, "function", "0x%llx, data %p",
				 (unsigned long long)(uintptr_t)op->host.fn, op->host.data);
	if ((op->type == MT_OP_EVENT_RECORD || op->type == MT_OP_EVENT_WAIT) &&
	    flags & MU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS)
		mt_dot_node_line(dot, "event", "0x%llx",
				 (unsigned long long)op->event.event->handle);
	if ((op->type == MT_OP_SEM_SIGNAL &&
	     flags & MU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS) ||
	    (op->type == MT_OP_SEM_WAIT &&
	     flags & MU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS))
		print_semaphores(dot, &op->sem);
	if ((op->type == MT_OP_ALLOC && flags & MU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS) ||
	    (op->type == MT_OP_FREE && flags & MU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS))
		mt_mem_node_print(dot, node);
	if (op->type == MT_OP_CONDITIONAL &&
	    flags & MU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS)
		print_conditional(dot, op->graph);
}

static char side_letter(const struct mt_copy_side *side)
{
	if (side->array)
		return 'A';
	return side->type == MT_MEM_PAGEABLE || side->type == MT_MEM_PINNED ? 'H' : 'D';
}

static void print_node(struct mt_dot *dot, uint32_t cluster, const struct mt_graph *graph,
		       const struct mt_node *node, unsigned int flags)
{
	const char *type = NAME_OF(type_names, node->op.type);
	char copy[32];

	if (node->op.type == MT_OP_COPY) {
		snprintf(copy, sizeof(copy), "%s %cto%c", type, side_letter(&node->op.copy->src),
			 side_letter(&node->op.copy->dst));
		type = copy;
	}
	mt_dot_node_begin(dot, cluster, node->id, type);
	print_params(dot, node, flags);
	if (flags & MU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO)
		mt_dot_node_line(dot, "edges", "%u in, %u out", node->deps.count,
				 node->dependents.count);
	if (flags & MU_GRAPH_DEBUG_DOT_FLAGS_HANDLES)
		mt_dot_node_line(dot, "node handle", "0x%llx",
				 (unsigned long long)mt_node_handle(graph, node));
	mt_dot_node_end(dot);
}

static void begin_graph(struct mt_dot *dot, uint32_t cluster, const struct mt_graph *graph,
			bool is_root)
{
	char label[80];

	if (is_root)
		snprintf(label, sizeof(label), "graph");
	else if (graph->role == MT_GRAPH_BODY)
		snprintf(label, sizeof(label), "body %u of node %u", graph->parent_slot,
			 graph->parent_node);
	else
		snprintf(label, sizeof(label), "child graph of node %u", graph->parent_node);
	mt_dot_cluster_begin(dot, cluster, label);
}

static void print_graph(struct mt_dot *dot, uint32_t cluster, const struct mt_graph *graph,
			unsigned int flags)
{
	struct mt_node *node;
	uint32_t i;

	mt_graph_for_each_node(graph, node)
		print_node(dot, cluster, graph, node, flags);
	mt_graph_for_each_node(graph, node)
		for (i = 0; i < node->dependents.count; i++)
			mt_dot_edge(dot, cluster, node->id, mt_id_list_data(&node->dependents)[i]);
}

/* Clusters nest as the graphs do; their numbers count in the order of the walk. */
static void print_all(struct mt_dot *dot, const struct mt_graph *root, unsigned int flags)
{
	const struct mt_graph *at = root, *next;
	uint32_t cluster = 0;

	begin_graph(dot, cluster, root, true);
	print_graph(dot, cluster, root, flags);
	for (next = mt_graph_walk(root, at); next; next = mt_graph_walk(root, at)) {
		for (; at != next->parent; at = at->parent)
			mt_dot_cluster_end(dot);
		begin_graph(dot, ++cluster, next, false);
		print_graph(dot, cluster, next, flags);
		at = next;
	}
	for (; at != root; at = at->parent)
		mt_dot_cluster_end(dot);
	mt_dot_cluster_end(dot);
}

MUresult mt_graph_print_dot(MUgraph handle, const char *path, unsigned int flags)
{
	struct mt_graph *graph;
	struct mt_dot *dot;
	int error;

	if (!path || mt_graph_get(handle, &graph))
		return MUSA_ERROR_INVALID_VALUE;
	if (flags & MU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)
		flags = UINT32_MAX;
	error = mt_dot_open(path, "graph", &dot);
	if (!error) {
		print_all(dot, graph, flags);
		error = mt_dot_close(dot);
	}
	if (error)
		return error == -ENOMEM ? MUSA_ERROR_OUT_OF_MEMORY : MUSA_ERROR_OPERATING_SYSTEM;
	return MUSA_SUCCESS;
}
