/* SPDX-License-Identifier: MIT */
/*
 * Queues of the simulated device: a submission is one job, described in a ring of pinned memory.
 */
#include <errno.h>
#include <string.h>

#include "hw/drm/queue.h"
#include "hw/drm/sim_protocol.h"

_Static_assert(SIM_QUEUE_JOBS >= MT_DRM_QUEUE_DEPTH, "a slot is free when it is written again");

#define RING_B (sizeof(struct sim_queue) + SIM_QUEUE_JOBS * sizeof(struct sim_job))

int mt_drm_sim_queue_init(struct mt_drm_queue *queue, int priority)
{
	struct mt_hw_device *dev = queue->base.dev;
	struct sim_queue *shared;
	uint64_t mailbox_va;
	int ret;

	ret = mt_drm_mailbox_get(queue->device, &mailbox_va);
	if (ret)
		return ret;
	ret = mt_drm_bo_create(dev, RING_B, MT_HW_HOST, MT_HW_BO_ZERO, &queue->ring);
	if (ret)
		return ret;
	shared = queue->ring->cpu;
	shared->magic = SIM_QUEUE_MAGIC;
	shared->version = SIM_VERSION;
	shared->queue_id = queue->base.id;
	shared->timeline_va = queue->base.timeline.va;
	shared->mailbox_va = mailbox_va;
	ret = mt_drm_job_context_create(queue, MTGPU_SUBMISSION_GPU_COMPUTE_STREAM,
					(uint32_t)-priority);
	if (ret)
		mt_drm_bo_destroy(queue->ring);
	return ret;
}

void mt_drm_sim_queue_finish(struct mt_drm_queue *queue)
{
	mt_drm_job_context_destroy(queue);
	mt_drm_bo_destroy(queue->ring);
}

int mt_drm_sim_queue_job(struct mt_drm_queue *queue, const struct sim_job *job)
{
	uint64_t seq = queue->base.submitted + 1, at = seq % SIM_QUEUE_JOBS;
	struct sim_job *jobs =
		(struct sim_job *)((char *)queue->ring->cpu + sizeof(struct sim_queue));
	struct drm_mtgpu_semaphore done = {.handle = queue->timeline_handle, .value = seq};
	struct drm_mtgpu_job_submit_v3 args = {
		.in =
			{
				.job_ctx_handle = queue->context,
				.update_semaphores = (uintptr_t)&done,
				.update_semaphore_count = 1,
				.submission_va = queue->ring->va + sizeof(struct sim_queue) +
						 at * sizeof(struct sim_job),
				.submission_size = sizeof(struct sim_job),
				.submission_id = seq,
			},
	};

	jobs[at] = *job;
	jobs[at].queue_va = queue->ring->va;
	return mt_drm_call(queue->device, DRM_IOCTL_MTGPU_JOB_SUBMIT_V3, &args);
}

int mt_drm_sim_queue_submit(struct mt_drm_queue *queue, const struct mt_hw_submit *submit)
{
	const struct sim_job job = {
		.lanes_va = submit->lane_count > 1 ? submit->lane_table_va : submit->lane_va[0],
		.prologue_va = submit->prologue_va,
		.wait_va = submit->wait_va,
		.wait_value = submit->wait_value,
		.exec_id = submit->exec_id,
		.lane_count = submit->lane_count,
		.flags = submit->flags,
		.graph_va = submit->graph ? mt_drm_graph_va(submit->graph) : 0,
	};

	return mt_drm_sim_queue_job(queue, &job);
}
