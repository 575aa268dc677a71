/* SPDX-License-Identifier: MIT */
/* One walk in topological order finds the longest path to each node, and its layer. */
#include "tools/dump/longest_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The edges in the order in which a topological walk crosses them. */
struct order {
	uint32_t *first; /* per node and one more: where its outgoing edges begin in `to` */
	uint32_t *to;
	uint32_t *nodes; /* topological order */
	uint32_t *open;  /* predecessors not yet visited */
};

static void order_free(struct order *order)
{
	free(order->first);
	free(order->to);
	free(order->nodes);
	free(order->open);
}

static int order_make(struct order *order, uint32_t node_count, const struct edge *edges,
		      uint32_t edge_count)
{
	uint32_t done = 0, ready = 0;

	order->first = calloc((size_t)node_count + 2, sizeof(*order->first));
	order->to = malloc(((size_t)edge_count + 1) * sizeof(*order->to));
	order->nodes = malloc(((size_t)node_count + 1) * sizeof(*order->nodes));
	order->open = calloc((size_t)node_count + 1, sizeof(*order->open));
	if (!order->first || !order->to || !order->nodes || !order->open) {
		order_free(order);
		return -ENOMEM;
	}
	/* Counted two places on, so that filling moves each node's mark to its beginning. */
	for (uint32_t i = 0; i < edge_count; i++) {
		order->first[edges[i].from + 2]++;
		order->open[edges[i].to]++;
	}
	for (uint32_t i = 1; i < node_count + 2; i++)
		order->first[i] += order->first[i - 1];
	for (uint32_t i = 0; i < edge_count; i++)
		order->to[order->first[edges[i].from + 1]++] = edges[i].to;

	for (uint32_t i = 0; i < node_count; i++)
		if (!order->open[i])
			order->nodes[ready++] = i;
	while (done < ready) {
		uint32_t node = order->nodes[done++];

		for (uint32_t e = order->first[node]; e < order->first[node + 1]; e++)
			if (!--order->open[order->to[e]])
				order->nodes[ready++] = order->to[e];
	}
	if (done == node_count)
		return 0;
	order_free(order);
	return -ELOOP;
}

int longest_path(uint32_t node_count, const struct edge *edges, uint32_t edge_count,
		 const uint64_t *weights, bool *marked, uint64_t *length_out)
{
	uint32_t *before = NULL, best = NONE;
	uint64_t *length = NULL;
	struct order order;
	int ret = order_make(&order, node_count, edges, edge_count);

	if (ret)
		return ret;
	before = malloc(((size_t)node_count + 1) * sizeof(*before));
	length = calloc((size_t)node_count + 1, sizeof(*length));
	if (!before || !length) {
		ret = -ENOMEM;
		goto out;
	}
	memset(before, 0xff, node_count * sizeof(*before));
	memset(marked, 0, node_count * sizeof(*marked));
	*length_out = 0;
	for (uint32_t i = 0; i < node_count; i++) {
		uint32_t node = order.nodes[i];

		length[node] += weights[node]; /* until here: the longest way before it */
		for (uint32_t e = order.first[node]; e < order.first[node + 1]; e++) {
			uint32_t to = order.to[e];

			if (before[to] == NONE || length[node] > length[to] ||
			    (length[node] == length[to] && node < before[to])) {
				length[to] = length[node];
				before[to] = node;
			}
		}
	}
	for (uint32_t i = 0; i < node_count; i++)
		if (best == NONE || length[i] > length[best])
			best = i;
	if (best != NONE)
		*length_out = length[best];
	for (; best != NONE; best = before[best])
		marked[best] = true;
out:
	free(before);
	free(length);
	order_free(&order);
	return ret;
}

int graph_layers(uint32_t node_count, const struct edge *edges, uint32_t edge_count,
		 uint32_t *layers)
{
	struct order order;
	int ret = order_make(&order, node_count, edges, edge_count);

	if (ret)
		return ret;
	memset(layers, 0, node_count * sizeof(*layers));
	for (uint32_t i = 0; i < node_count; i++) {
		uint32_t node = order.nodes[i];

		for (uint32_t e = order.first[node]; e < order.first[node + 1]; e++)
			if (layers[order.to[e]] < layers[node] + 1)
				layers[order.to[e]] = layers[node] + 1;
	}
	order_free(&order);
	return 0;
}
