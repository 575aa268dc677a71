/* SPDX-License-Identifier: MIT */
/* All types of the driver API. */
#ifndef __MUSA_DRV_TYPES_H__
#define __MUSA_DRV_TYPES_H__

#include "drv_base_types.h"
#include "drv_device_types.h"
#include "drv_error_types.h"
#include "drv_graph_types.h"
#include "drv_launch_types.h"
#include "drv_memory_types.h"
#include "drv_stream_types.h"

#endif /* __MUSA_DRV_TYPES_H__ */
