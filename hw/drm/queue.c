/* SPDX-License-Identifier: MIT */
/*
 * Queues: what all generations have in common.
 */
#include "hw/drm/queue.h"

#include <errno.h>

#include "hw/base/alloc.h"

static _Atomic uint64_t last_id;

int mt_drm_job_context_create(struct mt_drm_queue *queue, uint32_t type, uint32_t priority)
{
	struct drm_mtgpu_job_context_create args = {
		.in =
			{
				.type = type,
				.priority = priority,
				.vm_ctx_handle = queue->device->vm,
			},
	};
	int ret = mt_drm_call(queue->device, DRM_IOCTL_MTGPU_JOB_CONTEXT_CREATE, &args);

	if (!ret)
		queue->context = args.out.ctx_handle;
	return ret == -ENOSPC ? -ENOMEM : ret;
}

void mt_drm_job_context_destroy(struct mt_drm_queue *queue)
{
	struct drm_mtgpu_job_context_destroy args = {.ctx_handle = queue->context};

	mt_drm_call(queue->device, DRM_IOCTL_MTGPU_JOB_CONTEXT_DESTROY, &args);
}

void *mt_drm_array_next(struct mt_drm_array *array, uint32_t size_b)
{
	uint32_t room = array->room ? array->room * 2 : 16;
	void *grown;

	if (array->count == array->room) {
		grown = mt_realloc(array->at, (size_t)room * size_b);
		if (!grown)
			return NULL;
		array->at = grown;
		array->room = room;
	}
	return (char *)array->at + (size_t)array->count * size_b;
}

int mt_drm_queue_create(struct mt_hw_device *dev, int priority, struct mt_hw_queue **queue_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct mt_drm_queue *queue;
	int ret;

	if (device->forked)
		return -EIO;
	if (priority > dev->info.priority_least)
		priority = dev->info.priority_least;
	if (priority < dev->info.priority_greatest)
		priority = dev->info.priority_greatest;
	queue = mt_calloc(1, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	queue->device = device;
	queue->base.dev = dev;
	queue->base.id = atomic_fetch_add(&last_id, 1) + 1;
	ret = mt_drm_semaphore_create(dev, &queue->base.timeline);
	if (ret)
		goto free_queue;
	queue->timeline_handle = mt_drm_semaphore_handle(device, queue->base.timeline.va);
	ret = device->generation->queue_init(queue, priority);
	if (ret)
		goto destroy_timeline;
	pthread_mutex_lock(&device->lock);
	queue->next = device->queues;
	queue->link = &device->queues;
	if (queue->next)
		queue->next->link = &queue->next;
	device->queues = queue;
	pthread_mutex_unlock(&device->lock);
	*queue_out = &queue->base;
	return 0;

destroy_timeline:
	mt_drm_semaphore_destroy(&queue->base.timeline);
free_queue:
	mt_free(queue);
	return ret;
}

void mt_drm_queue_destroy(struct mt_hw_queue *base)
{
	struct mt_drm_queue *queue = (struct mt_drm_queue *)base;

	if (!base || queue->device->forked)
		return;
	/* Ends when the work has completed, or the device has a fault. */
	mt_drm_semaphore_wait(&base->timeline, base->submitted, -1);
	pthread_mutex_lock(&queue->device->lock);
	*queue->link = queue->next;
	if (queue->next)
		queue->next->link = queue->link;
	pthread_mutex_unlock(&queue->device->lock);
	queue->device->generation->queue_finish(queue);
	mt_drm_semaphore_destroy(&base->timeline);
	mt_free(queue);
}

int mt_drm_queue_submit(struct mt_hw_queue *base, const struct mt_hw_submit *submit)
{
	struct mt_drm_queue *queue = (struct mt_drm_queue *)base;
	struct mt_drm_device *device = queue->device;
	int ret;

	if (device->forked || mt_drm_stopped(device))
		return -EIO;
	if (!submit->lane_count || submit->lane_count > MT_HW_LANES_MAX)
		return -EINVAL;
	if (base->submitted >= MT_DRM_QUEUE_DEPTH) {
		ret = mt_drm_semaphore_wait(&base->timeline,
					    base->submitted - MT_DRM_QUEUE_DEPTH + 1, -1);
		if (ret)
			return ret;
	}
	ret = device->generation->queue_submit(queue, submit);
	if (!ret)
		base->submitted++;
	return ret == -ENOSPC ? -ENOMEM : ret;
}
