/* SPDX-License-Identifier: MIT */
/*
 * From node parameters to built ops, for nodes in templates and in execs alike: what both APIs'
 * converters of parameters rest on.
 */
#ifndef MT_GRAPH_NODE_OP_H
#define MT_GRAPH_NODE_OP_H

#include <stdbool.h>

#include "drv/launch.h"
#include "drv/op.h"

#define MT_NODE_IMAGE_B 4096u /* argument images up to this size need no allocation */

/* A built op with the memory it points to. */
struct mt_node_op {
	struct mt_op op;
	union {
		struct mt_op_copy copy;
		struct mt_op_fill fill;
	};
	void *heap; /* owned: what does not fit here; NULL before the first use */
	bool strict; /* for a new node: graph memory that some graph frees cannot be named any more */
	_Alignas(64) unsigned char image[MT_NODE_IMAGE_B]; /* contents undefined */
};

/* Prepares without touching the image, for a new node or for setting one that exists; every other call
 * needs this first. */
static inline void mt_node_op_init(struct mt_node_op *built)
{
	built->heap = NULL;
	built->strict = true;
}
static inline void mt_node_op_init_set(struct mt_node_op *built)
{
	built->heap = NULL;
	built->strict = false;
}
void mt_node_op_finish(struct mt_node_op *built);

/* The context of a graph's device: where its copies and fills belong. INVALID_VALUE, or the device's
 * sticky error. */
MUresult mt_graph_ctx(MUgraph graph, struct mt_ctx **ctx_out);
/* The context of a node: of its device for kernels and copies, of its graph's for others. */
MUresult mt_node_ctx(MUgraphNode node, struct mt_ctx **ctx_out);

/*
 * Each checks its arguments as adding a node does, NULL parameters included. On failure there is
 * nothing to finish.
 */
MUresult mt_node_op_kernel(struct mt_node_op *built, struct mt_ctx *ctx, struct mt_function *fn,
			   const struct mt_launch *launch);
/* built->copy is filled in: sides as given, extent, kind. */
MUresult mt_node_op_copy(struct mt_node_op *built, struct mt_ctx *ctx);
MUresult mt_node_op_fill(struct mt_node_op *built, struct mt_ctx *ctx,
			 const MUSA_MEMSET_NODE_PARAMS *params);
MUresult mt_node_op_host(struct mt_node_op *built, const MUSA_HOST_NODE_PARAMS *params);
/* type: MT_OP_EVENT_RECORD or MT_OP_EVENT_WAIT. */
MUresult mt_node_op_event(struct mt_node_op *built, enum mt_op_type type, MUevent event);
/* type: MT_OP_SEM_SIGNAL or MT_OP_SEM_WAIT, whose parameters have one layout. */
MUresult mt_node_op_semaphores(struct mt_node_op *built, enum mt_op_type type,
			       const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *params);

/* What these do with an op that one of the above has built with this result: nothing if it failed,
 * else hand it over and let go of it. */
MUresult mt_node_op_append(MUresult built_ret, struct mt_node_op *built, MUgraphNode *node_out,
			   MUgraph graph, const MUgraphNode *deps, size_t dep_count);
MUresult mt_node_op_set(MUresult built_ret, struct mt_node_op *built, MUgraphNode node);
MUresult mt_node_op_exec_set(MUresult built_ret, struct mt_node_op *built, MUgraphExec exec,
			     MUgraphNode node);

/* What the generic parameters of a node type may fill. */
struct mt_params_extent {
	uint8_t unused_b; /* bytes at the member's start that must be 0 */
	uint8_t end_b;    /* bytes that count; the rest must be 0 */
	bool known;       /* there is such a type */
};
#define MT_PARAMS_TYPES 14u

/* Whether everything that the chosen member of generic parameters does not use is 0. False for an
 * unknown type, too. `params` is a MUgraphNodeParams or its runtime twin. */
bool mt_params_are_clean(const void *params, const struct mt_params_extent types[MT_PARAMS_TYPES]);

#endif
