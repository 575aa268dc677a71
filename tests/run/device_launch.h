/* SPDX-License-Identifier: MIT */
/* The kernels of device_launch.mu, and graphs around them. */
#ifndef TEST_DEVICE_LAUNCH_H
#define TEST_DEVICE_LAUNCH_H

#include "musa_runtime.h"

enum { LAUNCH_NOWHERE, LAUNCH_FIRE, LAUNCH_TAIL, LAUNCH_SIBLING };

/* One launch from device code. */
struct launch {
	musaGraphExec_t exec;
	int kind, result;
};

#ifndef __cplusplus
extern const void *const kernel_run_list;     /* (int *log, int id, struct launch *, int count) */
extern const void *const kernel_run_blocks;   /* (struct launch *) */
extern const void *const kernel_run_and_wait; /* (struct launch *, volatile int *flag) */
extern const void *const kernel_repeat;       /* (int *count, int limit, struct launch *) */
extern const void *const kernel_repeat_once;  /* (int *count, struct launch *, int launches) */
extern const void *const kernel_tell_current; /* (musaGraphExec_t *to) */

struct launch *dl_list(int count);               /* managed, zeroed */
musaGraphExec_t dl_device_exec(musaGraph_t graph); /* made for DeviceLaunch, not uploaded; eats graph */
musaGraphExec_t dl_upload(musaGraphExec_t exec);  /* and waits for it */

/* Graphs of one run_list node; as execs of the host, or uploaded ones for the device. */
musaGraph_t dl_list_graph(int *log, int id, struct launch *list, int count);
musaGraphExec_t dl_host_lister(int *log, int id, struct launch *list, int count);
musaGraphExec_t dl_device_lister(int *log, int id, struct launch *list, int count);

/* A node that holds until *flag, then append(log, id). */
musaGraphExec_t dl_held(volatile int *flag, int *log, int id);
/* The same behind slow(ms). */
musaGraphExec_t dl_slow(int ms, int *log, int id);

void dl_run(musaGraphExec_t exec);                /* launch on a new stream, and wait */
void dl_log_is(const int *log, int count, const int *want);
#endif

#endif
