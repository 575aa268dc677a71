/* SPDX-License-Identifier: MIT */
/* The MUSA driver API: types, one header of prototypes for each subject, and call forms. */
#ifndef __musa_musa_h__
#define __musa_musa_h__

#include "musa/drv_types.h"

#include "musa/drv_call_forms.h"
#include "musa/drv_device_api.h"
#include "musa/drv_graph_api.h"
#include "musa/drv_memory_api.h"
#include "musa/drv_module_api.h"
#include "musa/drv_pool_api.h"
#include "musa/drv_stream_api.h"

/* Version of the driver API: major * 10000 + minor * 100. */
#define MUSA_VERSION 50100
/* The name that renamed CUDA programs ask for. */
#define MUSA_COMP_VERSION MUSA_VERSION

#endif /* __musa_musa_h__ */
