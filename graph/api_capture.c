/* SPDX-License-Identifier: MIT */
/* Stream capture in the runtime API. */
#include "drv/rt.h"
#include "graph/table.h"

musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_capture_begin(s, (int)mode);
	return mt_rt_return(ret);
}

musaError_t musaStreamBeginCaptureToGraph(musaStream_t stream, musaGraph_t graph,
					  const musaGraphNode_t *dependencies,
					  const musaGraphEdgeData *dependencyData,
					  size_t numDependencies, enum musaStreamCaptureMode mode)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_capture_begin_to_graph(s, graph, dependencies,
							       (const MUgraphEdgeData *)dependencyData,
							       numDependencies, (int)mode);
	return mt_rt_return(ret);
}

musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t *pGraph)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_capture_end(s, pGraph);
	return mt_rt_return(ret);
}

musaError_t(musaStreamIsCapturing)(musaStream_t stream,
				   enum musaStreamCaptureStatus *pCaptureStatus)
{
	struct mt_stream *s;
	int status;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_capture_is_capturing(s, pCaptureStatus ? &status : NULL);
	if (!ret)
		*pCaptureStatus = (enum musaStreamCaptureStatus)status;
	return mt_rt_return(ret);
}

/* The manual's form: the result alone says whether the stream captures. */
musaError_t musaStreamIsCapturing_v1(musaStream_t stream)
{
	enum musaStreamCaptureStatus status;
	musaError_t ret = (musaStreamIsCapturing)(stream, &status);

	if (ret)
		return ret;
	if (status == musaStreamCaptureStatusNone)
		return mt_rt_return(MUSA_ERROR_INVALID_VALUE);
	if (status == musaStreamCaptureStatusInvalidated)
		return mt_rt_return(MUSA_ERROR_STREAM_CAPTURE_INVALIDATED);
	return musaSuccess;
}

musaError_t musaStreamGetCaptureInfo_v3(musaStream_t stream,
					enum musaStreamCaptureStatus *captureStatus_out,
					unsigned long long *id_out, musaGraph_t *graph_out,
					const musaGraphNode_t **dependencies_out,
					const musaGraphEdgeData **edgeData_out,
					size_t *numDependencies_out)
{
	const MUgraphEdgeData *edge_data = NULL;
	struct mt_stream *s;
	int status;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_capture_info(s, captureStatus_out ? &status : NULL, id_out,
						     graph_out, dependencies_out,
						     edgeData_out ? &edge_data : NULL,
						     numDependencies_out);
	if (ret)
		return mt_rt_return(ret);
	*captureStatus_out = (enum musaStreamCaptureStatus)status;
	if (edgeData_out && status == musaStreamCaptureStatusActive)
		*edgeData_out = (const musaGraphEdgeData *)edge_data;
	return musaSuccess;
}

musaError_t musaStreamGetCaptureInfo_v2(musaStream_t stream,
					enum musaStreamCaptureStatus *captureStatus_out,
					unsigned long long *id_out, musaGraph_t *graph_out,
					const musaGraphNode_t **dependencies_out,
					size_t *numDependencies_out)
{
	return musaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out, graph_out,
					   dependencies_out, NULL, numDependencies_out);
}

musaError_t(musaStreamGetCaptureInfo)(musaStream_t stream,
				      enum musaStreamCaptureStatus *captureStatus_out,
				      unsigned long long *id_out)
{
	return musaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}

musaError_t musaStreamUpdateCaptureDependencies_v2(musaStream_t stream,
						   musaGraphNode_t *dependencies,
						   const musaGraphEdgeData *dependencyData,
						   size_t numDependencies, unsigned int flags)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_graph_core->mt_capture_update_deps(
			s, dependencies, (const MUgraphEdgeData *)dependencyData, numDependencies,
			flags);
	return mt_rt_return(ret);
}

musaError_t musaStreamUpdateCaptureDependencies(musaStream_t stream, musaGraphNode_t *dependencies,
						size_t numDependencies, unsigned int flags)
{
	return musaStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, numDependencies,
						      flags);
}

musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode *mode)
{
	MUresult ret = mt_rt_init();
	int value;

	if (!ret && !mode)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	value = (int)*mode;
	ret = mt_graph_core->mt_capture_exchange_mode(&value);
	if (!ret)
		*mode = (enum musaStreamCaptureMode)value;
	return mt_rt_return(ret);
}
