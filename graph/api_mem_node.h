/* SPDX-License-Identifier: MIT */
/* Memory nodes of the runtime API, for the typed and the generic calls. Part of libmusart. */
#ifndef MT_GRAPH_API_MEM_NODE_H
#define MT_GRAPH_API_MEM_NODE_H

#include "drv/rt.h"

MUresult mt_rt_append_alloc(musaGraphNode_t *node_out, musaGraph_t graph,
			    const musaGraphNode_t *deps, size_t dep_count,
			    struct musaMemAllocNodeParams *params);
MUresult mt_rt_append_free(musaGraphNode_t *node_out, musaGraph_t graph,
			   const musaGraphNode_t *deps, size_t dep_count, void *pointer);

#endif
