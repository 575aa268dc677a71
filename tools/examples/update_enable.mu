/* SPDX-License-Identifier: MIT */
/* An executable graph updated by a second capture, then with one node switched off and on. */
#include <musa_runtime.h>

#include "check.h"

__global__ void add(int *value, int amount)
{
	*value += amount;
}

static musaGraph_t capture(musaStream_t stream, int *value, int first, int second)
{
	musaGraph_t graph;

	CHECK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	add<<<1, 1, 0, stream>>>(value, first);
	add<<<1, 1, 0, stream>>>(value, second);
	CHECK(musaStreamEndCapture(stream, &graph));
	return graph;
}

static int expect(musaGraphExec_t exec, musaStream_t stream, const int *value, int want,
		  const char *what)
{
	int got;

	CHECK(musaGraphLaunch(exec, stream));
	CHECK(musaStreamSynchronize(stream));
	CHECK(musaMemcpy(&got, value, sizeof(got), musaMemcpyDeviceToHost));
	printf("%s: %d\n", what, got);
	if (got == want)
		return 0;
	fprintf(stderr, "%s gives %d, not %d\n", what, got, want);
	return 1;
}

int main()
{
	musaStream_t stream;
	musaGraph_t graph, next;
	musaGraphExec_t exec;
	musaGraphNode_t root;
	musaGraphExecUpdateResultInfo info;
	size_t count = 1;
	int *value, bad = 0;

	CHECK(musaMalloc(&value, sizeof(*value)));
	CHECK(musaMemset(value, 0, sizeof(*value)));
	CHECK(musaStreamCreate(&stream));

	graph = capture(stream, value, 1, 10);
	CHECK(musaGraphInstantiate(&exec, graph, 0));
	bad += expect(exec, stream, value, 11, "first launch");

	next = capture(stream, value, 100, 1000);
	CHECK(musaGraphExecUpdate(exec, next, &info));
	if (info.result != musaGraphExecUpdateSuccess)
		return 1;
	CHECK(musaGraphDestroy(next));
	bad += expect(exec, stream, value, 1111, "after the update");

	CHECK(musaGraphGetRootNodes(graph, &root, &count));
	CHECK(musaGraphNodeSetEnabled(exec, root, 0));
	bad += expect(exec, stream, value, 2111, "with the first node off");
	CHECK(musaGraphNodeSetEnabled(exec, root, 1));
	bad += expect(exec, stream, value, 3211, "with it on again");

	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
	CHECK(musaStreamDestroy(stream));
	CHECK(musaFree(value));
	return bad != 0;
}
