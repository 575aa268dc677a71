/* SPDX-License-Identifier: MIT */
/* Everything that device code can call without including anything. For mtcc alone. */
#ifndef __MUSA_DEVICE_H__
#define __MUSA_DEVICE_H__

#if !defined(__MUSACC__) || !defined(__cplusplus)
#error "musa_device.h is for MUSA C++ sources compiled by mtcc"
#endif

#include "musa_device/qualifiers.h"

#include "musa_device/atomic.h"
#include "musa_device/builtins.h"
#include "musa_device/convert.h"
#include "musa_device/graph.h"
#include "musa_device/index.h"
#include "musa_device/intrinsics.h"
#include "musa_device/launch.h"
#include "musa_device/math.h"
#include "musa_device/memory.h"
#include "musa_device/simd.h"
#include "musa_device/sync.h"
#include "musa_device/warp.h"

#endif
