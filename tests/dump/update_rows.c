/* SPDX-License-Identifier: MIT */
/*
 * `mtgraph-dump diff` says of two saved graphs what musaGraphExecUpdate() says of the graphs: for a pair
 * of each row of the update rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mtgraph.h"
#include "support.h"
#include "update_pairs.h"

/* The last line that the tool prints, and its exit code. */
static int ask_tool(const char *a, const char *b, char line[512])
{
	const char *tool = getenv("MTGRAPH_DUMP");
	char command[1024];
	FILE *pipe;
	int status;

	cr_assert(tool, "MTGRAPH_DUMP names no tool");
	/* The files say how many devices it takes. */
	snprintf(command, sizeof(command), "env -u MUSA_MOCK_DEVICES %s diff %s %s", tool, a, b);
	pipe = popen(command, "r");
	cr_assert(pipe);
	line[0] = '\0';
	while (fgets(line, 512, pipe))
		;
	status = pclose(pipe);
	cr_assert(WIFEXITED(status), "%s dies", command);
	return WEXITSTATUS(status);
}

static const char *word_of(enum musaGraphExecUpdateResult result)
{
	switch (result) {
	case musaGraphExecUpdateErrorTopologyChanged:
		return "topology changed";
	case musaGraphExecUpdateErrorNodeTypeChanged:
		return "node type changed";
	case musaGraphExecUpdateErrorParametersChanged:
		return "parameters changed";
	case musaGraphExecUpdateErrorAttributesChanged:
		return "attributes changed";
	case musaGraphExecUpdateErrorNotSupported:
		return "not supported";
	case musaGraphExecUpdateErrorUnsupportedFunctionChange:
		return "unsupported function change";
	default:
		return "?";
	}
}

/* The id of a node in its graph, if it is the root's. */
static long id_of(musaGraph_t graph, musaGraphNode_t node)
{
	musaGraphNode_t nodes[16];
	size_t count = 16, i;

	OK(musaGraphGetNodes(graph, nodes, &count));
	for (i = 0; i < count; i++)
		if (nodes[i] == node)
			return (long)i;
	return -1;
}

static void check_row(const struct update_pair *row, const char *directory)
{
	char a_path[256], b_path[256], line[512], want[128];
	musaGraphExecUpdateResultInfo info = {0};
	musaGraph_t a, b;
	musaGraphExec_t exec;
	musaError_t error;
	int code;

	snprintf(a_path, sizeof(a_path), "%s/a.mtgraph", directory);
	snprintf(b_path, sizeof(b_path), "%s/b.mtgraph", directory);
	OK(musaGraphCreate(&a, 0));
	OK(musaGraphCreate(&b, 0));
	row->build(a, false);
	row->build(b, true);
	OK(musaGraphInstantiateWithFlags(&exec, a, row->flags));
	OK(mtGraphExecSave(exec, a_path, mtGraphSaveCode, 0));
	OK(mtGraphSave(b, b_path, mtGraphSaveCode, 0));
	error = musaGraphExecUpdate(exec, b, &info);
	code = ask_tool(a_path, b_path, line);
	cr_assert(code == 0 || code == 1, "%s: diff ends with %d", row->name, code);
	if (!error) {
		cr_assert_str_eq(line, "B can update A\n", "%s: %s", row->name, line);
	} else {
		EXPECT(musaErrorGraphExecUpdateFailure, error);
		snprintf(want, sizeof(want), "B cannot update A: %s", word_of(info.result));
		cr_assert_eq(strncmp(line, want, strlen(want)), 0, "%s: %s, not %s", row->name,
			     line, want);
		snprintf(want, sizeof(want), "at node %ld of graph 0", id_of(b, info.errorNode));
		if (info.errorNode && id_of(b, info.errorNode) >= 0)
			cr_assert(strstr(line, want), "%s: %s, not %s", row->name, line, want);
		cr_assert_eq(!info.errorNode, !strstr(line, "at node"), "%s: %s", row->name, line);
	}
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
	OK(musaGraphDestroy(b));
	unlink(a_path);
	unlink(b_path);
}

/* The tool's answer is the API's, for every row. */
Test(diff, every_row, .timeout = 280)
{
	char directory[] = "/tmp/mtgraph-rows-XXXXXX";

	cr_assert(mkdtemp(directory));
	setenv("MUSA_MOCK_DEVICES", "2", 1); /* some rows are about a second device */
	update_pairs_set_up();
	for (unsigned int i = 0; i < update_pair_count; i++)
		check_row(&update_pairs[i], directory);
	rmdir(directory);
}
