/* SPDX-License-Identifier: MIT */
/* Parameters of memory nodes, and the memory that a device keeps for graphs, in the driver API. */
#include <string.h>

#include "graph/graph_memory.h"
#include "graph/mem_node.h"
#include "graph/mu_graph.h"

MUresult muGraphMemAllocNodeGetParams(MUgraphNode hNode, MUSA_MEM_ALLOC_NODE_PARAMS *params_out)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_alloc_params(hNode, params_out);
}

MUresult muGraphMemFreeNodeGetParams(MUgraphNode hNode, MUdeviceptr *dptr_out)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_graph_free_params(hNode, dptr_out);
}

/* The primary context of a device, whichever is current. */
static MUresult ctx_of(MUdevice device, struct mt_ctx **ctx_out)
{
	MUresult ret = mt_mu_device(device);

	if (!ret)
		ret = mt_ctx_primary((uint32_t)device, ctx_out);
	return ret ? ret : mt_ctx_error(*ctx_out);
}

MUresult muDeviceGraphMemTrim(MUdevice device)
{
	struct mt_ctx *ctx;
	MUresult ret = ctx_of(device, &ctx);

	return ret ? ret : mt_graph_memory_trim(ctx);
}

MUresult muDeviceGetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void *value)
{
	struct mt_ctx *ctx;
	uint64_t current;
	MUresult ret = ctx_of(device, &ctx);

	if (!ret)
		ret = mt_graph_memory_get(ctx, (uint32_t)attr, value ? &current : NULL);
	if (!ret)
		memcpy(value, &current, sizeof(current));
	return ret;
}

MUresult muDeviceSetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr, void *value)
{
	struct mt_ctx *ctx;
	uint64_t wanted;
	MUresult ret = ctx_of(device, &ctx);

	/* The value is not looked at for attributes that cannot be set. */
	if (!ret && (!value || (attr != MU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
				attr != MU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	memcpy(&wanted, value, sizeof(wanted));
	return mt_graph_memory_set(ctx, (uint32_t)attr, wanted);
}
