/* SPDX-License-Identifier: MIT */
/*
 * The mock backend's inside: a device is an engine, a reserved address range and a file of memory.
 *
 * Lock order: device lock, then the engine's.
 */
#ifndef MT_MOCK_H
#define MT_MOCK_H

#include <pthread.h>

#include "hw/base/extents.h"
#include "hw/hw.h"
#include "hw/options.h"
#include "hw/softgpu/engine.h"

#define MT_MOCK_PAGE_B 4096u

struct mt_mock_chunk;
struct mt_mock_import;

struct mt_mock_device {
	struct mt_hw_device base;    /* first: devices are handed out as this */
	struct mt_sg_engine *engine; /* owned */
	const struct mt_hw_options *options;
	bool forked;

	uint64_t window_va, window_b; /* reserved addresses */
	int memory_fd;                /* owned; the device's memory */

	pthread_mutex_t lock;
	/* Guarded by lock. */
	struct mt_extents addresses;    /* of the window */
	struct mt_extents pages;        /* of memory_fd */
	uint64_t used_b;                /* device memory handed out */
	struct mt_mock_chunk *chunks;   /* owned; semaphores */
	struct mt_mock_import *imports; /* owned; semaphores of others */

	pthread_mutex_t host_lock;
	pthread_cond_t host_cond;
	/* Guarded by host_lock: a ring of calls. */
	struct mt_hw_host_call *host_calls; /* owned */
	uint32_t host_room, host_first, host_count;
	bool host_stopped;
};

static inline struct mt_mock_device *mt_mock_device(struct mt_hw_device *dev)
{
	return (struct mt_mock_device *)dev;
}

/* True when this call is to fail. */
bool mt_mock_fail_now(const struct mt_hw_fail_at *fail, _Atomic uint64_t *count);

/* memory.c */
int mt_mock_va_reserve(struct mt_hw_device *dev, uint64_t size_b, uint64_t align_b,
		       uint64_t *va_out);
void mt_mock_va_release(struct mt_hw_device *dev, uint64_t va, uint64_t size_b);
int mt_mock_alloc_admit(struct mt_hw_device *dev);
int mt_mock_bo_create(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
		      uint32_t flags, struct mt_hw_bo **bo_out);
int mt_mock_bo_from_user(struct mt_hw_device *dev, void *memory, uint64_t size_b, bool read_only,
			 struct mt_hw_bo **bo_out);
int mt_mock_bo_import_fd(struct mt_hw_device *dev, int fd, uint64_t size_b,
			 struct mt_hw_bo **bo_out);
int mt_mock_bo_export_fd(struct mt_hw_bo *bo, int *fd_out);
int mt_mock_bo_map_cpu(struct mt_hw_bo *bo);
void mt_mock_bo_destroy(struct mt_hw_bo *bo);
int mt_mock_bo_map(struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b, uint64_t va);
int mt_mock_bo_unmap(struct mt_hw_device *dev, uint64_t va, uint64_t size_b);
int mt_mock_bo_discard(struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b);
int mt_mock_bo_map_peer(struct mt_hw_bo *bo, struct mt_hw_device *peer);
void mt_mock_bo_unmap_peer(struct mt_hw_bo *bo, struct mt_hw_device *peer);
/* Puts inaccessible pages over a part of the window again. */
int mt_mock_window_close(uint64_t va, uint64_t size_b);

/* semaphore.c */
int mt_mock_semaphore_create(struct mt_hw_device *dev, struct mt_hw_semaphore *semaphore_out);
void mt_mock_semaphore_destroy(struct mt_hw_semaphore *semaphore);
int mt_mock_semaphore_wait(struct mt_hw_semaphore *semaphore, uint64_t value, int64_t timeout_ns);
int mt_mock_semaphore_signal(struct mt_hw_semaphore *semaphore, uint64_t value);
int mt_mock_semaphore_map_peer(struct mt_hw_semaphore *semaphore, struct mt_hw_device *peer);
int mt_mock_semaphore_export_fd(struct mt_hw_semaphore *semaphore, int *fd_out);
int mt_mock_semaphore_import_fd(struct mt_hw_device *dev, int fd,
				struct mt_hw_semaphore *semaphore_out);
void mt_mock_semaphores_free(struct mt_mock_device *device);

/* queue.c */
int mt_mock_queue_create(struct mt_hw_device *dev, int priority, struct mt_hw_queue **queue_out);
void mt_mock_queue_destroy(struct mt_hw_queue *queue);
int mt_mock_queue_submit(struct mt_hw_queue *queue, const struct mt_hw_submit *submit);
int mt_mock_graph_create(struct mt_hw_device *dev, const struct mt_hw_submit *chain,
			 struct mt_hw_graph **graph_out);

/* host.c */
int mt_mock_host_call(void *user, const struct mt_hw_host_call *call);
int mt_mock_host_wait(struct mt_hw_device *dev, struct mt_hw_host_call *call_out);
void mt_mock_host_done(struct mt_hw_device *dev, uint64_t ticket);
void mt_mock_host_stop(struct mt_hw_device *dev);

#endif
