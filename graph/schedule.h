/* SPDX-License-Identifier: MIT */
/*
 * Scheduling of a dependency graph: a linear order, a lane for each node, and the barriers, waits and
 * signals that keep every dependency. Works on plain arrays, so that it is tested without a device.
 *
 * Nodes of a lane are issued in the linear order and may overlap. A *segment* is a run of nodes of
 * one lane between two sync points; its number counts from 1 in its lane. Inside a segment nothing
 * depends on anything. Two things keep an edge:
 *
 *   same lane       a barrier at the start of some later segment;
 *   another lane    a wait for "segment n of lane m has completed" at the start of a segment; lane m
 *                   signals n behind the last node of that segment.
 *
 * A vector clock per lane says what a lane already knows of the others, so that a wait is only made
 * where it adds something: the cost of synchronisation follows lanes and layers, not edges.
 */
#ifndef MT_GRAPH_SCHEDULE_H
#define MT_GRAPH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "drv/result.h"

#define MT_SCHED_LANES_MAX 16u
#define MT_SCHED_NONE      0xffffffffu

enum mt_sched_node_flags {
	MT_SCHED_SKIP = 1u << 0,  /* no node at all: not scheduled, has no edges */
	MT_SCHED_EMPTY = 1u << 1, /* no packets: passes its dependencies on */
	MT_SCHED_STALL = 1u << 2, /* its packets stop the lane's issue for long: waits and loops */
	MT_SCHED_ASKED = 1u << 4, /* the place of this empty node is asked for afterwards */
	MT_SCHED_QUICK = 1u << 3, /* takes no time: shares its parent's lane with the next child */
};

struct mt_sched_input {
	uint32_t count;             /* nodes */
	const uint32_t *dep_start;  /* count + 1 entries: dependencies of node i are deps[dep_start[i]..] */
	const uint32_t *deps;
	const uint8_t *flags;       /* enum mt_sched_node_flags by node */
	const int32_t *priority;    /* by node, lower is more urgent among nodes that become ready
	                             * together; NULL: order of the node numbers' insertion */
	uint32_t lane_max;          /* 1..MT_SCHED_LANES_MAX */
};

/* Where a node stands. An empty node without waits has nothing to emit; its segment is then that of
 * its last dependency, 0 if it has none. */
struct mt_sched_place {
	uint32_t segment;    /* number in its lane, from 1 */
	uint32_t segment_id; /* over all lanes */
	uint32_t clock;      /* row of the lane's vector clock in force there */
	uint8_t lane;
	uint8_t barrier;     /* the node needs a barrier in its lane */
	uint16_t wait_count; /* waits in front of it, from the cursor of the waits */
};

/* A wait in front of a node; the waits stand in the linear order of their nodes. */
struct mt_sched_wait {
	uint32_t segment;
	uint32_t lane;
};

struct mt_schedule {
	uint32_t order_count;
	uint32_t *order;              /* nodes in linear order */
	struct mt_sched_place *place; /* by node */
	uint32_t wait_count, wait_capacity;
	struct mt_sched_wait *waits;  /* owned */
	uint32_t segment_count;
	uint8_t *signalled;           /* by segment id: some lane waits for it */
	uint32_t lane_count;          /* lanes in use, at least 1 */
	uint32_t barrier_count;
	uint32_t clock_width;         /* lane_max of the input */
	uint32_t clock_capacity;      /* rows */
	uint32_t *clocks;             /* owned: rows that the places name, clock_width segments each */
	void *memory;                 /* owned: behind order, place, signalled */
	size_t memory_b;
};

/**
 * mt_schedule_create() - Schedule a graph.
 * @input:	The graph. Borrowed for the call.
 * @cycle_out:	[out] A node on a cycle if the graph has one, else MT_SCHED_NONE. Always written.
 * @out:	[out] Filled on success; release with mt_schedule_finish().
 *
 * Time and memory O(nodes + edges), without recursion.
 * Errors: INVALID_VALUE for a cycle, OUT_OF_MEMORY.
 */
MUresult mt_schedule_create(const struct mt_sched_input *input, uint32_t *cycle_out,
			    struct mt_schedule *out);
void mt_schedule_finish(struct mt_schedule *schedule); /* accepts a zeroed one */

/* Whatever depends on `after` starts when `before` has completed, by an edge or not. */
bool mt_schedule_is_behind(const struct mt_schedule *schedule, uint32_t before, uint32_t after);

#endif
