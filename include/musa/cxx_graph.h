/* SPDX-License-Identifier: MIT */
/*
 * Graph and event calls with more parameter lists than C can give one name, for C++: an event
 * with flags, and edges with their data.
 */
#ifndef __MUSA_CXX_GRAPH_H__
#define __MUSA_CXX_GRAPH_H__

#include "capture_api.h"
#include "event_api.h"
#include "graph_api.h"

/* With flags, musaEventCreate() is musaEventCreateWithFlags(). */
static inline musaError_t musaEventCreate(musaEvent_t *event, unsigned int flags)
{
	return ::musaEventCreateWithFlags(event, flags);
}

static inline musaError_t musaGraphAddNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					   const musaGraphNode_t *pDependencies,
					   const musaGraphEdgeData *dependencyData,
					   size_t numDependencies,
					   struct musaGraphNodeParams *nodeParams)
{
	return ::musaGraphAddNode_v2(pGraphNode, graph, pDependencies, dependencyData,
				     numDependencies, nodeParams);
}

static inline musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t *from,
						   const musaGraphNode_t *to,
						   const musaGraphEdgeData *edgeData,
						   size_t numDependencies)
{
	return ::musaGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline musaError_t musaGraphRemoveDependencies(musaGraph_t graph,
						      const musaGraphNode_t *from,
						      const musaGraphNode_t *to,
						      const musaGraphEdgeData *edgeData,
						      size_t numDependencies)
{
	return ::musaGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t *from,
					    musaGraphNode_t *to, musaGraphEdgeData *edgeData,
					    size_t *numEdges)
{
	return ::musaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}

static inline musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node,
						       musaGraphNode_t *pDependencies,
						       musaGraphEdgeData *edgeData,
						       size_t *pNumDependencies)
{
	return ::musaGraphNodeGetDependencies_v2(node, pDependencies, edgeData, pNumDependencies);
}

static inline musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node,
							 musaGraphNode_t *pDependentNodes,
							 musaGraphEdgeData *edgeData,
							 size_t *pNumDependentNodes)
{
	return ::musaGraphNodeGetDependentNodes_v2(node, pDependentNodes, edgeData,
						   pNumDependentNodes);
}

/* Flags have no default here: without them a count of 0 could be taken for the edges' data. */
static inline musaError_t
musaStreamUpdateCaptureDependencies(musaStream_t stream, musaGraphNode_t *dependencies,
				    const musaGraphEdgeData *dependencyData,
				    size_t numDependencies, unsigned int flags)
{
	return ::musaStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData,
							numDependencies, flags);
}

#endif /* __MUSA_CXX_GRAPH_H__ */
