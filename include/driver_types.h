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

/* Callers allocate these: another size would write past what they have. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define __musa_size_is(type, size) static_assert(sizeof(type) == (size), #type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define __musa_size_is(type, size) _Static_assert(sizeof(type) == (size), #type)
#else
#define __musa_size_is(type, size) struct musaArray
#endif

__musa_size_is(struct musaDeviceProp, 1032);
__musa_size_is(struct musaPointerAttributes, 24);
__musa_size_is(struct musaFuncAttributes, 144);
__musa_size_is(struct musaMemcpy3DParms, 160);
__musa_size_is(struct musaMemPoolProps, 88);
__musa_size_is(union musaLaunchAttributeValue, 64);
__musa_size_is(struct musaKernelNodeParams, 56);
__musa_size_is(struct musaMemAllocNodeParams, 120);
__musa_size_is(struct musaGraphNodeParams, 256);
__musa_size_is(musaGraphInstantiateParams, 32);
__musa_size_is(musaGraphExecUpdateResultInfo, 24);

#undef __musa_size_is

#endif /* __DRIVER_TYPES_H__ */
