/* SPDX-License-Identifier: MIT */
/* Stream capture in the driver API. */
#include "drv/mu_internal.h"
#include "graph/capture.h"

MUresult muStreamBeginCapture_v2(MUstream hStream, MUstreamCaptureMode mode)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_capture_begin(stream, (int)mode);
}

MUresult muStreamBeginCaptureToGraph(MUstream hStream, MUgraph hGraph,
				     const MUgraphNode *dependencies,
				     const MUgraphEdgeData *dependencyData, size_t numDependencies,
				     MUstreamCaptureMode mode)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret
		   : mt_capture_begin_to_graph(stream, hGraph, dependencies, dependencyData,
					       numDependencies, (int)mode);
}

MUresult muStreamEndCapture(MUstream hStream, MUgraph *phGraph)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_capture_end(stream, phGraph);
}

MUresult muStreamIsCapturing(MUstream hStream, MUstreamCaptureStatus *captureStatus)
{
	struct mt_stream *stream;
	int status;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	if (!ret)
		ret = mt_capture_is_capturing(stream, captureStatus ? &status : NULL);
	if (!ret)
		*captureStatus = (MUstreamCaptureStatus)status;
	return ret;
}

MUresult muStreamGetCaptureInfo_v3(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				   muuint64_t *id_out, MUgraph *graph_out,
				   const MUgraphNode **dependencies_out,
				   const MUgraphEdgeData **edgeData_out,
				   size_t *numDependencies_out)
{
	struct mt_stream *stream;
	unsigned long long id = 0;
	int status;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	if (!ret && !captureStatus_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_capture_info(stream, &status, &id, graph_out, dependencies_out,
				      edgeData_out, numDependencies_out);
	if (ret)
		return ret;
	*captureStatus_out = (MUstreamCaptureStatus)status;
	if (id_out && status == MU_STREAM_CAPTURE_STATUS_ACTIVE)
		*id_out = id;
	return MUSA_SUCCESS;
}

MUresult muStreamGetCaptureInfo_v2(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				   muuint64_t *id_out, MUgraph *graph_out,
				   const MUgraphNode **dependencies_out,
				   size_t *numDependencies_out)
{
	return muStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, graph_out,
					 dependencies_out, NULL, numDependencies_out);
}

/* The unversioned name has three parameters. */
MUresult(muStreamGetCaptureInfo)(MUstream hStream, MUstreamCaptureStatus *captureStatus_out,
				 muuint64_t *id_out)
{
	return muStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, NULL, NULL, NULL,
					 NULL);
}

MUresult muStreamUpdateCaptureDependencies_v2(MUstream hStream, MUgraphNode *dependencies,
					      const MUgraphEdgeData *dependencyData,
					      size_t numDependencies, unsigned int flags)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret
		   : mt_capture_update_deps(stream, dependencies, dependencyData, numDependencies,
					    flags);
}

MUresult muStreamUpdateCaptureDependencies(MUstream hStream, MUgraphNode *dependencies,
					   size_t numDependencies, unsigned int flags)
{
	return muStreamUpdateCaptureDependencies_v2(hStream, dependencies, NULL, numDependencies,
						    flags);
}

MUresult muThreadExchangeStreamCaptureMode(MUstreamCaptureMode *mode)
{
	MUresult ret = mt_initialised();
	int value;

	if (!ret && !mode)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	value = (int)*mode;
	ret = mt_capture_exchange_mode(&value);
	if (!ret)
		*mode = (MUstreamCaptureMode)value;
	return ret;
}
