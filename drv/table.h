/* SPDX-License-Identifier: MIT */
/*
 * The private, versioned function table through which libmusart reaches the core beyond the exported
 * mu* calls. A runtime library refuses a core whose table has another version or size.
 *
 * MT_DRV_TABLE lists functions by name; their prototypes stand in the drv/ headers included here.
 */
#ifndef MT_DRV_TABLE_H
#define MT_DRV_TABLE_H

#include "drv/context.h"
#include "drv/event.h"
#include "drv/memory.h"
#include "drv/module.h"
#include "drv/op.h"
#include "drv/stream.h"

#define MT_DRV_TABLE_VERSION 1u

#define MT_DRV_TABLE(X)                                                                            \
	X(mt_init)                                                                                 \
	X(mt_device_count)                                                                         \
	X(mt_device_get)                                                                           \
	X(mt_ctx_primary)

struct mt_drv_table {
	uint32_t version, size_b;
#define MT_DRV_TABLE_MEMBER(f) __typeof__(f) *f;
	MT_DRV_TABLE(MT_DRV_TABLE_MEMBER)
#undef MT_DRV_TABLE_MEMBER
};

extern const struct mt_drv_table mt_drv_table_v1; /* exported by libmusa */

#endif
