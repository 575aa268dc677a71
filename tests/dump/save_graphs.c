/* SPDX-License-Identifier: MIT */
/*
 * Saves graphs that need no kernel: save-graphs DIRECTORY. plain fills and copies; other fills with another
 * value; off has the fill disabled; race fills the same bytes in no order; loop runs until the mock ends it;
 * large allocates more than there is; host calls a function, which a file cannot hold.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mtgraph.h"
#include "musa_runtime_api.h"

#define BYTES 256u
#define LARGE (200u << 20) /* of 256 MiB */

static void check(musaError_t error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "%s: %s\n", what, musaGetErrorName(error));
	exit(1);
}
#define CHECK(call) check(call, #call)

static void *memory;

static musaGraphNode_t fill(musaGraph_t graph, const musaGraphNode_t *dep, unsigned int value)
{
	const struct musaMemsetParams params = {.dst = memory, .value = value, .elementSize = 1,
						.width = BYTES, .height = 1};
	musaGraphNode_t node;

	CHECK(musaGraphAddMemsetNode(&node, graph, dep, dep ? 1 : 0, &params));
	return node;
}

/* Returns the fill. */
static musaGraphNode_t plain(musaGraph_t graph, unsigned int value)
{
	static char host[BYTES];
	musaGraphNode_t first = fill(graph, NULL, value), last;

	CHECK(musaGraphAddMemcpyNode1D(&last, graph, &first, 1, host, memory, BYTES,
				       musaMemcpyDeviceToHost));
	return first;
}

static void race(musaGraph_t graph)
{
	for (unsigned int value = 1; value <= 8; value++)
		fill(graph, NULL, value);
}

static void loop(musaGraph_t graph)
{
	struct musaGraphNodeParams params = {.type = musaGraphNodeTypeConditional};
	musaGraphNode_t node;

	params.conditional.type = musaGraphCondTypeWhile;
	params.conditional.size = 1;
	CHECK(musaGraphConditionalHandleCreate(&params.conditional.handle, graph, 1,
					       musaGraphCondAssignDefault));
	CHECK(musaGraphAddNode(&node, graph, NULL, 0, &params));
	CHECK(musaGraphAddEmptyNode(&node, params.conditional.phGraph_out[0], NULL, 0));
}

/* Two allocations, each of which has room alone. */
static void large(musaGraph_t graph)
{
	struct musaMemAllocNodeParams params = {.bytesize = LARGE};
	musaGraphNode_t node = NULL;
	void *first;

	params.poolProps.allocType = musaMemAllocationTypePinned;
	params.poolProps.location.type = musaMemLocationTypeDevice;
	CHECK(musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	first = params.dptr;
	CHECK(musaGraphAddMemAllocNode(&node, graph, &node, 1, &params));
	CHECK(musaGraphAddMemFreeNode(&node, graph, &node, 1, first));
	CHECK(musaGraphAddMemFreeNode(&node, graph, &node, 1, params.dptr));
}

static void host(musaGraph_t graph)
{
	const struct musaHostNodeParams params = {.fn = free};
	musaGraphNode_t node;

	CHECK(musaGraphAddHostNode(&node, graph, NULL, 0, &params));
}

static const char *path_of(const char *directory, const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s.mtgraph", directory, name);
	return path;
}

static void save(musaGraph_t graph, const char *directory, const char *name)
{
	CHECK(mtGraphSave(graph, path_of(directory, name), mtGraphSaveCode, 1 << 20));
	CHECK(musaGraphDestroy(graph));
}

static void save_off(musaGraph_t graph, const char *directory)
{
	musaGraphNode_t node = plain(graph, 1);
	musaGraphExec_t exec;

	CHECK(musaGraphInstantiate(&exec, graph, 0));
	CHECK(musaGraphNodeSetEnabled(exec, node, 0));
	CHECK(mtGraphExecSave(exec, path_of(directory, "off"), mtGraphSaveCode, 1 << 20));
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
}

static musaGraph_t make(void)
{
	musaGraph_t graph;

	CHECK(musaGraphCreate(&graph, 0));
	return graph;
}

int main(int argc, char **argv)
{
	musaGraph_t graph;

	if (argc != 2) {
		fprintf(stderr, "usage: save-graphs DIRECTORY\n");
		return 2;
	}
	CHECK(musaMalloc(&memory, BYTES));
	graph = make();
	plain(graph, 1);
	save(graph, argv[1], "plain");
	graph = make();
	plain(graph, 2);
	save(graph, argv[1], "other");
	save_off(make(), argv[1]);
	graph = make();
	race(graph);
	save(graph, argv[1], "race");
	graph = make();
	loop(graph);
	save(graph, argv[1], "loop");
	graph = make();
	large(graph);
	save(graph, argv[1], "large");
	graph = make();
	host(graph);
	save(graph, argv[1], "host");
	CHECK(musaFree(memory));
	return 0;
}
