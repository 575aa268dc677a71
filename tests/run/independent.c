/* SPDX-License-Identifier: MIT */
/* Branches without a path between them run at the same time where there are workers. */
#include <stdlib.h>

#include "support.h"

#define BRANCHES 4

/* A graph of a root and four branches, each of which needs the other three to be running. */
static musaGraph_t make_meeting(int *flags, int **first)
{
	musaGraph_t graph;
	musaGraphNode_t root, node;

	OK(musaGraphCreate(&graph, 0));
	root = t_add_put(graph, NULL, 0, *first, 1);
	for (int me = 0; me < BRANCHES; me++) {
		int count = BRANCHES;
		void *args[] = {&flags, &me, &count};

		node = t_add_kernel(graph, &root, 1, kernel_meet, args);
		(void)node;
	}
	return graph;
}

/* Four kernels that wait for each other finish with four workers. */
Test(independent, four_spinning_branches_finish_with_four_workers, .timeout = 60)
{
	int *flags, *first;

	setenv("MUSA_MOCK_THREADS", "4", 1);
	flags = t_ints(BRANCHES);
	first = t_ints(1);
	for (int round = 0; round < 5; round++) {
		OK(musaMemset(flags, 0, BRANCHES * sizeof(int)));
		t_run(make_meeting(flags, &first));
		for (int i = 0; i < BRANCHES; i++)
			EQ(t_read(flags + i), 1);
	}
}

/* With one worker the watchdog ends it with an error instead of a hang. */
Test(independent, one_worker_and_a_watchdog_give_an_error, .timeout = 60)
{
	musaStream_t stream;
	musaGraphExec_t exec;
	int *flags, *first;

	setenv("MUSA_MOCK_THREADS", "1", 1);
	setenv("MUSA_MOCK_WATCHDOG_MS", "300", 1);
	flags = t_ints(BRANCHES);
	first = t_ints(1);
	stream = t_stream();
	OK(musaGraphInstantiate(&exec, make_meeting(flags, &first), 0));
	OK(musaGraphLaunch(exec, stream));
	EXPECT(musaErrorLaunchTimeout, musaStreamSynchronize(stream));
	EXPECT(musaErrorLaunchTimeout, musaDeviceSynchronize());
}

/* Long branches do not wait for each other: B1 spins until the second node of branch A has run. */
Test(independent, a_branch_may_wait_for_the_depth_of_another, .timeout = 60)
{
	int *flag = t_ints(1), *scratch = t_ints(1);
	musaGraph_t graph;
	musaGraphNode_t root, a1, a2, b1;
	void *args[] = {&flag};

	OK(musaGraphCreate(&graph, 0));
	root = t_add_put(graph, NULL, 0, scratch, 0);
	b1 = t_add_kernel(graph, &root, 1, kernel_wait_flag, args);
	a1 = t_add_put(graph, &root, 1, scratch, 1);
	a2 = t_add_put(graph, &a1, 1, flag, 1);
	(void)b1;
	(void)a2;
	t_run(graph);
	EQ(t_read(flag), 1);
}
