/* SPDX-License-Identifier: MIT */
/* Workers that sleep and are called again: all work is done, and they may still run everywhere. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/hw/gpu.h"

#define ROUNDS 150

static struct t_gpu gpu;

static void close_gpu(void)
{
	t_close(&gpu);
}

TestSuite(sleep, .fini = close_gpu, .timeout = 60);

static void pause_us(long us)
{
	nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

/* One processor that the process may use. */
static cpu_set_t one_of(const cpu_set_t *allowed)
{
	cpu_set_t one;
	int cpu = 0;

	while (!CPU_ISSET(cpu, allowed))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return one;
}

static bool is_worker(const char *task)
{
	char path[300], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%s/comm", task);
	file = fopen(path, "re");
	if (file) {
		if (!fgets(name, sizeof(name), file))
			name[0] = 0;
		fclose(file);
	}
	return !strncmp(name, "musa-gpu", 8);
}

/* Workers, and those of them that may not run on exactly these processors. */
static int count_workers(const cpu_set_t *allowed, int *others_out)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	cpu_set_t set;
	int count = 0;

	cr_assert_not_null(tasks);
	*others_out = 0;
	while ((entry = readdir(tasks))) {
		if (!is_worker(entry->d_name) ||
		    sched_getaffinity((pid_t)atoi(entry->d_name), sizeof(set), &set))
			continue;
		count++;
		*others_out += !CPU_EQUAL(&set, allowed);
	}
	closedir(tasks);
	return count;
}

/* Single short launches, bursts, lanes of many packets and grids, each with the workers asleep. */
static void run_all_kinds(void)
{
	uint64_t *word = t_data(&gpu, 4096), single, many, grid;

	single = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_add, (uintptr_t)word, 1);
	t_end(&gpu);
	many = t_here(&gpu);
	for (int i = 0; i < 100; i++)
		t_dispatch(&gpu, MT_PKT_BARRIER, 1, k_add, (uintptr_t)word, 1);
	t_end(&gpu);
	grid = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_add, (uintptr_t)(word + 1), 1)->grid_x = 500;
	t_end(&gpu);
	for (int round = 0; round < ROUNDS; round++) {
		pause_us(100 + round % 7 * 30);
		cr_assert_eq(t_run(&gpu, single), 0);
		pause_us(100);
		cr_assert_eq(t_run(&gpu, many), 0);
		pause_us(100);
		cr_assert_eq(t_run(&gpu, grid), 0);
		for (int i = 0; i < 5; i++)
			cr_assert_eq(t_run(&gpu, single), 0);
	}
	cr_assert_eq(word[0], (uint64_t)ROUNDS * 106);
	cr_assert_eq(word[1], (uint64_t)ROUNDS * 500);
}

/* The host stays on one processor, where the kernel puts workers, too: they move away and back. */
Test(sleep, leaves_affinities_alone)
{
	cpu_set_t allowed, one;
	uint64_t start;
	int tries = 0, others;

	cr_assert_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	one = one_of(&allowed);
	t_open(&gpu);
	start = t_here(&gpu);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	run_all_kinds();
	/* A worker may be on its way. */
	do {
		pause_us(1000);
		cr_assert_gt(count_workers(&allowed, &others), 0);
	} while (others && tries++ < 1000);
	cr_assert_eq(others, 0);
}

/* With one processor for all there is nowhere to go. */
Test(sleep, works_on_one_processor)
{
	cpu_set_t allowed, one;
	int others;

	cr_assert_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	one = one_of(&allowed);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	t_open(&gpu);
	run_all_kinds();
	cr_assert_gt(count_workers(&one, &others), 0);
	cr_assert_eq(others, 0);
}
