/* SPDX-License-Identifier: MIT */
/* Streams of the driver API: life, order, attributes, host functions. */
#include "drv/memory.h"
#include "drv/mu_internal.h"
#include "drv/stream_attr.h"

MUresult muStreamCreateWithPriority(MUstream *phStream, unsigned int flags, int priority)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && (!phStream || (flags & ~(unsigned int)MU_STREAM_NON_BLOCKING)))
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_stream_create(ctx, flags, priority, phStream);
}

MUresult muStreamCreate(MUstream *phStream, unsigned int Flags)
{
	return muStreamCreateWithPriority(phStream, Flags, 0);
}

MUresult muStreamDestroy_v2(MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	/* The default streams are nobody's to destroy. */
	if (!ret && (stream->legacy || stream->per_thread))
		ret = MUSA_ERROR_INVALID_HANDLE;
	return ret ? ret : mt_stream_destroy(stream);
}

MUresult muStreamSynchronize(MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_stream_synchronize(stream);
}

MUresult muStreamQuery(MUstream hStream)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_stream_query(stream);
}

/* A stream to be asked for something; there must be a place for the answer. */
static MUresult find(MUstream handle, const void *out, struct mt_stream **stream_out)
{
	MUresult ret = mt_mu_stream(handle, false, stream_out);

	return !ret && !out ? MUSA_ERROR_INVALID_VALUE : ret;
}

MUresult muStreamGetPriority(MUstream hStream, int *priority)
{
	struct mt_stream *stream;
	MUresult ret = find(hStream, priority, &stream);

	if (!ret)
		*priority = stream->priority;
	return ret;
}

MUresult muStreamGetFlags(MUstream hStream, unsigned int *flags)
{
	struct mt_stream *stream;
	MUresult ret = find(hStream, flags, &stream);

	if (!ret)
		*flags = stream->flags;
	return ret;
}

MUresult muStreamGetId(MUstream hStream, unsigned long long *streamId)
{
	struct mt_stream *stream;
	MUresult ret = find(hStream, streamId, &stream);

	if (!ret)
		*streamId = stream->id;
	return ret;
}

MUresult muStreamGetCtx(MUstream hStream, MUcontext *pctx)
{
	struct mt_stream *stream;
	MUresult ret = find(hStream, pctx, &stream);

	if (!ret)
		*pctx = (MUcontext)(uintptr_t)stream->ctx->handle;
	return ret;
}

MUresult muStreamGetDevice(MUstream hStream, MUdevice *device)
{
	struct mt_stream *stream;
	MUresult ret = find(hStream, device, &stream);

	if (!ret)
		*device = (MUdevice)stream->ctx->device;
	return ret;
}

MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr, MUstreamAttrValue *value_out)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_stream_attr_get(stream, (int)attr, value_out);
}

MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr, const MUstreamAttrValue *value)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_stream_attr_set(stream, (int)attr, value);
}

MUresult muStreamCopyAttributes(MUstream dst, MUstream src)
{
	struct mt_stream *to, *from;
	MUresult ret = mt_mu_stream(dst, false, &to);

	if (!ret)
		ret = mt_mu_stream(src, false, &from);
	if (!ret && to->ctx != from->ctx)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_stream_attr_copy(to, from);
}

MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void *userData)
{
	struct mt_op op = { .type = MT_OP_HOST, .host = { fn, userData } };
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	if (!ret && !fn)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return ret;
	op.device = (uint8_t)stream->ctx->device;
	return mt_stream_enqueue(stream, &op, "muLaunchHostFunc");
}

MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void *userData,
			     unsigned int flags)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	if (!ret && (!callback || flags))
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret
		   : mt_stream_add_callback(stream, callback, userData, "muStreamAddCallback");
}

MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length,
				unsigned int flags)
{
	struct mt_stream *stream;
	MUresult ret = mt_mu_stream(hStream, false, &stream);

	return ret ? ret : mt_mem_attach(stream, dptr, length, flags, "muStreamAttachMemAsync");
}
