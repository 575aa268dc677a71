/* SPDX-License-Identifier: MIT */
/* The reference interpreter of scheduled lanes. */
#include "tests/exec/sched_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES MT_SCHED_LANES_MAX

enum item_kind { ITEM_NODE, ITEM_SIGNAL, ITEM_WAIT };

struct item {
	enum item_kind kind;
	uint32_t node; /* NODE */
	uint32_t lane; /* WAIT */
	uint32_t value;
	bool barrier;
};

struct lane_program {
	struct item *items;
	uint32_t count, capacity, at;
	uint32_t open_id;    /* segment whose nodes are being collected */
	uint32_t open_value;
	uint32_t slot;       /* progress word */
	uint32_t (*at_signal)[LANES]; /* knowledge when a segment was signalled */
	uint32_t known[LANES];        /* items of each lane that have completed for sure */
};

void model_graph_init(struct model_graph *graph, uint32_t count, uint32_t edge_room)
{
	memset(graph, 0, sizeof(*graph));
	graph->dep_start = calloc(count + 1, sizeof(uint32_t));
	graph->deps = calloc(edge_room + 1, sizeof(uint32_t));
	graph->flags = calloc(count + 1, 1);
	graph->input.dep_start = graph->dep_start;
	graph->input.deps = graph->deps;
	graph->input.flags = graph->flags;
}

void model_graph_node(struct model_graph *graph, uint8_t flags)
{
	uint32_t node = graph->input.count++;

	graph->flags[node] = flags;
	graph->dep_start[node + 1] = graph->dep_start[node];
}

void model_graph_edge(struct model_graph *graph, uint32_t dep)
{
	graph->deps[graph->dep_start[graph->input.count]++] = dep;
}

void model_graph_finish(struct model_graph *graph)
{
	free(graph->dep_start);
	free(graph->deps);
	free(graph->flags);
	free(graph->priority);
}

static void push(struct lane_program *lane, struct item item)
{
	if (lane->count == lane->capacity) {
		lane->capacity = lane->capacity ? lane->capacity * 2 : 16;
		lane->items = realloc(lane->items, lane->capacity * sizeof(item));
	}
	lane->items[lane->count++] = item;
}

static void end_segment(const struct mt_schedule *schedule, struct lane_program *lane,
			struct model_counts *counts)
{
	if (!lane->open_value || !schedule->signalled[lane->open_id])
		return;
	push(lane, (struct item){ .kind = ITEM_SIGNAL, .value = lane->open_value });
	counts->signals++;
}

/* What an emitter makes of the schedule. */
static void write_programs(const struct model_graph *graph, const struct mt_schedule *schedule,
			   struct lane_program *lanes, struct model_counts *counts)
{
	const struct mt_sched_place *place;
	struct lane_program *lane;
	uint32_t i, w, cursor = 0, node;

	for (i = 0; i < schedule->order_count; i++) {
		node = schedule->order[i];
		place = &schedule->place[node];
		lane = &lanes[place->lane];
		if ((graph->flags[node] & MT_SCHED_EMPTY) && !place->wait_count)
			continue;
		if (lane->open_value != place->segment) {
			end_segment(schedule, lane, counts);
			lane->open_value = place->segment;
			lane->open_id = place->segment_id;
		}
		for (w = 0; w < place->wait_count; w++, cursor++) {
			push(lane, (struct item){ .kind = ITEM_WAIT,
						  .lane = schedule->waits[cursor].lane,
						  .value = schedule->waits[cursor].segment });
			counts->waits++;
		}
		if (graph->flags[node] & MT_SCHED_EMPTY)
			continue;
		push(lane, (struct item){ .kind = ITEM_NODE, .node = node,
					  .barrier = place->barrier });
		counts->nodes++;
		counts->barriers += place->barrier;
	}
	for (i = 0; i < schedule->lane_count; i++)
		end_segment(schedule, &lanes[i], counts);
}

/* Whether every real node above `node` is known to be complete; empty ones pass the question on. */
static bool deps_known(const struct model_graph *graph, const struct mt_schedule *schedule,
		       const uint32_t *index, uint32_t node, const struct lane_program *lane)
{
	uint32_t *stack = malloc(((size_t)graph->dep_start[graph->input.count] + 2) *
				 sizeof(*stack));
	uint8_t *seen = calloc(graph->input.count, 1);
	uint32_t depth = 1, e, dep;
	bool ok = true;

	stack[0] = node;
	while (depth && ok) {
		node = stack[--depth];
		for (e = graph->dep_start[node]; e < graph->dep_start[node + 1]; e++) {
			dep = graph->deps[e];
			if (seen[dep])
				continue;
			seen[dep] = 1;
			if (graph->flags[dep] & MT_SCHED_EMPTY)
				stack[depth++] = dep;
			else if (index[dep] >= lane->known[schedule->place[dep].lane])
				ok = false;
		}
	}
	free(stack);
	free(seen);
	return ok;
}

/* Executes one item of a lane; false if it has to wait. */
static bool step(struct lane_program *lanes, uint32_t l)
{
	struct lane_program *lane = &lanes[l], *other;
	const struct item *item = &lane->items[lane->at];
	uint32_t k;

	switch (item->kind) {
	case ITEM_NODE:
		if (item->barrier)
			lane->known[l] = lane->at;
		break;
	case ITEM_SIGNAL:
		lane->known[l] = lane->at;
		memcpy(lane->at_signal[item->value], lane->known, sizeof(lane->known));
		lane->slot = item->value;
		break;
	case ITEM_WAIT:
		other = &lanes[item->lane];
		if (other->slot < item->value)
			return false;
		for (k = 0; k < LANES; k++)
			if (other->at_signal[item->value][k] > lane->known[k])
				lane->known[k] = other->at_signal[item->value][k];
		break;
	}
	lane->at++;
	return true;
}

static const char *run_programs(const struct model_graph *graph, const struct mt_schedule *schedule,
				struct lane_program *lanes, const uint32_t *index)
{
	bool progress = true;
	const struct item *item;
	uint32_t l;

	while (progress) {
		progress = false;
		for (l = 0; l < schedule->lane_count; l++) {
			while (lanes[l].at < lanes[l].count) {
				item = &lanes[l].items[lanes[l].at];
				if (!step(lanes, l))
					break;
				progress = true;
				if (item->kind == ITEM_NODE &&
				    !deps_known(graph, schedule, index, item->node, &lanes[l]))
					return "a dependency is not kept";
			}
		}
	}
	for (l = 0; l < schedule->lane_count; l++)
		if (lanes[l].at < lanes[l].count)
			return "a lane waits for ever";
	return NULL;
}

const char *model_check(const struct model_graph *graph, const struct mt_schedule *schedule,
			struct model_counts *counts_out)
{
	struct lane_program lanes[LANES] = { 0 };
	uint32_t *index = calloc(graph->input.count + 1, sizeof(*index)), real = 0, l, i;
	struct model_counts counts = { 0 };
	const char *why = NULL;

	write_programs(graph, schedule, lanes, &counts);
	for (l = 0; l < LANES; l++) {
		lanes[l].at_signal = calloc((size_t)lanes[l].open_value + 1,
					    sizeof(*lanes[l].at_signal));
		for (i = 0; i < lanes[l].count; i++)
			if (lanes[l].items[i].kind == ITEM_NODE)
				index[lanes[l].items[i].node] = i;
	}
	for (i = 0; i < graph->input.count; i++)
		real += !(graph->flags[i] & (MT_SCHED_EMPTY | MT_SCHED_SKIP));
	if (counts.nodes != real)
		why = "a node is missing";
	if (!why)
		why = run_programs(graph, schedule, lanes, index);
	for (l = 0; l < LANES; l++) {
		free(lanes[l].items);
		free(lanes[l].at_signal);
	}
	free(index);
	*counts_out = counts;
	return why;
}
