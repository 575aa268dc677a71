/* SPDX-License-Identifier: MIT */
/* Memory nodes of the runtime API, typed and for the generic calls. */
#include <string.h>

#include "graph/api_mem_node.h"
#include "graph/table.h"

_Static_assert(sizeof(struct musaMemPoolProps) == sizeof(((struct mt_graph_alloc *)0)->props),
	       "kept bytewise");
_Static_assert(sizeof(struct musaMemAccessDesc) == MT_MEM_ACCESS_DESC_B, "kept bytewise");

/* An entry for the memory's own device must allow all. */
static MUresult check_access(const struct musaMemAccessDesc *access, int own_device)
{
	if (access->location.type != musaMemLocationTypeDevice)
		return MUSA_ERROR_INVALID_VALUE;
	if (access->location.id < 0 ||
	    (uint32_t)access->location.id >= mt_drv->mt_device_count())
		return MUSA_ERROR_INVALID_DEVICE;
	switch ((int)access->flags) {
	case musaMemAccessFlagsProtReadWrite:
		return MUSA_SUCCESS;
	case musaMemAccessFlagsProtRead:
	case musaMemAccessFlagsProtNone:
		return access->location.id == own_device ? MUSA_ERROR_NOT_SUPPORTED : MUSA_SUCCESS;
	default:
		return MUSA_ERROR_INVALID_VALUE;
	}
}

static MUresult check_alloc(const struct musaMemAllocNodeParams *params)
{
	const struct musaMemPoolProps *props;
	MUresult ret = MUSA_SUCCESS;
	size_t i;

	if (!params)
		return MUSA_ERROR_INVALID_VALUE;
	props = &params->poolProps;
	if (!params->bytesize || props->allocType != musaMemAllocationTypePinned ||
	    props->location.type != musaMemLocationTypeDevice || props->location.id < 0 ||
	    (uint32_t)props->location.id >= mt_drv->mt_device_count())
		return MUSA_ERROR_INVALID_VALUE;
	if (props->handleTypes != musaMemHandleTypeNone)
		return MUSA_ERROR_NOT_SUPPORTED;
	if (params->accessDescCount && !params->accessDescs)
		return MUSA_ERROR_INVALID_VALUE;
	if (params->accessDescCount > UINT32_MAX)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < params->accessDescCount && !ret; i++)
		ret = check_access(&params->accessDescs[i], props->location.id);
	return ret;
}

MUresult mt_rt_append_alloc(musaGraphNode_t *node_out, musaGraph_t graph,
			    const musaGraphNode_t *deps, size_t dep_count,
			    struct musaMemAllocNodeParams *params)
{
	struct mt_graph_alloc_desc desc;
	MUresult ret = mt_rt_init();
	uint64_t va;

	if (!ret)
		ret = check_alloc(params);
	if (ret)
		return ret;
	desc.size_b = params->bytesize;
	memcpy(desc.props, &params->poolProps, sizeof(desc.props));
	desc.access = params->accessDescs;
	desc.access_count = (uint32_t)params->accessDescCount;
	ret = mt_graph_core->mt_graph_append_alloc(node_out, graph, deps, dep_count,
						   (uint32_t)params->poolProps.location.id, &desc,
						   &va);
	if (!ret)
		params->dptr = (void *)(uintptr_t)va;
	return ret;
}

MUresult mt_rt_append_free(musaGraphNode_t *node_out, musaGraph_t graph,
			   const musaGraphNode_t *deps, size_t dep_count, void *pointer)
{
	MUresult ret = mt_rt_init();

	return ret ? ret : mt_graph_core->mt_graph_append_free(node_out, graph, deps, dep_count,
							       (uintptr_t)pointer);
}

musaError_t musaGraphAddMemAllocNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				     const musaGraphNode_t *pDependencies, size_t numDependencies,
				     struct musaMemAllocNodeParams *nodeParams)
{
	return mt_rt_return(mt_rt_append_alloc(pGraphNode, graph, pDependencies, numDependencies,
					       nodeParams));
}

musaError_t musaGraphAddMemFreeNode(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				    const musaGraphNode_t *pDependencies, size_t numDependencies,
				    void *dptr)
{
	return mt_rt_return(mt_rt_append_free(pGraphNode, graph, pDependencies, numDependencies,
					      dptr));
}

musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
					   struct musaMemAllocNodeParams *params_out)
{
	const struct mt_graph_alloc *alloc;
	MUresult ret = mt_rt_init();

	if (!ret && !params_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_graph_mem_params(node, MT_OP_ALLOC, &alloc);
	if (!ret) {
		memcpy(&params_out->poolProps, alloc->props, sizeof(alloc->props));
		params_out->accessDescs = (const void *)alloc->access;
		params_out->accessDescCount = alloc->access_count;
		params_out->bytesize = alloc->size_b;
		params_out->dptr = (void *)(uintptr_t)alloc->va;
	}
	return mt_rt_return(ret);
}

musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void *dptr_out)
{
	const struct mt_graph_alloc *alloc;
	MUresult ret = mt_rt_init();

	if (!ret && !dptr_out)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_graph_core->mt_graph_mem_params(node, MT_OP_FREE, &alloc);
	if (!ret)
		memcpy(dptr_out, &alloc->va, sizeof(alloc->va));
	return mt_rt_return(ret);
}
