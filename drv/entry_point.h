/* SPDX-License-Identifier: MIT */
/* Entry points of the driver API by name. */
#ifndef MT_DRV_ENTRY_POINT_H
#define MT_DRV_ENTRY_POINT_H

#include <stdint.h>

#include "drv/result.h"

/**
 * mt_entry_point() - Find what a program gets that calls a driver function by its plain name.
 * @version:	Of the interface that the program was written for, as MUSA_VERSION counts; decides
 *		between forms with other parameters.
 * @flags:	MU_GET_PROC_ADDRESS_*.
 * @out:	[out] NULL if there is none, and *status_out says why.
 *
 * Errors: INVALID_VALUE; NOT_SUPPORTED for calls whose stream 0 is the thread's own. Needs no
 * initialisation.
 */
MUresult mt_entry_point(const char *name, int version, uint64_t flags, void **out,
			MUdriverProcAddressQueryResult *status_out);

#endif
