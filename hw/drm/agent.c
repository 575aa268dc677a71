/* SPDX-License-Identifier: MIT */
/*
 * The agent of a DMA queue: a thread that makes the queue's host steps when their stage comes.
 *
 * Steps come in order of their stages. The agent waits until the stage before has completed, makes
 * the step, and counts its stage as completed. Once the device has a fault it makes no more.
 */
#include <errno.h>
#include <signal.h>

#include "hw/base/alloc.h"
#include "hw/drm/queue.h"

struct mt_drm_agent {
	struct mt_drm_queue *queue; /* borrowed: destroys the agent first */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Guarded by lock: a ring. */
	struct mt_drm_step *steps; /* owned */
	uint32_t room, first, count;
	bool stop;
};

static int signal_surely(struct mt_drm_device *device, uint64_t va, uint64_t value, bool stamp)
{
	uint32_t tries = 0;
	int ret;

	do {
		ret = mt_drm_semaphore_stamp(device, va, value, stamp);
	} while (mt_drm_try_again(ret, &tries));
	return ret;
}

static int call_surely(struct mt_drm_device *device, uint64_t fn, uint64_t data)
{
	uint32_t tries = 0;
	int ret;

	do {
		ret = mt_drm_host_run(device, fn, data);
	} while (mt_drm_try_again(ret, &tries));
	return ret;
}

static int make_step(struct mt_drm_queue *queue, const struct mt_drm_step *step)
{
	struct mt_drm_device *device = queue->device;
	int ret = mt_drm_semaphore_wait_surely(&queue->progress, step->stage - 1);

	if (ret)
		return ret;
	switch (step->kind) {
	case MT_DRM_STEP_CALL:
		ret = call_surely(device, step->a, step->b);
		break;
	case MT_DRM_STEP_SIGNAL:
		ret = signal_surely(device, step->a, step->b, step->stamp);
		break;
	case MT_DRM_STEP_TIME:
		__atomic_store_n((uint64_t *)(uintptr_t)step->a, mt_drm_time_ns(),
				 __ATOMIC_RELEASE);
		break;
	}
	if (!ret)
		ret = signal_surely(device, queue->progress.va, step->stage, false);
	if (!ret && step->timeline)
		ret = signal_surely(device, queue->base.timeline.va, step->timeline, false);
	return ret;
}

static void *run_agent(void *argument)
{
	struct mt_drm_agent *agent = argument;
	struct mt_drm_step step;
	int ret;

	pthread_mutex_lock(&agent->lock);
	for (;;) {
		while (!agent->count && !agent->stop)
			pthread_cond_wait(&agent->wake, &agent->lock);
		if (agent->stop)
			break;
		step = agent->steps[agent->first];
		agent->first = (agent->first + 1) % agent->room;
		agent->count--;
		pthread_mutex_unlock(&agent->lock);
		ret = make_step(agent->queue, &step);
		/* A step that is left out would let the queue wait for ever. */
		if (ret)
			mt_drm_lost(agent->queue->device, ret, "a step of the host has failed");
		pthread_mutex_lock(&agent->lock);
	}
	pthread_mutex_unlock(&agent->lock);
	return NULL;
}

/* The application's signals are not for this thread. */
static int start_thread(struct mt_drm_agent *agent)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&agent->thread, NULL, run_agent, agent);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

static int create_agent(struct mt_drm_queue *queue)
{
	struct mt_drm_agent *agent = mt_calloc(1, sizeof(*agent));
	int ret;

	if (!agent)
		return -ENOMEM;
	agent->queue = queue;
	pthread_mutex_init(&agent->lock, NULL);
	pthread_cond_init(&agent->wake, NULL);
	ret = start_thread(agent);
	if (ret) {
		pthread_cond_destroy(&agent->wake);
		pthread_mutex_destroy(&agent->lock);
		mt_free(agent);
		return ret;
	}
	queue->agent = agent;
	return 0;
}

static int make_room(struct mt_drm_agent *agent, uint32_t count)
{
	uint32_t room = agent->room ? agent->room : 64, i;
	struct mt_drm_step *grown;

	while (room - agent->count < count)
		room *= 2;
	if (room == agent->room)
		return 0;
	grown = mt_calloc(room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (i = 0; i < agent->count; i++)
		grown[i] = agent->steps[(agent->first + i) % agent->room];
	mt_free(agent->steps);
	agent->steps = grown;
	agent->room = room;
	agent->first = 0;
	return 0;
}

int mt_drm_agent_prepare(struct mt_drm_queue *queue, uint32_t count)
{
	int ret = queue->agent ? 0 : create_agent(queue);

	if (ret)
		return ret;
	pthread_mutex_lock(&queue->agent->lock);
	ret = make_room(queue->agent, count);
	pthread_mutex_unlock(&queue->agent->lock);
	return ret;
}

void mt_drm_agent_push(struct mt_drm_agent *agent, const struct mt_drm_step *step)
{
	pthread_mutex_lock(&agent->lock);
	agent->steps[(agent->first + agent->count++) % agent->room] = *step;
	pthread_cond_signal(&agent->wake);
	pthread_mutex_unlock(&agent->lock);
}

void mt_drm_agent_stop(struct mt_drm_queue *queue)
{
	struct mt_drm_agent *agent = queue->agent;

	if (!agent)
		return;
	pthread_mutex_lock(&agent->lock);
	agent->stop = true;
	pthread_cond_signal(&agent->wake);
	pthread_mutex_unlock(&agent->lock);
	pthread_join(agent->thread, NULL);
	queue->agent = NULL;
	pthread_cond_destroy(&agent->wake);
	pthread_mutex_destroy(&agent->lock);
	mt_free(agent->steps);
	mt_free(agent);
}
