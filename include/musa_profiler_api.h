/* SPDX-License-Identifier: MIT */
/* Start and stop of an attached profiler. */
#ifndef __MUSA_PROFILER_API_H__
#define __MUSA_PROFILER_API_H__

#include "driver_types.h"

#include "musa/api_begin.h"

/**
 * musaProfilerStart() - Ask an attached profiler to collect from here on.
 *
 * Without a profiler the call does nothing and succeeds.
 * Thread safety: any thread.
 */
musaError_t musaProfilerStart(void);

/**
 * musaProfilerStop() - Ask an attached profiler to stop collecting.
 *
 * Without a profiler the call does nothing and succeeds.
 * Thread safety: any thread.
 */
musaError_t musaProfilerStop(void);

#include "musa/api_end.h"

#endif /* __MUSA_PROFILER_API_H__ */
