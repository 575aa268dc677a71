/* SPDX-License-Identifier: MIT */
/* Streams of the runtime API: life, order, attributes, host functions. */
#include "drv/rt.h"

static musaError_t create_stream(musaStream_t *pStream, unsigned int flags, int priority)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && (!pStream || (flags & ~musaStreamNonBlocking)))
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_stream_create(ctx, flags, priority, pStream);
	return mt_rt_return(ret);
}

musaError_t musaStreamCreate(musaStream_t *pStream)
{
	return create_stream(pStream, musaStreamDefault, 0);
}

musaError_t musaStreamCreateWithFlags(musaStream_t *pStream, unsigned int flags)
{
	return create_stream(pStream, flags, 0);
}

musaError_t musaStreamCreateWithPriority(musaStream_t *pStream, unsigned int flags, int priority)
{
	return create_stream(pStream, flags, priority);
}

musaError_t musaStreamDestroy(musaStream_t stream)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	/* The default streams are nobody's to destroy. */
	if (!ret && (s->legacy || s->per_thread))
		ret = MUSA_ERROR_INVALID_HANDLE;
	if (!ret)
		ret = mt_drv->mt_stream_destroy(s);
	return mt_rt_return(ret);
}

musaError_t musaStreamSynchronize(musaStream_t stream)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_drv->mt_stream_synchronize(s);
	return mt_rt_return(ret);
}

musaError_t musaStreamQuery(musaStream_t stream)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret)
		ret = mt_drv->mt_stream_query(s);
	return mt_rt_return(ret);
}

musaError_t musaStreamGetPriority(musaStream_t hStream, int *priority)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret && !priority)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*priority = s->priority;
	return mt_rt_return(ret);
}

musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int *flags)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret && !flags)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*flags = s->flags;
	return mt_rt_return(ret);
}

musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long *streamId)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret && !streamId)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*streamId = s->id;
	return mt_rt_return(ret);
}

musaError_t musaStreamGetDevice(musaStream_t hStream, int *device)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret && !device)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		*device = (int)s->ctx->device;
	return mt_rt_return(ret);
}

musaError_t musaCtxResetPersistingL2Cache(void)
{
	struct mt_ctx *ctx;

	/* No line persists in a cache that the device does not have. */
	return mt_rt_return(mt_rt_ctx(&ctx));
}

musaError_t musaStreamGetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
				   musaLaunchAttributeValue *value_out)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret)
		ret = mt_drv->mt_stream_attr_get(s, (int)attr, value_out);
	return mt_rt_return(ret);
}

musaError_t musaStreamSetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
				   const musaLaunchAttributeValue *value)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(hStream, false, &s);

	if (!ret)
		ret = mt_drv->mt_stream_attr_set(s, (int)attr, value);
	return mt_rt_return(ret);
}

musaError_t musaStreamCopyAttributes(musaStream_t dst, musaStream_t src)
{
	struct mt_stream *d, *s;
	MUresult ret = mt_rt_stream(dst, false, &d);

	if (!ret)
		ret = mt_rt_stream(src, false, &s);
	if (!ret && d->ctx != s->ctx)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_stream_attr_copy(d, s);
	return mt_rt_return(ret);
}

musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void *userData)
{
	struct mt_op op = {.type = MT_OP_HOST};
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret && !fn)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (ret)
		return mt_rt_return(ret);
	op.device = (uint8_t)s->ctx->device;
	op.host.fn = fn;
	op.host.data = userData;
	return mt_rt_return(mt_drv->mt_stream_enqueue(s, &op, "musaLaunchHostFunc"));
}

musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback,
				  void *userData, unsigned int flags)
{
	struct mt_stream *s;
	MUresult ret = mt_rt_stream(stream, false, &s);

	if (!ret && (!callback || flags))
		ret = MUSA_ERROR_INVALID_VALUE;
	/* The status is passed as a number, and both APIs have the same ones. */
	if (!ret)
		ret = mt_drv->mt_stream_add_callback(s, (MUstreamCallback)callback, userData,
						     "musaStreamAddCallback");
	return mt_rt_return(ret);
}
