/* SPDX-License-Identifier: MIT */
/* Kernels that launch graphs. device_launch.h names them for C. */
#include <musa_runtime.h>

#include "device_launch.h"

__device__ static musaStream_t stream_of(int kind)
{
	switch (kind) {
	case LAUNCH_FIRE:
		return musaStreamGraphFireAndForget;
	case LAUNCH_TAIL:
		return musaStreamGraphTailLaunch;
	case LAUNCH_SIBLING:
		return musaStreamGraphFireAndForgetAsSibling;
	default:
		return 0;
	}
}

/* Appends id to the log, then makes the launches; what each returns goes to its result. */
__global__ void run_list(int *log, int id, struct launch *list, int count)
{
	log[1 + atomicAdd(log, 1)] = id;
	__threadfence();
	for (int i = 0; i < count; i++)
		list[i].result = musaGraphLaunch(list[i].exec, stream_of(list[i].kind));
}

/* The same with one launch in each block, its threads meeting at a barrier before and behind. */
__global__ void run_blocks(struct launch *list)
{
	struct launch *mine = &list[blockIdx.x];

	__syncthreads();
	if (!threadIdx.x)
		mine->result = musaGraphLaunch(mine->exec, stream_of(mine->kind));
	__syncthreads();
}

/* Launches, and ends only when *flag is set: by what has been launched. */
__global__ void run_and_wait(struct launch *list, volatile int *flag)
{
	list->result = musaGraphLaunch(list->exec, stream_of(list->kind));
	while (!*flag)
		__nanosleep(1000);
}

/* Launches its own graph at the tail until *count is limit. */
__global__ void repeat(int *count, int limit, struct launch *list)
{
	list->exec = musaGetCurrentGraphExec();
	if (++*count < limit)
		list->result = musaGraphLaunch(list->exec, musaStreamGraphTailLaunch);
}

/* Makes the launches in the first of its runs. */
__global__ void repeat_once(int *count, struct launch *list, int launches)
{
	if ((*count)++)
		return;
	for (int i = 0; i < launches; i++)
		list[i].result = musaGraphLaunch(list[i].exec, stream_of(list[i].kind));
}

__global__ void tell_current(musaGraphExec_t *to)
{
	*to = musaGetCurrentGraphExec();
}

#define KERNEL(name) extern "C" const void *const kernel_##name = (const void *)name;

KERNEL(run_list)
KERNEL(run_blocks)
KERNEL(run_and_wait)
KERNEL(repeat)
KERNEL(repeat_once)
KERNEL(tell_current)
