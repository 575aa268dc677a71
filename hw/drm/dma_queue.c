/* SPDX-License-Identifier: MIT */
/*
 * Queues of silicon: issues the stages of a submission as DMA jobs and host steps.
 */
#include <errno.h>

#include "hw/drm/queue.h"

int mt_drm_dma_queue_init(struct mt_drm_queue *queue, int priority)
{
	int ret;

	(void)priority; /* UNVERIFIED: what numbers mean; all queues are alike */
	ret = mt_drm_semaphore_create(queue->base.dev, &queue->progress);
	if (ret)
		return ret;
	queue->progress_handle = mt_drm_semaphore_handle(queue->device, queue->progress.va);
	ret = mt_drm_job_context_create(queue, MTGPU_SUBMISSION_DMA, 0);
	if (ret)
		mt_drm_semaphore_destroy(&queue->progress);
	return ret;
}

void mt_drm_dma_queue_finish(struct mt_drm_queue *queue)
{
	mt_drm_agent_stop(queue);
	mt_drm_job_context_destroy(queue);
	mt_drm_scratch_free(queue);
	mt_drm_lower_finish(&queue->lower);
	mt_drm_semaphore_destroy(&queue->progress);
}

/* UNVERIFIED: that the kernel copies the commands before the call returns. */
static int issue_job(struct mt_drm_queue *queue, const struct mt_drm_stage *stage, uint64_t number)
{
	const struct mt_drm_lower *lower = &queue->lower;
	const struct drm_mtgpu_semaphore *checks = lower->checks.at, *updates = lower->updates.at;
	const struct drm_mtgpu_dma_cmd *cmds = lower->cmds.at;
	struct drm_mtgpu_job_submit_v3 args = {
		.in =
			{
				.job_ctx_handle = queue->context,
				.check_semaphores = (uintptr_t)(checks + stage->check_first),
				.check_semaphore_count = stage->check_count,
				.update_semaphores = (uintptr_t)(updates + stage->update_first),
				.update_semaphore_count = stage->update_count,
				.submission_va = (uintptr_t)(cmds + stage->cmd_first),
				.submission_size = stage->cmd_count * (uint32_t)sizeof(*cmds),
				.submission_id = number,
			},
	};
	int ret = mt_drm_call(queue->device, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args);

	/* Pageable memory of the program that is not there. */
	if (ret == -EFAULT)
		return mt_drm_lower_fault(queue, MT_HW_FAULT_ILLEGAL_ADDRESS, 0,
					  "a copy touches memory that the process does not have");
	return ret;
}

/* The stages before it are on their way, so this one must follow, or the queue is broken. */
static int issue_insistently(struct mt_drm_queue *queue, const struct mt_drm_stage *stage,
			     uint64_t number)
{
	uint32_t tries = 0;
	int ret;

	do {
		ret = issue_job(queue, stage, number);
	} while (mt_drm_try_again(ret, &tries));
	if (!ret || ret == -EIO)
		return ret;
	mt_drm_lost(queue->device, ret, "a part of a submission was refused");
	return -EIO;
}

static uint32_t count_steps(const struct mt_drm_lower *lower)
{
	const struct mt_drm_stage *stages = lower->stages.at;
	uint32_t steps = 0;

	for (uint32_t i = 0; i < lower->stages.count; i++)
		steps += stages[i].is_step;
	return steps;
}

static int issue_all(struct mt_drm_queue *queue)
{
	const struct mt_drm_stage *stages = queue->lower.stages.at;
	uint32_t count = queue->lower.stages.count, i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++) {
		if (stages[i].is_step)
			mt_drm_agent_push(queue->agent, &stages[i].step);
		else if (i)
			ret = issue_insistently(queue, &stages[i], queue->stage + i + 1);
		else
			ret = issue_job(queue, &stages[i], queue->stage + 1);
	}
	if (!ret)
		queue->stage += count;
	return ret;
}

int mt_drm_dma_queue_submit(struct mt_drm_queue *queue, const struct mt_hw_submit *submit)
{
	uint32_t steps;
	int ret;

	ret = mt_drm_lower(queue, submit);
	steps = ret ? 0 : count_steps(&queue->lower);
	if (steps)
		ret = mt_drm_agent_prepare(queue, steps);
	if (!ret)
		ret = issue_all(queue);
	mt_drm_scratch_settle(queue, queue->stage);
	return ret;
}
