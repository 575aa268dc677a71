/* SPDX-License-Identifier: MIT */
/* Every parameter list that a runtime call has had works from C++, defaults included. */
#include "musa_runtime.h"

#include "call_forms.h"

/* Instantiation: defaulted flags, flags, and error node and log. */
static void instantiate(musaGraph_t graph)
{
	musaGraphExec_t exec;
	musaGraphNode_t bad = nullptr;
	musaGraphInstantiateParams params = {};
	char log[64] = "x";

	EXPECT(musaGraphInstantiate(&exec, graph), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiateWithFlags(&exec, graph), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiateWithParams(&exec, graph, &params), musaSuccess);
	EXPECT(params.result_out, musaGraphInstantiateSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, NULL, NULL, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, nullptr, nullptr, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, &bad, log, sizeof(log)), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
}

/* Update: with the result struct, and with error node and result. */
static void update(musaGraph_t graph)
{
	musaGraphExec_t exec;
	musaGraphExecUpdateResultInfo info = {};
	musaGraphNode_t bad;
	musaGraphExecUpdateResult result = musaGraphExecUpdateError;

	EXPECT(musaGraphInstantiate(&exec, graph), musaSuccess);
	info.result = musaGraphExecUpdateError;
	EXPECT(musaGraphExecUpdate(exec, graph, &info), musaSuccess);
	EXPECT(info.result, musaGraphExecUpdateSuccess);
	EXPECT(musaGraphExecUpdate(exec, graph, &bad, &result), musaSuccess);
	EXPECT(result, musaGraphExecUpdateSuccess);
	EXPECT(musaGraphExecUpdate_v2(exec, graph, &info), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
}

/* Capture queries, while nothing is captured and while something is. */
static void capture(musaStream_t stream)
{
	musaStreamCaptureStatus status;
	unsigned long long id;
	musaGraph_t graph;
	const musaGraphNode_t *deps;
	const musaGraphEdgeData *data;
	size_t count;

	EXPECT(musaStreamIsCapturing(stream, &status), musaSuccess);
	EXPECT(status, musaStreamCaptureStatusNone);
	EXPECT(musaStreamIsCapturing(stream), musaErrorInvalidValue);

	EXPECT(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal), musaSuccess);
	EXPECT(musaStreamIsCapturing(stream, &status), musaSuccess);
	EXPECT(status, musaStreamCaptureStatusActive);
	EXPECT(musaStreamIsCapturing(stream), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo(stream, &status), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo_v2(stream, &status), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo_v2(stream, &status, &id), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo_v2(stream, &status, &id, &graph), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &deps), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo_v3(stream, &status), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &deps, &data),
	       musaSuccess);
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id, &graph, &deps, &count), musaSuccess);
	EXPECT(count, 0);
	EXPECT(musaStreamGetCaptureInfo_v2(stream, &status, nullptr, nullptr, nullptr, nullptr),
	       musaSuccess);
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id, &graph, &deps, &data, &count),
	       musaSuccess);
	EXPECT(musaStreamUpdateCaptureDependencies(stream, nullptr, 0), musaSuccess);
	EXPECT(musaStreamUpdateCaptureDependencies(stream, nullptr, 0, 0), musaSuccess);
	EXPECT(musaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0), musaSuccess);
	EXPECT(musaStreamEndCapture(stream, &graph), musaSuccess);
	EXPECT(musaGraphDestroy(graph), musaSuccess);
}

/* Edges with and without data share their names. */
static void edges(musaGraph_t graph)
{
	musaGraphNode_t a, b, c, from[2], to[2];
	musaGraphEdgeData data[2] = {};
	musaGraphNodeParams params = {};
	size_t count = 2;

	params.type = musaGraphNodeTypeEmpty;
	EXPECT(musaGraphAddEmptyNode(&a, graph, nullptr, 0), musaSuccess);
	EXPECT(musaGraphAddNode(&b, graph, nullptr, 0, &params), musaSuccess);
	EXPECT(musaGraphAddNode(&c, graph, &a, nullptr, 1, &params), musaSuccess);
	EXPECT(musaGraphAddDependencies(graph, &a, &b, 1), musaSuccess);
	EXPECT(musaGraphRemoveDependencies(graph, &a, &b, 1), musaSuccess);
	EXPECT(musaGraphAddDependencies(graph, &a, &b, data, 1), musaSuccess);
	EXPECT(musaGraphGetEdges(graph, from, to, &count), musaSuccess);
	EXPECT(count, 2);
	EXPECT(musaGraphGetEdges(graph, from, to, data, &count), musaSuccess);
	EXPECT(count, 2);
	EXPECT(musaGraphNodeGetDependencies(c, from, &count), musaSuccess);
	EXPECT(count, 1);
	EXPECT(musaGraphNodeGetDependencies(c, from, data, &count), musaSuccess);
	EXPECT(musaGraphNodeGetDependentNodes(a, nullptr, &count), musaSuccess);
	EXPECT(count, 2);
	EXPECT(musaGraphNodeGetDependentNodes(a, to, data, &count), musaSuccess);
	EXPECT(musaGraphRemoveDependencies(graph, &a, &b, data, 1), musaSuccess);
}

/* Streams, events and flags may be left out. */
static void defaults(musaStream_t stream)
{
	musaEvent_t event;

	EXPECT(musaEventCreate(&event), musaSuccess);
	EXPECT(musaEventDestroy(event), musaSuccess);
	EXPECT(musaEventCreate(&event, musaEventDisableTiming), musaSuccess);
	EXPECT(musaEventRecord(event), musaSuccess);
	EXPECT(musaEventRecord(event, stream), musaSuccess);
	EXPECT(musaEventRecordWithFlags(event), musaSuccess);
	EXPECT(musaStreamWaitEvent(stream, event), musaSuccess);
	EXPECT(musaStreamWaitEvent(stream, event, 0), musaSuccess);
	EXPECT(musaStreamSynchronize(stream), musaSuccess);
	EXPECT(musaEventDestroy(event), musaSuccess);
}

static void destroyed(void *)
{
}

/* One reference is meant where no count is said; a handle has no default value of its own. */
static void counts(musaGraph_t graph)
{
	musaUserObject_t object;
	musaGraphConditionalHandle handle;
	musaGraph_t other;

	EXPECT(musaUserObjectCreate(&object, nullptr, destroyed, 1, musaUserObjectNoDestructorSync),
	       musaSuccess);
	EXPECT(musaUserObjectRetain(object), musaSuccess);
	EXPECT(musaGraphRetainUserObject(graph, object), musaSuccess);
	EXPECT(musaGraphRetainUserObject(graph, object, 1), musaSuccess);
	EXPECT(musaGraphReleaseUserObject(graph, object), musaSuccess);
	EXPECT(musaUserObjectRelease(object), musaSuccess);
	EXPECT(musaUserObjectRelease(object), musaSuccess);

	EXPECT(musaGraphCreate(&other, 0), musaSuccess);
	EXPECT(musaGraphConditionalHandleCreate(&handle, other), musaSuccess);
	EXPECT(musaGraphConditionalHandleCreate(&handle, other, 1), musaSuccess);
	EXPECT(musaGraphDestroy(other), musaSuccess);
}

/* What can be called with more than one list is one function where it is not called. */
template <class F, class... A> static musaError_t call(F f, A... arguments)
{
	return f(arguments...);
}

static void functions(musaGraph_t graph)
{
	musaGraphNode_t a, b;
	musaGraphNode_t *none = nullptr;
	musaGraphNodeParams params = {};
	int variable = 0;
	const void *symbol = &variable;
	size_t count = 0;

	params.type = musaGraphNodeTypeEmpty;
	EXPECT(call(musaGraphAddNode, &a, graph, none, 0, &params), musaSuccess);
	EXPECT(call(musaGraphAddNode, &b, graph, &a, 1, &params), musaSuccess);
	EXPECT(call(musaGraphNodeGetDependencies, b, none, &count), musaSuccess);
	EXPECT(count, 1);
	EXPECT(call(musaGraphNodeGetDependentNodes, b, none, &count), musaSuccess);
	EXPECT(count, 0);
	EXPECT(call(musaGraphRemoveDependencies, graph, &a, &b, 1), musaSuccess);
	EXPECT(call(musaGraphAddDependencies, graph, &b, &a, 1), musaSuccess);
	EXPECT(call(musaGraphGetEdges, graph, none, none, nullptr), musaErrorInvalidValue);
	EXPECT(call(musaStreamUpdateCaptureDependencies, nullptr, none, 0, 0),
	       musaErrorIllegalState);
	EXPECT(call(musaGraphAddMemcpyNodeToSymbol, &a, graph, none, 0, symbol, symbol, 4, 0,
		    musaMemcpyDefault), musaErrorInvalidSymbol);
	EXPECT(call(musaGraphAddMemcpyNodeFromSymbol, &a, graph, none, 0, &variable, symbol, 4, 0,
		    musaMemcpyDefault), musaErrorInvalidSymbol);
	EXPECT(call(musaGraphMemcpyNodeSetParamsToSymbol, nullptr, symbol, symbol, 4, 0,
		    musaMemcpyDefault), musaErrorInvalidValue);
	EXPECT(call(musaGraphMemcpyNodeSetParamsFromSymbol, nullptr, &variable, symbol, 4, 0,
		    musaMemcpyDefault), musaErrorInvalidValue);
	EXPECT(call(musaGraphExecMemcpyNodeSetParamsToSymbol, nullptr, nullptr, symbol, symbol, 4,
		    0, musaMemcpyDefault), musaErrorInvalidValue);
	EXPECT(call(musaGraphExecMemcpyNodeSetParamsFromSymbol, nullptr, nullptr, &variable,
		    symbol, 4, 0, musaMemcpyDefault), musaErrorInvalidValue);
}

/* An overload is chosen by the type that a pointer to it has. */
static void addresses(musaGraph_t graph)
{
	musaError_t (*make)(musaGraphExec_t *, musaGraph_t, unsigned long long) =
		&musaGraphInstantiate;
	musaGraphExec_t exec;

	EXPECT(make(&exec, graph, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
}

int main()
{
	musaGraph_t graph;
	musaStream_t stream;

	EXPECT(musaStreamCreate(&stream), musaSuccess);
	EXPECT(musaGraphCreate(&graph, 0), musaSuccess);
	edges(graph);
	instantiate(graph);
	update(graph);
	capture(stream);
	defaults(stream);
	counts(graph);
	addresses(graph);
	functions(graph);
	EXPECT(musaGraphDestroy(graph), musaSuccess);
	EXPECT(musaStreamDestroy(stream), musaSuccess);
	return failures != 0;
}
