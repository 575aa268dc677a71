/* SPDX-License-Identifier: MIT */
/* Whole updates of executable graphs in the runtime API. */
#include "drv/rt.h"
#include "graph/table.h"

/* The runtime API's numbers differ from the core's, which are the driver API's. */
static enum musaGraphExecUpdateResult result_of(uint32_t result)
{
	switch (result) {
	case MU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED:
		return musaGraphExecUpdateErrorNotSupported;
	case MU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE:
		return musaGraphExecUpdateErrorUnsupportedFunctionChange;
	case MU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED:
		return musaGraphExecUpdateErrorAttributesChanged;
	default:
		return (enum musaGraphExecUpdateResult)result;
	}
}

#define UNTOUCHED UINT32_MAX

static MUresult update(musaGraphExec_t exec, musaGraph_t graph, struct mt_update_report *report)
{
	MUresult ret = mt_rt_init();

	report->result = UNTOUCHED;
	if (!ret)
		ret = mt_graph_core->mt_exec_update(exec, graph, report);
	return ret;
}

musaError_t(musaGraphExecUpdate)(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				 musaGraphExecUpdateResultInfo *resultInfo)
{
	struct mt_update_report report;
	MUresult ret = update(hGraphExec, hGraph, &report);

	if (resultInfo && report.result != UNTOUCHED) {
		resultInfo->result = result_of(report.result);
		resultInfo->errorNode = report.node;
		resultInfo->errorFromNode = report.from;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphExecUpdate_v2(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				   musaGraphExecUpdateResultInfo *resultInfo)
{
	return (musaGraphExecUpdate)(hGraphExec, hGraph, resultInfo);
}

/* The older form, which names one node only. */
musaError_t musaGraphExecUpdate_v1(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				   musaGraphNode_t *errorNode_out,
				   enum musaGraphExecUpdateResult *result_out)
{
	struct mt_update_report report;
	MUresult ret = update(hGraphExec, hGraph, &report);

	if (report.result != UNTOUCHED) {
		if (errorNode_out)
			*errorNode_out = report.node;
		if (result_out)
			*result_out = result_of(report.result);
	}
	return mt_rt_return(ret);
}
