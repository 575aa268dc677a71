/* SPDX-License-Identifier: MIT */
/*
 * Device attributes: the one source of truth for muDeviceGetAttribute, musaDeviceGetAttribute and
 * musaDeviceProp. The attribute numbers of the two APIs are the same.
 */
#ifndef MT_DRV_ATTRIBUTE_H
#define MT_DRV_ATTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "drv/result.h"

/* Limits that launches are checked against. */
#define MT_MAX_THREADS_PER_BLOCK 1024u
#define MT_MAX_BLOCK_DIM         1024u
#define MT_MAX_GRID_DIM          2147483647u
#define MT_MAX_THREADS_PER_MP    3072u
#define MT_MAX_BLOCKS_PER_MP     32u
#define MT_CONSTANT_MEMORY_B     8192u

/* INVALID_DEVICE for a bad ordinal, INVALID_VALUE for an unknown attribute or a NULL out. */
MUresult mt_device_attribute(uint32_t device, int attribute, int *value_out);

/* An access policy window of so many bytes is no larger than the device's largest. */
bool mt_access_window_fits(uint32_t device, uint64_t size_b);

#endif
