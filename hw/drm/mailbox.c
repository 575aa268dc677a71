/* SPDX-License-Identifier: MIT */
/*
 * The mailbox of a simulated device: takes its host calls, answers them, and hears of its faults.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/drm/drm.h"
#include "hw/drm/sim_protocol.h"

/* How late a stop is seen that could not be signalled. */
#define LOOK_NS (INT64_C(1000) * 1000000)

struct mt_drm_mailbox {
	struct mt_drm_device *device; /* borrowed */
	struct mt_hw_bo *bo;          /* owned */
	struct sim_mailbox *shared;
	struct mt_hw_semaphore bell, answer; /* owned */
	pthread_t thread;
	_Atomic bool stop;
	pthread_mutex_t lock; /* guards answered; outside device->lock */
	uint64_t answered;
};

static void take_calls(struct mt_drm_mailbox *mailbox, uint64_t *taken, uint64_t posted)
{
	struct mt_hw_host_call call;
	const struct sim_call *slot;

	for (; *taken < posted; ++*taken) {
		slot = &mailbox->shared->calls[*taken % SIM_CALLS];
		call = (struct mt_hw_host_call){slot->fn, slot->data, slot->ticket};
		if (!mt_drm_host_post(mailbox->device, &call))
			continue;
		/* A call that is lost would stop its stream for ever. */
		mt_drm_lost(mailbox->device, -ENOMEM, "no memory for a host call");
	}
}

/* Also the one who notices that the device has stopped while the program waits for nothing. */
static void *run_mailbox(void *argument)
{
	struct mt_drm_mailbox *mailbox = argument;
	uint64_t taken = 0;
	uint32_t tries = 0;
	int ret;

	while (!atomic_load(&mailbox->stop)) {
		ret = mt_drm_semaphore_wait(&mailbox->bell, taken + 1, LOOK_NS);
		if (ret == -ETIME || mt_drm_try_again(ret, &tries))
			continue;
		if (ret) {
			mt_drm_lost(mailbox->device, ret, "no more host calls");
			break;
		}
		tries = 0;
		if (!atomic_load(&mailbox->stop))
			take_calls(mailbox, &taken,
				   atomic_load_explicit(mailbox->bell.value, memory_order_acquire));
	}
	return NULL;
}

/* The application's signals are not for this thread. */
static int start_thread(struct mt_drm_mailbox *mailbox)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&mailbox->thread, NULL, run_mailbox, mailbox);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

static int create_mailbox(struct mt_drm_device *device, struct mt_drm_mailbox **mailbox_out)
{
	struct mt_drm_mailbox *mailbox = mt_calloc(1, sizeof(*mailbox));
	struct mt_hw_device *dev = &device->base;
	int ret;

	if (!mailbox)
		return -ENOMEM;
	mailbox->device = device;
	pthread_mutex_init(&mailbox->lock, NULL);
	ret = mt_drm_bo_create(dev, sizeof(struct sim_mailbox), MT_HW_HOST, MT_HW_BO_ZERO,
			       &mailbox->bo);
	if (ret)
		goto free_mailbox;
	ret = mt_drm_semaphore_create(dev, &mailbox->bell);
	if (ret)
		goto destroy_bo;
	ret = mt_drm_semaphore_create(dev, &mailbox->answer);
	if (ret)
		goto destroy_bell;
	mailbox->shared = mailbox->bo->cpu;
	mailbox->shared->magic = SIM_MAILBOX_MAGIC;
	mailbox->shared->version = SIM_VERSION;
	mailbox->shared->bell_va = mailbox->bell.va;
	mailbox->shared->answer_va = mailbox->answer.va;
	ret = start_thread(mailbox);
	if (ret)
		goto destroy_answer;
	*mailbox_out = mailbox;
	return 0;

destroy_answer:
	mt_drm_semaphore_destroy(&mailbox->answer);
destroy_bell:
	mt_drm_semaphore_destroy(&mailbox->bell);
destroy_bo:
	mt_drm_bo_destroy(mailbox->bo);
free_mailbox:
	pthread_mutex_destroy(&mailbox->lock);
	mt_free(mailbox);
	return ret;
}

int mt_drm_mailbox_get(struct mt_drm_device *device, uint64_t *va_out)
{
	struct mt_drm_mailbox *mailbox;
	int ret = 0;

	pthread_mutex_lock(&device->mailbox_lock);
	mailbox = atomic_load(&device->mailbox);
	if (!mailbox) {
		ret = create_mailbox(device, &mailbox);
		if (!ret)
			atomic_store(&device->mailbox, mailbox);
	}
	pthread_mutex_unlock(&device->mailbox_lock);
	if (!ret)
		*va_out = mailbox->bo->va;
	return ret;
}

bool mt_drm_mailbox_fault(struct mt_drm_device *device, struct mt_hw_fault *fault_out)
{
	struct mt_drm_mailbox *mailbox = atomic_load(&device->mailbox);
	const struct sim_fault *fault;
	uint32_t code;

	if (!mailbox)
		return false;
	fault = &mailbox->shared->fault;
	code = __atomic_load_n(&fault->code, __ATOMIC_ACQUIRE);
	if (code == MT_HW_FAULT_NONE || code > MT_HW_FAULT_LOST)
		return false;
	fault_out->code = code;
	fault_out->node = fault->node;
	fault_out->queue = fault->queue;
	fault_out->seq = fault->seq;
	fault_out->address = fault->address;
	memcpy(fault_out->text, fault->text, sizeof(fault_out->text));
	return true;
}

void mt_drm_mailbox_answer(struct mt_drm_device *device, uint64_t ticket)
{
	struct mt_drm_mailbox *mailbox = atomic_load(&device->mailbox);
	uint32_t tries = 0;
	int ret;

	if (!mailbox)
		return;
	pthread_mutex_lock(&mailbox->lock);
	mailbox->shared->answers[mailbox->answered++ % SIM_CALLS] = ticket;
	do {
		ret = mt_drm_semaphore_signal(&mailbox->answer, mailbox->answered);
	} while (mt_drm_try_again(ret, &tries));
	pthread_mutex_unlock(&mailbox->lock);
	if (ret)
		mt_drm_lost(device, ret, "an answer of the host did not reach the device");
}

void mt_drm_mailbox_free(struct mt_drm_device *device)
{
	struct mt_drm_mailbox *mailbox = atomic_load(&device->mailbox);

	if (!mailbox)
		return;
	atomic_store(&mailbox->stop, true);
	/* Rings the bell, so that the thread looks; if that fails it looks by itself. */
	mt_drm_semaphore_signal(&mailbox->bell, INT64_MAX);
	pthread_join(mailbox->thread, NULL);
	atomic_store(&device->mailbox, NULL);
	mt_drm_semaphore_destroy(&mailbox->answer);
	mt_drm_semaphore_destroy(&mailbox->bell);
	mt_drm_bo_destroy(mailbox->bo);
	pthread_mutex_destroy(&mailbox->lock);
	mt_free(mailbox);
}
