/* SPDX-License-Identifier: MIT */
/* Queries of nodes and edges in the driver API. Only default edges exist, so that no query loses
 * anything and the forms with edge data write zeroes. */
#include "graph/mu_graph.h"

MUresult muGraphNodeGetType(MUgraphNode hNode, MUgraphNodeType *type)
{
	uint32_t found;
	MUresult ret = mt_initialised();

	if (!ret)
		ret = mt_node_type(hNode, type ? &found : NULL);
	if (!ret)
		*type = (MUgraphNodeType)found;
	return ret;
}

MUresult muGraphGetNodes(MUgraph hGraph, MUgraphNode *nodes, size_t *numNodes)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_list_nodes(hGraph, nodes, numNodes);
}

MUresult muGraphGetRootNodes(MUgraph hGraph, MUgraphNode *rootNodes, size_t *numRootNodes)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_list_roots(hGraph, rootNodes, numRootNodes);
}

MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode *from, MUgraphNode *to, size_t *numEdges)
{
	return muGraphGetEdges_v2(hGraph, from, to, NULL, numEdges);
}

MUresult muGraphGetEdges_v2(MUgraph hGraph, MUgraphNode *from, MUgraphNode *to,
			    MUgraphEdgeData *edgeData, size_t *numEdges)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_list_edges(hGraph, from, to, edgeData, numEdges);
}

MUresult muGraphNodeGetDependencies(MUgraphNode hNode, MUgraphNode *dependencies,
				    size_t *numDependencies)
{
	return muGraphNodeGetDependencies_v2(hNode, dependencies, NULL, numDependencies);
}

MUresult muGraphNodeGetDependencies_v2(MUgraphNode hNode, MUgraphNode *dependencies,
				       MUgraphEdgeData *edgeData, size_t *numDependencies)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_node_list_deps(hNode, dependencies, edgeData, numDependencies);
}

MUresult muGraphNodeGetDependentNodes(MUgraphNode hNode, MUgraphNode *dependentNodes,
				      size_t *numDependentNodes)
{
	return muGraphNodeGetDependentNodes_v2(hNode, dependentNodes, NULL, numDependentNodes);
}

MUresult muGraphNodeGetDependentNodes_v2(MUgraphNode hNode, MUgraphNode *dependentNodes,
					 MUgraphEdgeData *edgeData, size_t *numDependentNodes)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_node_list_dependents(hNode, dependentNodes, edgeData, numDependentNodes);
}
