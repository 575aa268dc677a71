/* SPDX-License-Identifier: MIT */
/*
 * COPY and FILL where an end is memory of the host that this process does not have: through the
 * engine's host_access, in pieces.
 */
#include <string.h>

#include "hw/softgpu/internal.h"

#define BOUNCE_B 4096u

struct far_end {
	uint64_t va;
	bool far;
};

bool mt_sg_is_far(struct sg_worker *worker, uint64_t va, uint64_t size_b, uint32_t flags)
{
	struct sg_range range;

	return worker->engine->config.host_access &&
	       !mt_sg_range_find(worker->engine, va, size_b, flags, &range);
}

static bool move(struct sg_worker *worker, uint64_t va, void *local, uint64_t size_b, bool write)
{
	const struct mt_sg_config *config = &worker->engine->config;

	if (!config->host_access(config->user, va, local, size_b, write))
		return true;
	mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, va,
			   "range 0x%llx+%llu is mapped neither on the device nor in the process",
			   (unsigned long long)va, (unsigned long long)size_b);
	return false;
}

/* Both ends are far: backwards where the other direction would overwrite what is still to be read.
 */
static bool bounce(struct sg_worker *worker, uint64_t dst_va, uint64_t src_va, uint64_t size_b)
{
	char buffer[BOUNCE_B];
	bool backwards = dst_va > src_va && dst_va < src_va + size_b;
	uint64_t done_b = 0, piece_b, at;

	for (; done_b < size_b; done_b += piece_b) {
		piece_b = size_b - done_b < BOUNCE_B ? size_b - done_b : BOUNCE_B;
		at = backwards ? size_b - done_b - piece_b : done_b;
		if (!move(worker, src_va + at, buffer, piece_b, false) ||
		    !move(worker, dst_va + at, buffer, piece_b, true))
			return false;
	}
	return true;
}

static bool copy_row(struct sg_worker *worker, struct far_end dst, struct far_end src,
		     uint64_t size_b)
{
	if (dst.far && src.far)
		return bounce(worker, dst.va, src.va, size_b);
	if (dst.far)
		return move(worker, dst.va, (void *)(uintptr_t)src.va, size_b, true);
	return move(worker, src.va, (void *)(uintptr_t)dst.va, size_b, false);
}

bool mt_sg_far_copy(struct sg_worker *worker, const struct mt_pkt_copy *packet, bool dst_far,
		    bool src_far)
{
	uint64_t y, z;

	for (z = 0; z < packet->depth; z++)
		for (y = 0; y < packet->height; y++) {
			struct far_end dst = {
				packet->dst_va + z * packet->dst_slice_b + y * packet->dst_pitch_b,
				dst_far,
			};
			struct far_end src = {
				packet->src_va + z * packet->src_slice_b + y * packet->src_pitch_b,
				src_far,
			};

			if (!copy_row(worker, dst, src, packet->width_b))
				return false;
		}
	return true;
}

bool mt_sg_far_fill(struct sg_worker *worker, const struct mt_pkt_fill *packet)
{
	char buffer[BOUNCE_B];
	uint64_t row, done_b, piece_b, rows = (uint64_t)packet->height * packet->depth, va;
	uint32_t i;

	/* Elements have 1, 2 or 4 bytes, so a piece starts with a whole one. */
	for (i = 0; i < BOUNCE_B; i += packet->element_b)
		memcpy(buffer + i, &packet->value, packet->element_b);
	for (row = 0; row < rows; row++) {
		va = packet->dst_va + row / packet->height * packet->slice_b +
		     row % packet->height * packet->pitch_b;
		for (done_b = 0; done_b < packet->width_b; done_b += piece_b) {
			piece_b = packet->width_b - done_b < BOUNCE_B ? packet->width_b - done_b
								      : BOUNCE_B;
			if (!move(worker, va + done_b, buffer, piece_b, true))
				return false;
		}
	}
	return true;
}
