/* SPDX-License-Identifier: MIT */
/* Reading and setting parameters of graph nodes by their typed calls. */
#include <string.h>

#include "graph/api_ops.h"

static musaError_t set_params(MUresult ret, struct mt_node_op *built, musaGraphNode_t node)
{
	return mt_rt_return(mt_graph_core->mt_node_op_set(ret, built, node));
}

/* The op of a node of this type; params must not be NULL. */
static MUresult get_op(musaGraphNode_t node, enum mt_op_type type, const void *params,
		       const struct mt_op **op_out)
{
	MUresult ret = mt_rt_init();

	if (!ret && !params)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_graph_core->mt_node_params(node, type, op_out);
}

musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node,
					 struct musaKernelNodeParams *pNodeParams)
{
	struct musaKernelNodeParams params;
	const struct mt_op_kernel *kernel;
	const struct mt_op *op;
	const void *stub;
	MUresult ret = get_op(node, MT_OP_KERNEL, pNodeParams, &op);

	if (!ret)
		ret = mt_graph_core->mt_node_kernel_args(node, &params.kernelParams, &params.extra);
	if (!ret) {
		kernel = &op->kernel;
		stub = atomic_load_explicit(&kernel->fn->stub, memory_order_relaxed);
		params.func = (void *)(stub ? (uintptr_t)stub : (uintptr_t)kernel->fn->handle);
		memcpy(&params.gridDim, kernel->grid, sizeof(kernel->grid));
		memcpy(&params.blockDim, kernel->block, sizeof(kernel->block));
		params.sharedMemBytes = kernel->dynamic_shared_b;
		*pNodeParams = params;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
					 const struct musaKernelNodeParams *pNodeParams)
{
	const struct mt_op *op;
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = get_op(node, MT_OP_KERNEL, pNodeParams, &op);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_graph_core->mt_node_ctx(node, &ctx);
	if (!ret)
		ret = mt_rt_op_kernel(&built, ctx, pNodeParams, op->kernel.attrs);
	return set_params(ret, &built, node);
}

static void get_side(const struct mt_copy_side *side, musaArray_t *array, struct musaPos *pos,
		     struct musaPitchedPtr *pointer)
{
	*array = side->array ? (musaArray_t)(uintptr_t)side->array->handle : NULL;
	pos->x = side->pos_x;
	pos->y = side->pos_y;
	pos->z = side->pos_z;
	pointer->ptr = (void *)(uintptr_t)side->ptr;
	pointer->pitch = side->pitch_b;
	pointer->xsize = side->xsize;
	pointer->ysize = side->ysize;
}

musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node,
					 struct musaMemcpy3DParms *pNodeParams)
{
	const struct mt_op_copy *copy;
	const struct mt_op *op;
	MUresult ret = get_op(node, MT_OP_COPY, pNodeParams, &op);

	if (!ret) {
		copy = op->copy;
		get_side(&copy->src, &pNodeParams->srcArray, &pNodeParams->srcPos,
			 &pNodeParams->srcPtr);
		get_side(&copy->dst, &pNodeParams->dstArray, &pNodeParams->dstPos,
			 &pNodeParams->dstPtr);
		pNodeParams->extent.width = copy->width;
		pNodeParams->extent.height = copy->height;
		pNodeParams->extent.depth = copy->depth;
		pNodeParams->kind = (enum musaMemcpyKind)copy->kind;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node,
					 const struct musaMemcpy3DParms *pNodeParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_op_memcpy_faults(pNodeParams);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_graph_core->mt_node_ctx(node, &ctx);
	if (!ret)
		ret = mt_rt_op_memcpy(&built, ctx, pNodeParams);
	return set_params(ret, &built, node);
}

musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void *dst, const void *src,
					   size_t count, enum musaMemcpyKind kind)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_node_ctx(node, &ctx);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_1d(&built, ctx, dst, src, count, kind);
	return set_params(ret, &built, node);
}

musaError_t musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node, const void *symbol,
						 const void *src, size_t count, size_t offset,
						 enum musaMemcpyKind kind)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_node_ctx(node, &ctx);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_to_symbol(&built, ctx, symbol, src, count, offset, kind);
	return set_params(ret, &built, node);
}

musaError_t musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void *dst,
						   const void *symbol, size_t count, size_t offset,
						   enum musaMemcpyKind kind)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_node_ctx(node, &ctx);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memcpy_from_symbol(&built, ctx, dst, symbol, count, offset, kind);
	return set_params(ret, &built, node);
}

musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node,
					 struct musaMemsetParams *pNodeParams)
{
	const struct mt_op_fill *fill;
	const struct mt_op *op;
	MUresult ret = get_op(node, MT_OP_FILL, pNodeParams, &op);

	if (!ret) {
		fill = op->fill;
		pNodeParams->dst = (void *)(uintptr_t)fill->dst;
		pNodeParams->pitch = fill->pitch_b;
		pNodeParams->value = fill->value;
		pNodeParams->elementSize = fill->element_b;
		pNodeParams->width = fill->width;
		pNodeParams->height = fill->height;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphMemsetNodeSetParams(musaGraphNode_t node,
					 const struct musaMemsetParams *pNodeParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_core->mt_node_ctx(node, &ctx);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_memset(&built, ctx, pNodeParams);
	return set_params(ret, &built, node);
}

musaError_t musaGraphHostNodeGetParams(musaGraphNode_t node,
				       struct musaHostNodeParams *pNodeParams)
{
	const struct mt_op *op;
	MUresult ret = get_op(node, MT_OP_HOST, pNodeParams, &op);

	if (!ret) {
		pNodeParams->fn = op->host.fn;
		pNodeParams->userData = op->host.data;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphHostNodeSetParams(musaGraphNode_t node,
				       const struct musaHostNodeParams *pNodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_host(&built, pNodeParams);
	return set_params(ret, &built, node);
}
