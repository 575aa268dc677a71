/* SPDX-License-Identifier: MIT */
/* DOT output of graphs: one statement per node and edge under all flags, and failures to write told. */
#include "dot_parser.h"
#include "graph_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/mtgraph-dot-XXXXXX";
static char path[64];

static void start(void)
{
	cr_assert_not_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/graph.dot", directory);
}

static void stop(void)
{
	unlink(path);
	rmdir(directory);
}

TestSuite(dot_files, .init = start, .fini = stop);

static void do_nothing(void *data)
{
	(void)data;
}

/* One node of every plain type, a child graph of two nodes, a conditional with two bodies. */
static musaGraph_t make(int *nodes_out, int *edges_out)
{
	musaGraph_t graph = t_graph(), child = t_graph();
	int *word = t_ints(8);
	struct musaMemsetParams fill = { word, 0, 1, 4, 1, 1 };
	struct musaHostNodeParams host = { do_nothing, NULL };
	struct musaExternalSemaphoreSignalNodeParams signal = { NULL, NULL, 0 };
	struct musaExternalSemaphoreWaitNodeParams wait = { NULL, NULL, 0 };
	struct musaGraphNodeParams params;
	musaGraphNode_t node = t_add_put(graph, NULL, 0, word, 1), next, in_child;
	musaEvent_t event;

	OK(musaEventCreate(&event));
	OK(musaGraphAddMemcpyNode1D(&next, graph, &node, 1, word + 1, word, 4,
				    musaMemcpyDeviceToDevice));
	OK(musaGraphAddMemsetNode(&node, graph, &next, 1, &fill));
	OK(musaGraphAddHostNode(&next, graph, &node, 1, &host));
	OK(musaGraphAddEventRecordNode(&node, graph, &next, 1, event));
	OK(musaGraphAddEventWaitNode(&next, graph, &node, 1, event));
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, &next, 1, &signal));
	OK(musaGraphAddExternalSemaphoresWaitNode(&next, graph, &node, 1, &wait));
	in_child = t_empty(child, NULL, 0);
	t_empty(child, &in_child, 1);
	OK(musaGraphAddChildGraphNode(&node, graph, &next, 1, child));
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeConditional;
	OK(musaGraphConditionalHandleCreate(&params.conditional.handle, graph, 0, 0));
	params.conditional.type = musaGraphCondTypeIf;
	params.conditional.size = 2;
	OK(musaGraphAddNode(&next, graph, &node, 1, &params));
	t_empty(params.conditional.phGraph_out[1], NULL, 0);
	OK(musaGraphDestroy(child));
	*nodes_out = 10 + 2 + 1;
	*edges_out = 9 + 1;
	return graph;
}

static char *read_file(size_t *size_out)
{
	FILE *file = fopen(path, "r");
	char *text;
	long size;

	cr_assert_not_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	cr_assert_eq(fread(text, 1, (size_t)size, file), (size_t)size);
	fclose(file);
	*size_out = (size_t)size;
	return text;
}

/* By our own reader, which is strict about the form. */
static void count_statements(const char *text, int *nodes_out, int *edges_out)
{
	struct dot_counts counts = dot_parse(text);

	cr_assert_null(counts.error, "line %zu: %s", counts.line, counts.error);
	*nodes_out = (int)counts.nodes;
	*edges_out = (int)counts.edges;
}

/* The file goes through Graphviz without a word, where that is installed. */
static void parse(void)
{
	char command[256];

	if (system("command -v dot >/dev/null 2>&1"))
		return;
	snprintf(command, sizeof(command), "dot -Tcanon %s -o /dev/null 2>%s.err && ! test -s %s.err",
		 path, path, path);
	cr_assert_eq(system(command), 0);
	snprintf(command, sizeof(command), "%s.err", path);
	unlink(command);
}

/* The same nodes and edges whatever the flags; verbose has all that single flags add. */
Test(dot_files, flags)
{
	int want_nodes, want_edges, nodes, edges;
	musaGraph_t graph = make(&want_nodes, &want_edges);
	char *verbose, *text, *line, *state;
	size_t size;

	OK(musaGraphDebugDotPrint(graph, path, musaGraphDebugDotFlagsVerbose));
	parse();
	verbose = read_file(&size);
	for (int bit = -1; bit < 20; bit++) {
		OK(musaGraphDebugDotPrint(graph, path, bit < 0 ? 0 : 1u << bit));
		parse();
		text = read_file(&size);
		count_statements(text, &nodes, &edges);
		EQ(nodes, want_nodes);
		EQ(edges, want_edges);
		if (bit < 0)
			cr_assert_null(strstr(text, "put"));
		if (bit == 2)
			cr_assert_not_null(strstr(text, "put"));
		if (bit == 10)
			cr_assert_not_null(strstr(text, "handle: 0x"));
		/* Each field of each label stands in the verbose print as well. */
		for (line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
			char *field = strstr(line, "label=\""), *end;

			if (line[0] != '"' || !field)
				continue;
			field += strlen("label=\"");
			*strrchr(field, '"') = 0;
			for (; field; field = end) {
				end = strstr(field, "\\n");
				if (end) {
					*end = 0;
					end += 2;
				}
				cr_assert_not_null(strstr(verbose, field), "%s", field);
			}
		}
		free(text);
	}
	free(verbose);
	OK(musaGraphDestroy(graph));
}

/* Two prints of one graph are equal byte by byte, also while a capture fills it. */
Test(dot_files, repeatable)
{
	int nodes, edges;
	musaGraph_t graph = make(&nodes, &edges), ended;
	musaStream_t stream = t_stream();
	enum musaStreamCaptureStatus status;
	char *one, *two;
	size_t size_one, size_two;

	OK(musaGraphDebugDotPrint(graph, path, 0));
	one = read_file(&size_one);
	OK(musaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, musaStreamCaptureModeGlobal));
	OK(musaGraphDebugDotPrint(graph, path, 0));
	two = read_file(&size_two);
	OK((musaStreamIsCapturing)(stream, &status));
	EQ(status, musaStreamCaptureStatusActive);
	OK(musaStreamEndCapture(stream, &ended));
	EQ(size_one, size_two);
	cr_assert(!memcmp(one, two, size_one));
	free(one);
	free(two);
	OK(musaGraphDestroy(graph));
}

Test(dot_files, empty_graph)
{
	musaGraph_t graph = t_graph();
	int nodes, edges;
	char *text;
	size_t size;

	OK(musaGraphDebugDotPrint(graph, path, 1u << 31));
	parse();
	text = read_file(&size);
	count_statements(text, &nodes, &edges);
	EQ(nodes + edges, 0);
	free(text);
	OK(musaGraphDestroy(graph));
}

/* What cannot be opened or not be written to its end is an operating system error. */
Test(dot_files, failures)
{
	int nodes, edges;
	musaGraph_t graph = make(&nodes, &edges);
	char bad[128];

	EXPECT(IV, musaGraphDebugDotPrint(NULL, path, 0));
	EXPECT(IV, musaGraphDebugDotPrint(graph, NULL, 0));
	EXPECT(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph, "", 0));
	snprintf(bad, sizeof(bad), "%s/none/graph.dot", directory);
	EXPECT(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph, bad, 0));
	EXPECT(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph, directory, 0));
	EXPECT(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph, "/dev/full", 0));
	EXPECT(musaErrorOperatingSystem, musaGraphDebugDotPrint(graph, "/dev/full", 1));
	OK(musaGraphDestroy(graph));
}

static unsigned int count_of(const char *text, const char *word)
{
	unsigned int count = 0;

	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		count++;
	return count;
}

/* Scripts look for types and directions by the words that they have elsewhere. */
Test(dot_files, words)
{
	static const struct {
		const char *word;
		unsigned int count, verbose;
	} words[] = {
		{ "KERNEL", 1, 1 },	    { "MEMCPY", 4, 4 },	      { "MEMSET", 1, 1 },
		{ "EVENT_WAIT", 1, 1 },	    { "EVENT_RECORD", 1, 1 }, { "EXT_SEMAS_SIGNAL", 1, 1 },
		{ "EXT_SEMAS_WAIT", 1, 1 }, { "EMPTY", 3, 3 },	      { "GRAPH", 1, 1 },
		{ "CONDITIONAL", 1, 1 },    { "HtoD", 1, 1 },	      { "DtoD", 1, 1 },
		{ "DtoH", 1, 1 },	    { "HtoA", 1, 1 },	      { "HOST", 1, 4 },
	};
	struct musaChannelFormatDesc desc = { 32, 0, 0, 0, musaChannelFormatKindSigned };
	struct musaMemcpy3DParms copy;
	int nodes, edges, host, *word = t_ints(1);
	musaGraph_t graph = make(&nodes, &edges);
	musaGraphNode_t node;
	size_t size;
	char *text;

	memset(&copy, 0, sizeof(copy));
	OK(musaMallocArray(&copy.dstArray, &desc, 1, 1, 0));
	copy.srcPtr = make_musaPitchedPtr(&host, sizeof(host), sizeof(host), 1);
	copy.extent = make_musaExtent(1, 1, 1);
	copy.kind = musaMemcpyHostToDevice;
	OK(musaGraphAddMemcpyNode(&node, graph, NULL, 0, &copy));
	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, word, &host, 4, musaMemcpyDefault));
	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, &host, word, 4, musaMemcpyDefault));
	for (unsigned int flags = 0; flags < 2; flags++) {
		OK(musaGraphDebugDotPrint(graph, path, flags));
		text = read_file(&size);
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			cr_assert_eq(count_of(text, words[i].word),
				     flags ? words[i].verbose : words[i].count, "%s",
				     words[i].word);
		free(text);
	}
	unlink(path);
	OK(musaGraphDestroy(graph));
	OK(musaFreeArray(copy.dstArray));
}
