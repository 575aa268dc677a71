/* SPDX-License-Identifier: MIT */
/*
 * Vector addition with explicit nodes:
 *
 *	copy a to the device -> temp = a * 2 --+
 *	                                       +-> c = temp + b -> copy c to the host
 *	copy b to the device -> b = b * 3 -----+
 *
 * With --show it also prints the graph as text and what its command buffer looks like.
 */
#include <mtgraph.h>
#include <musa_runtime.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

__global__ void scale(const float *in, float *out, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i] * factor;
}

__global__ void scale_in_place(float *data, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] *= factor;
}

__global__ void add(const float *x, const float *y, float *z, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		z[i] = x[i] + y[i];
}

static const int N = 1024;
static const int BLOCK = 256;

static musaMemcpy3DParms copy_of(void *dst, const void *src, musaMemcpyKind kind)
{
	musaMemcpy3DParms params = {};

	params.srcPtr = make_musaPitchedPtr(const_cast<void *>(src), N * sizeof(float), N, 1);
	params.dstPtr = make_musaPitchedPtr(dst, N * sizeof(float), N, 1);
	params.extent = make_musaExtent(N * sizeof(float), 1, 1);
	params.kind = kind;
	return params;
}

static musaKernelNodeParams launch_of(const void *kernel, void **args)
{
	musaKernelNodeParams params = {};

	params.func = const_cast<void *>(kernel);
	params.gridDim = dim3((N + BLOCK - 1) / BLOCK, 1, 1);
	params.blockDim = dim3(BLOCK, 1, 1);
	params.kernelParams = args;
	return params;
}

static const char *type_name(musaGraphNodeType type)
{
	switch (type) {
	case musaGraphNodeTypeKernel:
		return "kernel";
	case musaGraphNodeTypeMemcpy:
		return "memcpy";
	default:
		return "other";
	}
}

/* The graph as text: each node with the nodes that it waits for. */
static void print_graph(musaGraph_t graph)
{
	size_t count = 0;

	CHECK(musaGraphGetNodes(graph, nullptr, &count));
	std::vector<musaGraphNode_t> nodes(count);
	CHECK(musaGraphGetNodes(graph, nodes.data(), &count));
	printf("graph of %zu nodes\n", count);
	for (size_t i = 0; i < count; i++) {
		musaGraphNodeType type;
		size_t dep_count = 0;

		CHECK(musaGraphNodeGetType(nodes[i], &type));
		CHECK(musaGraphNodeGetDependencies(nodes[i], nullptr, &dep_count));
		std::vector<musaGraphNode_t> deps(dep_count);
		if (dep_count)
			CHECK(musaGraphNodeGetDependencies(nodes[i], deps.data(), &dep_count));
		printf("  %zu: %s", i, type_name(type));
		for (size_t d = 0; d < dep_count; d++) {
			size_t at = 0;

			while (nodes[at] != deps[d])
				at++;
			printf("%s%zu", d ? ", " : "  after ", at);
		}
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	const bool show = argc > 1 && !strcmp(argv[1], "--show");
	std::vector<float> a(N), b(N), c(N, 0.0f);
	float *dev_a, *dev_b, *dev_c, *dev_temp;
	musaStream_t stream;
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t copy_a, copy_b, scale_a, scale_b, sum, copy_c;
	float two = 2.0f, three = 3.0f;
	int n = N;

	for (int i = 0; i < N; i++) {
		a[i] = (float)i;
		b[i] = 2.0f * (float)i;
	}
	CHECK(musaMalloc(&dev_a, N * sizeof(float)));
	CHECK(musaMalloc(&dev_b, N * sizeof(float)));
	CHECK(musaMalloc(&dev_c, N * sizeof(float)));
	CHECK(musaMalloc(&dev_temp, N * sizeof(float)));
	CHECK(musaStreamCreate(&stream));
	CHECK(musaGraphCreate(&graph, 0));

	musaMemcpy3DParms copy = copy_of(dev_a, a.data(), musaMemcpyHostToDevice);
	CHECK(musaGraphAddMemcpyNode(&copy_a, graph, nullptr, 0, &copy));
	copy = copy_of(dev_b, b.data(), musaMemcpyHostToDevice);
	CHECK(musaGraphAddMemcpyNode(&copy_b, graph, nullptr, 0, &copy));

	void *scale_args[] = {&dev_a, &dev_temp, &two, &n};
	musaKernelNodeParams launch = launch_of((const void *)scale, scale_args);
	CHECK(musaGraphAddKernelNode(&scale_a, graph, &copy_a, 1, &launch));
	void *in_place_args[] = {&dev_b, &three, &n};
	launch = launch_of((const void *)scale_in_place, in_place_args);
	CHECK(musaGraphAddKernelNode(&scale_b, graph, &copy_b, 1, &launch));

	musaGraphNode_t both[] = {scale_a, scale_b};
	void *add_args[] = {&dev_temp, &dev_b, &dev_c, &n};
	launch = launch_of((const void *)add, add_args);
	CHECK(musaGraphAddKernelNode(&sum, graph, both, 2, &launch));
	copy = copy_of(c.data(), dev_c, musaMemcpyDeviceToHost);
	CHECK(musaGraphAddMemcpyNode(&copy_c, graph, &sum, 1, &copy));

	CHECK(musaGraphInstantiate(&exec, graph, 0));
	if (show) {
		print_graph(graph);
		printf("\nits chain: ");
		fflush(stdout);
		CHECK(mtGraphExecPrint(exec, 1));
		printf("\n");
	}
	CHECK(musaGraphLaunch(exec, stream));
	CHECK(musaStreamSynchronize(stream));

	for (int i = 0; i < N; i++) {
		float want = 2.0f * a[i] + 3.0f * b[i];

		if (i < 10)
			printf("c[%d] = %g, 2a + 3b = %g\n", i, c[i], want);
		if (std::fabs(c[i] - want) > 1e-5f) {
			fprintf(stderr, "element %d is %g, not %g\n", i, c[i], want);
			return 1;
		}
	}
	printf("all %d elements are right\n", N);

	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
	CHECK(musaStreamDestroy(stream));
	CHECK(musaFree(dev_a));
	CHECK(musaFree(dev_b));
	CHECK(musaFree(dev_c));
	CHECK(musaFree(dev_temp));
	return 0;
}
