/* SPDX-License-Identifier: MIT */
/*
 * Which vertices of a graph without cycles lead to which. Answers mostly come from numbers that are
 * worked out once (order, chains, intervals of two depth-first searches); only what they leave open is
 * searched for, between the two vertices' places in the order.
 */
#ifndef MT_DUMP_REACH_H
#define MT_DUMP_REACH_H

#include <stdbool.h>
#include <stdint.h>

struct reach {
	uint32_t count;
	const uint32_t *start, *next; /* borrowed: successors of v are next[start[v]..start[v + 1]) */
	uint32_t *order; /* owned, like all that follow: vertices, each behind what leads to it */
	uint32_t *rank;  /* place in the order */
	uint32_t *low[2], *post[2]; /* of each search: what v leads to has its numbers in between */
	uint32_t *tree;  /* first number of the first search's tree below v */
	uint32_t *seen, *stack;
	uint32_t stamp;
};

/* 0, -ENOMEM, or -ELOOP for a graph with a cycle. The arrays are borrowed until reach_finish(). */
int reach_init(struct reach *reach, uint32_t count, const uint32_t *start, const uint32_t *next);
void reach_finish(struct reach *reach); /* accepts a zeroed one */

/* A path leads from `from` to `to`, or they are the same. */
bool reach_test(struct reach *reach, uint32_t from, uint32_t to);

#endif
