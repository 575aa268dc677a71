/* SPDX-License-Identifier: MIT */
/* The reference interpreter: how a graph is supposed to run. */
#include "model.h"

#include <stdlib.h>

struct m_graph *m_graph_copy(const struct m_graph *graph)
{
	struct m_graph *copy = malloc(sizeof(*copy));

	*copy = *graph;
	for (int i = 0; i < copy->count; i++) {
		struct m_node *node = &copy->node[i];

		node->enabled = true;
		if (node->child)
			node->child = m_graph_copy(node->child);
		for (int b = 0; b < node->bodies; b++)
			node->body[b] = m_graph_copy(node->body[b]);
	}
	return copy;
}

void m_graph_free(struct m_graph *graph)
{
	for (int i = 0; i < graph->count; i++) {
		struct m_node *node = &graph->node[i];

		if (node->child)
			m_graph_free(node->child);
		for (int b = 0; b < node->bodies; b++)
			m_graph_free(node->body[b]);
	}
	free(graph);
}

static void run_conditional(struct m_node *node)
{
	struct m_handle *handle = node->handle;

	switch (node->type) {
	case musaGraphCondTypeIf:
		if (handle->value)
			m_graph_run(node->body[0]);
		else if (node->bodies == 2)
			m_graph_run(node->body[1]);
		break;
	case musaGraphCondTypeSwitch:
		if (handle->value < (unsigned int)node->bodies)
			m_graph_run(node->body[handle->value]);
		break;
	case musaGraphCondTypeWhile:
		/* The body's last node counts its cell down and sets the handle. */
		while (handle->value)
			m_graph_run(node->body[0]);
		break;
	}
}

static void run_node(struct m_graph *graph, struct m_node *node)
{
	unsigned int *want = graph->region->want;
	unsigned int *out = &want[node - graph->node];
	unsigned int a = want[node->a], b = want[node->b];

	switch (node->kind) {
	case M_FOLD:
		if (node->enabled)
			*out = *out * 31u + a + b * 3u + node->v;
		break;
	case M_MIX:
		if (node->enabled)
			*out = *out * 17u + a - b + node->v + 5u;
		break;
	case M_COPY:
		if (node->enabled)
			*out = a;
		break;
	case M_FILL:
		if (node->enabled)
			*out = node->v;
		break;
	case M_HOST:
		*out = *out * 7u + a + node->v;
		break;
	case M_CHILD:
		m_graph_run(node->child);
		break;
	case M_SET:
		/* v: value of the handle; for loops (type WHILE) the number of passes; in a loop's body
		 * (v UINT_MAX) the countdown of node a's cell. */
		if (node->type != musaGraphCondTypeWhile) {
			node->handle->value = node->v;
		} else if (node->v == UINT32_MAX) {
			*out -= 1;
			node->handle->value = *out > 0;
		} else {
			node->loop->want[0] = node->v;
			node->handle->value = node->v > 0;
		}
		break;
	case M_COND:
		run_conditional(node);
		break;
	case M_EMPTY:
	case M_RECORD:
	case M_WAIT:
		break;
	}
}

static void reset_handles(struct m_graph *graph)
{
	for (int i = 0; i < graph->count; i++) {
		struct m_node *node = &graph->node[i];

		if (node->kind != M_COND)
			continue;
		if (node->handle->assign)
			node->handle->value = node->handle->initial;
	}
}

void m_graph_run(struct m_graph *graph)
{
	uint64_t done = 0;

	if (!graph->embedded)
		reset_handles(graph);
	for (int left = graph->count; left > 0;) {
		for (int i = 0; i < graph->count; i++) {
			struct m_node *node = &graph->node[i];

			if ((done & (UINT64_C(1) << i)) || (node->deps & ~done))
				continue;
			run_node(graph, node);
			done |= UINT64_C(1) << i;
			left--;
		}
	}
}

bool m_graph_is_cyclic(const struct m_graph *graph)
{
	uint64_t done = 0, before;

	do {
		before = done;
		for (int i = 0; i < graph->count; i++)
			if (!(graph->node[i].deps & ~done))
				done |= UINT64_C(1) << i;
	} while (done != before);
	return done != (graph->count == 64 ? UINT64_MAX : (UINT64_C(1) << graph->count) - 1);
}

uint64_t m_graph_ancestors(const struct m_graph *graph, int node)
{
	uint64_t all = graph->node[node].deps, before;

	do {
		before = all;
		for (int i = 0; i < graph->count; i++)
			if (all & (UINT64_C(1) << i))
				all |= graph->node[i].deps;
	} while (all != before);
	return all;
}

void m_graph_update(struct m_graph *to, const struct m_graph *from)
{
	for (int i = 0; i < to->count; i++) {
		struct m_node *node = &to->node[i];
		const struct m_node *other = &from->node[i];

		node->kind = other->kind; /* a kernel's function may change */
		node->a = other->a;
		node->b = other->b;
		node->v = other->v;
		node->host = other->host;
		if (node->child)
			m_graph_update(node->child, other->child);
	}
}
