/* SPDX-License-Identifier: MIT */
/*
 * Attributes of kernel nodes: which ids nodes have, where a value lies, what is a good one.
 */
#include <stddef.h>
#include <string.h>

#include "drv/attribute.h"
#include "graph/calls.h"

#define CARVEOUT_DEFAULT UINT32_MAX

/* A value's place in struct mt_kernel_attrs; size 0: the id is not for nodes. */
struct attr_place {
	uint16_t offset_b, size_b;
};

#define PLACE(member)                                                                              \
	{                                                                                          \
		offsetof(struct mt_kernel_attrs, member),                                          \
			sizeof(((struct mt_kernel_attrs *)0)->member)                              \
	}
static const struct attr_place places[] = {
	[MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW] = PLACE(access_window),
	[MU_LAUNCH_ATTRIBUTE_COOPERATIVE] = PLACE(cooperative),
	[MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION] = PLACE(cluster),
	[MU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE] = PLACE(cluster_policy),
	[MU_LAUNCH_ATTRIBUTE_PRIORITY] = PLACE(priority),
	[MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP] = PLACE(mem_sync_map),
	[MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN] = PLACE(mem_sync_domain),
	[MU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION] = PLACE(preferred_cluster),
	[MU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE] = PLACE(device_updatable),
	[MU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = PLACE(carveout),
};
#undef PLACE

static const struct mt_kernel_attrs defaults = {
	.mem_sync_map = { 0, 1 },
	.carveout = CARVEOUT_DEFAULT,
};

_Static_assert(sizeof(MUaccessPolicyWindow) == sizeof(((struct mt_kernel_attrs *)0)->access_window),
	       "the window is kept bytewise");

static const struct attr_place *find_place(uint32_t id)
{
	if (id >= sizeof(places) / sizeof(places[0]) || !places[id].size_b)
		return NULL;
	return &places[id];
}

static MUresult get_kernel(MUgraphNode handle, struct mt_graph **graph_out,
			   struct mt_node **node_out)
{
	if (mt_node_get(handle, graph_out, node_out) || (*node_out)->op.type != MT_OP_KERNEL)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

/* The node's own attributes, made on first use. */
static struct mt_kernel_attrs *own_attrs(struct mt_graph *graph, struct mt_node *node)
{
	struct mt_kernel_attrs *attrs = node->op.kernel.attrs;

	if (attrs)
		return attrs;
	attrs = mt_arena_alloc(&graph->arena, sizeof(*attrs), _Alignof(struct mt_kernel_attrs));
	if (!attrs)
		return NULL;
	*attrs = defaults;
	node->op.kernel.attrs = attrs;
	return attrs;
}

static bool is_good_window(uint32_t device, const void *value)
{
	MUaccessPolicyWindow window;

	memcpy(&window, value, sizeof(window));
	return window.hitRatio >= 0.0f && window.hitRatio <= 1.0f &&
	       (unsigned int)window.hitProp <= MU_ACCESS_PROPERTY_PERSISTING &&
	       (unsigned int)window.missProp <= MU_ACCESS_PROPERTY_STREAMING &&
	       mt_access_window_fits(device, window.num_bytes);
}

/* All 0: no clusters. */
static MUresult check_cluster(const struct mt_op_kernel *kernel, const void *value)
{
	uint32_t cluster[3], blocks = 1, i;

	memcpy(cluster, value, sizeof(cluster));
	if (!cluster[0] && !cluster[1] && !cluster[2])
		return MUSA_SUCCESS;
	for (i = 0; i < 3; i++) {
		if (!cluster[i] || cluster[i] > MT_CLUSTER_BLOCKS_MAX ||
		    kernel->grid[i] % cluster[i])
			return MUSA_ERROR_INVALID_CLUSTER_SIZE;
		blocks *= cluster[i];
	}
	return blocks > MT_CLUSTER_BLOCKS_MAX ? MUSA_ERROR_INVALID_CLUSTER_SIZE : MUSA_SUCCESS;
}

static MUresult check_value(const struct mt_op *op, uint32_t id, const void *value)
{
	uint32_t word = 0;

	switch (id) {
	case MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		return check_cluster(&op->kernel, value);
	case MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
		return is_good_window(op->device, value) ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
	case MU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		memcpy(&word, value, sizeof(word));
		return word <= MU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING ?
			       MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE;
	case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
		memcpy(&word, value, sizeof(word));
		return word <= MU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE ? MUSA_SUCCESS :
								  MUSA_ERROR_INVALID_VALUE;
	case MU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
		memcpy(&word, value, sizeof(word));
		return word ? MUSA_ERROR_NOT_SUPPORTED : MUSA_SUCCESS;
	default:
		return MUSA_SUCCESS;
	}
}

static int32_t clamp_priority(uint32_t device, int32_t priority)
{
	const struct mt_hw_device *hw = mt_device_get(device);

	if (!hw)
		return priority;
	if (priority > hw->info.priority_least)
		return hw->info.priority_least;
	if (priority < hw->info.priority_greatest)
		return hw->info.priority_greatest;
	return priority;
}

MUresult mt_node_set_attr(MUgraphNode handle, uint32_t id, const void *value)
{
	const struct attr_place *place = find_place(id);
	struct mt_kernel_attrs *attrs;
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret;

	if (get_kernel(handle, &graph, &node) || !place || !value)
		return MUSA_ERROR_INVALID_VALUE;
	ret = check_value(&node->op, id, value);
	if (ret)
		return ret;
	attrs = own_attrs(graph, node);
	if (!attrs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memcpy((char *)attrs + place->offset_b, value, place->size_b);
	if (id == MU_LAUNCH_ATTRIBUTE_PRIORITY) {
		attrs->priority_requested = attrs->priority;
		attrs->priority = clamp_priority(node->op.device, attrs->priority);
	}
	attrs->set |= 1u << id;
	return MUSA_SUCCESS;
}

MUresult mt_node_get_attr(MUgraphNode handle, uint32_t id, void *value_out)
{
	const struct attr_place *place = find_place(id);
	const struct mt_kernel_attrs *attrs;
	struct mt_graph *graph;
	struct mt_node *node;

	if (get_kernel(handle, &graph, &node) || !place || !value_out)
		return MUSA_ERROR_INVALID_VALUE;
	attrs = node->op.kernel.attrs;
	if (!attrs || !(attrs->set & 1u << id))
		attrs = &defaults;
	memcpy(value_out, (const char *)attrs + place->offset_b, place->size_b);
	return MUSA_SUCCESS;
}

MUresult mt_node_copy_attrs(MUgraphNode target_handle, MUgraphNode source_handle)
{
	struct mt_graph *target_graph, *source_graph;
	struct mt_node *target, *source;
	struct mt_kernel_attrs *attrs;

	if (get_kernel(target_handle, &target_graph, &target) ||
	    get_kernel(source_handle, &source_graph, &source))
		return MUSA_ERROR_INVALID_VALUE;
	if (target->op.device != source->op.device)
		return MUSA_ERROR_INVALID_CONTEXT;
	if (!source->op.kernel.attrs && !target->op.kernel.attrs)
		return MUSA_SUCCESS;
	attrs = own_attrs(target_graph, target);
	if (!attrs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	*attrs = source->op.kernel.attrs ? *source->op.kernel.attrs : defaults;
	return MUSA_SUCCESS;
}
