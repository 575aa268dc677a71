/* SPDX-License-Identifier: MIT */
/*
 * A device of the drm backend: its life, its faults, and the table of its operations.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/drm/queue.h"

#define TRIES_MAX 1000u

static const struct mt_hw_ops drm_ops;

bool mt_drm_is_loss(int error)
{
	return error == -EIO || error == -ENODEV || error == -ENXIO || error == -ESHUTDOWN;
}

void mt_drm_fault(struct mt_drm_device *device, const struct mt_hw_fault *fault)
{
	bool first;

	pthread_mutex_lock(&device->fault_lock);
	first = device->fault.code == MT_HW_FAULT_NONE;
	if (first) {
		device->fault = *fault;
		device->fault.text[sizeof(device->fault.text) - 1] = 0;
		atomic_store_explicit(&device->base.fault, (uint32_t)fault->code,
				      memory_order_release);
	}
	pthread_mutex_unlock(&device->fault_lock);
	if (first)
		mt_drm_host_wake(device);
}

void mt_drm_lost(struct mt_drm_device *device, int error, const char *what)
{
	struct mt_hw_fault fault;

	if (mt_drm_stopped(device))
		return;
	if (!mt_drm_mailbox_fault(device, &fault)) {
		memset(&fault, 0, sizeof(fault));
		fault.code = MT_HW_FAULT_LOST;
		fault.node = MT_PKT_NODE_NONE;
		snprintf(fault.text, sizeof(fault.text), "%s: the kernel has lost the device: %s",
			 what, strerror(-error));
	}
	mt_drm_fault(device, &fault);
}

int mt_drm_call(struct mt_drm_device *device, unsigned long request, void *arg)
{
	int ret;

	if (device->forked)
		return -EIO;
	ret = mt_drm_ioctl(device->fd, request, arg);
	if (!mt_drm_is_loss(ret))
		return ret;
	mt_drm_lost(device, ret, "call");
	return -EIO;
}

uint64_t mt_drm_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool mt_drm_try_again(int error, uint32_t *tries)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	if (!error || error == -EIO || ++*tries > TRIES_MAX)
		return false;
	nanosleep(&pause, NULL);
	return true;
}

int mt_drm_device_open(int fd, const char *path, const char *desc, const drmDevice *pci,
		       struct mt_drm_device **device_out)
{
	struct mt_drm_device *device;
	struct drm_mtgpu_vm_context_create vm = {0};
	int ret;

	ret = mt_drm_info_negotiate(fd, path);
	if (ret)
		return ret;
	device = mt_calloc(1, sizeof(*device));
	if (!device)
		return -ENOMEM;
	device->base.ops = &drm_ops;
	device->fd = fd;
	snprintf(device->path, sizeof(device->path), "%s", path);
	ret = mt_drm_info_fill(device, desc, pci);
	if (ret)
		goto free_device;
	ret = mt_drm_window_open(device);
	if (ret)
		goto free_device;
	ret = mt_drm_ioctl(fd, DRM_IOCTL_MTGPU_VM_CONTEXT_CREATE, &vm);
	if (ret)
		goto close_window;
	device->vm = vm.vm_ctx_handle;
	/* Default mutexes and conditions cannot fail to be made on Linux. */
	pthread_mutex_init(&device->lock, NULL);
	pthread_mutex_init(&device->peer_lock, NULL);
	pthread_mutex_init(&device->mailbox_lock, NULL);
	pthread_mutex_init(&device->graph_lock, NULL);
	pthread_mutex_init(&device->fault_lock, NULL);
	pthread_mutex_init(&device->host_lock, NULL);
	pthread_cond_init(&device->host_cond, NULL);
	pthread_cond_init(&device->host_answered, NULL);
	*device_out = device;
	return 0;

close_window:
	mt_drm_window_close(device);
free_device:
	mt_free(device);
	return ret;
}

/* Ends what runs on the device's behalf although its owner has not destroyed it. */
static void stop_queues(struct mt_drm_device *device)
{
	const struct mt_hw_fault fault = {
		.code = MT_HW_FAULT_LOST,
		.node = MT_PKT_NODE_NONE,
		.text = "the device was closed with work on it",
	};

	if (!device->queues)
		return;
	mt_drm_fault(device, &fault);
	for (struct mt_drm_queue *queue = device->queues; queue; queue = queue->next)
		mt_drm_agent_stop(queue);
}

/* What is still mapped goes with the descriptor. */
void mt_drm_device_close(struct mt_hw_device *dev)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct drm_mtgpu_vm_context_destroy args = {.vm_ctx_handle = device->vm};

	if (device->forked)
		return;
	mt_drm_host_stop(dev);
	mt_drm_graphs_free(device);
	stop_queues(device);
	mt_drm_mailbox_free(device);
	mt_drm_semaphores_free(device);
	mt_drm_ioctl(device->fd, DRM_IOCTL_MTGPU_VM_CONTEXT_DESTROY, &args);
	mt_drm_os->close(device->fd);
	mt_drm_window_close(device);
	mt_drm_ranges_finish(&device->map);
	mt_drm_ranges_finish(&device->semaphores);
	mt_free(device->host_calls);
	pthread_cond_destroy(&device->host_answered);
	pthread_cond_destroy(&device->host_cond);
	pthread_mutex_destroy(&device->host_lock);
	pthread_mutex_destroy(&device->fault_lock);
	pthread_mutex_destroy(&device->graph_lock);
	pthread_mutex_destroy(&device->mailbox_lock);
	pthread_mutex_destroy(&device->peer_lock);
	pthread_mutex_destroy(&device->lock);
	mt_free(device);
}

static void device_fault(struct mt_hw_device *dev, struct mt_hw_fault *fault_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	pthread_mutex_lock(&device->fault_lock);
	*fault_out = device->fault;
	pthread_mutex_unlock(&device->fault_lock);
}

static int device_memory(struct mt_hw_device *dev, uint64_t *free_out, uint64_t *total_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);

	return device->forked ? -EIO : mt_drm_info_memory(device, free_out, total_out);
}

static uint64_t device_time_ns(struct mt_hw_device *dev)
{
	(void)dev;
	return mt_drm_time_ns();
}

static const struct mt_hw_ops drm_ops = {
	.name = "drm",
	.device_close = mt_drm_device_close,
	.device_fault = device_fault,
	.device_memory = device_memory,
	.device_time_ns = device_time_ns,
	.va_reserve = mt_drm_va_reserve,
	.va_release = mt_drm_va_release,
	.bo_create = mt_drm_bo_create,
	.bo_from_user = mt_drm_bo_from_user,
	.bo_import_fd = mt_drm_bo_import_fd,
	.bo_export_fd = mt_drm_bo_export_fd,
	.bo_map_cpu = mt_drm_bo_map_cpu,
	.bo_destroy = mt_drm_bo_destroy,
	.bo_map = mt_drm_bo_map,
	.bo_unmap = mt_drm_bo_unmap,
	.bo_discard = mt_drm_bo_discard,
	.bo_map_peer = mt_drm_bo_map_peer,
	.bo_unmap_peer = mt_drm_bo_unmap_peer,
	.queue_create = mt_drm_queue_create,
	.queue_destroy = mt_drm_queue_destroy,
	.queue_submit = mt_drm_queue_submit,
	.semaphore_create = mt_drm_semaphore_create,
	.semaphore_destroy = mt_drm_semaphore_destroy,
	.semaphore_wait = mt_drm_semaphore_wait,
	.semaphore_signal = mt_drm_semaphore_signal,
	.semaphore_map_peer = mt_drm_semaphore_map_peer,
	.semaphore_export_fd = mt_drm_semaphore_export_fd,
	.semaphore_import_fd = mt_drm_semaphore_import_fd,
	.host_wait = mt_drm_host_wait,
	.host_done = mt_drm_host_done,
	.host_stop = mt_drm_host_stop,
	.graph_create = mt_drm_graph_create,
	.graph_upload = mt_drm_graph_upload,
	.graph_retire = mt_drm_graph_retire,
	.graph_is_busy = mt_drm_graph_is_busy,
	.graph_destroy = mt_drm_graph_destroy,
};
