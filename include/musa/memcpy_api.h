/* SPDX-License-Identifier: MIT */
/* Copies and fills of memory, in one to three dimensions. */
#ifndef __MUSA_MEMCPY_API_H__
#define __MUSA_MEMCPY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaMemcpy3D(const struct musaMemcpy3DParms *p);
musaError_t musaMemcpy3DPeer(const struct musaMemcpy3DPeerParms *p);
musaError_t musaMemcpy3DAsync(const struct musaMemcpy3DParms *p, musaStream_t stream __dv(0));
musaError_t musaMemcpy3DPeerAsync(const struct musaMemcpy3DPeerParms *p,
				  musaStream_t stream __dv(0));
musaError_t musaMemcpy(void *dst, const void *src, size_t count, enum musaMemcpyKind kind);
musaError_t musaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);
musaError_t musaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			 size_t height, enum musaMemcpyKind kind);
musaError_t musaMemcpy2DToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				size_t spitch, size_t width, size_t height,
				enum musaMemcpyKind kind);
musaError_t musaMemcpy2DFromArray(void *dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
				  size_t hOffset, size_t width, size_t height,
				  enum musaMemcpyKind kind);
musaError_t musaMemcpy2DArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
				     musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
				     size_t width, size_t height,
				     enum musaMemcpyKind kind __dv(musaMemcpyDeviceToDevice));
musaError_t musaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
			       size_t offset __dv(0),
			       enum musaMemcpyKind kind __dv(musaMemcpyHostToDevice));
musaError_t musaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset __dv(0),
				 enum musaMemcpyKind kind __dv(musaMemcpyDeviceToHost));
musaError_t musaMemcpyAsync(void *dst, const void *src, size_t count, enum musaMemcpyKind kind,
			    musaStream_t stream __dv(0));
musaError_t musaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
				size_t count, musaStream_t stream __dv(0));
musaError_t musaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
				 struct musaMemcpyAttributes *attrs, size_t *attrsIdxs,
				 size_t numAttrs, size_t *failIdx, musaStream_t stream);
musaError_t musaMemcpy3DBatchAsync(size_t numOps, struct musaMemcpy3DBatchOp *opList,
				   size_t *failIdx, unsigned long long flags, musaStream_t stream);
musaError_t musaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
			      size_t width, size_t height, enum musaMemcpyKind kind,
			      musaStream_t stream __dv(0));
musaError_t musaMemcpy2DToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset,
				     const void *src, size_t spitch, size_t width, size_t height,
				     enum musaMemcpyKind kind, musaStream_t stream __dv(0));
musaError_t musaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, musaArray_const_t src,
				       size_t wOffset, size_t hOffset, size_t width, size_t height,
				       enum musaMemcpyKind kind, musaStream_t stream __dv(0));
musaError_t musaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
				    size_t offset, enum musaMemcpyKind kind,
				    musaStream_t stream __dv(0));
musaError_t musaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
				      enum musaMemcpyKind kind, musaStream_t stream __dv(0));
musaError_t musaMemset(void *devPtr, int value, size_t count);
musaError_t musaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);
musaError_t musaMemset3D(struct musaPitchedPtr pitchedDevPtr, int value, struct musaExtent extent);
musaError_t musaMemsetAsync(void *devPtr, int value, size_t count, musaStream_t stream __dv(0));
musaError_t musaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
			      musaStream_t stream __dv(0));
musaError_t musaMemset3DAsync(struct musaPitchedPtr pitchedDevPtr, int value,
			      struct musaExtent extent, musaStream_t stream __dv(0));
musaError_t musaMemcpyToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
			      size_t count, enum musaMemcpyKind kind);
musaError_t musaMemcpyFromArray(void *dst, musaArray_const_t src, size_t wOffset, size_t hOffset,
				size_t count, enum musaMemcpyKind kind);
musaError_t musaMemcpyArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
				   musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
				   size_t count,
				   enum musaMemcpyKind kind __dv(musaMemcpyDeviceToDevice));
musaError_t musaMemcpyToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				   size_t count, enum musaMemcpyKind kind,
				   musaStream_t stream __dv(0));
musaError_t musaMemcpyFromArrayAsync(void *dst, musaArray_const_t src, size_t wOffset,
				     size_t hOffset, size_t count, enum musaMemcpyKind kind,
				     musaStream_t stream __dv(0));

#include "api_end.h"

#endif /* __MUSA_MEMCPY_API_H__ */
