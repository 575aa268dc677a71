// SPDX-License-Identifier: MIT
// Graphs to draw: instantiates one of each shape, so that MUSA_GRAPH_SAVE saves them in this order:
// diamond, nested, fork and join 300 times, random of 200 nodes.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scale(float *x, float factor) { x[threadIdx.x] *= factor; }
__global__ void add(float *x, const float *y) { x[threadIdx.x] += y[threadIdx.x]; }

static float *x, *y;
static const char *dot_folder; // for the library's own pictures
static int dot_count;

#define CHECK(call)                                                                      \
	do {                                                                             \
		musaError_t error = (call);                                              \
		if (error) {                                                             \
			fprintf(stderr, "%s: %s\n", #call, musaGetErrorName(error));     \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

static musaGraphNode_t kernel(musaGraph_t graph, const std::vector<musaGraphNode_t> &deps, bool adds)
{
	float factor = 2;
	void *scale_args[] = {&x, &factor}, *add_args[] = {&x, &y};
	musaKernelNodeParams params = {};
	musaGraphNode_t node;

	params.func = adds ? (void *)add : (void *)scale;
	params.gridDim = dim3(1);
	params.blockDim = dim3(32);
	params.kernelParams = adds ? add_args : scale_args;
	CHECK(musaGraphAddKernelNode(&node, graph, deps.data(), deps.size(), &params));
	return node;
}

static void save(musaGraph_t graph)
{
	musaGraphExec_t exec;
	char path[256];

	if (dot_folder) {
		snprintf(path, sizeof(path), "%s/%d.gv", dot_folder, ++dot_count);
		CHECK(musaGraphDebugDotPrint(graph, path, musaGraphDebugDotFlagsVerbose));
	}
	CHECK(musaGraphInstantiate(&exec, graph, 0));
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
}

static void diamond()
{
	musaGraph_t graph;

	CHECK(musaGraphCreate(&graph, 0));
	auto top = kernel(graph, {}, false);
	auto left = kernel(graph, {top}, true), right = kernel(graph, {top}, false);
	auto longer = kernel(graph, {right}, true);
	kernel(graph, {left, longer}, false);
	save(graph);
}

// A child graph of three in a row beside two, and a loop whose body has two.
static void nested()
{
	musaGraph_t graph, child, body;
	musaGraphNode_t child_node, loop;
	musaGraphConditionalHandle handle;
	musaGraphNodeParams params = {};

	CHECK(musaGraphCreate(&child, 0));
	auto last = kernel(child, {kernel(child, {kernel(child, {}, true)}, true)}, false);
	(void)last;
	CHECK(musaGraphCreate(&graph, 0));
	auto top = kernel(graph, {}, false);
	CHECK(musaGraphAddChildGraphNode(&child_node, graph, &top, 1, child));
	auto beside = kernel(graph, {kernel(graph, {top}, true)}, true);
	CHECK(musaGraphConditionalHandleCreate(&handle, graph, 0, musaGraphCondAssignDefault));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle;
	params.conditional.type = musaGraphCondTypeWhile;
	params.conditional.size = 1;
	CHECK(musaGraphAddNode(&loop, graph, &child_node, 1, &params));
	body = params.conditional.phGraph_out[0];
	kernel(body, {kernel(body, {}, true)}, false);
	kernel(graph, {beside, loop}, false);
	save(graph);
	CHECK(musaGraphDestroy(child));
}

static void fork_join()
{
	musaGraph_t graph;

	CHECK(musaGraphCreate(&graph, 0));
	auto join = kernel(graph, {}, true);
	for (int stage = 0; stage < 300; stage++) {
		std::vector<musaGraphNode_t> forks;

		for (int i = 0; i < 8; i++)
			forks.push_back(kernel(graph, {join}, false));
		join = kernel(graph, forks, true);
	}
	save(graph);
}

static void random_graph()
{
	std::vector<musaGraphNode_t> nodes;
	musaGraph_t graph;

	CHECK(musaGraphCreate(&graph, 0));
	srand(7);
	for (int i = 0; i < 200; i++) {
		std::vector<musaGraphNode_t> deps;

		for (int k = 0; i && k < 2; k++) {
			musaGraphNode_t dep = nodes[(size_t)(rand() % i)];

			if (deps.empty() || deps[0] != dep)
				deps.push_back(dep);
		}
		nodes.push_back(kernel(graph, deps, rand() % 2));
	}
	save(graph);
}

int main(int argc, char **argv)
{
	dot_folder = argc > 1 ? argv[1] : nullptr;
	CHECK(musaMalloc(&x, 4096));
	CHECK(musaMalloc(&y, 4096));
	diamond();
	nested();
	fork_join();
	random_graph();
	CHECK(musaFree(x));
	CHECK(musaFree(y));
	return 0;
}
