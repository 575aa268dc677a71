// SPDX-License-Identifier: MIT
/*
 * Queues: jobs become submissions of the engine, and a thread reports the completed ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gpu.h"

#define STACK_B (64u << 10)

static uint64_t word(uint64_t va)
{
	return __atomic_load_n((const uint64_t *)(uintptr_t)va, __ATOMIC_ACQUIRE);
}

/* Sleeps until there is a job to wait for; false: the queue closes. */
static bool next_number(struct gpu_queue *queue, uint64_t completed)
{
	bool more;

	pthread_mutex_lock(&queue->gpu->queue_lock);
	while (queue->submitted == completed && !queue->closing)
		pthread_cond_wait(&queue->changed, &queue->gpu->queue_lock);
	more = queue->submitted != completed;
	pthread_mutex_unlock(&queue->gpu->queue_lock);
	return more;
}

static void *report(void *argument)
{
	struct gpu_queue *queue = argument;
	struct mtgpu_sim_complete args = {.id = queue->id};
	struct gpu *gpu = queue->gpu;

	while (next_number(queue, args.number)) {
		/* The device has stopped: nothing of this process is needed any more. */
		if (mt_sg_wait(gpu->engine, queue->timeline_va, args.number + 1, -1, false))
			return NULL;
		args.number = word(queue->timeline_va);
		ioctl(gpu->fd, MTGPU_SIM_IOCTL_COMPLETE, &args);
	}
	mt_sg_queue_destroy(queue->engine_queue);
	pthread_cond_destroy(&queue->changed);
	free(queue);
	return NULL;
}

int gpu_queue_create(struct gpu *gpu, uint32_t id, uint32_t urgency)
{
	struct gpu_queue *queue = calloc(1, sizeof(*queue));

	if (!queue)
		return -ENOMEM;
	queue->gpu = gpu;
	queue->id = id;
	queue->priority =
		urgency < MT_SG_PRIORITY_LEVELS ? -(int)urgency : 1 - (int)MT_SG_PRIORITY_LEVELS;
	pthread_cond_init(&queue->changed, NULL);
	queue->next = gpu->queues;
	gpu->queues = queue;
	return 0;
}

void gpu_queue_destroy(struct gpu *gpu, uint32_t id)
{
	struct gpu_queue **link = &gpu->queues, *queue;

	while ((queue = *link) && queue->id != id)
		link = &queue->next;
	if (!queue)
		return;
	*link = queue->next;
	if (!queue->engine_queue) {
		pthread_cond_destroy(&queue->changed);
		free(queue);
		return;
	}
	/* Its thread waits for the engine, and frees it. */
	pthread_mutex_lock(&gpu->queue_lock);
	queue->closing = true;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&gpu->queue_lock);
}

static int start_thread(struct gpu_queue *queue)
{
	pthread_attr_t attributes;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_B);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	error = pthread_create(&queue->thread, &attributes, report, queue);
	pthread_attr_destroy(&attributes);
	return -error;
}

static bool is_zero(const uint64_t *words, uint32_t count)
{
	while (count--)
		if (words[count])
			return false;
	return true;
}

/* The first job says what the queue is. */
static int open_queue(struct gpu *gpu, struct gpu_queue *queue, uint64_t va, const char **why_out)
{
	const struct sim_queue *about = (const void *)(uintptr_t)va;
	int ret;

	*why_out = "a job names a queue that is not one";
	if (va & 7 || !gpu_is_mapped(gpu, va, sizeof(*about)) || about->magic != SIM_QUEUE_MAGIC ||
	    about->version != SIM_VERSION || !is_zero(about->reserved0, 4))
		return -EINVAL;
	*why_out = "a queue's timeline is not mapped";
	if (about->timeline_va & 7 || !gpu_is_mapped(gpu, about->timeline_va, 8))
		return -EINVAL;
	*why_out = "a queue's mailbox is not one";
	ret = gpu_mailbox_set(gpu, about->mailbox_va);
	if (ret)
		return ret;
	queue->timeline_va = about->timeline_va;
	*why_out = "no room for a queue";
	ret = mt_sg_queue_create(gpu->engine, queue->priority, about->queue_id, about->timeline_va,
				 &queue->engine_queue);
	if (ret)
		return ret;
	return start_thread(queue);
}

static int read_job(struct gpu *gpu, const struct sim_job *job, struct mt_hw_submit *submit,
		    const char **why_out)
{
	uint64_t table_b = 8u * (uint64_t)job->lane_count;

	*why_out = "a job's fields are out of range";
	if (!job->lane_count || job->lane_count > MT_HW_LANES_MAX ||
	    job->flags & ~(uint32_t)MT_HW_SUBMIT_PRIORITIES)
		return -EINVAL;
	submit->lane_count = job->lane_count;
	submit->lane_va = &job->lanes_va;
	if (job->lane_count > 1) {
		*why_out = "a job's table of lanes is not mapped";
		if (job->lanes_va & 7 || !gpu_is_mapped(gpu, job->lanes_va, table_b))
			return -EINVAL;
		submit->lane_va = (const uint64_t *)(uintptr_t)job->lanes_va;
		submit->lane_table_va = job->lanes_va;
	}
	submit->flags = job->flags;
	submit->prologue_va = job->prologue_va;
	submit->wait_va = job->wait_va;
	submit->wait_value = job->wait_value;
	submit->exec_id = job->exec_id;
	if (!job->graph_va)
		return 0;
	*why_out = "a job's graph is none";
	submit->graph = gpu_graph_find(gpu, job->graph_va);
	return submit->graph ? 0 : -EINVAL;
}

static int submit_job(struct gpu *gpu, struct gpu_queue *queue, const struct sim_job *job,
		      const char **why_out)
{
	struct mt_hw_submit submit = {0};
	int ret;

	if (job->flags & (SIM_JOB_GRAPH_CREATE | SIM_JOB_GRAPH_DESTROY)) {
		ret = gpu_graph_job(gpu, job, why_out);
		if (!ret)
			mt_sg_signal(gpu->engine, queue->timeline_va, queue->submitted + 1);
		return ret;
	}
	ret = read_job(gpu, job, &submit, why_out);
	return ret ? ret : mt_sg_queue_submit(queue->engine_queue, &submit);
}

int gpu_queue_job(struct gpu *gpu, uint32_t id, uint64_t va, uint64_t size_b, const char **why_out)
{
	const struct sim_job *job = (const void *)(uintptr_t)va;
	struct gpu_queue *queue;
	int ret;

	*why_out = "a job is not mapped";
	if (va & 7 || size_b != sizeof(*job) || !gpu_is_mapped(gpu, va, sizeof(*job)))
		return -EINVAL;
	for (queue = gpu->queues; queue && queue->id != id; queue = queue->next)
		;
	if (!queue)
		return 0; /* given up meanwhile */
	ret = queue->engine_queue ? 0 : open_queue(gpu, queue, job->queue_va, why_out);
	if (!ret)
		ret = submit_job(gpu, queue, job, why_out);
	if (ret)
		return ret;
	pthread_mutex_lock(&gpu->queue_lock);
	queue->submitted++;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&gpu->queue_lock);
	return 0;
}
