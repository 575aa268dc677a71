/* SPDX-License-Identifier: MIT */
/*
 * Devices of the mock, and its table.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw/backend.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"
#include "hw/base/trace.h"
#include "hw/mock/mock.h"

#define ARCH_ID       900u /* no silicon has it */
#define PCI_VENDOR    0x1ed5u
#define PCI_DEVICE    0x0900u
#define HEAP_LIMIT_B  (8u << 20)
#define PRIORITY_BEST (-5)

/* Addresses are several times the memory, for reservations that outlive allocations. */
#define WINDOW_FACTOR 8u
#define WINDOW_MIN_B  (UINT64_C(64) << 30)
#define WINDOW_MAX_B  (UINT64_C(4) << 40)

static const struct mt_hw_ops mock_ops;

bool mt_mock_fail_now(const struct mt_hw_fail_at *fail, _Atomic uint64_t *count)
{
	uint64_t n;

	if (!fail->n)
		return false;
	n = atomic_fetch_add(count, 1) + 1;
	return fail->onwards ? n >= fail->n : n == fail->n;
}

static void on_fault(void *user, const struct mt_hw_fault *fault)
{
	struct mt_mock_device *device = user;

	atomic_store(&device->base.fault, (uint32_t)fault->code);
	/* Whoever uses the device reports the error; this tells when it happened. */
	mt_log(MT_LOG_INFO, "device %u stopped: %s (queue %llu, submission %llu, address 0x%llx)",
	       device->base.index, fault->text, (unsigned long long)fault->queue,
	       (unsigned long long)fault->seq, (unsigned long long)fault->address);
}

static void fill_info(struct mt_mock_device *device, const struct mt_hw_options *options,
		      uint32_t index)
{
	struct mt_hw_device_info *info = &device->base.info;

	snprintf(info->name, sizeof(info->name), "MTT Mock GPU");
	memcpy(info->uuid, "MTT-mock-gpu", 12);
	info->uuid[15] = (uint8_t)index;
	info->pci_domain = 0;
	info->pci_bus = (int)index + 1;
	info->pci_device = 0;
	info->pci_vendor_id = PCI_VENDOR;
	info->pci_device_id = PCI_DEVICE;
	info->memory_b = options->memory_b;
	info->caps = MT_HW_CAP_KERNELS | MT_HW_CAP_INSTREAM_SYNC | MT_HW_CAP_BRANCH |
		     MT_HW_CAP_HOST_MEMORY | MT_HW_CAP_DEVICE_LAUNCH;
	info->arch_id = ARCH_ID;
	info->warp_size = options->warp_size;
	info->mp_count = options->threads;
	info->lanes = options->threads < 4 ? 4 : options->threads;
	if (info->lanes > MT_HW_LANES_MAX)
		info->lanes = MT_HW_LANES_MAX;
	info->shared_block_b = MT_SG_SHARED_LIMIT_B;
	info->priority_least = 0;
	info->priority_greatest = PRIORITY_BEST;
}

static int reserve_window(struct mt_mock_device *device)
{
	uint64_t size_b = device->base.info.memory_b * WINDOW_FACTOR;
	void *window;

	if (size_b < WINDOW_MIN_B)
		size_b = WINDOW_MIN_B;
	if (size_b > WINDOW_MAX_B)
		size_b = WINDOW_MAX_B;
	/* The memory itself must fit; more than that is a convenience. */
	for (;;) {
		window = mmap(NULL, size_b, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			      -1, 0);
		if (window != MAP_FAILED)
			break;
		if (size_b / 2 < device->base.info.memory_b)
			return -ENOMEM;
		size_b /= 2;
	}
	device->window_va = (uintptr_t)window;
	device->window_b = size_b / MT_MOCK_PAGE_B * MT_MOCK_PAGE_B;
	return 0;
}

static void open_accesses(struct mt_trace_line *line, uint64_t exec)
{
	mt_trace_open(line, "accesses");
	mt_trace_handle(line, "exec", exec);
	mt_trace_list(line, "list");
}

/* Entries of the trace are node, 1 for a write, address, bytes. */
static void on_accesses(void *user, uint64_t exec, const struct mt_sg_access *list, size_t count)
{
	struct mt_trace_line line;
	uint64_t entry[4];
	size_t i;

	(void)user;
	open_accesses(&line, exec);
	for (i = 0; i < count; i++) {
		entry[0] = list[i].node;
		entry[1] = list[i].write;
		entry[2] = list[i].va;
		entry[3] = list[i].bytes_b;
		if (mt_trace_list_numbers(&line, entry, 4))
			continue;
		mt_trace_list_end(&line);
		mt_trace_close(&line);
		open_accesses(&line, exec);
		mt_trace_list_numbers(&line, entry, 4);
	}
	mt_trace_list_end(&line);
	mt_trace_close(&line);
}

static int create_engine(struct mt_mock_device *device, const struct mt_hw_options *options)
{
	struct mt_sg_config config = {
		.workers = options->threads,
		.warp_size = options->warp_size,
		.random = options->random,
		.seed = options->seed,
		.while_cap = options->while_cap,
		.watchdog_ns = options->watchdog_ms * 1000000u,
		.heap_limit_b = HEAP_LIMIT_B,
		.host_memory = true,
		.window_va = device->window_va,
		.window_b = device->window_b,
		.user = device,
		.fault = on_fault,
		.host_call = mt_mock_host_call,
		.accesses = mt_trace.accesses ? on_accesses : NULL,
	};

	return mt_sg_engine_create(&config, &device->engine);
}

static int device_open(const struct mt_hw_options *options, uint32_t index,
		       struct mt_hw_device **device_out)
{
	struct mt_mock_device *device = mt_calloc(1, sizeof(*device));
	int ret;

	if (!device)
		return -ENOMEM;
	device->base.ops = &mock_ops;
	device->base.index = index;
	device->options = options;
	fill_info(device, options, index);
	ret = reserve_window(device);
	if (ret)
		goto free_device;
	device->memory_fd = memfd_create("musa-device", MFD_CLOEXEC);
	if (device->memory_fd < 0) {
		ret = -errno;
		goto release_window;
	}
	if (ftruncate(device->memory_fd, (off_t)options->memory_b)) {
		ret = -errno;
		goto close_memory;
	}
	ret = mt_extents_init(&device->addresses, device->window_va, device->window_b);
	if (ret)
		goto close_memory;
	ret = mt_extents_init(&device->pages, 0, options->memory_b);
	if (ret)
		goto finish_addresses;
	ret = create_engine(device, options);
	if (ret)
		goto finish_pages;
	/* Default mutexes and conditions cannot fail to be made on Linux. */
	pthread_mutex_init(&device->lock, NULL);
	pthread_mutex_init(&device->host_lock, NULL);
	pthread_cond_init(&device->host_cond, NULL);
	*device_out = &device->base;
	return 0;

finish_pages:
	mt_extents_finish(&device->pages);
finish_addresses:
	mt_extents_finish(&device->addresses);
close_memory:
	close(device->memory_fd);
release_window:
	munmap((void *)(uintptr_t)device->window_va, device->window_b);
free_device:
	mt_free(device);
	return ret;
}

static void device_close(struct mt_hw_device *dev)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	if (device->forked)
		return;
	mt_mock_host_stop(dev);
	/* A kernel that was left behind keeps the memory it may touch. */
	if (!mt_sg_engine_destroy(device->engine))
		return;
	mt_mock_semaphores_free(device);
	munmap((void *)(uintptr_t)device->window_va, device->window_b);
	close(device->memory_fd);
	mt_extents_finish(&device->pages);
	mt_extents_finish(&device->addresses);
	pthread_cond_destroy(&device->host_cond);
	pthread_mutex_destroy(&device->host_lock);
	pthread_mutex_destroy(&device->lock);
	mt_free(device->host_calls);
	mt_free(device);
}

static void device_fault(struct mt_hw_device *dev, struct mt_hw_fault *fault_out)
{
	mt_sg_fault_get(mt_mock_device(dev)->engine, fault_out);
}

static int device_memory(struct mt_hw_device *dev, uint64_t *free_out, uint64_t *total_out)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	pthread_mutex_lock(&device->lock);
	*free_out = dev->info.memory_b - device->used_b;
	pthread_mutex_unlock(&device->lock);
	*total_out = dev->info.memory_b;
	return 0;
}

static uint64_t device_time_ns(struct mt_hw_device *dev)
{
	(void)dev;
	return mt_sg_time_ns();
}

static const struct mt_hw_ops mock_ops = {
	.name = "mock",
	.device_close = device_close,
	.device_fault = device_fault,
	.device_memory = device_memory,
	.device_time_ns = device_time_ns,
	.alloc_admit = mt_mock_alloc_admit,
	.va_reserve = mt_mock_va_reserve,
	.va_release = mt_mock_va_release,
	.bo_create = mt_mock_bo_create,
	.bo_from_user = mt_mock_bo_from_user,
	.bo_import_fd = mt_mock_bo_import_fd,
	.bo_export_fd = mt_mock_bo_export_fd,
	.bo_map_cpu = mt_mock_bo_map_cpu,
	.bo_destroy = mt_mock_bo_destroy,
	.bo_map = mt_mock_bo_map,
	.bo_unmap = mt_mock_bo_unmap,
	.bo_discard = mt_mock_bo_discard,
	.bo_map_peer = mt_mock_bo_map_peer,
	.bo_unmap_peer = mt_mock_bo_unmap_peer,
	.queue_create = mt_mock_queue_create,
	.queue_destroy = mt_mock_queue_destroy,
	.queue_submit = mt_mock_queue_submit,
	.semaphore_create = mt_mock_semaphore_create,
	.semaphore_destroy = mt_mock_semaphore_destroy,
	.semaphore_wait = mt_mock_semaphore_wait,
	.semaphore_signal = mt_mock_semaphore_signal,
	.semaphore_map_peer = mt_mock_semaphore_map_peer,
	.semaphore_export_fd = mt_mock_semaphore_export_fd,
	.semaphore_import_fd = mt_mock_semaphore_import_fd,
	.host_wait = mt_mock_host_wait,
	.host_done = mt_mock_host_done,
	.host_stop = mt_mock_host_stop,
	.graph_create = mt_mock_graph_create,
	.graph_upload = mt_sg_graph_upload,
	.graph_retire = mt_sg_graph_retire,
	.graph_is_busy = mt_sg_graph_is_busy,
	.graph_destroy = mt_sg_graph_destroy,
};

static int open_devices(const struct mt_hw_options *options, struct mt_hw_device ***devices_out,
			uint32_t *count_out)
{
	struct mt_hw_device **devices = mt_calloc(options->devices, sizeof(*devices));
	uint32_t i;
	int ret;

	if (!devices)
		return -ENOMEM;
	for (i = 0; i < options->devices; i++) {
		ret = device_open(options, i, &devices[i]);
		if (ret)
			goto close_devices;
	}
	*devices_out = devices;
	*count_out = options->devices;
	return 0;

close_devices:
	while (i--)
		device_close(devices[i]);
	mt_free(devices);
	return ret;
}

static void fork_child(struct mt_hw_device *dev)
{
	struct mt_mock_device *device = mt_mock_device(dev);

	device->forked = true;
	atomic_store(&dev->fault, MT_HW_FAULT_LOST);
	mt_sg_engine_forked(device->engine);
}

const struct mt_hw_backend mt_hw_mock_backend = {
	.name = "mock",
	.page_b = MT_MOCK_PAGE_B,
	.open = open_devices,
	.fork_child = fork_child,
};
