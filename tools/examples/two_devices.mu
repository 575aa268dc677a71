/* SPDX-License-Identifier: MIT */
/*
 * Two devices: one graph each, a copy from the peer, events between their streams. On the mock,
 * MUSA_MOCK_DEVICES=2 gives two devices; with one the example says so and ends.
 */
#include <musa_runtime.h>

#include <vector>

#include "check.h"

__global__ void fill(int *data, int start, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = start + i;
}

__global__ void triple(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] *= 3;
}

static const int N = 512;

int main()
{
	std::vector<int> host(N);
	musaStream_t stream[2];
	musaGraph_t graph[2];
	musaGraphExec_t exec[2];
	musaEvent_t filled;
	musaGraphNode_t node, copied;
	int *data[2], count, start = 7, n = N, peer;

	CHECK(musaGetDeviceCount(&count));
	if (count < 2) {
		printf("one device only: nothing to show\n");
		return 0;
	}
	CHECK(musaDeviceCanAccessPeer(&peer, 1, 0));
	for (int device = 0; device < 2; device++) {
		CHECK(musaSetDevice(device));
		CHECK(musaMalloc(&data[device], N * sizeof(int)));
		CHECK(musaStreamCreate(&stream[device]));
		CHECK(musaGraphCreate(&graph[device], 0));
	}

	musaKernelNodeParams launch = {};
	launch.gridDim = dim3((N + 127) / 128);
	launch.blockDim = dim3(128);

	CHECK(musaSetDevice(0));
	void *fill_args[] = {&data[0], &start, &n};
	launch.func = (void *)fill;
	launch.kernelParams = fill_args;
	CHECK(musaGraphAddKernelNode(&node, graph[0], nullptr, 0, &launch));
	CHECK(musaGraphInstantiate(&exec[0], graph[0]));
	CHECK(musaEventCreate(&filled));

	CHECK(musaSetDevice(1));
	CHECK(musaGraphAddMemcpyNode1D(&copied, graph[1], nullptr, 0, data[1], data[0],
				       N * sizeof(int), musaMemcpyDefault));
	void *triple_args[] = {&data[1], &n};
	launch.func = (void *)triple;
	launch.kernelParams = triple_args;
	CHECK(musaGraphAddKernelNode(&node, graph[1], &copied, 1, &launch));
	CHECK(musaGraphInstantiate(&exec[1], graph[1]));

	CHECK(musaSetDevice(0));
	CHECK(musaGraphLaunch(exec[0], stream[0]));
	CHECK(musaEventRecord(filled, stream[0]));
	CHECK(musaSetDevice(1));
	CHECK(musaStreamWaitEvent(stream[1], filled));
	CHECK(musaGraphLaunch(exec[1], stream[1]));
	CHECK(musaMemcpyAsync(host.data(), data[1], N * sizeof(int), musaMemcpyDeviceToHost,
			      stream[1]));
	CHECK(musaStreamSynchronize(stream[1]));

	for (int i = 0; i < N; i++) {
		if (host[i] != 3 * (start + i)) {
			fprintf(stderr, "element %d is %d, not %d\n", i, host[i], 3 * (start + i));
			return 1;
		}
	}
	printf("%d elements made on device 0, tripled on device 1 (peer access %s)\n", N,
	       peer ? "possible" : "not possible");

	for (int device = 0; device < 2; device++) {
		CHECK(musaSetDevice(device));
		CHECK(musaGraphExecDestroy(exec[device]));
		CHECK(musaGraphDestroy(graph[device]));
		CHECK(musaStreamDestroy(stream[device]));
		CHECK(musaFree(data[device]));
	}
	CHECK(musaEventDestroy(filled));
	return 0;
}
