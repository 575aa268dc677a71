/* SPDX-License-Identifier: MIT */
/* Events of the driver API. */
#include "drv/event.h"
#include "drv/mu_internal.h"

MUresult muEventCreate(MUevent *phEvent, unsigned int Flags)
{
	struct mt_ctx *ctx;
	MUresult ret = mt_mu_ctx(&ctx);

	if (!ret && !phEvent)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_event_create(ctx, Flags, phEvent);
}

/* Record and wait take any context's event, so the current one only matters for stream 0. */
static MUresult get_both(MUevent event, MUstream stream, struct mt_event **event_out,
			 struct mt_stream **stream_out)
{
	MUresult ret = mt_mu_stream(stream, false, stream_out);

	return ret ? ret : mt_event_get(event, event_out);
}

MUresult muEventRecord(MUevent hEvent, MUstream hStream)
{
	struct mt_event *event;
	struct mt_stream *stream;
	MUresult ret = get_both(hEvent, hStream, &event, &stream);

	return ret ? ret
		   : mt_event_record(event, stream, MU_EVENT_RECORD_DEFAULT, "muEventRecord");
}

MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags)
{
	struct mt_event *event;
	struct mt_stream *stream;
	MUresult ret = get_both(hEvent, hStream, &event, &stream);

	return ret ? ret : mt_event_record(event, stream, flags, "muEventRecordWithFlags");
}

MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags)
{
	struct mt_event *event;
	struct mt_stream *stream;
	MUresult ret = get_both(hEvent, hStream, &event, &stream);

	return ret ? ret : mt_stream_wait_event(stream, event, Flags, "muStreamWaitEvent");
}

static MUresult get_event(MUevent handle, struct mt_event **event_out)
{
	MUresult ret = mt_initialised();

	return ret ? ret : mt_event_get(handle, event_out);
}

MUresult muEventQuery(MUevent hEvent)
{
	struct mt_event *event;
	MUresult ret = get_event(hEvent, &event);

	return ret ? ret : mt_event_query(event);
}

MUresult muEventSynchronize(MUevent hEvent)
{
	struct mt_event *event;
	MUresult ret = get_event(hEvent, &event);

	return ret ? ret : mt_event_synchronize(event);
}

MUresult muEventDestroy_v2(MUevent hEvent)
{
	struct mt_event *event;
	MUresult ret = get_event(hEvent, &event);

	return ret ? ret : mt_event_destroy(event);
}

MUresult muEventElapsedTime(float *pMilliseconds, MUevent hStart, MUevent hEnd)
{
	struct mt_event *start, *end;
	MUresult ret = get_event(hStart, &start);

	if (!ret)
		ret = get_event(hEnd, &end);
	if (!ret && !pMilliseconds)
		ret = MUSA_ERROR_INVALID_VALUE;
	return ret ? ret : mt_event_elapsed(start, end, pMilliseconds);
}

MUresult muEventElapsedTime_v2(float *pMilliseconds, MUevent hStart, MUevent hEnd)
{
	return muEventElapsedTime(pMilliseconds, hStart, hEnd);
}
