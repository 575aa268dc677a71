/* SPDX-License-Identifier: MIT */
/* Executable graphs in the driver API: instantiate in all forms, update, upload, launch, destroy. */
#include "drv/capture.h"
#include "graph/instantiate.h"
#include "graph/mu_graph.h"
#include "graph/update.h"

/* The unversioned name with five parameters. */
MUresult muGraphInstantiate_v2(MUgraphExec *phGraphExec, MUgraph hGraph, MUgraphNode *phErrorNode,
			       char *logBuffer, size_t bufferSize)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_exec_make_logged("muGraphInstantiate", hGraph, phErrorNode, logBuffer,
					 bufferSize, phGraphExec);
}

MUresult muGraphInstantiateWithFlags(MUgraphExec *phGraphExec, MUgraph hGraph,
				     unsigned long long flags)
{
	struct mt_exec_report report;
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_exec_make("muGraphInstantiateWithFlags", hGraph, flags, NULL, &report,
				  phGraphExec);
}

MUresult muGraphInstantiateWithParams(MUgraphExec *phGraphExec, MUgraph hGraph,
				      MUSA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
	struct mt_exec_report report = { .result = MT_EXEC_ERROR };
	struct mt_stream *upload = NULL;
	MUresult ret = mt_initialised();

	if (!ret && !instantiateParams)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	if (instantiateParams->flags & MUSA_GRAPH_INSTANTIATE_FLAG_UPLOAD)
		ret = mt_mu_stream(instantiateParams->hUploadStream, false, &upload);
	if (!ret)
		ret = mt_exec_make("muGraphInstantiateWithParams", hGraph,
				   instantiateParams->flags, upload, &report, phGraphExec);
	instantiateParams->hErrNode_out = report.node;
	instantiateParams->result_out = (MUgraphInstantiateResult)report.result;
	return ret;
}

MUresult muGraphExecGetFlags(MUgraphExec hGraphExec, muuint64_t *flags)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_exec_get_flags(hGraphExec, flags);
}

MUresult muGraphUpload(MUgraphExec hGraphExec, MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_exec_upload(hGraphExec, stream);
}

MUresult muGraphLaunch(MUgraphExec hGraphExec, MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_exec_launch(hGraphExec, stream);
}

MUresult muGraphExecDestroy(MUgraphExec hGraphExec)
{
	MUresult ret = mt_initialised();

	if (!ret)
		ret = mt_capture_check_unsafe("muGraphExecDestroy");
	return ret ? ret : mt_exec_destroy(hGraphExec);
}

#define UNTOUCHED UINT32_MAX

/* report->result is UNTOUCHED where the call fails before it compares. */
static MUresult update(MUgraphExec exec, MUgraph graph, struct mt_update_report *report)
{
	MUresult ret = mt_initialised();

	report->result = UNTOUCHED;
	return ret ? ret : mt_exec_update(exec, graph, report);
}

/* The unversioned name with four parameters: one node only. */
MUresult(muGraphExecUpdate)(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphNode *hErrorNode_out,
			    MUgraphExecUpdateResult *updateResult_out)
{
	struct mt_update_report report;
	MUresult ret = update(hGraphExec, hGraph, &report);

	if (report.result == UNTOUCHED)
		return ret;
	if (hErrorNode_out)
		*hErrorNode_out = report.node;
	if (updateResult_out)
		*updateResult_out = (MUgraphExecUpdateResult)report.result;
	return ret;
}

MUresult muGraphExecUpdate_v2(MUgraphExec hGraphExec, MUgraph hGraph,
			      MUgraphExecUpdateResultInfo *resultInfo)
{
	struct mt_update_report report;
	MUresult ret = update(hGraphExec, hGraph, &report);

	if (resultInfo && report.result != UNTOUCHED) {
		resultInfo->result = (MUgraphExecUpdateResult)report.result;
		resultInfo->errorNode = report.node;
		resultInfo->errorFromNode = report.from;
	}
	return ret;
}

MUresult muGraphNodeSetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int isEnabled)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_exec_set_enabled(hGraphExec, hNode, isEnabled != 0);
}

MUresult muGraphNodeGetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int *isEnabled)
{
	bool enabled;
	MUresult ret = mt_initialised();

	if (!ret)
		ret = mt_exec_get_enabled(hGraphExec, hNode, isEnabled ? &enabled : NULL);
	if (!ret)
		*isEnabled = enabled;
	return ret;
}
