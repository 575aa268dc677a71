/* SPDX-License-Identifier: MIT */
/*
 * Time stamps around the nodes of an exec, where the trace asks for them (MUSA_TRACE_TIMES): each node
 * with packets gets a TIMESTAMP in front and one behind. A stamp waits for the packets before it, so
 * the nodes of a queue then run one after the other.
 *
 * Every launch writes the same words. They are read when the launch has completed: at the exec's next
 * launch, which waits for that for a second at most, and when the exec goes.
 */
#ifndef MT_GRAPH_EXEC_TIMES_H
#define MT_GRAPH_EXEC_TIMES_H

#include "graph/exec.h"

#define MT_EXEC_STAMPS_B 16u /* start, end */

struct mt_exec_times {
	mt_place *stamps;  /* by node, MT_PLACE_NONE without; in the exec's arena, like the next */
	uint8_t *queues;   /* by node */
	uint64_t launches; /* successful ones */
	bool pending;      /* the newest one has not been read */
};

/* Makes exec->times for its nodes. OUT_OF_MEMORY. */
MUresult mt_exec_times_create(struct mt_exec *exec);

/* Reads the newest launch if it has not been read. `wait`: give it a second to complete. */
void mt_exec_times_collect(struct mt_exec *exec, bool wait);

/* A launch was submitted. */
static inline void mt_exec_times_launched(struct mt_exec_times *times)
{
	times->launches++;
	times->pending = true;
}

/* What stood in the words when they were read last is gone; what a completed launch has left in them.
 * false: the node has not run since, or has no stamps. */
bool mt_exec_times_get(const struct mt_exec *exec, uint32_t node, uint64_t times_out[2]);

#endif
