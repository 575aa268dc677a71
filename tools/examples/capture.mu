/* SPDX-License-Identifier: MIT */
/* Capture of three launches, replayed many times, compared exactly with a loop on the host. */
#include <musa_runtime.h>

#include <cstring>
#include <vector>

#include "check.h"

__global__ void scale(float *data, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = data[i] * factor;
}

__global__ void add_one(float *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = data[i] + 1.0f;
}

static const int N = 1024;

static void reset(float *data, std::vector<float> &host)
{
	for (int i = 0; i < N; i++)
		host[i] = (float)i;
	CHECK(musaMemcpy(data, host.data(), N * sizeof(float), musaMemcpyHostToDevice));
}

/* Captures A, B, A where A scales by `factor` and B adds one; launches `count` times; compares. */
static bool replay(musaStream_t stream, float *data, float factor, int count)
{
	std::vector<float> host(N), result(N);
	musaGraph_t graph;
	musaGraphExec_t exec;
	const dim3 grid((N + 255) / 256), block(256);

	reset(data, host);
	CHECK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	scale<<<grid, block, 0, stream>>>(data, factor, N);
	add_one<<<grid, block, 0, stream>>>(data, N);
	scale<<<grid, block, 0, stream>>>(data, factor, N);
	CHECK(musaStreamEndCapture(stream, &graph));
	CHECK(musaGraphInstantiate(&exec, graph, 0));
	CHECK(musaGraphDestroy(graph));

	for (int launch = 0; launch < count; launch++)
		CHECK(musaGraphLaunch(exec, stream));
	CHECK(musaStreamSynchronize(stream));
	CHECK(musaGraphExecDestroy(exec));

	for (int launch = 0; launch < count; launch++)
		for (float &x : host) {
			x = x * factor;
			x = x + 1.0f;
			x = x * factor;
		}
	CHECK(musaMemcpy(result.data(), data, N * sizeof(float), musaMemcpyDeviceToHost));
	if (memcmp(result.data(), host.data(), N * sizeof(float))) {
		fprintf(stderr, "factor %g, %d launches: results differ\n", factor, count);
		return false;
	}
	printf("factor %g, %d launches: equal to the host's loop\n", factor, count);
	return true;
}

int main()
{
	musaStream_t stream;
	float *data;
	bool good = true;

	CHECK(musaMalloc(&data, N * sizeof(float)));
	CHECK(musaStreamCreate(&stream));
	for (int count : {1, 2, 3, 10})
		good = replay(stream, data, 2.0f, count) && good;
	good = replay(stream, data, 0.5f, 100) && good;
	CHECK(musaStreamDestroy(stream));
	CHECK(musaFree(data));
	return good ? 0 : 1;
}
