/* SPDX-License-Identifier: MIT */
/*
 * MUSA_VISIBLE_DEVICES: which devices the process sees, and in which order.
 */
#ifndef MT_HW_VISIBLE_H
#define MT_HW_VISIBLE_H

#include <stdint.h>

/**
 * mt_hw_visible_read() - Apply the variable.
 * @count:	Devices that there are.
 * @order_out:	[out] Ordinals of the visible ones; room for `count`.
 * @count_out:	[out] How many.
 *
 * A list of ordinals, separated by commas. An ordinal that there is not ends the list, as CUDA has
 * it; so "-1" and an empty text hide everything. -EINVAL, logged: no list of numbers, or a device
 * twice.
 */
int mt_hw_visible_read(uint32_t count, uint32_t *order_out, uint32_t *count_out);

#endif
