/* SPDX-License-Identifier: MIT */
/*
 * A reference model of graphs, written from the documented behaviour and public headers only: graphs
 * are small arrays of nodes, an executable graph is a deep copy, and a launch runs node by node.
 *
 * Every node writes one cell of its graph's region and reads cells of its ancestors, so that any
 * order that the edges allow gives the same result, and any other one gives a different result.
 */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "musa_runtime.h"

#define M_NODES 40 /* of one graph */

enum m_kind { M_FOLD, M_MIX, M_COPY, M_FILL, M_HOST, M_EMPTY, M_CHILD, M_SET, M_COND, M_RECORD, M_WAIT };

/* Memory of one graph and its copies: what the device has, and what it should have. */
struct m_region {
	unsigned int *cell;          /* pinned, M_NODES + 1 words; the last stays 0 */
	unsigned int want[M_NODES + 1];
	struct m_region *next;       /* all regions, for the comparison */
};

/* What a host function is given; never freed before the end of a sequence. */
struct m_host {
	unsigned int *out, *in, v;
	struct m_host *next;
};

struct m_handle {
	musaGraphConditionalHandle handle;
	unsigned int value, initial;
	bool assign;
};

struct m_graph;

struct m_node {
	enum m_kind kind;
	musaGraphNode_t node;
	uint64_t deps;                /* bit n: depends on node n */
	int a, b;                     /* nodes whose cells it reads, M_NODES for none */
	unsigned int v;
	bool enabled;                 /* execs only */
	struct m_host *host;
	struct m_graph *child;        /* CHILD: what was embedded */
	enum musaGraphConditionalNodeType type; /* COND */
	struct m_handle *handle;      /* SET, COND */
	struct m_region *loop;        /* SET that arms a loop: the body's region, whose cell 0 counts */
	struct m_graph *body[3];
	int bodies;
};

struct m_graph {
	musaGraph_t graph;
	struct m_region *region;
	struct m_node node[M_NODES];
	int count;
	unsigned int shape;           /* changes with every node and edge */
	bool has_cond;
	bool embedded;                /* belongs to a node */
};

struct m_exec {
	musaGraphExec_t exec;
	struct m_graph *copy;         /* deep copy at instantiation, then updated */
	struct m_graph *source;       /* NULL once destroyed */
	unsigned int shape;           /* of the source when instantiated */
};

struct m_graph *m_graph_copy(const struct m_graph *graph);
void m_graph_free(struct m_graph *graph); /* the model's side only */

/* Runs a graph as a launch does. */
void m_graph_run(struct m_graph *graph);

/* Whether the edges have a cycle. */
bool m_graph_is_cyclic(const struct m_graph *graph);

/* Nodes that `node` depends on, directly or not. */
uint64_t m_graph_ancestors(const struct m_graph *graph, int node);

/* Takes over parameters, not enabled states, node by node. */
void m_graph_update(struct m_graph *to, const struct m_graph *from);

#endif
