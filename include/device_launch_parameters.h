/* SPDX-License-Identifier: MIT */
/*
 * The built-in variables of kernels (threadIdx and its like). The device compiler brings them;
 * host code has none, so for a host compiler this header only gives their types.
 */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#endif /* __DEVICE_LAUNCH_PARAMETERS_H__ */
