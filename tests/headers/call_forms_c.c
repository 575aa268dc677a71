/* SPDX-License-Identifier: MIT */
/* Every parameter list that a runtime call has had works from C, and means the same. */
#include "musa_runtime.h"

#include "call_forms.h"

/* Instantiation: with flags, with parameters, and with error node and log. */
static void instantiate(musaGraph_t graph)
{
	musaGraphExec_t exec;
	musaGraphNode_t bad = NULL;
	musaGraphInstantiateParams params = {0};
	char log[64] = "x";

	EXPECT(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiateWithFlags(&exec, graph, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiateWithParams(&exec, graph, &params), musaSuccess);
	EXPECT(params.result_out, musaGraphInstantiateSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, NULL, NULL, 0), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, &bad, log, sizeof(log)), musaSuccess);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
}

/* Update: with the result struct, and with error node and result. */
static void update(musaGraph_t graph)
{
	musaGraphExec_t exec;
	musaGraphExecUpdateResultInfo info;
	musaGraphNode_t bad;
	enum musaGraphExecUpdateResult result = musaGraphExecUpdateError;

	EXPECT(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
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
	enum musaStreamCaptureStatus status;
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
	status = musaStreamCaptureStatusNone;
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id), musaSuccess);
	EXPECT(status, musaStreamCaptureStatusActive);
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id, &graph, &deps, &count), musaSuccess);
	EXPECT(count, 0);
	EXPECT(musaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &deps, &count),
	       musaSuccess);
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id, &graph, &deps, &data, &count),
	       musaSuccess);
	EXPECT(count, 0);
	EXPECT(musaStreamUpdateCaptureDependencies(stream, NULL, 0, 0), musaSuccess);
	EXPECT(musaStreamEndCapture(stream, &graph), musaSuccess);
	EXPECT(musaGraphDestroy(graph), musaSuccess);
}

/* A name without parentheses is the function, and no macro stands in its way. */
static void addresses(musaGraph_t graph, musaStream_t stream)
{
	musaError_t (*make)(musaGraphExec_t *, musaGraph_t, unsigned long long) =
		&musaGraphInstantiate;
	musaError_t (*asks)(musaStream_t, enum musaStreamCaptureStatus *) = musaStreamIsCapturing;
	enum musaStreamCaptureStatus status;
	musaGraphExec_t exec;

	EXPECT(make(&exec, graph, 0), musaSuccess);
	EXPECT((musaGraphExecDestroy)(exec), musaSuccess);
	EXPECT(asks(stream, &status), musaSuccess);
	EXPECT((musaStreamIsCapturing)(stream, &status), musaSuccess);
}

/* Edge data has functions of its own in C. */
static void edges(musaGraph_t graph)
{
	musaGraphNode_t a, b, from[2], to[2];
	musaGraphEdgeData data[2];
	size_t count = 2;

	EXPECT(musaGraphAddEmptyNode(&a, graph, NULL, 0), musaSuccess);
	EXPECT(musaGraphAddEmptyNode(&b, graph, NULL, 0), musaSuccess);
	EXPECT(musaGraphAddDependencies(graph, &a, &b, 1), musaSuccess);
	EXPECT(musaGraphGetEdges(graph, from, to, &count), musaSuccess);
	EXPECT(count, 1);
	EXPECT(musaGraphRemoveDependencies(graph, &a, &b, 1), musaSuccess);
	EXPECT(musaGraphAddDependencies_v2(graph, &a, &b, NULL, 1), musaSuccess);
	count = 2;
	EXPECT(musaGraphGetEdges_v2(graph, from, to, data, &count), musaSuccess);
	EXPECT(count, 1);
}

int main(void)
{
	musaGraph_t graph;
	musaStream_t stream;

	EXPECT(musaStreamCreate(&stream), musaSuccess);
	EXPECT(musaGraphCreate(&graph, 0), musaSuccess);
	edges(graph);
	instantiate(graph);
	update(graph);
	capture(stream);
	addresses(graph, stream);
	EXPECT(musaGraphDestroy(graph), musaSuccess);
	EXPECT(musaStreamDestroy(stream), musaSuccess);
	return failures != 0;
}
