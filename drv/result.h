/* SPDX-License-Identifier: MIT */
/*
 * Results inside drv/ and graph/: MUresult, whose numbers the runtime API shares. This file has the
 * one translation from the hardware layer's errno and faults.
 */
#ifndef MT_DRV_RESULT_H
#define MT_DRV_RESULT_H

#include "hw/hw.h"
#include "musa.h"

/* A negative errno of hw/ as a result, never MUSA_SUCCESS. */
MUresult mt_result_from_failure(const struct mt_hw_device *dev, int error);

/* 0 or negative errno of hw/ as a result; -EIO becomes the device's fault where dev is given. */
static inline MUresult mt_result_from_errno(const struct mt_hw_device *dev, int error)
{
	MUresult ret;

	if (__builtin_expect(!error, 1))
		return MUSA_SUCCESS;
	ret = mt_result_from_failure(dev, error);
	/* So that the compiler sees callers' out-parameters written on success. */
	if (!ret)
		__builtin_unreachable();
	return ret;
}

/* Result of a device fault: timeout 702, illegal address 700, misaligned 716, assert 710,
 * resources 701, others 719; MUSA_SUCCESS for no fault. */
MUresult mt_result_from_fault(uint32_t code);

#endif
