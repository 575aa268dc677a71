/* SPDX-License-Identifier: MIT */
/* Graphs and user objects of the driver API. */
#ifndef __MUSA_DRV_GRAPH_API_H__
#define __MUSA_DRV_GRAPH_API_H__

#include "drv_types.h"

/*
 * DOC: A call that names its runtime twin behaves as that does; what differs is the type of the
 * arguments and, where there is one, the context. NULL for a context means the current one. The
 * results have the runtime's numbers. Any thread may call; use of one graph is serialised by its
 * callers. Calls return MUSA_ERROR_NOT_INITIALIZED before muInit(), MUSA_ERROR_INVALID_CONTEXT if they
 * need a current context and there is none, and MUSA_ERROR_NOT_SUPPORTED if the README lists them as
 * not supported.
 */

#include "api_begin.h"

/* Make an empty graph; see musaGraphCreate(). */
MUresult muGraphCreate(MUgraph *phGraph, unsigned int flags);
/* Add a kernel launch; see musaGraphAddKernelNode(). */
MUresult muGraphAddKernelNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_KERNEL_NODE_PARAMS *nodeParams);
/* Ask for the parameters of a kernel node; see musaGraphKernelNodeGetParams(). */
MUresult muGraphKernelNodeGetParams(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS *nodeParams);
/* Change a kernel node; see musaGraphKernelNodeSetParams(). */
MUresult muGraphKernelNodeSetParams(MUgraphNode hNode, const MUSA_KERNEL_NODE_PARAMS *nodeParams);
/* Add a copy of one to three dimensions; see musaGraphAddMemcpyNode(). */
MUresult muGraphAddMemcpyNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_MEMCPY3D *copyParams, MUcontext ctx);
/* Ask for the parameters of a copy node; see musaGraphMemcpyNodeGetParams(). */
MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D *nodeParams);
/* Change a copy node; see musaGraphMemcpyNodeSetParams(). */
MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D *nodeParams);
/* Add a fill; see musaGraphAddMemsetNode(). */
MUresult muGraphAddMemsetNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			      const MUgraphNode *dependencies, size_t numDependencies,
			      const MUSA_MEMSET_NODE_PARAMS *memsetParams, MUcontext ctx);
/* Ask for the parameters of a fill node; see musaGraphMemsetNodeGetParams(). */
MUresult muGraphMemsetNodeGetParams(MUgraphNode hNode, MUSA_MEMSET_NODE_PARAMS *nodeParams);
/* Change a fill node; see musaGraphMemsetNodeSetParams(). */
MUresult muGraphMemsetNodeSetParams(MUgraphNode hNode, const MUSA_MEMSET_NODE_PARAMS *nodeParams);
/* Add a call of a host function; see musaGraphAddHostNode(). */
MUresult muGraphAddHostNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			    const MUgraphNode *dependencies, size_t numDependencies,
			    const MUSA_HOST_NODE_PARAMS *nodeParams);
/* Ask for the parameters of a host node; see musaGraphHostNodeGetParams(). */
MUresult muGraphHostNodeGetParams(MUgraphNode hNode, MUSA_HOST_NODE_PARAMS *nodeParams);
/* Change a host node; see musaGraphHostNodeSetParams(). */
MUresult muGraphHostNodeSetParams(MUgraphNode hNode, const MUSA_HOST_NODE_PARAMS *nodeParams);
/* Add a whole graph as one node; see musaGraphAddChildGraphNode(). */
MUresult muGraphAddChildGraphNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				  const MUgraphNode *dependencies, size_t numDependencies,
				  MUgraph childGraph);
/* Ask for the graph inside a child-graph node; see musaGraphChildGraphNodeGetGraph(). */
MUresult muGraphChildGraphNodeGetGraph(MUgraphNode hNode, MUgraph *phGraph);
/* Add a node that does nothing; see musaGraphAddEmptyNode(). */
MUresult muGraphAddEmptyNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			     const MUgraphNode *dependencies, size_t numDependencies);
/* Add the recording of an event; see musaGraphAddEventRecordNode(). */
MUresult muGraphAddEventRecordNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				   const MUgraphNode *dependencies, size_t numDependencies,
				   MUevent event);
/* Ask which event a node records; see musaGraphEventRecordNodeGetEvent(). */
MUresult muGraphEventRecordNodeGetEvent(MUgraphNode hNode, MUevent *event_out);
/* Make a node record another event; see musaGraphEventRecordNodeSetEvent(). */
MUresult muGraphEventRecordNodeSetEvent(MUgraphNode hNode, MUevent event);
/* Add a wait for an event; see musaGraphAddEventWaitNode(). */
MUresult muGraphAddEventWaitNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				 const MUgraphNode *dependencies, size_t numDependencies,
				 MUevent event);
/* Ask which event a node waits for; see musaGraphEventWaitNodeGetEvent(). */
MUresult muGraphEventWaitNodeGetEvent(MUgraphNode hNode, MUevent *event_out);
/* Make a node wait for another event; see musaGraphEventWaitNodeSetEvent(). */
MUresult muGraphEventWaitNodeSetEvent(MUgraphNode hNode, MUevent event);
/* Add signals of external semaphores; see musaGraphAddExternalSemaphoresSignalNode(). */
MUresult muGraphAddExternalSemaphoresSignalNode(MUgraphNode *phGraphNode, MUgraph hGraph,
						const MUgraphNode *dependencies,
						size_t numDependencies,
						const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
/*
 * Ask which external semaphores a node signals; see
 * musaGraphExternalSemaphoresSignalNodeGetParams().
 */
MUresult muGraphExternalSemaphoresSignalNodeGetParams(MUgraphNode hNode,
						      MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out);
/*
 * Change which external semaphores a node signals; see
 * musaGraphExternalSemaphoresSignalNodeSetParams().
 */
MUresult muGraphExternalSemaphoresSignalNodeSetParams(
		MUgraphNode hNode, const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
/* Add waits for external semaphores; see musaGraphAddExternalSemaphoresWaitNode(). */
MUresult muGraphAddExternalSemaphoresWaitNode(MUgraphNode *phGraphNode, MUgraph hGraph,
					      const MUgraphNode *dependencies,
					      size_t numDependencies,
					      const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
/*
 * Ask which external semaphores a node waits for; see
 * musaGraphExternalSemaphoresWaitNodeGetParams().
 */
MUresult muGraphExternalSemaphoresWaitNodeGetParams(MUgraphNode hNode,
						    MUSA_EXT_SEM_WAIT_NODE_PARAMS *params_out);
/*
 * Change which external semaphores a node waits for; see
 * musaGraphExternalSemaphoresWaitNodeSetParams().
 */
MUresult muGraphExternalSemaphoresWaitNodeSetParams(
		MUgraphNode hNode, const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
/* Add an allocation of device memory; see musaGraphAddMemAllocNode(). */
MUresult muGraphAddMemAllocNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				const MUgraphNode *dependencies, size_t numDependencies,
				MUSA_MEM_ALLOC_NODE_PARAMS *nodeParams);
/* Add the freeing of memory that a graph allocated; see musaGraphAddMemFreeNode(). */
MUresult muGraphAddMemFreeNode(MUgraphNode *phGraphNode, MUgraph hGraph,
			       const MUgraphNode *dependencies, size_t numDependencies,
			       MUdeviceptr dptr);
/*
 * Give memory back to the operating system that graphs of a device allocate from and do not use;
 * see musaDeviceGraphMemTrim().
 */
MUresult muDeviceGraphMemTrim(MUdevice device);
/* Ask how much memory graphs use on a device; see musaDeviceGetGraphMemAttribute(). */
MUresult muDeviceGetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void *value);
/*
 * Reset a high-water mark of graph memory to the current value; see
 * musaDeviceSetGraphMemAttribute().
 */
MUresult muDeviceSetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void *value);
/* Copy a graph with all it holds; see musaGraphClone(). */
MUresult muGraphClone(MUgraph *phGraphClone, MUgraph originalGraph);
/* Find the copy of a node; see musaGraphNodeFindInClone(). */
MUresult muGraphNodeFindInClone(MUgraphNode *phNode, MUgraphNode hOriginalNode,
				MUgraph hClonedGraph);
/* Ask for the type of a node; see musaGraphNodeGetType(). */
MUresult muGraphNodeGetType(MUgraphNode hNode, MUgraphNodeType *type);
/* List the nodes of a graph in the order in which they were added; see musaGraphGetNodes(). */
MUresult muGraphGetNodes(MUgraph hGraph, MUgraphNode *nodes, size_t *numNodes);
/* List the nodes that depend on none; see musaGraphGetRootNodes(). */
MUresult muGraphGetRootNodes(MUgraph hGraph, MUgraphNode *rootNodes, size_t *numRootNodes);
/* List the edges of a graph, as pairs; see musaGraphGetEdges(). */
MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode *from, MUgraphNode *to, size_t *numEdges);
/*
 * List the nodes that a node depends on, in the order in which the edges were added; see
 * musaGraphNodeGetDependencies().
 */
MUresult muGraphNodeGetDependencies(MUgraphNode hNode, MUgraphNode *dependencies,
				    size_t *numDependencies);
/* List the nodes that depend on a node; see musaGraphNodeGetDependentNodes(). */
MUresult muGraphNodeGetDependentNodes(MUgraphNode hNode, MUgraphNode *dependentNodes,
				      size_t *numDependentNodes);
/* Add edges; see musaGraphAddDependencies(). */
MUresult muGraphAddDependencies(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				size_t numDependencies);
/* Remove a node and all its edges; see musaGraphDestroyNode(). */
MUresult muGraphDestroyNode(MUgraphNode hNode);
/* Make an executable graph, and name the node at fault; see musaGraphInstantiate_v1(). */
MUresult muGraphInstantiate_v2(MUgraphExec *phGraphExec, MUgraph hGraph, MUgraphNode *phErrorNode,
			       char *logBuffer, size_t bufferSize);
/* Change a kernel node of an executable graph; see musaGraphExecKernelNodeSetParams(). */
MUresult muGraphExecKernelNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_KERNEL_NODE_PARAMS *nodeParams);
/* Change a copy node of an executable graph; see musaGraphExecMemcpyNodeSetParams(). */
MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_MEMCPY3D *copyParams, MUcontext ctx);
/* Change a fill node of an executable graph; see musaGraphExecMemsetNodeSetParams(). */
MUresult muGraphExecMemsetNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					const MUSA_MEMSET_NODE_PARAMS *memsetParams, MUcontext ctx);
/* Change a host node of an executable graph; see musaGraphExecHostNodeSetParams(). */
MUresult muGraphExecHostNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
				      const MUSA_HOST_NODE_PARAMS *nodeParams);
/*
 * Change all nodes inside a child-graph node of an executable graph; see
 * musaGraphExecChildGraphNodeSetParams().
 */
MUresult muGraphExecChildGraphNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					    MUgraph childGraph);
/*
 * Make a node of an executable graph record another event; see
 * musaGraphExecEventRecordNodeSetEvent().
 */
MUresult muGraphExecEventRecordNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode,
					    MUevent event);
/*
 * Make a node of an executable graph wait for another event; see
 * musaGraphExecEventWaitNodeSetEvent().
 */
MUresult muGraphExecEventWaitNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode, MUevent event);
/*
 * Change the external semaphores that a node of an executable graph signals; see
 * musaGraphExecExternalSemaphoresSignalNodeSetParams().
 */
MUresult muGraphExecExternalSemaphoresSignalNodeSetParams(
		MUgraphExec hGraphExec, MUgraphNode hNode,
		const MUSA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams);
/*
 * Change the external semaphores that a node of an executable graph waits for; see
 * musaGraphExecExternalSemaphoresWaitNodeSetParams().
 */
MUresult muGraphExecExternalSemaphoresWaitNodeSetParams(
		MUgraphExec hGraphExec, MUgraphNode hNode,
		const MUSA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams);
/* Run an executable graph in a stream; see musaGraphLaunch(). */
MUresult muGraphLaunch(MUgraphExec hGraphExec, MUstream hStream);
/* Destroy an executable graph; see musaGraphExecDestroy(). */
MUresult muGraphExecDestroy(MUgraphExec hGraphExec);
/* Destroy a graph with its nodes; see musaGraphDestroy(). */
MUresult muGraphDestroy(MUgraph hGraph);
/* Give an executable graph the parameters of another graph; see musaGraphExecUpdate_v1(). */
MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphNode *hErrorNode_out,
			   MUgraphExecUpdateResult *updateResult_out);
/* Add a node that does what muStreamBatchMemOp() does; the array is copied. */
MUresult muGraphAddBatchMemOpNode(MUgraphNode *phGraphNode, MUgraph hGraph,
				  const MUgraphNode *dependencies, size_t numDependencies,
				  const MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams);
/* As musaGraphAddDependencies(), with data for the edges; see musaGraphAddDependencies_v2(). */
MUresult muGraphAddDependencies_v2(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				   const MUgraphEdgeData *edgeData, size_t numDependencies);
/* Add a kernel launch; see musaGraphAddKernelNode(). */
MUresult muGraphAddKernelNode_v2(MUgraphNode *phGraphNode, MUgraph hGraph,
				 const MUgraphNode *dependencies, size_t numDependencies,
				 const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
/* Add a node of the type that its parameters name; see musaGraphAddNode(). */
MUresult muGraphAddNode(MUgraphNode *phGraphNode, MUgraph hGraph, const MUgraphNode *dependencies,
			size_t numDependencies, MUgraphNodeParams *nodeParams);
/* As musaGraphAddNode(), with data for the edges to the dependencies; see musaGraphAddNode_v2(). */
MUresult muGraphAddNode_v2(MUgraphNode *phGraphNode, MUgraph hGraph,
			   const MUgraphNode *dependencies, const MUgraphEdgeData *dependencyData,
			   size_t numDependencies, MUgraphNodeParams *nodeParams);
/* Ask for the operations of such a node; the array belongs to the node. */
MUresult muGraphBatchMemOpNodeGetParams(MUgraphNode hNode,
					MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams_out);
/* Change the operations of such a node. */
MUresult muGraphBatchMemOpNodeSetParams(MUgraphNode hNode,
					const MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams);
/* Make the value that decides a conditional node; see musaGraphConditionalHandleCreate(). */
MUresult muGraphConditionalHandleCreate(MUgraphConditionalHandle *pHandle_out, MUgraph hGraph,
					MUcontext ctx, unsigned int defaultLaunchValue,
					unsigned int flags);
/* Write a graph as a DOT file; see musaGraphDebugDotPrint(). */
MUresult muGraphDebugDotPrint(MUgraph hGraph, const char *path, unsigned int flags);
/* Change addresses, values and comparisons of such a node of an executable graph. */
MUresult muGraphExecBatchMemOpNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
					    const MUSA_BATCH_MEM_OP_NODE_PARAMS_v1 *nodeParams);
/* Ask for the flags that an executable graph was made with; see musaGraphExecGetFlags(). */
MUresult muGraphExecGetFlags(MUgraphExec hGraphExec, muuint64_t *flags);
/* Change a kernel node of an executable graph; see musaGraphExecKernelNodeSetParams(). */
MUresult muGraphExecKernelNodeSetParams_v2(MUgraphExec hGraphExec, MUgraphNode hNode,
					   const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
/* Change a node of any type that has parameters; see musaGraphExecNodeSetParams(). */
MUresult muGraphExecNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
				  MUgraphNodeParams *nodeParams);
/* As muGraphExecUpdate(), and name both ends of the edge at fault; see musaGraphExecUpdate(). */
MUresult muGraphExecUpdate_v2(MUgraphExec hGraphExec, MUgraph hGraph,
			      MUgraphExecUpdateResultInfo *resultInfo);
/* As musaGraphGetEdges(), with the data of the edges; see musaGraphGetEdges_v2(). */
MUresult muGraphGetEdges_v2(MUgraph hGraph, MUgraphNode *from, MUgraphNode *to,
			    MUgraphEdgeData *edgeData, size_t *numEdges);
/* Make an executable graph; see musaGraphInstantiateWithFlags(). */
MUresult muGraphInstantiateWithFlags(MUgraphExec *phGraphExec, MUgraph hGraph,
				     unsigned long long flags);
/* As musaGraphInstantiate(), and tell what went wrong; see musaGraphInstantiateWithParams(). */
MUresult muGraphInstantiateWithParams(MUgraphExec *phGraphExec, MUgraph hGraph,
				      MUSA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
/*
 * Copy all launch attributes from one kernel node to another; see
 * musaGraphKernelNodeCopyAttributes().
 */
MUresult muGraphKernelNodeCopyAttributes(MUgraphNode dst, MUgraphNode src);
/* Ask for a launch attribute of a kernel node; see musaGraphKernelNodeGetAttribute(). */
MUresult muGraphKernelNodeGetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
				       MUkernelNodeAttrValue *value_out);
/* Ask for the parameters of a kernel node; see musaGraphKernelNodeGetParams(). */
MUresult muGraphKernelNodeGetParams_v2(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
/* Set a launch attribute of a kernel node; see musaGraphKernelNodeSetAttribute(). */
MUresult muGraphKernelNodeSetAttribute(MUgraphNode hNode, MUkernelNodeAttrID attr,
				       const MUkernelNodeAttrValue *value);
/* Change a kernel node; see musaGraphKernelNodeSetParams(). */
MUresult muGraphKernelNodeSetParams_v2(MUgraphNode hNode,
				       const MUSA_KERNEL_NODE_PARAMS_v2 *nodeParams);
/* Ask for the parameters of an allocation node; see musaGraphMemAllocNodeGetParams(). */
MUresult muGraphMemAllocNodeGetParams(MUgraphNode hNode, MUSA_MEM_ALLOC_NODE_PARAMS *params_out);
/* Ask which memory a node frees; see musaGraphMemFreeNodeGetParams(). */
MUresult muGraphMemFreeNodeGetParams(MUgraphNode hNode, MUdeviceptr *dptr_out);
/*
 * As musaGraphNodeGetDependencies(), with the data of the edges; see
 * musaGraphNodeGetDependencies_v2().
 */
MUresult muGraphNodeGetDependencies_v2(MUgraphNode hNode, MUgraphNode *dependencies,
				       MUgraphEdgeData *edgeData, size_t *numDependencies);
/*
 * As musaGraphNodeGetDependentNodes(), with the data of the edges; see
 * musaGraphNodeGetDependentNodes_v2().
 */
MUresult muGraphNodeGetDependentNodes_v2(MUgraphNode hNode, MUgraphNode *dependentNodes,
					 MUgraphEdgeData *edgeData, size_t *numDependentNodes);
/*
 * Ask whether a kernel, copy or fill of an executable graph is on; see musaGraphNodeGetEnabled().
 */
MUresult muGraphNodeGetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int *isEnabled);
/* Switch a kernel, copy or fill of an executable graph on or off; see musaGraphNodeSetEnabled(). */
MUresult muGraphNodeSetEnabled(MUgraphExec hGraphExec, MUgraphNode hNode, unsigned int isEnabled);
/* Change a node of any type that has parameters; see musaGraphNodeSetParams(). */
MUresult muGraphNodeSetParams(MUgraphNode hNode, MUgraphNodeParams *nodeParams);
/* Let a graph give references up; see musaGraphReleaseUserObject(). */
MUresult muGraphReleaseUserObject(MUgraph graph, MUuserObject object, unsigned int count);
/* Remove edges; see musaGraphRemoveDependencies(). */
MUresult muGraphRemoveDependencies(MUgraph hGraph, const MUgraphNode *from, const MUgraphNode *to,
				   size_t numDependencies);
/*
 * As musaGraphRemoveDependencies(); the data must be what the edges have; see
 * musaGraphRemoveDependencies_v2().
 */
MUresult muGraphRemoveDependencies_v2(MUgraph hGraph, const MUgraphNode *from,
				      const MUgraphNode *to, const MUgraphEdgeData *edgeData,
				      size_t numDependencies);
/* Let a graph hold references; see musaGraphRetainUserObject(). */
MUresult muGraphRetainUserObject(MUgraph graph, MUuserObject object, unsigned int count,
				 unsigned int flags);
/* Prepare the first launch without running anything; see musaGraphUpload(). */
MUresult muGraphUpload(MUgraphExec hGraphExec, MUstream hStream);
/* Make a counted reference to something of the caller's; see musaUserObjectCreate(). */
MUresult muUserObjectCreate(MUuserObject *object_out, void *ptr, MUhostFn destroy,
			    unsigned int initialRefcount, unsigned int flags);
/* Give references up; see musaUserObjectRelease(). */
MUresult muUserObjectRelease(MUuserObject object, unsigned int count);
/* Take more references; see musaUserObjectRetain(). */
MUresult muUserObjectRetain(MUuserObject object, unsigned int count);

#include "api_end.h"

#endif /* __MUSA_DRV_GRAPH_API_H__ */
