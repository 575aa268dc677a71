/* SPDX-License-Identifier: MIT */
/* Streams and host functions of the runtime API. */
#ifndef __MUSA_STREAM_API_H__
#define __MUSA_STREAM_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaStreamCreate() - Make a stream on the current device.
 * @pStream:	[out] Stream. The caller destroys it.
 *
 * It is ordered with the legacy default stream: each waits for what the other was given before.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorMemoryAllocation
 */
musaError_t musaStreamCreate(musaStream_t *pStream);

/**
 * musaStreamCreateWithFlags() - Make a stream, ordered with the legacy default stream or not.
 * @pStream:	[out] Stream.
 * @flags:	musaStreamDefault or musaStreamNonBlocking.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag
 *		musaErrorMemoryAllocation
 */
musaError_t musaStreamCreateWithFlags(musaStream_t *pStream, unsigned int flags);

/**
 * musaStreamCreateWithPriority() - Make a stream with a priority.
 * @pStream:	[out] Stream.
 * @flags:	musaStreamDefault or musaStreamNonBlocking.
 * @priority:	Lower is more urgent; cut to the range of the device.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag
 *		musaErrorMemoryAllocation
 */
musaError_t musaStreamCreateWithPriority(musaStream_t *pStream, unsigned int flags, int priority);

/**
 * musaStreamDestroy() - Destroy a stream.
 * @stream:	Stream, not a default one.
 *
 * Returns at once; what it was given is still done. A capture that it began is dropped.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidResourceHandle  a default or destroyed stream
 */
musaError_t musaStreamDestroy(musaStream_t stream);

/**
 * musaStreamGetPriority() - Ask for the priority of a stream.
 * @hStream:	Stream; 0 is the legacy default stream.
 * @priority:	[out] Priority, within the range of the device.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamGetPriority(musaStream_t hStream, int *priority);

/**
 * musaStreamGetFlags() - Ask for the flags of a stream.
 * @hStream:	Stream; 0 is the legacy default stream.
 * @flags:	[out] Flags.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int *flags);

/**
 * musaStreamGetId() - Ask for the number of a stream, unique in the process.
 * @hStream:	Stream; 0 is the legacy default stream.
 * @streamId:	[out] Number.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long *streamId);

/**
 * musaStreamGetDevice() - Ask for the device of a stream.
 * @hStream:	Stream; 0 is the legacy default stream.
 * @device:	[out] Ordinal.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamGetDevice(musaStream_t hStream, int *device);

/**
 * musaStreamCopyAttributes() - Copy the attributes of a stream to another.
 * @dst:	Stream that is changed.
 * @src:	Stream that is read.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamCopyAttributes(musaStream_t dst, musaStream_t src);

/**
 * musaStreamGetAttribute() - Ask for an attribute of a stream.
 * @hStream:	Stream; 0 is the legacy default stream.
 * @attr:	Attribute.
 * @value_out:	[out] Value; only the member that @attr names is written.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or an attribute that streams do not have
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamGetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
				   musaLaunchAttributeValue *value_out);

/**
 * musaStreamSetAttribute() - Set an attribute of a stream.
 * @hStream:	Stream; 0 is the legacy default stream.
 * @attr:	Attribute.
 * @value:	Value, in the member that @attr names.
 *
 * Counts for what the stream is given later.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL, or an attribute that streams do not have
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamSetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
				   const musaLaunchAttributeValue *value);

/**
 * musaStreamWaitEvent() - Let later work of a stream wait for an event.
 * @stream:	Stream; 0 is the legacy default stream.
 * @event:	Event.
 * @flags:	musaEventWaitDefault, or musaEventWaitExternal for a wait node in a capture.
 *
 * The newest record made before the call counts; without one there is no wait. If the event was
 * recorded in a capture, the stream joins that capture.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL or unknown flag, or an event of a capture that has ended
 *		musaErrorIllegalState  External outside a capture
 *		musaErrorStreamCaptureIsolation  the stream captures, the event was recorded outside
 *		musaErrorStreamCaptureMerge  event and stream belong to two captures
 *		musaErrorStreamCaptureImplicit  the legacy stream, and a captured event
 *		musaErrorInvalidResourceHandle  destroyed stream
 */
musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags __dv(0));

/**
 * musaStreamAddCallback() - Call a host function after the work so far, and tell it how that went.
 * @stream:	Stream; 0 is the legacy default stream.
 * @callback:	Function; it may not call the API.
 * @userData:	Passed to the callback.
 * @flags:	0: none is defined.
 *
 * Later work of the stream waits for it. New programs use musaLaunchHostFunc().
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL or flags
 *		musaErrorStreamCaptureUnsupported  the stream is capturing, and its capture is
 *			invalidated
 */
musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback,
				  void *userData, unsigned int flags);

/**
 * musaLaunchHostFunc() - Call a host function after the work so far.
 * @stream:	Stream; 0 is the legacy default stream.
 * @fn:	Function; it may not call the API.
 * @userData:	Passed to the callback.
 *
 * Later work of the stream waits for it. Not called after a device error. Captured as a host node.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorInvalidResourceHandle  destroyed stream
 *		musaErrorMemoryAllocation
 */
musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void *userData);

/**
 * musaStreamSynchronize() - Wait until a stream has done all it was given.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Returns the error of that work, if any.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidResourceHandle  destroyed stream
 *		musaErrorStreamCaptureUnsupported  the stream is capturing, or the thread may not
 *			wait
 *		musaErrorStreamCaptureImplicit  the legacy stream, while a blocking stream captures
 */
musaError_t musaStreamSynchronize(musaStream_t stream);

/**
 * musaStreamQuery() - Ask whether a stream has done all it was given.
 * @stream:	Stream; 0 is the legacy default stream.
 *
 * Succeeds if so. Never waits.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorNotReady  not yet
 *		musaErrorInvalidResourceHandle  destroyed stream
 *		musaErrorStreamCaptureUnsupported  as musaStreamSynchronize()
 *		musaErrorStreamCaptureImplicit
 */
musaError_t musaStreamQuery(musaStream_t stream);

/**
 * musaStreamAttachMemAsync() - Say which stream uses managed memory.
 * @stream:	Stream; 0 is the legacy default stream.
 * @devPtr:	First byte of a managed allocation.
 * @length:	Bytes, or 0 for the whole allocation.
 * @flags:	musaMemAttachGlobal, Host or Single.
 *
 * Thread safety: any thread, also on one stream.
 * Errors:	musaErrorInvalidValue  other memory or flags
 *		musaErrorStreamCaptureUnsupported  the stream is capturing, and its capture is
 *			invalidated
 */
musaError_t musaStreamAttachMemAsync(musaStream_t stream, void *devPtr, size_t length __dv(0),
				     unsigned int flags __dv(musaMemAttachSingle));

/**
 * musaCtxResetPersistingL2Cache() - Let lines that were to stay in the cache go.
 *
 * Thread safety: any thread.
 */
musaError_t musaCtxResetPersistingL2Cache(void);

#include "api_end.h"

#endif /* __MUSA_STREAM_API_H__ */
