/* SPDX-License-Identifier: MIT */
/* User objects in the runtime API. */
#include "graph/api_ops.h"

musaError_t musaUserObjectCreate(musaUserObject_t *object_out, void *ptr, musaHostFn_t destroy,
				 unsigned int initialRefcount, unsigned int flags)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_user_object_create(ptr, destroy, initialRefcount, flags,
							   object_out);
	return mt_rt_return(ret);
}

musaError_t musaUserObjectRetain(musaUserObject_t object, unsigned int count)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_user_object_retain(object, count);
	return mt_rt_return(ret);
}

musaError_t musaUserObjectRelease(musaUserObject_t object, unsigned int count)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_user_object_release(object, count);
	return mt_rt_return(ret);
}

musaError_t musaGraphRetainUserObject(musaGraph_t graph, musaUserObject_t object,
				      unsigned int count, unsigned int flags)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_retain_object(graph, object, count, flags);
	return mt_rt_return(ret);
}

musaError_t musaGraphReleaseUserObject(musaGraph_t graph, musaUserObject_t object,
				       unsigned int count)
{
	MUresult ret = mt_rt_init();

	if (!ret)
		ret = mt_graph_core->mt_graph_release_object(graph, object, count);
	return mt_rt_return(ret);
}
