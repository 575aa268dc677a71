/* SPDX-License-Identifier: MIT */
/* Copies of the driver API, in streams and at once. */
#include <stddef.h>
#include <string.h>

#include "drv/mem_transfer.h"
#include "drv/mu_copy.h"
#include "drv/mu_internal.h"
#include "musa_runtime_api.h"

static MUresult copy_1d(uint64_t dst, uint64_t src, size_t size_b, unsigned int kind,
			MUstream handle, bool wait, const char *api)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	if (!ret)
		ret = mt_mem_copy_1d(stream, dst, src, size_b, kind, wait, api);
	return mt_mu_copy_result(ret);
}

MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount)
{
	return copy_1d(dst, src, ByteCount, musaMemcpyDefault, NULL, true, "muMemcpy");
}

MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount, MUstream hStream)
{
	return copy_1d(dst, src, ByteCount, musaMemcpyDefault, hStream, false, "muMemcpyAsync");
}

MUresult muMemcpyHtoD_v2(MUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
	return copy_1d(dstDevice, (uintptr_t)srcHost, ByteCount, musaMemcpyHostToDevice, NULL, true,
		       "muMemcpyHtoD");
}

MUresult muMemcpyHtoDAsync_v2(MUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
			      MUstream hStream)
{
	return copy_1d(dstDevice, (uintptr_t)srcHost, ByteCount, musaMemcpyHostToDevice, hStream,
		       false, "muMemcpyHtoDAsync");
}

MUresult muMemcpyDtoH_v2(void *dstHost, MUdeviceptr srcDevice, size_t ByteCount)
{
	return copy_1d((uintptr_t)dstHost, srcDevice, ByteCount, musaMemcpyDeviceToHost, NULL, true,
		       "muMemcpyDtoH");
}

MUresult muMemcpyDtoHAsync_v2(void *dstHost, MUdeviceptr srcDevice, size_t ByteCount,
			      MUstream hStream)
{
	return copy_1d((uintptr_t)dstHost, srcDevice, ByteCount, musaMemcpyDeviceToHost, hStream,
		       false, "muMemcpyDtoHAsync");
}

MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount)
{
	return copy_1d(dstDevice, srcDevice, ByteCount, musaMemcpyDeviceToDevice, NULL, true,
		       "muMemcpyDtoD");
}

MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount,
			      MUstream hStream)
{
	return copy_1d(dstDevice, srcDevice, ByteCount, musaMemcpyDeviceToDevice, hStream, false,
		       "muMemcpyDtoDAsync");
}

static MUresult copy_3d(const MUSA_MEMCPY3D *params, MUstream handle, bool wait, const char *api)
{
	struct mt_op_copy copy;
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	if (!ret)
		ret = mt_mu_copy_3d(params, &copy);
	if (!ret)
		ret = mt_mem_copy(stream, &copy, wait, api);
	return mt_mu_copy_result(ret);
}

static MUresult copy_2d(const MUSA_MEMCPY2D *params, MUstream handle, bool wait, const char *api)
{
	struct mt_op_copy copy;
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	if (!ret)
		ret = mt_mu_copy_2d(params, &copy);
	if (!ret)
		ret = mt_mem_copy(stream, &copy, wait, api);
	return mt_mu_copy_result(ret);
}

MUresult muMemcpy2D_v2(const MUSA_MEMCPY2D *pCopy)
{
	return copy_2d(pCopy, NULL, true, "muMemcpy2D");
}

MUresult muMemcpy2DUnaligned_v2(const MUSA_MEMCPY2D *pCopy)
{
	return copy_2d(pCopy, NULL, true, "muMemcpy2DUnaligned");
}

MUresult muMemcpy2DAsync_v2(const MUSA_MEMCPY2D *pCopy, MUstream hStream)
{
	return copy_2d(pCopy, hStream, false, "muMemcpy2DAsync");
}

MUresult muMemcpy3D_v2(const MUSA_MEMCPY3D *pCopy)
{
	return copy_3d(pCopy, NULL, true, "muMemcpy3D");
}

MUresult muMemcpy3DAsync_v2(const MUSA_MEMCPY3D *pCopy, MUstream hStream)
{
	return copy_3d(pCopy, hStream, false, "muMemcpy3DAsync");
}

static MUresult copy_to_array(MUarray array, size_t offset, const void *src, size_t size_b,
			      MUstream stream, bool wait, const char *api)
{
	const MUSA_MEMCPY2D row = {
		.srcMemoryType = MU_MEMORYTYPE_HOST,
		.srcHost = src,
		.dstMemoryType = MU_MEMORYTYPE_ARRAY,
		.dstArray = array,
		.dstXInBytes = offset,
		.WidthInBytes = size_b,
		.Height = 1,
	};

	return copy_2d(&row, stream, wait, api);
}

static MUresult copy_from_array(void *dst, MUarray array, size_t offset, size_t size_b,
				MUstream stream, bool wait, const char *api)
{
	const MUSA_MEMCPY2D row = {
		.srcMemoryType = MU_MEMORYTYPE_ARRAY,
		.srcArray = array,
		.srcXInBytes = offset,
		.dstMemoryType = MU_MEMORYTYPE_HOST,
		.dstHost = dst,
		.WidthInBytes = size_b,
		.Height = 1,
	};

	return copy_2d(&row, stream, wait, api);
}

MUresult muMemcpyHtoA_v2(MUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
	return copy_to_array(dstArray, dstOffset, srcHost, ByteCount, NULL, true, "muMemcpyHtoA");
}

MUresult muMemcpyHtoAAsync_v2(MUarray dstArray, size_t dstOffset, const void *srcHost,
			      size_t ByteCount, MUstream hStream)
{
	return copy_to_array(dstArray, dstOffset, srcHost, ByteCount, hStream, false,
			     "muMemcpyHtoAAsync");
}

MUresult muMemcpyAtoH_v2(void *dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount)
{
	return copy_from_array(dstHost, srcArray, srcOffset, ByteCount, NULL, true,
			       "muMemcpyAtoH");
}

MUresult muMemcpyAtoHAsync_v2(void *dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount,
			      MUstream hStream)
{
	return copy_from_array(dstHost, srcArray, srcOffset, ByteCount, hStream, false,
			       "muMemcpyAtoHAsync");
}

/* Between the contexts that the handles name, NULL the current one. */
static MUresult copy_peer(const MUSA_MEMCPY3D *params, MUcontext dst_ctx, MUcontext src_ctx,
			  MUstream handle, bool wait, const char *api)
{
	struct mt_ctx *dst, *src;
	struct mt_op_copy copy;
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(handle, false, &stream);

	if (!ret)
		ret = mt_mu_ctx_get(dst_ctx, &dst);
	if (!ret)
		ret = mt_mu_ctx_get(src_ctx, &src);
	if (!ret)
		ret = mt_mu_copy_3d(params, &copy);
	if (!ret)
		ret = mt_mem_copy_peer(stream, &copy, dst, src, wait, api);
	return mt_mu_copy_result(ret);
}

static MUresult copy_peer_1d(MUdeviceptr dst, MUcontext dst_ctx, MUdeviceptr src,
			     MUcontext src_ctx, size_t size_b, MUstream stream, bool wait,
			     const char *api)
{
	const MUSA_MEMCPY3D line = {
		.srcMemoryType = MU_MEMORYTYPE_DEVICE,
		.srcDevice = src,
		.dstMemoryType = MU_MEMORYTYPE_DEVICE,
		.dstDevice = dst,
		.WidthInBytes = size_b,
		.Height = 1,
		.Depth = 1,
	};

	return copy_peer(&line, dst_ctx, src_ctx, stream, wait, api);
}

MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
		      MUcontext srcContext, size_t ByteCount)
{
	return copy_peer_1d(dstDevice, dstContext, srcDevice, srcContext, ByteCount, NULL, true,
			    "muMemcpyPeer");
}

MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
			   MUcontext srcContext, size_t ByteCount, MUstream hStream)
{
	return copy_peer_1d(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream, false,
			    "muMemcpyPeerAsync");
}

/* Where a copy has reserved words, one between contexts names those. */
_Static_assert(sizeof(MUSA_MEMCPY3D_PEER) == sizeof(MUSA_MEMCPY3D) &&
		       offsetof(MUSA_MEMCPY3D_PEER, srcContext) ==
			       offsetof(MUSA_MEMCPY3D, reserved0) &&
		       offsetof(MUSA_MEMCPY3D_PEER, dstContext) ==
			       offsetof(MUSA_MEMCPY3D, reserved1),
	       "one layout");

static MUresult copy_peer_3d(const MUSA_MEMCPY3D_PEER *peer, MUstream stream, bool wait,
			     const char *api)
{
	MUSA_MEMCPY3D params;

	if (!peer)
		return copy_3d(NULL, stream, wait, api);
	memcpy(&params, peer, sizeof(params));
	return copy_peer(&params, peer->dstContext, peer->srcContext, stream, wait, api);
}

MUresult muMemcpy3DPeer(const MUSA_MEMCPY3D_PEER *pCopy)
{
	return copy_peer_3d(pCopy, NULL, true, "muMemcpy3DPeer");
}

MUresult muMemcpy3DPeerAsync(const MUSA_MEMCPY3D_PEER *pCopy, MUstream hStream)
{
	return copy_peer_3d(pCopy, hStream, false, "muMemcpy3DPeerAsync");
}
