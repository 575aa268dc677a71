/* SPDX-License-Identifier: MIT */
/* The tagged parameters of musaGraphAddNode() and its kin: which bytes count, and the op they make. */
#include <stddef.h>
#include <string.h>

#include "graph/api_ops.h"

/* Bytes of the union that the type's member occupies; -1: unknown type. */
static int used_bytes(enum musaGraphNodeType type)
{
	switch ((int)type) {
	case musaGraphNodeTypeKernel:
		return (int)sizeof(struct musaKernelNodeParamsV2);
	case musaGraphNodeTypeMemcpy:
		return (int)sizeof(struct musaMemcpyNodeParams);
	case musaGraphNodeTypeMemset:
		return (int)sizeof(struct musaMemsetParamsV2);
	case musaGraphNodeTypeHost:
		return (int)sizeof(struct musaHostNodeParamsV2);
	case musaGraphNodeTypeGraph:
		return (int)sizeof(struct musaChildGraphNodeParams);
	case musaGraphNodeTypeEmpty:
		return 0;
	case musaGraphNodeTypeWaitEvent:
	case musaGraphNodeTypeEventRecord:
		return (int)sizeof(struct musaEventWaitNodeParams);
	case musaGraphNodeTypeExtSemaphoreSignal:
	case musaGraphNodeTypeExtSemaphoreWait:
		return (int)sizeof(struct musaExternalSemaphoreSignalNodeParamsV2);
	case musaGraphNodeTypeMemAlloc:
		return (int)sizeof(struct musaMemAllocNodeParamsV2);
	case musaGraphNodeTypeMemFree:
		return (int)sizeof(struct musaMemFreeNodeParams);
	case musaGraphNodeTypeConditional:
		return (int)sizeof(struct musaConditionalNodeParams);
	default:
		return -1;
	}
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

bool mt_rt_params_are_clean(const struct musaGraphNodeParams *params)
{
	int used_b = used_bytes(params->type);

	if (used_b < 0 || params->reserved2 ||
	    !is_zero(params->reserved0, sizeof(params->reserved0)))
		return false;
	if (params->type == musaGraphNodeTypeMemcpy &&
	    !is_zero(&params->memcpy, offsetof(struct musaMemcpyNodeParams, copyParams)))
		return false;
	return is_zero((const char *)params->reserved1 + used_b,
		       sizeof(params->reserved1) - (size_t)used_b);
}

/* The V2 structures have the layouts of the first ones. */
#define AS_FIRST(first, second)                                                                    \
	do {                                                                                       \
		_Static_assert(sizeof(*(first)) == sizeof(*(second)), "same layout");              \
		memcpy((first), (second), sizeof(*(first)));                                       \
	} while (0)

static MUresult build_kernel(struct mt_rt_op *built, struct mt_ctx *ctx,
			     const struct musaKernelNodeParamsV2 *second,
			     const struct mt_kernel_attrs *attrs)
{
	struct musaKernelNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_kernel(built, ctx, &params, attrs);
}

static MUresult build_memset(struct mt_rt_op *built, struct mt_ctx *ctx,
			     const struct musaMemsetParamsV2 *second)
{
	struct musaMemsetParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_memset(built, ctx, &params);
}

static MUresult build_host(struct mt_rt_op *built, const struct musaHostNodeParamsV2 *second)
{
	struct musaHostNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_host(built, &params);
}

static MUresult build_signal(struct mt_rt_op *built,
			     const struct musaExternalSemaphoreSignalNodeParamsV2 *second)
{
	struct musaExternalSemaphoreSignalNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_signal(built, &params);
}

static MUresult build_wait(struct mt_rt_op *built,
			   const struct musaExternalSemaphoreWaitNodeParamsV2 *second)
{
	struct musaExternalSemaphoreWaitNodeParams params;

	AS_FIRST(&params, second);
	return mt_rt_op_wait(built, &params);
}

MUresult mt_rt_op_generic(struct mt_rt_op *built, struct mt_ctx *ctx, struct mt_ctx *kernel_ctx,
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
