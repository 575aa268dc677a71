/* SPDX-License-Identifier: MIT */
/* Stream capture: turns the work given to a stream into a graph. */
#ifndef __MUSA_CAPTURE_API_H__
#define __MUSA_CAPTURE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode);
musaError_t musaStreamBeginCaptureToGraph(musaStream_t stream, musaGraph_t graph,
					  const musaGraphNode_t *dependencies,
					  const musaGraphEdgeData *dependencyData,
					  size_t numDependencies, enum musaStreamCaptureMode mode);
musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode *mode);
musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t *pGraph);
musaError_t musaStreamIsCapturing(musaStream_t stream,
				  enum musaStreamCaptureStatus *pCaptureStatus);
musaError_t musaStreamUpdateCaptureDependencies(musaStream_t stream, musaGraphNode_t *dependencies,
						size_t numDependencies, unsigned int flags __dv(0));
musaError_t musaStreamUpdateCaptureDependencies_v2(musaStream_t stream,
						   musaGraphNode_t *dependencies,
						   const musaGraphEdgeData *dependencyData,
						   size_t numDependencies,
						   unsigned int flags __dv(0));
musaError_t musaStreamGetCaptureInfo_v3(musaStream_t stream,
					enum musaStreamCaptureStatus *captureStatus_out,
					unsigned long long *id_out, musaGraph_t *graph_out,
					const musaGraphNode_t **dependencies_out,
					const musaGraphEdgeData **edgeData_out,
					size_t *numDependencies_out);
musaError_t musaStreamGetCaptureInfo_v2(musaStream_t stream,
					enum musaStreamCaptureStatus *captureStatus_out,
					unsigned long long *id_out, musaGraph_t *graph_out,
					const musaGraphNode_t **dependencies_out,
					size_t *numDependencies_out);
musaError_t musaStreamIsCapturing_v1(musaStream_t stream);
musaError_t musaStreamGetCaptureInfo(musaStream_t stream,
				     enum musaStreamCaptureStatus *captureStatus_out,
				     unsigned long long *id_out);

#include "api_end.h"

#endif /* __MUSA_CAPTURE_API_H__ */
