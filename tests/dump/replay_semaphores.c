/* SPDX-License-Identifier: MIT */
/*
 * A saved graph with external semaphores: who else has them is lacking, and without that the nodes are
 * still what they were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mtgraph.h"
#include "run_tool.h"
#include "test_semaphore.h"

static musaGraphNode_t add(musaGraph_t graph, musaGraphNode_t dep, bool signal,
			   musaExternalSemaphore_t semaphore, unsigned long long value)
{
	struct musaExternalSemaphoreSignalParams signal_value = {.params.fence.value = value};
	struct musaExternalSemaphoreWaitParams wait_value = {.params.fence.value = value};
	const struct musaExternalSemaphoreSignalNodeParams signals = {&semaphore, &signal_value, 1};
	const struct musaExternalSemaphoreWaitNodeParams waits = {&semaphore, &wait_value, 1};
	musaGraphNode_t node;

	if (signal)
		OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, &dep, dep ? 1 : 0,
							    &signals));
	else
		OK(musaGraphAddExternalSemaphoresWaitNode(&node, graph, &dep, dep ? 1 : 0, &waits));
	return node;
}

/* Waits for another process, answers it, waits again: for values of two semaphores that never come here. */
Test(replay, of_external_semaphores, .timeout = 120)
{
	char directory[] = "/tmp/mtgraph-semaphores-XXXXXX", path[64], command[64], said[OUTPUT_B];
	musaExternalSemaphore_t ours = t_semaphore(NULL), theirs = t_semaphore(NULL);
	int *words = t_ints(2);
	musaGraphNode_t node;
	musaGraph_t graph;

	cr_assert(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/g.mtgraph", directory);
	OK(musaGraphCreate(&graph, 0));
	node = add(graph, NULL, false, theirs, 5);
	node = t_add_put(graph, &node, 1, words, 1);
	node = add(graph, node, true, theirs, 4);
	node = add(graph, node, true, ours, 1);
	node = add(graph, node, false, theirs, 7);
	t_add_put(graph, &node, 1, words + 1, 2);
	OK(mtGraphSave(graph, path, mtGraphSaveCode, 1 << 20));

	TOOL(3, "replay", path);
	cr_assert(strstr(said, "lacks the external semaphores of node 0 in graph 0"), "%s", said);
	cr_assert(strstr(said, "--skip-host"), "%s", said);
	TOOL(0, "replay --skip-host --compare --count 4", path);
	cr_assert(strstr(said, "6 nodes, 4 runs"), "%s", said);
	cr_assert(strstr(said, "every run gives the same results"), "%s", said);
	/* The nodes are the nodes that they were: the replay's own graph is saved as well. */
	EQ(setenv("MUSA_GRAPH_SAVE", directory, 1), 0);
	TOOL(0, "replay --skip-host", path);
	EQ(unsetenv("MUSA_GRAPH_SAVE"), 0);
	snprintf(path, sizeof(path), "%s/mtgraph-dump-*", directory);
	TOOL(0, "show --nodes", path);
	cr_assert(strstr(said, "node 0: semaphore wait"), "%s", said);
	cr_assert(strstr(said, "node 3: semaphore signal"), "%s", said);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	EQ(system(command), 0);
}
