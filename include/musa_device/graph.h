/* SPDX-License-Identifier: MIT */
/* Graphs from device code: condition values, launches of executable graphs. */
#ifndef __MUSA_DEVICE_GRAPH_H__
#define __MUSA_DEVICE_GRAPH_H__

#include "../driver_types.h"
#include "builtins.h"

/* A handle is the device address of the condition's 32-bit word. */
__mt_device void musaGraphSetConditional(musaGraphConditionalHandle handle, unsigned int value)
{
	__atomic_store_n((unsigned int *)handle, value, __ATOMIC_SEQ_CST);
}

/**
 * musaGraphLaunch() - Launch an executable graph from a kernel that is part of a graph.
 * @exec:	Made with musaGraphInstantiateFlagDeviceLaunch, and uploaded: by musaGraphUpload(), by
 *		musaGraphInstantiateFlagUpload or by a launch of the host.
 * @stream:	Kind of the launch.
 *
 * musaStreamGraphFireAndForget: starts at once, beside the launching graph, which has ended only when
 * what it fired has ended, too. musaStreamGraphFireAndForgetAsSibling: the same, as if fired by
 * the graph that fired this one, or, in a graph that the host launched, beside it. musaStreamGraphTailLaunch:
 * starts when the launching graph has ended with all that it fired; several run one after the other in
 * the order of the calls, each followed by its own tail launches. The host waits for all of them.
 *
 * Each calling thread makes a launch of its own. Writes before the call are visible to the graph.
 *
 * Errors:	musaErrorInvalidValue  @exec cannot be launched from the device, or runs, or is pending at
 *		the tail of another graph; a second tail launch of the running graph itself; more than
 *		120 fired graphs or 255 tail launches in one run of the launching graph; the kernel is
 *		not part of a graph; another @stream
 *		musaErrorMemoryAllocation  no memory for a pending launch
 */
__mt_device musaError_t musaGraphLaunch(musaGraphExec_t exec, musaStream_t stream)
{
	unsigned int kind;

	if (stream == musaStreamGraphFireAndForget)
		kind = 1;
	else if (stream == musaStreamGraphTailLaunch)
		kind = 2;
	else if (stream == musaStreamGraphFireAndForgetAsSibling)
		kind = 3;
	else
		return musaErrorInvalidValue;
	return (musaError_t)__mt_graph_launch((unsigned long)exec, kind);
}

/* The running graph if it can be launched from the device, else NULL: what to relaunch at the tail. */
__mt_device musaGraphExec_t musaGetCurrentGraphExec(void)
{
	return (musaGraphExec_t)__mt_graph_current();
}

#endif
