/* SPDX-License-Identifier: MIT */
/* What a schedule costs: lanes, waits, signals and barriers of the shapes that programs have. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/exec/sched_model.h"

#define LANES 8u

static struct model_counts counts;
static uint32_t lanes_used;
static struct mt_sched_place *places;

/* Schedules, checks and counts. */
static void run(struct model_graph *graph)
{
	struct mt_schedule schedule;
	const char *why;
	uint32_t cycle;

	graph->input.lane_max = LANES;
	cr_assert_eq(mt_schedule_create(&graph->input, &cycle, &schedule), MUSA_SUCCESS);
	why = model_check(graph, &schedule, &counts);
	cr_assert_null(why, "%s", why);
	lanes_used = schedule.lane_count;
	places = calloc(graph->input.count, sizeof(*places));
	for (uint32_t i = 0; i < graph->input.count; i++)
		places[i] = schedule.place[i];
	mt_schedule_finish(&schedule);
	model_graph_finish(graph);
}

/* A straight line is one lane with barriers in the packets' own headers, nothing else. */
Test(schedule_counts, chain)
{
	struct model_graph graph;
	uint32_t i, n = 10000;

	model_graph_init(&graph, n, n);
	for (i = 0; i < n; i++) {
		model_graph_node(&graph, 0);
		if (i)
			model_graph_edge(&graph, i - 1);
	}
	run(&graph);
	cr_assert_eq(lanes_used, 1);
	cr_assert_eq(counts.waits + counts.signals, 0);
	cr_assert_eq(counts.barriers, n - 1);
}

/* Layers in which everything depends on everything need one barrier a layer. */
Test(schedule_counts, all_to_all)
{
	struct model_graph graph;
	uint32_t layer, i, k;

	model_graph_init(&graph, 1024, 3 * 256 * 256);
	for (layer = 0; layer < 4; layer++)
		for (i = 0; i < 256; i++) {
			model_graph_node(&graph, 0);
			for (k = 0; layer && k < 256; k++)
				model_graph_edge(&graph, (layer - 1) * 256 + k);
		}
	run(&graph);
	cr_assert_leq(counts.nodes + counts.waits + counts.signals, 1024 + 4 * 4 * LANES);
	cr_assert_lt(counts.waits, 2 * LANES * 4);
	cr_assert_eq(counts.barriers, 3);
}

/* A fan of single nodes is one unordered group. */
Test(schedule_counts, fan)
{
	struct model_graph graph;
	uint32_t i;

	model_graph_init(&graph, 1026, 2048);
	model_graph_node(&graph, 0);
	for (i = 0; i < 1024; i++) {
		model_graph_node(&graph, 0);
		model_graph_edge(&graph, 0);
	}
	model_graph_node(&graph, 0);
	for (i = 0; i < 1024; i++)
		model_graph_edge(&graph, 1 + i);
	run(&graph);
	cr_assert_eq(counts.waits + counts.signals, 0);
	cr_assert_eq(counts.barriers, 2);
}

/* Long branches between a fork and a join run on lanes of their own, stage after stage on the same
 * ones, and synchronise at the fork and at the join only. */
Test(schedule_counts, branches)
{
	struct model_graph graph;
	uint32_t stage, i, k, base, stages = 50, width = 8, length = 10;

	model_graph_init(&graph, stages * (1 + width * length) + 1, stages * (width * length * 2 + 2));
	model_graph_node(&graph, 0);
	for (stage = 0; stage < stages; stage++) {
		base = stage * (1 + width * length);
		for (k = 0; k < length; k++)
			for (i = 0; i < width; i++) {
				model_graph_node(&graph, 0);
				model_graph_edge(&graph, k ? base + 1 + (k - 1) * width + i : base);
			}
		model_graph_node(&graph, 0);
		for (i = 0; i < width; i++)
			model_graph_edge(&graph, base + 1 + (length - 1) * width + i);
	}
	run(&graph);
	cr_assert_eq(lanes_used, width);
	cr_assert_leq(counts.waits, stages * 2 * (width - 1));
	cr_assert_leq(counts.signals, stages * width);
}

/* Chains that have nothing to do with each other never share a lane while lanes are left, and do not
 * wait for each other. */
Test(schedule_counts, independent_chains)
{
	struct model_graph graph;
	uint32_t i, k;

	model_graph_init(&graph, 400, 400);
	for (i = 0; i < LANES; i++)
		for (k = 0; k < 50; k++) {
			model_graph_node(&graph, 0);
			if (k)
				model_graph_edge(&graph, i * 50 + k - 1);
		}
	run(&graph);
	cr_assert_eq(lanes_used, LANES);
	cr_assert_eq(counts.waits, 0);
	for (i = 0; i < LANES; i++)
		for (k = 1; k < 50; k++)
			cr_assert_eq(places[i * 50 + k].lane, places[i * 50].lane);
}

/* A node beside a chain is never made to wait for the chain, nor the chain for the node. */
Test(schedule_counts, single_node_beside_a_chain)
{
	struct model_graph graph;

	/* 0 -> {1, 2 -> 3 -> 4} */
	model_graph_init(&graph, 5, 8);
	model_graph_node(&graph, 0);
	model_graph_node(&graph, 0);
	model_graph_edge(&graph, 0);
	model_graph_node(&graph, 0);
	model_graph_edge(&graph, 0);
	model_graph_node(&graph, 0);
	model_graph_edge(&graph, 2);
	model_graph_node(&graph, 0);
	model_graph_edge(&graph, 3);
	run(&graph);
	cr_assert_neq(places[1].lane, places[2].lane);
	cr_assert_eq(places[3].lane, places[2].lane);
	cr_assert_eq(counts.waits, 1);
}

/* A node that stops its lane's issue has a lane of its own while one is left. */
Test(schedule_counts, waiting_node_stands_alone)
{
	struct model_graph graph;
	uint32_t i;

	model_graph_init(&graph, 4, 1);
	for (i = 0; i < 4; i++)
		model_graph_node(&graph, i == 1 ? MT_SCHED_STALL : 0);
	run(&graph);
	for (i = 0; i < 4; i++)
		if (i != 1)
			cr_assert_neq(places[i].lane, places[1].lane);
	cr_assert_eq(counts.waits, 0);
}
