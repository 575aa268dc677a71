/* SPDX-License-Identifier: MIT */
/* Translation of the hardware layer's errno values and faults to results. */
#include "drv/result.h"

#include <errno.h>

MUresult mt_result_from_fault(uint32_t code)
{
	switch ((enum mt_hw_fault_code)code) {
	case MT_HW_FAULT_NONE:
		return MUSA_SUCCESS;
	case MT_HW_FAULT_TIMEOUT:
		return MUSA_ERROR_LAUNCH_TIMEOUT;
	case MT_HW_FAULT_ILLEGAL_ADDRESS:
		return MUSA_ERROR_ILLEGAL_ADDRESS;
	case MT_HW_FAULT_MISALIGNED:
		return MUSA_ERROR_MISALIGNED_ADDRESS;
	case MT_HW_FAULT_ASSERT:
		return MUSA_ERROR_ASSERT;
	case MT_HW_FAULT_RESOURCES:
		return MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	case MT_HW_FAULT_BAD_PACKET:
	case MT_HW_FAULT_KERNEL:
	case MT_HW_FAULT_LOST:
		break;
	}
	return MUSA_ERROR_LAUNCH_FAILED;
}

MUresult mt_result_from_failure(const struct mt_hw_device *dev, int error)
{
	uint32_t fault;

	switch (error < 0 ? -error : error) {
	case EIO:
		fault = dev ? atomic_load_explicit(&dev->fault, memory_order_acquire) : 0;
		return fault ? mt_result_from_fault(fault) : MUSA_ERROR_LAUNCH_FAILED;
	case ENOMEM:
	case ENOSPC:
		return MUSA_ERROR_OUT_OF_MEMORY;
	case EINVAL:
	case ERANGE:
		return MUSA_ERROR_INVALID_VALUE;
	case ENODEV:
	case ENXIO:
		return MUSA_ERROR_NO_DEVICE;
	case ENOTSUP:
	case ENOSYS:
		return MUSA_ERROR_NOT_SUPPORTED;
	case ETIME:
	case ETIMEDOUT:
	case EAGAIN:
	case EBUSY:
		return MUSA_ERROR_NOT_READY;
	case EPROTO:
		return MUSA_ERROR_SYSTEM_DRIVER_MISMATCH;
	case EPERM:
		return MUSA_ERROR_NOT_PERMITTED;
	case ENOENT:
		return MUSA_ERROR_FILE_NOT_FOUND;
	default:
		return MUSA_ERROR_OPERATING_SYSTEM;
	}
}
