/* SPDX-License-Identifier: MIT */
/*
 * Memory nodes of the template: who may allocate and free what in which graph.
 */
#include "graph/mem_node.h"

#include <string.h>

#include "graph/capture.h"
#include "graph/dot.h"

/* Memory nodes stand in root graphs; in a body they are refused at instantiation. */
static MUresult check_graph(const struct mt_graph *graph)
{
	for (; graph; graph = graph->parent)
		if (graph->role == MT_GRAPH_CHILD)
			return MUSA_ERROR_NOT_SUPPORTED;
	return MUSA_SUCCESS;
}

static void set_own_free(struct mt_graph_alloc *alloc, bool set)
{
	__atomic_store_n(&alloc->own_free, set, __ATOMIC_RELAXED);
}

/* A node that `append` adds; what the op refers to is given back if it cannot. */
struct appender {
	MUresult (*append)(const struct appender *a, const struct mt_op *op, struct mt_node **node);
	struct mt_graph *graph;
	const MUgraphNode *deps;
	size_t dep_count;
	struct mt_capture_stream *part;
};

static MUresult append_checked(const struct appender *a, const struct mt_op *op,
			       struct mt_node **node)
{
	return mt_graph_add_checked(a->graph, a->deps, a->dep_count, op, node);
}

static MUresult append_captured(const struct appender *a, const struct mt_op *op,
				struct mt_node **node)
{
	return mt_capture_append(a->part, op, node);
}

static MUresult add_alloc(const struct appender *a, uint32_t device,
			  const struct mt_graph_alloc_desc *desc, struct mt_node **node,
			  uint64_t *va_out)
{
	struct mt_op op = { .type = MT_OP_ALLOC, .device = (uint8_t)device };
	struct mt_graph_alloc *alloc;
	struct mt_ctx *ctx;
	MUresult ret = check_graph(a->graph);

	if (!ret)
		ret = mt_ctx_primary(device, &ctx);
	if (!ret)
		ret = mt_graph_alloc_create(ctx, desc, &a->graph->memory_group, &alloc);
	if (ret)
		return ret;
	op.graph = alloc;
	ret = a->append(a, &op, node);
	if (ret) {
		mt_graph_alloc_unref(alloc);
		return ret;
	}
	*va_out = alloc->va;
	return MUSA_SUCCESS;
}

static bool frees_already(const struct mt_graph *graph, const struct mt_graph_alloc *alloc)
{
	struct mt_node *node;

	mt_graph_for_each_node(graph, node)
		if (node->op.type == MT_OP_FREE && node->op.graph == alloc)
			return true;
	return false;
}

static MUresult check_free(const struct mt_graph *graph, const struct mt_graph_alloc *alloc)
{
	if (!alloc || alloc->own_free)
		return MUSA_ERROR_INVALID_VALUE;
	if (!alloc->foreign_frees)
		return MUSA_SUCCESS;
	if (alloc->group == graph->memory_group || frees_already(graph, alloc))
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

static MUresult add_free(const struct appender *a, uint64_t va, struct mt_node **node)
{
	struct mt_op op = { .type = MT_OP_FREE, .device = (uint8_t)a->graph->device };
	struct mt_graph_alloc *alloc = mt_graph_alloc_find(va);
	MUresult ret = check_graph(a->graph);

	if (!ret)
		ret = check_free(a->graph, alloc);
	if (ret)
		return ret;
	op.graph = alloc;
	mt_graph_alloc_ref(alloc);
	ret = a->append(a, &op, node);
	if (ret) {
		mt_graph_alloc_unref(alloc);
		return ret;
	}
	if (alloc->group == a->graph->memory_group)
		set_own_free(alloc, true);
	else
		alloc->foreign_frees++;
	return MUSA_SUCCESS;
}

/* An entry for the memory's own device must allow all. */
static MUresult check_access(const MUmemAccessDesc *access, int own_device)
{
	if (access->location.type != MU_MEM_LOCATION_TYPE_DEVICE)
		return MUSA_ERROR_INVALID_VALUE;
	if (access->location.id < 0 || (uint32_t)access->location.id >= mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	switch ((int)access->flags) {
	case MU_MEM_ACCESS_FLAGS_PROT_READWRITE:
		return MUSA_SUCCESS;
	case MU_MEM_ACCESS_FLAGS_PROT_READ:
	case MU_MEM_ACCESS_FLAGS_PROT_NONE:
		return access->location.id == own_device ? MUSA_ERROR_NOT_SUPPORTED : MUSA_SUCCESS;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
}

static MUresult check_alloc(const MUSA_MEM_ALLOC_NODE_PARAMS *params)
{
	const MUmemPoolProps *props = &params->poolProps;
	MUresult ret = MUSA_SUCCESS;
	size_t i;

	if (!params->bytesize || props->allocType != MU_MEM_ALLOCATION_TYPE_PINNED ||
	    props->location.type != MU_MEM_LOCATION_TYPE_DEVICE || props->location.id < 0 ||
	    (uint32_t)props->location.id >= mt_device_count())
		return MUSA_ERROR_INVALID_VALUE;
	if (props->handleTypes != MU_MEM_HANDLE_TYPE_NONE)
		return MUSA_ERROR_NOT_SUPPORTED;
	if (params->accessDescCount && !params->accessDescs)
		return MUSA_ERROR_INVALID_VALUE;
	if (params->accessDescCount > UINT32_MAX)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < params->accessDescCount && !ret; i++)
		ret = check_access(&params->accessDescs[i], props->location.id);
	return ret;
}

_Static_assert(sizeof(MUmemPoolProps) == sizeof(((struct mt_graph_alloc_desc *)0)->props) &&
		       sizeof(MUmemAccessDesc) == MT_MEM_ACCESS_DESC_B,
	       "kept bytewise");

MUresult mt_graph_append_alloc(MUgraphNode *node_out, MUgraph handle, const MUgraphNode *deps,
			       size_t dep_count, MUSA_MEM_ALLOC_NODE_PARAMS *params)
{
	struct appender a = { .append = append_checked, .deps = deps, .dep_count = dep_count };
	struct mt_graph_alloc_desc desc;
	struct mt_node *node;
	uint64_t va;
	MUresult ret = params ? check_alloc(params) : MUSA_ERROR_INVALID_VALUE;

	if (!ret)
		ret = mt_graph_get(handle, &a.graph);
	if (!ret && !node_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	desc.size_b = params->bytesize;
	memcpy(desc.props, &params->poolProps, sizeof(desc.props));
	desc.access = params->accessDescs;
	desc.access_count = (uint32_t)params->accessDescCount;
	ret = add_alloc(&a, (uint32_t)params->poolProps.location.id, &desc, &node, &va);
	if (ret)
		return ret;
	params->dptr = va;
	*node_out = (MUgraphNode)(uintptr_t)mt_node_handle(a.graph, node);
	return MUSA_SUCCESS;
}

MUresult mt_graph_append_free(MUgraphNode *node_out, MUgraph handle, const MUgraphNode *deps,
			      size_t dep_count, uint64_t va)
{
	struct appender a = { .append = append_checked, .deps = deps, .dep_count = dep_count };
	struct mt_node *node;
	MUresult ret = mt_graph_get(handle, &a.graph);

	if (ret || !node_out)
		return MUSA_ERROR_INVALID_VALUE;
	ret = add_free(&a, va, &node);
	if (!ret)
		*node_out = (MUgraphNode)(uintptr_t)mt_node_handle(a.graph, node);
	return ret;
}

static MUresult get_typed(MUgraphNode handle, uint32_t type, const struct mt_graph_alloc **out)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = mt_node_get(handle, &graph, &node);

	if (ret || node->op.type != type)
		return MUSA_ERROR_INVALID_VALUE;
	*out = node->op.graph;
	return MUSA_SUCCESS;
}

MUresult mt_graph_alloc_params(MUgraphNode handle, MUSA_MEM_ALLOC_NODE_PARAMS *params_out)
{
	const struct mt_graph_alloc *alloc;
	MUresult ret = get_typed(handle, MT_OP_ALLOC, &alloc);

	if (ret || !params_out)
		return MUSA_ERROR_INVALID_VALUE;
	memcpy(&params_out->poolProps, alloc->props, sizeof(alloc->props));
	params_out->accessDescs = (const void *)alloc->access;
	params_out->accessDescCount = alloc->access_count;
	params_out->bytesize = alloc->size_b;
	params_out->dptr = alloc->va;
	return MUSA_SUCCESS;
}

MUresult mt_graph_free_params(MUgraphNode handle, void *va_out)
{
	const struct mt_graph_alloc *alloc;
	MUresult ret = get_typed(handle, MT_OP_FREE, &alloc);

	if (ret || !va_out)
		return MUSA_ERROR_INVALID_VALUE;
	memcpy(va_out, &alloc->va, sizeof(alloc->va));
	return MUSA_SUCCESS;
}

/* --- capture ------------------------------------------------------------------------------------- */

/* On success the capture is locked and active. */
static MUresult open_capture(struct mt_stream *stream, struct appender *a)
{
	MUresult ret = MUSA_SUCCESS;

	mt_capture_lock();
	a->append = append_captured;
	a->part = atomic_load_explicit(&stream->capture, memory_order_acquire);
	if (!a->part)
		ret = MUSA_ERROR_ILLEGAL_STATE;
	else if (a->part->capture->status == MT_CAPTURE_INVALIDATED)
		ret = MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (ret)
		mt_capture_unlock();
	else
		a->graph = a->part->capture->graph;
	return ret;
}

MUresult mt_mem_node_capture_alloc(struct mt_stream *stream, uint64_t size_b, void *pool,
				   uint64_t *va_out, const char *api)
{
	struct mt_graph_alloc_desc desc = { .size_b = size_b };
	struct appender a = { 0 };
	struct mt_node *node;
	MUmemPoolProps props;
	MUresult ret = open_capture(stream, &a);

	(void)pool; /* graphs have memory of their own */
	(void)api;
	if (ret)
		return ret;
	memset(&props, 0, sizeof(props));
	props.allocType = MU_MEM_ALLOCATION_TYPE_PINNED;
	props.location.type = MU_MEM_LOCATION_TYPE_DEVICE;
	props.location.id = (int)stream->ctx->device;
	memcpy(desc.props, &props, sizeof(desc.props));
	ret = add_alloc(&a, stream->ctx->device, &desc, &node, va_out);
	mt_capture_unlock();
	return ret;
}

MUresult mt_mem_node_capture_free(struct mt_stream *stream, uint64_t va, const char *api)
{
	struct appender a = { 0 };
	struct mt_node *node;
	MUresult ret = open_capture(stream, &a);

	(void)api;
	if (ret)
		return ret;
	ret = add_free(&a, va, &node);
	mt_capture_unlock();
	return ret;
}

/* --- life of a node ------------------------------------------------------------------------------ */

void mt_mem_node_release(struct mt_graph *graph, struct mt_node *node)
{
	struct mt_graph_alloc *alloc = node->op.graph;

	if (node->op.type == MT_OP_FREE && alloc->group != graph->memory_group)
		alloc->foreign_frees--;
	mt_graph_alloc_unref(alloc);
}

void mt_mem_node_print(struct mt_dot *dot, const struct mt_node *node)
{
	const struct mt_graph_alloc *alloc = node->op.graph;

	mt_dot_node_line(dot, "address", "0x%llx", (unsigned long long)alloc->va);
	if (node->op.type == MT_OP_ALLOC)
		mt_dot_node_line(dot, "bytes", "%llu", (unsigned long long)alloc->size_b);
}
