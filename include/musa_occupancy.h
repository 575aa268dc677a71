/* SPDX-License-Identifier: MIT */
/* Occupancy calls under the name by which programs include them. */
#ifndef __MUSA_OCCUPANCY_H__
#define __MUSA_OCCUPANCY_H__

#include "musa_runtime.h"

#endif /* __MUSA_OCCUPANCY_H__ */
