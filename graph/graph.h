/* SPDX-License-Identifier: MIT */
/*
 * The graph layer's objects and the calls between its parts.
 *
 * Glossary: graph, the template that programs edit; exec, the executable snapshot; chain, the exec's
 * command buffer; chunk, one piece of it; site, a place in the chain that an update may rewrite;
 * slot, an exec-local word; lane, one of the packet sequences that run side by side; generation,
 * the state of an exec between two launches; segment, packets of a lane between two sync points.
 *
 * A graph (with its nodes, child graphs and bodies) is used by one thread at a time, as the API says;
 * execs lock themselves. Lock order: capture lock -> exec lock -> drv/ locks.
 */
#ifndef MT_GRAPH_H
#define MT_GRAPH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/op.h"
#include "drv/result.h"
#include "hw/base/arena.h"
#include "hw/base/handle.h"

struct mt_exec;
struct mt_graph;
struct mt_capture;
struct mt_user_refs;
struct mt_edge_set;
struct mt_node_view;

#define MT_NODE_BLOCK 16u /* nodes allocated together: pointers stay valid as the graph grows */

/* A growing list of node ids in the graph's arena; the first two need no memory of their own. */
struct mt_id_list {
	uint32_t count, capacity; /* capacity 2: `small` is in use */
	union {
		uint32_t small[2];
		uint32_t *ids;
	};
};

struct mt_node {
	struct mt_op op;             /* type, device, parameters; owns copies in the graph's arena */
	uint32_t id;                 /* index in the graph: order of insertion, never reused */
	bool dead;                   /* destroyed */
	bool mark;                   /* scratch of one call, false between calls */
	uint16_t args_room;          /* kernel: room of op.kernel.args in units of MT_ARGS_UNIT_B */
	struct mt_id_list deps;      /* in the order they were added */
	struct mt_id_list dependents;
	struct mt_node_view *view;   /* what GetParams hands out (graph/params.h); NULL until asked */
};
#define MT_ARGS_UNIT_B 16u

/* What CHILD, CONDITIONAL, ALLOC and FREE nodes own: op.graph points to one of these. */
struct mt_child {
	struct mt_graph *graph; /* owned: the embedded clone */
};

struct mt_conditional {
	uint64_t handle;           /* musaGraphConditionalHandle: device address of the word */
	uint32_t type, size;       /* musaGraphConditionalNodeType; number of bodies */
	struct mt_graph **bodies;  /* owned */
	uint64_t *body_handles;    /* what phGraph_out points to */
};

/* A conditional handle made on a graph; in the graph's arena. */
struct mt_cond_handle {
	struct mt_cond_handle *next;
	struct mt_graph *graph; /* on which it was made */
	uint64_t va;            /* its device word: the handle's value */
	uint32_t default_value, flags;
	bool used;              /* a live node uses it */
};

struct mt_graph_alloc; /* graph/graph_memory.h: op.graph of ALLOC and FREE nodes */
struct mt_memory_group;

enum mt_graph_role {
	MT_GRAPH_ROOT = 0, /* made by the program */
	MT_GRAPH_CHILD,    /* embedded in a child node */
	MT_GRAPH_BODY,     /* body of a conditional node */
};

struct mt_graph {
	uint64_t handle;         /* MUgraph */
	struct mt_arena arena;   /* this object's nodes and parameters */
	enum mt_graph_role role;
	uint32_t device;         /* ordinal current at creation */
	uint32_t depth;          /* nesting: 0 for a root */
	struct mt_graph *next, **link; /* root: in the list of all (graph/build_roots.h) */
	struct mt_graph *parent; /* of an embedded graph */
	uint32_t parent_node;    /* id in parent */
	uint32_t parent_slot;    /* index of a body among its node's */

	struct mt_node **blocks; /* id / MT_NODE_BLOCK -> block; in the arena, like the blocks */
	uint32_t block_count, block_capacity;
	uint32_t id_count;       /* ids given out */
	uint32_t node_count;     /* not dead */
	uint64_t edge_count;
	struct mt_edge_set *edge_set; /* owned: hash of all edges once degrees are high, else NULL */

	uint32_t mem_node_count;  /* ALLOC and FREE nodes */
	struct mt_memory_group *memory_group; /* reference; NULL before the first ALLOC node */
	uint32_t cond_node_count;
	uint32_t nested_count;    /* CHILD and CONDITIONAL nodes: 0 means that nothing is nested */
	struct mt_cond_handle *cond_handles; /* made on this graph */
	struct mt_capture *capture; /* a live capture fills this graph */
	struct mt_exec *single_exec; /* live exec of a graph that may have only one */
	struct mt_user_refs *user_refs; /* user objects: owned references */

	uint64_t uid;            /* unique in the process, never reused */
	uint64_t cloned_from;    /* uid of the original, 0 */
	uint32_t clone_ids;      /* ids below this existed when it was cloned: same id = same node */
};

static inline struct mt_node *mt_graph_node(const struct mt_graph *graph, uint32_t id)
{
	return &graph->blocks[id / MT_NODE_BLOCK][id % MT_NODE_BLOCK];
}

static inline uint32_t *mt_id_list_data(struct mt_id_list *list)
{
	return list->capacity > 2 ? list->ids : list->small;
}

static inline uint64_t mt_node_handle(const struct mt_graph *graph, const struct mt_node *node)
{
	return mt_handle_sub(graph->handle, MT_HANDLE_NODE, node->id);
}

/* The first live node with an id >= `id`, or NULL: for walks in the order of insertion. */
static inline struct mt_node *mt_graph_next(const struct mt_graph *graph, uint32_t id)
{
	struct mt_node *node;

	for (; id < graph->id_count; id++) {
		node = mt_graph_node(graph, id);
		if (!node->dead)
			return node;
	}
	return NULL;
}

#define mt_graph_for_each_node(graph, node)                                                        \
	for ((node) = mt_graph_next((graph), 0); (node); (node) = mt_graph_next((graph), (node)->id + 1))

/* The graph after `at` in a pre-order walk over everything nested in `root`, NULL at the end; start
 * with at = root. Needs no stack: embedded graphs know their place. Linear as a whole. */
struct mt_graph *mt_graph_walk(const struct mt_graph *root, const struct mt_graph *at);

/* Handles to objects: INVALID_VALUE for NULL, stale, destroyed or foreign ones. */
MUresult mt_graph_get(MUgraph handle, struct mt_graph **graph_out);
MUresult mt_node_get(MUgraphNode handle, struct mt_graph **graph_out, struct mt_node **node_out);
MUresult mt_exec_get(MUgraphExec handle, struct mt_exec **exec_out);

/* --- graph/build.c: the template -------------------------------------------------------------- */

MUresult mt_graph_create(uint32_t device, enum mt_graph_role role, struct mt_graph **graph_out);
void mt_graph_destroy(struct mt_graph *graph); /* unconditional, iterative over nesting; accepts NULL */
void mt_graph_clear(struct mt_graph *graph);   /* removes all nodes and edges; the handle lives on */

/**
 * mt_graph_add() - Append a node.
 * @graph:	Target.
 * @deps:	Ids of its dependencies: checked by the caller to be live, in this graph and distinct.
 * @op:		Built op; copied into the graph's arena.
 * @node_out:	[out] The node.
 *
 * Amortised O(1 + deps). Nothing is added on failure (OUT_OF_MEMORY).
 */
MUresult mt_graph_add(struct mt_graph *graph, const uint32_t *deps, uint32_t dep_count,
		      const struct mt_op *op, struct mt_node **node_out);

/* As the API: checks handles, duplicates, graph membership; then mt_graph_add(). */
MUresult mt_graph_add_checked(struct mt_graph *graph, const MUgraphNode *deps, size_t dep_count,
			      const struct mt_op *op, struct mt_node **node_out);

MUresult mt_graph_add_edge(struct mt_graph *graph, uint32_t from, uint32_t to); /* IV if it exists */
MUresult mt_graph_remove_edge(struct mt_graph *graph, uint32_t from, uint32_t to);
bool mt_graph_has_edge(struct mt_graph *graph, uint32_t from, uint32_t to);
MUresult mt_graph_remove_node(struct mt_graph *graph, struct mt_node *node);

/* Replaces a node's op by a built one of the same type; the old one is released. */
MUresult mt_node_set_op(struct mt_graph *graph, struct mt_node *node, const struct mt_op *op);

/* Deep copy with embedded graphs, ids kept. Linear. NOT_SUPPORTED for memory and conditional nodes. */
MUresult mt_graph_clone(const struct mt_graph *graph, enum mt_graph_role role,
			struct mt_graph **clone_out);

/* References to user objects, of a graph or an exec (graph/user_object.h). */
void mt_user_refs_drop(struct mt_user_refs *refs); /* accepts NULL; destructors run elsewhere */

/* --- graph/exec.h: the executable ------------------------------------------------------------- */
/* --- graph/capture.h: stream capture ----------------------------------------------------------- */

#endif
