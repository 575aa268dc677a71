/* SPDX-License-Identifier: MIT */
/*
 * Proves that what may run side by side does, and that waits are woken across queues.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/hw/gpu.h"

static struct t_gpu gpu;

static void open_gpu(void)
{
	setenv("MUSA_MOCK_THREADS", "4", 1);
	t_open(&gpu);
}

static void close_gpu(void)
{
	t_close(&gpu);
}

TestSuite(concurrent, .init = open_gpu, .fini = close_gpu, .timeout = 60);

/* Four packets of one unordered group that wait for each other all run at once. */
Test(concurrent, group)
{
	uint64_t *count, *log = t_data(&gpu, 4096), start, i, round;

	for (round = 0; round < 20; round++) {
		count = t_data(&gpu, 8);
		start = t_here(&gpu);
		for (i = 0; i < 4; i++)
			t_dispatch(&gpu, i ? 0 : MT_PKT_BARRIER, (uint32_t)i, k_meet,
				   (uintptr_t)count, 4);
		t_dispatch(&gpu, MT_PKT_BARRIER, 4, k_log, (uintptr_t)log, *count);
		t_end(&gpu);
		cr_assert_eq(t_run(&gpu, start), 0);
		cr_assert_eq(*count, 4);
		cr_assert_eq(log[0], round + 1);
	}
}

/* So do four lanes. */
Test(concurrent, lanes)
{
	uint64_t *count, lanes[4], i, round;

	for (round = 0; round < 20; round++) {
		count = t_data(&gpu, 8);
		for (i = 0; i < 4; i++) {
			lanes[i] = t_here(&gpu);
			t_dispatch(&gpu, 0, (uint32_t)i, k_meet, (uintptr_t)count, 4);
			t_end(&gpu);
		}
		cr_assert_eq(t_submit_lanes(&gpu, lanes, 4, 0), 0);
		cr_assert_eq(t_finish(&gpu), 0);
	}
}

/* And four queues. */
Test(concurrent, queues)
{
	struct mt_hw_queue *queues[4];
	uint64_t *count, start, i, round;

	for (i = 0; i < 4; i++)
		cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &queues[i]), 0);
	for (round = 0; round < 20; round++) {
		count = t_data(&gpu, 8);
		start = t_here(&gpu);
		t_dispatch(&gpu, 0, 7, k_meet, (uintptr_t)count, 4);
		t_end(&gpu);
		for (i = 0; i < 4; i++)
			cr_assert_eq(t_submit_on(queues[i], start), 0);
		for (i = 0; i < 4; i++)
			cr_assert_eq(mt_hw_queue_wait(queues[i], queues[i]->submitted, -1), 0);
	}
	for (i = 0; i < 4; i++)
		gpu.dev->ops->queue_destroy(queues[i]);
}

/* And blocks of one grid. */
Test(concurrent, blocks)
{
	uint64_t *count, start, round;

	for (round = 0; round < 20; round++) {
		count = t_data(&gpu, 8);
		start = t_here(&gpu);
		t_dispatch(&gpu, 0, 7, k_meet, (uintptr_t)count, 4)->grid_x = 4;
		t_end(&gpu);
		cr_assert_eq(t_run(&gpu, start), 0);
	}
}

/* A kernel that waits holds one worker: other queues go on, and end it. */
Test(concurrent, held_worker)
{
	struct mt_hw_queue *other;
	uint64_t *gate = t_data(&gpu, 8), *word = t_data(&gpu, 8), start, i;

	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &other), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_until, (uintptr_t)gate, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(gpu.queue, start), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 2, k_add, (uintptr_t)word, 1);
	t_end(&gpu);
	for (i = 0; i < 100; i++)
		cr_assert_eq(t_submit_on(other, start), 0);
	cr_assert_eq(mt_hw_queue_wait(other, 100, -1), 0);
	cr_assert_eq(mt_hw_queue_completed(gpu.queue), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 3, k_store, (uintptr_t)gate, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, start), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	gpu.dev->ops->queue_destroy(other);
}

/* Two queues play ping-pong through words, and one waits for the other's timeline. */
Test(concurrent, ping_pong)
{
	struct mt_hw_queue *other;
	uint64_t *ping = t_data(&gpu, 8), *pong = t_data(&gpu, 8), *log = t_data(&gpu, 4096), here,
		 there;
	uint64_t i;

	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &other), 0);
	here = t_here(&gpu);
	for (i = 1; i <= 200; i++) {
		t_dispatch(&gpu, 0, 1, k_log, (uintptr_t)log, 2 * i);
		t_signal(&gpu, MT_PKT_RELEASE, 1, ping, i);
		t_wait(&gpu, MT_PKT_ACQUIRE, 1, pong, i);
	}
	t_end(&gpu);
	there = t_here(&gpu);
	for (i = 1; i <= 200; i++) {
		t_wait(&gpu, MT_PKT_ACQUIRE, 2, ping, i);
		t_dispatch(&gpu, 0, 2, k_log, (uintptr_t)log, 2 * i + 1);
		t_signal(&gpu, MT_PKT_RELEASE, 2, pong, i);
	}
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, there), 0);
	cr_assert_eq(t_submit_on(gpu.queue, here), 0);
	here = t_here(&gpu);
	t_wait(&gpu, MT_PKT_ACQUIRE, 3, (void *)(uintptr_t)other->timeline.va, 1);
	t_dispatch(&gpu, 0, 3, k_log, (uintptr_t)log, 1000);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(gpu.queue, here), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(log[0], 401);
	for (i = 0; i < 400; i++)
		cr_assert_eq(log[1 + i], 2 + i);
	cr_assert_eq(log[401], 1000);
	gpu.dev->ops->queue_destroy(other);
}

struct caller {
	pthread_t thread;
	struct mt_hw_device *dev;
	uint64_t calls, delay_ns;
};

static void *answer_calls(void *argument)
{
	struct caller *caller = argument;
	struct timespec delay = {.tv_nsec = (long)caller->delay_ns};
	struct mt_hw_host_call call;

	while (!caller->dev->ops->host_wait(caller->dev, &call)) {
		nanosleep(&delay, NULL);
		__atomic_fetch_add((uint64_t *)(uintptr_t)call.fn, call.data, __ATOMIC_RELAXED);
		caller->calls++;
		caller->dev->ops->host_done(caller->dev, call.ticket);
	}
	return NULL;
}

/* A host call holds what is ordered behind it, and nothing else. */
Test(concurrent, host_calls)
{
	struct caller caller = {.dev = gpu.dev, .delay_ns = 1000000};
	uint64_t *sum = t_data(&gpu, 8), *log = t_data(&gpu, 64), start, args, i;

	cr_assert_eq(pthread_create(&caller.thread, NULL, answer_calls, &caller), 0);
	args = t_args(&gpu, (uintptr_t)sum, 5);
	start = t_here(&gpu);
	for (i = 0; i < 10; i++)
		gpu.at = mt_pkt_put_host(gpu.at, i == 5 ? MT_PKT_BARRIER : 0, 1, args);
	t_dispatch(&gpu, MT_PKT_BARRIER, 2, k_log, (uintptr_t)log, 1);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(caller.calls, 10);
	cr_assert_eq(*sum, 50);
	cr_assert_eq(log[0], 1);
	gpu.dev->ops->host_stop(gpu.dev);
	pthread_join(caller.thread, NULL);
}

struct signaller {
	struct mt_hw_semaphore *semaphore;
	uint64_t value;
};

static void *signal_later(void *argument)
{
	struct signaller *signaller = argument;
	struct timespec delay = {.tv_nsec = 20000000};

	nanosleep(&delay, NULL);
	signaller->semaphore->dev->ops->semaphore_signal(signaller->semaphore, signaller->value);
	return NULL;
}

/* Host and lanes wait for semaphores that the host signals; a value never falls. */
Test(concurrent, semaphores)
{
	struct mt_hw_semaphore semaphore;
	struct signaller signaller = {&semaphore, 3};
	uint64_t start, *word = t_data(&gpu, 8);
	pthread_t thread;

	cr_assert_eq(gpu.dev->ops->semaphore_create(gpu.dev, &semaphore), 0);
	cr_assert_eq(semaphore.va % 16, 0);
	cr_assert_eq(gpu.dev->ops->semaphore_wait(&semaphore, 0, 0), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_wait(&semaphore, 1, 0), -ETIME);
	cr_assert_eq(gpu.dev->ops->semaphore_wait(&semaphore, 1, 3000000), -ETIME);
	start = t_here(&gpu);
	t_wait(&gpu, 0, 1, (void *)(uintptr_t)semaphore.va, 3);
	t_dispatch(&gpu, 0, 1, k_store, (uintptr_t)word, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(gpu.queue, start), 0);
	cr_assert_eq(pthread_create(&thread, NULL, signal_later, &signaller), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_wait(&semaphore, 2, -1), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(*word, 1);
	gpu.dev->ops->semaphore_signal(&semaphore, 1);
	cr_assert_eq(atomic_load(semaphore.value), 3);
	pthread_join(thread, NULL);
	gpu.dev->ops->semaphore_destroy(&semaphore);
}

/* How often the device's threads have gone to sleep so far. */
static uint64_t count_naps(void)
{
	char path[512], line[256], name[64] = "";
	uint64_t sum = 0, naps;
	struct dirent *entry;
	DIR *tasks = opendir("/proc/self/task");
	FILE *file;

	while ((entry = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file)) {
			sscanf(line, "Name: %63s", name);
			if (!strncmp(name, "musa-gpu", 8) &&
			    sscanf(line, "voluntary_ctxt_switches: %" SCNu64, &naps) == 1)
				sum += naps;
		}
		if (file)
			fclose(file);
	}
	closedir(tasks);
	return sum;
}

/* Threads of an idle device sleep: nothing wakes them. */
Test(concurrent, idle_costs_nothing)
{
	struct timespec second = {.tv_sec = 1};
	uint64_t start = t_here(&gpu), before;

	t_dispatch(&gpu, 0, 1, k_empty, 0, 0);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	nanosleep(&second, NULL);
	before = count_naps();
	cr_assert_gt(before, 0);
	nanosleep(&second, NULL);
	cr_assert_eq(count_naps(), before);
}

/* Lanes of two devices wait for each other's semaphores. */
Test(devices, ping_pong, .timeout = 60)
{
	struct mt_hw_semaphore ping, pong;
	struct mt_hw_queue *other;
	uint64_t here, there, i;

	setenv("MUSA_MOCK_DEVICES", "2", 1);
	t_open(&gpu);
	cr_assert_eq(gpu.devices[1]->ops->queue_create(gpu.devices[1], 0, &other), 0);
	cr_assert_eq(gpu.dev->ops->bo_map_peer(gpu.command, gpu.devices[1]), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_create(gpu.dev, &ping), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_create(gpu.devices[1], &pong), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_map_peer(&ping, gpu.devices[1]), 0);
	cr_assert_eq(gpu.dev->ops->semaphore_map_peer(&pong, gpu.dev), 0);
	here = t_here(&gpu);
	for (i = 1; i <= 300; i++) {
		t_signal(&gpu, MT_PKT_RELEASE, 1, (void *)(uintptr_t)ping.va, i);
		t_wait(&gpu, MT_PKT_ACQUIRE, 1, (void *)(uintptr_t)pong.va, i);
	}
	t_end(&gpu);
	there = t_here(&gpu);
	for (i = 1; i <= 300; i++) {
		t_wait(&gpu, MT_PKT_ACQUIRE, 2, (void *)(uintptr_t)ping.va, i);
		t_signal(&gpu, MT_PKT_RELEASE, 2, (void *)(uintptr_t)pong.va, i);
	}
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, there), 0);
	cr_assert_eq(t_run(&gpu, here), 0);
	cr_assert_eq(mt_hw_queue_wait(other, 1, -1), 0);
	cr_assert_eq(atomic_load(pong.value), 300);
	gpu.dev->ops->queue_destroy(other);
	gpu.dev->ops->semaphore_destroy(&ping);
	gpu.dev->ops->semaphore_destroy(&pong);
	t_close(&gpu);
}
