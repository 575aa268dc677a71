/* SPDX-License-Identifier: MIT */
/* Copies of the runtime API between pointers, symbols and devices. Arrays are api_memcpy_array.c's.
 */
#include "drv/rt.h"

#include <string.h>

static MUresult copy_1d(void *dst, const void *src, size_t count, enum musaMemcpyKind kind,
			musaStream_t stream, bool wait, const char *api)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (ret)
		return ret;
	return mt_drv->mt_mem_copy_1d(s, (uint64_t)(uintptr_t)dst, (uint64_t)(uintptr_t)src, count,
				      (unsigned int)kind, wait, api);
}

musaError_t musaMemcpy(void *dst, const void *src, size_t count, enum musaMemcpyKind kind)
{
	return mt_rt_return(copy_1d(dst, src, count, kind, NULL, true, "musaMemcpy"));
}

musaError_t musaMemcpyAsync(void *dst, const void *src, size_t count, enum musaMemcpyKind kind,
			    musaStream_t stream)
{
	return mt_rt_return(copy_1d(dst, src, count, kind, stream, false, "musaMemcpyAsync"));
}

static MUresult copy_2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			size_t height, enum musaMemcpyKind kind, musaStream_t stream, bool wait,
			const char *api)
{
	struct mt_op_copy copy = {
		.src = {.ptr = (uint64_t)(uintptr_t)src, .pitch_b = spitch, .ysize = height},
		.dst = {.ptr = (uint64_t)(uintptr_t)dst, .pitch_b = dpitch, .ysize = height},
		.width = width,
		.height = height,
		.depth = 1,
		.kind = (uint8_t)kind,
	};
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (ret)
		return ret;
	if ((unsigned int)kind > musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	if (width && height && (width > spitch || width > dpitch))
		return (MUresult)musaErrorInvalidPitchValue;
	return mt_drv->mt_mem_copy(s, &copy, wait, api);
}

musaError_t musaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			 size_t height, enum musaMemcpyKind kind)
{
	return mt_rt_return(
		copy_2d(dst, dpitch, src, spitch, width, height, kind, NULL, true, "musaMemcpy2D"));
}

musaError_t musaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
			      size_t width, size_t height, enum musaMemcpyKind kind,
			      musaStream_t stream)
{
	return mt_rt_return(copy_2d(dst, dpitch, src, spitch, width, height, kind, stream, false,
				    "musaMemcpy2DAsync"));
}

static MUresult set_side(struct mt_copy_side *side, musaArray_t array, const struct musaPos *pos,
			 const struct musaPitchedPtr *pitched)
{
	*side = (struct mt_copy_side){
		.ptr = (uint64_t)(uintptr_t)pitched->ptr,
		.pitch_b = pitched->pitch,
		.xsize = pitched->xsize,
		.ysize = pitched->ysize,
		.pos_x = pos->x,
		.pos_y = pos->y,
		.pos_z = pos->z,
	};
	if (!array)
		return MUSA_SUCCESS;
	return mt_drv->mt_array_get((uint64_t)(uintptr_t)array, &side->array);
}

static MUresult copy_3d(const struct musaMemcpy3DParms *p, musaStream_t stream, bool wait,
			const char *api)
{
	struct mt_op_copy copy = {0};
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret && !p)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	if ((unsigned int)p->kind > musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	ret = set_side(&copy.src, p->srcArray, &p->srcPos, &p->srcPtr);
	if (!ret)
		ret = set_side(&copy.dst, p->dstArray, &p->dstPos, &p->dstPtr);
	if (ret)
		return ret;
	copy.width = p->extent.width;
	copy.height = p->extent.height;
	copy.depth = p->extent.depth;
	copy.kind = (uint8_t)p->kind;
	return mt_drv->mt_mem_copy(s, &copy, wait, api);
}

musaError_t musaMemcpy3D(const struct musaMemcpy3DParms *p)
{
	return mt_rt_return(copy_3d(p, NULL, true, "musaMemcpy3D"));
}

musaError_t musaMemcpy3DAsync(const struct musaMemcpy3DParms *p, musaStream_t stream)
{
	return mt_rt_return(copy_3d(p, stream, false, "musaMemcpy3DAsync"));
}

static MUresult copy_peer(struct mt_op_copy *copy, int dst_device, int src_device,
			  musaStream_t stream, bool wait, const char *api)
{
	struct mt_ctx *dst, *src;
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_rt_ctx_of(dst_device, &dst);
	if (!ret)
		ret = mt_rt_ctx_of(src_device, &src);
	return ret ? ret : mt_drv->mt_mem_copy_peer(s, copy, dst, src, wait, api);
}

static MUresult copy_peer_1d(void *dst, int dst_device, const void *src, int src_device,
			     size_t count, musaStream_t stream, bool wait, const char *api)
{
	struct mt_op_copy copy = {
		.src = {.ptr = (uint64_t)(uintptr_t)src},
		.dst = {.ptr = (uint64_t)(uintptr_t)dst},
		.width = count,
		.height = 1,
		.depth = 1,
	};

	return copy_peer(&copy, dst_device, src_device, stream, wait, api);
}

musaError_t musaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
	return mt_rt_return(
		copy_peer_1d(dst, dstDevice, src, srcDevice, count, NULL, true, "musaMemcpyPeer"));
}

musaError_t musaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
				size_t count, musaStream_t stream)
{
	return mt_rt_return(copy_peer_1d(dst, dstDevice, src, srcDevice, count, stream, false,
					 "musaMemcpyPeerAsync"));
}

static MUresult copy_peer_3d(const struct musaMemcpy3DPeerParms *p, musaStream_t stream, bool wait,
			     const char *api)
{
	struct mt_op_copy copy = {0};
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !p)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = set_side(&copy.src, p->srcArray, &p->srcPos, &p->srcPtr);
	if (!ret)
		ret = set_side(&copy.dst, p->dstArray, &p->dstPos, &p->dstPtr);
	if (ret)
		return ret;
	copy.width = p->extent.width;
	copy.height = p->extent.height;
	copy.depth = p->extent.depth;
	return copy_peer(&copy, p->dstDevice, p->srcDevice, stream, wait, api);
}

musaError_t musaMemcpy3DPeer(const struct musaMemcpy3DPeerParms *p)
{
	return mt_rt_return(copy_peer_3d(p, NULL, true, "musaMemcpy3DPeer"));
}

musaError_t musaMemcpy3DPeerAsync(const struct musaMemcpy3DPeerParms *p, musaStream_t stream)
{
	return mt_rt_return(copy_peer_3d(p, stream, false, "musaMemcpy3DPeerAsync"));
}

/* Address of count bytes at an offset in a symbol; `host` is the kind with which the other side
 * is host memory. */
static MUresult symbol_address(const void *symbol, size_t count, size_t offset,
			       enum musaMemcpyKind kind, enum musaMemcpyKind host, void **out)
{
	struct mt_variable variable;
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret)
		ret = mt_rt_symbol(ctx, symbol, &variable);
	if (ret)
		return ret;
	if (kind != host && kind != musaMemcpyDeviceToDevice && kind != musaMemcpyDefault)
		return (MUresult)musaErrorInvalidMemcpyDirection;
	if (offset > variable.size_b || count > variable.size_b - offset)
		return MUSA_ERROR_INVALID_VALUE;
	*out = (void *)(uintptr_t)(variable.va + offset);
	return MUSA_SUCCESS;
}

static MUresult copy_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
			       enum musaMemcpyKind kind, musaStream_t stream, bool wait,
			       const char *api)
{
	void *dst;
	MUresult ret = symbol_address(symbol, count, offset, kind, musaMemcpyHostToDevice, &dst);

	return ret ? ret : copy_1d(dst, src, count, kind, stream, wait, api);
}

static MUresult copy_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
				 enum musaMemcpyKind kind, musaStream_t stream, bool wait,
				 const char *api)
{
	void *src;
	MUresult ret = symbol_address(symbol, count, offset, kind, musaMemcpyDeviceToHost, &src);

	return ret ? ret : copy_1d(dst, src, count, kind, stream, wait, api);
}

musaError_t musaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
			       enum musaMemcpyKind kind)
{
	return mt_rt_return(
		copy_to_symbol(symbol, src, count, offset, kind, NULL, true, "musaMemcpyToSymbol"));
}

musaError_t musaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
				    size_t offset, enum musaMemcpyKind kind, musaStream_t stream)
{
	return mt_rt_return(copy_to_symbol(symbol, src, count, offset, kind, stream, false,
					   "musaMemcpyToSymbolAsync"));
}

musaError_t musaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
				 enum musaMemcpyKind kind)
{
	return mt_rt_return(copy_from_symbol(dst, symbol, count, offset, kind, NULL, true,
					     "musaMemcpyFromSymbol"));
}

musaError_t musaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
				      enum musaMemcpyKind kind, musaStream_t stream)
{
	return mt_rt_return(copy_from_symbol(dst, symbol, count, offset, kind, stream, false,
					     "musaMemcpyFromSymbolAsync"));
}
