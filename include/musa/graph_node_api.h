/* SPDX-License-Identifier: MIT */
/* Parameters of nodes of a graph template. */
#ifndef __MUSA_GRAPH_NODE_API_H__
#define __MUSA_GRAPH_NODE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node,
					 struct musaKernelNodeParams *pNodeParams);
musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
					 const struct musaKernelNodeParams *pNodeParams);
musaError_t musaGraphKernelNodeCopyAttributes(musaGraphNode_t hDst, musaGraphNode_t hSrc);
musaError_t musaGraphKernelNodeGetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
					    musaLaunchAttributeValue *value_out);
musaError_t musaGraphKernelNodeSetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
					    const musaLaunchAttributeValue *value);
musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node,
					 struct musaMemcpy3DParms *pNodeParams);
musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node,
					 const struct musaMemcpy3DParms *pNodeParams);
musaError_t musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node, const void *symbol,
						 const void *src, size_t count, size_t offset,
						 enum musaMemcpyKind kind);
musaError_t musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void *dst,
						   const void *symbol, size_t count, size_t offset,
						   enum musaMemcpyKind kind);
musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void *dst, const void *src,
					   size_t count, enum musaMemcpyKind kind);
musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node,
					 struct musaMemsetParams *pNodeParams);
musaError_t musaGraphMemsetNodeSetParams(musaGraphNode_t node,
					 const struct musaMemsetParams *pNodeParams);
musaError_t musaGraphHostNodeGetParams(musaGraphNode_t node,
				       struct musaHostNodeParams *pNodeParams);
musaError_t musaGraphHostNodeSetParams(musaGraphNode_t node,
				       const struct musaHostNodeParams *pNodeParams);
musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t *pGraph);
musaError_t musaGraphEventRecordNodeGetEvent(musaGraphNode_t node, musaEvent_t *event_out);
musaError_t musaGraphEventRecordNodeSetEvent(musaGraphNode_t node, musaEvent_t event);
musaError_t musaGraphEventWaitNodeGetEvent(musaGraphNode_t node, musaEvent_t *event_out);
musaError_t musaGraphEventWaitNodeSetEvent(musaGraphNode_t node, musaEvent_t event);
musaError_t musaGraphExternalSemaphoresSignalNodeGetParams(musaGraphNode_t hNode,
							   struct musaExternalSemaphoreSignalNodeParams *params_out);
musaError_t musaGraphExternalSemaphoresSignalNodeSetParams(musaGraphNode_t hNode,
							   const struct musaExternalSemaphoreSignalNodeParams *nodeParams);
musaError_t musaGraphExternalSemaphoresWaitNodeGetParams(musaGraphNode_t hNode,
							 struct musaExternalSemaphoreWaitNodeParams *params_out);
musaError_t musaGraphExternalSemaphoresWaitNodeSetParams(musaGraphNode_t hNode,
							 const struct musaExternalSemaphoreWaitNodeParams *nodeParams);
musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
					   struct musaMemAllocNodeParams *params_out);
musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void *dptr_out);
musaError_t musaGraphNodeSetParams(musaGraphNode_t node, struct musaGraphNodeParams *nodeParams);

#include "api_end.h"

#endif /* __MUSA_GRAPH_NODE_API_H__ */
