/* SPDX-License-Identifier: MIT */
/* Stream and event types and flags of the runtime API. */
#ifndef __MUSA_STREAM_TYPES_H__
#define __MUSA_STREAM_TYPES_H__

#include "../host_defines.h"
#include "error_types.h"
#include "handles.h"

typedef struct MUstream_st *musaStream_t;
typedef struct MUevent_st *musaEvent_t;

/* A function that the runtime calls on the host in stream order; it may not call the API. */
typedef void(MUSART_CB *musaHostFn_t)(void *userData);
/* As musaHostFn_t, and told the stream and what the work before it ended with. */
typedef void(MUSART_CB *musaStreamCallback_t)(musaStream_t stream, musaError_t status,
					      void *userData);

#define musaEventBlockingSync 0x01
#define musaEventDefault 0x00
#define musaEventDisableTiming 0x02
#define musaEventInterprocess 0x04
#define musaEventRecordDefault 0x00
#define musaEventRecordExternal 0x01
#define musaEventWaitDefault 0x00
#define musaEventWaitExternal 0x01
#define musaStreamDefault 0x00
#define musaStreamLegacy ((musaStream_t)0x1)
#define musaStreamNonBlocking 0x01
#define musaStreamPerThread ((musaStream_t)0x2)
#define musaStreamGraphTailLaunch ((musaStream_t)0x0100000000000000)
#define musaStreamGraphFireAndForget ((musaStream_t)0x0200000000000000)
#define musaStreamGraphFireAndForgetAsSibling ((musaStream_t)0x0300000000000000)
#define musaStreamTailLaunch ((musaStream_t)3)
#define musaStreamFireAndForget ((musaStream_t)4)

#endif /* __MUSA_STREAM_TYPES_H__ */
