/* SPDX-License-Identifier: MIT */
/* Graph memory, user objects and DOT output. */
#ifndef __MUSA_GRAPH_RESOURCE_API_H__
#define __MUSA_GRAPH_RESOURCE_API_H__

#include "../driver_types.h"

#include "api_begin.h"

/**
 * musaDeviceGraphMemTrim() - Give memory back to the operating system that graphs of a device
 *	allocate from and do not use.
 * @device:	Device ordinal, from 0.
 *
 * Running and queued launches and memory that is allocated are not disturbed.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGraphMemTrim(int device);

/**
 * musaDeviceGetGraphMemAttribute() - Ask how much memory graphs use on a device.
 * @device:	Device ordinal, from 0.
 * @attr:	Attribute.
 * @value:	[out] Bytes, as a 64-bit unsigned number.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL or unknown attribute
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceGetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
					   void *value);

/**
 * musaDeviceSetGraphMemAttribute() - Reset a high-water mark of graph memory to the current value.
 * @device:	Device ordinal, from 0.
 * @attr:	One of the two High attributes.
 * @value:	Points to a 64-bit 0.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, another attribute, or another value
 *		musaErrorInvalidDevice  no such device
 */
musaError_t musaDeviceSetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
					   void *value);

/**
 * musaUserObjectCreate() - Make a counted reference to something of the caller's.
 * @object_out:	[out] User object.
 * @ptr:	Passed to @destroy.
 * @destroy:	Called once, when the last reference is gone, by a thread of the runtime; may not
 *	call the API.
 * @initialRefcount:	References that the caller holds, 1 to INT_MAX.
 * @flags:	musaUserObjectNoDestructorSync: nobody can wait for @destroy through the API.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL object or destructor, a count out of range, other flags
 *		musaErrorMemoryAllocation
 */
musaError_t musaUserObjectCreate(musaUserObject_t *object_out, void *ptr, musaHostFn_t destroy,
				 unsigned int initialRefcount, unsigned int flags);

/**
 * musaUserObjectRetain() - Take more references.
 * @object:	User object.
 * @count:	References, 1 to INT_MAX.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or a count out of range
 */
musaError_t musaUserObjectRetain(musaUserObject_t object, unsigned int count __dv(1));

/**
 * musaUserObjectRelease() - Give references up.
 * @object:	User object.
 * @count:	References, 1 to INT_MAX. If the caller holds fewer, or the object is gone, none is
 *	released, and the log says so.
 *
 * Thread safety: any thread.
 * Errors:	musaErrorInvalidValue  NULL, or a count out of range
 */
musaError_t musaUserObjectRelease(musaUserObject_t object, unsigned int count __dv(1));

/**
 * musaGraphRetainUserObject() - Let a graph hold references.
 * @graph:	Graph.
 * @object:	User object.
 * @count:	References, 1 to INT_MAX.
 * @flags:	0: new references; musaGraphUserObjectMove: the caller's own as far as they go.
 *
 * Clones, graphs that embed this one, executable graphs and their running launches hold references
 * of their own.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, a count out of range, other flags
 */
musaError_t musaGraphRetainUserObject(musaGraph_t graph, musaUserObject_t object,
				      unsigned int count __dv(1), unsigned int flags __dv(0));

/**
 * musaGraphReleaseUserObject() - Let a graph give references up.
 * @graph:	Graph.
 * @object:	User object.
 * @count:	References, 1 to INT_MAX, at most as many as the graph holds.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL, or a count out of range
 */
musaError_t musaGraphReleaseUserObject(musaGraph_t graph, musaUserObject_t object,
				       unsigned int count __dv(1));

/**
 * musaGraphDebugDotPrint() - Write a graph as a DOT file.
 * @graph:	Graph.
 * @path:	File, which is overwritten.
 * @flags:	Of enum musaGraphDebugDotFlags: what to tell of each node. Unknown ones are ignored.
 *
 * One line for each node and for each edge; child graphs and bodies are clusters.
 *
 * Thread safety: callers serialise use of one graph and its nodes.
 * Errors:	musaErrorInvalidValue  NULL
 *		musaErrorOperatingSystem  the file cannot be written
 */
musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char *path, unsigned int flags);

#include "api_end.h"

#endif /* __MUSA_GRAPH_RESOURCE_API_H__ */
