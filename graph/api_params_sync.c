/* SPDX-License-Identifier: MIT */
/* Parameters of event and external semaphore nodes. */
#include "graph/api_ops.h"

static MUresult get_event(musaGraphNode_t node, enum mt_op_type type, musaEvent_t *event_out)
{
	const struct mt_op *op;
	MUresult ret = mt_rt_init();

	if (!ret && !event_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_node_params(node, type, &op);
	if (!ret)
		*event_out = (musaEvent_t)(uintptr_t)op->event.event->handle;
	return ret;
}

static MUresult set_event(musaGraphNode_t node, enum mt_op_type type, musaEvent_t event)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_event(&built, type, event);
	return mt_graph_core->mt_node_op_set(ret, &built, node);
}

musaError_t musaGraphEventRecordNodeGetEvent(musaGraphNode_t node, musaEvent_t *event_out)
{
	return mt_rt_return(get_event(node, MT_OP_EVENT_RECORD, event_out));
}

musaError_t musaGraphEventRecordNodeSetEvent(musaGraphNode_t node, musaEvent_t event)
{
	return mt_rt_return(set_event(node, MT_OP_EVENT_RECORD, event));
}

musaError_t musaGraphEventWaitNodeGetEvent(musaGraphNode_t node, musaEvent_t *event_out)
{
	return mt_rt_return(get_event(node, MT_OP_EVENT_WAIT, event_out));
}

musaError_t musaGraphEventWaitNodeSetEvent(musaGraphNode_t node, musaEvent_t event)
{
	return mt_rt_return(set_event(node, MT_OP_EVENT_WAIT, event));
}

musaError_t musaGraphExternalSemaphoresSignalNodeGetParams(
	musaGraphNode_t hNode, struct musaExternalSemaphoreSignalNodeParams *params_out)
{
	MUexternalSemaphore *semaphores;
	const void *params;
	unsigned int count;
	MUresult ret = mt_rt_init();

	if (!ret && !params_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_node_semaphores(hNode, MT_OP_SEM_SIGNAL, &semaphores,
							&params, &count);
	if (!ret) {
		params_out->extSemArray = (musaExternalSemaphore_t *)semaphores;
		params_out->paramsArray = params;
		params_out->numExtSems = count;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphExternalSemaphoresSignalNodeSetParams(
	musaGraphNode_t hNode, const struct musaExternalSemaphoreSignalNodeParams *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_signal(&built, nodeParams);
	return mt_rt_return(mt_graph_core->mt_node_op_set(ret, &built, hNode));
}

musaError_t musaGraphExternalSemaphoresWaitNodeGetParams(
	musaGraphNode_t hNode, struct musaExternalSemaphoreWaitNodeParams *params_out)
{
	MUexternalSemaphore *semaphores;
	const void *params;
	unsigned int count;
	MUresult ret = mt_rt_init();

	if (!ret && !params_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_node_semaphores(hNode, MT_OP_SEM_WAIT, &semaphores, &params,
							&count);
	if (!ret) {
		params_out->extSemArray = (musaExternalSemaphore_t *)semaphores;
		params_out->paramsArray = params;
		params_out->numExtSems = count;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphExternalSemaphoresWaitNodeSetParams(
	musaGraphNode_t hNode, const struct musaExternalSemaphoreWaitNodeParams *nodeParams)
{
	struct mt_node_op built;
	MUresult ret = mt_rt_init();

	mt_node_op_init_set(&built);
	if (!ret)
		ret = mt_rt_op_wait(&built, nodeParams);
	return mt_rt_return(mt_graph_core->mt_node_op_set(ret, &built, hNode));
}
