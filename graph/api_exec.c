/* SPDX-License-Identifier: MIT */
/*
 * Executable graphs in the runtime API: instantiate in all forms, upload, launch, destroy.
 */
#include "drv/rt.h"
#include "graph/table.h"

static musaError_t instantiate_plain(const char *api, musaGraphExec_t *exec, musaGraph_t graph,
				     unsigned long long flags)
{
	struct mt_exec_report report;
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_make(api, graph, flags, NULL, &report, exec);
	return mt_rt_return(ret);
}

musaError_t(musaGraphInstantiate)(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				  unsigned long long flags)
{
	return instantiate_plain("musaGraphInstantiate", pGraphExec, graph, flags);
}

musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					  unsigned long long flags)
{
	return instantiate_plain("musaGraphInstantiateWithFlags", pGraphExec, graph, flags);
}

musaError_t musaGraphInstantiateWithParams(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					   musaGraphInstantiateParams *instantiateParams)
{
	struct mt_exec_report report = { .result = musaGraphInstantiateError };
	struct mt_stream *upload = NULL;
	MUresult ret;

	if (!instantiateParams)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	ret = instantiateParams->flags & musaGraphInstantiateFlagUpload ?
		      mt_rt_stream(instantiateParams->uploadStream, false, &upload) :
		      mt_rt_init();
	if (!ret)
		ret = mt_graph_core->mt_exec_make("musaGraphInstantiateWithParams", graph,
						  instantiateParams->flags, upload, &report,
						  pGraphExec);
	instantiateParams->errNode_out = report.node;
	instantiateParams->result_out = (musaGraphInstantiateResult)report.result;
	return mt_rt_return(ret);
}

/* The older form: error node and a text instead of flags. */
musaError_t musaGraphInstantiate_v1(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				    musaGraphNode_t *pErrorNode, char *pLogBuffer,
				    size_t bufferSize)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_exec_make_logged("musaGraphInstantiate", graph, pErrorNode,
							 pLogBuffer, bufferSize, pGraphExec);
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
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_exec_upload(graphExec, s);
	return mt_rt_return(ret);
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
