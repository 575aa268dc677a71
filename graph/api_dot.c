/* SPDX-License-Identifier: MIT */
/* DOT output in the runtime API. The flag bits are those of the driver API. */
#include "graph/api_ops.h"

musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char *path, unsigned int flags)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_print_dot(graph, path, flags);
	return mt_rt_return(ret);
}
