/* SPDX-License-Identifier: MIT */
/* Events of the runtime API. */
#ifndef __MUSA_EVENT_API_H__
#define __MUSA_EVENT_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaEventCreate(musaEvent_t *event);
musaError_t musaEventCreateWithFlags(musaEvent_t *event, unsigned int flags);
musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream __dv(0));
musaError_t musaEventRecordWithFlags(musaEvent_t event, musaStream_t stream __dv(0),
				     unsigned int flags __dv(0));
musaError_t musaEventQuery(musaEvent_t event);
musaError_t musaEventSynchronize(musaEvent_t event);
musaError_t musaEventDestroy(musaEvent_t event);
musaError_t musaEventElapsedTime(float *ms, musaEvent_t start, musaEvent_t end);

#include "api_end.h"

#endif /* __MUSA_EVENT_API_H__ */
