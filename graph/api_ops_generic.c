/* SPDX-License-Identifier: MIT */
/* The tagged parameters of musaGraphAddNode() and its kin: which bytes count, and the op they make. */
#include <stddef.h>
#include <string.h>

#include "graph/api_ops.h"

#define MEMBER(type) { .end_b = sizeof(struct type), .known = true }

static const struct mt_params_extent extents[MT_PARAMS_TYPES] = {
	[musaGraphNodeTypeKernel] = MEMBER(musaKernelNodeParamsV2),
	[musaGraphNodeTypeMemcpy] = { .unused_b = offsetof(struct musaMemcpyNodeParams, copyParams),
				      .end_b = sizeof(struct musaMemcpyNodeParams),
				      .known = true },
	[musaGraphNodeTypeMemset] = MEMBER(musaMemsetParamsV2),
	[musaGraphNodeTypeHost] = MEMBER(musaHostNodeParamsV2),
	[musaGraphNodeTypeGraph] = MEMBER(musaChildGraphNodeParams),
	[musaGraphNodeTypeEmpty] = { .known = true },
	[musaGraphNodeTypeWaitEvent] = MEMBER(musaEventWaitNodeParams),
	[musaGraphNodeTypeEventRecord] = MEMBER(musaEventRecordNodeParams),
	[musaGraphNodeTypeExtSemaphoreSignal] = MEMBER(musaExternalSemaphoreSignalNodeParamsV2),
	[musaGraphNodeTypeExtSemaphoreWait] = MEMBER(musaExternalSemaphoreWaitNodeParamsV2),
	[musaGraphNodeTypeMemAlloc] = MEMBER(musaMemAllocNodeParamsV2),
	[musaGraphNodeTypeMemFree] = MEMBER(musaMemFreeNodeParams),
	[musaGraphNodeTypeConditional] = MEMBER(musaConditionalNodeParams),
};

_Static_assert(sizeof(struct musaGraphNodeParams) == sizeof(MUgraphNodeParams) &&
		       offsetof(struct musaGraphNodeParams, reserved1) ==
			       offsetof(MUgraphNodeParams, reserved1),
	       "one frame around the members");

bool mt_rt_params_are_clean(const struct musaGraphNodeParams *params)
{
	return mt_graph_core->mt_params_are_clean(params, extents);
}

/* The V2 structures have the layouts of the first ones. */
#define AS_FIRST(first, second)                                                                    \
	do {                                                                                       \
		_Static_assert(sizeof(*(first)) == sizeof(*(second)), "same layout");              \
		memcpy((first), (second), sizeof(*(first)));                                       \
	} while (0)

static MUresult build_kernel(struct mt_node_op *built, struct mt_ctx *ctx,
			     const struct musaKernelNodeParamsV2 *second,
			     const struct mt_kernel_attrs *attrs)
{
	struct musaKernelNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_kernel(built, ctx, &params, attrs);
}

static MUresult build_memset(struct mt_node_op *built, struct mt_ctx *ctx,
			     const struct musaMemsetParamsV2 *second)
{
	struct musaMemsetParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_memset(built, ctx, &params);
}

static MUresult build_host(struct mt_node_op *built, const struct musaHostNodeParamsV2 *second)
{
	struct musaHostNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_host(built, &params);
}

static MUresult build_signal(struct mt_node_op *built,
			     const struct musaExternalSemaphoreSignalNodeParamsV2 *second)
{
	struct musaExternalSemaphoreSignalNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_signal(built, &params);
}

static MUresult build_wait(struct mt_node_op *built,
			   const struct musaExternalSemaphoreWaitNodeParamsV2 *second)
{
	struct musaExternalSemaphoreWaitNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_wait(built, &params);
}

MUresult mt_rt_op_generic(struct mt_node_op *built, struct mt_ctx *ctx, struct mt_ctx *kernel_ctx,
			  const struct musaGraphNodeParams *params,
			  const struct mt_kernel_attrs *attrs)
{
	switch ((int)params->type) {
	case musaGraphNodeTypeKernel:
		return build_kernel(built, kernel_ctx, &params->kernel, attrs);
	case musaGraphNodeTypeMemcpy:
		return mt_rt_op_memcpy(built, ctx, &params->memcpy.copyParams);
	case musaGraphNodeTypeMemset:
		return build_memset(built, ctx, &params->memset);
	case musaGraphNodeTypeHost:
		return build_host(built, &params->host);
	case musaGraphNodeTypeEmpty:
		built->op = (struct mt_op){ .type = MT_OP_EMPTY };
		return MUSA_SUCCESS;
	case musaGraphNodeTypeWaitEvent:
		return mt_rt_op_event(built, MT_OP_EVENT_WAIT, params->eventWait.event);
	case musaGraphNodeTypeEventRecord:
		return mt_rt_op_event(built, MT_OP_EVENT_RECORD, params->eventRecord.event);
	case musaGraphNodeTypeExtSemaphoreSignal:
		return build_signal(built, &params->extSemSignal);
	case musaGraphNodeTypeExtSemaphoreWait:
		return build_wait(built, &params->extSemWait);
	default:
		return MUSA_ERROR_NOT_SUPPORTED;
	}
}
