/* SPDX-License-Identifier: MIT */
/* Fills of the runtime API: bytes, in one to three dimensions. */
#include "drv/rt.h"

/* The value's low byte is what is written. */
static MUresult fill(void *dst, size_t pitch, size_t slice_b, int value, struct musaExtent extent,
		     musaStream_t stream, bool wait, const char *api)
{
	struct mt_op_fill box = {
		.dst = (uint64_t)(uintptr_t)dst,
		.pitch_b = pitch,
		.width = extent.width,
		.height = extent.height,
		.slice_b = slice_b,
		.depth = (uint32_t)extent.depth,
		.value = (uint32_t)value & 0xff,
		.element_b = 1,
	};
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (ret)
		return ret;
	if (extent.depth > UINT32_MAX)
		return MUSA_ERROR_INVALID_VALUE;
	return mt_drv->mt_mem_fill(s, &box, wait, api);
}

static MUresult fill_1d(void *dst, int value, size_t count, musaStream_t stream, bool wait,
			const char *api)
{
	struct musaExtent extent = {.width = count, .height = 1, .depth = 1};

	return fill(dst, 0, 0, value, extent, stream, wait, api);
}

musaError_t musaMemset(void *devPtr, int value, size_t count)
{
	return mt_rt_return(fill_1d(devPtr, value, count, NULL, true, "musaMemset"));
}

musaError_t musaMemsetAsync(void *devPtr, int value, size_t count, musaStream_t stream)
{
	return mt_rt_return(fill_1d(devPtr, value, count, stream, false, "musaMemsetAsync"));
}

static MUresult fill_2d(void *dst, size_t pitch, int value, size_t width, size_t height,
			musaStream_t stream, bool wait, const char *api)
{
	struct musaExtent extent = {.width = width, .height = height, .depth = 1};

	return fill(dst, pitch, 0, value, extent, stream, wait, api);
}

musaError_t musaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
	return mt_rt_return(
		fill_2d(devPtr, pitch, value, width, height, NULL, true, "musaMemset2D"));
}

musaError_t musaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
			      musaStream_t stream)
{
	return mt_rt_return(
		fill_2d(devPtr, pitch, value, width, height, stream, false, "musaMemset2DAsync"));
}

static MUresult fill_3d(const struct musaPitchedPtr *dst, int value, struct musaExtent extent,
			musaStream_t stream, bool wait, const char *api)
{
	size_t slice_b = 0;

	if (extent.depth > 1 && __builtin_mul_overflow(dst->pitch, dst->ysize, &slice_b))
		return MUSA_ERROR_INVALID_VALUE;
	return fill(dst->ptr, dst->pitch, slice_b, value, extent, stream, wait, api);
}

musaError_t musaMemset3D(struct musaPitchedPtr pitchedDevPtr, int value, struct musaExtent extent)
{
	return mt_rt_return(fill_3d(&pitchedDevPtr, value, extent, NULL, true, "musaMemset3D"));
}

musaError_t musaMemset3DAsync(struct musaPitchedPtr pitchedDevPtr, int value,
			      struct musaExtent extent, musaStream_t stream)
{
	return mt_rt_return(
		fill_3d(&pitchedDevPtr, value, extent, stream, false, "musaMemset3DAsync"));
}
