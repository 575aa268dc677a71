/* SPDX-License-Identifier: MIT */
/* Profiler control. No profiler attaches to this runtime, so there is nothing to start or stop. */
#include "musa_profiler_api.h"

#include "drv/rt.h"

musaError_t musaProfilerStart(void)
{
	return mt_rt_return(mt_rt_init());
}

musaError_t musaProfilerStop(void)
{
	return mt_rt_return(mt_rt_init());
}
