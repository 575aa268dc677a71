/* SPDX-License-Identifier: MIT */
/* The driver layer's function table, as libmusa exports it to libmusart. */
#include "drv/table.h"

#define MT_DRV_TABLE_ENTRY(f) .f = f,
__attribute__((visibility("default"))) const struct mt_drv_table mt_drv_table_v1 = {
	.version = MT_DRV_TABLE_VERSION,
	.size_b = sizeof(struct mt_drv_table),
	MT_DRV_TABLE(MT_DRV_TABLE_ENTRY)
};
