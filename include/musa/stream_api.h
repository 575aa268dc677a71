/* SPDX-License-Identifier: MIT */
/* Streams and host functions of the runtime API. */
#ifndef __MUSA_STREAM_API_H__
#define __MUSA_STREAM_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaStreamCreate(musaStream_t *pStream);
musaError_t musaStreamCreateWithFlags(musaStream_t *pStream, unsigned int flags);
musaError_t musaStreamCreateWithPriority(musaStream_t *pStream, unsigned int flags, int priority);
musaError_t musaStreamGetPriority(musaStream_t hStream, int *priority);
musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int *flags);
musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long *streamId);
musaError_t musaStreamGetDevice(musaStream_t hStream, int *device);
musaError_t musaCtxResetPersistingL2Cache(void);
musaError_t musaStreamCopyAttributes(musaStream_t dst, musaStream_t src);
musaError_t musaStreamGetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
				   musaLaunchAttributeValue *value_out);
musaError_t musaStreamSetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
				   const musaLaunchAttributeValue *value);
musaError_t musaStreamDestroy(musaStream_t stream);
musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags __dv(0));
musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback,
				  void *userData, unsigned int flags);
musaError_t musaStreamSynchronize(musaStream_t stream);
musaError_t musaStreamQuery(musaStream_t stream);
musaError_t musaStreamAttachMemAsync(musaStream_t stream, void *devPtr, size_t length __dv(0),
				     unsigned int flags __dv(musaMemAttachSingle));
musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void *userData);

#include "api_end.h"

#endif /* __MUSA_STREAM_API_H__ */
