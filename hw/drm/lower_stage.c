/* SPDX-License-Identifier: MIT */
/*
 * Puts stages together: one job takes commands as long as nothing that it must wait for, or that
 * must be signalled before it ends, comes between.
 *
 * UNVERIFIED: the commands of one DMA job run in the order of the array, each after the one before.
 * If a driver ran them side by side, every command would need a job of its own.
 */
#include <errno.h>

#include "hw/drm/queue.h"

/* The queue's own progress takes one entry of each list, its timeline another. */
#define CHECKS_ROOM  (MT_DRM_CHECKS_MAX - 1)
#define UPDATES_ROOM (MT_DRM_UPDATES_MAX - 2)

static uint32_t open_cmds(const struct mt_drm_lower *lower)
{
	return lower->cmds.count - lower->cmd_first;
}

static uint32_t open_checks(const struct mt_drm_lower *lower)
{
	return lower->checks.count - lower->check_first;
}

static uint32_t open_updates(const struct mt_drm_lower *lower)
{
	return lower->updates.count - lower->update_first;
}

static bool is_open(const struct mt_drm_lower *lower)
{
	return open_cmds(lower) || open_checks(lower) || open_updates(lower);
}

static int add_semaphore(struct mt_drm_array *array, uint64_t handle, uint64_t value)
{
	struct drm_mtgpu_semaphore *entry = mt_drm_array_next(array, sizeof(*entry));

	if (!entry)
		return -ENOMEM;
	entry->handle = handle;
	entry->value = value;
	array->count++;
	return 0;
}

/* A job that moves nothing still needs a command: 8 bytes from one place of the scratch to another.
 */
static int add_idle_cmd(struct mt_drm_queue *queue)
{
	struct drm_mtgpu_dma_cmd *cmd = mt_drm_array_next(&queue->lower.cmds, sizeof(*cmd));
	struct mt_drm_range range = {0};
	uint64_t va;
	int ret;

	if (!cmd)
		return -ENOMEM;
	ret = mt_drm_scratch_take(queue, 64, &va);
	if (ret)
		return ret;
	if (!mt_drm_lower_find(queue, va, &range))
		return -EINVAL;
	*cmd = (struct drm_mtgpu_dma_cmd){
		.src_type = MTGPU_DMA_ADDR_TYPE_BO_HANDLE,
		.dst_type = MTGPU_DMA_ADDR_TYPE_BO_HANDLE,
		.src_addr = range.handle,
		.dst_addr = range.handle,
		.src_offset = range.offset_b + (va - range.va),
		.dst_offset = range.offset_b + (va - range.va) + 32,
		.xfer_size = 8,
	};
	queue->lower.cmds.count++;
	return 0;
}

static int close_job(struct mt_drm_queue *queue)
{
	struct mt_drm_lower *lower = &queue->lower;
	struct mt_drm_stage *stage = mt_drm_array_next(&lower->stages, sizeof(*stage));
	int ret = 0;

	if (!stage)
		return -ENOMEM;
	if (!open_cmds(lower))
		ret = add_idle_cmd(queue);
	if (!ret)
		ret = add_semaphore(&lower->checks, queue->progress_handle, lower->stage);
	if (!ret)
		ret = add_semaphore(&lower->updates, queue->progress_handle, lower->stage + 1);
	if (ret)
		return ret;
	*stage = (struct mt_drm_stage){
		.cmd_first = lower->cmd_first,
		.cmd_count = open_cmds(lower),
		.check_first = lower->check_first,
		.check_count = open_checks(lower),
		.update_first = lower->update_first,
		.update_count = open_updates(lower),
	};
	lower->stages.count++;
	lower->stage++;
	lower->cmd_first = lower->cmds.count;
	lower->check_first = lower->checks.count;
	lower->update_first = lower->updates.count;
	return 0;
}

/* What follows must not start before this is there. */
int mt_drm_lower_check(struct mt_drm_queue *queue, uint64_t handle, uint64_t value)
{
	struct mt_drm_lower *lower = &queue->lower;
	int ret = 0;

	if (open_cmds(lower) || open_updates(lower) || open_checks(lower) == CHECKS_ROOM)
		ret = close_job(queue);
	return ret ? ret : add_semaphore(&lower->checks, handle, value);
}

/* Happens when all that stands before it has completed. */
int mt_drm_lower_update(struct mt_drm_queue *queue, uint64_t handle, uint64_t value)
{
	struct mt_drm_lower *lower = &queue->lower;
	int ret = 0;

	if (open_updates(lower) == UPDATES_ROOM)
		ret = close_job(queue);
	return ret ? ret : add_semaphore(&lower->updates, handle, value);
}

int mt_drm_lower_cmd(struct mt_drm_queue *queue, const struct drm_mtgpu_dma_cmd *cmd)
{
	struct mt_drm_lower *lower = &queue->lower;
	struct drm_mtgpu_dma_cmd *slot;
	int ret;

	/* A signal must not wait for what comes behind it. */
	if (open_updates(lower) || open_cmds(lower) == MT_DRM_JOB_CMDS_MAX) {
		ret = close_job(queue);
		if (ret)
			return ret;
	}
	slot = mt_drm_array_next(&lower->cmds, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = *cmd;
	lower->cmds.count++;
	return 0;
}

int mt_drm_lower_step(struct mt_drm_queue *queue, const struct mt_drm_step *step)
{
	struct mt_drm_lower *lower = &queue->lower;
	struct mt_drm_stage *stage;
	int ret;

	if (is_open(lower)) {
		ret = close_job(queue);
		if (ret)
			return ret;
	}
	stage = mt_drm_array_next(&lower->stages, sizeof(*stage));
	if (!stage)
		return -ENOMEM;
	*stage = (struct mt_drm_stage){.is_step = true, .step = *step};
	stage->step.stage = ++lower->stage;
	lower->stages.count++;
	return 0;
}

int mt_drm_lower_end(struct mt_drm_queue *queue, uint64_t seq)
{
	struct mt_drm_lower *lower = &queue->lower;
	struct mt_drm_stage *last;
	int ret;

	if (is_open(lower) || !lower->stages.count) {
		ret = close_job(queue);
		if (ret)
			return ret;
	}
	last = (struct mt_drm_stage *)lower->stages.at + lower->stages.count - 1;
	if (last->is_step) {
		last->step.timeline = seq;
		return 0;
	}
	/* The last job's updates are the last of the list. */
	ret = add_semaphore(&lower->updates, queue->timeline_handle, seq);
	if (!ret)
		last->update_count++;
	return ret;
}
