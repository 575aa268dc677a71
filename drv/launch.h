/* SPDX-License-Identifier: MIT */
/* Kernel launches into streams: what both APIs' launch calls become. */
#ifndef MT_DRV_LAUNCH_H
#define MT_DRV_LAUNCH_H

#include "drv/module.h"
#include "drv/op.h"
#include "drv/stream.h"

struct mt_launch {
	uint32_t grid[3], block[3];
	uint64_t dynamic_shared_b;
	void **params, **extra;
	const struct mt_kernel_attrs *attrs; /* NULL for none */
};

/**
 * mt_launch_kernel() - Build a kernel op and enqueue it.
 * @api:	Name of the API call, for logs and capture reasons.
 *
 * A configuration that is refused invalidates the capture of a capturing stream.
 */
MUresult mt_launch_kernel(struct mt_stream *stream, struct mt_function *fn,
			  const struct mt_launch *launch, const char *api);

/**
 * mt_launch_attrs() - Launch attributes as an op holds them.
 * @attrs:	The API's array; values have the layout that both APIs share.
 * @attrs_out:	[out] Zeroed first.
 *
 * Errors: INVALID_VALUE for an unknown id or a bad value, INVALID_CLUSTER_SIZE, NOT_SUPPORTED for
 * attributes that only make sense with hardware that overlaps dependent kernels.
 */
MUresult mt_launch_attrs(const struct mt_ctx *ctx, const MUlaunchAttribute *attrs,
			 unsigned int count, struct mt_kernel_attrs *attrs_out);

#endif
