/* SPDX-License-Identifier: MIT */
/*
 * What a backend offers to the choice between backends.
 */
#ifndef MT_HW_BACKEND_H
#define MT_HW_BACKEND_H

#include "hw/hw.h"
#include "hw/options.h"

struct mt_hw_backend {
	const char *name;
	uint64_t page_b; /* granule of buffer objects and mappings */

	/* Opens all devices; as mt_hw_init(). 0 devices is a success. */
	int (*open)(const struct mt_hw_options *options, struct mt_hw_device ***devices_out,
		    uint32_t *count_out);
	/* In the child after fork(). May be NULL. */
	void (*fork_child)(struct mt_hw_device *dev);
};

extern const struct mt_hw_backend mt_hw_mock_backend;
extern const struct mt_hw_backend mt_hw_drm_backend; /* only if built with MT_HW_DRM */

#endif
