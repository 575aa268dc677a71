/* SPDX-License-Identifier: MIT */
/* Barriers of a block, fences, clocks and the ways to stop a kernel. */
#ifndef __MUSA_DEVICE_SYNC_H__
#define __MUSA_DEVICE_SYNC_H__

#include "builtins.h"

__mt_device void __syncthreads(void)
{
	__mt_barrier(0, 0);
}

__mt_device int __syncthreads_count(int predicate)
{
	return (int)__mt_barrier(1, predicate != 0);
}

__mt_device int __syncthreads_and(int predicate)
{
	return (int)__mt_barrier(2, predicate != 0);
}

__mt_device int __syncthreads_or(int predicate)
{
	return (int)__mt_barrier(3, predicate != 0);
}

__mt_device void __threadfence_block(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

__mt_device void __threadfence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

__mt_device void __threadfence_system(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* A tick is a nanosecond: the clock rate that the device reports is 1 GHz. */
__mt_device long long clock64(void)
{
	return (long long)__mt_clock();
}

__mt_device long clock(void)
{
	return (long)__mt_clock();
}

/* Lets other threads run: a loop that waits for one of them should call it. */
__mt_device void __nanosleep(unsigned int ns)
{
	__mt_yield(ns);
}

__mt_device void __trap(void)
{
	__mt_trap();
}

/* Ends a thread's part in a debugger's break; there is none here. */
__mt_device void __brkpt(void)
{
}

#endif
