/* SPDX-License-Identifier: MIT */
/*
 * Calls whose one name has had several parameter lists: a program written for any of them
 * compiles. C++ has overloads. C has macros that count arguments; they act on calls only, so
 * the name without parentheses is still the function, and #undef leaves the first form.
 */
#ifndef __MUSA_CALL_FORMS_H__
#define __MUSA_CALL_FORMS_H__

#include "capture_api.h"
#include "graph_api.h"
#include "graph_exec_api.h"
#include "memory_api.h"

#ifndef __cplusplus

/* The parameter after the seventh: what the arguments before it push there. */
#define __musa_pick(a1, a2, a3, a4, a5, a6, a7, name, ...) name

/* 3: flags; 5: error node and log. */
#define musaGraphInstantiate(...)                                                                  \
	__musa_pick(__VA_ARGS__, musaGraphInstantiate, musaGraphInstantiate,                       \
		    musaGraphInstantiate_v1, musaGraphInstantiate, musaGraphInstantiate,           \
		    musaGraphInstantiate, musaGraphInstantiate, 0)                                 \
	(__VA_ARGS__)

/* 3: result info; 4: error node and result. */
#define musaGraphExecUpdate(...)                                                                   \
	__musa_pick(__VA_ARGS__, musaGraphExecUpdate, musaGraphExecUpdate, musaGraphExecUpdate,    \
		    musaGraphExecUpdate_v1, musaGraphExecUpdate, musaGraphExecUpdate,              \
		    musaGraphExecUpdate, 0)                                                        \
	(__VA_ARGS__)

/* 2: status; 1: the result alone tells. */
#define musaStreamIsCapturing(...)                                                                 \
	__musa_pick(__VA_ARGS__, musaStreamIsCapturing, musaStreamIsCapturing,                     \
		    musaStreamIsCapturing, musaStreamIsCapturing, musaStreamIsCapturing,           \
		    musaStreamIsCapturing, musaStreamIsCapturing_v1, 0)                            \
	(__VA_ARGS__)

/* 3: status and id; 6: graph and dependencies too; 7: and the edges' data. */
#define musaStreamGetCaptureInfo(...)                                                              \
	__musa_pick(__VA_ARGS__, musaStreamGetCaptureInfo_v3, musaStreamGetCaptureInfo_v2,         \
		    musaStreamGetCaptureInfo, musaStreamGetCaptureInfo, musaStreamGetCaptureInfo,  \
		    musaStreamGetCaptureInfo, musaStreamGetCaptureInfo, 0)                         \
	(__VA_ARGS__)

#else

static inline musaError_t musaGraphInstantiate(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					       musaGraphNode_t *pErrorNode, char *pLogBuffer,
					       size_t bufferSize)
{
	return musaGraphInstantiate_v1(pGraphExec, graph, pErrorNode, pLogBuffer, bufferSize);
}

static inline musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
					      musaGraphNode_t *errorNode_out,
					      enum musaGraphExecUpdateResult *result_out)
{
	return musaGraphExecUpdate_v1(hGraphExec, hGraph, errorNode_out, result_out);
}

static inline musaError_t musaStreamIsCapturing(musaStream_t stream)
{
	return musaStreamIsCapturing_v1(stream);
}

static inline musaError_t
musaStreamGetCaptureInfo(musaStream_t stream, enum musaStreamCaptureStatus *captureStatus_out,
			 unsigned long long *id_out, musaGraph_t *graph_out,
			 const musaGraphNode_t **dependencies_out, size_t *numDependencies_out)
{
	return musaStreamGetCaptureInfo_v2(stream, captureStatus_out, id_out, graph_out,
					   dependencies_out, numDependencies_out);
}

static inline musaError_t
musaStreamGetCaptureInfo(musaStream_t stream, enum musaStreamCaptureStatus *captureStatus_out,
			 unsigned long long *id_out, musaGraph_t *graph_out,
			 const musaGraphNode_t **dependencies_out,
			 const musaGraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
	return musaStreamGetCaptureInfo_v3(stream, captureStatus_out, id_out, graph_out,
					   dependencies_out, edgeData_out, numDependencies_out);
}

#endif

#endif /* __MUSA_CALL_FORMS_H__ */
