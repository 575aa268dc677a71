/* SPDX-License-Identifier: MIT */
/* Pairs of graphs, of which the second updates the first, or is refused. */
#ifndef TEST_DUMP_UPDATE_PAIRS_H
#define TEST_DUMP_UPDATE_PAIRS_H

#include <stdbool.h>

#include "musa_runtime.h"

struct update_pair {
	const char *name;
	void (*build)(musaGraph_t graph, bool second); /* adds the nodes of the one or the other */
	unsigned long long flags;                      /* of the instantiation of the first */
};

extern const struct update_pair update_pairs[];
extern const unsigned int update_pair_count;

/* What the graphs share; needs two devices. */
void update_pairs_set_up(void);

#endif
