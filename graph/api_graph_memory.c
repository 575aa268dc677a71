/* SPDX-License-Identifier: MIT */
/* Memory that a device keeps for graphs, in the runtime API. */
#include <string.h>

#include "drv/rt.h"
#include "graph/table.h"

/* The runtime API counts from 1, the core, like the driver API, from 0. */
#define ATTRIBUTE_BASE ((uint32_t)musaGraphMemAttrUsedMemCurrent)

musaError_t musaDeviceGraphMemTrim(int device)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx_of(device, &ctx);

	if (!ret)
		ret = mt_graph_core->mt_graph_memory_trim(ctx);
	return mt_rt_return(ret);
}

musaError_t musaDeviceGetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
					   void *value)
{
	struct mt_ctx *ctx;
	uint64_t current;
	MUresult ret = mt_rt_ctx_of(device, &ctx);

	if (!ret)
		ret = mt_graph_core->mt_graph_memory_get(ctx, (uint32_t)attr - ATTRIBUTE_BASE,
							 value ? &current : NULL);
	if (!ret)
		memcpy(value, &current, sizeof(current));
	return mt_rt_return(ret);
}

musaError_t musaDeviceSetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
					   void *value)
{
	struct mt_ctx *ctx;
	uint64_t wanted;
	MUresult ret = mt_rt_ctx_of(device, &ctx);

	/* The value is not looked at for attributes that cannot be set. */
	if (!ret && (!value || (attr != musaGraphMemAttrUsedMemHigh &&
				attr != musaGraphMemAttrReservedMemHigh)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret) {
		memcpy(&wanted, value, sizeof(wanted));
		ret = mt_graph_core->mt_graph_memory_set(ctx, (uint32_t)attr - ATTRIBUTE_BASE,
							 wanted);
	}
	return mt_rt_return(ret);
}
