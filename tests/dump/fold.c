/* SPDX-License-Identifier: MIT */
/* Pictures of big graphs stay small: what repeats is folded, and the longest path is a longest one. */
#include <criterion/criterion.h>

#include <errno.h>
#include <stdlib.h>

#include "tools/dump/fold.h"
#include "tools/dump/longest_path.h"

#define MAX 100000u

static struct edge edges[4 * MAX];
static uint64_t signatures[MAX], weights[MAX];
static bool marked[MAX];

static void fold(struct fold *out, uint32_t nodes, uint32_t count, uint32_t limit)
{
	cr_assert_eq(fold_make(out, nodes, edges, count, signatures, limit), 0);
}

/* Every node is inside exactly one root. */
static void check_nodes(const struct fold *folded, uint32_t nodes)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < folded->root_count; i++)
		sum += folded->items[folded->roots[i]].node_count;
	cr_expect_eq(sum, nodes);
}

static uint32_t make_chain(uint32_t nodes)
{
	for (uint32_t i = 0; i < nodes; i++)
		signatures[i] = 7;
	for (uint32_t i = 0; i + 1 < nodes; i++)
		edges[i] = (struct edge){ i, i + 1 };
	return nodes - 1;
}

Test(fold, small_graphs_are_left_alone)
{
	struct fold folded;

	fold(&folded, 10, make_chain(10), 10);
	cr_expect_eq(folded.root_count, 10);
	cr_expect_eq(folded.edge_count, 9);
	check_nodes(&folded, 10);
	fold_free(&folded);
	fold(&folded, 0, 0, 10);
	cr_expect_eq(folded.root_count, 0);
	fold_free(&folded);
}

Test(fold, a_chain_is_one_item_with_a_count)
{
	const struct fold_item *item;
	struct fold folded;

	fold(&folded, MAX, make_chain(MAX), 100);
	cr_assert_eq(folded.root_count, 1);
	item = &folded.items[folded.roots[0]];
	cr_expect_eq(item->kind, FOLD_SERIES);
	cr_expect_eq(item->count, MAX);
	cr_expect_eq(item->child_count, 1);
	check_nodes(&folded, MAX);
	fold_free(&folded);
}

/* fork -> 8 alike -> join, in a row. */
Test(fold, a_repeated_fork_and_join_is_a_row_of_three)
{
	const uint32_t stages = 1000, nodes = stages * 10;
	const struct fold_item *item, *middle;
	uint32_t count = 0;
	struct fold folded;

	for (uint32_t s = 0; s < stages; s++) {
		signatures[s * 10] = 1;
		signatures[s * 10 + 9] = 3;
		for (uint32_t k = 1; k < 9; k++) {
			signatures[s * 10 + k] = 2;
			edges[count++] = (struct edge){ s * 10, s * 10 + k };
			edges[count++] = (struct edge){ s * 10 + k, s * 10 + 9 };
		}
		if (s)
			edges[count++] = (struct edge){ s * 10 - 1, s * 10 };
	}
	fold(&folded, nodes, count, 100);
	cr_assert_eq(folded.root_count, 1);
	item = &folded.items[folded.roots[0]];
	cr_assert_eq(item->kind, FOLD_SERIES);
	cr_assert_eq(item->count, stages);
	cr_assert_eq(item->child_count, 3);
	middle = &folded.items[folded.children[item->first_child + 1]];
	cr_expect_eq(middle->kind, FOLD_PARALLEL);
	cr_expect_eq(middle->count, 8);
	check_nodes(&folded, nodes);

	/* A node deep inside a later repeat is shown by the first one. */
	fold_mark(&folded, 9 * 10 + 3);
	cr_expect(item->marked && middle->marked);
	cr_expect(folded.items[folded.children[middle->first_child]].marked);
	cr_expect_not(folded.items[folded.children[item->first_child]].marked);
	cr_expect_eq(fold_end(&folded, folded.roots[0], false), 0);
	cr_expect_eq(fold_end(&folded, folded.roots[0], true), 9);
	fold_free(&folded);
}

Test(fold, all_to_all_layers_become_one_item_each)
{
	struct fold folded;
	uint32_t count = 0;

	for (uint32_t layer = 0; layer < 4; layer++)
		for (uint32_t i = 0; i < 256; i++)
			signatures[layer * 256 + i] = layer;
	for (uint32_t layer = 0; layer < 3; layer++)
		for (uint32_t i = 0; i < 256 * 256; i++)
			edges[count++] = (struct edge){ layer * 256 + i / 256,
							(layer + 1) * 256 + i % 256 };
	fold(&folded, 1024, count, 100);
	cr_expect_eq(folded.root_count, 4);
	cr_expect_eq(folded.edge_count, 3);
	check_nodes(&folded, 1024);
	fold_free(&folded);
}

Test(fold, what_does_not_repeat_is_summed_up_below_the_limit)
{
	struct fold folded;
	uint32_t count = 0;

	srandom(5);
	for (uint32_t i = 0; i < MAX; i++) {
		signatures[i] = (uint64_t)random() % 5;
		for (uint32_t k = 0; i && k < 2; k++)
			edges[count++] = (struct edge){ (uint32_t)random() % i, i };
	}
	for (uint32_t limit = 2; limit < 300; limit *= 3) {
		fold(&folded, MAX, count, limit);
		cr_expect_leq(folded.root_count, limit);
		check_nodes(&folded, MAX);
		fold_mark(&folded, MAX / 2);
		fold_free(&folded);
	}
}

Test(fold, a_cycle_is_no_danger)
{
	struct fold folded;

	for (uint32_t i = 0; i < 1000; i++) {
		signatures[i] = i;
		edges[i] = (struct edge){ i, (i + 1) % 1000 };
	}
	fold(&folded, 1000, 1000, 10);
	check_nodes(&folded, 1000);
	fold_free(&folded);
}

/* Against a search of every path. */
Test(longest_path, is_as_long_as_the_longest_of_all_paths)
{
	srandom(11);
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t nodes = 1 + (uint32_t)random() % 12, count = 0, last = UINT32_MAX;
		uint64_t best = 0, sums[12], length, sum = 0;

		for (uint32_t i = 0; i < nodes; i++) {
			weights[i] = (uint64_t)random() % 9;
			for (uint32_t k = 0; k < i; k++)
				if (random() % 3 == 0)
					edges[count++] = (struct edge){ k, i };
		}
		/* Nodes are in topological order here. */
		for (uint32_t i = 0; i < nodes; i++) {
			sums[i] = weights[i];
			for (uint32_t e = 0; e < count; e++)
				if (edges[e].to == i && sums[edges[e].from] + weights[i] > sums[i])
					sums[i] = sums[edges[e].from] + weights[i];
			best = sums[i] > best ? sums[i] : best;
		}
		cr_assert_eq(longest_path(nodes, edges, count, weights, marked, &length), 0);
		cr_expect_eq(length, best);
		/* What is marked is a path, and as heavy as it says. */
		for (uint32_t i = 0; i < nodes; i++) {
			bool joined = last == UINT32_MAX;

			if (!marked[i])
				continue;
			sum += weights[i];
			for (uint32_t e = 0; e < count; e++)
				joined |= edges[e].from == last && edges[e].to == i;
			cr_expect(joined);
			last = i;
		}
		cr_expect_eq(sum, best);
	}
}

Test(longest_path, of_a_cycle_is_refused)
{
	uint64_t length;

	edges[0] = (struct edge){ 0, 1 };
	edges[1] = (struct edge){ 1, 0 };
	weights[0] = weights[1] = 1;
	cr_expect_eq(longest_path(2, edges, 2, weights, marked, &length), -ELOOP);
}
