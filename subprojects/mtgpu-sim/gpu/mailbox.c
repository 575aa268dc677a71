// SPDX-License-Identifier: MIT
/*
 * The mailbox of the address space: host calls go out, answers come back, the first fault is left.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gpu.h"

int gpu_mailbox_set(struct gpu *gpu, uint64_t va)
{
	struct sim_mailbox *mailbox = (void *)(uintptr_t)va;

	if (va & 7 || !gpu_is_mapped(gpu, va, sizeof(*mailbox)) ||
	    mailbox->magic != SIM_MAILBOX_MAGIC || mailbox->version != SIM_VERSION ||
	    !gpu_is_mapped(gpu, mailbox->bell_va, 8) || !gpu_is_mapped(gpu, mailbox->answer_va, 8))
		return -EINVAL;
	pthread_mutex_lock(&gpu->mail_lock);
	gpu->mailbox = mailbox;
	pthread_mutex_unlock(&gpu->mail_lock);
	return 0;
}

/* Under mail_lock. */
static void post(struct gpu *gpu, const struct mt_hw_host_call *call)
{
	gpu->mailbox->calls[gpu->posted % SIM_CALLS] = (struct sim_call){
		.fn = call->fn,
		.data = call->data,
		.ticket = call->ticket,
	};
	gpu->posted++;
	mt_sg_signal(gpu->engine, gpu->mailbox->bell_va, gpu->posted);
}

static bool has_room(const struct gpu *gpu)
{
	return gpu->posted - gpu->answered < SIM_CALLS;
}

int gpu_mailbox_call(void *user, const struct mt_hw_host_call *call)
{
	struct gpu *gpu = user;
	struct gpu_call *held = NULL;
	int ret = 0;

	pthread_mutex_lock(&gpu->mail_lock);
	if (!gpu->held && has_room(gpu)) {
		post(gpu, call);
	} else {
		held = malloc(sizeof(*held));
		if (held) {
			*held = (struct gpu_call){.call = *call};
			*gpu->held_end = held;
			gpu->held_end = &held->next;
		} else {
			ret = -ENOMEM;
		}
	}
	pthread_mutex_unlock(&gpu->mail_lock);
	if (!ret && !held)
		ioctl(gpu->fd, MTGPU_SIM_IOCTL_NOTIFY);
	return ret;
}

/* Under mail_lock. */
static void post_held(struct gpu *gpu)
{
	struct gpu_call *held;

	while (gpu->held && has_room(gpu)) {
		held = gpu->held;
		gpu->held = held->next;
		if (!gpu->held)
			gpu->held_end = &gpu->held;
		post(gpu, &held->call);
		free(held);
	}
}

void gpu_mailbox_signal(struct gpu *gpu, uint64_t va, uint64_t value)
{
	uint64_t ticket;
	bool answers;

	if (!gpu_is_mapped(gpu, va, 8))
		return;
	pthread_mutex_lock(&gpu->mail_lock);
	answers = gpu->mailbox && gpu->mailbox->answer_va == va;
	while (answers && gpu->answered < value && gpu->answered < gpu->posted) {
		ticket = gpu->mailbox->answers[gpu->answered % SIM_CALLS];
		gpu->answered++;
		mt_sg_host_done(gpu->engine, ticket);
	}
	if (answers)
		post_held(gpu);
	pthread_mutex_unlock(&gpu->mail_lock);
	if (answers)
		ioctl(gpu->fd, MTGPU_SIM_IOCTL_NOTIFY);
	else
		mt_sg_signal(gpu->engine, va, value);
}

void gpu_mailbox_fault(void *user, const struct mt_hw_fault *fault)
{
	struct gpu *gpu = user;
	struct mtgpu_sim_stop stop = {0};
	struct sim_fault *record;

	pthread_mutex_lock(&gpu->mail_lock);
	if (gpu->mailbox && !gpu->mailbox->fault.code) {
		record = &gpu->mailbox->fault;
		record->node = fault->node;
		record->queue = fault->queue;
		record->seq = fault->seq;
		record->address = fault->address;
		memcpy(record->text, fault->text, sizeof(record->text));
		__atomic_store_n(&record->code, (uint32_t)fault->code, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&gpu->mail_lock);
	snprintf(stop.reason, sizeof(stop.reason), "%.159s", fault->text);
	ioctl(gpu->fd, MTGPU_SIM_IOCTL_STOP, &stop);
}

void gpu_stop(struct gpu *gpu, enum mt_hw_fault_code code, const char *text)
{
	struct mt_hw_fault fault = {.code = code, .node = MT_PKT_NODE_NONE};

	snprintf(fault.text, sizeof(fault.text), "%s", text);
	gpu_mailbox_fault(gpu, &fault);
}
