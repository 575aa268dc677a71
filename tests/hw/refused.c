/* SPDX-License-Identifier: MIT */
/*
 * Proves that every allocation of the layer may fail: the call is refused, nothing leaks, and the
 * next try succeeds.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

#include "hw/base/alloc.h"
#include "tests/hw/gpu.h"

static uint64_t live_count(void)
{
	struct mt_alloc_stats stats;

	mt_alloc_stats_get(&stats);
	return stats.live_count;
}

/* Opening devices. */
Test(refused, devices, .timeout = 60)
{
	struct mt_hw_device **devices;
	uint64_t before = live_count(), n;
	uint32_t count;
	int ret = -1;

	setenv("MUSA_BACKEND", "mock", 1);
	setenv("MUSA_MOCK_DEVICES", "2", 1);
	setenv("MUSA_MOCK_MEMORY", "16M", 1);
	for (n = 1; ret; n++) {
		cr_assert_lt(n, 100);
		mt_alloc_fail_at(n);
		ret = mt_hw_init(&devices, &count);
		if (ret) {
			cr_assert_eq(ret, -ENOMEM);
			cr_assert_eq(live_count(), before, "allocation %lu leaves %lu blocks", n,
				     live_count() - before);
		}
	}
	mt_alloc_fail_at(0);
	cr_assert_gt(n, 5);
	mt_hw_finish();
	cr_assert_eq(live_count(), before);
}

typedef int (*attempt)(struct t_gpu *gpu);

/* Tries until it works; what it left when refused must be what was there before. */
static void try_all(struct t_gpu *gpu, attempt attempt, const char *what)
{
	uint64_t before, n;
	int ret = -1;

	for (n = 1; ret; n++) {
		before = live_count();
		mt_alloc_fail_at(n);
		ret = attempt(gpu);
		mt_alloc_fail_at(0);
		cr_assert(!ret || ret == -ENOMEM, "%s: %d", what, ret);
		if (ret)
			cr_assert_eq(live_count(), before, "%s: allocation %lu", what, n);
		cr_assert_lt(n, 50);
	}
}

static struct mt_hw_bo *bo;
static struct mt_hw_queue *queue;
static struct mt_hw_semaphore semaphore;

static int device_bo(struct t_gpu *gpu)
{
	return gpu->dev->ops->bo_create(gpu->dev, 8192, MT_HW_DEVICE, 0, &bo);
}

static int host_bo(struct t_gpu *gpu)
{
	return gpu->dev->ops->bo_create(gpu->dev, 8192, MT_HW_HOST, 0, &bo);
}

static int exportable_bo(struct t_gpu *gpu)
{
	return gpu->dev->ops->bo_create(gpu->dev, 8192, MT_HW_DEVICE, MT_HW_BO_EXPORTABLE, &bo);
}

static int new_queue(struct t_gpu *gpu)
{
	return gpu->dev->ops->queue_create(gpu->dev, 0, &queue);
}

static int new_semaphore(struct t_gpu *gpu)
{
	return gpu->dev->ops->semaphore_create(gpu->dev, &semaphore);
}

/* The first submission makes a worker. */
static int first_submit(struct t_gpu *gpu)
{
	return t_submit_on(gpu->queue, (uintptr_t)gpu->command->cpu + (4u << 20));
}

Test(refused, objects, .timeout = 60)
{
	static const struct {
		attempt attempt;
		const char *name;
	} bos[] = {{device_bo, "device"}, {host_bo, "host"}, {exportable_bo, "exportable"}};
	struct t_gpu gpu;
	uint64_t free_b, after_b, total_b;
	uint32_t i;

	setenv("MUSA_MOCK_THREADS", "1", 1);
	t_open(&gpu);
	t_end(&gpu);
	try_all(&gpu, first_submit, "submit");
	cr_assert_eq(t_finish(&gpu), 0);
	gpu.dev->ops->device_memory(gpu.dev, &free_b, &total_b);
	for (i = 0; i < 3; i++) {
		try_all(&gpu, bos[i].attempt, bos[i].name);
		gpu.dev->ops->bo_destroy(bo);
	}
	gpu.dev->ops->device_memory(gpu.dev, &after_b, &total_b);
	cr_assert_eq(free_b, after_b);
	try_all(&gpu, new_queue, "queue");
	gpu.dev->ops->queue_destroy(queue);
	try_all(&gpu, new_semaphore, "semaphore");
	gpu.dev->ops->semaphore_destroy(&semaphore);
	t_close(&gpu);
}
