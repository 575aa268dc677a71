/* SPDX-License-Identifier: MIT */
/* Graph memory, user objects and DOT output. */
#ifndef __MUSA_GRAPH_RESOURCE_API_H__
#define __MUSA_GRAPH_RESOURCE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaDeviceGraphMemTrim(int device);
musaError_t musaDeviceGetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
					   void *value);
musaError_t musaDeviceSetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
					   void *value);
musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char *path, unsigned int flags);
musaError_t musaUserObjectCreate(musaUserObject_t *object_out, void *ptr, musaHostFn_t destroy,
				 unsigned int initialRefcount, unsigned int flags);
musaError_t musaUserObjectRetain(musaUserObject_t object, unsigned int count);
musaError_t musaUserObjectRelease(musaUserObject_t object, unsigned int count);
musaError_t musaGraphRetainUserObject(musaGraph_t graph, musaUserObject_t object,
				      unsigned int count, unsigned int flags);
musaError_t musaGraphReleaseUserObject(musaGraph_t graph, musaUserObject_t object,
				       unsigned int count);

#include "api_end.h"

#endif /* __MUSA_GRAPH_RESOURCE_API_H__ */
