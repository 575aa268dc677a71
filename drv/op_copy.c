/* SPDX-License-Identifier: MIT */
/*
 * Builder of copy ops: checks what the API says about directions, pointers, pitches and ranges, and
 * resolves both sides to addresses and steps. Encoding is drv/op_encode.c's.
 */
#include "drv/op.h"

#include <string.h>

#include "drv/mem_map.h"
#include "drv/memory.h"
#include "musa_runtime_api.h"

/* Which sides a kind declares to be device memory; the others, but for Default, are host memory. */
static bool src_declared_device(uint8_t kind)
{
	return kind == musaMemcpyDeviceToHost || kind == musaMemcpyDeviceToDevice;
}

static bool dst_declared_device(uint8_t kind)
{
	return kind == musaMemcpyHostToDevice || kind == musaMemcpyDeviceToDevice;
}

/* a * b + c, or false if it does not fit. */
static bool muladd(uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
	uint64_t product;

	return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(product, c, out);
}

/* Bytes from the first to behind the last one of a box with these steps. */
static bool span(uint64_t width_b, uint64_t height, uint64_t depth, uint64_t row_b,
		 uint64_t slice_b, uint64_t *out)
{
	uint64_t rows;

	return muladd(height - 1, row_b, width_b, &rows) && muladd(depth - 1, slice_b, rows, out);
}

static MUresult resolve_array(struct mt_copy_side *side, const struct mt_op_copy *copy)
{
	const struct mt_array *array = side->array;
	uint64_t rows = array->height ? array->height : 1;
	uint64_t slices = array->depth ? array->depth : 1;

	if (side->pos_x > array->width || copy->width > array->width - side->pos_x ||
	    side->pos_y > rows || copy->height > rows - side->pos_y || side->pos_z > slices ||
	    copy->depth > slices - side->pos_z)
		return MUSA_ERROR_INVALID_VALUE;
	side->row_b = array->row_b;
	side->slice_b = array->slice_b;
	side->va = array->va + side->pos_z * array->slice_b + side->pos_y * array->row_b +
		   side->pos_x * array->element_b;
	side->type = MT_MEM_ARRAY;
	side->device = (uint8_t)array->ctx->device;
	return MUSA_SUCCESS;
}

/* The pitch rules: with one row it may be 0, meaning that there is none. */
static MUresult check_pitch(const struct mt_copy_side *side, const struct mt_op_copy *copy)
{
	uint64_t end_b;

	if (__builtin_add_overflow(side->pos_x, copy->width_b, &end_b))
		return MUSA_ERROR_INVALID_VALUE;
	if (copy->height > 1 || copy->depth > 1) {
		if (side->pitch_b < copy->width_b)
			return (MUresult)musaErrorInvalidPitchValue;
		if (side->pitch_b < end_b)
			return MUSA_ERROR_INVALID_VALUE;
	} else if (side->pitch_b && side->pitch_b < end_b) {
		return MUSA_ERROR_INVALID_VALUE;
	}
	/* With one slice, 0 rows mean that their number is not given. */
	if (copy->depth > 1 && side->ysize < copy->height)
		return (MUresult)musaErrorInvalidPitchValue;
	if (side->ysize && (side->pos_y > side->ysize || copy->height > side->ysize - side->pos_y))
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

/* Memory that is known must hold the whole box. */
static MUresult resolve_memory(struct mt_copy_side *side, uint64_t bytes, bool strict,
			       uint32_t device)
{
	struct mt_mem_info info;

	side->type = MT_MEM_PAGEABLE;
	side->device = (uint8_t)device;
	if (!mt_mem_find(side->va, &info)) {
		/* Starting behind the end of a known range is as wrong as running past it. */
		if (side->va != side->ptr && mt_mem_find(side->ptr, &info))
			return MUSA_ERROR_INVALID_VALUE;
		return MUSA_SUCCESS;
	}
	if (bytes > info.base + info.size_b - side->va)
		return MUSA_ERROR_INVALID_VALUE;
	if (info.hooks && strict && info.hooks->nameable && !info.hooks->nameable(info.owner))
		return MUSA_ERROR_INVALID_VALUE;
	side->type = (uint8_t)info.type;
	if (info.type == MT_MEM_DEVICE || info.type == MT_MEM_MANAGED)
		side->device = (uint8_t)info.device;
	return MUSA_SUCCESS;
}

static MUresult resolve_pointer(struct mt_copy_side *side, const struct mt_op_copy *copy,
				bool strict, uint32_t device)
{
	uint64_t offset_b, bytes, rows;
	MUresult ret = check_pitch(side, copy);

	if (ret)
		return ret;
	side->row_b = side->pitch_b ? side->pitch_b : copy->width_b;
	side->slice_b = 0;
	if ((copy->depth > 1 || side->pos_z) &&
	    __builtin_mul_overflow(side->row_b, side->ysize, &side->slice_b))
		return MUSA_ERROR_INVALID_VALUE;
	if (!muladd(side->pos_y, side->row_b, side->pos_x, &rows) ||
	    !muladd(side->pos_z, side->slice_b, rows, &offset_b) ||
	    __builtin_add_overflow(side->ptr, offset_b, &side->va) ||
	    !span(copy->width_b, copy->height, copy->depth, side->row_b, side->slice_b, &bytes) ||
	    side->va + bytes < side->va)
		return MUSA_ERROR_INVALID_VALUE;
	return resolve_memory(side, bytes, strict, device);
}

static MUresult check_side(const struct mt_copy_side *side)
{
	if (!side->array == !side->ptr)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

/* Width in bytes: the extent counts elements as soon as an array takes part. */
static MUresult resolve_width(struct mt_op_copy *copy)
{
	const struct mt_array *array = copy->src.array ? copy->src.array : copy->dst.array;

	if (copy->src.array && copy->dst.array &&
	    copy->src.array->element_b != copy->dst.array->element_b)
		return MUSA_ERROR_INVALID_VALUE;
	if (__builtin_mul_overflow(copy->width, array ? array->element_b : 1u, &copy->width_b))
		return MUSA_ERROR_INVALID_VALUE;
	if (copy->height > UINT32_MAX || copy->depth > UINT32_MAX)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

static MUresult check_direction(const struct mt_op_copy *copy)
{
	bool src_device = src_declared_device(copy->kind);
	bool dst_device = dst_declared_device(copy->kind);

	if (copy->kind == musaMemcpyDefault)
		return MUSA_SUCCESS;
	if ((!src_device && copy->src.array) || (!dst_device && copy->dst.array))
		return (MUresult)musaErrorInvalidMemcpyDirection;
	if ((src_device && copy->src.type == MT_MEM_PAGEABLE) ||
	    (dst_device && copy->dst.type == MT_MEM_PAGEABLE))
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

MUresult mt_op_copy_build(struct mt_ctx *ctx, struct mt_op_copy *copy, bool strict,
			  struct mt_op *op)
{
	MUresult ret;

	if (copy->kind > musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	ret = check_side(&copy->src);
	if (!ret)
		ret = check_side(&copy->dst);
	if (ret)
		return ret;
	if (!copy->width || !copy->height || !copy->depth)
		return MUSA_ERROR_INVALID_VALUE;
	ret = resolve_width(copy);
	if (ret)
		return ret;
	ret = copy->src.array ? resolve_array(&copy->src, copy)
			      : resolve_pointer(&copy->src, copy, strict, ctx->device);
	if (ret)
		return ret;
	ret = copy->dst.array ? resolve_array(&copy->dst, copy)
			      : resolve_pointer(&copy->dst, copy, strict, ctx->device);
	if (!ret)
		ret = check_direction(copy);
	if (ret)
		return ret;
	copy->is_1d = copy->height == 1 && copy->depth == 1 && !copy->src.array && !copy->dst.array;

	memset(op, 0, sizeof(*op));
	op->type = MT_OP_COPY;
	op->device = (uint8_t)ctx->device;
	op->copy = copy;
	return MUSA_SUCCESS;
}
