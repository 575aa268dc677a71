/* SPDX-License-Identifier: MIT */
/*
 * Results inside drv/ and graph/: MUresult, whose numbers the runtime API shares. This file has the
 * one translation from the hardware layer's errno and faults.
 */
#ifndef MT_DRV_RESULT_H
#define MT_DRV_RESULT_H

#include "hw/hw.h"
#include "musa.h"

/* 0 or negative errno of hw/ as a result; -EIO becomes the device's fault where dev is given. */
MUresult mt_result_from_errno(const struct mt_hw_device *dev, int error);

/* Result of a device fault: timeout 702, illegal address 700, misaligned 716, assert 710,
 * resources 701, others 719; MUSA_SUCCESS for no fault. */
MUresult mt_result_from_fault(uint32_t code);

#endif
