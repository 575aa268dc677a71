/* SPDX-License-Identifier: MIT */
/*
 * Executable graphs in the runtime API: instantiate in all forms, upload, launch, destroy.
 */
#include <string.h>

#include "drv/rt.h"
#include "graph/table.h"

#define FLAG_UPLOAD musaGraphInstantiateFlagUpload

/* *exec is NULL after a failure. */
static MUresult instantiate(const char *api, musaGraph_t graph, unsigned long long flags,
			    struct mt_exec_report *report, musaGraphExec_t *exec)
{
	MUresult ret = mt_rt_init();

	report->result = musaGraphInstantiateError;
	report->node = NULL;
	if (exec)
		*exec = NULL;
	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call(api);
	if (!ret)
		ret = mt_graph_core->mt_exec_instantiate(graph, flags, report, exec);
	return ret;
}

static MUresult instantiate_plain(const char *api, musaGraphExec_t *exec, musaGraph_t graph,
				  unsigned long long flags)
{
	struct mt_exec_report report;

	if (flags & FLAG_UPLOAD) /* there is no stream to upload in */
		return MUSA_ERROR_INVALID_VALUE;
	return instantiate(api, graph, flags, &report, exec);
}

musaError_t(musaGraphInstantiate)(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				  unsigned long long flags)
{
	return mt_rt_return(instantiate_plain("musaGraphInstantiate", pGraphExec, graph, flags));
}

musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					  unsigned long long flags)
{
	return mt_rt_return(
		instantiate_plain("musaGraphInstantiateWithFlags", pGraphExec, graph, flags));
}

static MUresult upload(musaGraphExec_t exec, musaStream_t stream)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	return ret ? ret : mt_graph_core->mt_exec_upload(exec, s);
}

musaError_t musaGraphInstantiateWithParams(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					   musaGraphInstantiateParams *instantiateParams)
{
	struct mt_exec_report report;
	MUresult ret;

	if (!instantiateParams)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = instantiate("musaGraphInstantiateWithParams", graph, instantiateParams->flags,
			  &report, pGraphExec);
	instantiateParams->errNode_out = report.node;
	instantiateParams->result_out = (musaGraphInstantiateResult)report.result;
	if (!ret && (instantiateParams->flags & FLAG_UPLOAD)) {
		ret = upload(*pGraphExec, instantiateParams->uploadStream);
		if (ret) {
			instantiateParams->result_out = musaGraphInstantiateError;
			mt_graph_core->mt_exec_destroy(*pGraphExec);
			*pGraphExec = NULL;
		}
	}
	return mt_rt_return(ret);
}

static const char *reason_of(uint32_t result)
{
	switch (result) {
	case musaGraphInstantiateInvalidStructure:
		return "the graph has a cycle";
	case musaGraphInstantiateNodeOperationNotSupported:
		return "a node is not allowed where it stands";
	case musaGraphInstantiateMultipleDevicesNotSupported:
		return "nodes belong to several devices, or their memory cannot be reached";
	case musaGraphInstantiateConditionalHandleUnused:
		return "a conditional handle has no node";
	default:
		return "the graph cannot be instantiated";
	}
}

/* The older form: error node and a text instead of flags. */
musaError_t musaGraphInstantiate_v1(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				    musaGraphNode_t *pErrorNode, char *pLogBuffer,
				    size_t bufferSize)
{
	struct mt_exec_report report;
	MUresult ret = instantiate("musaGraphInstantiate", graph, 0, &report, pGraphExec);

	if (pErrorNode)
		*pErrorNode = ret ? report.node : NULL;
	if (pLogBuffer && bufferSize) {
		pLogBuffer[0] = 0;
		if (ret) {
			strncpy(pLogBuffer, reason_of(report.result), bufferSize - 1);
			pLogBuffer[bufferSize - 1] = 0;
		}
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphExecGetFlags(musaGraphExec_t graphExec, unsigned long long *flags)
{
	uint64_t value;
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_get_flags(graphExec, flags ? &value : NULL);
	if (!ret)
		*flags = value;
	return mt_rt_return(ret);
}

musaError_t musaGraphUpload(musaGraphExec_t graphExec, musaStream_t stream)
{
	return mt_rt_return(upload(graphExec, stream));
}

musaError_t musaGraphLaunch(musaGraphExec_t graphExec, musaStream_t stream)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_exec_launch(graphExec, s);
	return mt_rt_return(ret);
}

musaError_t musaGraphExecDestroy(musaGraphExec_t graphExec)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_drv->mt_capture_check_unsafe_call("musaGraphExecDestroy");
	if (!ret)
		ret = mt_graph_core->mt_exec_destroy(graphExec);
	return mt_rt_return(ret);
}
