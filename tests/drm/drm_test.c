/* SPDX-License-Identifier: MIT */
/* Shared parts of the drm tests. */
#include "drm_test.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define COMMANDS_B (1u << 20)

void rig_open(struct rig *rig, uint16_t generation)
{
	memset(rig, 0, sizeof(*rig));
	fake_install(generation);
	cr_assert_eq(fake_open(&rig->devices, &rig->device_count), 0);
	cr_assert_eq(rig->device_count, 1);
	rig->dev = rig->devices[0];
	rig->ops = rig->dev->ops;
	cr_assert_eq(rig->ops->queue_create(rig->dev, 0, &rig->queue), 0);
	rig->commands = rig_bo(rig, COMMANDS_B, MT_HW_COMMAND);
	rig->at = rig->commands->cpu;
}

void rig_close(struct rig *rig)
{
	rig->ops->queue_destroy(rig->queue);
	rig->ops->bo_destroy(rig->commands);
	fake_close(rig->devices, rig->device_count);
	fake_remove();
}

struct mt_hw_bo *rig_bo(struct rig *rig, uint64_t size_b, enum mt_hw_domain domain)
{
	struct mt_hw_bo *bo = NULL;

	cr_assert_eq(rig->ops->bo_create(rig->dev, size_b, domain, MT_HW_BO_ZERO, &bo), 0);
	return bo;
}

uint64_t rig_va(const struct rig *rig, const void *at)
{
	return rig->commands->va + (uint64_t)((const char *)at - (const char *)rig->commands->cpu);
}

void rig_begin(struct rig *rig)
{
	/* Starts over where the rest may be too small; tests wait before that. */
	if (rig->at - (uint8_t *)rig->commands->cpu > (long)COMMANDS_B / 2)
		rig->at = rig->commands->cpu;
	rig->start_va = rig_va(rig, rig->at);
}

void rig_copy(struct rig *rig, uint64_t dst_va, uint64_t src_va, uint64_t size_b)
{
	struct mt_pkt_copy copy = {
		.header = {.flags = MT_PKT_BARRIER, .node = 7},
		.dst_va = dst_va,
		.src_va = src_va,
		.width_b = size_b,
		.height = 1,
		.depth = 1,
	};

	rig->at = mt_pkt_put_copy(rig->at, &copy);
}

void rig_fill(struct rig *rig, uint64_t dst_va, uint64_t size_b, uint32_t value, uint32_t element_b)
{
	struct mt_pkt_fill fill = {
		.header = {.flags = MT_PKT_BARRIER, .node = 8},
		.dst_va = dst_va,
		.width_b = size_b,
		.height = 1,
		.depth = 1,
		.value = value,
		.element_b = element_b,
	};

	rig->at = mt_pkt_put_fill(rig->at, &fill);
}

int rig_submit(struct rig *rig)
{
	struct mt_hw_submit submit = {.lane_va = &rig->start_va, .lane_count = 1};

	rig->at = mt_pkt_put_end(rig->at, MT_PKT_NODE_NONE);
	return mt_hw_queue_submit(rig->queue, &submit);
}

void rig_finish(struct rig *rig)
{
	cr_assert_eq(mt_hw_queue_wait(rig->queue, rig->queue->submitted, LIMIT_NS), 0);
}

void rig_run(struct rig *rig)
{
	cr_assert_eq(rig_submit(rig), 0);
	rig_finish(rig);
}

static uint32_t count_entries(const char *path)
{
	DIR *dir = opendir(path);
	uint32_t count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* The card's own file is mapped once, by the fake. */
static uint32_t count_regions(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long long start;
	uint32_t count = 0;
	char line[512];

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%llx-", &start) != 1)
			continue;
		if (strstr(line, "fake-drm") ||
		    (start >= FAKE_HEAP_BASE && start < FAKE_HEAP_BASE + FAKE_HEAP_B))
			count++;
	}
	fclose(maps);
	return count;
}

void holdings_get(struct holdings *out)
{
	struct mt_alloc_stats stats;

	mt_alloc_stats_get(&stats);
	out->blocks = stats.live_count;
	out->descriptors = count_entries("/proc/self/fd");
	out->regions = count_regions();
	fake_counts_get(&out->kernel);
}

void holdings_same(const struct holdings *before, const char *what)
{
	struct holdings now;

	holdings_get(&now);
	cr_expect_eq(now.blocks, before->blocks, "%s: heap blocks", what);
	cr_expect_eq(now.descriptors, before->descriptors, "%s: descriptors", what);
	cr_expect_eq(now.regions, before->regions, "%s: mappings", what);
	cr_expect_eq(now.kernel.files, before->kernel.files, "%s: open files", what);
	cr_expect_eq(now.kernel.handles, before->kernel.handles, "%s: handles", what);
	cr_expect_eq(now.kernel.objects, before->kernel.objects, "%s: objects", what);
	cr_expect_eq(now.kernel.contexts, before->kernel.contexts, "%s: VM contexts", what);
	cr_expect_eq(now.kernel.queues, before->kernel.queues, "%s: job contexts", what);
	cr_expect_eq(now.kernel.semaphores, before->kernel.semaphores, "%s: semaphores", what);
	cr_expect_eq(now.kernel.mappings, before->kernel.mappings, "%s: VM mappings", what);
}
