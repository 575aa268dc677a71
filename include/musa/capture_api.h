/* SPDX-License-Identifier: MIT */
/* Stream capture: turns the work given to a stream into a graph. */
#ifndef __MUSA_CAPTURE_API_H__
#define __MUSA_CAPTURE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaStreamBeginCapture() - Turn what is given to a stream from now on into nodes of a new graph.
 * @stream:	Stream, not the legacy one.
 * @mode:	Which calls of which threads are refused while the capture lasts.
 *
 * Nothing runs until the graph is launched. Other streams join by waiting for an event recorded in
 * a stream of the capture; their work has to be joined back before the end.
 *
 * Global: unsafe calls (those that allocate, free, wait or query) of any thread that is in Global
 * mode too; ThreadLocal: those of this thread; Relaxed: none.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorStreamCaptureUnsupported  the legacy stream
 *		musaErrorInvalidValue  unknown mode
 *		musaErrorIllegalState  the stream is capturing
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode);

/**
 * musaStreamBeginCaptureToGraph() - As musaStreamBeginCapture(), into a graph that exists.
 * @stream:	Stream; 0 is the legacy default stream.
 * @graph:	Graph, also one that a node owns.
 * @dependencies:	Nodes that the first captured node depends on.
 * @dependencyData:	What each edge means; NULL: full dependencies.
 * @numDependencies:	Length of the array.
 * @mode:	As in musaStreamBeginCapture().
 *
 * musaStreamEndCapture() returns the same graph. If the capture fails, the graph is destroyed.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorStreamCaptureUnsupported  the legacy stream
 *		musaErrorInvalidValue  NULL, a foreign node, unknown mode, malformed edge data
 *		musaErrorIllegalState  stream or graph is in a capture
 *		musaErrorNotSupported  edge data other than the default
 */
musaError_t musaStreamBeginCaptureToGraph(musaStream_t stream, musaGraph_t graph,
					  const musaGraphNode_t *dependencies,
					  const musaGraphEdgeData *dependencyData,
					  size_t numDependencies, enum musaStreamCaptureMode mode);

/**
 * musaStreamEndCapture() - End a capture in the stream that began it.
 * @stream:	Stream that began the capture.
 * @pGraph:	[out] The graph, which the caller destroys; NULL on failure. May be NULL after
 *	musaStreamBeginCaptureToGraph().
 *
 * All streams of the capture return to normal, also when it fails for another reason than the wrong
 * stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorIllegalState  not capturing
 *		musaErrorStreamCaptureUnmatched  the stream joined, another began
 *		musaErrorStreamCaptureWrongThread  another thread began, and the mode is not Relaxed
 *		musaErrorStreamCaptureUnjoined  a stream holds work that was not joined back
 *		musaErrorStreamCaptureInvalidated  an earlier error broke the capture
 *		musaErrorInvalidValue  @pGraph is NULL; the capture goes on
 */
musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t *pGraph);

/**
 * musaStreamIsCapturing() - Ask whether a stream is capturing.
 * @stream:	Stream; 0 is the legacy default stream.
 * @pCaptureStatus:	[out] None, Active, or Invalidated.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorStreamCaptureImplicit  the legacy stream, while a blocking stream of the
 *			device captures
 */
musaError_t musaStreamIsCapturing(musaStream_t stream,
				  enum musaStreamCaptureStatus *pCaptureStatus);

/**
 * musaStreamIsCapturing_v1() - The form of musaStreamIsCapturing() whose result is the answer.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Succeeds while the stream is capturing. C calls it by musaStreamIsCapturing() with one argument,
 * C++ by an overload.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  not capturing
 *		musaErrorStreamCaptureInvalidated  capturing, but broken
 *		musaErrorStreamCaptureImplicit  as musaStreamIsCapturing()
 */
musaError_t musaStreamIsCapturing_v1(musaStream_t stream);

/**
 * musaStreamGetCaptureInfo() - Ask for status and number of a capture.
 * @stream:	Stream; 0 is the legacy default stream.
 * @captureStatus_out:	[out] None, Active, or Invalidated; unless Active, nothing else is written.
 * @id_out:	[out] Number of the capture, unique in the process, not 0. May be NULL.
 *
 * With six or seven arguments the name means musaStreamGetCaptureInfo_v2() or _v3().
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  no status pointer
 *		musaErrorStreamCaptureImplicit  as musaStreamIsCapturing()
 */
musaError_t musaStreamGetCaptureInfo(musaStream_t stream,
				     enum musaStreamCaptureStatus *captureStatus_out,
				     unsigned long long *id_out __dv(0));

/**
 * musaStreamGetCaptureInfo_v2() - Ask for all there is to know of a capture.
 * @stream:	Stream; 0 is the legacy default stream.
 * @captureStatus_out:	[out] None, Active, or Invalidated; unless Active, nothing else is written.
 * @id_out:	[out] Number of the capture, unique in the process, not 0. May be NULL.
 * @graph_out:	[out] Graph that is being filled; it belongs to the capture. May be NULL.
 * @dependencies_out:	[out] Nodes that the next captured node will depend on, valid until the next
 *	call on the stream. May be NULL.
 * @numDependencies_out:	[out] Length of that array. May be NULL.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  no status pointer
 *		musaErrorStreamCaptureImplicit  as musaStreamIsCapturing()
 *		musaErrorLossyQuery  an edge has data that this form cannot return
 */
musaError_t musaStreamGetCaptureInfo_v2(musaStream_t stream,
					enum musaStreamCaptureStatus *captureStatus_out,
					unsigned long long *id_out __dv(0),
					musaGraph_t *graph_out __dv(0),
					const musaGraphNode_t **dependencies_out __dv(0),
					size_t *numDependencies_out __dv(0));

/**
 * musaStreamGetCaptureInfo_v3() - As musaStreamGetCaptureInfo_v2(), with the data of the edges.
 * @stream:	Stream; 0 is the legacy default stream.
 * @captureStatus_out:	[out] None, Active, or Invalidated; unless Active, nothing else is written.
 * @id_out:	[out] Number of the capture, unique in the process, not 0. May be NULL.
 * @graph_out:	[out] Graph that is being filled; it belongs to the capture. May be NULL.
 * @dependencies_out:	[out] Nodes that the next captured node will depend on, valid until the next
 *	call on the stream. May be NULL.
 * @edgeData_out:	[out] Data of those edges. May be NULL.
 * @numDependencies_out:	[out] Length of that array. May be NULL.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  no status pointer
 *		musaErrorStreamCaptureImplicit  as musaStreamIsCapturing()
 */
musaError_t musaStreamGetCaptureInfo_v3(musaStream_t stream,
					enum musaStreamCaptureStatus *captureStatus_out,
					unsigned long long *id_out __dv(0),
					musaGraph_t *graph_out __dv(0),
					const musaGraphNode_t **dependencies_out __dv(0),
					const musaGraphEdgeData **edgeData_out __dv(0),
					size_t *numDependencies_out __dv(0));

/**
 * musaStreamUpdateCaptureDependencies() - Change what the next captured node depends on.
 * @stream:	Stream; 0 is the legacy default stream.
 * @dependencies:	Nodes of the graph that is being filled.
 * @numDependencies:	Length of the array.
 * @flags:	musaStreamAddCaptureDependencies, or musaStreamSetCaptureDependencies to replace
 *	what there was.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorIllegalState  not capturing
 *		musaErrorStreamCaptureInvalidated  an earlier error broke the capture
 *		musaErrorInvalidValue  unknown flag, NULL, or a foreign node
 */
musaError_t musaStreamUpdateCaptureDependencies(musaStream_t stream, musaGraphNode_t *dependencies,
						size_t numDependencies, unsigned int flags __dv(0));

/**
 * musaStreamUpdateCaptureDependencies_v2() - As musaStreamUpdateCaptureDependencies(), with data
 *	for the edges.
 * @stream:	Stream; 0 is the legacy default stream.
 * @dependencies:	Nodes of the graph that is being filled.
 * @dependencyData:	What each edge means; NULL: full dependencies.
 * @numDependencies:	Length of the array.
 * @flags:	As in musaStreamUpdateCaptureDependencies().
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorIllegalState
 *		musaErrorStreamCaptureInvalidated
 *		musaErrorInvalidValue  as musaStreamUpdateCaptureDependencies(), and malformed edge
 *			data
 *		musaErrorNotSupported  edge data other than the default
 */
musaError_t musaStreamUpdateCaptureDependencies_v2(musaStream_t stream,
						   musaGraphNode_t *dependencies,
						   const musaGraphEdgeData *dependencyData,
						   size_t numDependencies,
						   unsigned int flags __dv(0));

/**
 * musaThreadExchangeStreamCaptureMode() - Change which captures refuse unsafe calls of this thread.
 * @mode:	[in,out] New mode; receives the old one. Threads start in Global mode.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown mode
 */
musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode *mode);

#include "api_end.h"

#endif /* __MUSA_CAPTURE_API_H__ */
