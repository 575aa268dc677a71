/* SPDX-License-Identifier: MIT */
/*
 * From the runtime API's parameter structures to built ops: for graph nodes, in templates and in execs
 * alike. Part of libmusart.
 */
#ifndef MT_GRAPH_API_OPS_H
#define MT_GRAPH_API_OPS_H

#include "drv/rt.h"
#include "graph/table.h"

#define MT_RT_IMAGE_B 4096u /* argument images up to this size need no allocation */

/* A built op with the memory it points to. */
struct mt_rt_op {
	struct mt_op op;
	union {
		struct mt_op_copy copy;
		struct mt_op_fill fill;
	};
	void *heap; /* owned: what does not fit here; NULL before the first use */
	bool strict; /* for a new node: graph memory that some graph frees cannot be named any more */
	_Alignas(64) unsigned char image[MT_RT_IMAGE_B]; /* contents undefined */
};

/* Prepares without touching the image, for a new node or for setting one that exists; every other call
 * needs this first. */
static inline void mt_rt_op_init(struct mt_rt_op *built)
{
	built->heap = NULL;
	built->strict = true;
}
static inline void mt_rt_op_init_set(struct mt_rt_op *built)
{
	built->heap = NULL;
	built->strict = false;
}
void mt_rt_op_finish(struct mt_rt_op *built);

/* The context of a graph's device: where its copies and fills belong. INVALID_VALUE. */
MUresult mt_rt_graph_ctx(musaGraph_t graph, struct mt_ctx **ctx_out);
/* The context of a node: of its device for kernels, of its graph's for others. */
MUresult mt_rt_node_ctx(musaGraphNode_t node, struct mt_ctx **ctx_out);

/* Each checks its arguments as adding a node does. On failure there is nothing to finish. */

/* `attrs`: the node's, or NULL. */
MUresult mt_rt_op_kernel(struct mt_rt_op *built, struct mt_ctx *ctx,
			 const struct musaKernelNodeParams *params,
			 const struct mt_kernel_attrs *attrs);
MUresult mt_rt_op_memcpy(struct mt_rt_op *built, struct mt_ctx *ctx,
			 const struct musaMemcpy3DParms *params);
MUresult mt_rt_op_memcpy_1d(struct mt_rt_op *built, struct mt_ctx *ctx, void *dst, const void *src,
			    size_t count, enum musaMemcpyKind kind);
MUresult mt_rt_op_memcpy_to_symbol(struct mt_rt_op *built, struct mt_ctx *ctx, const void *symbol,
				   const void *src, size_t count, size_t offset,
				   enum musaMemcpyKind kind);
MUresult mt_rt_op_memcpy_from_symbol(struct mt_rt_op *built, struct mt_ctx *ctx, void *dst,
				     const void *symbol, size_t count, size_t offset,
				     enum musaMemcpyKind kind);
MUresult mt_rt_op_memset(struct mt_rt_op *built, struct mt_ctx *ctx,
			 const struct musaMemsetParams *params);
MUresult mt_rt_op_host(struct mt_rt_op *built, const struct musaHostNodeParams *params);
/* type: MT_OP_EVENT_RECORD or MT_OP_EVENT_WAIT. */
MUresult mt_rt_op_event(struct mt_rt_op *built, enum mt_op_type type, musaEvent_t event);
MUresult mt_rt_op_signal(struct mt_rt_op *built,
			 const struct musaExternalSemaphoreSignalNodeParams *params);
MUresult mt_rt_op_wait(struct mt_rt_op *built,
		       const struct musaExternalSemaphoreWaitNodeParams *params);

/* Whether everything that the chosen member of generic parameters does not use is 0. False for an
 * unknown type, too. */
bool mt_rt_params_are_clean(const struct musaGraphNodeParams *params);

/**
 * mt_rt_op_generic() - Any of the above from generic, clean parameters.
 * @ctx:	Context for copies and fills.
 * @kernel_ctx:	Context for kernels.
 *
 * Errors: NOT_SUPPORTED for child graph, memory and conditional nodes, which are no plain ops.
 */
MUresult mt_rt_op_generic(struct mt_rt_op *built, struct mt_ctx *ctx, struct mt_ctx *kernel_ctx,
			  const struct musaGraphNodeParams *params,
			  const struct mt_kernel_attrs *attrs);

#endif
