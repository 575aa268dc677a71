/* SPDX-License-Identifier: MIT */
/* Saved graphs with arrays: what the arrays held is in the file, comes back, and is compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mtgraph.h"
#include "run_tool.h"
#include "support.h"

enum { WIDTH = 24, HEIGHT = 5, DEPTH = 3 };

static char directory[64];

static void set_up(void)
{
	strcpy(directory, "/tmp/mtgraph-arrays-XXXXXX");
	cr_assert(mkdtemp(directory));
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void tear_down(void)
{
	static const char *const names[] = {"one.mtgraph", "none.mtgraph"};

	for (int i = 0; i < 2; i++)
		unlink(path_of(names[i]));
	rmdir(directory);
}

static musaArray_t make_array(size_t depth)
{
	const struct musaChannelFormatDesc format = {32, 0, 0, 0, musaChannelFormatKindSigned};
	const struct musaExtent extent = {WIDTH, HEIGHT, depth};
	musaArray_t array;

	OK(musaMalloc3DArray(&array, &format, extent, 0));
	return array;
}

/* One element has another value than all others. */
static void write_array(musaArray_t array, size_t depth, struct musaPos at, int value, int others)
{
	static int words[DEPTH * HEIGHT * WIDTH];
	struct musaMemcpy3DParms params = {0};

	for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
		words[i] = others;
	words[(at.z * HEIGHT + at.y) * WIDTH + at.x] = value;
	params.srcPtr = (struct musaPitchedPtr){words, WIDTH * sizeof(int), WIDTH, HEIGHT};
	params.dstArray = array;
	params.extent = (struct musaExtent){WIDTH, HEIGHT, depth ? depth : 1};
	params.kind = musaMemcpyHostToDevice;
	OK(musaMemcpy3D(&params));
}

static musaGraphNode_t read_element(musaGraph_t graph, musaArray_t array, struct musaPos at, int *to)
{
	struct musaMemcpy3DParms params = {0};
	musaGraphNode_t node;

	params.srcArray = array;
	params.srcPos = at;
	params.dstPtr = (struct musaPitchedPtr){to, sizeof(int), 1, 1};
	params.extent = (struct musaExtent){1, 1, 1};
	params.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&node, graph, NULL, 0, &params));
	return node;
}

/* Counts down from what the array holds there: more than 50 passes are an error. */
static musaGraph_t count_down(musaArray_t array, struct musaPos at)
{
	musaGraphConditionalHandle handle;
	struct musaGraphNodeParams params;
	int *word = t_ints(1);
	void *args[] = {&handle, &word};
	musaGraphNode_t read, loop;
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	read = read_element(graph, array, at, word);
	OK(musaGraphConditionalHandleCreate(&handle, graph, 1, musaGraphCondAssignDefault));
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle;
	params.conditional.type = musaGraphCondTypeWhile;
	params.conditional.size = 1;
	OK(musaGraphAddNode(&loop, graph, &read, 1, &params));
	t_add_kernel(params.conditional.phGraph_out[0], NULL, 0, kernel_count_down, args);
	return graph;
}

static void check_element(size_t depth, size_t x, size_t y, size_t z)
{
	const struct musaPos at = {x, y, z};
	musaArray_t array = make_array(depth);
	musaGraph_t graph = count_down(array, at);
	char said[OUTPUT_B];

	write_array(array, depth, at, 3, 1000);
	OK(mtGraphSave(graph, path_of("one.mtgraph"), mtGraphSaveCode, 1 << 20));
	OK(mtGraphSave(graph, path_of("none.mtgraph"), mtGraphSaveCode, 0));
	TOOL(0, "replay --count 3 --compare", path_of("one.mtgraph"));
	TOOL(3, "replay", path_of("none.mtgraph"));
	cr_assert(strstr(said, "lacks the contents of memory") && strstr(said, "array"), "%s", said);
	TOOL(0, "replay --fill zero", path_of("none.mtgraph"));

	write_array(array, depth, at, 1000, 3);
	OK(mtGraphSave(graph, path_of("one.mtgraph"), mtGraphSaveCode, 1 << 20));
	TOOL(1, "replay", path_of("one.mtgraph"));
	cr_assert(strstr(said, "musaErrorLaunchTimeout"), "%s", said);
	OK(musaGraphDestroy(graph));
	OK(musaFreeArray(array));
}

Test(replay_arrays, hold_what_they_held, .init = set_up, .fini = tear_down, .timeout = 120)
{
	EQ(setenv("MUSA_MOCK_WHILE_CAP", "50", 1), 0);
	check_element(0, WIDTH - 1, HEIGHT - 1, 0);
	check_element(0, 7, 2, 0);
	check_element(DEPTH, WIDTH - 1, HEIGHT - 1, DEPTH - 1);
	check_element(DEPTH, 0, 3, 1);
}

/* Kernels race for a word that goes to an array: the array differs between runs, too. */
Test(replay_arrays, are_compared, .init = set_up, .fini = tear_down, .timeout = 120)
{
	musaArray_t array = make_array(0);
	struct musaMemcpy3DParms params = {0};
	char said[OUTPUT_B];
	musaGraphNode_t puts[8], node;
	int *word = t_ints(1);
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	for (int i = 0; i < 8; i++)
		puts[i] = t_add_put(graph, NULL, 0, word, i + 1);
	params.srcPtr = (struct musaPitchedPtr){word, sizeof(int), 1, 1};
	params.dstArray = array;
	params.dstPos = (struct musaPos){9, 4, 0};
	params.extent = (struct musaExtent){1, 1, 1};
	params.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&node, graph, puts, 8, &params));
	OK(mtGraphSave(graph, path_of("one.mtgraph"), mtGraphSaveCode, 1 << 20));
	EQ(run_until_it_differs(path_of("one.mtgraph"), said), 1);
	cr_assert(strstr(said, "(array, saved at"), "%s", said);
}
