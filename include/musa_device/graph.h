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

/* Streams of device code name the kind of launch. */
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

__mt_device musaGraphExec_t musaGetCurrentGraphExec(void)
{
	return (musaGraphExec_t)__mt_graph_current();
}

#endif
