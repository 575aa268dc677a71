/* SPDX-License-Identifier: MIT */
/*
 * Memory nodes of the template.
 */
#include "graph/mem_node.h"

#include "graph/dot.h"

void mt_mem_node_release(struct mt_graph *graph, struct mt_node *node)
{
	(void)graph;
	(void)node;
}

void mt_mem_node_print(struct mt_dot *dot, const struct mt_node *node)
{
	(void)dot;
	(void)node;
}
