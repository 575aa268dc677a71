/* SPDX-License-Identifier: MIT */
/*
 * The list of all root graphs, so that a device reset takes those along that would point to nothing.
 */
#include "graph/build_roots.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mt_graph *roots; /* guarded by lock */

static void link_root(struct mt_graph **list, struct mt_graph *graph)
{
	graph->next = *list;
	graph->link = list;
	if (graph->next)
		graph->next->link = &graph->next;
	*list = graph;
}

static void unlink_root(struct mt_graph *graph)
{
	*graph->link = graph->next;
	if (graph->next)
		graph->next->link = graph->link;
	graph->link = NULL;
}

void mt_roots_add(struct mt_graph *graph)
{
	pthread_mutex_lock(&lock);
	link_root(&roots, graph);
	pthread_mutex_unlock(&lock);
}

void mt_roots_remove(struct mt_graph *graph)
{
	pthread_mutex_lock(&lock);
	if (graph->link)
		unlink_root(graph);
	pthread_mutex_unlock(&lock);
}

static bool names_device(const struct mt_graph *graph, uint32_t device)
{
	const struct mt_node *node;

	if (graph->device == device)
		return true;
	mt_graph_for_each_node(graph, node)
		if (node->op.device == device)
			return true;
	return false;
}

static bool must_go(const struct mt_graph *root, uint32_t device)
{
	const struct mt_graph *at;
	bool named = false;

	for (at = root; at; at = mt_graph_walk(root, at)) {
		if (at->capture)
			return false;
		named = named || names_device(at, device);
	}
	return named;
}

void mt_roots_ctx_gone(struct mt_ctx *ctx)
{
	struct mt_graph *graph, *next, *gone = NULL;

	pthread_mutex_lock(&lock);
	for (graph = roots; graph; graph = next) {
		next = graph->next;
		if (must_go(graph, ctx->device)) {
			unlink_root(graph);
			link_root(&gone, graph);
		}
	}
	pthread_mutex_unlock(&lock);
	while (gone)
		mt_graph_destroy(gone);
}
