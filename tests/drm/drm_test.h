/* SPDX-License-Identifier: MIT */
/* What tests of the drm backend share: one open device, a queue, a writer of packets, leak checks.
 */
#ifndef MT_TEST_DRM_H
#define MT_TEST_DRM_H

#include <criterion/criterion.h>

#include "fake.h"
#include "hw/base/alloc.h"

#define LIMIT_NS (INT64_C(60) * 1000000000) /* for what must not hang */

struct rig {
	struct mt_hw_device **devices;
	uint32_t device_count;
	struct mt_hw_device *dev;
	const struct mt_hw_ops *ops;
	struct mt_hw_queue *queue;
	struct mt_hw_bo *commands; /* 1 MiB */
	uint8_t *at;               /* end of what is written */
	uint64_t start_va;         /* of the submission that is being written */
};

/* Opens the first device of the fake, with a queue and command memory. */
void rig_open(struct rig *rig, uint16_t generation);
void rig_close(struct rig *rig);

struct mt_hw_bo *rig_bo(struct rig *rig, uint64_t size_b, enum mt_hw_domain domain);
uint64_t rig_va(const struct rig *rig, const void *at);

void rig_begin(struct rig *rig);
void rig_copy(struct rig *rig, uint64_t dst_va, uint64_t src_va, uint64_t size_b);
void rig_fill(struct rig *rig, uint64_t dst_va, uint64_t size_b, uint32_t value,
	      uint32_t element_b);
/* Writes END and submits; the result of the submission. */
int rig_submit(struct rig *rig);
/* Submits and waits for it. */
void rig_run(struct rig *rig);
void rig_finish(struct rig *rig);

/* What the process holds: descriptors, mappings of the fake and reserved ranges, heap blocks. */
struct holdings {
	uint32_t descriptors, regions;
	uint64_t blocks;
	struct fake_counts kernel;
};
void holdings_get(struct holdings *out);
void holdings_same(const struct holdings *before, const char *what);

#endif
