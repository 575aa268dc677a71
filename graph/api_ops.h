/* SPDX-License-Identifier: MIT */
/*
 * From the runtime API's parameter structures to built ops: for graph nodes, in templates and in execs
 * alike. Part of libmusart.
 */
#ifndef MT_GRAPH_API_OPS_H
#define MT_GRAPH_API_OPS_H

#include "drv/rt.h"
#include "graph/table.h"

/* Each checks its arguments as adding a node does. On failure there is nothing to finish; what is
 * built, mt_node_op_append(), _set() or _exec_set() takes. */

/* `attrs`: the node's, or NULL. */
MUresult mt_rt_op_kernel(struct mt_node_op *built, struct mt_ctx *ctx,
			 const struct musaKernelNodeParams *params,
			 const struct mt_kernel_attrs *attrs);
MUresult mt_rt_op_memcpy(struct mt_node_op *built, struct mt_ctx *ctx,
			 const struct musaMemcpy3DParms *params);
/* What is wrong with a copy's kind and pitches, whatever node it is for. A set call asks this first:
 * such faults are told even if the node is none. */
MUresult mt_rt_op_memcpy_faults(const struct musaMemcpy3DParms *params);
MUresult mt_rt_op_memcpy_1d(struct mt_node_op *built, struct mt_ctx *ctx, void *dst, const void *src,
			    size_t count, enum musaMemcpyKind kind);
MUresult mt_rt_op_memcpy_to_symbol(struct mt_node_op *built, struct mt_ctx *ctx, const void *symbol,
				   const void *src, size_t count, size_t offset,
				   enum musaMemcpyKind kind);
MUresult mt_rt_op_memcpy_from_symbol(struct mt_node_op *built, struct mt_ctx *ctx, void *dst,
				     const void *symbol, size_t count, size_t offset,
				     enum musaMemcpyKind kind);
MUresult mt_rt_op_memset(struct mt_node_op *built, struct mt_ctx *ctx,
			 const struct musaMemsetParams *params);
MUresult mt_rt_op_host(struct mt_node_op *built, const struct musaHostNodeParams *params);
/* type: MT_OP_EVENT_RECORD or MT_OP_EVENT_WAIT. */
MUresult mt_rt_op_event(struct mt_node_op *built, enum mt_op_type type, musaEvent_t event);
MUresult mt_rt_op_signal(struct mt_node_op *built,
			 const struct musaExternalSemaphoreSignalNodeParams *params);
MUresult mt_rt_op_wait(struct mt_node_op *built,
		       const struct musaExternalSemaphoreWaitNodeParams *params);

/* As mt_params_are_clean(), which see. */
bool mt_rt_params_are_clean(const struct musaGraphNodeParams *params);

/**
 * mt_rt_op_generic() - Any of the above from generic, clean parameters.
 * @ctx:	Context for copies and fills.
 * @kernel_ctx:	Context for kernels.
 *
 * Errors: NOT_SUPPORTED for child graph, memory and conditional nodes, which are no plain ops.
 */
MUresult mt_rt_op_generic(struct mt_node_op *built, struct mt_ctx *ctx, struct mt_ctx *kernel_ctx,
			  const struct musaGraphNodeParams *params,
			  const struct mt_kernel_attrs *attrs);

#endif
