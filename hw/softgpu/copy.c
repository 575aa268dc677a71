/* SPDX-License-Identifier: MIT */
/*
 * COPY and FILL: boxes of bytes, split into pieces that several workers can take when they are
 * large.
 */
#include <string.h>

#include "hw/softgpu/internal.h"

#define SHARE_B (1u << 20)   /* boxes from this size on are split */
#define PIECE_B (256u << 10) /* bytes of a piece, about */

/* Bytes from the first to behind the last of a box; false on overflow. */
static bool box_span(uint64_t width_b, uint32_t height, uint32_t depth, uint64_t pitch_b,
		     uint64_t slice_b, uint64_t *span_out)
{
	uint64_t rows, slices, span;

	if (height == 1 && depth == 1) {
		*span_out = width_b;
		return true;
	}
	if (__builtin_mul_overflow(pitch_b, (uint64_t)height - 1, &rows) ||
	    __builtin_mul_overflow(slice_b, (uint64_t)depth - 1, &slices) ||
	    __builtin_add_overflow(rows, slices, &span) ||
	    __builtin_add_overflow(span, width_b, span_out))
		return false;
	return true;
}

/* *far_out: the memory is the host's and not this process'. */
static bool check_box(struct sg_worker *worker, enum sg_access access, uint64_t va, uint64_t width_b,
		      uint32_t height, uint32_t depth, uint64_t pitch_b, uint64_t slice_b,
		      const char *what, bool *far_out)
{
	uint64_t span;

	if (!box_span(width_b, height, depth, pitch_b, slice_b, &span)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_BAD_PACKET, va, "%s box is too large", what);
		return false;
	}
	if (mt_sg_check(worker, access, va, span)) {
		*far_out = mt_sg_is_far(worker, va, span,
					access == SG_ACCESS_READ ? MT_SG_READ : MT_SG_WRITE);
		return true;
	}
	mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, va,
			   "%s range 0x%llx+%llu is not mapped", what, (unsigned long long)va,
			   (unsigned long long)span);
	return false;
}

static void copy_rows(struct sg_worker *worker, const struct sg_job *job, uint64_t first,
		      uint64_t count)
{
	const struct mt_pkt_copy *packet = job->packet;
	uint64_t row, y, z;

	(void)worker;
	for (row = first; row < first + count; row++) {
		y = row % packet->height;
		z = row / packet->height;
		memmove((char *)(uintptr_t)packet->dst_va + z * packet->dst_slice_b +
				y * packet->dst_pitch_b,
			(const char *)(uintptr_t)packet->src_va + z * packet->src_slice_b +
				y * packet->src_pitch_b,
			packet->width_b);
	}
}

static void copy_pieces(struct sg_worker *worker, const struct sg_job *job, uint64_t first,
			uint64_t count)
{
	const struct mt_pkt_copy *packet = job->packet;
	uint64_t at = first * PIECE_B, size_b = count * PIECE_B;

	(void)worker;
	if (size_b > packet->width_b - at)
		size_b = packet->width_b - at;
	memcpy((char *)(uintptr_t)packet->dst_va + at, (const char *)(uintptr_t)packet->src_va + at,
	       size_b);
}

static bool overlapping(const struct mt_pkt_copy *packet)
{
	return packet->dst_va < packet->src_va + packet->width_b &&
	       packet->src_va < packet->dst_va + packet->width_b;
}

static uint64_t rows_per_piece(uint64_t width_b)
{
	return width_b >= PIECE_B ? 1 : PIECE_B / (width_b ? width_b : 1);
}

bool mt_sg_do_copy(struct sg_worker *worker, const struct mt_pkt_copy *packet)
{
	uint64_t rows = (uint64_t)packet->height * packet->depth;
	bool src_far, dst_far;

	if (!packet->width_b || !rows)
		return true;
	if (!check_box(worker, SG_ACCESS_READ, packet->src_va, packet->width_b, packet->height,
		       packet->depth, packet->src_pitch_b, packet->src_slice_b, "COPY's source",
		       &src_far) ||
	    !check_box(worker, SG_ACCESS_WRITE, packet->dst_va, packet->width_b, packet->height,
		       packet->depth, packet->dst_pitch_b, packet->dst_slice_b,
		       "COPY's destination", &dst_far))
		return false;
	if (src_far || dst_far)
		return mt_sg_far_copy(worker, packet, dst_far, src_far);
	if (rows == 1) {
		if (packet->width_b < SHARE_B || overlapping(packet))
			memmove((void *)(uintptr_t)packet->dst_va,
				(const void *)(uintptr_t)packet->src_va, packet->width_b);
		else
			mt_sg_job_run(worker, copy_pieces, packet,
				      (packet->width_b + PIECE_B - 1) / PIECE_B, 1);
	} else if (packet->width_b * rows < SHARE_B) {
		copy_rows(worker, &(struct sg_job){ .packet = packet }, 0, rows);
	} else {
		mt_sg_job_run(worker, copy_rows, packet, rows, rows_per_piece(packet->width_b));
	}
	return true;
}

static void fill_span(char *dst, uint64_t size_b, uint32_t value, uint32_t element_b)
{
	uint64_t i, count = size_b / element_b;

	switch (element_b) {
	case 1:
		memset(dst, (int)(value & 0xff), size_b);
		break;
	case 2:
		for (i = 0; i < count; i++)
			((uint16_t *)(void *)dst)[i] = (uint16_t)value;
		break;
	default:
		for (i = 0; i < count; i++)
			((uint32_t *)(void *)dst)[i] = value;
		break;
	}
}

static void fill_rows(struct sg_worker *worker, const struct sg_job *job, uint64_t first,
		      uint64_t count)
{
	const struct mt_pkt_fill *packet = job->packet;
	uint64_t row;

	(void)worker;
	for (row = first; row < first + count; row++)
		fill_span((char *)(uintptr_t)packet->dst_va + row / packet->height * packet->slice_b +
				  row % packet->height * packet->pitch_b,
			  packet->width_b, packet->value, packet->element_b);
}

static void fill_pieces(struct sg_worker *worker, const struct sg_job *job, uint64_t first,
			uint64_t count)
{
	const struct mt_pkt_fill *packet = job->packet;
	uint64_t at = first * PIECE_B, size_b = count * PIECE_B;

	(void)worker;
	if (size_b > packet->width_b - at)
		size_b = packet->width_b - at;
	fill_span((char *)(uintptr_t)packet->dst_va + at, size_b, packet->value, packet->element_b);
}

static bool fill_aligned(struct sg_worker *worker, const struct mt_pkt_fill *packet)
{
	uint64_t mask = packet->element_b - 1, bits = packet->dst_va;

	if (packet->height > 1)
		bits |= packet->pitch_b;
	if (packet->depth > 1)
		bits |= packet->slice_b;
	if (!(bits & mask))
		return true;
	mt_sg_worker_fault(worker, MT_HW_FAULT_MISALIGNED, packet->dst_va,
			   "FILL of %u-byte elements is not aligned to them", packet->element_b);
	return false;
}

bool mt_sg_do_fill(struct sg_worker *worker, const struct mt_pkt_fill *packet)
{
	uint64_t rows = (uint64_t)packet->height * packet->depth;
	bool far;

	if (!packet->width_b || !rows)
		return true;
	if (!fill_aligned(worker, packet) ||
	    !check_box(worker, SG_ACCESS_WRITE, packet->dst_va, packet->width_b, packet->height,
		       packet->depth, packet->pitch_b, packet->slice_b, "FILL's", &far))
		return false;
	if (far)
		return mt_sg_far_fill(worker, packet);
	if (rows == 1) {
		if (packet->width_b < SHARE_B)
			fill_span((char *)(uintptr_t)packet->dst_va, packet->width_b, packet->value,
				  packet->element_b);
		else
			mt_sg_job_run(worker, fill_pieces, packet,
				      (packet->width_b + PIECE_B - 1) / PIECE_B, 1);
	} else if (packet->width_b * rows < SHARE_B) {
		fill_rows(worker, &(struct sg_job){ .packet = packet }, 0, rows);
	} else {
		mt_sg_job_run(worker, fill_rows, packet, rows, rows_per_piece(packet->width_b));
	}
	return true;
}
