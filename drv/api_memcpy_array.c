/* SPDX-License-Identifier: MIT */
/*
 * Copies of the runtime API that name an array by itself: widths and x offsets count bytes here.
 * The forms without a height treat the array's rows as one line of bytes.
 */
#include "drv/rt.h"

/* Not there: the batches. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static MUresult array_side(musaArray_const_t array, size_t x_b, size_t y, struct mt_copy_side *side)
{
	MUresult ret = mt_drv->mt_array_get((uint64_t)(uintptr_t)array, &side->array);

	if (ret)
		return array ? ret : MUSA_ERROR_INVALID_VALUE;
	if (x_b % side->array->element_b)
		return MUSA_ERROR_INVALID_VALUE;
	side->pos_x = x_b / side->array->element_b;
	side->pos_y = y;
	return MUSA_SUCCESS;
}

/* Sides are set; at least one is an array. */
static MUresult copy_box(struct mt_op_copy *copy, size_t width_b, size_t height,
			 enum musaMemcpyKind kind, musaStream_t stream, bool wait, const char *api)
{
	const struct mt_array *array = copy->src.array ? copy->src.array : copy->dst.array;
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (ret)
		return ret;
	if ((unsigned int)kind > musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	if (width_b % array->element_b)
		return MUSA_ERROR_INVALID_VALUE;
	copy->width = width_b / array->element_b;
	copy->height = height;
	copy->depth = 1;
	copy->kind = (uint8_t)kind;
	return mt_drv->mt_mem_copy(s, copy, wait, api);
}

static void pointer_side(const void *ptr, size_t pitch, size_t height, struct mt_copy_side *side)
{
	side->ptr = (uint64_t)(uintptr_t)ptr;
	side->pitch_b = pitch;
	side->ysize = height;
}

static MUresult copy_2d_to_array(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				 size_t spitch, size_t width, size_t height,
				 enum musaMemcpyKind kind, musaStream_t stream, bool wait,
				 const char *api)
{
	struct mt_op_copy copy = {0};
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = array_side(dst, wOffset, hOffset, &copy.dst);
	if (ret)
		return ret;
	if (width && height && width > spitch)
		return (MUresult)musaErrorInvalidPitchValue;
	pointer_side(src, spitch, height, &copy.src);
	return copy_box(&copy, width, height, kind, stream, wait, api);
}

static MUresult copy_2d_from_array(void *dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
				   size_t hOffset, size_t width, size_t height,
				   enum musaMemcpyKind kind, musaStream_t stream, bool wait,
				   const char *api)
{
	struct mt_op_copy copy = {0};
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = array_side(src, wOffset, hOffset, &copy.src);
	if (ret)
		return ret;
	if (width && height && width > dpitch)
		return (MUresult)musaErrorInvalidPitchValue;
	pointer_side(dst, dpitch, height, &copy.dst);
	return copy_box(&copy, width, height, kind, stream, wait, api);
}

musaError_t musaMemcpy2DToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				size_t spitch, size_t width, size_t height,
				enum musaMemcpyKind kind)
{
	return mt_rt_return(copy_2d_to_array(dst, wOffset, hOffset, src, spitch, width, height,
					     kind, NULL, true, "musaMemcpy2DToArray"));
}

musaError_t musaMemcpy2DToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset,
				     const void *src, size_t spitch, size_t width, size_t height,
				     enum musaMemcpyKind kind, musaStream_t stream)
{
	return mt_rt_return(copy_2d_to_array(dst, wOffset, hOffset, src, spitch, width, height,
					     kind, stream, false, "musaMemcpy2DToArrayAsync"));
}

musaError_t musaMemcpy2DFromArray(void *dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
				  size_t hOffset, size_t width, size_t height,
				  enum musaMemcpyKind kind)
{
	return mt_rt_return(copy_2d_from_array(dst, dpitch, src, wOffset, hOffset, width, height,
					       kind, NULL, true, "musaMemcpy2DFromArray"));
}

musaError_t musaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, musaArray_const_t src,
				       size_t wOffset, size_t hOffset, size_t width, size_t height,
				       enum musaMemcpyKind kind, musaStream_t stream)
{
	return mt_rt_return(copy_2d_from_array(dst, dpitch, src, wOffset, hOffset, width, height,
					       kind, stream, false, "musaMemcpy2DFromArrayAsync"));
}

musaError_t musaMemcpy2DArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
				     musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
				     size_t width, size_t height, enum musaMemcpyKind kind)
{
	struct mt_op_copy copy = {0};
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = array_side(dst, wOffsetDst, hOffsetDst, &copy.dst);
	if (!ret)
		ret = array_side(src, wOffsetSrc, hOffsetSrc, &copy.src);
	if (!ret)
		ret = copy_box(&copy, width, height, kind, NULL, true, "musaMemcpy2DArrayToArray");
	return mt_rt_return(ret);
}

/* A line of bytes in an array: where the next piece starts. */
struct line {
	musaArray_const_t handle;
	size_t row_b; /* bytes that a row holds */
	size_t x_b, y;
};

/* The array has to hold count bytes from there on. */
static MUresult line_open(struct line *line, musaArray_const_t handle, size_t x_b, size_t y,
			  size_t count)
{
	struct mt_copy_side side = {0};
	MUresult ret = array_side(handle, x_b, y, &side);
	size_t rows;

	if (ret)
		return ret;
	rows = side.array->height ? side.array->height : 1;
	line->handle = handle;
	line->row_b = side.array->width * side.array->element_b;
	line->x_b = x_b;
	line->y = y;
	if (x_b >= line->row_b || y >= rows || count > (rows - y) * line->row_b - x_b)
		return MUSA_ERROR_INVALID_VALUE;
	return MUSA_SUCCESS;
}

/* Bytes of a row and the number of rows that can go at once: whole rows from the start of one on,
 * else what is left of a row. */
static size_t line_piece(const struct line *line, size_t count, size_t *rows_out)
{
	size_t rest_b = line->row_b - line->x_b;

	*rows_out = 1;
	if (!line->x_b && count >= line->row_b) {
		*rows_out = count / line->row_b;
		return line->row_b;
	}
	return count < rest_b ? count : rest_b;
}

static void line_advance(struct line *line, size_t width_b, size_t rows)
{
	line->x_b += width_b;
	line->y += rows - 1;
	if (line->x_b == line->row_b) {
		line->x_b = 0;
		line->y++;
	}
}

static MUresult copy_line(musaArray_const_t array, size_t x_b, size_t y, void *ptr, size_t count,
			  bool to_array, enum musaMemcpyKind kind, musaStream_t stream, bool wait,
			  const char *api)
{
	char *at = ptr;
	struct line line;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (unsigned int)kind > musaMemcpyDefault)
		ret = (MUresult)musaErrorInvalidMemcpyDirection;
	if (!ret)
		ret = line_open(&line, array, x_b, y, count);
	while (!ret && count) {
		size_t rows, width_b = line_piece(&line, count, &rows);

		if (to_array)
			ret = copy_2d_to_array((musaArray_t)(uintptr_t)array, line.x_b, line.y, at,
					       width_b, width_b, rows, kind, stream, wait, api);
		else
			ret = copy_2d_from_array(at, width_b, array, line.x_b, line.y, width_b,
						 rows, kind, stream, wait, api);
		line_advance(&line, width_b, rows);
		at += width_b * rows;
		count -= width_b * rows;
	}
	return ret;
}

musaError_t musaMemcpyToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
			      size_t count, enum musaMemcpyKind kind)
{
	return mt_rt_return(copy_line(dst, wOffset, hOffset, (void *)(uintptr_t)src, count, true,
				      kind, NULL, true, "musaMemcpyToArray"));
}

musaError_t musaMemcpyToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				   size_t count, enum musaMemcpyKind kind, musaStream_t stream)
{
	return mt_rt_return(copy_line(dst, wOffset, hOffset, (void *)(uintptr_t)src, count, true,
				      kind, stream, false, "musaMemcpyToArrayAsync"));
}

musaError_t musaMemcpyFromArray(void *dst, musaArray_const_t src, size_t wOffset, size_t hOffset,
				size_t count, enum musaMemcpyKind kind)
{
	return mt_rt_return(copy_line(src, wOffset, hOffset, dst, count, false, kind, NULL, true,
				      "musaMemcpyFromArray"));
}

musaError_t musaMemcpyFromArrayAsync(void *dst, musaArray_const_t src, size_t wOffset,
				     size_t hOffset, size_t count, enum musaMemcpyKind kind,
				     musaStream_t stream)
{
	return mt_rt_return(copy_line(src, wOffset, hOffset, dst, count, false, kind, stream, false,
				      "musaMemcpyFromArrayAsync"));
}

musaError_t musaMemcpyArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
				   musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
				   size_t count, enum musaMemcpyKind kind)
{
	struct line to, from;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = line_open(&to, dst, wOffsetDst, hOffsetDst, count);
	if (!ret)
		ret = line_open(&from, src, wOffsetSrc, hOffsetSrc, count);
	while (!ret && count) {
		size_t to_rows, from_rows, to_b, from_b, width_b, rows;
		struct mt_op_copy copy = {0};

		to_b = line_piece(&to, count, &to_rows);
		from_b = line_piece(&from, count, &from_rows);
		width_b = to_b < from_b ? to_b : from_b;
		rows = to_b == from_b ? (to_rows < from_rows ? to_rows : from_rows) : 1;
		ret = array_side(to.handle, to.x_b, to.y, &copy.dst);
		if (!ret)
			ret = array_side(from.handle, from.x_b, from.y, &copy.src);
		if (!ret)
			ret = copy_box(&copy, width_b, rows, kind, NULL, true,
				       "musaMemcpyArrayToArray");
		line_advance(&to, width_b, rows);
		line_advance(&from, width_b, rows);
		count -= width_b * rows;
	}
	return mt_rt_return(ret);
}

musaError_t musaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
				 struct musaMemcpyAttributes *attrs, size_t *attrsIdxs,
				 size_t numAttrs, size_t *failIdx, musaStream_t stream)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}

musaError_t musaMemcpy3DBatchAsync(size_t numOps, struct musaMemcpy3DBatchOp *opList,
				   size_t *failIdx, unsigned long long flags, musaStream_t stream)
{
	return mt_rt_return(MUSA_ERROR_NOT_SUPPORTED);
}
