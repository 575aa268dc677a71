/* SPDX-License-Identifier: MIT */
/*
 * Host calls: a ring from the workers to whoever waits in host_wait.
 */
#include <errno.h>

#include "hw/base/alloc.h"
#include "hw/mock/mock.h"

static int grow_ring(struct mt_mock_device *device)
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

int mt_mock_host_call(void *user, const struct mt_hw_host_call *call)
{
	struct mt_mock_device *device = user;
	int ret = 0;

	pthread_mutex_lock(&device->host_lock);
	if (device->host_count == device->host_room)
		ret = grow_ring(device);
	if (!ret) {
		device->host_calls[(device->host_first + device->host_count++) %
				   device->host_room] = *call;
		pthread_cond_signal(&device->host_cond);
	}
	pthread_mutex_unlock(&device->host_lock);
	return ret;
}

int mt_mock_host_wait(struct mt_hw_device *dev, struct mt_hw_host_call *call_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);
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

void mt_mock_host_done(struct mt_hw_device *dev, uint64_t ticket)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	if (!device->forked)
		mt_sg_host_done(device->engine, ticket);
}

void mt_mock_host_stop(struct mt_hw_device *dev)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	if (device->forked)
		return;
	pthread_mutex_lock(&device->host_lock);
	device->host_stopped = true;
	pthread_cond_broadcast(&device->host_cond);
	pthread_mutex_unlock(&device->host_lock);
}
