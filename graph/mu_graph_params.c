/* SPDX-License-Identifier: MIT */
/* Reading and setting parameters and attributes of graph nodes in the driver API. */
#include <string.h>

#include "drv/event.h"
#include "drv/module.h"
#include "drv/mu_copy.h"
#include "graph/mu_graph.h"
#include "hw/base/handle.h"

/* The op of a node of this type; params must not be NULL. */
static MUresult get_op(MUgraphNode node, enum mt_op_type type, const void *params,
		       const struct mt_op **op_out)
{
	MUresult ret = mt_initialised();

	if (!ret && !params)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_node_params(node, type, op_out);
}

/* The library's kernel that a function was found by, NULL if by none. */
static MUkernel kernel_of(const struct mt_function *fn)
{
	const void *stub = atomic_load_explicit(&fn->stub, memory_order_relaxed);

	return mt_handle_get((uintptr_t)stub, MT_HANDLE_KERNEL) ? (MUkernel)(uintptr_t)stub : NULL;
}

MUresult muGraphKernelNodeGetParams_v2(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	MUSA_KERNEL_NODE_PARAMS_v2 params;
	const struct mt_op_kernel *kernel;
	const struct mt_op *op;
	struct mt_ctx *ctx;
	MUresult ret = get_op(hNode, MT_OP_KERNEL, nodeParams, &op);

	if (!ret)
		ret = mt_node_ctx(hNode, &ctx);
	if (!ret)
		ret = mt_node_kernel_args(hNode, &params.kernelParams, &params.extra);
	if (ret)
		return ret;
	kernel = &op->kernel;
	params.func = (MUfunction)(uintptr_t)kernel->fn->handle;
	memcpy(&params.gridDimX, kernel->grid, sizeof(kernel->grid));
	memcpy(&params.blockDimX, kernel->block, sizeof(kernel->block));
	params.sharedMemBytes = kernel->dynamic_shared_b;
	params.kern = kernel_of(kernel->fn);
	params.ctx = (MUcontext)(uintptr_t)ctx->handle;
	*nodeParams = params;
	return MUSA_SUCCESS;
}

MUresult muGraphKernelNodeGetParams(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS *nodeParams)
{
	MUSA_KERNEL_NODE_PARAMS_v2 params;
	MUresult ret = muGraphKernelNodeGetParams_v2(hNode, nodeParams ? &params : NULL);

	if (!ret)
		memcpy(nodeParams, &params, sizeof(*nodeParams));
	return ret;
}

MUresult muGraphKernelNodeSetParams_v2(MUgraphNode hNode,
				       const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams)
{
	const struct mt_op *op;
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = get_op(hNode, MT_OP_KERNEL, nodeParams, &op);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_ctx(hNode, &ctx);
	if (!ret)
		ret = mt_mu_op_kernel(&built, ctx, nodeParams, op->kernel.attrs);
	return mt_node_op_set(ret, &built, hNode);
}

MUresult muGraphKernelNodeSetParams(MUgraphNode hNode, const MUSA_KERNEL_NODE_PARAMS *nodeParams)
{
	MUSA_KERNEL_NODE_PARAMS_v2 params;

	if (!nodeParams)
		return muGraphKernelNodeSetParams_v2(hNode, NULL);
	params = mt_mu_kernel_params(nodeParams);
	return muGraphKernelNodeSetParams_v2(hNode, &params);
}

MUresult muGraphKernelNodeGetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
				       MUkernelNodeAttrValue *value_out)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_node_get_attr(hNode, (uint32_t)attr, value_out);
}

MUresult muGraphKernelNodeSetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
				       const MUkernelNodeAttrValue *value)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_node_set_attr(hNode, (uint32_t)attr, value);
}

MUresult muGraphKernelNodeCopyAttributes(MUgraphNode dst, MUgraphNode src)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_node_copy_attrs(dst, src);
}

MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D *nodeParams)
{
	const struct mt_op *op;
	MUresult ret = get_op(hNode, MT_OP_COPY, nodeParams, &op);

	if (!ret)
		mt_mu_copy_describe(op->copy, nodeParams);
	return ret;
}

MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D *nodeParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_initialised();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_ctx(hNode, &ctx);
	if (!ret)
		ret = mt_mu_op_memcpy(&built, ctx, nodeParams);
	return mt_node_op_set(ret, &built, hNode);
}

MUresult muGraphMemsetNodeGetParams(MUgraphNode hNode, MUSA_MEMSET_NODE_PARAMS *nodeParams)
{
	const struct mt_op *op;
	MUresult ret = get_op(hNode, MT_OP_FILL, nodeParams, &op);

	if (!ret)
		*nodeParams = (MUSA_MEMSET_NODE_PARAMS){
			.dst = op->fill->dst,
			.pitch = op->fill->pitch_b,
			.value = op->fill->value,
			.elementSize = op->fill->element_b,
			.width = op->fill->width,
			.height = op->fill->height,
		};
	return ret;
}

MUresult muGraphMemsetNodeSetParams(MUgraphNode hNode, const MUSA_MEMSET_NODE_PARAMS *nodeParams)
{
	struct mt_node_op built;
	struct mt_ctx *ctx;
	MUresult ret = mt_initialised();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_ctx(hNode, &ctx);
	if (!ret)
		ret = mt_node_op_fill(&built, ctx, nodeParams);
	return mt_node_op_set(ret, &built, hNode);
}

MUresult muGraphHostNodeGetParams(MUgraphNode hNode, MUSA_HOST_NODE_PARAMS *nodeParams)
{
	const struct mt_op *op;
	MUresult ret = get_op(hNode, MT_OP_HOST, nodeParams, &op);

	if (!ret)
		*nodeParams = (MUSA_HOST_NODE_PARAMS){ op->host.fn, op->host.data };
	return ret;
}

MUresult muGraphHostNodeSetParams(MUgraphNode hNode, const MUSA_HOST_NODE_PARAMS *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_host(&built, nodeParams);
	return mt_node_op_set(ret, &built, hNode);
}

MUresult muGraphChildGraphNodeGetGraph(MUgraphNode hNode, MUgraph *phGraph)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_node_child(hNode, phGraph);
}

static MUresult get_event(MUgraphNode node, enum mt_op_type type, MUevent *event_out)
{
	const struct mt_op *op;
	MUresult ret = get_op(node, type, event_out, &op);

	if (!ret)
		*event_out = (MUevent)(uintptr_t)op->event.event->handle;
	return ret;
}

static MUresult set_event(MUgraphNode node, enum mt_op_type type, MUevent event)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_event(&built, type, event);
	return mt_node_op_set(ret, &built, node);
}

MUresult muGraphEventRecordNodeGetEvent(MUgraphNode hNode, MUevent *event_out)
{
	return get_event(hNode, MT_OP_EVENT_RECORD, event_out);
}

MUresult muGraphEventRecordNodeSetEvent(MUgraphNode hNode, MUevent event)
{
	return set_event(hNode, MT_OP_EVENT_RECORD, event);
}

MUresult muGraphEventWaitNodeGetEvent(MUgraphNode hNode, MUevent *event_out)
{
	return get_event(hNode, MT_OP_EVENT_WAIT, event_out);
}

MUresult muGraphEventWaitNodeSetEvent(MUgraphNode hNode, MUevent event)
{
	return set_event(hNode, MT_OP_EVENT_WAIT, event);
}

/* Waits have the layout of signals. */
static MUresult get_semaphores(MUgraphNode node, enum mt_op_type type,
			       MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)
{
	MUexternalSemaphore *semaphores;
	const void *params;
	unsigned int count;
	MUresult ret = mt_initialised();

	if (!ret && !params_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_node_semaphores(node, type, &semaphores, &params, &count);
	if (!ret)
		*params_out = (MUSA_EXT_SEM_SIGNAL_NODE_PARAMS){ semaphores, params, count };
	return ret;
}

static MUresult set_semaphores(MUgraphNode node, enum mt_op_type type, const void *params)
{
	struct mt_node_op built;
	MUresult ret = mt_initialised();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_op_semaphores(&built, type, params);
	return mt_node_op_set(ret, &built, node);
}

MUresult muGraphExternalSemaphoresSignalNodeGetParams(MUgraphNode hNode,
						      MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out)
{
	return get_semaphores(hNode, MT_OP_SEM_SIGNAL, params_out);
}

MUresult muGraphExternalSemaphoresSignalNodeSetParams(
	MUgraphNode hNode, const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams)
{
	return set_semaphores(hNode, MT_OP_SEM_SIGNAL, nodeParams);
}

MUresult muGraphExternalSemaphoresWaitNodeGetParams(MUgraphNode hNode,
						    MUSA_EXT_SEM_WAIT_NODE_PARAMS *params_out)
{
	return get_semaphores(hNode, MT_OP_SEM_WAIT, (void *)params_out);
}

MUresult muGraphExternalSemaphoresWaitNodeSetParams(
	MUgraphNode hNode, const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams)
{
	return set_semaphores(hNode, MT_OP_SEM_WAIT, nodeParams);
}

static MUresult set_plain(MUgraphNode node, const MUgraphNodeParams *params)
{
	struct mt_mu_place place = { 0 };
	const struct mt_op *op;
	struct mt_node_op built;
	MUresult ret = mt_node_ctx(node, &place.ctx);

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_node_params(node, (uint32_t)params->type, &op);
	if (!ret) {
		place.kernel_ctx = place.ctx;
		place.attrs = op->type == MT_OP_KERNEL ? op->kernel.attrs : NULL;
		ret = mt_mu_op_generic(&built, &place, params);
	}
	return mt_node_op_set(ret, &built, node);
}

MUresult muGraphNodeSetParams(MUgraphNode hNode, MUgraphNodeParams *nodeParams)
{
	uint32_t type = 0;
	MUresult ret = mt_initialised();

	if (!ret && (!nodeParams || !mt_mu_params_are_clean(nodeParams)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_node_type(hNode, &type);
	if (!ret && type != (uint32_t)nodeParams->type)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret || type == MT_OP_EMPTY)
		return ret;
	return type == MT_OP_CHILD ? mt_node_set_child(hNode, nodeParams->graph.graph)
				   : set_plain(hNode, nodeParams);
}
