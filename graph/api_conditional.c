/* SPDX-License-Identifier: MIT */
/* Conditional handles in the runtime API; their nodes are made by the generic call. */
#include "graph/api_ops.h"

musaError_t musaGraphConditionalHandleCreate(musaGraphConditionalHandle *pHandle_out,
					     musaGraph_t graph, unsigned int defaultLaunchValue,
					     unsigned int flags)
{
	MUresult ret = mt_rt_init();
	uint64_t handle;

	if (!ret)
		ret = mt_graph_core->mt_graph_new_conditional_handle(
			graph, defaultLaunchValue, flags, pHandle_out ? &handle : NULL);
	if (!ret)
		*pHandle_out = handle;
	return mt_rt_return(ret);
}
