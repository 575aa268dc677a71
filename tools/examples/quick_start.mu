/* SPDX-License-Identifier: MIT */
/* The shortest way to a graph: capture one launch, instantiate it, launch it. */
#include <musa_runtime.h>

#include "check.h"

__global__ void double_each(float *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] *= 2.0f;
}

int main()
{
	const int n = 1024;
	float host[n];
	float *data;
	musaStream_t stream;
	musaGraph_t graph;
	musaGraphExec_t exec;

	for (int i = 0; i < n; i++)
		host[i] = (float)i;
	CHECK(musaMalloc(&data, sizeof(host)));
	CHECK(musaMemcpy(data, host, sizeof(host), musaMemcpyHostToDevice));
	CHECK(musaStreamCreate(&stream));

	CHECK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	double_each<<<4, 256, 0, stream>>>(data, n);
	CHECK(musaStreamEndCapture(stream, &graph));

	CHECK(musaGraphInstantiate(&exec, graph, 0));
	CHECK(musaGraphLaunch(exec, stream));
	CHECK(musaStreamSynchronize(stream));

	CHECK(musaMemcpy(host, data, sizeof(host), musaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		if (host[i] != 2.0f * (float)i) {
			fprintf(stderr, "element %d is %g, not %g\n", i, host[i], 2.0 * i);
			return 1;
		}
	}
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
	CHECK(musaStreamDestroy(stream));
	CHECK(musaFree(data));
	printf("%d elements doubled by a graph of one kernel\n", n);
	return 0;
}
