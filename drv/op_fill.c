/* SPDX-License-Identifier: MIT */
/*
 * Builder of fill ops: checks element size, alignment, pitch and range of a memset.
 */
#include "drv/op.h"

#include <string.h>

#include "drv/mem_map.h"
#include "drv/memory.h"

static MUresult check_shape(const struct mt_op_fill *fill, uint64_t *bytes_out)
{
	uint64_t row_b, rows_b, slices_b, pitch_b = fill->pitch_b;

	if (fill->element_b != 1 && fill->element_b != 2 && fill->element_b != 4)
		return MUSA_ERROR_INVALID_VALUE;
	if (!fill->width || !fill->height || !fill->depth || fill->height > UINT32_MAX)
		return MUSA_ERROR_INVALID_VALUE;
	if (!fill->dst || fill->dst % fill->element_b)
		return MUSA_ERROR_INVALID_VALUE;
	if (__builtin_mul_overflow(fill->width, fill->element_b, &row_b))
		return MUSA_ERROR_INVALID_VALUE;
	if (fill->height == 1)
		pitch_b = row_b;
	else if (pitch_b < row_b || pitch_b % fill->element_b)
		return MUSA_ERROR_INVALID_VALUE;
	if (__builtin_mul_overflow(fill->height - 1, pitch_b, &rows_b) ||
	    __builtin_add_overflow(rows_b, row_b, &rows_b))
		return MUSA_ERROR_INVALID_VALUE;
	if (fill->depth > 1 && fill->slice_b < rows_b)
		return MUSA_ERROR_INVALID_VALUE;
	if (__builtin_mul_overflow((uint64_t)fill->depth - 1, fill->slice_b, &slices_b) ||
	    __builtin_add_overflow(slices_b, rows_b, bytes_out))
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

MUresult mt_op_fill_build(struct mt_ctx *ctx, struct mt_op_fill *fill, bool strict,
			  struct mt_op *op)
{
	struct mt_mem_info info;
	uint64_t bytes;
	MUresult ret = check_shape(fill, &bytes);

	if (ret)
		return ret;
	if (!mt_mem_find(fill->dst, &info) || bytes > info.base + info.size_b - fill->dst)
		return MUSA_ERROR_INVALID_VALUE;
	if (info.hooks && strict && info.hooks->nameable && !info.hooks->nameable(info.owner))
		return MUSA_ERROR_INVALID_VALUE;
	fill->type = (uint8_t)info.type;
	fill->device = info.type == MT_MEM_DEVICE ? (uint8_t)info.device : (uint8_t)ctx->device;

	memset(op, 0, sizeof(*op));
	op->type = MT_OP_FILL;
	op->device = fill->device;
	op->fill = fill;
	return MUSA_SUCCESS;
}
