/* SPDX-License-Identifier: MIT */
/*
 * What a grid's blocks share, put into the worker's block context.
 */
#ifndef MT_SOFTGPU_DISPATCH_H
#define MT_SOFTGPU_DISPATCH_H

#include <string.h>

#include "hw/softgpu/internal.h"

_Static_assert(offsetof(struct mt_pkt_dispatch, block_x) + 12 ==
			       offsetof(struct mt_pkt_dispatch, dynamic_shared_b) &&
		       offsetof(struct mt_dev_block, block_dim_x) + 12 ==
			       offsetof(struct mt_dev_block, dynamic_shared_b),
	       "block size and dynamic shared memory are copied as one");

static inline void mt_sg_block_enter(struct sg_worker *worker, const struct mt_pkt_dispatch *packet)
{
	struct mt_dev_block *block = &worker->block;

	memcpy(&block->block_dim_x, &packet->block_x, 16);
	memcpy(&block->grid_dim_x, &packet->grid_x, 12);
	block->static_shared_b = packet->static_shared_b;
	block->kernarg = (const void *)(uintptr_t)packet->kernarg_va;
}

#endif
