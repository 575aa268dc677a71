/* SPDX-License-Identifier: MIT */
/* Every edge of a graph is kept by barriers and waits, no lane gets stuck, and cycles are found. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/exec/sched_model.h"

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 11) % limit);
}

/* `near` keeps dependencies close, which makes chains; far ones make bushes. `mixed`: also empty,
 * waiting and removed nodes. */
static void make_random(struct model_graph *graph, uint32_t count, uint32_t degree, uint32_t near,
			bool mixed)
{
	uint32_t i, k, wanted, dep, room, last;
	uint8_t *used = calloc(count + 1, 1), flags;

	model_graph_init(graph, count, count * degree);
	for (i = 0; i < count; i++) {
		flags = mixed && random_below(12) == 0 ? MT_SCHED_EMPTY : 0;
		if (mixed && random_below(25) == 0)
			flags = MT_SCHED_STALL;
		else if (mixed && random_below(40) == 0)
			flags = MT_SCHED_SKIP;
		model_graph_node(graph, flags);
		if (flags & MT_SCHED_SKIP)
			continue;
		room = i < near ? i : near;
		wanted = room ? random_below(degree + 1) : 0;
		last = graph->dep_start[i];
		for (k = 0; k < wanted; k++) {
			dep = i - 1 - random_below(room);
			if (used[dep] || (graph->flags[dep] & MT_SCHED_SKIP))
				continue;
			used[dep] = 1;
			model_graph_edge(graph, dep);
		}
		for (; last < graph->dep_start[i + 1]; last++)
			used[graph->deps[last]] = 0;
	}
	free(used);
}

static void check_random(uint64_t seed, uint32_t count_max)
{
	struct model_counts counts;
	struct mt_schedule schedule;
	struct model_graph graph;
	const char *why;
	uint32_t cycle, count, i;
	MUresult ret;

	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	count = 1 + random_below(count_max);
	make_random(&graph, count, 1 + random_below(5), 1 + random_below(count),
		    random_below(4));
	graph.input.lane_max = 1 + random_below(MT_SCHED_LANES_MAX);
	if (random_below(2)) {
		graph.priority = calloc(count, sizeof(int32_t));
		for (i = 0; i < count; i++)
			graph.priority[i] = -(int32_t)random_below(6);
		graph.input.priority = graph.priority;
	}
	ret = mt_schedule_create(&graph.input, &cycle, &schedule);
	cr_assert_eq(ret, MUSA_SUCCESS, "seed %lu: %d", (unsigned long)seed, (int)ret);
	cr_assert_eq(cycle, MT_SCHED_NONE);
	why = model_check(&graph, &schedule, &counts);
	cr_assert_null(why, "seed %lu, %u nodes, %u lanes: %s", (unsigned long)seed, count,
		       graph.input.lane_max, why);
	mt_schedule_finish(&schedule);
	model_graph_finish(&graph);
}

/* Random graphs of all densities, on any number of lanes, keep each of their edges. */
Test(schedule, random_graphs_keep_edges)
{
	uint64_t seed;

	for (seed = 1; seed <= 1500; seed++)
		check_random(seed, 200);
	for (; seed <= 1520; seed++)
		check_random(seed, 2000);
}

static struct model_graph graph;
static struct mt_schedule schedule;
static struct model_counts counts;

static void make_schedule(uint32_t lane_max)
{
	uint32_t cycle;

	random_state = 77;
	make_random(&graph, 120, 3, 30, false);
	graph.input.lane_max = lane_max;
	cr_assert_eq(mt_schedule_create(&graph.input, &cycle, &schedule), MUSA_SUCCESS);
	cr_assert_null(model_check(&graph, &schedule, &counts));
}

static void drop_schedule(void)
{
	mt_schedule_finish(&schedule);
	model_graph_finish(&graph);
}

/* On one lane every barrier is needed: without any of them the model finds an edge broken. */
Test(schedule, no_barrier_is_spare)
{
	uint32_t i, dropped = 0;

	make_schedule(1);
	for (i = 0; i < graph.input.count; i++) {
		if (!schedule.place[i].barrier)
			continue;
		schedule.place[i].barrier = 0;
		dropped++;
		cr_assert_not_null(model_check(&graph, &schedule, &counts), "node %u", i);
		schedule.place[i].barrier = 1;
	}
	cr_assert_gt(dropped, 5);
	drop_schedule();
}

/* Every wait of a lane for another is needed, too. */
Test(schedule, no_wait_is_spare)
{
	struct mt_sched_wait wait;
	uint32_t i;

	make_schedule(6);
	cr_assert_gt(schedule.wait_count, 5);
	for (i = 0; i < schedule.wait_count; i++) {
		wait = schedule.waits[i];
		schedule.waits[i].segment = 0; /* met from the beginning */
		cr_assert_not_null(model_check(&graph, &schedule, &counts), "wait %u", i);
		schedule.waits[i] = wait;
	}
	drop_schedule();
}

/* Whatever else is in the graph, the node named for a cycle lies on one. */
Test(schedule, cycle_names_a_node_on_it)
{
	struct mt_schedule schedule;
	struct model_graph graph;
	uint32_t cycle, i;

	/* 0 -> 1 -> {2 -> 3 -> 4 -> 2} -> 5 -> 6 */
	model_graph_init(&graph, 7, 16);
	for (i = 0; i < 7; i++) {
		model_graph_node(&graph, 0);
		if (i)
			model_graph_edge(&graph, i - 1);
		if (i == 2)
			model_graph_edge(&graph, 4);
	}
	graph.input.lane_max = 4;
	cr_assert_eq(mt_schedule_create(&graph.input, &cycle, &schedule),
		     MUSA_ERROR_INVALID_VALUE);
	cr_assert(cycle >= 2 && cycle <= 4, "node %u", cycle);
	model_graph_finish(&graph);
}

/* An empty graph and a graph of removed nodes have an empty order on one lane. */
Test(schedule, nothing_to_do)
{
	struct mt_schedule schedule;
	struct model_graph graph;
	uint32_t cycle;

	model_graph_init(&graph, 1, 1);
	graph.input.lane_max = 4;
	cr_assert_eq(mt_schedule_create(&graph.input, &cycle, &schedule), MUSA_SUCCESS);
	cr_assert_eq(schedule.order_count, 0);
	cr_assert_eq(schedule.lane_count, 1);
	mt_schedule_finish(&schedule);
	model_graph_node(&graph, MT_SCHED_SKIP);
	cr_assert_eq(mt_schedule_create(&graph.input, &cycle, &schedule), MUSA_SUCCESS);
	cr_assert_eq(schedule.order_count, 0);
	mt_schedule_finish(&schedule);
	model_graph_finish(&graph);
}

/* Nodes that become ready together stand in the order of their priority, others in theirs. */
Test(schedule, priority_orders_ready_nodes)
{
	static const uint32_t expected[] = { 4, 2, 1, 3, 5, 0, 6 };
	struct mt_schedule schedule;
	struct model_graph graph;
	uint32_t cycle, i;

	model_graph_init(&graph, 7, 8);
	for (i = 0; i < 7; i++)
		model_graph_node(&graph, 0);
	model_graph_edge(&graph, 4);
	graph.priority = calloc(7, sizeof(int32_t));
	graph.priority[4] = -5;
	graph.priority[2] = -3;
	graph.priority[0] = 1;
	graph.input.priority = graph.priority;
	graph.input.lane_max = 2;
	cr_assert_eq(mt_schedule_create(&graph.input, &cycle, &schedule), MUSA_SUCCESS);
	for (i = 0; i < 7; i++)
		cr_assert_eq(schedule.order[i], expected[i], "position %u: %u, expected %u", i,
			     schedule.order[i], expected[i]);
	mt_schedule_finish(&schedule);
	model_graph_finish(&graph);
}
