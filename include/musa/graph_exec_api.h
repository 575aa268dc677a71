/* SPDX-License-Identifier: MIT */
/* Executable graphs: instantiate, update, launch. */
#ifndef __MUSA_GRAPH_EXEC_API_H__
#define __MUSA_GRAPH_EXEC_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaGraphInstantiate() - Make an executable graph.
 * @pGraphExec:	[out] The executable graph. The caller destroys it.
 * @graph:	Graph.
 * @flags:	Of enum musaGraphInstantiateFlags, without Upload.
 *
 * Takes a snapshot: what changes in the graph later does not show. One graph may have any number of
 * executable graphs, but with allocation or conditional nodes one at a time.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, an unknown flag, AutoFreeOnLaunch together with
 *			DeviceLaunch, a cycle, a handle that no conditional node uses, nodes on
 *			several devices; with DeviceLaunch also other nodes than kernels, copies of
 *			device and pinned memory, fills and child graphs, or none of the first three
 *		musaErrorNotSupported  an embedded graph, a second exec of a graph that can have
 *			one, DeviceLaunch on a device whose kernels cannot launch graphs
 *		musaErrorStreamCaptureUnsupported  the thread is capturing
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphInstantiate(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				 unsigned long long flags __dv(0));

/**
 * musaGraphInstantiate_v1() - The form of musaGraphInstantiate() that names the node at fault.
 * @pGraphExec:	[out] The executable graph.
 * @graph:	Graph.
 * @pErrorNode:	[out] Node that was refused, or NULL. May be NULL.
 * @pLogBuffer:	[out] Text that says why, ended by a NUL. May be NULL.
 * @bufferSize:	Bytes in @pLogBuffer.
 *
 * C calls it by musaGraphInstantiate() with five arguments, C++ by an overload.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphInstantiate()
 *		musaErrorNotSupported
 *		musaErrorStreamCaptureUnsupported
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphInstantiate_v1(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				    musaGraphNode_t *pErrorNode, char *pLogBuffer,
				    size_t bufferSize);

/**
 * musaGraphInstantiateWithFlags() - Another name of musaGraphInstantiate().
 * @pGraphExec:	[out] The executable graph.
 * @graph:	Graph.
 * @flags:	Of enum musaGraphInstantiateFlags, without Upload.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphInstantiate()
 *		musaErrorNotSupported
 *		musaErrorStreamCaptureUnsupported
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					  unsigned long long flags __dv(0));

/**
 * musaGraphInstantiateWithParams() - As musaGraphInstantiate(), and tell what went wrong.
 * @pGraphExec:	[out] The executable graph.
 * @graph:	Graph.
 * @instantiateParams:	[in,out] Flags, and the stream to upload in with the Upload flag; receives
 *	the result and the node at fault.
 *
 * The result says more than the error code: structure (a cycle), a node that may not stand where it
 * does, several devices, an unused conditional handle.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  as musaGraphInstantiate()
 *		musaErrorNotSupported
 *		musaErrorStreamCaptureUnsupported
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphInstantiateWithParams(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					   musaGraphInstantiateParams *instantiateParams);

/**
 * musaGraphExecGetFlags() - Ask for the flags that an executable graph was made with.
 * @graphExec:	Executable graph.
 * @flags:	[out] Flags, without Upload.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 */
musaError_t musaGraphExecGetFlags(musaGraphExec_t graphExec, unsigned long long *flags);

/**
 * musaGraphUpload() - Prepare the first launch without running anything.
 * @graphExec:	Executable graph.
 * @stream:	Stream to be ordered in.
 *
 * Memory that the graph allocates gets backing. A launch that finds no upload does it first.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 *		musaErrorStreamCaptureUnsupported  @stream is capturing, and its capture is
 *			invalidated
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphUpload(musaGraphExec_t graphExec, musaStream_t stream);

/**
 * musaGraphLaunch() - Run an executable graph in a stream.
 * @graphExec:	Executable graph. It may be running already.
 * @stream:	Stream. What is given to it later waits for the whole graph.
 *
 * Returns at once. The launch starts after the earlier work of the stream and after every earlier
 * launch of the same exec; a node starts when all its predecessors are done, and nodes without a
 * path between them may run at the same time.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL or destroyed, or graph memory in the wrong state: still
 *			allocated without AutoFreeOnLaunch, or not allocated where a node frees it
 *		musaErrorStreamCaptureUnsupported  @stream is capturing, and its capture is
 *			invalidated
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphLaunch(musaGraphExec_t graphExec, musaStream_t stream);

/**
 * musaGraphExecDestroy() - Destroy an executable graph.
 * @graphExec:	Executable graph.
 *
 * Returns at once; launches that are running or queued end normally, and what they need is released
 * after them. Memory that launches left allocated stays valid.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 *		musaErrorStreamCaptureUnsupported  the thread is capturing
 */
musaError_t musaGraphExecDestroy(musaGraphExec_t graphExec);

/**
 * musaGraphExecUpdate() - Give an executable graph the parameters of another graph of the same
 *	shape.
 * @hGraphExec:	Executable graph.
 * @hGraph:	Graph with as many nodes of the same types, with its edges made in the same order.
 * @resultInfo:	[out] Why, and at which node of @hGraph and at which of its dependencies. May be
 *	NULL.
 *
 * All or nothing: a refused update leaves the exec as it was. Launches already submitted keep the
 * old parameters. Nodes are still named by the graph that the exec was made from, and what was
 * disabled stays so.
 *
 * Sinks (nodes without dependents) are paired in their order, then their dependencies in the order
 * of their edges, and so on. Kernels may change wholly; copies and fills of contiguous bytes in
 * address and size; those of more dimensions hardly.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorGraphExecUpdateFailure  refused, see @resultInfo
 *		musaErrorInvalidValue  NULL or destroyed, or a graph that a node owns
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				musaGraphExecUpdateResultInfo *resultInfo);

/**
 * musaGraphExecUpdate_v1() - The form of musaGraphExecUpdate() that returns a node and a result.
 * @hGraphExec:	Executable graph.
 * @hGraph:	Graph.
 * @errorNode_out:	[out] Node of @hGraph that was refused, or NULL. May be NULL.
 * @result_out:	[out] Why. May be NULL.
 *
 * C calls it by musaGraphExecUpdate() with four arguments, C++ by an overload.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorGraphExecUpdateFailure  refused, see @result_out
 *		musaErrorInvalidValue
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphExecUpdate_v1(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				   musaGraphNode_t *errorNode_out,
				   enum musaGraphExecUpdateResult *result_out);

/**
 * musaGraphExecUpdate_v2() - Another name of musaGraphExecUpdate().
 * @hGraphExec:	Executable graph.
 * @hGraph:	Graph.
 * @resultInfo:	[out] Why, and at which nodes. May be NULL.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorGraphExecUpdateFailure  refused, see @resultInfo
 *		musaErrorInvalidValue
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphExecUpdate_v2(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				   musaGraphExecUpdateResultInfo *resultInfo);

/**
 * musaGraphExecKernelNodeSetParams() - Change a kernel node of an executable graph.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @pNodeParams:	Kernel, dimensions and arguments, all of which may differ; the device may
 *	not.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, or as musaGraphAddKernelNode()
 *		musaErrorInvalidDeviceFunction  @func is NULL
 *		musaErrorInvalidResourceHandle  @func is no kernel
 */
musaError_t musaGraphExecKernelNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaKernelNodeParams *pNodeParams);

/**
 * musaGraphExecMemcpyNodeSetParams() - Change a copy node of an executable graph.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @pNodeParams:	A copy of one dimension may change in addresses and size; one of more only
 *	be repeated as it is.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, another kind of memory or direction, or another shape
 *		musaErrorInvalidMemcpyDirection  unknown direction
 */
musaError_t musaGraphExecMemcpyNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaMemcpy3DParms *pNodeParams);

/**
 * musaGraphExecMemcpyNodeSetParams1D() - Change a one-dimensional copy node of an executable graph.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @dst:	Destination.
 * @src:	Source.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, another kind of memory or direction, or a size of 0
 *		musaErrorInvalidMemcpyDirection  unknown direction
 */
musaError_t musaGraphExecMemcpyNodeSetParams1D(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					       void *dst, const void *src, size_t count,
					       enum musaMemcpyKind kind);

/**
 * musaGraphExecMemcpyNodeSetParamsToSymbol() - Make a copy node of an executable graph copy into a
 *	device variable.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @symbol:	Device variable (the address of its host shadow).
 * @src:	Source.
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, another direction, or past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not end on a device
 */
musaError_t musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec,
						     musaGraphNode_t node, const void *symbol,
						     const void *src, size_t count, size_t offset,
						     enum musaMemcpyKind kind);

/**
 * musaGraphExecMemcpyNodeSetParamsFromSymbol() - Make a copy node of an executable graph copy out
 *	of a device variable.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @dst:	Destination.
 * @symbol:	Device variable (the address of its host shadow).
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, another direction, or past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not start on a device
 */
musaError_t musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec,
						       musaGraphNode_t node, void *dst,
						       const void *symbol, size_t count,
						       size_t offset, enum musaMemcpyKind kind);

/**
 * musaGraphExecMemsetNodeSetParams() - Change a fill node of an executable graph.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @pNodeParams:	A fill of one row may change in all but its height; one of more rows in
 *	address and value.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, or a change of shape
 */
musaError_t musaGraphExecMemsetNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaMemsetParams *pNodeParams);

/**
 * musaGraphExecHostNodeSetParams() - Change a host node of an executable graph.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @pNodeParams:	Function and its pointer.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, or no function
 */
musaError_t musaGraphExecHostNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					   const struct musaHostNodeParams *pNodeParams);

/**
 * musaGraphExecChildGraphNodeSetParams() - Change all nodes inside a child-graph node of an
 *	executable graph.
 * @hGraphExec:	Executable graph.
 * @node:	Node.
 * @childGraph:	Graph of the same shape, added in the same order; its parameters are taken.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, or a node not of the graph
 *		musaErrorGraphExecUpdateFailure  another shape, or a change that an update refuses
 */
musaError_t musaGraphExecChildGraphNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
						 musaGraph_t childGraph);

/**
 * musaGraphExecEventRecordNodeSetEvent() - Make a node of an executable graph record another event.
 * @hGraphExec:	Executable graph.
 * @hNode:	Node.
 * @event:	Event.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from
 */
musaError_t musaGraphExecEventRecordNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
						 musaEvent_t event);

/**
 * musaGraphExecEventWaitNodeSetEvent() - Make a node of an executable graph wait for another event.
 * @hGraphExec:	Executable graph.
 * @hNode:	Node.
 * @event:	Event.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from
 */
musaError_t musaGraphExecEventWaitNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
					       musaEvent_t event);

/**
 * musaGraphExecExternalSemaphoresSignalNodeSetParams() - Change the external semaphores that a node
 *	of an executable graph signals.
 * @hGraphExec:	Executable graph.
 * @hNode:	Node.
 * @nodeParams:	As many semaphores as before, and values.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, or another number of semaphores
 */
musaError_t musaGraphExecExternalSemaphoresSignalNodeSetParams(
		musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
		const struct musaExternalSemaphoreSignalNodeParams *nodeParams);

/**
 * musaGraphExecExternalSemaphoresWaitNodeSetParams() - Change the external semaphores that a node
 *	of an executable graph waits for.
 * @hGraphExec:	Executable graph.
 * @hNode:	Node.
 * @nodeParams:	As many semaphores as before, and values.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, or another number of semaphores
 */
musaError_t musaGraphExecExternalSemaphoresWaitNodeSetParams(
		musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
		const struct musaExternalSemaphoreWaitNodeParams *nodeParams);

/**
 * musaGraphExecNodeSetParams() - Change a node of any type that has parameters.
 * @graphExec:	Executable graph.
 * @node:	Node.
 * @nodeParams:	Type, which must be the node's, and parameters. Unused bytes must be 0.
 *
 * Later launches change, submitted ones and the graph do not. The call does not wait for launches.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from, or as the call for the type
 *		musaErrorNotSupported  allocation, free and conditional nodes
 */
musaError_t musaGraphExecNodeSetParams(musaGraphExec_t graphExec, musaGraphNode_t node,
				       struct musaGraphNodeParams *nodeParams);

/**
 * musaGraphNodeSetEnabled() - Switch a kernel, copy or fill of an executable graph on or off.
 * @hGraphExec:	Executable graph.
 * @hNode:	Node.
 * @isEnabled:	0: the node does nothing, but still passes on dependencies; else it works.
 *
 * Takes effect with the next launch. Parameters set meanwhile are kept.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from
 */
musaError_t musaGraphNodeSetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
				    unsigned int isEnabled);

/**
 * musaGraphNodeGetEnabled() - Ask whether a kernel, copy or fill of an executable graph is on.
 * @hGraphExec:	Executable graph.
 * @hNode:	Node.
 * @isEnabled:	[out] 1 or 0.
 *
 * Thread safety: any thread; use of one exec is serialised inside.
 * Errors:	musaErrorInvalidValue  NULL, another type of node, a node not of the graph that the
 *			exec was made from
 */
musaError_t musaGraphNodeGetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
				    unsigned int *isEnabled);

#include "api_end.h"

#endif /* __MUSA_GRAPH_EXEC_API_H__ */
