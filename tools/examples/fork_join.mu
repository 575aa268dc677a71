/* SPDX-License-Identifier: MIT */
/* Two streams captured as one graph: A, then B and C side by side, then D. */
#include <musa_runtime.h>

#include "check.h"

__global__ void set(int *to, int value)
{
	*to = value;
}

__global__ void add_to(const int *from, int *to, int amount)
{
	*to = *from + amount;
}

__global__ void multiply(const int *x, const int *y, int *to)
{
	*to = *x * *y;
}

int main()
{
	musaStream_t main_stream, side_stream;
	musaEvent_t fork, join;
	musaGraph_t graph;
	musaGraphExec_t exec;
	size_t nodes = 0, edges = 0;
	int *a, *b, *c, *d, result;

	CHECK(musaMalloc(&a, 4 * sizeof(int)));
	b = a + 1;
	c = a + 2;
	d = a + 3;
	CHECK(musaStreamCreate(&main_stream));
	CHECK(musaStreamCreate(&side_stream));
	CHECK(musaEventCreate(&fork));
	CHECK(musaEventCreate(&join));

	CHECK(musaStreamBeginCapture(main_stream, musaStreamCaptureModeGlobal));
	set<<<1, 1, 0, main_stream>>>(a, 5);
	CHECK(musaEventRecord(fork, main_stream));
	CHECK(musaStreamWaitEvent(side_stream, fork));
	add_to<<<1, 1, 0, main_stream>>>(a, b, 1);
	add_to<<<1, 1, 0, side_stream>>>(a, c, 2);
	CHECK(musaEventRecord(join, side_stream));
	CHECK(musaStreamWaitEvent(main_stream, join));
	multiply<<<1, 1, 0, main_stream>>>(b, c, d);
	CHECK(musaStreamEndCapture(main_stream, &graph));

	CHECK(musaGraphGetNodes(graph, nullptr, &nodes));
	CHECK(musaGraphGetEdges(graph, nullptr, nullptr, &edges));
	printf("captured %zu nodes and %zu edges\n", nodes, edges);
	CHECK(musaGraphInstantiate(&exec, graph));
	CHECK(musaGraphLaunch(exec, main_stream));
	CHECK(musaStreamSynchronize(main_stream));
	CHECK(musaMemcpy(&result, d, sizeof(result), musaMemcpyDeviceToHost));
	printf("(5 + 1) * (5 + 2) = %d\n", result);

	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
	CHECK(musaEventDestroy(fork));
	CHECK(musaEventDestroy(join));
	CHECK(musaStreamDestroy(main_stream));
	CHECK(musaStreamDestroy(side_stream));
	CHECK(musaFree(a));
	return nodes == 4 && edges == 4 && result == 42 ? 0 : 1;
}
