/* SPDX-License-Identifier: MIT */
/* Builds ops for nodes from what both APIs' parameters have in common. The rules are the builders' of
 * drv/op.h. */
#include "graph/node_op.h"

#include <string.h>

#include "drv/event.h"
#include "drv/ext_semaphore.h"
#include "drv/module.h"
#include "graph/calls.h"
#include "graph/exec.h"
#include "graph/update.h"
#include "hw/base/alloc.h"

_Static_assert(sizeof(MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS) == MT_EXT_SEMAPHORE_PARAMS_B &&
		       sizeof(MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS) == MT_EXT_SEMAPHORE_PARAMS_B,
	       "an element of either params array");

void mt_node_op_finish(struct mt_node_op *built)
{
	mt_free(built->heap);
	built->heap = NULL;
}

static MUresult ctx_of(uint32_t device, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_ctx_primary(device, ctx_out);

	return ret ? ret : mt_ctx_error(*ctx_out);
}

MUresult mt_graph_ctx(MUgraph handle, struct mt_ctx **ctx_out)
{
	struct mt_graph *graph;
	MUresult ret = mt_graph_get(handle, &graph);

	return ret ? ret : ctx_of(graph->device, ctx_out);
}

MUresult mt_node_ctx(MUgraphNode handle, struct mt_ctx **ctx_out)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = mt_node_get(handle, &graph, &node);

	if (ret)
		return ret;
	return ctx_of(node->op.type == MT_OP_KERNEL || node->op.type == MT_OP_COPY ?
			      node->op.device : graph->device,
		      ctx_out);
}

MUresult mt_node_op_kernel(struct mt_node_op *built, struct mt_ctx *ctx, struct mt_function *fn,
			   const struct mt_launch *launch)
{
	void *image = built->image;
	MUresult ret;

	if (fn->args_b > MT_NODE_IMAGE_B) {
		built->heap = mt_alloc_aligned(64, fn->args_b);
		image = built->heap;
		if (!image)
			return MUSA_ERROR_OUT_OF_MEMORY;
	}
	ret = mt_op_kernel_build(ctx, fn, launch->grid, launch->block, launch->dynamic_shared_b,
				 launch->params, launch->extra, image, launch->attrs, &built->op);
	if (ret)
		mt_node_op_finish(built);
	return ret;
}

MUresult mt_node_op_copy(struct mt_node_op *built, struct mt_ctx *ctx)
{
	return mt_op_copy_build(ctx, &built->copy, built->strict, &built->op);
}

MUresult mt_node_op_fill(struct mt_node_op *built, struct mt_ctx *ctx,
			 const MUSA_MEMSET_NODE_PARAMS *params)
{
	struct mt_op_fill *fill = &built->fill;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	memset(fill, 0, sizeof(*fill));
	fill->dst = params->dst;
	fill->pitch_b = params->pitch;
	fill->width = params->width;
	fill->height = params->height;
	fill->depth = 1;
	fill->value = params->value;
	fill->element_b = params->elementSize;
	return mt_op_fill_build(ctx, fill, built->strict, &built->op);
}

MUresult mt_node_op_host(struct mt_node_op *built, const MUSA_HOST_NODE_PARAMS *params)
{
	if (!params || !params->fn)
		return MUSA_ERROR_INVALID_VALUE;
	built->op = (struct mt_op){ .type = MT_OP_HOST,
				    .host = { .fn = params->fn, .data = params->userData } };
	return MUSA_SUCCESS;
}

MUresult mt_node_op_event(struct mt_node_op *built, enum mt_op_type type, MUevent handle)
{
	struct mt_event *event;
	MUresult ret;

	if (!handle)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_event_get(handle, &event);
	if (!ret)
		built->op = (struct mt_op){ .type = (uint8_t)type, .event = { .event = event } };
	return ret;
}

MUresult mt_node_op_semaphores(struct mt_node_op *built, enum mt_op_type type,
			       const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
{
	const unsigned char *raw;
	struct mt_sem_param *list;
	MUresult ret = MUSA_SUCCESS;
	unsigned int i;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	built->op = (struct mt_op){ .type = (uint8_t)type };
	if (!params->numExtSems)
		return MUSA_SUCCESS;
	if (!params->extSemArray || !params->paramsArray)
		return MUSA_ERROR_INVALID_VALUE;
	list = mt_alloc_aligned(16, params->numExtSems * sizeof(*list));
	if (!list)
		return MUSA_ERROR_OUT_OF_MEMORY;
	raw = (const void *)params->paramsArray;
	for (i = 0; i < params->numExtSems && !ret; i++, raw += MT_EXT_SEMAPHORE_PARAMS_B) {
		memcpy(list[i].raw, raw, MT_EXT_SEMAPHORE_PARAMS_B);
		memcpy(&list[i].value, raw, sizeof(list[i].value)); /* params.fence.value */
		ret = params->extSemArray[i] ?
			      mt_ext_semaphore_get((uintptr_t)params->extSemArray[i],
						   &list[i].semaphore) :
			      MUSA_ERROR_INVALID_VALUE;
	}
	if (ret) {
		mt_free(list);
		return ret;
	}
	built->heap = list;
	built->op.sem.count = params->numExtSems;
	built->op.sem.params = list;
	return MUSA_SUCCESS;
}

MUresult mt_node_op_append(MUresult built_ret, struct mt_node_op *built, MUgraphNode *node_out,
			   MUgraph graph, const MUgraphNode *deps, size_t dep_count)
{
	MUresult ret = built_ret;

	if (!ret) {
		ret = mt_graph_append(node_out, graph, deps, dep_count, &built->op);
		mt_node_op_finish(built);
	}
	return ret;
}

MUresult mt_node_op_set(MUresult built_ret, struct mt_node_op *built, MUgraphNode node)
{
	MUresult ret = built_ret;

	if (!ret) {
		ret = mt_node_set_params(node, &built->op);
		mt_node_op_finish(built);
	}
	return ret;
}

MUresult mt_node_op_exec_set(MUresult built_ret, struct mt_node_op *built, MUgraphExec exec,
			     MUgraphNode node)
{
	MUresult ret = built_ret;

	if (!ret) {
		ret = mt_exec_set_params(exec, node, &built->op);
		mt_node_op_finish(built);
	}
	return ret;
}

static bool is_zero(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;

	while (count && !*at) {
		at++;
		count--;
	}
	return !count;
}

bool mt_params_are_clean(const void *raw, const struct mt_params_extent types[MT_PARAMS_TYPES])
{
	const MUgraphNodeParams *params = raw;
	const struct mt_params_extent *type;
	const char *member = (const char *)params->reserved1;

	if ((unsigned int)params->type >= MT_PARAMS_TYPES || params->reserved2 ||
	    !is_zero(params->reserved0, sizeof(params->reserved0)))
		return false;
	type = &types[params->type];
	return type->known && is_zero(member, type->unused_b) &&
	       is_zero(member + type->end_b, sizeof(params->reserved1) - type->end_b);
}
