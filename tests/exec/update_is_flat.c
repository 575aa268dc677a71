/* SPDX-License-Identifier: MIT */
/* Any number of updates leaves memory as it is, idle or with a launch held back. */
#include <stdio.h>
#include <unistd.h>

#include "drv/table.h"
#include "support.h"

#define UPDATES 1000000

static uint64_t live_bytes(void)
{
	struct mt_alloc_stats stats;

	mt_drv_table_v1.mt_alloc_stats_get(&stats);
	return stats.live_b;
}

/* A sanitizer's own memory grows with what the program touches. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define COUNTS_RESIDENT 0
#else
#define COUNTS_RESIDENT 1
#endif

static long resident_kib(void)
{
	long pages = 0, skipped;
	FILE *file = fopen("/proc/self/statm", "r");

	cr_assert_not_null(file);
	cr_assert_eq(fscanf(file, "%ld %ld", &skipped, &pages), 2);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* What a thousandth of the updates left behind is all there ever is. */
static void run(bool held)
{
	musaStream_t stream = t_stream();
	int *to = t_ints(4), value, words[256] = { 0 };
	void *put_args[] = { &to, &value }, *last_args[] = { &to, words };
	struct musaKernelNodeParams put = t_kernel(kernel_put, put_args);
	struct musaKernelNodeParams last = t_kernel(kernel_put_last, last_args);
	struct t_gate gate = { 0 };
	musaGraphNode_t node;
	musaGraphExec_t exec;
	musaGraph_t graph;
	uint64_t bytes = 0;
	long resident = 0;

	OK(musaGraphCreate(&graph, 0));
	node = t_add_put(graph, NULL, 0, to, 1);
	OK(musaGraphInstantiate(&exec, graph, 0));
	if (held) {
		gate = t_hold_running(stream);
		OK(musaGraphLaunch(exec, stream));
	}
	for (value = 1; value <= UPDATES; value++) {
		words[255] = value;
		OK(musaGraphExecKernelNodeSetParams(exec, node, value % 3 ? &put : &last));
		if (value % 5 == 0)
			OK(musaGraphNodeSetEnabled(exec, node, value % 10 == 0));
		if (value == 10000) {
			bytes = live_bytes();
			resident = resident_kib();
		}
	}
	EQ(live_bytes(), bytes);
	cr_assert(!COUNTS_RESIDENT || resident_kib() - resident < 256);
	OK(musaGraphNodeSetEnabled(exec, node, 1));
	if (held)
		t_release(gate);
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), UPDATES);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

Test(update_is_flat, idle, .timeout = 300)
{
	run(false);
}

Test(update_is_flat, with_a_launch_held_back, .timeout = 300)
{
	run(true);
}
