/* SPDX-License-Identifier: MIT */
/* The edge set against a table of all pairs, under random insertions and removals. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "graph/edge_set.h"

enum { N = 64, STEPS = 200000 };

Test(edge_set, random_walk)
{
	static bool there[N][N];
	struct mt_edge_set *set = mt_edge_set_create(0);
	unsigned int seed = 1, from, to;

	cr_assert_not_null(set);
	for (int i = 0; i < STEPS; i++) {
		from = (unsigned int)rand_r(&seed) % N;
		to = (unsigned int)rand_r(&seed) % N;
		cr_assert_eq(mt_edge_set_has(set, from, to), there[from][to]);
		if (!there[from][to])
			cr_assert(mt_edge_set_insert(set, from, to));
		else
			mt_edge_set_remove(set, from, to);
		there[from][to] = !there[from][to];
	}
	for (from = 0; from < N; from++)
		for (to = 0; to < N; to++)
			cr_assert_eq(mt_edge_set_has(set, from, to), there[from][to]);
	mt_edge_set_destroy(set);
}
