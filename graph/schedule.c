/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: linear order by levels, lanes along chains, synchronisation by vector clocks.
 *
 * Lanes: the first child of a node continues its parent's lane. A further child whose own children
 * all are joins ("solo": it heads no chain) stays in a lane as part of an unordered group, which needs
 * no synchronisation at all; a child that heads a chain gets a lane of its own. So a wide layer or a
 * fan costs one lane, and independent chains run side by side.
 */
#include "graph/schedule.h"

#include <string.h>

#include "hw/base/block.h"

#define GROW_FROM     (4 * MT_SCHED_LANES_MAX)
#define PRIORITY_SPAN 64u /* distinct priorities that order nodes; devices have fewer */

struct lane {
	uint32_t segment;    /* open segment, 0 before the first node */
	uint32_t segment_id;
	uint32_t barrier;    /* segments up to this one are complete for what comes next */
	uint32_t clock;      /* row of the vector clock */
	uint32_t stamp;      /* when it got its last node */
	uint64_t open_edges; /* edges from its nodes to nodes not placed yet */
	bool solo;           /* the open segment holds solo nodes only */
	bool leaf;           /* a node without dependents may still run */
};

struct scheduler {
	const struct mt_sched_input *in;
	struct mt_schedule *out;
	uint32_t *to_start, *to; /* dependents of node i: to[to_start[i]..] */
	uint32_t *missing;       /* dependencies of a node that are not in the order yet */
	uint8_t *continued;      /* by node: a child took over its lane */
	uint32_t clock_count;
	uint32_t solo_lane;      /* where the last solo node went */
	uint32_t stamp;
	struct lane lanes[MT_SCHED_LANES_MAX];
};

/* What a node needs of each lane: the latest segment that holds a dependency, and one node in it. */
struct needs {
	uint32_t segment[MT_SCHED_LANES_MAX];
	uint32_t node[MT_SCHED_LANES_MAX];
	uint32_t mask;   /* lanes that occur */
	uint32_t parent; /* latest dependency whose lane nobody continued, or none */
	uint32_t latest; /* latest dependency, or none */
};

static uint32_t in_degree(const struct scheduler *s, uint32_t node)
{
	return s->in->dep_start[node + 1] - s->in->dep_start[node];
}

static uint32_t out_degree(const struct scheduler *s, uint32_t node)
{
	return s->to_start[node + 1] - s->to_start[node];
}

/* --- order ------------------------------------------------------------------------------------ */

/* Inverts the dependency lists by counting; the dependents of a node come in ascending order. */
static void fill_dependents(struct scheduler *s)
{
	uint32_t count = s->in->count, i, e;

	memset(s->to_start, 0, ((size_t)count + 1) * sizeof(*s->to_start));
	for (e = 0; e < s->in->dep_start[count]; e++)
		s->to_start[s->in->deps[e] + 1]++;
	for (i = 0; i < count; i++)
		s->to_start[i + 1] += s->to_start[i];
	/* Fill each list from its start, which moves on and is put back afterwards. */
	for (i = 0; i < count; i++) {
		s->missing[i] = in_degree(s, i);
		for (e = s->in->dep_start[i]; e < s->in->dep_start[i + 1]; e++)
			s->to[s->to_start[s->in->deps[e]]++] = i;
	}
	for (i = count; i > 0; i--)
		s->to_start[i] = s->to_start[i - 1];
	s->to_start[0] = 0;
}

/* Puts nodes that became ready together into the order of their priority, stably. */
static void sort_batch(struct scheduler *s, uint32_t *batch, uint32_t count, uint32_t *scratch)
{
	const int32_t *priority = s->in->priority;
	int32_t least = priority[batch[0]], most = least, p;
	uint32_t i, n = 0;

	for (i = 1; i < count; i++) {
		if (priority[batch[i]] < least)
			least = priority[batch[i]];
		if (priority[batch[i]] > most)
			most = priority[batch[i]];
	}
	if (least == most)
		return;
	if ((uint32_t)most - (uint32_t)least >= PRIORITY_SPAN)
		most = least + (int32_t)PRIORITY_SPAN - 1;
	for (p = least; p <= most; p++)
		for (i = 0; i < count; i++)
			if (priority[batch[i]] == p || (p == most && priority[batch[i]] > p))
				scratch[n++] = batch[i];
	memcpy(batch, scratch, count * sizeof(*batch));
}

/* Orders the nodes by levels; the number of nodes that could be ordered. */
static uint32_t order_nodes(struct scheduler *s, uint32_t *live_out)
{
	uint32_t *order = s->out->order, count = s->in->count, live = 0;
	uint32_t head = 0, tail = 0, end, i, e, node;

	for (i = 0; i < count; i++) {
		if (s->in->flags[i] & MT_SCHED_SKIP)
			continue;
		live++;
		if (!s->missing[i])
			order[tail++] = i;
	}
	while (head < tail) {
		end = tail;
		if (s->in->priority)
			/* The places are not used yet: room enough. */
			sort_batch(s, order + head, end - head, (uint32_t *)s->out->place);
		for (; head < end; head++) {
			node = order[head];
			for (e = s->to_start[node]; e < s->to_start[node + 1]; e++)
				if (!--s->missing[s->to[e]])
					order[tail++] = s->to[e];
		}
	}
	*live_out = live;
	return tail;
}

/* Every unordered node has an unordered dependency, so walking up for long enough ends on a cycle. */
static uint32_t find_cycle(const struct scheduler *s)
{
	uint32_t count = s->in->count, node = 0, step, e;

	while ((s->in->flags[node] & MT_SCHED_SKIP) || !s->missing[node])
		node++;
	for (step = 0; step < count; step++) {
		for (e = s->in->dep_start[node]; !s->missing[s->in->deps[e]]; e++)
			;
		node = s->in->deps[e];
	}
	return node;
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* A node that heads no chain: each of its dependents joins it with something else. */
static bool is_solo(const struct scheduler *s, uint32_t node)
{
	uint32_t e;

	if (s->in->flags[node] & MT_SCHED_STALL)
		return false;
	for (e = s->to_start[node]; e < s->to_start[node + 1]; e++)
		if (in_degree(s, s->to[e]) < 2)
			return false;
	return true;
}

static const uint32_t *clock_of(const struct scheduler *s, uint32_t row)
{
	return s->out->clocks + (size_t)row * s->in->lane_max;
}

/* Lanes that a node in `lane` would have to wait for. */
static uint32_t unknown_lanes(const struct scheduler *s, const struct needs *needs, uint32_t lane)
{
	const uint32_t *clock = clock_of(s, s->lanes[lane].clock);
	uint32_t left = needs->mask & ~(1u << lane), unknown = 0, m;

	for (; left; left &= left - 1) {
		m = (uint32_t)__builtin_ctz(left);
		if (needs->segment[m] > clock[m])
			unknown |= 1u << m;
	}
	return unknown;
}

/* Whether a solo node fits into the open group of a lane without a sync point. */
static bool joins_group(const struct scheduler *s, const struct needs *needs, uint32_t lane)
{
	const struct lane *l = &s->lanes[lane];

	if (!l->segment || !l->solo)
		return false;
	if ((needs->mask & (1u << lane)) && needs->segment[lane] > l->barrier)
		return false;
	return !unknown_lanes(s, needs, lane);
}

/* A lane for the head of a chain: one whose work is all joined, a new one, else the one that has
 * been quiet for longest. */
static uint32_t pick_lane(struct scheduler *s)
{
	uint32_t i, best = 0;
	bool idle, best_idle = false;

	for (i = 0; i < s->out->lane_count; i++)
		if (!s->lanes[i].open_edges && !s->lanes[i].leaf)
			return i;
	if (s->out->lane_count < s->in->lane_max)
		return s->out->lane_count++;
	for (i = 0; i < s->out->lane_count; i++) {
		idle = !s->lanes[i].open_edges;
		if (!i || (idle && !best_idle) ||
		    (idle == best_idle && s->lanes[i].stamp < s->lanes[best].stamp)) {
			best = i;
			best_idle = idle;
		}
	}
	return best;
}

static uint32_t choose_lane(struct scheduler *s, uint32_t node, const struct needs *needs,
			    bool solo)
{
	uint32_t lane;

	if ((s->in->flags[node] & MT_SCHED_QUICK) && needs->latest != MT_SCHED_NONE)
		return s->out->place[needs->latest].lane;
	if (needs->parent != MT_SCHED_NONE) {
		s->continued[needs->parent] = 1;
		lane = s->out->place[needs->parent].lane;
	} else if (s->in->lane_max == 1) {
		lane = 0;
		s->out->lane_count = 1;
	} else if (solo && needs->latest != MT_SCHED_NONE &&
		   joins_group(s, needs, s->out->place[needs->latest].lane)) {
		lane = s->out->place[needs->latest].lane;
	} else if (solo && joins_group(s, needs, s->solo_lane)) {
		lane = s->solo_lane;
	} else {
		lane = pick_lane(s);
	}
	if (solo)
		s->solo_lane = lane;
	return lane;
}

/* --- synchronisation -------------------------------------------------------------------------- */

static void gather_needs(const struct scheduler *s, uint32_t node, struct needs *needs)
{
	const struct mt_sched_place *place;
	uint32_t e, dep, parent_id = 0, latest_id = 0;

	needs->mask = 0;
	needs->parent = MT_SCHED_NONE;
	needs->latest = MT_SCHED_NONE;
	for (e = s->in->dep_start[node]; e < s->in->dep_start[node + 1]; e++) {
		dep = s->in->deps[e];
		place = &s->out->place[dep];
		if (!place->segment)
			continue; /* an empty root: complete from the start */
		if (!(needs->mask & (1u << place->lane)) ||
		    place->segment > needs->segment[place->lane]) {
			needs->mask |= 1u << place->lane;
			needs->segment[place->lane] = place->segment;
			needs->node[place->lane] = dep;
		}
		if (needs->latest == MT_SCHED_NONE || place->segment_id > latest_id) {
			needs->latest = dep;
			latest_id = place->segment_id;
		}
		if (!s->continued[dep] &&
		    (needs->parent == MT_SCHED_NONE || place->segment_id > parent_id)) {
			needs->parent = dep;
			parent_id = place->segment_id;
		}
	}
}

/* Doubles an array of blocks.h's. */
static MUresult grow(void **array, uint32_t *capacity, size_t item_b)
{
	uint32_t bigger = *capacity ? *capacity * 2 : GROW_FROM;
	void *moved = mt_block_take(bigger * item_b, false);

	if (!moved)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (*array)
		memcpy(moved, *array, *capacity * item_b);
	mt_block_give(*array, *capacity * item_b);
	*array = moved;
	*capacity = bigger;
	return MUSA_SUCCESS;
}

/* A copy of a lane's clock row that the lane may change; NULL without memory. */
static uint32_t *new_clock(struct scheduler *s, uint32_t lane)
{
	uint32_t width = s->in->lane_max;
	uint32_t *clocks;

	if (s->clock_count == s->out->clock_capacity &&
	    grow((void **)&s->out->clocks, &s->out->clock_capacity, width * sizeof(*clocks)))
		return NULL;
	clocks = s->out->clocks + (size_t)s->clock_count * width;
	if (s->clock_count)
		memcpy(clocks, clock_of(s, s->lanes[lane].clock), width * sizeof(*clocks));
	else
		memset(clocks, 0, width * sizeof(*clocks));
	s->lanes[lane].clock = s->clock_count++;
	return clocks;
}

static MUresult reserve_waits(struct scheduler *s)
{
	if (s->out->wait_count + MT_SCHED_LANES_MAX <= s->out->wait_capacity)
		return MUSA_SUCCESS;
	return grow((void **)&s->out->waits, &s->out->wait_capacity, sizeof(*s->out->waits));
}

/* Adds the waits that a node in `lane` needs, latest first, because what the later segment already
 * waited for need not be waited for again. */
static MUresult add_waits(struct scheduler *s, uint32_t node, const struct needs *needs,
			  uint32_t lane, uint32_t unknown)
{
	const struct mt_sched_place *place;
	const uint32_t *other;
	uint32_t *clock, left = unknown, scan, m, latest, k;
	MUresult ret = reserve_waits(s);

	if (ret)
		return ret;
	clock = new_clock(s, lane);
	if (!clock)
		return MUSA_ERROR_OUT_OF_MEMORY;
	while (left) {
		latest = (uint32_t)__builtin_ctz(left);
		for (scan = left; scan; scan &= scan - 1) {
			m = (uint32_t)__builtin_ctz(scan);
			if (s->out->place[needs->node[m]].segment_id >
			    s->out->place[needs->node[latest]].segment_id)
				latest = m;
		}
		left &= ~(1u << latest);
		if (needs->segment[latest] <= clock[latest])
			continue;
		place = &s->out->place[needs->node[latest]];
		other = clock_of(s, place->clock);
		for (k = 0; k < s->in->lane_max; k++)
			if (other[k] > clock[k])
				clock[k] = other[k];
		clock[latest] = place->segment;
		s->out->signalled[place->segment_id] = 1;
		s->out->waits[s->out->wait_count++] =
			(struct mt_sched_wait){ .segment = place->segment, .lane = latest };
		s->out->place[node].wait_count++;
	}
	return MUSA_SUCCESS;
}

/* Counts the node in and its dependencies' edges out. */
static void occupy_lane(struct scheduler *s, uint32_t node, struct lane *lane)
{
	uint32_t e;

	lane->leaf |= !out_degree(s, node);
	lane->stamp = ++s->stamp;
	lane->open_edges += out_degree(s, node);
	for (e = s->in->dep_start[node]; e < s->in->dep_start[node + 1]; e++)
		s->lanes[s->out->place[s->in->deps[e]].lane].open_edges--;
}

/* An empty node whose dependencies all stand in its lane is complete with the last of them, a root
 * with nothing, and nobody asks for a leaf: none needs a place in a segment of its own. */
static bool alias_empty(struct scheduler *s, uint32_t node, const struct needs *needs, uint32_t lane)
{
	struct mt_sched_place *place = &s->out->place[node];

	if (!(s->in->flags[node] & MT_SCHED_EMPTY))
		return false;
	if ((needs->mask & ~(1u << lane)) &&
	    (out_degree(s, node) || (s->in->flags[node] & MT_SCHED_ASKED)))
		return false;
	if (needs->mask & (1u << lane))
		*place = s->out->place[needs->node[lane]];
	else
		memset(place, 0, sizeof(*place));
	place->lane = (uint8_t)lane;
	place->barrier = 0;
	place->wait_count = 0;
	occupy_lane(s, node, &s->lanes[lane]);
	return true;
}

/* Starts a new segment of a lane. */
static inline void open_segment(struct scheduler *s, struct lane *lane)
{
	lane->segment++;
	lane->segment_id = s->out->segment_count++;
	lane->solo = true;
}

/* The common case of an ordinary node with one dependency whose lane it takes over. */
static bool place_in_chain(struct scheduler *s, uint32_t node)
{
	struct mt_sched_place *place = &s->out->place[node];
	const struct mt_sched_place *dep;
	struct lane *lane;
	uint32_t parent, degree;

	if (in_degree(s, node) != 1 || s->in->flags[node])
		return false;
	parent = s->in->deps[s->in->dep_start[node]];
	if (s->continued[parent])
		return false;
	s->continued[parent] = 1;
	dep = &s->out->place[parent];
	lane = &s->lanes[dep->lane];
	place->barrier = dep->segment > lane->barrier;
	if (place->barrier) {
		lane->barrier = lane->segment;
		lane->leaf = false;
		s->out->barrier_count++;
	}
	if (place->barrier || !lane->segment)
		open_segment(s, lane);
	if (s->in->lane_max > 1) {
		if (!is_solo(s, node))
			lane->solo = false;
		else
			s->solo_lane = dep->lane;
		degree = out_degree(s, node);
		lane->leaf |= !degree;
		lane->stamp = ++s->stamp;
		lane->open_edges += degree;
		lane->open_edges--;
	}
	place->segment = lane->segment;
	place->segment_id = lane->segment_id;
	place->clock = lane->clock;
	place->lane = dep->lane;
	place->wait_count = 0;
	return true;
}

static MUresult place_node(struct scheduler *s, uint32_t node)
{
	struct mt_sched_place *place = &s->out->place[node];
	uint8_t flags = s->in->flags[node];
	struct needs needs;
	struct lane *lane;
	uint32_t index, unknown;
	bool solo, barrier;
	MUresult ret;

	gather_needs(s, node, &needs);
	solo = s->in->lane_max > 1 && is_solo(s, node);
	index = choose_lane(s, node, &needs, solo);
	if (alias_empty(s, node, &needs, index))
		return MUSA_SUCCESS;
	lane = &s->lanes[index];
	memset(place, 0, sizeof(*place));

	barrier = !(flags & MT_SCHED_EMPTY) && (needs.mask & (1u << index)) &&
		  needs.segment[index] > lane->barrier;
	unknown = unknown_lanes(s, &needs, index);
	if (unknown) {
		ret = add_waits(s, node, &needs, index, unknown);
		if (ret)
			return ret;
	}
	if (barrier) {
		lane->barrier = lane->segment;
		lane->leaf = false;
		place->barrier = 1;
		s->out->barrier_count++;
	}
	if (barrier || unknown || !lane->segment || (flags & MT_SCHED_STALL))
		open_segment(s, lane);
	lane->solo &= solo;
	occupy_lane(s, node, lane);
	place->segment = lane->segment;
	place->segment_id = lane->segment_id;
	place->clock = lane->clock;
	place->lane = (uint8_t)index;
	return MUSA_SUCCESS;
}

/* --- whole ------------------------------------------------------------------------------------ */

struct scratch {
	void *memory;
	size_t size_b;
};

/* Result and scratch arrays, one block each. */
static MUresult get_memory(struct scheduler *s, struct scratch *scratch)
{
	size_t count = s->in->count, edges = s->in->dep_start[count];
	struct mt_schedule *out = s->out;

	/* A node opens at most one segment. */
	out->memory_b = count * (sizeof(*out->place) + sizeof(*out->order) + 1) + 1;
	out->memory = mt_block_take(out->memory_b, false);
	if (!out->memory)
		return MUSA_ERROR_OUT_OF_MEMORY;
	out->place = out->memory;
	out->order = (uint32_t *)(out->place + count);
	out->signalled = (uint8_t *)(out->order + count);

	scratch->size_b = (2 * count + 1 + edges) * sizeof(uint32_t) + count + 1;
	scratch->memory = mt_block_take(scratch->size_b, false);
	if (!scratch->memory) {
		mt_schedule_finish(out);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	s->to_start = scratch->memory;
	s->missing = s->to_start + count + 1;
	s->to = s->missing + count;
	s->continued = (uint8_t *)(s->to + edges);
	return MUSA_SUCCESS;
}

static MUresult run(struct scheduler *s, uint32_t *cycle_out)
{
	uint32_t live, i;
	MUresult ret;

	fill_dependents(s);
	s->out->order_count = order_nodes(s, &live);
	if (s->out->order_count < live) {
		*cycle_out = find_cycle(s);
		return MUSA_ERROR_INVALID_VALUE;
	}
	memset(s->out->signalled, 0, s->in->count);
	memset(s->continued, 0, s->in->count);
	if (!new_clock(s, 0)) /* row 0: nothing known */
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < s->out->order_count; i++) {
		if (place_in_chain(s, s->out->order[i]))
			continue;
		ret = place_node(s, s->out->order[i]);
		if (ret)
			return ret;
	}
	if (!s->out->lane_count)
		s->out->lane_count = 1;
	return MUSA_SUCCESS;
}

MUresult mt_schedule_create(const struct mt_sched_input *input, uint32_t *cycle_out,
			    struct mt_schedule *out)
{
	struct scheduler s = { .in = input, .out = out };
	struct scratch scratch;
	MUresult ret;

	*cycle_out = MT_SCHED_NONE;
	memset(out, 0, sizeof(*out));
	out->clock_width = input->lane_max;
	ret = get_memory(&s, &scratch);
	if (ret)
		return ret;
	ret = run(&s, cycle_out);
	mt_block_give(scratch.memory, scratch.size_b);
	if (ret)
		mt_schedule_finish(out);
	return ret;
}

void mt_schedule_finish(struct mt_schedule *schedule)
{
	mt_block_give(schedule->memory, schedule->memory_b);
	mt_block_give(schedule->waits, schedule->wait_capacity * sizeof(*schedule->waits));
	mt_block_give(schedule->clocks, (size_t)schedule->clock_capacity * schedule->clock_width *
						sizeof(*schedule->clocks));
	memset(schedule, 0, sizeof(*schedule));
}

/*
 * A dependent of `after` has a barrier behind after's segment or waits for it, which covers all earlier
 * segments of that lane, and what the lane knew of other lanes there.
 */
bool mt_schedule_is_behind(const struct mt_schedule *schedule, uint32_t before, uint32_t after)
{
	const struct mt_sched_place *b = &schedule->place[before], *a = &schedule->place[after];

	if (!b->segment)
		return true; /* nothing to wait for */
	if (!a->segment)
		return false;
	if (b->lane == a->lane)
		return b->segment <= a->segment;
	return b->segment <= schedule->clocks[(size_t)a->clock * schedule->clock_width + b->lane];
}
