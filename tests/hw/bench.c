/* SPDX-License-Identifier: MIT */
/*
 * Measures the software GPU alone: packets per second, launches, wake-up, fibers, copies. Prints
 * one line per figure; a run proves nothing, and is no test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/hw/gpu.h"

#define NODES   16384u
#define REPEATS 31u

static struct t_gpu gpu;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(const char *name, double *samples, uint32_t count, double per, const char *unit)
{
	qsort(samples, count, sizeof(*samples), compare);
	printf("%-44s median %9.2f  best %9.2f  worst %9.2f %s\n", name, samples[count / 2] / per,
	       samples[0] / per, samples[count - 1] / per, unit);
}

static void time_lanes(const char *name, const uint64_t *lanes, uint32_t count, double per,
		       const char *unit)
{
	double samples[REPEATS], start;
	uint32_t i;

	for (i = 0; i < REPEATS + 2; i++) {
		start = now_ns();
		if (t_submit_lanes(&gpu, lanes, count, 0) || t_finish(&gpu))
			exit(1);
		if (i >= 2)
			samples[i - 2] = now_ns() - start;
	}
	report(name, samples, REPEATS, per, unit);
}

static uint64_t shared_args;

static void put_empty(uint8_t flags, uint32_t node)
{
	struct mt_pkt_dispatch values = {
		.header = {.flags = flags, .node = node},
		.code_va = t_code(&gpu, k_empty),
		.kernarg_va = shared_args,
		.kernarg_b = 16,
		.grid_x = 1,
		.grid_y = 1,
		.grid_z = 1,
		.block_x = 1,
		.block_y = 1,
		.block_z = 1,
	};

	gpu.at = mt_pkt_put_dispatch(gpu.at, &values);
}

static void rewind_packets(void)
{
	gpu.at = (char *)gpu.command->cpu + (4u << 20);
	gpu.args_at = gpu.command->cpu;
	shared_args = t_args(&gpu, 0, 0);
}

static void bench_chain(void)
{
	uint64_t start;
	uint32_t i;

	rewind_packets();
	start = t_here(&gpu);
	for (i = 0; i < NODES; i++)
		put_empty(MT_PKT_BARRIER, i);
	t_end(&gpu);
	time_lanes("chain, per node", &start, 1, NODES, "ns");
}

static void bench_fork_join(void)
{
	uint64_t start;
	uint32_t i;

	rewind_packets();
	start = t_here(&gpu);
	for (i = 0; i < NODES; i++)
		put_empty(i % 9 <= 1 ? MT_PKT_BARRIER : 0, i);
	t_end(&gpu);
	time_lanes("fork-join of 8 in one lane, per node", &start, 1, NODES, "ns");
}

/* Lane 0 forks and joins; the others run one kernel each round. */
static void bench_fork_join_lanes(uint32_t width)
{
	uint64_t *slots, lanes[16], rounds = NODES / (width + 1), round, values[16] = {0};
	uint64_t prologue;
	double samples[REPEATS], start;
	uint32_t i;
	char name[64];

	rewind_packets();
	slots = t_data(&gpu, 16 * 64);
	prologue = t_here(&gpu);
	for (i = 0; i < width; i++)
		gpu.at = mt_pkt_put_write(gpu.at, 0, 0, (uintptr_t)&slots[i * 8], values, 1);
	t_end(&gpu);
	for (i = 0; i < width; i++) {
		lanes[i] = t_here(&gpu);
		for (round = 1; round <= rounds; round++) {
			if (!i) {
				put_empty(MT_PKT_BARRIER, 0);
				t_signal(&gpu, 0, 0, &slots[0], round);
			} else {
				t_wait(&gpu, 0, i, &slots[0], round);
			}
			put_empty(0, i);
			if (i) {
				t_signal(&gpu, 0, i, &slots[i * 8], round);
				continue;
			}
			for (uint32_t k = 1; k < width; k++)
				t_wait(&gpu, 0, 0, &slots[k * 8], round);
		}
		t_end(&gpu);
	}
	for (i = 0; i < REPEATS + 2; i++) {
		start = now_ns();
		if (t_submit_lanes(&gpu, lanes, width, prologue) || t_finish(&gpu))
			exit(1);
		if (i >= 2)
			samples[i - 2] = now_ns() - start;
	}
	snprintf(name, sizeof(name), "fork-join of %u in lanes, per node", width);
	report(name, samples, REPEATS, (double)rounds * (width + 1), "ns");
}

static void bench_copies(void)
{
	void *a = t_data(&gpu, 4096), *b = t_data(&gpu, 4096);
	uint64_t start;
	uint32_t i;

	rewind_packets();
	start = t_here(&gpu);
	for (i = 0; i < NODES; i++)
		t_copy(&gpu, MT_PKT_BARRIER, i, i & 1 ? a : b, i & 1 ? b : a, 4096);
	t_end(&gpu);
	time_lanes("copies of 4 KiB, per node", &start, 1, NODES, "ns");
}

static void bench_submits(void)
{
	double samples[REPEATS], start;
	uint64_t lane;
	uint32_t i, k;

	rewind_packets();
	lane = t_here(&gpu);
	put_empty(0, 0);
	t_end(&gpu);
	for (i = 0; i < REPEATS; i++) {
		start = now_ns();
		for (k = 0; k < 1000; k++)
			if (t_submit_on(gpu.queue, lane))
				exit(1);
		samples[i] = now_ns() - start;
		t_finish(&gpu);
	}
	report("submit of one kernel, back to back, host", samples, REPEATS, 1000, "ns");
	for (i = 0; i < REPEATS; i++) {
		start = now_ns();
		for (k = 0; k < 1000; k++)
			if (t_submit_on(gpu.queue, lane) || t_finish(&gpu))
				exit(1);
		samples[i] = now_ns() - start;
	}
	report("submit and wait, worker awake", samples, REPEATS, 1000, "ns");
}

static void bench_wake(void)
{
	struct timespec pause = {.tv_nsec = 40000000};
	double samples[REPEATS], to_host[REPEATS], start;
	uint64_t *stamp = t_data(&gpu, 8), lane;
	uint32_t i;

	rewind_packets();
	lane = t_here(&gpu);
	gpu.at = mt_pkt_put_timestamp(gpu.at, 0, 0, (uintptr_t)stamp);
	t_end(&gpu);
	for (i = 0; i < REPEATS; i++) {
		nanosleep(&pause, NULL);
		start = now_ns();
		if (t_submit_on(gpu.queue, lane))
			exit(1);
		to_host[i] = now_ns() - start;
		t_finish(&gpu);
		samples[i] = (double)*stamp - start;
	}
	report("submit to first packet, worker asleep", samples, REPEATS, 1000, "us");
	report("submit, worker asleep, host", to_host, REPEATS, 1000, "us");
}

static void bench_barriers(void)
{
	uint32_t *out = (void *)t_data(&gpu, 4096), rounds = 1000;
	struct mt_pkt_dispatch *packet;
	uint64_t start;

	rewind_packets();
	start = t_here(&gpu);
	packet = t_dispatch(&gpu, 0, 0, k_rounds, (uintptr_t)out, rounds);
	packet->block_x = 256;
	packet->static_shared_b = 2048;
	t_end(&gpu);
	time_lanes("barrier and round, 256 threads, per thread", &start, 1, 256.0 * rounds, "ns");
	rewind_packets();
	start = t_here(&gpu);
	packet = t_dispatch(&gpu, 0, 0, k_rounds, (uintptr_t)out, rounds);
	packet->block_x = 1024;
	packet->static_shared_b = 8192;
	t_end(&gpu);
	time_lanes("barrier and round, 1024 threads, per thread", &start, 1, 1024.0 * rounds, "ns");
}

static void bench_large(void)
{
	size_t size_b = 24u << 20;
	char *a = (char *)t_data(&gpu, size_b), *b = (char *)t_data(&gpu, size_b);
	double samples[REPEATS], begin;
	uint64_t start;
	uint32_t i;

	rewind_packets();
	memset(a, 1, size_b);
	memset(b, 2, size_b);
	start = t_here(&gpu);
	t_copy(&gpu, 0, 0, a, b, size_b);
	t_end(&gpu);
	time_lanes("copy of 24 MiB, per MiB", &start, 1, 24 * 1000.0, "us");
	for (i = 0; i < REPEATS; i++) {
		begin = now_ns();
		memcpy(a, b, size_b);
		samples[i] = now_ns() - begin;
	}
	report("memcpy of 24 MiB on one thread, per MiB", samples, REPEATS, 24 * 1000.0, "us");
}

int main(void)
{
	t_open(&gpu);
	bench_chain();
	bench_fork_join();
	bench_fork_join_lanes(8);
	bench_fork_join_lanes(4);
	bench_copies();
	bench_submits();
	bench_wake();
	bench_barriers();
	bench_large();
	t_close(&gpu);
	return 0;
}
