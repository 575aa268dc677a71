/* SPDX-License-Identifier: MIT */
/* Graphs and user objects of the driver API. */
#ifndef __MUSA_DRV_GRAPH_API_H__
#define __MUSA_DRV_GRAPH_API_H__

#include "drv_types.h"

#include "api_begin.h"

MUresult muGraphCreate(MUgraph *phGraph, unsigned int flags);
MUresult muGraphAddKernelNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_KERNEL_NODE_PARAMS *nodeParams);
MUresult muGraphKernelNodeGetParams(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS *nodeParams);
MUresult muGraphKernelNodeSetParams(MUgraphNode hNode, const MUSA_KERNEL_NODE_PARAMS *nodeParams);
MUresult muGraphAddMemcpyNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_MEMCPY3D *copyParams, MUcontext ctx);
MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D *nodeParams);
MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D *nodeParams);
MUresult muGraphAddMemsetNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_MEMSET_NODE_PARAMS *memsetParams, MUcontext ctx);
MUresult muGraphMemsetNodeGetParams(MUgraphNode hNode, MUSA_MEMSET_NODE_PARAMS *nodeParams);
MUresult muGraphMemsetNodeSetParams(MUgraphNode hNode, const MUSA_MEMSET_NODE_PARAMS *nodeParams);
MUresult muGraphAddHostNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			    const MUgraphNode *dependencies, size_t numDependencies,
			    const MUSA_HOST_NODE_PARAMS *nodeParams);
MUresult muGraphHostNodeGetParams(MUgraphNode hNode, MUSA_HOST_NODE_PARAMS *nodeParams);
MUresult muGraphHostNodeSetParams(MUgraphNode hNode, const MUSA_HOST_NODE_PARAMS *nodeParams);
MUresult muGraphAddChildGraphNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				  const MUgraphNode *dependencies, size_t numDependencies,
				  MUgraph childGraph);
MUresult muGraphChildGraphNodeGetGraph(MUgraphNode hNode, MUgraph *phGraph);
MUresult muGraphAddEmptyNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			     const MUgraphNode *dependencies, size_t numDependencies);
MUresult muGraphAddEventRecordNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				   const MUgraphNode *dependencies, size_t numDependencies,
				   MUevent event);
MUresult muGraphEventRecordNodeGetEvent(MUgraphNode hNode, MUevent *event_out);
MUresult muGraphEventRecordNodeSetEvent(MUgraphNode hNode, MUevent event);
MUresult muGraphAddEventWaitNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				 const MUgraphNode *dependencies, size_t numDependencies,
				 MUevent event);
MUresult muGraphEventWaitNodeGetEvent(MUgraphNode hNode, MUevent *event_out);
MUresult muGraphEventWaitNodeSetEvent(MUgraphNode hNode, MUevent event);
MUresult muGraphAddExternalSemaphoresSignalNode(MUgraphNode *phGraphNode, MUgraph hGraph,
						const MUgraphNode *dependencies,
						size_t numDependencies,
						const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
MUresult muGraphExternalSemaphoresSignalNodeGetParams(MUgraphNode hNode,
						      MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out);
MUresult muGraphExternalSemaphoresSignalNodeSetParams(
		MUgraphNode hNode, const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
MUresult muGraphAddExternalSemaphoresWaitNode(MUgraphNode *phGraphNode, MUgraph hGraph,
					      const MUgraphNode *dependencies,
					      size_t numDependencies,
					      const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
MUresult muGraphExternalSemaphoresWaitNodeGetParams(MUgraphNode hNode,
						    MUSA_EXT_SEM_WAIT_NODE_PARAMS *params_out);
MUresult muGraphExternalSemaphoresWaitNodeSetParams(
		MUgraphNode hNode, const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
MUresult muGraphAddMemAllocNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				const MUgraphNode *dependencies, size_t numDependencies,
				MUSA_MEM_ALLOC_NODE_PARAMS *nodeParams);
MUresult muGraphAddMemFreeNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			       const MUgraphNode *dependencies, size_t numDependencies,
			       MUdeviceptr dptr);
MUresult muDeviceGraphMemTrim(MUdevice device);
MUresult muDeviceGetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void *value);
MUresult muDeviceSetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void *value);
MUresult muGraphClone(MUgraph *phGraphClone, MUgraph originalGraph);
MUresult muGraphNodeFindInClone(MUgraphNode *phNode, MUgraphNode hOriginalNode,
				MUgraph hClonedGraph);
MUresult muGraphNodeGetType(MUgraphNode hNode, MUgraphNodeType *type);
MUresult muGraphGetNodes(MUgraph hGraph, MUgraphNode *nodes, size_t *numNodes);
MUresult muGraphGetRootNodes(MUgraph hGraph, MUgraphNode *rootNodes, size_t *numRootNodes);
MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode *from, MUgraphNode *to, size_t *numEdges);
MUresult muGraphNodeGetDependencies(MUgraphNode hNode, MUgraphNode *dependencies,
				    size_t *numDependencies);
MUresult muGraphNodeGetDependentNodes(MUgraphNode hNode, MUgraphNode *dependentNodes,
				      size_t *numDependentNodes);
MUresult muGraphAddDependencies(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				size_t numDependencies);
MUresult muGraphDestroyNode(MUgraphNode hNode);
MUresult muGraphInstantiate_v2(MUgraphExec *phGraphExec, MUgraph hGraph, MUgraphNode *phErrorNode,
			       char *logBuffer, size_t bufferSize);
MUresult muGraphExecKernelNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_KERNEL_NODE_PARAMS *nodeParams);
MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_MEMCPY3D *copyParams, MUcontext ctx);
MUresult muGraphExecMemsetNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_MEMSET_NODE_PARAMS *memsetParams, MUcontext ctx);
MUresult muGraphExecHostNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
				      const MUSA_HOST_NODE_PARAMS *nodeParams);
MUresult muGraphExecChildGraphNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					    MUgraph childGraph);
MUresult muGraphExecEventRecordNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode,
					    MUevent event);
MUresult muGraphExecEventWaitNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode, MUevent event);
MUresult muGraphExecExternalSemaphoresSignalNodeSetParams(
		MUgraphExec hGraphExec, MUgraphNode hNode,
		const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
MUresult muGraphExecExternalSemaphoresWaitNodeSetParams(
		MUgraphExec hGraphExec, MUgraphNode hNode,
		const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
MUresult muGraphLaunch(MUgraphExec hGraphExec, MUstream hStream);
MUresult muGraphExecDestroy(MUgraphExec hGraphExec);
MUresult muGraphDestroy(MUgraph hGraph);
MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphNode *hErrorNode_out,
			   MUgraphExecUpdateResult *updateResult_out);
MUresult muGraphAddBatchMemOpNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				  const MUgraphNode *dependencies, size_t numDependencies,
				  const MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams);
MUresult muGraphAddDependencies_v2(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				   const MUgraphEdgeData *edgeData, size_t numDependencies);
MUresult muGraphAddKernelNode_v2(MUgraphNode *phGraphNode, MUgraph hGraph,
				 const MUgraphNode *dependencies, size_t numDependencies,
				 const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
MUresult muGraphAddNode(MUgraphNode *phGraphNode, MUgraph hGraph, const MUgraphNode *dependencies,
			size_t numDependencies, MUgraphNodeParams *nodeParams);
MUresult muGraphAddNode_v2(MUgraphNode *phGraphNode, MUgraph hGraph,
			   const MUgraphNode *dependencies, const MUgraphEdgeData *dependencyData,
			   size_t numDependencies, MUgraphNodeParams *nodeParams);
MUresult muGraphBatchMemOpNodeGetParams(MUgraphNode hNode,
					MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams_out);
MUresult muGraphBatchMemOpNodeSetParams(MUgraphNode hNode,
					const MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams);
MUresult muGraphConditionalHandleCreate(MUgraphConditionalHandle *pHandle_out, MUgraph hGraph,
					MUcontext ctx, unsigned int defaultLaunchValue,
					unsigned int flags);
MUresult muGraphDebugDotPrint(MUgraph hGraph, const char *path, unsigned int flags);
MUresult muGraphExecBatchMemOpNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					    const MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams);
MUresult muGraphExecGetFlags(MUgraphExec hGraphExec, muuint64_t *flags);
MUresult muGraphExecKernelNodeSetParams_v2(MUgraphExec hGraphExec, MUgraphNode hNode,
					   const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
MUresult muGraphExecNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
				  MUgraphNodeParams *nodeParams);
MUresult muGraphExecUpdate_v2(MUgraphExec hGraphExec, MUgraph hGraph,
			      MUgraphExecUpdateResultInfo *resultInfo);
MUresult muGraphGetEdges_v2(MUgraph hGraph, MUgraphNode *from, MUgraphNode *to,
			    MUgraphEdgeData *edgeData, size_t *numEdges);
MUresult muGraphInstantiateWithFlags(MUgraphExec *phGraphExec, MUgraph hGraph,
				     unsigned long long flags);
MUresult muGraphInstantiateWithParams(MUgraphExec *phGraphExec, MUgraph hGraph,
				      MUSA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
MUresult muGraphKernelNodeCopyAttributes(MUgraphNode dst, MUgraphNode src);
MUresult muGraphKernelNodeGetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
				       MUkernelNodeAttrValue *value_out);
MUresult muGraphKernelNodeGetParams_v2(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
MUresult muGraphKernelNodeSetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
				       const MUkernelNodeAttrValue *value);
MUresult muGraphKernelNodeSetParams_v2(MUgraphNode hNode,
				       const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
MUresult muGraphMemAllocNodeGetParams(MUgraphNode hNode, MUSA_MEM_ALLOC_NODE_PARAMS *params_out);
MUresult muGraphMemFreeNodeGetParams(MUgraphNode hNode, MUdeviceptr *dptr_out);
MUresult muGraphNodeGetDependencies_v2(MUgraphNode hNode, MUgraphNode *dependencies,
				       MUgraphEdgeData *edgeData, size_t *numDependencies);
MUresult muGraphNodeGetDependentNodes_v2(MUgraphNode hNode, MUgraphNode *dependentNodes,
					 MUgraphEdgeData *edgeData, size_t *numDependentNodes);
MUresult muGraphNodeGetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int *isEnabled);
MUresult muGraphNodeSetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int isEnabled);
MUresult muGraphNodeSetParams(MUgraphNode hNode, MUgraphNodeParams *nodeParams);
MUresult muGraphReleaseUserObject(MUgraph graph, MUuserObject object, unsigned int count);
MUresult muGraphRemoveDependencies(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				   size_t numDependencies);
MUresult muGraphRemoveDependencies_v2(MUgraph hGraph, const MUgraphNode *from,
				      const MUgraphNode *to, const MUgraphEdgeData *edgeData,
				      size_t numDependencies);
MUresult muGraphRetainUserObject(MUgraph graph, MUuserObject object, unsigned int count,
				 unsigned int flags);
MUresult muGraphUpload(MUgraphExec hGraphExec, MUstream hStream);
MUresult muUserObjectCreate(MUuserObject *object_out, void *ptr, MUhostFn destroy,
			    unsigned int initialRefcount, unsigned int flags);
MUresult muUserObjectRelease(MUuserObject object, unsigned int count);
MUresult muUserObjectRetain(MUuserObject object, unsigned int count);

#include "api_end.h"

#endif /* __MUSA_DRV_GRAPH_API_H__ */
