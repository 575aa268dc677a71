/* SPDX-License-Identifier: MIT */
/* Kernel launches into streams, and their attributes. */
#include "drv/launch.h"

#include <string.h>

#include "drv/attribute.h"
#include "drv/capture.h"
#include "drv/command.h"

#define SMALL_ARGS_B 512u

static MUresult launch_with(struct mt_stream *stream, struct mt_function *fn,
			    const struct mt_launch *launch, void *image, const char *api)
{
	struct mt_op op;
	MUresult ret = mt_op_kernel_build(stream->ctx, fn, launch->grid, launch->block,
					  launch->dynamic_shared_b, launch->params, launch->extra,
					  image, launch->attrs, &op);

	if (__builtin_expect(ret != MUSA_SUCCESS, 0)) {
		if (atomic_load_explicit(&stream->capture, memory_order_acquire))
			mt_capture_ops->spoil(stream, ret, api);
		return ret;
	}
	return mt_stream_enqueue(stream, &op, api);
}

/* Kept apart, so that ordinary launches do not reach across the pages of a large stack frame. */
static MUresult __attribute__((noinline))
launch_large(struct mt_stream *stream, struct mt_function *fn, const struct mt_launch *launch,
	     const char *api)
{
	_Alignas(64) uint8_t image[MT_COMMAND_KERNARG_MAX];

	return launch_with(stream, fn, launch, image, api);
}

MUresult mt_launch_kernel(struct mt_stream *stream, struct mt_function *fn,
			  const struct mt_launch *launch, const char *api)
{
	_Alignas(64) uint8_t image[SMALL_ARGS_B];

	if (fn->args_b > sizeof(image))
		return launch_large(stream, fn, launch, api);
	return launch_with(stream, fn, launch, image, api);
}

static MUresult read_cluster(const MUlaunchAttributeValue *value, uint32_t cluster[3])
{
	cluster[0] = value->clusterDim.x;
	cluster[1] = value->clusterDim.y;
	cluster[2] = value->clusterDim.z;
	for (int i = 0; i < 3; i++)
		if (!cluster[i] || cluster[i] > MT_CLUSTER_BLOCKS_MAX)
			return MUSA_ERROR_INVALID_CLUSTER_SIZE;
	if (cluster[0] * cluster[1] * cluster[2] > MT_CLUSTER_BLOCKS_MAX)
		return MUSA_ERROR_INVALID_CLUSTER_SIZE;
	return MUSA_SUCCESS;
}

static MUresult read_window(const struct mt_ctx *ctx, const MUlaunchAttributeValue *value,
			    struct mt_kernel_attrs *out)
{
	const MUaccessPolicyWindow *window = &value->accessPolicyWindow;

	if (!(window->hitRatio >= 0.0f && window->hitRatio <= 1.0f) ||
	    (unsigned int)window->hitProp > MU_ACCESS_PROPERTY_PERSISTING ||
	    (unsigned int)window->missProp > MU_ACCESS_PROPERTY_STREAMING ||
	    !mt_access_window_fits(ctx->device, window->num_bytes))
		return MUSA_ERROR_INVALID_VALUE;
	memcpy(out->access_window, window, sizeof(out->access_window));
	return MUSA_SUCCESS;
}

static MUresult read_attr(const struct mt_ctx *ctx, const MUlaunchAttribute *attr,
			  struct mt_kernel_attrs *out)
{
	const MUlaunchAttributeValue *value = &attr->value;
	const struct mt_hw_device_info *info = &ctx->hw->info;
	uint32_t word;

	memcpy(&word, value->pad, sizeof(word));
	switch (attr->id) {
	case MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
		return read_window(ctx, value, out);
	case MU_LAUNCH_ATTRIBUTE_COOPERATIVE:
		out->cooperative = word;
		return word > 1 ? MUSA_ERROR_INVALID_VALUE : MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		return read_cluster(value, out->cluster);
	case MU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		out->cluster_policy = word;
		return word > MU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING ? MUSA_ERROR_INVALID_VALUE
									  : MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
		/* It only allows an overlap; full order is within what it promises. */
		return word > 1 ? MUSA_ERROR_INVALID_VALUE : MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_PRIORITY:
		out->priority_requested = value->priority;
		out->priority = value->priority > info->priority_least ? info->priority_least
				: value->priority < info->priority_greatest
					? info->priority_greatest
					: value->priority;
		return MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
		out->mem_sync_map[0] = value->memSyncDomainMap.default_;
		out->mem_sync_map[1] = value->memSyncDomainMap.remote;
		return MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
		out->mem_sync_domain = word;
		return word > MU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE ? MUSA_ERROR_INVALID_VALUE
							       : MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
		return read_cluster(value, out->preferred_cluster);
	case MU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		out->carveout = word;
		return (int32_t)word < -1 || (int32_t)word > 100 ? MUSA_ERROR_INVALID_VALUE
								 : MUSA_SUCCESS;
	case MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
	case MU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
	case MU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
		return MUSA_ERROR_NOT_SUPPORTED;
	default: /* of streams, or unknown */
		return MUSA_ERROR_INVALID_VALUE;
	}
}

MUresult mt_launch_attrs(const struct mt_ctx *ctx, const MUlaunchAttribute *attrs,
			 unsigned int count, struct mt_kernel_attrs *attrs_out)
{
	MUresult ret = MUSA_SUCCESS;

	memset(attrs_out, 0, sizeof(*attrs_out));
	if (count && !attrs)
		return MUSA_ERROR_INVALID_VALUE;
	for (unsigned int i = 0; i < count && !ret; i++) {
		if (attrs[i].id == MU_LAUNCH_ATTRIBUTE_IGNORE)
			continue;
		ret = read_attr(ctx, &attrs[i], attrs_out);
		if (!ret && attrs[i].id != MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
			attrs_out->set |= 1u << attrs[i].id;
	}
	return ret;
}
