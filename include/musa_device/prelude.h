/* SPDX-License-Identifier: MIT */
/* What mtcc brings into every MUSA source file before its first line. */
#ifndef __MUSA_DEVICE_PRELUDE_H__
#define __MUSA_DEVICE_PRELUDE_H__

#include "qualifiers.h"
#include "../musa_runtime.h"
#include "../musa_device.h"

#endif
