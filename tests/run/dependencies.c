/* SPDX-License-Identifier: MIT */
/* Random DAGs: the order in which nodes ran is a linear extension of the edges, under any schedule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static uint64_t state;

static uint32_t below(uint32_t limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % limit;
}

#define NODES_MAX 2400
#define EDGES_MAX (NODES_MAX * 4)

static musaGraphNode_t nodes[NODES_MAX];
static int from[EDGES_MAX], to[EDGES_MAX];
static int log_host[NODES_MAX + 1], place[NODES_MAX];

/* Builds a random DAG of `count` nodes; edges go from lower to higher numbers, in varying density. */
static int build(musaGraph_t graph, int *log, int count)
{
	int edges = 0, reach = 1 + (int)below(64);

	for (int i = 0; i < count; i++) {
		musaGraphNode_t deps[4];
		int dep_ids[4];
		size_t dep_count = 0;

		for (int d = (int)below(4); d > 0 && i > 0; d--) {
			int at = i - 1 - (int)below((uint32_t)(i < reach ? i : reach));
			bool twice = false;

			for (size_t k = 0; k < dep_count; k++)
				twice = twice || dep_ids[k] == at;
			if (twice)
				continue;
			dep_ids[dep_count] = at;
			deps[dep_count++] = nodes[at];
			from[edges] = at;
			to[edges++] = i;
		}
		nodes[i] = t_add_append(graph, deps, dep_count, log, i);
	}
	return edges;
}

static void check_order(const int *log, int count, int edges, uint64_t seed)
{
	t_read_all(log, log_host, (size_t)count + 1);
	cr_assert_eq(log_host[0], count, "seed %llu: %d of %d nodes ran", (unsigned long long)seed,
		     log_host[0], count);
	memset(place, 0xff, sizeof(place));
	for (int i = 0; i < count; i++) {
		int id = log_host[1 + i];

		cr_assert(id >= 0 && id < count && place[id] < 0, "seed %llu: entry %d is node %d",
			  (unsigned long long)seed, i, id);
		place[id] = i;
	}
	for (int e = 0; e < edges; e++)
		cr_assert_lt(place[from[e]], place[to[e]], "seed %llu: node %d ran before %d",
			     (unsigned long long)seed, to[e], from[e]);
}

static void run_dags(uint64_t first, int graphs, int large)
{
	int *log = t_ints(NODES_MAX + 1);
	musaStream_t stream = t_stream();

	for (int g = 0; g < graphs; g++) {
		uint64_t seed = first + (uint64_t)g;
		musaGraph_t graph;
		musaGraphExec_t exec;
		int count, edges;

		state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
		count = g < large ? 2000 : 1 + (int)below(327);
		OK(musaGraphCreate(&graph, 0));
		edges = build(graph, log, count);
		OK(musaGraphInstantiate(&exec, graph, 0));
		OK(musaGraphDestroy(graph));
		for (int launch = 0; launch < 2; launch++) {
			OK(musaMemsetAsync(log, 0, sizeof(int), stream));
			OK(musaGraphLaunch(exec, stream));
			OK(musaStreamSynchronize(stream));
			check_order(log, count, edges, seed);
		}
		OK(musaGraphExecDestroy(exec));
	}
}

static int number_of(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

/* All of them, in the schedule of the environment. */
Test(dependencies, random_dags, .timeout = 300)
{
	int graphs = number_of("DAG_GRAPHS", 1000);

	run_dags(1, graphs, graphs / 50);
}

/* Other schedules: each seed in a process of its own, since the schedule is read once. BXFI_MAP would
 * make the test runner think that it is one of its own children. */
Test(dependencies, random_schedules, .timeout = 600)
{
	int seeds = number_of("DAG_SEEDS", 200), graphs = number_of("DAG_SEED_GRAPHS", 50);
	char self[512], command[1024];
	ssize_t length;

	if (getenv("DAG_CHILD")) {
		run_dags((uint64_t)number_of("DAG_CHILD", 0) * 1000, graphs, 1);
		return;
	}
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	cr_assert_gt(length, 0);
	self[length] = 0;
	for (int seed = 1; seed <= seeds; seed++) {
		snprintf(command, sizeof(command),
			 "env -u BXFI_MAP DAG_CHILD=%d MUSA_MOCK_SCHEDULE=random:%d '%s' --filter "
			 "dependencies/random_schedules >/dev/null 2>&1",
			 seed, seed, self);
		cr_assert_eq(system(command), 0, "schedule seed %d fails", seed);
	}
}
