/* SPDX-License-Identifier: MIT */
/* User objects in the driver API. */
#include "graph/mu_graph.h"

MUresult muUserObjectCreate(MUuserObject *object_out, void *ptr, MUhostFn destroy,
			    unsigned int initialRefcount, unsigned int flags)
{
	MUresult ret = mt_initialised();

	return ret ? ret
		   : mt_user_object_create(ptr, destroy, initialRefcount, flags, object_out);
}

MUresult muUserObjectRetain(MUuserObject object, unsigned int count)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_user_object_retain(object, count);
}

MUresult muUserObjectRelease(MUuserObject object, unsigned int count)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_user_object_release(object, count);
}

MUresult muGraphRetainUserObject(MUgraph graph, MUuserObject object, unsigned int count,
				 unsigned int flags)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_retain_object(graph, object, count, flags);
}

MUresult muGraphReleaseUserObject(MUgraph graph, MUuserObject object, unsigned int count)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_release_object(graph, object, count);
}
