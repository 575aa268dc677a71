/* SPDX-License-Identifier: MIT */
/*
 * From the driver API's node parameters to built ops: for graph nodes, in templates and in execs
 * alike. Part of libmusa.
 */
#ifndef MT_GRAPH_MU_GRAPH_H
#define MT_GRAPH_MU_GRAPH_H

#include "drv/mu_internal.h"
#include "graph/calls.h"
#include "graph/node_op.h"

/*
 * Each checks its arguments as adding a node does. On failure there is nothing to finish.
 */

/* `ctx`: where a kernel of a library runs if the parameters name no context; NULL for the current one.
 * A function has a context of its own. `attrs`: the node's, or NULL. */
MUresult mt_mu_op_kernel(struct mt_node_op *built, struct mt_ctx *ctx,
			 const MUSA_KERNEL_NODE_PARAMS_v2 *params,
			 const struct mt_kernel_attrs *attrs);
/* The first version of the parameters, which knows functions only. */
MUSA_KERNEL_NODE_PARAMS_v2 mt_mu_kernel_params(const MUSA_KERNEL_NODE_PARAMS *params);

MUresult mt_mu_op_memcpy(struct mt_node_op *built, struct mt_ctx *ctx, const MUSA_MEMCPY3D *params);

/* Whether everything that the chosen member of generic parameters does not use is 0. */
bool mt_mu_params_are_clean(const MUgraphNodeParams *params);

/* What a generic call knows of the node before its parameters are looked at. */
struct mt_mu_place {
	struct mt_ctx *ctx;        /* of copies and fills that name none */
	struct mt_ctx *kernel_ctx; /* as `ctx` of mt_mu_op_kernel() */
	const struct mt_kernel_attrs *attrs;
};

/* Any of the above from generic, clean parameters. NOT_SUPPORTED for child graph, memory, conditional
 * and batch nodes, which are no plain ops. */
MUresult mt_mu_op_generic(struct mt_node_op *built, const struct mt_mu_place *place,
			  const MUgraphNodeParams *params);

/* A context that node parameters name, which must be able to run something; `otherwise` for NULL. */
MUresult mt_mu_node_ctx(MUcontext handle, struct mt_ctx *otherwise, struct mt_ctx **ctx_out);

#endif
