/* SPDX-License-Identifier: MIT */
/* Launches: what a call costs, how it varies, what it leaves to the device, and replay. */
#include <dirent.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "drv/table.h"
#include "graph/table.h"
#include "kernels.h"

/* So few launches fit in a stream that none waits for the device. */
enum { BATCH = 64 };

/* A kernel in front that keeps the stream's worker awake until it is let go. */
static void hold(struct bench *b)
{
	const dim3 one = {1, 1, 1};
	volatile int *flag = b->memory.flag;
	void *args[] = {&b->memory.flag};

	flag[0] = flag[1] = 0;
	CHECK(musaLaunchKernel(kernel_hold, one, one, args, 0, b->stream));
	while (!flag[1])
		sched_yield();
}

static void let_go(struct bench *b)
{
	*(volatile int *)b->memory.flag = 1;
	CHECK(musaStreamSynchronize(b->stream));
}

/* Counted behind a held stream, so that every launch finds the worker awake; timed while it works. */
static void bench_launch(struct bench *b, struct subject *s)
{
	for (int r = 0; r < b->repeats; r++) {
		if (b->counts)
			hold(b);
		bench_start(b);
		for (int i = 0; i < BATCH; i++)
			CHECK(musaGraphLaunch(s->exec, b->stream));
		bench_stop(b, r, BATCH);
		if (b->counts)
			let_go(b);
		CHECK(musaStreamSynchronize(b->stream));
	}
	report(b, "launch", s, "ns/call");
	for (int r = 0; r < b->repeats; r++) {
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
		bench_start(b);
		CHECK(musaGraphLaunch(s->exec, b->stream));
		bench_stop(b, r, 1);
		CHECK(musaStreamSynchronize(b->stream));
	}
	report(b, "launch-asleep", s, "ns/call");
}

static void update_node(struct subject *s, size_t node, int block)
{
	struct musaKernelNodeParams params = {0};

	params.func = (void *)(uintptr_t)kernel_empty;
	params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
	params.blockDim = params.gridDim;
	params.blockDim.x = (unsigned int)block;
	CHECK(musaGraphExecKernelNodeSetParams(s->exec, s->nodes[node % s->count], &params));
}

/* The launch right behind 0 to 3 updates, of an exec that is idle or has launches in flight. The worker
 * is awake in both cases. */
static void bench_launch_updated(struct bench *b, struct subject *s)
{
	char name[32];

	if (s->shape == COPIES || s->shape == MIXED)
		return;
	for (int busy = 0; busy < 2; busy++) {
		for (int updates = 0; updates <= 3; updates++) {
			for (int r = 0; r < b->repeats; r++) {
				hold(b);
				for (int i = 0; busy && i < 4; i++)
					CHECK(musaGraphLaunch(s->exec, b->stream));
				for (int i = 0; i < updates; i++)
					update_node(s, (size_t)i * 7919, 1 + (r & 1));
				bench_start(b);
				CHECK(musaGraphLaunch(s->exec, b->stream));
				bench_stop(b, r, 1);
				let_go(b);
			}
			snprintf(name, sizeof(name), "launch-%s-%d", busy ? "busy" : "idle", updates);
			report(b, name, s, "ns/call");
		}
	}
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* 100,000 launches of one exec, synchronised every 512. */
static void bench_tail(struct bench *b, struct subject *s)
{
	enum { COUNT = 100000, ROUND = 512 };
	float *times;

	if (s->count != 1 || b->counts)
		return;
	times = malloc(COUNT * sizeof(*times));
	for (int i = 0; i < COUNT; i++) {
		double start = now_ns();

		CHECK(musaGraphLaunch(s->exec, b->stream));
		times[i] = (float)(now_ns() - start);
		if (i % ROUND == ROUND - 1)
			CHECK(musaStreamSynchronize(b->stream));
	}
	CHECK(musaStreamSynchronize(b->stream));
	qsort(times, COUNT, sizeof(*times), compare_floats);
	report_number(b, "launch-median", shape_names[s->shape], 1, (double)times[COUNT / 2],
		      "ns/call");
	report_number(b, "launch-p99", shape_names[s->shape], 1, (double)times[COUNT / 100 * 99],
		      "ns/call");
	free(times);
}

static void bench_replay(struct bench *b, struct subject *s)
{
	if (b->counts) /* the work is another thread's */
		return;
	for (int r = 0; r < b->repeats; r++) {
		bench_start(b);
		CHECK(musaGraphLaunch(s->exec, b->stream));
		CHECK(musaStreamSynchronize(b->stream));
		bench_stop(b, r, (double)s->count);
	}
	report(b, "replay", s, "ns/node");
}

void rows_launch(struct bench *b, struct subject *s)
{
	static const struct {
		const char *name;
		void (*run)(struct bench *b, struct subject *s);
	} table[] = {
		{"launch", bench_launch},
		{"launch-updated", bench_launch_updated},
		{"launch-tail", bench_tail},
		{"replay", bench_replay},
		{"packets", rows_schedule},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (wanted(b, table[i].name))
			table[i].run(b, s);
}

/* Packets that one launch executes, and those of them that synchronise, from the chain's text. */
void rows_schedule(struct bench *b, struct subject *s)
{
	FILE *file = tmpfile();
	size_t packets = 0, waits = 0, signals = 0;
	struct mt_exec *exec;
	char line[512], op[16];

	if (!file || b->counts)
		return;
	CHECK((musaError_t)mt_graph_table_v1.mt_exec_print(s->exec, fileno(file)));
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, " 0x%*x: %15s", op) != 1)
			continue;
		packets++;
		waits += !strcmp(op, "WAIT");
		signals += !strcmp(op, "SIGNAL");
	}
	fclose(file);
	CHECK((musaError_t)mt_graph_table_v1.mt_exec_get(s->exec, &exec));
	report_number(b, "packets", shape_names[s->shape], s->count, (double)packets, "packets");
	report_number(b, "waits", shape_names[s->shape], s->count, (double)waits, "packets");
	report_number(b, "signals", shape_names[s->shape], s->count, (double)signals, "packets");
	report_number(b, "lanes", shape_names[s->shape], s->count, exec->lane_count, "lanes");
}

void rows_streams(struct bench *b)
{
	enum { LAUNCHES = 512 };
	const dim3 size = {1, 1, 1};

	if (!wanted(b, "stream-launch"))
		return;
	for (int r = -1; r < b->repeats; r++) {
		if (r >= 0)
			bench_start(b);
		for (int i = 0; i < LAUNCHES; i++)
			CHECK(musaLaunchKernel(kernel_empty, size, size, NULL, 0, b->stream));
		if (r >= 0)
			bench_stop(b, r, LAUNCHES);
		CHECK(musaStreamSynchronize(b->stream));
	}
	report_plain(b, "stream-launch", "-", 1, "ns/call");
}

static int open_files(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

/* Many live execs of one node each. */
void rows_execs(struct bench *b)
{
	enum { COUNT = 5000 };
	struct subject s = {.shape = CHAIN, .count = 1};
	musaGraphExec_t *execs;
	struct mt_alloc_stats before, after;
	uint64_t command_b = 0;
	musaGraphNode_t node;
	int files = open_files();

	if (!wanted(b, "live-execs") || b->counts)
		return;
	s.nodes = &node;
	s.graph = build_subject(b, &s);
	execs = calloc(COUNT, sizeof(*execs));
	mt_drv_table_v1.mt_alloc_stats_get(&before);
	for (int i = 0; i < COUNT; i++)
		CHECK(musaGraphInstantiate(&execs[i], s.graph, 0));
	mt_drv_table_v1.mt_alloc_stats_get(&after);
	for (int i = 0; i < COUNT; i++) {
		struct mt_exec *exec;

		CHECK((musaError_t)mt_graph_table_v1.mt_exec_get(execs[i], &exec));
		for (uint32_t k = 0; k < exec->chain.block_count; k++)
			command_b += exec->chain.blocks[k].size_b;
	}
	report_number(b, "live-execs-host", "chain", COUNT,
		      (double)(after.live_b - before.live_b) / COUNT, "B/exec");
	report_number(b, "live-execs-command", "chain", COUNT, (double)command_b / COUNT, "B/exec");
	report_number(b, "live-execs-files", "chain", COUNT, open_files() - files, "descriptors");
	for (int i = 0; i < COUNT; i++)
		CHECK(musaGraphExecDestroy(execs[i]));
	CHECK(musaGraphDestroy(s.graph));
	free(execs);
}
