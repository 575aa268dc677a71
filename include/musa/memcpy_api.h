/* SPDX-License-Identifier: MIT */
/* Copies and fills of memory, in one to three dimensions. */
#ifndef __MUSA_MEMCPY_API_H__
#define __MUSA_MEMCPY_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaMemcpy() - Copy bytes, in order with the legacy default stream.
 * @dst:	Destination.
 * @src:	Source.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Returns when the host may use both sides.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 */
musaError_t musaMemcpy(void *dst, const void *src, size_t count, enum musaMemcpyKind kind);

/**
 * musaMemcpyAsync() - Copy bytes in a stream.
 * @dst:	Destination.
 * @src:	Source.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaMemcpyAsync(void *dst, const void *src, size_t count, enum musaMemcpyKind kind,
			    musaStream_t stream __dv(0));

/**
 * musaMemcpyPeer() - Copy bytes from device to device.
 * @dst:	Destination.
 * @dstDevice:	Device that owns @dst.
 * @src:	Source.
 * @srcDevice:	Device that owns @src.
 * @count:	Bytes.
 *
 * Needs no peer access.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);

/**
 * musaMemcpyPeerAsync() - Copy bytes from device to device in a stream.
 * @dst:	Destination.
 * @dstDevice:	Device that owns @dst.
 * @src:	Source.
 * @srcDevice:	Device that owns @src.
 * @count:	Bytes.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Needs no peer access.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidDevice  no such device
 *		musaErrorStreamCaptureUnsupported  the stream is capturing, and its capture is
 *			invalidated
 */
musaError_t musaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
				size_t count, musaStream_t stream __dv(0));

/**
 * musaMemcpy2D() - Copy rows.
 * @dst:	Destination.
 * @dpitch:	Bytes from one row of @dst to the next.
 * @src:	Source.
 * @spitch:	Bytes from one row of @src to the next.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 */
musaError_t musaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			 size_t height, enum musaMemcpyKind kind);

/**
 * musaMemcpy2DAsync() - Copy rows in a stream.
 * @dst:	Destination.
 * @dpitch:	Bytes from one row of @dst to the next.
 * @src:	Source.
 * @spitch:	Bytes from one row of @src to the next.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
			      size_t width, size_t height, enum musaMemcpyKind kind,
			      musaStream_t stream __dv(0));

/**
 * musaMemcpy2DToArray() - Copy rows into an array.
 * @dst:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @src:	Source.
 * @spitch:	Bytes from one row of @src to the next.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 *		musaErrorInvalidPitchValue
 */
musaError_t musaMemcpy2DToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				size_t spitch, size_t width, size_t height,
				enum musaMemcpyKind kind);

/**
 * musaMemcpy2DToArrayAsync() - Copy rows into an array in a stream.
 * @dst:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @src:	Source.
 * @spitch:	Bytes from one row of @src to the next.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorInvalidPitchValue
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemcpy2DToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset,
				     const void *src, size_t spitch, size_t width, size_t height,
				     enum musaMemcpyKind kind, musaStream_t stream __dv(0));

/**
 * musaMemcpy2DFromArray() - Copy rows out of an array.
 * @dst:	Destination.
 * @dpitch:	Bytes from one row of @dst to the next.
 * @src:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 *		musaErrorInvalidPitchValue
 */
musaError_t musaMemcpy2DFromArray(void *dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
				  size_t hOffset, size_t width, size_t height,
				  enum musaMemcpyKind kind);

/**
 * musaMemcpy2DFromArrayAsync() - Copy rows out of an array in a stream.
 * @dst:	Destination.
 * @dpitch:	Bytes from one row of @dst to the next.
 * @src:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorInvalidPitchValue
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, musaArray_const_t src,
				       size_t wOffset, size_t hOffset, size_t width, size_t height,
				       enum musaMemcpyKind kind, musaStream_t stream __dv(0));

/**
 * musaMemcpy2DArrayToArray() - Copy rows from array to array.
 * @dst:	Array.
 * @wOffsetDst:	Column of @dst at which to begin, in bytes.
 * @hOffsetDst:	Row of @dst at which to begin.
 * @src:	Array.
 * @wOffsetSrc:	Column of @src at which to begin, in bytes.
 * @hOffsetSrc:	Row of @src at which to begin.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 */
musaError_t musaMemcpy2DArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
				     musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
				     size_t width, size_t height,
				     enum musaMemcpyKind kind __dv(musaMemcpyDeviceToDevice));

/**
 * musaMemcpy3D() - Copy a box between arrays or pitched memory.
 * @p:	What to copy: two places, an extent, a direction.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 */
musaError_t musaMemcpy3D(const struct musaMemcpy3DParms *p);

/**
 * musaMemcpy3DAsync() - Copy a box in a stream.
 * @p:	What to copy: two places, an extent, a direction.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemcpy3DAsync(const struct musaMemcpy3DParms *p, musaStream_t stream __dv(0));

/**
 * musaMemcpy3DPeer() - Copy a box from device to device.
 * @p:	What to copy: two places, an extent, a direction.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidPitchValue
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaMemcpy3DPeer(const struct musaMemcpy3DPeerParms *p);

/**
 * musaMemcpy3DPeerAsync() - Copy a box from device to device in a stream.
 * @p:	What to copy: two places, an extent, a direction.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidPitchValue
 *		musaErrorInvalidDevice  no such device
 *		musaErrorStreamCaptureUnsupported  the stream is capturing, and its capture is
 *			invalidated
 */
musaError_t musaMemcpy3DPeerAsync(const struct musaMemcpy3DPeerParms *p,
				  musaStream_t stream __dv(0));

/**
 * musaMemcpyToSymbol() - Copy bytes into a device variable.
 * @symbol:	Device variable (the address of its host shadow).
 * @src:	Source.
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not end on a device
 */
musaError_t musaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
			       size_t offset __dv(0),
			       enum musaMemcpyKind kind __dv(musaMemcpyHostToDevice));

/**
 * musaMemcpyToSymbolAsync() - Copy bytes into a device variable in a stream.
 * @symbol:	Device variable (the address of its host shadow).
 * @src:	Source.
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
				    size_t offset, enum musaMemcpyKind kind,
				    musaStream_t stream __dv(0));

/**
 * musaMemcpyFromSymbol() - Copy bytes out of a device variable.
 * @dst:	Destination.
 * @symbol:	Device variable (the address of its host shadow).
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection  the direction does not start on a device
 */
musaError_t musaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset __dv(0),
				 enum musaMemcpyKind kind __dv(musaMemcpyDeviceToHost));

/**
 * musaMemcpyFromSymbolAsync() - Copy bytes out of a device variable in a stream.
 * @dst:	Destination.
 * @symbol:	Device variable (the address of its host shadow).
 * @count:	Bytes.
 * @offset:	First byte within the variable.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns at once, except that pageable host memory is read before. Captured as a copy node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  past the end of the variable
 *		musaErrorInvalidSymbol  no such variable
 *		musaErrorInvalidMemcpyDirection
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
				      enum musaMemcpyKind kind, musaStream_t stream __dv(0));

/**
 * musaMemcpyBatchAsync() - Copy many ranges in a stream, in no order among them.
 * @dsts:	Destinations.
 * @srcs:	Sources.
 * @sizes:	Bytes of each.
 * @count:	Copies.
 * @attrs:	Attributes.
 * @attrsIdxs:	First copy that each attribute is for, ascending from 0.
 * @numAttrs:	Length of the two arrays before.
 * @failIdx:	[out] Copy that was refused; SIZE_MAX if none in particular.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or indices out of order
 *		musaErrorNotSupported  not available
 */
musaError_t musaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
				 struct musaMemcpyAttributes *attrs, size_t *attrsIdxs,
				 size_t numAttrs, size_t *failIdx, musaStream_t stream);

/**
 * musaMemcpy3DBatchAsync() - Copy many boxes in a stream, in no order among them.
 * @numOps:	Copies.
 * @opList:	What to copy.
 * @failIdx:	[out] Copy that was refused; SIZE_MAX if none in particular.
 * @flags:	0: none is defined.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue
 *		musaErrorNotSupported  not available
 */
musaError_t musaMemcpy3DBatchAsync(size_t numOps, struct musaMemcpy3DBatchOp *opList,
				   size_t *failIdx, unsigned long long flags, musaStream_t stream);

/**
 * musaMemset() - Fill bytes.
 * @devPtr:	First byte.
 * @value:	Value of each byte; the low eight bits count.
 * @count:	Bytes.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, pageable host memory, or past the end of an allocation
 *		musaErrorStreamCaptureImplicit  a blocking stream captures
 */
musaError_t musaMemset(void *devPtr, int value, size_t count);

/**
 * musaMemsetAsync() - Fill bytes in a stream.
 * @devPtr:	First byte.
 * @value:	Value of each byte; the low eight bits count.
 * @count:	Bytes.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Captured as a fill node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaMemsetAsync(void *devPtr, int value, size_t count, musaStream_t stream __dv(0));

/**
 * musaMemset2D() - Fill rows.
 * @devPtr:	First byte.
 * @pitch:	Bytes from one row to the next.
 * @value:	Value of each byte; the low eight bits count.
 * @width:	Bytes in a row.
 * @height:	Rows.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 */
musaError_t musaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);

/**
 * musaMemset2DAsync() - Fill rows in a stream.
 * @devPtr:	First byte.
 * @pitch:	Bytes from one row to the next.
 * @value:	Value of each byte; the low eight bits count.
 * @width:	Bytes in a row.
 * @height:	Rows.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Captured as a fill node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidPitchValue
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
			      musaStream_t stream __dv(0));

/**
 * musaMemset3D() - Fill slices of rows.
 * @pitchedDevPtr:	First row, pitch and row count of a slice.
 * @value:	Value of each byte; the low eight bits count.
 * @extent:	Width in bytes, rows, slices.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidPitchValue  a pitch smaller than a row
 */
musaError_t musaMemset3D(struct musaPitchedPtr pitchedDevPtr, int value, struct musaExtent extent);

/**
 * musaMemset3DAsync() - Fill slices of rows in a stream.
 * @pitchedDevPtr:	First row, pitch and row count of a slice.
 * @value:	Value of each byte; the low eight bits count.
 * @extent:	Width in bytes, rows, slices.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Captured as a fill node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue
 *		musaErrorInvalidPitchValue
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaMemset3DAsync(struct musaPitchedPtr pitchedDevPtr, int value,
			      struct musaExtent extent, musaStream_t stream __dv(0));

/**
 * musaMemcpyToArray() - Copy bytes into an array.
 * @dst:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @src:	Source.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Old form, row by row through the array; musaMemcpy2DToArray() and its kin say what is meant.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 */
musaError_t musaMemcpyToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
			      size_t count, enum musaMemcpyKind kind);

/**
 * musaMemcpyToArrayAsync() - Copy bytes into an array in a stream.
 * @dst:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @src:	Source.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Old form, row by row through the array; musaMemcpy2DToArray() and its kin say what is meant.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 */
musaError_t musaMemcpyToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
				   size_t count, enum musaMemcpyKind kind,
				   musaStream_t stream __dv(0));

/**
 * musaMemcpyFromArray() - Copy bytes out of an array.
 * @dst:	Destination.
 * @src:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Old form, row by row through the array; musaMemcpy2DToArray() and its kin say what is meant.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 */
musaError_t musaMemcpyFromArray(void *dst, musaArray_const_t src, size_t wOffset, size_t hOffset,
				size_t count, enum musaMemcpyKind kind);

/**
 * musaMemcpyFromArrayAsync() - Copy bytes out of an array in a stream.
 * @dst:	Destination.
 * @src:	Array.
 * @wOffset:	Column of the array at which to begin, in bytes.
 * @hOffset:	Row of the array at which to begin.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Old form, row by row through the array; musaMemcpy2DToArray() and its kin say what is meant.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 */
musaError_t musaMemcpyFromArrayAsync(void *dst, musaArray_const_t src, size_t wOffset,
				     size_t hOffset, size_t count, enum musaMemcpyKind kind,
				     musaStream_t stream __dv(0));

/**
 * musaMemcpyArrayToArray() - Copy bytes from array to array.
 * @dst:	Array.
 * @wOffsetDst:	Column of @dst at which to begin, in bytes.
 * @hOffsetDst:	Row of @dst at which to begin.
 * @src:	Array.
 * @wOffsetSrc:	Column of @src at which to begin, in bytes.
 * @hOffsetSrc:	Row of @src at which to begin.
 * @count:	Bytes.
 * @kind:	Direction; musaMemcpyDefault lets the pointers decide.
 *
 * Old form, row by row through the array; musaMemcpy2DToArray() and its kin say what is meant.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or past the end of an allocation
 *		musaErrorInvalidMemcpyDirection  unknown direction, or one that the pointers are not
 *			of
 */
musaError_t musaMemcpyArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
				   musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
				   size_t count,
				   enum musaMemcpyKind kind __dv(musaMemcpyDeviceToDevice));

#include "api_end.h"

#endif /* __MUSA_MEMCPY_API_H__ */
