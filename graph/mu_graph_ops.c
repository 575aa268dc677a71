/* SPDX-License-Identifier: MIT */
/* Builds ops from the driver API's node parameters: the typed ones and those with a tag. */
#include <stddef.h>
#include <string.h>

#include "drv/module.h"
#include "drv/mu_copy.h"
#include "graph/mu_graph.h"

MUresult mt_mu_node_ctx(MUcontext handle, struct mt_ctx *otherwise, struct mt_ctx **ctx_out)
{
	MUresult ret;

	*ctx_out = otherwise;
	if (!handle)
		return MUSA_SUCCESS;
	ret = mt_mu_ctx_get(handle, ctx_out);
	return ret ? ret : mt_ctx_error(*ctx_out);
}

/* A function runs in the context of its module, a kernel of a library in the one that is given. */
static MUresult find_function(const MUSA_KERNEL_NODE_PARAMS_v2 *params, struct mt_ctx *ctx,
			      struct mt_ctx **ctx_out, struct mt_function **fn_out)
{
	const void *named = params->func ? (const void *)params->func : params->kern;
	MUresult ret;

	if (!mt_function_get((uintptr_t)params->func, fn_out)) {
		ret = mt_ctx_primary((*fn_out)->device, ctx_out);
		if (!ret && params->ctx && (uintptr_t)params->ctx != (*ctx_out)->handle)
			ret = MUSA_ERROR_INVALID_CONTEXT;
		return ret ? ret : mt_ctx_error(*ctx_out);
	}
	ret = mt_mu_node_ctx(params->ctx, ctx, ctx_out);
	if (!ret && !*ctx_out)
		ret = mt_mu_ctx(ctx_out);
	if (!ret)
		ret = mt_runtime_function(*ctx_out, named, fn_out);
	return ret == MUSA_ERROR_NOT_FOUND ? MUSA_ERROR_INVALID_HANDLE : ret;
}

MUresult mt_mu_op_kernel(struct mt_node_op *built, struct mt_ctx *ctx,
			 const MUSA_KERNEL_NODE_PARAMS_v2 *params,
			 const struct mt_kernel_attrs *attrs)
{
	struct mt_launch launch;
	struct mt_function *fn;
	MUresult ret;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	ret = find_function(params, ctx, &ctx, &fn);
	if (ret)
		return ret;
	launch = (struct mt_launch){
		.grid = { params->gridDimX, params->gridDimY, params->gridDimZ },
		.block = { params->blockDimX, params->blockDimY, params->blockDimZ },
		.dynamic_shared_b = params->sharedMemBytes,
		.params = params->kernelParams,
		.extra = params->extra,
		.attrs = attrs,
	};
	return mt_node_op_kernel(built, ctx, fn, &launch);
}

_Static_assert(offsetof(MUSA_KERNEL_NODE_PARAMS_v2, kern) == sizeof(MUSA_KERNEL_NODE_PARAMS),
	       "the second version continues the first");

MUSA_KERNEL_NODE_PARAMS_v2 mt_mu_kernel_params(const MUSA_KERNEL_NODE_PARAMS *params)
{
	MUSA_KERNEL_NODE_PARAMS_v2 second = { 0 };

	memcpy(&second, params, sizeof(*params));
	return second;
}

MUresult mt_mu_op_memcpy(struct mt_node_op *built, struct mt_ctx *ctx, const MUSA_MEMCPY3D *params)
{
	MUresult ret = mt_mu_copy_3d(params, &built->copy);

	return ret ? ret : mt_mu_copy_result(mt_node_op_copy(built, ctx));
}

#define MEMBER(type) { .end_b = sizeof(type), .known = true }

static const struct mt_params_extent extents[MT_PARAMS_TYPES] = {
	[MU_GRAPH_NODE_TYPE_KERNEL] = MEMBER(MUSA_KERNEL_NODE_PARAMS_v3),
	[MU_GRAPH_NODE_TYPE_MEMCPY] = { .unused_b = offsetof(MUSA_MEMCPY_NODE_PARAMS, copyCtx),
					.end_b = sizeof(MUSA_MEMCPY_NODE_PARAMS),
					.known = true },
	[MU_GRAPH_NODE_TYPE_MEMSET] = MEMBER(MUSA_MEMSET_NODE_PARAMS_v2),
	[MU_GRAPH_NODE_TYPE_HOST] = MEMBER(MUSA_HOST_NODE_PARAMS_v2),
	[MU_GRAPH_NODE_TYPE_GRAPH] = MEMBER(MUSA_CHILD_GRAPH_NODE_PARAMS),
	[MU_GRAPH_NODE_TYPE_EMPTY] = { .known = true },
	[MU_GRAPH_NODE_TYPE_WAIT_EVENT] = MEMBER(MUSA_EVENT_WAIT_NODE_PARAMS),
	[MU_GRAPH_NODE_TYPE_EVENT_RECORD] = MEMBER(MUSA_EVENT_RECORD_NODE_PARAMS),
	[MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL] = MEMBER(MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v2),
	[MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT] = MEMBER(MUSA_EXT_SEM_WAIT_NODE_PARAMS_v2),
	[MU_GRAPH_NODE_TYPE_MEM_ALLOC] = MEMBER(MUSA_MEM_ALLOC_NODE_PARAMS_v2),
	[MU_GRAPH_NODE_TYPE_MEM_FREE] = MEMBER(MUSA_MEM_FREE_NODE_PARAMS),
	[MU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = MEMBER(MUSA_BATCH_MEM_OP_NODE_PARAMS_v2),
	[MU_GRAPH_NODE_TYPE_CONDITIONAL] = MEMBER(MUSA_CONDITIONAL_NODE_PARAMS),
};

bool mt_mu_params_are_clean(const MUgraphNodeParams *params)
{
	return mt_params_are_clean(params, extents);
}

/* The members of the tagged parameters begin like the typed parameters. */
static MUresult build_kernel(struct mt_node_op *built, const struct mt_mu_place *place,
			     const MUSA_KERNEL_NODE_PARAMS_v3 *tagged)
{
	MUSA_KERNEL_NODE_PARAMS_v2 params;

	memcpy(&params, tagged, sizeof(params));
	return mt_mu_op_kernel(built, place->kernel_ctx, &params, place->attrs);
}

static MUresult build_memcpy(struct mt_node_op *built, const struct mt_mu_place *place,
			     const MUSA_MEMCPY_NODE_PARAMS *params)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_node_ctx(params->copyCtx, place->ctx, &ctx);

	return ret ? ret : mt_mu_op_memcpy(built, ctx, &params->copyParams);
}

static MUresult build_memset(struct mt_node_op *built, const struct mt_mu_place *place,
			     const MUSA_MEMSET_NODE_PARAMS_v2 *tagged)
{
	MUSA_MEMSET_NODE_PARAMS params;
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_node_ctx(tagged->ctx, place->ctx, &ctx);

	memcpy(&params, tagged, sizeof(params));
	return ret ? ret : mt_node_op_fill(built, ctx, &params);
}

static MUresult build_host(struct mt_node_op *built, const MUSA_HOST_NODE_PARAMS_v2 *tagged)
{
	const MUSA_HOST_NODE_PARAMS params = { .fn = tagged->fn, .userData = tagged->userData };

	return mt_node_op_host(built, &params);
}

/* Waits have the layout of signals. */
static MUresult build_semaphores(struct mt_node_op *built, enum mt_op_type type,
				 const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 *tagged)
{
	const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS params = { tagged->extSemArray, tagged->paramsArray,
							 tagged->numExtSems };

	return mt_node_op_semaphores(built, type, &params);
}

MUresult mt_mu_op_generic(struct mt_node_op *built, const struct mt_mu_place *place,
			  const MUgraphNodeParams *params)
{
	switch ((int)params->type) {
	case MU_GRAPH_NODE_TYPE_KERNEL:
		return build_kernel(built, place, &params->kernel);
	case MU_GRAPH_NODE_TYPE_MEMCPY:
		return build_memcpy(built, place, &params->memcpy);
	case MU_GRAPH_NODE_TYPE_MEMSET:
		return build_memset(built, place, &params->memset);
	case MU_GRAPH_NODE_TYPE_HOST:
		return build_host(built, &params->host);
	case MU_GRAPH_NODE_TYPE_EMPTY:
		built->op = (struct mt_op){ .type = MT_OP_EMPTY };
		return MUSA_SUCCESS;
	case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
		return mt_node_op_event(built, MT_OP_EVENT_WAIT, params->eventWait.event);
	case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
		return mt_node_op_event(built, MT_OP_EVENT_RECORD, params->eventRecord.event);
	case MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
		return build_semaphores(built, MT_OP_SEM_SIGNAL, &params->extSemSignal);
	case MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return build_semaphores(built, MT_OP_SEM_WAIT, (const void *)&params->extSemWait);
	default:
		return MUSA_ERROR_NOT_SUPPORTED;
	}
}
