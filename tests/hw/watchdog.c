/* SPDX-License-Identifier: MIT */
/*
 * Proves that caps and the watchdog end what would not end, naming the node and what it waits for,
 * and that the process survives an abandoned kernel.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/hw/gpu.h"

static struct t_gpu gpu;

TestSuite(watchdog, .timeout = 60);

static void open_with(const char *name, const char *value)
{
	setenv(name, value, 1);
	t_open(&gpu);
}

static void expect(uint64_t start, uint32_t node, const char *text)
{
	struct mt_hw_fault fault;

	cr_assert_eq(t_run(&gpu, start), -EIO);
	gpu.dev->ops->device_fault(gpu.dev, &fault);
	cr_assert_eq(fault.code, MT_HW_FAULT_TIMEOUT, "fault %d: %s", fault.code, fault.text);
	cr_assert_eq(fault.node, node, "node %u: %s", fault.node, fault.text);
	cr_assert_not_null(strstr(fault.text, text), "'%s' is not in '%s'", text, fault.text);
	t_close(&gpu);
}

Test(watchdog, kernel)
{
	uint64_t start;

	open_with("MUSA_MOCK_WATCHDOG_MS", "100");
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 5, k_empty, 0, 0);
	t_dispatch(&gpu, MT_PKT_BARRIER, 6, k_forever, 0, 0);
	t_end(&gpu);
	expect(start, 6, "kernel has not ended");
}

/* One worker cannot run kernels that wait for each other. */
Test(watchdog, one_worker)
{
	uint64_t start, *count;

	setenv("MUSA_MOCK_THREADS", "1", 1);
	open_with("MUSA_MOCK_WATCHDOG_MS", "100");
	count = t_data(&gpu, 8);
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 8, k_meet, (uintptr_t)count, 2);
	t_dispatch(&gpu, 0, 9, k_meet, (uintptr_t)count, 2);
	t_end(&gpu);
	expect(start, 8, "kernel has not ended");
}

Test(watchdog, wait)
{
	uint64_t start, *gate;

	open_with("MUSA_MOCK_WATCHDOG_MS", "100");
	gate = t_data(&gpu, 8);
	start = t_here(&gpu);
	t_wait(&gpu, 0, 11, gate, 123);
	t_end(&gpu);
	expect(start, 11, ">= 123");
}

Test(watchdog, host_function)
{
	uint64_t start;

	open_with("MUSA_MOCK_WATCHDOG_MS", "100");
	start = t_here(&gpu);
	gpu.at = mt_pkt_put_host(gpu.at, 0, 12, t_args(&gpu, 1, 2));
	t_end(&gpu);
	expect(start, 12, "host function");
}

Test(watchdog, start_of_submission)
{
	struct mt_hw_submit submit = {.lane_count = 1, .wait_value = 4};
	struct mt_hw_fault fault;
	uint64_t start;

	open_with("MUSA_MOCK_WATCHDOG_MS", "100");
	start = t_here(&gpu);
	t_end(&gpu);
	submit.lane_va = &start;
	submit.wait_va = (uintptr_t)t_data(&gpu, 8);
	cr_assert_eq(mt_hw_queue_submit(gpu.queue, &submit), 0);
	cr_assert_eq(t_finish(&gpu), -EIO);
	gpu.dev->ops->device_fault(gpu.dev, &fault);
	cr_assert_eq(fault.code, MT_HW_FAULT_TIMEOUT);
	cr_assert_not_null(strstr(fault.text, ">= 4"), "%s", fault.text);
	t_close(&gpu);
}

/* Work that is slow but moves is left alone, and so is who waits for it. */
Test(watchdog, progress)
{
	struct mt_hw_queue *other;
	uint64_t start, i, *gate, *log;

	open_with("MUSA_MOCK_WATCHDOG_MS", "400");
	gate = t_data(&gpu, 8);
	log = t_data(&gpu, 8 * 70000);
	cr_assert_eq(gpu.dev->ops->queue_create(gpu.dev, 0, &other), 0);
	start = t_here(&gpu);
	t_wait(&gpu, 0, 1, gate, 1);
	t_end(&gpu);
	cr_assert_eq(t_submit_on(other, start), 0);
	start = t_here(&gpu);
	for (i = 0; i < 20000; i++)
		t_dispatch(&gpu, MT_PKT_BARRIER, 2, k_log_slow, (uintptr_t)log, i);
	t_signal(&gpu, MT_PKT_RELEASE, 2, gate, 1);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), 0);
	cr_assert_eq(mt_hw_queue_wait(other, 1, -1), 0);
	gpu.dev->ops->queue_destroy(other);
	t_close(&gpu);
}

static uint64_t make_loop(uint32_t passes)
{
	struct mt_pkt_cond cond = {.compare = MT_PKT_GE, .value = passes};
	uint64_t start = t_here(&gpu);
	struct mt_pkt_cond *packet;

	cond.word_va = (uintptr_t)t_data(&gpu, 8);
	cond.passes_va = (uintptr_t)t_data(&gpu, 8);
	packet = (void *)gpu.at;
	gpu.at = mt_pkt_put_cond(gpu.at, 0, 21, &cond);
	t_dispatch(&gpu, 0, 22, k_add, cond.word_va, 1);
	gpu.at = mt_pkt_put_jump(gpu.at, 0, 21, start);
	packet->target_va = t_here(&gpu);
	t_end(&gpu);
	return start;
}

Test(watchdog, loop_cap)
{
	uint64_t start;

	open_with("MUSA_MOCK_WHILE_CAP", "100");
	start = make_loop(100);
	cr_assert_eq(t_run(&gpu, start), 0, "100 passes are within the cap");
	start = make_loop(101);
	expect(start, 21, "100 passes");
}

/* What a kernel that was left behind may touch stays where it is. */
Test(watchdog, abandoned_memory_stays)
{
	struct timespec moment = {.tv_nsec = 300000000};
	uint64_t start;
	struct mt_hw_bo *bo;

	open_with("MUSA_MOCK_WATCHDOG_MS", "100");
	start = t_here(&gpu);
	t_dispatch(&gpu, 0, 6, k_forever, 0, 0);
	t_end(&gpu);
	cr_assert_eq(t_run(&gpu, start), -EIO);
	/* Code and arguments of the running kernel must not go away under it. */
	gpu.dev->ops->bo_destroy(gpu.code);
	cr_assert_eq(gpu.dev->ops->bo_create(gpu.dev, 4096, MT_HW_CODE, 0, &bo), 0);
	nanosleep(&moment, NULL);
	gpu.dev->ops->bo_destroy(bo);
	mt_hw_finish();
}
