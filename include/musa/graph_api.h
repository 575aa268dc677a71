/* SPDX-License-Identifier: MIT */
/* Graph templates: creation, nodes, edges, queries. */
#ifndef __MUSA_GRAPH_API_H__
#define __MUSA_GRAPH_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaGraphCreate(musaGraph_t *pGraph, unsigned int flags);
musaError_t musaGraphAddKernelNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaKernelNodeParams *pNodeParams);
musaError_t musaGraphAddMemcpyNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaMemcpy3DParms *pCopyParams);
musaError_t musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					   const musaGraphNode_t *pDependencies,
					   size_t numDependencies, const void *symbol,
					   const void *src, size_t count, size_t offset,
					   enum musaMemcpyKind kind);
musaError_t musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					     const musaGraphNode_t *pDependencies,
					     size_t numDependencies, void *dst, const void *symbol,
					     size_t count, size_t offset, enum musaMemcpyKind kind);
musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     void *dst, const void *src, size_t count,
				     enum musaMemcpyKind kind);
musaError_t musaGraphAddMemsetNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaMemsetParams *pMemsetParams);
musaError_t musaGraphAddHostNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				 const musaGraphNode_t *pDependencies, size_t numDependencies,
				 const struct musaHostNodeParams *pNodeParams);
musaError_t musaGraphAddChildGraphNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				       const musaGraphNode_t *pDependencies, size_t numDependencies,
				       musaGraph_t childGraph);
musaError_t musaGraphAddEmptyNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				  const musaGraphNode_t *pDependencies, size_t numDependencies);
musaError_t musaGraphAddEventRecordNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					const musaGraphNode_t *pDependencies,
					size_t numDependencies, musaEvent_t event);
musaError_t musaGraphAddEventWaitNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				      const musaGraphNode_t *pDependencies, size_t numDependencies,
				      musaEvent_t event);
musaError_t musaGraphAddExternalSemaphoresSignalNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
						     const musaGraphNode_t *pDependencies,
						     size_t numDependencies,
						     const struct musaExternalSemaphoreSignalNodeParams *nodeParams);
musaError_t musaGraphAddExternalSemaphoresWaitNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
						   const musaGraphNode_t *pDependencies,
						   size_t numDependencies,
						   const struct musaExternalSemaphoreWaitNodeParams *nodeParams);
musaError_t musaGraphAddMemAllocNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     struct musaMemAllocNodeParams *nodeParams);
musaError_t musaGraphAddMemFreeNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				    const musaGraphNode_t *pDependencies, size_t numDependencies,
				    void *dptr);
musaError_t musaGraphClone(musaGraph_t *pGraphClone, musaGraph_t originalGraph);
musaError_t musaGraphNodeFindInClone(musaGraphNode_t *pNode, musaGraphNode_t originalNode,
				     musaGraph_t clonedGraph);
musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType *pType);
musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t *nodes, size_t *numNodes);
musaError_t musaGraphGetRootNodes(musaGraph_t graph, musaGraphNode_t *pRootNodes,
				  size_t *pNumRootNodes);
musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t *from, musaGraphNode_t *to,
			      size_t *numEdges);
musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node, musaGraphNode_t *pDependencies,
					 size_t *pNumDependencies);
musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node, musaGraphNode_t *pDependentNodes,
					   size_t *pNumDependentNodes);
musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t *from,
				     const musaGraphNode_t *to, size_t numDependencies);
musaError_t musaGraphRemoveDependencies(musaGraph_t graph, const musaGraphNode_t *from,
					const musaGraphNode_t *to, size_t numDependencies);
musaError_t musaGraphDestroyNode(musaGraphNode_t node);
musaError_t musaGraphDestroy(musaGraph_t graph);
musaError_t musaGraphAddNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
			     const musaGraphNode_t *pDependencies, size_t numDependencies,
			     struct musaGraphNodeParams *nodeParams);
musaError_t musaGraphConditionalHandleCreate(musaGraphConditionalHandle *pHandle_out,
					     musaGraph_t graph, unsigned int defaultLaunchValue,
					     unsigned int flags);
musaError_t musaGraphAddDependencies_v2(musaGraph_t graph, const musaGraphNode_t *from,
					const musaGraphNode_t *to,
					const musaGraphEdgeData *edgeData, size_t numDependencies);
musaError_t musaGraphRemoveDependencies_v2(musaGraph_t graph, const musaGraphNode_t *from,
					   const musaGraphNode_t *to,
					   const musaGraphEdgeData *edgeData,
					   size_t numDependencies);
musaError_t musaGraphGetEdges_v2(musaGraph_t graph, musaGraphNode_t *from, musaGraphNode_t *to,
				 musaGraphEdgeData *edgeData, size_t *numEdges);
musaError_t musaGraphNodeGetDependencies_v2(musaGraphNode_t node, musaGraphNode_t *pDependencies,
					    musaGraphEdgeData *edgeData, size_t *pNumDependencies);
musaError_t musaGraphNodeGetDependentNodes_v2(musaGraphNode_t node,
					      musaGraphNode_t *pDependentNodes,
					      musaGraphEdgeData *edgeData,
					      size_t *pNumDependentNodes);
musaError_t musaGraphAddNode_v2(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				const musaGraphNode_t *pDependencies,
				const musaGraphEdgeData *dependencyData, size_t numDependencies,
				struct musaGraphNodeParams *nodeParams);

#include "api_end.h"

#endif /* __MUSA_GRAPH_API_H__ */
