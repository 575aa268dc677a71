/* SPDX-License-Identifier: MIT */
/* Graphs of the shapes that the benchmarks measure. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <stddef.h>

#include "musa_runtime.h"

enum shape { CHAIN, FORK_JOIN, FORK_WIDE, ALL_TO_ALL, RANDOM, COPIES, MIXED, SHAPE_COUNT };

extern const char *const shape_names[SHAPE_COUNT];

/* What nodes work on; made once. */
struct bench_memory {
	int *a, *b; /* 4 KiB each, device memory */
	int *flag;  /* two words of managed memory */
	void *args[1];
};

void bench_memory_init(struct bench_memory *memory);

/* Adds `count` nodes of a shape to a graph; `nodes` has room for them. Fork-join has width 8,
 * fork-wide 1,024, all-to-all layers of 256, random two edges per node. Ends the program on failure. */
void shape_build(enum shape shape, size_t count, musaGraph_t graph, musaGraphNode_t *nodes,
		 struct bench_memory *memory);

/* Ends the program with a message if a call failed. */
void check(musaError_t error, const char *what);
#define CHECK(call) check(call, #call)

#endif
