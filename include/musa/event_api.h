/* SPDX-License-Identifier: MIT */
/* Events of the runtime API. */
#ifndef __MUSA_EVENT_API_H__
#define __MUSA_EVENT_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaEventCreate() - Make an event with timing on the current device.
 * @event:	[out] Event. The caller destroys it.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 */
musaError_t musaEventCreate(musaEvent_t *event);

/**
 * musaEventCreateWithFlags() - Make an event.
 * @event:	[out] Event. The caller destroys it.
 * @flags:	musaEventBlockingSync: waiting threads sleep; musaEventDisableTiming;
 *	musaEventInterprocess, which needs the former.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, unknown flag, or interprocess with timing
 *		musaErrorMemoryAllocation
 */
musaError_t musaEventCreateWithFlags(musaEvent_t *event, unsigned int flags);

/**
 * musaEventRecord() - Let an event stand for all that a stream was given so far.
 * @event:	Event.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Replaces the record before. In a capture there is no node: a stream that waits for the event
 * joins.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  event or stream destroyed or of another device
 *		musaErrorStreamCaptureImplicit  the legacy stream, while a blocking stream captures
 */
musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream __dv(0));

/**
 * musaEventRecordWithFlags() - As musaEventRecord(), or as a node of a capture.
 * @event:	Event.
 * @stream:	Stream; 0 is the legacy default stream.
 * @flags:	musaEventRecordDefault, or musaEventRecordExternal: the capture gets a node that
 *	records at each launch.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag
 *		musaErrorIllegalState  External outside a capture
 *		musaErrorInvalidResourceHandle
 */
musaError_t musaEventRecordWithFlags(musaEvent_t event, musaStream_t stream __dv(0),
				     unsigned int flags __dv(0));

/**
 * musaEventQuery() - Ask whether the work that an event stands for is done.
 * @event:	Event.
 *
 * Succeeds if so, and if the event was never recorded.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorNotReady  not yet
 *		musaErrorInvalidValue  NULL or destroyed
 *		musaErrorCapturedEvent  last recorded in a capture, which is invalidated
 *		musaErrorStreamCaptureUnsupported  the thread is capturing
 */
musaError_t musaEventQuery(musaEvent_t event);

/**
 * musaEventSynchronize() - Wait for the work that an event stands for.
 * @event:	Event.
 *
 * Returns at once if the event was never recorded.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 *		musaErrorCapturedEvent  last recorded in a capture, which is invalidated
 *		musaErrorStreamCaptureUnsupported  the thread is capturing
 */
musaError_t musaEventSynchronize(musaEvent_t event);

/**
 * musaEventDestroy() - Destroy an event.
 * @event:	Event.
 *
 * Returns at once; waits for it and nodes with it go on working.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or destroyed
 */
musaError_t musaEventDestroy(musaEvent_t event);

/**
 * musaEventElapsedTime() - Measure the time between two events.
 * @ms:	[out] Milliseconds, with a resolution of about half a microsecond.
 * @start:	First event.
 * @end:	Second event.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, not recorded, or made without timing
 *		musaErrorNotReady  one is not done
 *		musaErrorCapturedEvent  one was last recorded in a capture
 */
musaError_t musaEventElapsedTime(float *ms, musaEvent_t start, musaEvent_t end);

#include "api_end.h"

#endif /* __MUSA_EVENT_API_H__ */
