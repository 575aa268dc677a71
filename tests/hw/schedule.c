/* SPDX-License-Identifier: MIT */
/*
 * Proves the order of things: fifo with one worker repeats exactly, random seeds permute what they
 * may and nothing else and repeat, priorities decide who starts first.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hw/gpu.h"

#define GROUP 8u

static struct t_gpu gpu;

TestSuite(schedule, .timeout = 120);

static void open_with(const char *threads, const char *schedule)
{
	setenv("MUSA_MOCK_THREADS", threads, 1);
	setenv("MUSA_MOCK_SCHEDULE", schedule, 1);
	t_open(&gpu);
}

/* Two lanes with groups, barriers and a signal between them: log of ids, in order of execution. */
static void run_mixed(uint64_t *log)
{
	uint64_t *slot = t_data(&gpu, 8), lanes[2], i;

	lanes[0] = t_here(&gpu);
	for (i = 0; i < GROUP; i++)
		t_dispatch(&gpu, 0, (uint32_t)i, k_log, (uintptr_t)log, i);
	t_signal(&gpu, 0, 0, slot, 1);
	for (i = 10; i < 10 + GROUP; i++)
		t_dispatch(&gpu, i == 10 ? MT_PKT_BARRIER : 0, (uint32_t)i, k_log, (uintptr_t)log,
			   i);
	t_end(&gpu);
	lanes[1] = t_here(&gpu);
	for (i = 20; i < 20 + GROUP; i++)
		t_dispatch(&gpu, 0, (uint32_t)i, k_log, (uintptr_t)log, i);
	t_wait(&gpu, 0, 0, slot, 1);
	for (i = 30; i < 30 + GROUP; i++)
		t_dispatch(&gpu, 0, (uint32_t)i, k_log, (uintptr_t)log, i);
	t_end(&gpu);
	cr_assert_eq(t_submit_lanes(&gpu, lanes, 2, 0), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(log[0], 4 * GROUP);
}

static uint32_t place(const uint64_t *log, uint64_t id)
{
	uint32_t i;

	for (i = 0; i < log[0]; i++)
		if (log[1 + i] == id)
			return i;
	cr_assert_fail("%llu did not run", (unsigned long long)id);
	return 0;
}

static void check_order(const uint64_t *log)
{
	uint32_t i, k;

	for (i = 0; i < GROUP; i++)
		for (k = 0; k < GROUP; k++) {
			cr_assert_lt(place(log, i), place(log, 30 + k), "the wait was ignored");
			/* Only the first packet of the second group has a barrier; the others may
			 * not overtake it either, since packets are issued in order. */
			cr_assert_lt(place(log, i), place(log, 10 + k), "the barrier was ignored");
		}
}

/* The same log with the same seed, another with another; every one keeps the dependencies. */
Test(schedule, random)
{
	uint64_t first[64], *log;
	uint32_t seed, differ = 0;
	char schedule[32];

	for (seed = 0; seed < 20; seed++) {
		snprintf(schedule, sizeof(schedule), "random:%u", seed / 2);
		open_with("1", schedule);
		log = t_data(&gpu, 1024);
		run_mixed(log);
		check_order(log);
		if (seed % 2)
			cr_assert_eq(memcmp(first, log, 33 * 8), 0, "seed %u does not repeat",
				     seed / 2);
		else if (seed)
			differ += memcmp(first, log, 33 * 8) != 0;
		memcpy(first, log, 33 * 8);
		t_close(&gpu);
	}
	cr_assert_geq(differ, 8, "seeds hardly differ");
}

/* Also with several workers. */
Test(schedule, random_workers)
{
	uint32_t seed;
	uint64_t *log;
	char schedule[32];

	for (seed = 0; seed < 10; seed++) {
		snprintf(schedule, sizeof(schedule), "random:%u", seed);
		open_with("4", schedule);
		log = t_data(&gpu, 1024);
		run_mixed(log);
		check_order(log);
		t_close(&gpu);
	}
}

/* A dependency that is only there by luck of issue order is found under some seed. */
Test(schedule, forgotten_dependency)
{
	uint32_t seed, wrong = 0;
	char schedule[32];
	uint64_t *log, start;

	for (seed = 0; seed < 10; seed++) {
		snprintf(schedule, sizeof(schedule), "random:%u", seed);
		open_with("1", schedule);
		log = t_data(&gpu, 64);
		start = t_here(&gpu);
		t_dispatch(&gpu, 0, 1, k_log, (uintptr_t)log, 1);
		t_dispatch(&gpu, 0, 2, k_log, (uintptr_t)log, 2);
		t_end(&gpu);
		cr_assert_eq(t_run(&gpu, start), 0);
		wrong += log[1] == 2;
		t_close(&gpu);
	}
	cr_assert_gt(wrong, 0);
	cr_assert_lt(wrong, 10);
}

/* One worker and fifo: in order of issue, lane by lane. */
Test(schedule, fifo)
{
	uint64_t *log, i;

	open_with("1", "fifo");
	log = t_data(&gpu, 1024);
	run_mixed(log);
	check_order(log);
	for (i = 0; i < GROUP; i++) {
		cr_assert_eq(log[1 + i], i);
		cr_assert_eq(log[1 + GROUP + i], 10 + i);
		cr_assert_eq(log[1 + 2 * GROUP + i], 20 + i);
	}
	t_close(&gpu);
}

/* With priorities in use, the most urgent of all packets that may start comes first. */
Test(schedule, packet_priority)
{
	struct mt_hw_submit submit = {.lane_count = 2, .flags = MT_HW_SUBMIT_PRIORITIES};
	uint64_t *log, lanes[2], i;

	open_with("1", "fifo");
	log = t_data(&gpu, 1024);
	for (i = 0; i < 2; i++) {
		lanes[i] = t_here(&gpu);
		t_dispatch(&gpu, 0, 1, k_log, (uintptr_t)log, 1 + i)->priority = 0;
		t_dispatch(&gpu, 0, 2, k_log, (uintptr_t)log, 11 + i)->priority = -3 - (int32_t)i;
		t_dispatch(&gpu, 0, 3, k_log, (uintptr_t)log, 21 + i)->priority = -1 - (int32_t)i;
		t_end(&gpu);
	}
	memcpy((void *)(uintptr_t)(submit.lane_table_va = t_args(&gpu, 0, 0)), lanes,
	       sizeof(lanes));
	submit.lane_va = lanes;
	cr_assert_eq(mt_hw_queue_submit(gpu.queue, &submit), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(log[0], 6);
	cr_assert_eq(log[1], 12);
	cr_assert_eq(log[2], 11);
	cr_assert_eq(log[3], 22);
	cr_assert_eq(log[4], 21);
	cr_assert_eq(log[5], 1);
	cr_assert_eq(log[6], 2);
	t_close(&gpu);
}

/* A more urgent queue goes first at the next packet; equal ones in the order of their readiness. */
Test(schedule, queue_priority)
{
	struct mt_hw_queue *urgent, *plain;
	uint64_t *log, *gate, start;

	open_with("1", "fifo");
	log = t_data(&gpu, 1024);
	gate = t_data(&gpu, 8);
	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &plain), 0);
	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, gpu.dev->info.priority_greatest, &urgent),
		     0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 1, k_until, (uintptr_t)gate, 1);
	t_dispatch(&gpu, 0, 2, k_log, (uintptr_t)log, 3);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(gpu.queue, start), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 3, k_log, (uintptr_t)log, 2);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(plain, start), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 4, k_log, (uintptr_t)log, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(urgent, start), 0);
	__atomic_store_n(gate, 1, __ATOMIC_RELEASE);
	cr_assert_eq(t_finish(&gpu), 0);
	cr_assert_eq(mt_hw_queue_wait(plain, 1, -1), 0);
	cr_assert_eq(log[1], 1, "the urgent queue came as number %u", place(log, 1) + 1);
	gpu.dev->ops->queue_destroy(urgent);
	gpu.dev->ops->queue_destroy(plain);
	t_close(&gpu);
}

/* One worker is shared: a long loop does not lock out another queue. */
Test(schedule, turns)
{
	struct mt_pkt_cond cond = {.compare = MT_PKT_NE};
	uint64_t *stop, start, top;
	struct mt_hw_queue *other;
	struct mt_pkt_cond *loop;

	open_with("1", "fifo");
	stop = t_data(&gpu, 8);
	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &other), 0);
	start = top = t_here(&gpu);
	cond.word_va = (uintptr_t)stop;
	loop = (void *)gpu.at;
	gpu.at = mt_pkt_put_cond(gpu.at, 0, 1, &cond);
	t_dispatch(&gpu, 0, 2, k_empty, 0, 0);
	gpu.at = mt_pkt_put_jump(gpu.at, 0, 1, top);
	loop->target_va = t_here(&gpu);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(gpu.queue, start), 0);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 3, k_store, (uintptr_t)stop, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, start), 0);
	cr_assert_eq(t_finish(&gpu), 0);
	gpu.dev->ops->queue_destroy(other);
	t_close(&gpu);
}
