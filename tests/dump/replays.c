/* SPDX-License-Identifier: MIT */
/* Saved graphs run again: results are those of the program, and what a file lacks is named. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mtgraph.h"
#include "run_tool.h"
#include "support.h"

static char directory[64];

static void set_up(void)
{
	strcpy(directory, "/tmp/mtgraph-replay-XXXXXX");
	cr_assert(mkdtemp(directory));
}

static const char *path_of(const char *name)
{
	static char path[2][512];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", directory, name);
	return path[turn];
}

static void tear_down(void)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlink(path_of(entry->d_name));
	if (dir)
		closedir(dir);
	rmdir(directory);
}

/* y = a * x + y over host memory that is copied in and out, twice in a row in one graph; the result is
 * checked on the device: a wrong word is an assertion of the kernel. */
static musaGraph_t make_saxpy(float *x, float *y, float *out)
{
	float *dx, *dy, a = 2;
	int n = 64;
	void *args[] = {&a, &dx, &dy, &n};
	struct musaKernelNodeParams params = t_kernel(kernel_saxpy, args);
	musaGraphNode_t copies[2], kernel, last;
	musaGraph_t graph;

	params.blockDim.x = 64;
	OK(musaMalloc((void **)&dx, 64 * sizeof(float)));
	OK(musaMalloc((void **)&dy, 64 * sizeof(float)));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddMemcpyNode1D(&copies[0], graph, NULL, 0, dx, x, 64 * sizeof(float),
				    musaMemcpyHostToDevice));
	OK(musaGraphAddMemcpyNode1D(&copies[1], graph, NULL, 0, dy, y, 64 * sizeof(float),
				    musaMemcpyHostToDevice));
	OK(musaGraphAddKernelNode(&kernel, graph, copies, 2, &params));
	OK(musaGraphAddMemcpyNode1D(&last, graph, &kernel, 1, out, dy, 64 * sizeof(float),
				    musaMemcpyDeviceToHost));
	return graph;
}

/* Where there is no card, that is what is said. */
Test(replay, needs_a_device, .init = set_up, .fini = tear_down)
{
	char said[OUTPUT_B];
	musaGraph_t graph;

	if (!access("/dev/dri", F_OK))
		cr_skip_test("there may be a card here");
	OK(musaGraphCreate(&graph, 0));
	t_add_put(graph, NULL, 0, t_ints(1), 1);
	OK(mtGraphSave(graph, path_of("g.mtgraph"), mtGraphSaveCode, 4096));
	TOOL(0, "replay --backend mock", path_of("g.mtgraph"));
	TOOL(3, "replay --backend drm", path_of("g.mtgraph"));
	cr_assert(strstr(said, "g.mtgraph: it cannot be built here: "), "%s", said);
	cr_assert(strstr(said, "no MUSA device"), "%s", said);
	TOOL(2, "replay --backend other", path_of("g.mtgraph"));
}

/* More devices than there are. */
Test(replay, needs_the_same_devices, .init = set_up, .fini = tear_down)
{
	char said[OUTPUT_B];
	musaGraph_t graph;

	EQ(setenv("MUSA_MOCK_DEVICES", "3", 1), 0);
	OK(musaSetDevice(2));
	OK(musaGraphCreate(&graph, 0));
	t_add_put(graph, NULL, 0, t_ints(1), 1);
	OK(mtGraphSave(graph, path_of("g.mtgraph"), mtGraphSaveCode, 4096));
	EQ(setenv("MUSA_MOCK_DEVICES", "1", 1), 0);
	TOOL(3, "replay", path_of("g.mtgraph"));
	cr_assert(strstr(said, "device 2 is needed, and there are 1"), "%s", said);
	EQ(unsetenv("MUSA_MOCK_DEVICES"), 0);
	TOOL(0, "replay", path_of("g.mtgraph"));
}

/* A graph with its memory and code in the file needs nothing else, and memory that was saved is what the
 * program had. */
Test(replay, needs_the_file_only, .init = set_up, .fini = tear_down)
{
	static float x[64], y[64], out[64];
	char said[OUTPUT_B];
	musaGraph_t graph;

	for (int i = 0; i < 64; i++) {
		x[i] = (float)i;
		y[i] = 1;
	}
	graph = make_saxpy(x, y, out);
	OK(mtGraphSave(graph, path_of("a.mtgraph"), mtGraphSaveCode, 1 << 20));
	TOOL(0, "replay --count 3", path_of("a.mtgraph"));
	TOOL(0, "replay --compare --count 4 --schedule random:7", path_of("a.mtgraph"));
	TOOL(0, "show --nodes", path_of("a.mtgraph"));
	cr_assert(strstr(said, "saxpy"), "%s", said);
	TOOL(0, "show --memory", path_of("a.mtgraph"));
	cr_assert(strstr(said, "saved"), "%s", said);
}

/* Without code, contents or host functions in the file it is not run, and each is named. */
Test(replay, names_what_is_lacking, .init = set_up, .fini = tear_down)
{
	const struct musaHostNodeParams host = {.fn = (musaHostFn_t)free, .userData = NULL};
	char said[OUTPUT_B];
	musaGraphNode_t node;
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	t_add_put(graph, NULL, 0, t_ints(16), 1);
	OK(musaGraphAddHostNode(&node, graph, NULL, 0, &host));
	OK(mtGraphSave(graph, path_of("bare.mtgraph"), 0, 0));
	TOOL(3, "replay", path_of("bare.mtgraph"));
	cr_assert(strstr(said, "lacks code object 0"), "%s", said);
	cr_assert(strstr(said, "lacks the host function of node 1"), "%s", said);
	cr_assert(strstr(said, "lacks the contents of memory"), "%s", said);
	TOOL(3, "replay --fill zero --skip-host", path_of("bare.mtgraph"));
	OK(mtGraphSave(graph, path_of("code.mtgraph"), mtGraphSaveCode, 0));
	TOOL(3, "replay --skip-host", path_of("code.mtgraph"));
	TOOL(3, "replay --fill zero", path_of("code.mtgraph"));
	TOOL(0, "replay --fill zero --skip-host", path_of("code.mtgraph"));
	TOOL(0, "replay --fill pattern --skip-host", path_of("code.mtgraph"));
}

/* Two kernels that write one word with no order between them give other results under some order. */
Test(replay, finds_a_forgotten_dependency, .init = set_up, .fini = tear_down)
{
	char said[OUTPUT_B];
	int *word = t_ints(64);
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	for (int i = 1; i <= 8; i++)
		t_add_put(graph, NULL, 0, word, i);
	OK(mtGraphSave(graph, path_of("race.mtgraph"), mtGraphSaveCode, 1 << 20));
	EQ(run_until_it_differs(path_of("race.mtgraph"), said), 1);
	cr_assert(strstr(said, "differ") && strstr(said, "memory "), "%s", said);
}

/* Everything that an exec may hold is there again: nested graphs, conditions, memory of its own, disabled
 * nodes, rows, arrays, events. */
Test(replay, of_every_kind, .init = set_up, .fini = tear_down)
{
	const struct musaChannelFormatDesc format = {32, 0, 0, 0, musaChannelFormatKindSigned};
	struct musaMemAllocNodeParams memory;
	struct musaGraphNodeParams params;
	struct musaMemcpy3DParms rows;
	musaGraphConditionalHandle handle;
	musaGraphNode_t nodes[8], off;
	musaGraph_t graph, child;
	musaGraphExec_t exec;
	musaArray_t array;
	musaEvent_t event;
	int *word = t_ints(4096), *count = t_ints(1), start = 3;
	char said[OUTPUT_B];
	void *args[] = {&handle, &count};

	OK(musaMemcpy(count, &start, sizeof(start), musaMemcpyHostToDevice));
	OK(musaGraphCreate(&child, 0));
	t_add_put(child, NULL, 0, word, 1);
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddChildGraphNode(&nodes[0], graph, NULL, 0, child));
	OK(musaGraphConditionalHandleCreate(&handle, graph, 1, musaGraphCondAssignDefault));
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeConditional;
	params.conditional.handle = handle;
	params.conditional.type = musaGraphCondTypeWhile;
	params.conditional.size = 1;
	OK(musaGraphAddNode(&nodes[1], graph, &nodes[0], 1, &params));
	t_add_kernel(params.conditional.phGraph_out[0], NULL, 0, kernel_count_down, args);
	memset(&memory, 0, sizeof(memory));
	memory.poolProps.allocType = musaMemAllocationTypePinned;
	memory.poolProps.location.type = musaMemLocationTypeDevice;
	memory.bytesize = 4096;
	OK(musaGraphAddMemAllocNode(&nodes[2], graph, &nodes[1], 1, &memory));
	nodes[3] = t_add_put(graph, &nodes[2], 1, memory.dptr, 5);
	OK(musaGraphAddMemFreeNode(&nodes[4], graph, &nodes[3], 1, memory.dptr));
	OK(musaMallocArray(&array, &format, 16, 16, 0));
	memset(&rows, 0, sizeof(rows));
	rows.srcPtr = (struct musaPitchedPtr){word, 64, 64, 16};
	rows.dstArray = array;
	rows.extent = (struct musaExtent){16, 16, 1};
	rows.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphAddMemcpyNode(&nodes[5], graph, &nodes[4], 1, &rows));
	OK(musaEventCreate(&event));
	OK(musaGraphAddEventRecordNode(&nodes[6], graph, &nodes[5], 1, event));
	OK(musaGraphAddEventWaitNode(&nodes[7], graph, &nodes[6], 1, event));
	/* Would fault if it ran. */
	off = t_add_put(graph, &nodes[7], 1, (int *)64, 1);
	/* An edge against the order of insertion. */
	nodes[0] = t_add_put(graph, NULL, 0, word + 1, 9);
	OK(musaGraphAddDependencies(graph, &nodes[0], &off, 1));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphNodeSetEnabled(exec, off, 0));
	OK(mtGraphExecSave(exec, path_of("all.mtgraph"), mtGraphSaveCode, 1 << 20));
	TOOL(0, "replay --count 2", path_of("all.mtgraph"));
	TOOL(0, "show --json", path_of("all.mtgraph"));
	TOOL(0, "show --chain", path_of("all.mtgraph"));
	cr_assert(strstr(said, "COND") && !strstr(said, "bad packet"), "%s", said);
}

/* A graph that fails says how. */
Test(replay, of_a_fault, .init = set_up, .fini = tear_down)
{
	char said[OUTPUT_B];
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	t_add_put(graph, NULL, 0, (int *)64, 1);
	OK(mtGraphSave(graph, path_of("fault.mtgraph"), mtGraphSaveCode, 1 << 20));
	TOOL(1, "replay", path_of("fault.mtgraph"));
	cr_assert(strstr(said, "musaErrorIllegalAddress"), "%s", said);
}

/* MUSA_GRAPH_SAVE saves what is instantiated, with no change to the program; limits are kept. */
Test(saving, by_environment, .init = set_up, .fini = tear_down)
{
	char said[OUTPUT_B], name[128];
	musaGraphExec_t exec;
	musaGraph_t graph;
	int *words, value = 3;

	setenv("MUSA_GRAPH_SAVE", directory, 1);
	setenv("MUSA_GRAPH_SAVE_MEMORY", "1K", 1);
	words = t_ints(1024);
	OK(musaMemcpy(words, &value, sizeof(value), musaMemcpyHostToDevice));
	OK(musaGraphCreate(&graph, 0));
	t_add_put(graph, NULL, 0, words, 1);
	OK(musaGraphInstantiate(&exec, graph, 0));
	snprintf(name, sizeof(name), "%s-%d-0.mtgraph", program_invocation_short_name,
		 (int)getpid());
	TOOL(0, "show", path_of(name));
	cr_assert(strstr(said, "executable graph"), "%s", said);
	TOOL(0, "show --memory", path_of(name));
	cr_assert(strstr(said, "over the limit"), "%s", said);
	unsetenv("MUSA_GRAPH_SAVE");
	TOOL(0, "replay --fill zero", path_of(name));
}

/* What cannot be understood is an error of the first call. */
Test(saving, wrong_directory)
{
	int count;

	setenv("MUSA_GRAPH_SAVE", "/nonexistent", 1);
	EXPECT(musaErrorInitializationError, musaGetDeviceCount(&count));
}

Test(saving, wrong_limit)
{
	int count;

	setenv("MUSA_GRAPH_SAVE_MEMORY", "64X", 1);
	EXPECT(musaErrorInitializationError, musaGetDeviceCount(&count));
}

/* Arguments are checked, and a file that cannot be written leaves nothing behind. */
Test(saving, refusals, .init = set_up, .fini = tear_down)
{
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	EXPECT(musaErrorInvalidValue, mtGraphSave(NULL, path_of("x"), 0, 0));
	EXPECT(musaErrorInvalidValue, mtGraphSave(graph, NULL, 0, 0));
	EXPECT(musaErrorInvalidValue, mtGraphSave(graph, path_of("x"), 2, 0));
	EXPECT(musaErrorInvalidValue, mtGraphExecSave(NULL, path_of("x"), 0, 0));
	EXPECT(musaErrorOperatingSystem, mtGraphSave(graph, "/nonexistent/x", 0, 0));
	OK(mtGraphSave(graph, path_of("x"), 0, 0));
	OK(mtGraphSave(graph, path_of("x"), 0, 0));
	OK(musaGraphDestroy(graph));
	EXPECT(musaErrorInvalidValue, mtGraphSave(graph, path_of("x"), 0, 0));
}
