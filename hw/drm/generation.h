/* SPDX-License-Identifier: MIT */
/*
 * Generations of devices: what each one is, and how submissions become jobs on it.
 */
#ifndef MT_DRM_GENERATION_H
#define MT_DRM_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

struct mt_drm_queue;
struct mt_hw_submit;
struct mt_pkt_dispatch;

struct mt_drm_generation {
	const char *name; /* as compilers call it */
	const char *text; /* of the device's name */
	uint8_t id;       /* PCI device id >> 8 */
	uint32_t arch_id; /* of code objects */
	uint32_t warp_size;
	uint32_t shared_block_b; /* 0: not known */
	uint32_t caps;           /* enum mt_hw_caps */
	uint32_t lanes;
	int priority_greatest;
	bool executes_packets; /* reads command memory, needs device mappings of all memory */

	int (*queue_init)(struct mt_drm_queue *queue, int priority);
	void (*queue_finish)(struct mt_drm_queue *queue);
	int (*queue_submit)(struct mt_drm_queue *queue, const struct mt_hw_submit *submit);

	/* Appends one kernel to the words of the queue's next job. NULL: the encoding is not
	 * known, and kernels are refused. */
	int (*lower_dispatch)(struct mt_drm_queue *queue, const struct mt_pkt_dispatch *packet);
};

/**
 * mt_drm_generation_find() - Row for a device.
 * @device_id:	PCI device id, or what QUERY_INFO calls so.
 * @desc:	Description of the kernel driver.
 *
 * Return: never NULL; devices that are not in the table get a row with no more than the published
 * interface offers.
 */
const struct mt_drm_generation *mt_drm_generation_find(uint32_t device_id, const char *desc);

#endif
