/* SPDX-License-Identifier: MIT */
/*
 * Changes of an exec's parameters: the rules for one node, and putting a change into effect. Whole
 * updates and single-node calls share both.
 */
#ifndef MT_GRAPH_UPDATE_H
#define MT_GRAPH_UPDATE_H

#include <stddef.h>
#include <string.h>

#include "drv/codeobj.h"
#include "drv/module.h"
#include "graph/exec.h"

/* The parameter for which an update was refused. */
enum mt_update_param {
	MT_UPDATE_NONE,
	MT_UPDATE_TYPE,
	MT_UPDATE_DEVICE,
	MT_UPDATE_FUNCTION_DEVICE,
	MT_UPDATE_DEVICE_LAUNCH,
	MT_UPDATE_COOPERATIVE,
	MT_UPDATE_PRIORITY,
	MT_UPDATE_COPY_FORM,
	MT_UPDATE_COPY_KIND,
	MT_UPDATE_COPY_SOURCE_MEMORY,
	MT_UPDATE_COPY_TARGET_MEMORY,
	MT_UPDATE_COPY_EXTENT,
	MT_UPDATE_COPY_SOURCE,
	MT_UPDATE_COPY_TARGET,
	MT_UPDATE_FILL_HEIGHT,
	MT_UPDATE_FILL_WIDTH,
	MT_UPDATE_FILL_PITCH,
	MT_UPDATE_FILL_ELEMENT,
	MT_UPDATE_SEMAPHORES,
	MT_UPDATE_ALLOCATION,
	MT_UPDATE_CONDITIONAL_TYPE,
	MT_UPDATE_CONDITIONAL_BODIES,
	MT_UPDATE_DEPENDENCIES,
	MT_UPDATE_EDGE,
	MT_UPDATE_NODES,
	MT_UPDATE_SINKS,
};

/* A refusal in words: which parameter, what the exec has and what it was to get. */
struct mt_update_reason {
	uint32_t changed;   /* no refusal: nodes whose parameters differed */
	uint32_t node;      /* number in the exec, MT_EXEC_NONE: none */
	const char *name;   /* of the parameter; static text, NULL: none */
	char now[80], next[80];
};

/* Why an update was refused: the numbers of MUgraphExecUpdateResult, which differ from the runtime
 * API's. The nodes are of the updating graph. */
struct mt_update_report {
	uint32_t result;
	MUgraphNode node, from;
};

/* One node's new parameters. */
struct mt_update_change {
	struct mt_exec_node *node;
	const struct mt_op *op;    /* borrowed: built, or the template's */
	struct mt_patch_move move;
	bool with_attrs;           /* kernel attributes are part of the change */
};

/* Whether a node may take these parameters: a MUgraphExecUpdateResult. Types are the same. *param_out
 * is written if not. */
uint32_t mt_update_check(const struct mt_exec *exec, const struct mt_exec_node *node,
			 const struct mt_op *op, bool with_attrs, enum mt_update_param *param_out);

/* The node has these parameters already. For kernels see mt_update_same_kernel(), too. */
bool mt_update_is_same(const struct mt_exec *exec, const struct mt_exec_node *node,
		       const struct mt_op *op);

/* Gets the memory that the change needs in the exec. OUT_OF_MEMORY. */
MUresult mt_update_prepare(struct mt_exec *exec, struct mt_update_change *change);

/* Makes the change for all later launches. OUT_OF_MEMORY with nothing changed, unless the room was
 * reserved. */
MUresult mt_update_commit(struct mt_exec *exec, const struct mt_update_change *change);

bool mt_update_same_attrs(const struct mt_kernel_attrs *a, const struct mt_kernel_attrs *b);

static inline bool mt_update_same_words(const void *a, const void *b, size_t size_b)
{
	const uint8_t *x = a, *y = b;
	uint64_t u, v;
	uint32_t r, s;

	/* Argument images are a few words long. */
	for (; size_b >= sizeof(u); size_b -= sizeof(u), x += sizeof(u), y += sizeof(u)) {
		memcpy(&u, x, sizeof(u));
		memcpy(&v, y, sizeof(v));
		if (u != v)
			return false;
	}
	if (size_b != sizeof(r))
		return !size_b || !memcmp(x, y, size_b);
	memcpy(&r, x, sizeof(r));
	memcpy(&s, y, sizeof(s));
	return r == s;
}

/* Inline, because whole updates of large graphs mostly do this. */
static inline bool mt_update_same_kernel(const struct mt_exec *exec,
					 const struct mt_exec_node *node,
					 const struct mt_op_kernel *next)
{
	const struct mt_op_kernel *now = &node->op.kernel;
	const void *data;

	_Static_assert(offsetof(struct mt_op_kernel, block) ==
			       offsetof(struct mt_op_kernel, grid) + 3 * sizeof(uint32_t),
		       "grid and block are compared as one");
	if (now->fn != next->fn ||
	    !mt_update_same_words(now->grid, next->grid, 2 * sizeof(now->grid)) ||
	    now->dynamic_shared_b != next->dynamic_shared_b || now->args_b != next->args_b)
		return false;
	if ((now->attrs || next->attrs) && !mt_update_same_attrs(now->attrs, next->attrs))
		return false;
	if (!now->args_b)
		return true;
	/* The image of the chain holds addresses that the template's does not. */
	if (now->fn->kernel->indirect_count)
		return false;
	data = node->epoch > exec->patch.done_epoch ? mt_patch_staged_data(node)
						    : mt_chain_cpu(&exec->chain, node->data);
	return mt_update_same_words(data, next->args, now->args_b);
}

void mt_update_scratch_free(struct mt_exec *exec);

/* --- update_reason.c ------------------------------------------------------------------------------ */

/* Puts a refusal into words. `op`: what the node was to get, NULL where that plays no part. */
void mt_update_explain(const struct mt_exec *exec, const struct mt_exec_node *node,
		       const struct mt_op *op, enum mt_update_param param,
		       struct mt_update_reason *reason_out);
/* What people call a type of nodes. */
const char *mt_update_type_name(uint8_t type);
/* The same for two counts. */
void mt_update_explain_counts(enum mt_update_param param, uint64_t now, uint64_t next,
			      struct mt_update_reason *reason_out);

/* --- update.c: whole graphs ---------------------------------------------------------------------- */

/**
 * mt_exec_update() - Give an exec the parameters of another graph of the same shape.
 * @report:	[out] Written unless a handle is NULL or stale.
 *
 * All or nothing. Never waits for the device.
 * Errors: INVALID_VALUE, GRAPH_EXEC_UPDATE_FAILURE with a reason, OUT_OF_MEMORY.
 */
MUresult mt_exec_update(MUgraphExec exec, MUgraph graph, struct mt_update_report *report);

/* The embedded graph of a child node gets the parameters of another graph: pairs in order of insertion
 * as well. */
MUresult mt_exec_set_child(MUgraphExec exec, MUgraphNode node, MUgraph child);

/* --- exec_params.c: single nodes ----------------------------------------------------------------- */

/* New parameters for a node of the same type; kernel attributes stay. INVALID_VALUE for what the rules
 * refuse. */
MUresult mt_exec_set_params(MUgraphExec exec, MUgraphNode node, const struct mt_op *op);

/* What the checks of new parameters rest on: type, attributes. */
MUresult mt_exec_node_info(MUgraphExec exec, MUgraphNode node, uint32_t *type_out,
			   struct mt_ctx **ctx_out, const struct mt_kernel_attrs **attrs_out);

MUresult mt_exec_set_enabled(MUgraphExec exec, MUgraphNode node, bool enabled);
MUresult mt_exec_get_enabled(MUgraphExec exec, MUgraphNode node, bool *enabled_out);

#endif
