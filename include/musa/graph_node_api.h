/* SPDX-License-Identifier: MIT */
/* Parameters of nodes of a graph template. */
#ifndef __MUSA_GRAPH_NODE_API_H__
#define __MUSA_GRAPH_NODE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaGraphKernelNodeGetParams() - Ask for the parameters of a kernel node.
 * @node:	Node.
 * @pNodeParams:	[out] Parameters. Arrays belong to the node until it is changed or
 *	destroyed; the form of arguments that was set last is the one that is not NULL.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node,
					 struct musaKernelNodeParams *pNodeParams);

/**
 * musaGraphKernelNodeSetParams() - Change a kernel node.
 * @node:	Node.
 * @pNodeParams:	As for musaGraphAddKernelNode(); kernel, dimensions and arguments may all
 *	differ.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or as
 *			musaGraphAddKernelNode()
 *		musaErrorInvalidDeviceFunction  @func is NULL
 *		musaErrorInvalidResourceHandle  @func is no kernel
 *		musaErrorMemoryAllocation
 */
musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
					 const struct musaKernelNodeParams *pNodeParams);

/**
 * musaGraphKernelNodeGetAttribute() - Ask for a launch attribute of a kernel node.
 * @hNode:	Kernel node.
 * @attr:	Attribute.
 * @value_out:	[out] Value; only the member that @attr names is written.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, no kernel node, or an attribute that nodes do not have
 */
musaError_t musaGraphKernelNodeGetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
					    musaLaunchAttributeValue *value_out);

/**
 * musaGraphKernelNodeSetAttribute() - Set a launch attribute of a kernel node.
 * @hNode:	Kernel node.
 * @attr:	Attribute.
 * @value:	Value, in the member that @attr names. A priority is cut to the range of the device.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, no kernel node, or an attribute that nodes do not have
 */
musaError_t musaGraphKernelNodeSetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
					    const musaLaunchAttributeValue *value);

/**
 * musaGraphKernelNodeCopyAttributes() - Copy all launch attributes from one kernel node to another.
 * @hDst:	Kernel node that is changed.
 * @hSrc:	Kernel node that is read.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or no kernel nodes
 */
musaError_t musaGraphKernelNodeCopyAttributes(musaGraphNode_t hDst, musaGraphNode_t hSrc);

/**
 * musaGraphMemcpyNodeGetParams() - Ask for the parameters of a copy node.
 * @node:	Node.
 * @pNodeParams:	[out] Parameters; a copy of contiguous bytes has the extent (bytes, 1, 1).
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node,
					 struct musaMemcpy3DParms *pNodeParams);

/**
 * musaGraphMemcpyNodeSetParams() - Change a copy node.
 * @node:	Node.
 * @pNodeParams:	As for musaGraphAddMemcpyNode().
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or as
 *			musaGraphAddMemcpyNode()
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 *		musaErrorInvalidMemcpyDirection  unknown direction
 */
musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node,
					 const struct musaMemcpy3DParms *pNodeParams);

/**
 * musaGraphMemcpyNodeSetParams1D() - Make a copy node copy contiguous bytes.
 * @node:	Node.
 * @dst:	Destination.
 * @src:	Source.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or as
 *			musaGraphAddMemcpyNode1D()
 *		musaErrorInvalidMemcpyDirection  unknown direction
 */
musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void *dst, const void *src,
					   size_t count, enum musaMemcpyKind kind);

/**
 * musaGraphMemcpyNodeSetParamsToSymbol() - Make a copy node copy into a device variable.
 * @node:	Node.
 * @symbol:	Device variable (the address of its host shadow).
 * @src:	Source.
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or past the end of the
 *			variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not end on a device
 */
musaError_t musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node, const void *symbol,
						 const void *src, size_t count, size_t offset,
						 enum musaMemcpyKind kind);

/**
 * musaGraphMemcpyNodeSetParamsFromSymbol() - Make a copy node copy out of a device variable.
 * @node:	Node.
 * @dst:	Destination.
 * @symbol:	Device variable (the address of its host shadow).
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or past the end of the
 *			variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not start on a device
 */
musaError_t musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void *dst,
						   const void *symbol, size_t count, size_t offset,
						   enum musaMemcpyKind kind);

/**
 * musaGraphMemsetNodeGetParams() - Ask for the parameters of a fill node.
 * @node:	Node.
 * @pNodeParams:	[out] Parameters.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node,
					 struct musaMemsetParams *pNodeParams);

/**
 * musaGraphMemsetNodeSetParams() - Change a fill node.
 * @node:	Node.
 * @pNodeParams:	As for musaGraphAddMemsetNode().
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or as
 *			musaGraphAddMemsetNode()
 */
musaError_t musaGraphMemsetNodeSetParams(musaGraphNode_t node,
					 const struct musaMemsetParams *pNodeParams);

/**
 * musaGraphHostNodeGetParams() - Ask for the parameters of a host node.
 * @node:	Node.
 * @pNodeParams:	[out] Function and its pointer.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphHostNodeGetParams(musaGraphNode_t node,
				       struct musaHostNodeParams *pNodeParams);

/**
 * musaGraphHostNodeSetParams() - Change a host node.
 * @node:	Node.
 * @pNodeParams:	Function and its pointer.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or no function
 */
musaError_t musaGraphHostNodeSetParams(musaGraphNode_t node,
				       const struct musaHostNodeParams *pNodeParams);

/**
 * musaGraphChildGraphNodeGetGraph() - Ask for the graph inside a child-graph node.
 * @node:	Node.
 * @pGraph:	[out] The embedded graph, the same each time. The node owns it; it may be changed,
 *	but not destroyed or instantiated.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t *pGraph);

/**
 * musaGraphEventRecordNodeGetEvent() - Ask which event a node records.
 * @node:	Node.
 * @event_out:	[out] Event.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphEventRecordNodeGetEvent(musaGraphNode_t node, musaEvent_t *event_out);

/**
 * musaGraphEventRecordNodeSetEvent() - Make a node record another event.
 * @node:	Node.
 * @event:	Event.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphEventRecordNodeSetEvent(musaGraphNode_t node, musaEvent_t event);

/**
 * musaGraphEventWaitNodeGetEvent() - Ask which event a node waits for.
 * @node:	Node.
 * @event_out:	[out] Event.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphEventWaitNodeGetEvent(musaGraphNode_t node, musaEvent_t *event_out);

/**
 * musaGraphEventWaitNodeSetEvent() - Make a node wait for another event.
 * @node:	Node.
 * @event:	Event.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphEventWaitNodeSetEvent(musaGraphNode_t node, musaEvent_t event);

/**
 * musaGraphExternalSemaphoresSignalNodeGetParams() - Ask which external semaphores a node signals.
 * @hNode:	Node.
 * @params_out:	[out] Arrays of the node, valid until it is changed or destroyed.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphExternalSemaphoresSignalNodeGetParams(
		musaGraphNode_t hNode, struct musaExternalSemaphoreSignalNodeParams *params_out);

/**
 * musaGraphExternalSemaphoresSignalNodeSetParams() - Change which external semaphores a node
 *	signals.
 * @hNode:	Node.
 * @nodeParams:	Semaphores and a value for each; both arrays are copied.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or NULL arrays or semaphores
 */
musaError_t musaGraphExternalSemaphoresSignalNodeSetParams(
		musaGraphNode_t hNode,
		const struct musaExternalSemaphoreSignalNodeParams *nodeParams);

/**
 * musaGraphExternalSemaphoresWaitNodeGetParams() - Ask which external semaphores a node waits for.
 * @hNode:	Node.
 * @params_out:	[out] Arrays of the node, valid until it is changed or destroyed.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphExternalSemaphoresWaitNodeGetParams(
		musaGraphNode_t hNode, struct musaExternalSemaphoreWaitNodeParams *params_out);

/**
 * musaGraphExternalSemaphoresWaitNodeSetParams() - Change which external semaphores a node waits
 *	for.
 * @hNode:	Node.
 * @nodeParams:	Semaphores and a value for each; both arrays are copied.
 *
 * Executable graphs made before do not change.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type, or NULL arrays or semaphores
 */
musaError_t musaGraphExternalSemaphoresWaitNodeSetParams(
		musaGraphNode_t hNode,
		const struct musaExternalSemaphoreWaitNodeParams *nodeParams);

/**
 * musaGraphMemAllocNodeGetParams() - Ask for the parameters of an allocation node.
 * @node:	Node.
 * @params_out:	[out] Parameters, the address among them.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
					   struct musaMemAllocNodeParams *params_out);

/**
 * musaGraphMemFreeNodeGetParams() - Ask which memory a node frees.
 * @node:	Node.
 * @dptr_out:	[out] Address, as a void *.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a node of another type
 */
musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void *dptr_out);

/**
 * musaGraphNodeSetParams() - Change a node of any type that has parameters.
 * @node:	Node.
 * @nodeParams:	Type, which must be the node's, and parameters. Unused bytes must be 0.
 *
 * Executable graphs made before do not change. An empty node has no parameters: the call does
 * nothing.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, another type, or as the call for the type
 *		musaErrorNotSupported  allocation, free and conditional nodes
 */
musaError_t musaGraphNodeSetParams(musaGraphNode_t node, struct musaGraphNodeParams *nodeParams);

#include "api_end.h"

#endif /* __MUSA_GRAPH_NODE_API_H__ */
