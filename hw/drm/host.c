/* SPDX-License-Identifier: MIT */
/*
 * Host calls: a ring from those who learn of them (the mailbox, the agents of queues) to whoever
 * waits in host_wait. Tickets of the mailbox are the device's; those of agents have a bit of their
 * own.
 */
#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/drm/drm.h"

#define AGENT_TICKET (UINT64_C(1) << 63)

static int grow_ring(struct mt_drm_device *device)
{
	uint32_t room = device->host_room ? device->host_room * 2 : 64, i;
	struct mt_hw_host_call *grown = mt_calloc(room, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	for (i = 0; i < device->host_count; i++)
		grown[i] = device->host_calls[(device->host_first + i) % device->host_room];
	mt_free(device->host_calls);
	device->host_calls = grown;
	device->host_room = room;
	device->host_first = 0;
	return 0;
}

static int post_locked(struct mt_drm_device *device, const struct mt_hw_host_call *call)
{
	int ret = 0;

	if (device->host_count == device->host_room)
		ret = grow_ring(device);
	if (ret)
		return ret;
	device->host_calls[(device->host_first + device->host_count++) % device->host_room] = *call;
	pthread_cond_signal(&device->host_cond);
	return 0;
}

int mt_drm_host_post(struct mt_drm_device *device, const struct mt_hw_host_call *call)
{
	int ret;

	pthread_mutex_lock(&device->host_lock);
	ret = post_locked(device, call);
	pthread_mutex_unlock(&device->host_lock);
	return ret;
}

int mt_drm_host_run(struct mt_drm_device *device, uint64_t fn, uint64_t data)
{
	struct mt_drm_host_entry entry = {0}, **link;
	struct mt_hw_host_call call = {.fn = fn, .data = data};
	int ret;

	pthread_mutex_lock(&device->host_lock);
	entry.ticket = ++device->host_tickets | AGENT_TICKET;
	call.ticket = entry.ticket;
	ret = post_locked(device, &call);
	if (ret)
		goto unlock;
	entry.next = device->host_entries;
	device->host_entries = &entry;
	while (!entry.done && !device->host_stopped && !mt_drm_stopped(device))
		pthread_cond_wait(&device->host_answered, &device->host_lock);
	for (link = &device->host_entries; *link != &entry;)
		link = &(*link)->next;
	*link = entry.next;
	ret = entry.done ? 0 : -EIO;
unlock:
	pthread_mutex_unlock(&device->host_lock);
	return ret;
}

void mt_drm_host_wake(struct mt_drm_device *device)
{
	pthread_mutex_lock(&device->host_lock);
	pthread_cond_broadcast(&device->host_answered);
	pthread_mutex_unlock(&device->host_lock);
}

int mt_drm_host_wait(struct mt_hw_device *dev, struct mt_hw_host_call *call_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	int ret = 0;

	if (device->forked)
		return -ESHUTDOWN;
	pthread_mutex_lock(&device->host_lock);
	while (!device->host_count && !device->host_stopped)
		pthread_cond_wait(&device->host_cond, &device->host_lock);
	if (device->host_stopped) {
		ret = -ESHUTDOWN;
	} else {
		*call_out = device->host_calls[device->host_first];
		device->host_first = (device->host_first + 1) % device->host_room;
		device->host_count--;
	}
	pthread_mutex_unlock(&device->host_lock);
	return ret;
}

static void answer_agent(struct mt_drm_device *device, uint64_t ticket)
{
	struct mt_drm_host_entry *entry;

	pthread_mutex_lock(&device->host_lock);
	for (entry = device->host_entries; entry && entry->ticket != ticket; entry = entry->next)
		;
	/* Nobody waits any more if the device has stopped meanwhile. */
	if (entry) {
		entry->done = true;
		pthread_cond_broadcast(&device->host_answered);
	}
	pthread_mutex_unlock(&device->host_lock);
}

void mt_drm_host_done(struct mt_hw_device *dev, uint64_t ticket)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	if (device->forked)
		return;
	if (ticket & AGENT_TICKET)
		answer_agent(device, ticket);
	else
		mt_drm_mailbox_answer(device, ticket);
}

void mt_drm_host_stop(struct mt_hw_device *dev)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	if (device->forked)
		return;
	pthread_mutex_lock(&device->host_lock);
	device->host_stopped = true;
	pthread_cond_broadcast(&device->host_cond);
	pthread_cond_broadcast(&device->host_answered);
	pthread_mutex_unlock(&device->host_lock);
}
