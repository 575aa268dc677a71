/* SPDX-License-Identifier: MIT */
/* Events of the runtime API. */
#include "drv/rt.h"

musaError_t musaEventCreateWithFlags(musaEvent_t *event, unsigned int flags)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_rt_ctx(&ctx);

	if (!ret && !event)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_event_create(ctx, flags, event);
	return mt_rt_return(ret);
}

musaError_t musaEventCreate(musaEvent_t *event)
{
	return musaEventCreateWithFlags(event, musaEventDefault);
}

/* Record and wait take any context's event, so the current device only matters for stream 0. */
static MUresult get_both(musaEvent_t event, musaStream_t stream, struct mt_event **e,
			 struct mt_stream **s)
{
	MUresult ret = mt_rt_stream(stream, false, s);

	return ret ? ret : mt_drv->mt_event_get(event, e);
}

musaError_t musaEventRecordWithFlags(musaEvent_t event, musaStream_t stream, unsigned int flags)
{
	struct mt_event *e;
	struct mt_stream *s;
	MUresult ret = get_both(event, stream, &e, &s);

	if (!ret)
		ret = mt_drv->mt_event_record(e, s, flags, "musaEventRecordWithFlags");
	return mt_rt_return(ret);
}

musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream)
{
	struct mt_event *e;
	struct mt_stream *s;
	MUresult ret = get_both(event, stream, &e, &s);

	if (!ret)
		ret = mt_drv->mt_event_record(e, s, musaEventRecordDefault, "musaEventRecord");
	return mt_rt_return(ret);
}

musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags)
{
	struct mt_event *e;
	struct mt_stream *s;
	MUresult ret = get_both(event, stream, &e, &s);

	if (!ret)
		ret = mt_drv->mt_stream_wait_event(s, e, flags, "musaStreamWaitEvent");
	return mt_rt_return(ret);
}

/* An event handle, once the runtime is up. */
static MUresult get_event(musaEvent_t event, struct mt_event **e)
{
	MUresult ret = mt_rt_init();

	return ret ? ret : mt_drv->mt_event_get(event, e);
}

musaError_t musaEventQuery(musaEvent_t event)
{
	struct mt_event *e;
	MUresult ret = get_event(event, &e);

	if (!ret)
		ret = mt_drv->mt_event_query(e);
	return mt_rt_return(ret);
}

musaError_t musaEventSynchronize(musaEvent_t event)
{
	struct mt_event *e;
	MUresult ret = get_event(event, &e);

	if (!ret)
		ret = mt_drv->mt_event_synchronize(e);
	return mt_rt_return(ret);
}

musaError_t musaEventDestroy(musaEvent_t event)
{
	struct mt_event *e;
	MUresult ret = get_event(event, &e);

	if (!ret)
		ret = mt_drv->mt_event_destroy(e);
	return mt_rt_return(ret);
}

musaError_t musaEventElapsedTime(float *ms, musaEvent_t start, musaEvent_t end)
{
	struct mt_event *first, *last;
	MUresult ret = get_event(start, &first);

	if (!ret)
		ret = get_event(end, &last);
	if (!ret && !ms)
		ret = MUSA_ERROR_INVALID_VALUE;
	if (!ret)
		ret = mt_drv->mt_event_elapsed(first, last, ms);
	return mt_rt_return(ret);
}
