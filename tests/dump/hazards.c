/* SPDX-License-Identifier: MIT */
/* Reachability and the sweep over accesses against plain searches; large graphs take no square of time. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tools/dump/overlap.h"

static uint32_t state = 7;

static uint32_t random_below(uint32_t limit)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % limit;
}

/* A graph with edges from lower to higher numbers only, as successors. */
struct graph {
	uint32_t count, *start, *next;
};

static struct graph make(uint32_t count, uint32_t edges)
{
	struct graph g = {count, calloc(count + 2, sizeof(uint32_t)),
			  malloc((edges + 1) * sizeof(uint32_t))};
	uint32_t(*list)[2] = malloc((edges + 1) * sizeof(*list)), i;

	for (i = 0; i < edges; i++) {
		list[i][0] = random_below(count - 1);
		list[i][1] = list[i][0] + 1 + random_below(count - list[i][0] - 1);
		g.start[list[i][0] + 1]++;
	}
	for (i = 0; i < count; i++)
		g.start[i + 1] += g.start[i];
	for (i = edges; i--;)
		g.next[--g.start[list[i][0] + 1]] = list[i][1];
	/* Filling has moved each end to its start: entry i + 1 is where i begins. */
	for (i = 0; i < count; i++)
		g.start[i] = g.start[i + 1];
	g.start[count] = edges;
	free(list);
	return g;
}

static void drop(struct graph *g)
{
	free(g->start);
	free(g->next);
}

static bool plain_search(const struct graph *g, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	for (uint32_t i = g->start[from]; i < g->start[from + 1]; i++)
		if (g->next[i] <= to && plain_search(g, g->next[i], to))
			return true;
	return false;
}

Test(hazards, reachability_is_what_a_search_finds)
{
	for (int round = 0; round < 200; round++) {
		uint32_t count = 2 + random_below(12);
		struct graph g = make(count, random_below(3 * count));
		struct reach reach;

		cr_assert_eq(reach_init(&reach, count, g.start, g.next), 0);
		for (uint32_t a = 0; a < count; a++)
			for (uint32_t b = 0; b < count; b++)
				cr_assert_eq(reach_test(&reach, a, b), plain_search(&g, a, b));
		reach_finish(&reach);
		drop(&g);
	}
}

Test(hazards, a_cycle_is_refused)
{
	const uint32_t start[] = {0, 1, 2}, next[] = {1, 0};
	struct reach reach;

	cr_assert_lt(reach_init(&reach, 2, start, next), 0);
}

static bool is_hazard(const struct graph *g, const struct access *a, const struct access *b)
{
	return a->node != b->node && a->va < b->end && b->va < a->end &&
	       (a->kind == ACCESS_WRITE || b->kind == ACCESS_WRITE) &&
	       !plain_search(g, a->node, b->node) && !plain_search(g, b->node, a->node);
}

/* Something is found exactly if there is something, and all that is found is true. */
Test(hazards, the_sweep_misses_no_graph_with_a_hazard)
{
	int with = 0, without = 0;

	for (int round = 0; round < 3000; round++) {
		uint32_t count = 2 + random_below(8), n = 1 + random_below(12);
		struct graph g = make(count, random_below(3 * count));
		struct access accesses[12];
		struct overlaps found;
		struct reach reach;
		bool any = false;

		for (uint32_t i = 0; i < n; i++) {
			uint64_t va = 1 + random_below(20);

			accesses[i] = (struct access){va, va + 1 + random_below(8),
						      random_below(count),
						      random_below(3) ? ACCESS_READ : ACCESS_WRITE,
						      true};
		}
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t k = 0; k < i; k++)
				any |= is_hazard(&g, &accesses[i], &accesses[k]);
		cr_assert_eq(reach_init(&reach, count, g.start, g.next), 0);
		cr_assert_eq(overlaps_find(&reach, accesses, n, &found), 0);
		cr_assert_eq(found.count != 0, any, "round %d", round);
		for (uint32_t i = 0; i < found.count; i++) {
			cr_assert(is_hazard(&g, &found.list[i].first, &found.list[i].second));
			cr_assert(found.list[i].va < found.list[i].end);
		}
		with += any;
		without += !any;
		overlaps_finish(&found);
		reach_finish(&reach);
		drop(&g);
	}
	cr_assert(with > 100 && without > 100);
}

/* 200,000 nodes in 8 chains, which all work in place on one buffer each and read a common one; then the
 * same with one node that writes what all read. A square of that would take hours. */
Test(hazards, large_graphs, .timeout = 120)
{
	const uint32_t count = 200000, chains = 8;
	struct graph g = {count, calloc(count + 2, sizeof(uint32_t)), malloc(count * 4)};
	struct access *accesses = malloc(3 * count * sizeof(*accesses));
	struct overlaps found;
	struct reach reach;
	uint32_t i, n;

	for (i = 0; i < count; i++) {
		g.start[i + 1] = g.start[i] + (i + chains < count);
		if (i + chains < count)
			g.next[g.start[i]] = i + chains;
	}
	cr_assert_eq(reach_init(&reach, count, g.start, g.next), 0);
	for (int planted = 0; planted < 2; planted++) {
		for (i = n = 0; i < count; i++) {
			uint64_t own = 0x100000 + (uint64_t)(i % chains) * 4096;

			accesses[n++] = (struct access){own, own + 4096, i, ACCESS_READ, true};
			accesses[n++] = (struct access){own, own + 4096, i, ACCESS_WRITE, true};
			accesses[n++] = (struct access){4096, 8192, i,
							planted && i == count - 1 ? ACCESS_WRITE
										  : ACCESS_READ,
							true};
		}
		cr_assert_eq(overlaps_find(&reach, accesses, n, &found), 0);
		cr_assert_eq(found.count != 0, planted != 0);
		overlaps_finish(&found);
	}
	reach_finish(&reach);
	drop(&g);
	free(accesses);
}
