/* SPDX-License-Identifier: MIT */
/* This project's own additions to the graph API, as mtgraph.h declares them. */
#include "mtgraph.h"

#include "drv/rt.h"
#include "graph/table.h"

musaError_t mtGraphExecPrint(musaGraphExec_t exec, int fd)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_print(exec, fd);
	return mt_rt_return(ret);
}

musaError_t mtGraphSave(musaGraph_t graph, const char *path, unsigned int flags, size_t memoryLimit)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_save(graph, path, flags, memoryLimit);
	return mt_rt_return(ret);
}

musaError_t mtGraphExecSave(musaGraphExec_t exec, const char *path, unsigned int flags,
			    size_t memoryLimit)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_save(exec, path, flags, memoryLimit);
	return mt_rt_return(ret);
}
