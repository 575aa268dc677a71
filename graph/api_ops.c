/* SPDX-License-Identifier: MIT */
/* Builds ops from the runtime API's node parameters. The rules are the builders' of drv/op.h. */
#include "graph/api_ops.h"

#include <string.h>

/* Structures of the two APIs with one layout. */
#define SAME_LAYOUT(runtime, driver)                                                               \
	_Static_assert(sizeof(struct runtime) == sizeof(driver), "passed on as it is")
SAME_LAYOUT(musaMemsetParams, MUSA_MEMSET_NODE_PARAMS);
SAME_LAYOUT(musaHostNodeParams, MUSA_HOST_NODE_PARAMS);
SAME_LAYOUT(musaExternalSemaphoreSignalNodeParams, MUSA_EXT_SEM_SIGNAL_NODE_PARAMS);
SAME_LAYOUT(musaExternalSemaphoreWaitNodeParams, MUSA_EXT_SEM_SIGNAL_NODE_PARAMS);
SAME_LAYOUT(musaExternalSemaphoreSignalParams, MUSA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS);
SAME_LAYOUT(musaExternalSemaphoreWaitParams, MUSA_EXTERNAL_SEMAPHORE_WAIT_PARAMS);

MUresult mt_rt_op_kernel(struct mt_node_op *built, struct mt_ctx *ctx,
			 const struct musaKernelNodeParams *params,
			 const struct mt_kernel_attrs *attrs)
{
	struct mt_launch launch;
	struct mt_function *fn;
	MUresult ret;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	ret = mt_rt_function(ctx, params->func, &fn);
	/* Nodes tell what is no kernel from no function at all. */
	if (ret == (MUresult)musaErrorInvalidDeviceFunction && params->func)
		ret = MUSA_ERROR_INVALID_HANDLE;
	if (ret)
		return ret;
	memcpy(launch.grid, &params->gridDim, sizeof(launch.grid));
	memcpy(launch.block, &params->blockDim, sizeof(launch.block));
	launch.dynamic_shared_b = params->sharedMemBytes;
	launch.params = params->kernelParams;
	launch.extra = params->extra;
	launch.attrs = attrs;
	return mt_graph_core->mt_node_op_kernel(built, ctx, fn, &launch);
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

MUresult mt_rt_op_memcpy(struct mt_node_op *built, struct mt_ctx *ctx,
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
	copy->any_device = 1;
	return mt_graph_core->mt_node_op_copy(built, ctx);
}

MUresult mt_rt_op_memcpy_faults(const struct musaMemcpy3DParms *params)
{
	const struct musaExtent *extent;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	if (!is_kind(params->kind))
		return (MUresult)musaErrorInvalidMemcpyDirection;
	extent = &params->extent;
	/* Beside an array the width counts elements: the builder knows their size. */
	if ((extent->height > 1 || extent->depth > 1) && !params->srcArray && !params->dstArray &&
	    (params->srcPtr.pitch < extent->width || params->dstPtr.pitch < extent->width))
		return (MUresult)musaErrorInvalidPitchValue;
	return MUSA_SUCCESS;
}

static MUresult build_1d(struct mt_node_op *built, struct mt_ctx *ctx, uint64_t dst, uint64_t src,
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
	copy->any_device = 1;
	return mt_graph_core->mt_node_op_copy(built, ctx);
}

MUresult mt_rt_op_memcpy_1d(struct mt_node_op *built, struct mt_ctx *ctx, void *dst, const void *src,
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

MUresult mt_rt_op_memcpy_to_symbol(struct mt_node_op *built, struct mt_ctx *ctx, const void *symbol,
				   const void *src, size_t count, size_t offset,
				   enum musaMemcpyKind kind)
{
	bool good_kind = kind == musaMemcpyHostToDevice || kind == musaMemcpyDeviceToDevice ||
			 kind == musaMemcpyDefault;
	uint64_t va;
	MUresult ret = find_symbol(ctx, symbol, count, offset, good_kind, &va);

	return ret ? ret : build_1d(built, ctx, va, (uintptr_t)src, count, kind);
}

MUresult mt_rt_op_memcpy_from_symbol(struct mt_node_op *built, struct mt_ctx *ctx, void *dst,
				     const void *symbol, size_t count, size_t offset,
				     enum musaMemcpyKind kind)
{
	bool good_kind = kind == musaMemcpyDeviceToHost || kind == musaMemcpyDeviceToDevice ||
			 kind == musaMemcpyDefault;
	uint64_t va;
	MUresult ret = find_symbol(ctx, symbol, count, offset, good_kind, &va);

	return ret ? ret : build_1d(built, ctx, (uintptr_t)dst, va, count, kind);
}

MUresult mt_rt_op_memset(struct mt_node_op *built, struct mt_ctx *ctx,
			 const struct musaMemsetParams *params)
{
	return mt_graph_core->mt_node_op_fill(built, ctx, (const void *)params);
}

MUresult mt_rt_op_host(struct mt_node_op *built, const struct musaHostNodeParams *params)
{
	return mt_graph_core->mt_node_op_host(built, (const void *)params);
}

MUresult mt_rt_op_event(struct mt_node_op *built, enum mt_op_type type, musaEvent_t event)
{
	return mt_graph_core->mt_node_op_event(built, type, event);
}

MUresult mt_rt_op_signal(struct mt_node_op *built,
			 const struct musaExternalSemaphoreSignalNodeParams *params)
{
	return mt_graph_core->mt_node_op_semaphores(built, MT_OP_SEM_SIGNAL, (const void *)params);
}

MUresult mt_rt_op_wait(struct mt_node_op *built,
		       const struct musaExternalSemaphoreWaitNodeParams *params)
{
	return mt_graph_core->mt_node_op_semaphores(built, MT_OP_SEM_WAIT, (const void *)params);
}
