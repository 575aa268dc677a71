/* SPDX-License-Identifier: MIT */
/* Types of the MUSA runtime API, one header for each subject. */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include "host_defines.h"
#include "vector_types.h"
#include "musa/error_types.h"
#include "musa/stream_types.h"
#include "musa/device_types.h"
#include "musa/memory_types.h"
#include "musa/external_types.h"
#include "musa/texture_types.h"
#include "musa/launch_types.h"
#include "musa/graph_types.h"

#endif /* __DRIVER_TYPES_H__ */
