/* SPDX-License-Identifier: MIT */
/* Graph templates: creation, nodes, edges, queries. */
#ifndef __MUSA_GRAPH_API_H__
#define __MUSA_GRAPH_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaGraphCreate() - Make an empty graph.
 * @pGraph:	[out] The new graph. The caller destroys it.
 * @flags:	0: none is defined.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  @pGraph is NULL, or @flags is not 0
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphCreate(musaGraph_t *pGraph, unsigned int flags);

/**
 * musaGraphDestroy() - Destroy a graph with its nodes.
 * @graph:	Graph.
 *
 * Embedded child graphs, bodies of conditional nodes and references to user objects go with it.
 * Executable graphs made from it stay usable, and memory that its launches left allocated stays
 * valid.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, destroyed already, or owned by a node
 *		musaErrorIllegalState  a live capture fills it
 */
musaError_t musaGraphDestroy(musaGraph_t graph);

/**
 * musaGraphDestroyNode() - Remove a node and all its edges.
 * @node:	Node.
 *
 * Executable graphs made before keep what they have.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 *		musaErrorIllegalState  the graph is being captured into
 *		musaErrorNotSupported  the graph holds nodes that allocate or free memory
 */
musaError_t musaGraphDestroyNode(musaGraphNode_t node);

/**
 * musaGraphAddNode() - Add a node of the type that its parameters name.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @nodeParams:	[in,out] Type and parameters. Bytes that the type does not use must be 0. Receives
 *	the address of an allocation, or the bodies of a conditional node.
 *
 * Behaves as the call for that one type.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, an unknown type, or a byte that must be 0 is not
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
			     const musaGraphNode_t *pDependencies, size_t numDependencies,
			     struct musaGraphNodeParams *nodeParams);

/**
 * musaGraphAddNode_v2() - As musaGraphAddNode(), with data for the edges to the dependencies.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @dependencyData:	What each edge means; NULL: full dependencies.
 * @numDependencies:	Length of the array.
 * @nodeParams:	[in,out] As in musaGraphAddNode().
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphAddNode(), and malformed edge data
 *		musaErrorNotSupported  edge data other than the default
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddNode_v2(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				const musaGraphNode_t *pDependencies,
				const musaGraphEdgeData *dependencyData, size_t numDependencies,
				struct musaGraphNodeParams *nodeParams);

/**
 * musaGraphAddKernelNode() - Add a kernel launch.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @pNodeParams:	Kernel, grid, block, dynamic shared memory in bytes, and the arguments:
 *	either @kernelParams (one address each) or @extra (packed).
 *
 * Argument values are copied by the call. The kernel runs on the device that is current now.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, a dimension of 0, a block or shared memory over
 *			the limit, or not exactly one form of arguments
 *		musaErrorInvalidDeviceFunction  @func is NULL
 *		musaErrorInvalidResourceHandle  @func is no kernel
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddKernelNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaKernelNodeParams *pNodeParams);

/**
 * musaGraphAddMemcpyNode() - Add a copy of one to three dimensions.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @pCopyParams:	What to copy; on each side either an array or a pointer with pitch.
 *
 * The parameters are copied; host memory is read when a launch gets there.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, no or two operands on a side, an extent of 0, a
 *			range past its allocation
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 *		musaErrorInvalidMemcpyDirection  unknown direction
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddMemcpyNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaMemcpy3DParms *pCopyParams);

/**
 * musaGraphAddMemcpyNode1D() - Add a copy of contiguous bytes.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @dst:	First byte written.
 * @src:	First byte read, when a launch gets there.
 * @count:	Bytes, at least 1.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, @count 0, a NULL operand, or pageable host
 *			memory where @kind says device
 *		musaErrorInvalidMemcpyDirection  unknown direction
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     void *dst, const void *src, size_t count,
				     enum musaMemcpyKind kind);

/**
 * musaGraphAddMemcpyNodeToSymbol() - Add a copy into a device variable.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @symbol:	Device variable (the address of its host shadow).
 * @src:	First byte read.
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, @count 0 or past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not end on a device
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					   const musaGraphNode_t *pDependencies,
					   size_t numDependencies, const void *symbol,
					   const void *src, size_t count, size_t offset,
					   enum musaMemcpyKind kind);

/**
 * musaGraphAddMemcpyNodeFromSymbol() - Add a copy out of a device variable.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @dst:	First byte written.
 * @symbol:	Device variable (the address of its host shadow).
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, @count 0 or past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not start on a device
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					     const musaGraphNode_t *pDependencies,
					     size_t numDependencies, void *dst, const void *symbol,
					     size_t count, size_t offset, enum musaMemcpyKind kind);

/**
 * musaGraphAddMemsetNode() - Add a fill.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @pMemsetParams:	Where, and with what: elements of 1, 2 or 4 bytes, width in elements, pitch
 *	in bytes (it counts only if there is more than one row).
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, another element size, a width or height of 0,
 *			pageable or misaligned memory, a pitch smaller than a row, a range past its
 *			allocation
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddMemsetNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   const struct musaMemsetParams *pMemsetParams);

/**
 * musaGraphAddHostNode() - Add a call of a host function.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @pNodeParams:	Function and the pointer that it gets.
 *
 * A thread of the runtime makes the call once the dependencies are done. The function may not call
 * the API.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, or no function
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddHostNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				 const musaGraphNode_t *pDependencies, size_t numDependencies,
				 const struct musaHostNodeParams *pNodeParams);

/**
 * musaGraphAddChildGraphNode() - Add a whole graph as one node.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @childGraph:	Graph to embed. It is cloned now: what changes in it later does not show.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, or a graph embedded in itself
 *		musaErrorNotSupported  @childGraph allocates or frees memory, has conditional nodes,
 *			or is a conditional body
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddChildGraphNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				       const musaGraphNode_t *pDependencies, size_t numDependencies,
				       musaGraph_t childGraph);

/**
 * musaGraphAddEmptyNode() - Add a node that does nothing.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 *
 * It joins and forks dependencies.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddEmptyNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				  const musaGraphNode_t *pDependencies, size_t numDependencies);

/**
 * musaGraphAddEventRecordNode() - Add the recording of an event.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @event:	Event that each launch records. The node keeps it alive.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, or a NULL event
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddEventRecordNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					const musaGraphNode_t *pDependencies,
					size_t numDependencies, musaEvent_t event);

/**
 * musaGraphAddEventWaitNode() - Add a wait for an event.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @event:	Event. The newest record submitted before a launch counts; without one there is no
 *	wait.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, or a NULL event
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddEventWaitNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				      const musaGraphNode_t *pDependencies, size_t numDependencies,
				      musaEvent_t event);

/**
 * musaGraphAddExternalSemaphoresSignalNode() - Add signals of external semaphores.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @nodeParams:	Semaphores and a value for each; both arrays are copied.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, or NULL arrays or semaphores
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddExternalSemaphoresSignalNode(
		musaGraphNode_t *pGraphNode, musaGraph_t graph,
		const musaGraphNode_t *pDependencies, size_t numDependencies,
		const struct musaExternalSemaphoreSignalNodeParams *nodeParams);

/**
 * musaGraphAddExternalSemaphoresWaitNode() - Add waits for external semaphores.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @nodeParams:	Semaphores and a value for each; both arrays are copied.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, or NULL arrays or semaphores
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddExternalSemaphoresWaitNode(
		musaGraphNode_t *pGraphNode, musaGraph_t graph,
		const musaGraphNode_t *pDependencies, size_t numDependencies,
		const struct musaExternalSemaphoreWaitNodeParams *nodeParams);

/**
 * musaGraphAddMemAllocNode() - Add an allocation of device memory.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @nodeParams:	[in,out] Pool properties (pinned device memory), access, size in bytes; @dptr
 *	receives the address.
 *
 * The address is fixed now and the same for every launch; there is memory behind it from this node
 * until it is freed. A graph with such nodes has one exec at a time and cannot be cloned, embedded,
 * or lose nodes or edges.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, a size of 0, memory that is not pinned device
 *			memory
 *		musaErrorInvalidDevice  access for a device that does not exist
 *		musaErrorMemoryAllocation  more than the device has
 *		musaErrorNotSupported  a shareable handle, or own access that is not read-write
 */
musaError_t musaGraphAddMemAllocNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     struct musaMemAllocNodeParams *nodeParams);

/**
 * musaGraphAddMemFreeNode() - Add the freeing of memory that a graph allocated.
 * @pGraphNode:	[out] The new node.
 * @graph:	Graph.
 * @pDependencies:	Nodes that the new one waits for; NULL if there are none.
 * @numDependencies:	Length of the array.
 * @dptr:	Address that musaGraphAddMemAllocNode() gave. The allocating graph may be another
 *	one.
 *
 * The node must be ordered after the allocation and all uses; that is the caller's part.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL in or out pointer, or a dependency that is NULL, given
 *			twice, or of another graph, another address, or memory that this graph or
 *			its owner frees already
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddMemFreeNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				    const musaGraphNode_t *pDependencies, size_t numDependencies,
				    void *dptr);

/**
 * musaGraphConditionalHandleCreate() - Make the value that decides a conditional node.
 * @pHandle_out:	[out] Handle, for one conditional node of this graph or of a body in it.
 * @graph:	Graph.
 * @defaultLaunchValue:	Value at the start of a launch, with the flag.
 * @flags:	0 or musaGraphCondAssignDefault. Without the flag a launch starts with the value
 *	that the launch before left, at first 0.
 *
 * Kernels set the value with musaGraphSetConditional().
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or another flag
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphConditionalHandleCreate(musaGraphConditionalHandle *pHandle_out,
					     musaGraph_t graph,
					     unsigned int defaultLaunchValue __dv(0),
					     unsigned int flags __dv(0));

/**
 * musaGraphClone() - Copy a graph with all it holds.
 * @pGraphClone:	[out] The copy.
 * @originalGraph:	Graph.
 *
 * The copy is independent. References to user objects are shared, each with a count of its own.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorNotSupported  the graph allocates or frees memory, or has conditional nodes
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphClone(musaGraph_t *pGraphClone, musaGraph_t originalGraph);

/**
 * musaGraphNodeFindInClone() - Find the copy of a node.
 * @pNode:	[out] The node in the clone.
 * @originalNode:	Node of the graph that was cloned.
 * @clonedGraph:	A clone of it, or the graph of a child node that it was embedded by.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, not a clone of the node's graph, or the node has no
 *			copy in it
 */
musaError_t musaGraphNodeFindInClone(musaGraphNode_t *pNode, musaGraphNode_t originalNode,
				     musaGraph_t clonedGraph);

/**
 * musaGraphNodeGetType() - Ask for the type of a node.
 * @node:	Node.
 * @pType:	[out] Type.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 */
musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType *pType);

/**
 * musaGraphGetNodes() - List the nodes of a graph in the order in which they were added.
 * @graph:	Graph.
 * @nodes:	[out] Nodes, or NULL.
 * @numNodes:	[in,out] Room in the array; number of nodes.
 *
 * With a NULL array only the number is written. Otherwise @numNodes says how many fit: so many are
 * written, and if that is more than there are, the rest becomes NULL and @numNodes the number.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL graph or number, or no room in an array
 */
musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t *nodes, size_t *numNodes);

/**
 * musaGraphGetRootNodes() - List the nodes that depend on none.
 * @graph:	Graph.
 * @pRootNodes:	[out] Nodes, or NULL.
 * @pNumRootNodes:	[in,out] Room in the array; number of roots.
 *
 * With a NULL array only the number is written. Otherwise @pNumRootNodes says how many fit: so many
 * are written, and if that is more than there are, the rest becomes NULL and @pNumRootNodes the
 * number.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL graph or number, or no room in an array
 */
musaError_t musaGraphGetRootNodes(musaGraph_t graph, musaGraphNode_t *pRootNodes,
				  size_t *pNumRootNodes);

/**
 * musaGraphGetEdges() - List the edges of a graph, as pairs.
 * @graph:	Graph.
 * @from:	[out] Predecessors, or NULL.
 * @to:	[out] Successors, or NULL; both arrays or none.
 * @numEdges:	[in,out] Room in each array; number of edges.
 *
 * With a NULL array only the number is written. Otherwise @numEdges says how many fit: so many are
 * written, and if that is more than there are, the rest becomes NULL and @numEdges the number.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL graph or number, one array of two, or no room
 *		musaErrorLossyQuery  an edge has data that this form cannot return
 */
musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t *from, musaGraphNode_t *to,
			      size_t *numEdges);

/**
 * musaGraphGetEdges_v2() - As musaGraphGetEdges(), with the data of the edges.
 * @graph:	Graph.
 * @from:	[out] Predecessors, or NULL.
 * @to:	[out] Successors, or NULL; both arrays or none.
 * @edgeData:	[out] Data of each edge, or NULL.
 * @numEdges:	[in,out] Room in each array; number of edges.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphGetEdges(), or edge data without nodes
 */
musaError_t musaGraphGetEdges_v2(musaGraph_t graph, musaGraphNode_t *from, musaGraphNode_t *to,
				 musaGraphEdgeData *edgeData, size_t *numEdges);

/**
 * musaGraphNodeGetDependencies() - List the nodes that a node depends on, in the order in which the
 *	edges were added.
 * @node:	Node.
 * @pDependencies:	[out] Nodes, or NULL.
 * @pNumDependencies:	[in,out] Room in the array; number of dependencies.
 *
 * With a NULL array only the number is written. Otherwise @pNumDependencies says how many fit: so
 * many are written, and if that is more than there are, the rest becomes NULL and @pNumDependencies
 * the number.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL node or number, or no room in an array
 *		musaErrorLossyQuery  an edge has data that this form cannot return
 */
musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node, musaGraphNode_t *pDependencies,
					 size_t *pNumDependencies);

/**
 * musaGraphNodeGetDependencies_v2() - As musaGraphNodeGetDependencies(), with the data of the
 *	edges.
 * @node:	Node.
 * @pDependencies:	[out] Nodes, or NULL.
 * @edgeData:	[out] Data of each edge, or NULL.
 * @pNumDependencies:	[in,out] Room in each array; number of dependencies.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphNodeGetDependencies(), or edge data without nodes
 */
musaError_t musaGraphNodeGetDependencies_v2(musaGraphNode_t node, musaGraphNode_t *pDependencies,
					    musaGraphEdgeData *edgeData, size_t *pNumDependencies);

/**
 * musaGraphNodeGetDependentNodes() - List the nodes that depend on a node.
 * @node:	Node.
 * @pDependentNodes:	[out] Nodes, or NULL.
 * @pNumDependentNodes:	[in,out] Room in the array; number of dependents.
 *
 * With a NULL array only the number is written. Otherwise @pNumDependentNodes says how many fit: so
 * many are written, and if that is more than there are, the rest becomes NULL and
 * @pNumDependentNodes the number.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL node or number, or no room in an array
 *		musaErrorLossyQuery  an edge has data that this form cannot return
 */
musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node, musaGraphNode_t *pDependentNodes,
					   size_t *pNumDependentNodes);

/**
 * musaGraphNodeGetDependentNodes_v2() - As musaGraphNodeGetDependentNodes(), with the data of the
 *	edges.
 * @node:	Node.
 * @pDependentNodes:	[out] Nodes, or NULL.
 * @edgeData:	[out] Data of each edge, or NULL.
 * @pNumDependentNodes:	[in,out] Room in each array; number of dependents.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphNodeGetDependentNodes(), or edge data without
 *			nodes
 */
musaError_t musaGraphNodeGetDependentNodes_v2(musaGraphNode_t node,
					      musaGraphNode_t *pDependentNodes,
					      musaGraphEdgeData *edgeData,
					      size_t *pNumDependentNodes);

/**
 * musaGraphAddDependencies() - Add edges.
 * @graph:	Graph.
 * @from:	Predecessor of each edge.
 * @to:	Successor of each edge, in step with @from.
 * @numDependencies:	Number of edges; 0 does nothing.
 *
 * Every pair is checked for NULL, self edges and foreign nodes before the first edge is added; then
 * they are added in order up to one that exists. A cycle is found when the graph is instantiated.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, a node of another graph, an edge from a node to itself,
 *			or one that exists
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t *from,
				     const musaGraphNode_t *to, size_t numDependencies);

/**
 * musaGraphAddDependencies_v2() - As musaGraphAddDependencies(), with data for the edges.
 * @graph:	Graph.
 * @from:	Predecessor of each edge.
 * @to:	Successor of each edge, in step with @from.
 * @edgeData:	What each edge means; NULL: full dependencies.
 * @numDependencies:	Number of edges; 0 does nothing.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphAddDependencies(), and malformed edge data
 *		musaErrorNotSupported  edge data other than the default
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphAddDependencies_v2(musaGraph_t graph, const musaGraphNode_t *from,
					const musaGraphNode_t *to,
					const musaGraphEdgeData *edgeData, size_t numDependencies);

/**
 * musaGraphRemoveDependencies() - Remove edges.
 * @graph:	Graph.
 * @from:	Predecessor of each edge.
 * @to:	Successor of each edge, in step with @from.
 * @numDependencies:	Number of edges; 0 does nothing.
 *
 * Pairs are checked as in musaGraphAddDependencies(), then removed in order up to one that is
 * missing.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, a node of another graph, or an edge that does not exist
 *		musaErrorNotSupported  the graph holds nodes that allocate or free memory
 */
musaError_t musaGraphRemoveDependencies(musaGraph_t graph, const musaGraphNode_t *from,
					const musaGraphNode_t *to, size_t numDependencies);

/**
 * musaGraphRemoveDependencies_v2() - As musaGraphRemoveDependencies(); the data must be what the
 *	edges have.
 * @graph:	Graph.
 * @from:	Predecessor of each edge.
 * @to:	Successor of each edge, in step with @from.
 * @edgeData:	What each edge means; NULL: full dependencies.
 * @numDependencies:	Number of edges; 0 does nothing.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphRemoveDependencies(), and data that is malformed
 *			or differs
 *		musaErrorNotSupported  edge data other than the default, or a graph that allocates
 *			or frees memory
 */
musaError_t musaGraphRemoveDependencies_v2(musaGraph_t graph, const musaGraphNode_t *from,
					   const musaGraphNode_t *to,
					   const musaGraphEdgeData *edgeData,
					   size_t numDependencies);

#include "api_end.h"

#endif /* __MUSA_GRAPH_API_H__ */
