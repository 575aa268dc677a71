/* SPDX-License-Identifier: MIT */
/*
 * The MUSA runtime API as programs include it: the C interface, and in C++ the typed calls,
 * default arguments and overloads around it.
 */
#ifndef __MUSA_RUNTIME_H__
#define __MUSA_RUNTIME_H__

/* Programs rely on these coming along. */
#ifdef __cplusplus
#include <math.h>
#include <stdlib.h>
#include <string.h>
#endif

#include "musa_profiler_api.h"
#include "musa_runtime_api.h"
#include "vector_functions.h"

#include "musa/make_structs.h"
#ifdef __cplusplus
#include "musa/cxx_array.h"
#include "musa/cxx_graph.h"
#include "musa/cxx_launch.h"
#include "musa/cxx_memory.h"
#include "musa/cxx_symbol.h"
#endif

/* What kernels use: built-in variables, barriers, atomics. Only the device compiler has it. */
#if defined(__MUSACC__) && defined(__cplusplus)
#include "musa_device.h"
#endif

#endif /* __MUSA_RUNTIME_H__ */
