/* SPDX-License-Identifier: MIT */
/*
 * Graph and event calls with more parameter lists than C can give one name, for C++: an event
 * with flags, and edges with their data. Macros lead calls with edges to functions that take
 * both lists; so the name without parentheses is one function, whose address can be taken.
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

/* The edges' data stand before the number of edges, the flags come last. */

static inline musaError_t __musaGraphAddNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					     const musaGraphNode_t *pDependencies,
					     size_t numDependencies,
					     struct musaGraphNodeParams *nodeParams)
{
	return ::musaGraphAddNode(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}

static inline musaError_t __musaGraphAddNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
					     const musaGraphNode_t *pDependencies,
					     const musaGraphEdgeData *dependencyData,
					     size_t numDependencies,
					     struct musaGraphNodeParams *nodeParams)
{
	return ::musaGraphAddNode_v2(pGraphNode, graph, pDependencies, dependencyData,
				     numDependencies, nodeParams);
}

static inline musaError_t __musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t *from,
						     const musaGraphNode_t *to,
						     size_t numDependencies)
{
	return ::musaGraphAddDependencies(graph, from, to, numDependencies);
}

static inline musaError_t __musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t *from,
						     const musaGraphNode_t *to,
						     const musaGraphEdgeData *edgeData,
						     size_t numDependencies)
{
	return ::musaGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline musaError_t __musaGraphRemoveDependencies(musaGraph_t graph,
							const musaGraphNode_t *from,
							const musaGraphNode_t *to,
							size_t numDependencies)
{
	return ::musaGraphRemoveDependencies(graph, from, to, numDependencies);
}

static inline musaError_t __musaGraphRemoveDependencies(musaGraph_t graph,
							const musaGraphNode_t *from,
							const musaGraphNode_t *to,
							const musaGraphEdgeData *edgeData,
							size_t numDependencies)
{
	return ::musaGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline musaError_t __musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t *from,
					      musaGraphNode_t *to, size_t *numEdges)
{
	return ::musaGraphGetEdges(graph, from, to, numEdges);
}

static inline musaError_t __musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t *from,
					      musaGraphNode_t *to, musaGraphEdgeData *edgeData,
					      size_t *numEdges)
{
	return ::musaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}

static inline musaError_t __musaGraphNodeGetDependencies(musaGraphNode_t node,
							 musaGraphNode_t *pDependencies,
							 size_t *pNumDependencies)
{
	return ::musaGraphNodeGetDependencies(node, pDependencies, pNumDependencies);
}

static inline musaError_t __musaGraphNodeGetDependencies(musaGraphNode_t node,
							 musaGraphNode_t *pDependencies,
							 musaGraphEdgeData *edgeData,
							 size_t *pNumDependencies)
{
	return ::musaGraphNodeGetDependencies_v2(node, pDependencies, edgeData, pNumDependencies);
}

static inline musaError_t __musaGraphNodeGetDependentNodes(musaGraphNode_t node,
							   musaGraphNode_t *pDependentNodes,
							   size_t *pNumDependentNodes)
{
	return ::musaGraphNodeGetDependentNodes(node, pDependentNodes, pNumDependentNodes);
}

static inline musaError_t __musaGraphNodeGetDependentNodes(musaGraphNode_t node,
							   musaGraphNode_t *pDependentNodes,
							   musaGraphEdgeData *edgeData,
							   size_t *pNumDependentNodes)
{
	return ::musaGraphNodeGetDependentNodes_v2(node, pDependentNodes, edgeData,
						   pNumDependentNodes);
}

static inline musaError_t __musaStreamUpdateCaptureDependencies(musaStream_t stream,
								musaGraphNode_t *dependencies,
								size_t numDependencies,
								unsigned int flags = 0)
{
	return ::musaStreamUpdateCaptureDependencies(stream, dependencies, numDependencies, flags);
}

/* Flags have no default here: without them a count of 0 could be taken for the edges' data. */
static inline musaError_t
__musaStreamUpdateCaptureDependencies(musaStream_t stream, musaGraphNode_t *dependencies,
				      const musaGraphEdgeData *dependencyData,
				      size_t numDependencies, unsigned int flags)
{
	return ::musaStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData,
							numDependencies, flags);
}

#define musaGraphAddNode(...) __musaGraphAddNode(__VA_ARGS__)
#define musaGraphAddDependencies(...) __musaGraphAddDependencies(__VA_ARGS__)
#define musaGraphRemoveDependencies(...) __musaGraphRemoveDependencies(__VA_ARGS__)
#define musaGraphGetEdges(...) __musaGraphGetEdges(__VA_ARGS__)
#define musaGraphNodeGetDependencies(...) __musaGraphNodeGetDependencies(__VA_ARGS__)
#define musaGraphNodeGetDependentNodes(...) __musaGraphNodeGetDependentNodes(__VA_ARGS__)
#define musaStreamUpdateCaptureDependencies(...) \
	__musaStreamUpdateCaptureDependencies(__VA_ARGS__)

#endif /* __MUSA_CXX_GRAPH_H__ */
