/* SPDX-License-Identifier: MIT */
/* Reachability: order, interval labels, and a pruned search. */
#include "tools/dump/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *numbers(uint32_t count)
{
	return malloc(((size_t)count + 1) * sizeof(uint32_t));
}

/* Topological order. What has just become ready comes next, so that chains stay together. */
static int find_order(struct reach *r)
{
	uint32_t *waiting = r->seen, *stack = r->stack, depth = 0, done = 0, v, i;

	memset(waiting, 0, ((size_t)r->count + 1) * sizeof(*waiting));
	for (i = 0; i < r->start[r->count]; i++)
		waiting[r->next[i]]++;
	for (v = r->count; v--;)
		if (!waiting[v])
			stack[depth++] = v;
	while (depth) {
		v = stack[--depth];
		r->rank[v] = done;
		r->order[done++] = v;
		for (i = r->start[v + 1]; i-- > r->start[v];)
			if (!--waiting[r->next[i]])
				stack[depth++] = r->next[i];
	}
	return done == r->count ? 0 : -ELOOP;
}

/* A depth-first search from the first vertices on; the second one goes the other way round. */
static void label(struct reach *r, int which)
{
	uint32_t *low = r->low[which], *post = r->post[which], *at = r->seen, *stack = r->stack;
	uint32_t depth, clock = 0, root, v, w, degree, i, k;

	memset(post, 0xff, (size_t)r->count * sizeof(*post));
	memset(at, 0xff, (size_t)r->count * sizeof(*at));
	for (k = 0; k < r->count; k++) {
		root = r->order[k];
		if (at[root] != UINT32_MAX)
			continue;
		depth = 0;
		stack[depth++] = root;
		at[root] = 0;
		low[root] = UINT32_MAX;
		if (!which)
			r->tree[root] = clock;
		while (depth) {
			v = stack[depth - 1];
			degree = r->start[v + 1] - r->start[v];
			if (at[v] == degree) {
				depth--;
				post[v] = clock++;
				if (post[v] < low[v])
					low[v] = post[v];
				if (depth && low[v] < low[stack[depth - 1]])
					low[stack[depth - 1]] = low[v];
				continue;
			}
			i = at[v]++;
			w = r->next[r->start[v] + (which ? degree - 1 - i : i)];
			if (at[w] == UINT32_MAX) {
				at[w] = 0;
				low[w] = UINT32_MAX;
				if (!which)
					r->tree[w] = clock;
				stack[depth++] = w;
			} else if (low[w] < low[v]) {
				low[v] = low[w];
			}
		}
	}
}

int reach_init(struct reach *r, uint32_t count, const uint32_t *start, const uint32_t *next)
{
	int ret;

	memset(r, 0, sizeof(*r));
	r->count = count;
	r->start = start;
	r->next = next;
	r->order = numbers(count);
	r->rank = numbers(count);
	r->tree = numbers(count);
	r->seen = numbers(count);
	r->stack = numbers(count);
	for (int i = 0; i < 2; i++) {
		r->low[i] = numbers(count);
		r->post[i] = numbers(count);
	}
	ret = r->order && r->rank && r->tree && r->seen && r->stack && r->low[0] && r->low[1] &&
			      r->post[0] && r->post[1]
		      ? find_order(r)
		      : -ENOMEM;
	if (ret) {
		reach_finish(r);
		return ret;
	}
	label(r, 0);
	label(r, 1);
	memset(r->seen, 0, (size_t)count * sizeof(*r->seen));
	return 0;
}

void reach_finish(struct reach *r)
{
	free(r->order);
	free(r->rank);
	free(r->tree);
	free(r->seen);
	free(r->stack);
	for (int i = 0; i < 2; i++) {
		free(r->low[i]);
		free(r->post[i]);
	}
	memset(r, 0, sizeof(*r));
}

/* The labels leave it open that v leads to `to`. */
static bool may_lead(const struct reach *r, uint32_t v, uint32_t to)
{
	return r->rank[v] < r->rank[to] && r->low[0][v] <= r->low[0][to] &&
	       r->post[0][to] <= r->post[0][v] && r->low[1][v] <= r->low[1][to] &&
	       r->post[1][to] <= r->post[1][v];
}

/* `to` lies in the tree of the first search below v. */
static bool is_below(const struct reach *r, uint32_t v, uint32_t to)
{
	return r->tree[v] <= r->post[0][to] && r->post[0][to] <= r->post[0][v];
}

static bool search(struct reach *r, uint32_t from, uint32_t to)
{
	uint32_t depth = 0, v, w, i;

	if (!++r->stamp) {
		memset(r->seen, 0, (size_t)r->count * sizeof(*r->seen));
		r->stamp = 1;
	}
	r->stack[depth++] = from;
	while (depth) {
		v = r->stack[--depth];
		for (i = r->start[v]; i < r->start[v + 1]; i++) {
			w = r->next[i];
			if (w == to || (r->rank[w] < r->rank[to] && is_below(r, w, to)))
				return true;
			if (r->seen[w] == r->stamp || !may_lead(r, w, to))
				continue;
			r->seen[w] = r->stamp;
			r->stack[depth++] = w;
		}
	}
	return false;
}

bool reach_test(struct reach *r, uint32_t from, uint32_t to)
{
	if (from == to || is_below(r, from, to))
		return true;
	return may_lead(r, from, to) && search(r, from, to);
}
