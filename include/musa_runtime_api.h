/* SPDX-License-Identifier: MIT */
/*
 * The MUSA runtime API as C sees it: types, one header of prototypes for each subject, and the
 * call forms that share a name. musa_runtime.h adds what only C++ has.
 */
#ifndef __MUSA_RUNTIME_API_H__
#define __MUSA_RUNTIME_API_H__

#include "driver_types.h"
#include "host_defines.h"
#include "musart_version.h"
#include "vector_types.h"

#include "musa/array_api.h"
#include "musa/capture_api.h"
#include "musa/device_api.h"
#include "musa/event_api.h"
#include "musa/external_api.h"
#include "musa/graph_api.h"
#include "musa/graph_exec_api.h"
#include "musa/graph_node_api.h"
#include "musa/graph_resource_api.h"
#include "musa/launch_api.h"
#include "musa/library_api.h"
#include "musa/memcpy_api.h"
#include "musa/memory_api.h"
#include "musa/pool_api.h"
#include "musa/stream_api.h"
#include "musa/texture_api.h"

#include "musa/call_forms.h"

#endif /* __MUSA_RUNTIME_API_H__ */
