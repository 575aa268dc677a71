/* SPDX-License-Identifier: MIT */
/* Kernel node attributes in the runtime API. */
#include "graph/api_ops.h"

musaError_t musaGraphKernelNodeSetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
					    const musaLaunchAttributeValue *value)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_set_attr(hNode, (uint32_t)attr, value);
	return mt_rt_return(ret);
}

musaError_t musaGraphKernelNodeGetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
					    musaLaunchAttributeValue *value_out)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_get_attr(hNode, (uint32_t)attr, value_out);
	return mt_rt_return(ret);
}

musaError_t musaGraphKernelNodeCopyAttributes(musaGraphNode_t hDst, musaGraphNode_t hSrc)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_node_copy_attrs(hDst, hSrc);
	return mt_rt_return(ret);
}
