/* SPDX-License-Identifier: MIT */
/* Builds ops from the runtime API's node parameters. The rules are the builders' of drv/op.h. */
#include "graph/api_ops.h"

#include <string.h>

#include "drv/ext_semaphore.h"

_Static_assert(sizeof(struct musaExternalSemaphoreSignalParams) == MT_EXT_SEMAPHORE_PARAMS_B &&
		       sizeof(struct musaExternalSemaphoreWaitParams) == MT_EXT_SEMAPHORE_PARAMS_B,
	       "an element of either params array");

void mt_rt_op_finish(struct mt_rt_op *built)
{
	mt_drv->mt_free(built->heap);
	built->heap = NULL;
}

MUresult mt_rt_graph_ctx(musaGraph_t handle, struct mt_ctx **ctx_out)
{
	struct mt_graph *graph;
	MUresult ret = mt_graph_core->mt_graph_get(handle, &graph);

	return ret ? ret : mt_rt_ctx_of((int)graph->device, ctx_out);
}

MUresult mt_rt_node_ctx(musaGraphNode_t handle, struct mt_ctx **ctx_out)
{
	struct mt_graph *graph;
	struct mt_node *node;
	MUresult ret = mt_graph_core->mt_node_get(handle, &graph, &node);

	if (ret)
		return ret;
	return mt_rt_ctx_of(node->op.type == MT_OP_KERNEL ? node->op.device : (int)graph->device,
			    ctx_out);
}

MUresult mt_rt_op_kernel(struct mt_rt_op *built, struct mt_ctx *ctx,
			 const struct musaKernelNodeParams *params,
			 const struct mt_kernel_attrs *attrs)
{
	struct mt_function *fn;
	void *image = built->image;
	uint32_t grid[3], block[3];
	MUresult ret;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_rt_function(ctx, params->func, &fn);
	/* Nodes tell what is no kernel from no function at all. */
	if (ret == (MUresult)musaErrorInvalidDeviceFunction && params->func)
		ret = MUSA_ERROR_INVALID_HANDLE;
	if (ret)
		return ret;
	if (fn->args_b > MT_RT_IMAGE_B) {
		built->heap = mt_drv->mt_alloc_aligned(64, fn->args_b);
		image = built->heap;
		if (!image)
			return MUSA_ERROR_OUT_OF_MEMORY;
	}
	memcpy(grid, &params->gridDim, sizeof(grid));
	memcpy(block, &params->blockDim, sizeof(block));
	ret = mt_drv->mt_op_kernel_build(ctx, fn, grid, block, params->sharedMemBytes,
					 params->kernelParams, params->extra, image, attrs,
					 &built->op);
	if (ret)
		mt_rt_op_finish(built);
	return ret;
}

static MUresult set_array(struct mt_copy_side *side, musaArray_t array)
{
	if (!array)
		return MUSA_SUCCESS;
	return mt_drv->mt_array_get((uintptr_t)array, &side->array);
}

static void set_pointer(struct mt_copy_side *side, const struct musaPitchedPtr *pointer,
			const struct musaPos *pos)
{
	side->ptr = (uintptr_t)pointer->ptr;
	side->pitch_b = pointer->pitch;
	side->xsize = pointer->xsize;
	side->ysize = pointer->ysize;
	side->pos_x = pos->x;
	side->pos_y = pos->y;
	side->pos_z = pos->z;
}

/* Before the kind is narrowed. */
static bool is_kind(enum musaMemcpyKind kind)
{
	return (unsigned int)kind <= musaMemcpyDefault;
}

MUresult mt_rt_op_memcpy(struct mt_rt_op *built, struct mt_ctx *ctx,
			 const struct musaMemcpy3DParms *params)
{
	struct mt_op_copy *copy = &built->copy;
	MUresult ret;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	if (!is_kind(params->kind))
		return (MUresult)musaErrorInvalidMemcpyDirection;
	memset(copy, 0, sizeof(*copy));
	set_pointer(&copy->src, &params->srcPtr, &params->srcPos);
	set_pointer(&copy->dst, &params->dstPtr, &params->dstPos);
	ret = set_array(&copy->src, params->srcArray);
	if (!ret)
		ret = set_array(&copy->dst, params->dstArray);
	if (ret)
		return ret;
	copy->width = params->extent.width;
	copy->height = params->extent.height;
	copy->depth = params->extent.depth;
	copy->kind = (uint8_t)params->kind;
	return mt_drv->mt_op_copy_build(ctx, copy, built->strict, &built->op);
}

static MUresult build_1d(struct mt_rt_op *built, struct mt_ctx *ctx, uint64_t dst, uint64_t src,
			 size_t count, enum musaMemcpyKind kind)
{
	struct mt_op_copy *copy = &built->copy;

	if (!is_kind(kind))
		return (MUresult)musaErrorInvalidMemcpyDirection;
	memset(copy, 0, sizeof(*copy));
	copy->src.ptr = src;
	copy->dst.ptr = dst;
	copy->width = count;
	copy->height = 1;
	copy->depth = 1;
	copy->kind = (uint8_t)kind;
	return mt_drv->mt_op_copy_build(ctx, copy, built->strict, &built->op);
}

MUresult mt_rt_op_memcpy_1d(struct mt_rt_op *built, struct mt_ctx *ctx, void *dst, const void *src,
			    size_t count, enum musaMemcpyKind kind)
{
	return build_1d(built, ctx, (uintptr_t)dst, (uintptr_t)src, count, kind);
}

/* Address of `count` bytes at an offset in a symbol's variable. */
static MUresult find_symbol(struct mt_ctx *ctx, const void *symbol, size_t count, size_t offset,
			    bool good_kind, uint64_t *va_out)
{
	struct mt_variable variable;
	MUresult ret = mt_rt_symbol(ctx, symbol, &variable);

	if (ret)
		return ret;
	if (!good_kind)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	if (offset > variable.size_b || count > variable.size_b - offset)
		return MUSA_ERROR_INVALID_VALUE;
	*va_out = variable.va + offset;
	return MUSA_SUCCESS;
}

MUresult mt_rt_op_memcpy_to_symbol(struct mt_rt_op *built, struct mt_ctx *ctx, const void *symbol,
				   const void *src, size_t count, size_t offset,
				   enum musaMemcpyKind kind)
{
	bool good_kind = kind == musaMemcpyHostToDevice || kind == musaMemcpyDeviceToDevice ||
			 kind == musaMemcpyDefault;
	uint64_t va;
	MUresult ret = find_symbol(ctx, symbol, count, offset, good_kind, &va);

	return ret ? ret : build_1d(built, ctx, va, (uintptr_t)src, count, kind);
}

MUresult mt_rt_op_memcpy_from_symbol(struct mt_rt_op *built, struct mt_ctx *ctx, void *dst,
				     const void *symbol, size_t count, size_t offset,
				     enum musaMemcpyKind kind)
{
	bool good_kind = kind == musaMemcpyDeviceToHost || kind == musaMemcpyDeviceToDevice ||
			 kind == musaMemcpyDefault;
	uint64_t va;
	MUresult ret = find_symbol(ctx, symbol, count, offset, good_kind, &va);

	return ret ? ret : build_1d(built, ctx, (uintptr_t)dst, va, count, kind);
}

MUresult mt_rt_op_memset(struct mt_rt_op *built, struct mt_ctx *ctx,
			 const struct musaMemsetParams *params)
{
	struct mt_op_fill *fill = &built->fill;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	memset(fill, 0, sizeof(*fill));
	fill->dst = (uintptr_t)params->dst;
	fill->pitch_b = params->pitch;
	fill->width = params->width;
	fill->height = params->height;
	fill->depth = 1;
	fill->value = params->value;
	fill->element_b = params->elementSize;
	return mt_drv->mt_op_fill_build(ctx, fill, built->strict, &built->op);
}

MUresult mt_rt_op_host(struct mt_rt_op *built, const struct musaHostNodeParams *params)
{
	if (!params || !params->fn)
		return MUSA_ERROR_INVALID_VALUE;
	built->op = (struct mt_op){ .type = MT_OP_HOST,
				    .host = { .fn = params->fn, .data = params->userData } };
	return MUSA_SUCCESS;
}

MUresult mt_rt_op_event(struct mt_rt_op *built, enum mt_op_type type, musaEvent_t handle)
{
	struct mt_event *event;
	MUresult ret;

	if (!handle)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_drv->mt_event_get(handle, &event);
	if (!ret)
		built->op = (struct mt_op){ .type = (uint8_t)type, .event = { .event = event } };
	return ret;
}

static MUresult build_semaphores(struct mt_rt_op *built, enum mt_op_type type,
				 const musaExternalSemaphore_t *semaphores, const void *params,
				 unsigned int count)
{
	const unsigned char *raw = params;
	struct mt_sem_param *list;
	MUresult ret = MUSA_SUCCESS;
	unsigned int i;

	built->op = (struct mt_op){ .type = (uint8_t)type };
	if (!count)
		return MUSA_SUCCESS;
	if (!semaphores || !params)
		return MUSA_ERROR_INVALID_VALUE;
	list = mt_drv->mt_alloc_aligned(16, count * sizeof(*list));
	if (!list)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < count && !ret; i++, raw += MT_EXT_SEMAPHORE_PARAMS_B) {
		memcpy(list[i].raw, raw, MT_EXT_SEMAPHORE_PARAMS_B);
		memcpy(&list[i].value, raw, sizeof(list[i].value)); /* params.fence.value */
		ret = semaphores[i] ? mt_drv->mt_ext_semaphore_get((uintptr_t)semaphores[i],
								  &list[i].semaphore) :
				      MUSA_ERROR_INVALID_VALUE;
	}
	if (ret) {
		mt_drv->mt_free(list);
		return ret;
	}
	built->heap = list;
	built->op.sem.count = count;
	built->op.sem.params = list;
	return MUSA_SUCCESS;
}

MUresult mt_rt_op_signal(struct mt_rt_op *built,
			 const struct musaExternalSemaphoreSignalNodeParams *params)
{
	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	return build_semaphores(built, MT_OP_SEM_SIGNAL, params->extSemArray, params->paramsArray,
				params->numExtSems);
}

MUresult mt_rt_op_wait(struct mt_rt_op *built,
		       const struct musaExternalSemaphoreWaitNodeParams *params)
{
	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	return build_semaphores(built, MT_OP_SEM_WAIT, params->extSemArray, params->paramsArray,
				params->numExtSems);
}
