/* SPDX-License-Identifier: MIT */
/* Builds the benchmarks' graphs node by node, as a program would. */
#include "shapes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

const char *const shape_names[SHAPE_COUNT] = {
	"chain", "fork-join", "fork-wide", "all-to-all", "random", "copies", "mixed",
};

#define COPY_B 4096
#define WIDTH  8    /* of fork-join */
#define WIDE   1024 /* of fork-wide */
#define LAYER  256  /* of all-to-all */

void check(musaError_t error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "error: %s: %s\n", what, musaGetErrorName(error));
	exit(1);
}

void bench_memory_init(struct bench_memory *memory)
{
	void *p;

	CHECK(musaMalloc(&p, 2 * COPY_B));
	CHECK(musaMemset(p, 0, 2 * COPY_B));
	memory->a = p;
	memory->b = (int *)p + COPY_B / sizeof(int);
	memory->args[0] = &memory->a;
	CHECK(musaMallocManaged(&p, 64, musaMemAttachGlobal));
	memory->flag = p;
}

static musaGraphNode_t add_kernel(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
				  const void *kernel, void **args)
{
	struct musaKernelNodeParams params = {0};
	musaGraphNode_t node;

	params.func = (void *)(uintptr_t)kernel;
	params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
	params.blockDim = params.gridDim;
	params.kernelParams = args;
	CHECK(musaGraphAddKernelNode(&node, graph, deps, count, &params));
	return node;
}

static musaGraphNode_t add_copy(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
				struct bench_memory *memory)
{
	musaGraphNode_t node;

	CHECK(musaGraphAddMemcpyNode1D(&node, graph, deps, count, memory->b, memory->a, COPY_B,
				       musaMemcpyDeviceToDevice));
	return node;
}

static musaGraphNode_t add_fill(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
				struct bench_memory *memory)
{
	struct musaMemsetParams params = {0};
	musaGraphNode_t node;

	params.dst = memory->b;
	params.elementSize = 4;
	params.width = 16;
	params.height = 1;
	CHECK(musaGraphAddMemsetNode(&node, graph, deps, count, &params));
	return node;
}

/* Node i of a shape whose nodes have one dependency at most. */
static musaGraphNode_t add_next(enum shape shape, size_t i, musaGraph_t graph,
				const musaGraphNode_t *dep, struct bench_memory *memory)
{
	size_t count = dep ? 1 : 0;

	if (shape == COPIES || (shape == MIXED && i % 3 == 1))
		return add_copy(graph, dep, count, memory);
	if (shape == MIXED && i % 3 == 2)
		return add_fill(graph, dep, count, memory);
	return add_kernel(graph, dep, count, kernel_empty, NULL);
}

/* Groups of one node, `width` side by side behind it, and so on, joined by the next group's first. */
static void build_fork_join(size_t width, size_t count, musaGraph_t graph, musaGraphNode_t *nodes)
{
	for (size_t i = 0; i < count; i++) {
		size_t place = i % (width + 1), first = i - place;

		if (place)
			nodes[i] = add_kernel(graph, &nodes[first], 1, kernel_empty, NULL);
		else if (i)
			nodes[i] = add_kernel(graph, &nodes[i - width], width, kernel_empty, NULL);
		else
			nodes[i] = add_kernel(graph, NULL, 0, kernel_empty, NULL);
	}
}

static void build_all_to_all(size_t count, musaGraph_t graph, musaGraphNode_t *nodes)
{
	for (size_t i = 0; i < count; i++) {
		size_t layer = i / LAYER;

		if (layer)
			nodes[i] = add_kernel(graph, &nodes[(layer - 1) * LAYER], LAYER,
					      kernel_empty, NULL);
		else
			nodes[i] = add_kernel(graph, NULL, 0, kernel_empty, NULL);
	}
}

static void build_random(size_t count, musaGraph_t graph, musaGraphNode_t *nodes)
{
	uint64_t state = 1;

	for (size_t i = 0; i < count; i++) {
		musaGraphNode_t deps[2];
		size_t dep_count = i < 2 ? i : 2, reach = i < 64 ? i : 64, pick[2] = {0, 1};

		for (size_t d = 0; i >= 2 && d < 2; d++) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			pick[d] = i - 1 - (size_t)(state >> 33) % reach;
		}
		if (i >= 2 && pick[0] == pick[1])
			pick[1] = pick[0] ? pick[0] - 1 : pick[0] + 1;
		for (size_t d = 0; d < dep_count; d++)
			deps[d] = nodes[pick[d]];
		nodes[i] = add_kernel(graph, deps, dep_count, kernel_empty, NULL);
	}
}

void shape_build(enum shape shape, size_t count, musaGraph_t graph, musaGraphNode_t *nodes,
		 struct bench_memory *memory)
{
	switch (shape) {
	case FORK_JOIN:
		build_fork_join(WIDTH, count, graph, nodes);
		break;
	case FORK_WIDE:
		build_fork_join(WIDE, count, graph, nodes);
		break;
	case ALL_TO_ALL:
		build_all_to_all(count, graph, nodes);
		break;
	case RANDOM:
		build_random(count, graph, nodes);
		break;
	default:
		for (size_t i = 0; i < count; i++)
			nodes[i] = add_next(shape, i, graph, i ? &nodes[i - 1] : NULL, memory);
		break;
	}
}
