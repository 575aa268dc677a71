/* SPDX-License-Identifier: MIT */
/*
 * The drm backend's inside.
 *
 * DOC: Addresses
 *
 * User space chooses device addresses. A device reserves a *window* of the process' own address
 * space that lies inside one of its heaps, and everything that it maps lies at the same address for
 * CPU and device, or is inaccessible to the CPU. So an address means one thing in the process,
 * windows of several devices are disjoint, and an object may be mapped on a peer at the address it
 * has. DMA jobs name buffer objects, not addresses; a device that has no heap within reach can
 * still run them, and its window is then an address space of names only.
 *
 * Lock order: graph_lock, peer_lock, mailbox_lock, the mailbox' lock, device->lock, fault_lock, host_lock; an
 * agent's lock is taken alone. No lock but graph_lock is held across a call that waits
 * for the device; device->lock is held across those that map, and those whose handles may be known already, so that
 * the kernel and the tables agree; not across the one that may clear gigabytes.
 */
#ifndef MT_DRM_H
#define MT_DRM_H

#include <pthread.h>

#include "hw/base/extents.h"
#include "hw/drm/generation.h"
#include "hw/drm/mtgpu_drm.h"
#include "hw/drm/os.h"
#include "hw/drm/ranges.h"
#include "hw/hw.h"

#define MT_DRM_VENDOR    0x1ed5u
#define MT_DRM_NAME      "mtgpu"
#define MT_DRM_PAGE_B    4096u  /* of mappings */
#define MT_DRM_BO_B      65536u /* granule of buffer objects */
#define MT_DRM_HEAPS_MAX 32u

struct mt_drm_gem;
struct mt_drm_bo;
struct mt_drm_sem_bo;
struct mt_drm_mailbox;
struct mt_drm_graphs;

/* A host call that has not been answered. */
struct mt_drm_host_entry {
	struct mt_drm_host_entry *next;
	uint64_t ticket;
	bool done;
};

struct mt_drm_device {
	struct mt_hw_device base; /* first: devices are handed out as this */
	const struct mt_drm_generation *generation;
	int fd; /* owned */
	char path[32];
	bool forked;

	uint64_t vm; /* VM context */
	struct drm_mtgpu_heap_info heaps[MT_DRM_HEAPS_MAX];
	uint32_t heap_count;
	uint64_t window_va, window_b;
	uint64_t page_b;    /* of the heap around the window */
	bool window_mapped; /* the window lies in a heap */

	pthread_mutex_t lock;
	/* Guarded by lock. */
	struct mt_extents addresses;     /* of the window */
	struct mt_drm_ranges map;        /* what lies at which address */
	struct mt_drm_ranges semaphores; /* by address of the value */
	struct mt_drm_gem *gems;         /* all of them */
	struct mt_drm_sem_bo *sem_bos;
	struct mt_drm_queue *queues; /* all of them */

	pthread_mutex_t peer_lock; /* guards the lists of peers of the device's semaphores */

	pthread_mutex_t mailbox_lock;           /* while it is made */
	struct mt_drm_mailbox *_Atomic mailbox; /* owned; NULL until the first queue needs it */

	pthread_mutex_t graph_lock;
	struct mt_drm_graphs *graphs; /* owned, guarded by graph_lock; NULL before the first */

	pthread_mutex_t fault_lock;
	struct mt_hw_fault fault; /* guarded by fault_lock */

	pthread_mutex_t host_lock;
	pthread_cond_t host_cond, host_answered;
	/* Guarded by host_lock: a ring of calls, and those that agents wait for. */
	struct mt_hw_host_call *host_calls; /* owned */
	uint32_t host_room, host_first, host_count;
	struct mt_drm_host_entry *host_entries;
	uint64_t host_tickets;
	bool host_stopped;
};

static inline struct mt_drm_device *mt_drm_device(struct mt_hw_device *dev)
{
	return (struct mt_drm_device *)dev;
}

/* device.c */
/* mt_drm_ioctl() on the device; -EIO, and the device has a fault, if the kernel says that it is
 * gone. */
int mt_drm_call(struct mt_drm_device *device, unsigned long request, void *arg);
/* Notes the first fault; the device has stopped for this process. */
void mt_drm_fault(struct mt_drm_device *device, const struct mt_hw_fault *fault);
/* The kernel has refused with `error`, which means that the device is gone: notes why. */
void mt_drm_lost(struct mt_drm_device *device, int error, const char *what);
/* True if a negative errno of the kernel means that the device is gone. */
bool mt_drm_is_loss(int error);
static inline bool mt_drm_stopped(const struct mt_drm_device *device)
{
	return atomic_load_explicit(&device->base.fault, memory_order_acquire) != 0;
}
static inline uint64_t mt_drm_pages(const struct mt_drm_device *device, uint64_t size_b)
{
	return (size_b + device->page_b - 1) & ~(device->page_b - 1);
}
uint64_t mt_drm_time_ns(void);
/* For work that must be done because something else has been: after a failure that may pass, sleeps
 * a millisecond. False: it has been tried for a second, or the failure is final. */
bool mt_drm_try_again(int error, uint32_t *tries);
int mt_drm_device_open(int fd, const char *path, const char *desc, const drmDevice *pci,
		       struct mt_drm_device **device_out);
void mt_drm_device_close(struct mt_hw_device *dev);

/* info.c: what the kernel says about the device. */
/* -EPROTO, logged: the kernel speaks another version. Other errors are not logged. */
int mt_drm_info_negotiate(int fd, const char *path);
int mt_drm_info_fill(struct mt_drm_device *device, const char *desc, const drmDevice *pci);
int mt_drm_info_memory(struct mt_drm_device *device, uint64_t *free_out, uint64_t *total_out);
int mt_drm_info_bo_size(struct mt_drm_device *device, uint32_t handle, uint64_t *size_out);

/* window.c */
int mt_drm_window_open(struct mt_drm_device *device);
void mt_drm_window_close(struct mt_drm_device *device);
/* Under device->lock. A range of the window, in the heap's pages; align_b a power of two. */
int mt_drm_window_take(struct mt_drm_device *device, uint64_t size_b, uint64_t align_b,
		       uint64_t *va_out);
/* Under device->lock. Puts inaccessible pages over the range and gives it back. */
void mt_drm_window_give(struct mt_drm_device *device, uint64_t va, uint64_t size_b);
int mt_drm_window_cover(uint64_t va, uint64_t size_b);
bool mt_drm_in_heap(const struct mt_drm_device *device, uint64_t va, uint64_t size_b);
/* Mapping of a kernel object at a device address. */
int mt_drm_vm_map(struct mt_drm_device *device, uint64_t va, uint32_t handle, uint64_t size_b);
void mt_drm_vm_unmap(struct mt_drm_device *device, uint64_t va);

/* memory.c, mapping.c, share.c */
int mt_drm_va_reserve(struct mt_hw_device *dev, uint64_t size_b, uint64_t align_b,
		      uint64_t *va_out);
void mt_drm_va_release(struct mt_hw_device *dev, uint64_t va, uint64_t size_b);
int mt_drm_bo_create(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
		     uint32_t flags, struct mt_hw_bo **bo_out);
int mt_drm_bo_from_user(struct mt_hw_device *dev, void *memory, uint64_t size_b, bool read_only,
			struct mt_hw_bo **bo_out);
int mt_drm_bo_import_fd(struct mt_hw_device *dev, int fd, uint64_t size_b,
			struct mt_hw_bo **bo_out);
int mt_drm_bo_export_fd(struct mt_hw_bo *bo, int *fd_out);
int mt_drm_bo_map_cpu(struct mt_hw_bo *bo);
void mt_drm_bo_destroy(struct mt_hw_bo *bo);
int mt_drm_bo_map(struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b, uint64_t va);
int mt_drm_bo_unmap(struct mt_hw_device *dev, uint64_t va, uint64_t size_b);
int mt_drm_bo_discard(struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b);
int mt_drm_bo_map_peer(struct mt_hw_bo *bo, struct mt_hw_device *peer);
void mt_drm_bo_unmap_peer(struct mt_hw_bo *bo, struct mt_hw_device *peer);

/* semaphore.c, semaphore_value.c */
int mt_drm_semaphore_create(struct mt_hw_device *dev, struct mt_hw_semaphore *semaphore_out);
void mt_drm_semaphore_destroy(struct mt_hw_semaphore *semaphore);
int mt_drm_semaphore_wait(struct mt_hw_semaphore *semaphore, uint64_t value, int64_t timeout_ns);
/* Without a limit, and through failures that may pass. */
int mt_drm_semaphore_wait_surely(struct mt_hw_semaphore *semaphore, uint64_t value);
int mt_drm_semaphore_signal(struct mt_hw_semaphore *semaphore, uint64_t value);
int mt_drm_semaphore_map_peer(struct mt_hw_semaphore *semaphore, struct mt_hw_device *peer);
int mt_drm_semaphore_export_fd(struct mt_hw_semaphore *semaphore, int *fd_out);
int mt_drm_semaphore_import_fd(struct mt_hw_device *dev, int fd,
			       struct mt_hw_semaphore *semaphore_out);
/* The kernel's handle of the semaphore whose value lies at va, 0 if there is none. */
uint64_t mt_drm_semaphore_handle(struct mt_drm_device *device, uint64_t va);
/* Stores the time as well; a value that is there already stays, and its time. */
int mt_drm_semaphore_stamp(struct mt_drm_device *device, uint64_t va, uint64_t value, bool stamp);
void mt_drm_semaphores_free(struct mt_drm_device *device);

/* queue.c */
int mt_drm_queue_create(struct mt_hw_device *dev, int priority, struct mt_hw_queue **queue_out);
void mt_drm_queue_destroy(struct mt_hw_queue *queue);
int mt_drm_queue_submit(struct mt_hw_queue *queue, const struct mt_hw_submit *submit);

/* sim_graph.c: graphs that device code launches, of the simulated device. */
int mt_drm_graph_create(struct mt_hw_device *dev, const struct mt_hw_submit *chain,
			struct mt_hw_graph **graph_out);
void mt_drm_graph_upload(struct mt_hw_graph *graph);
void mt_drm_graph_retire(struct mt_hw_graph *graph);
bool mt_drm_graph_is_busy(struct mt_hw_graph *graph);
void mt_drm_graph_destroy(struct mt_hw_graph *graph);
uint64_t mt_drm_graph_va(const struct mt_hw_graph *graph);
/* When the device closes: the graphs that are left go with it. */
void mt_drm_graphs_free(struct mt_drm_device *device);

/* host.c */
/* Makes a call known to who waits in host_wait. -ENOMEM. */
int mt_drm_host_post(struct mt_drm_device *device, const struct mt_hw_host_call *call);
/* Posts a call and waits until it is answered; -EIO once the device has a fault, or has stopped
 * calling. */
int mt_drm_host_run(struct mt_drm_device *device, uint64_t fn, uint64_t data);
void mt_drm_host_wake(struct mt_drm_device *device);
int mt_drm_host_wait(struct mt_hw_device *dev, struct mt_hw_host_call *call_out);
void mt_drm_host_done(struct mt_hw_device *dev, uint64_t ticket);
void mt_drm_host_stop(struct mt_hw_device *dev);

/* mailbox.c */
/* The device's mailbox, made on the first call. */
int mt_drm_mailbox_get(struct mt_drm_device *device, uint64_t *va_out);
/* The fault record, if the device has left one. */
bool mt_drm_mailbox_fault(struct mt_drm_device *device, struct mt_hw_fault *fault_out);
void mt_drm_mailbox_answer(struct mt_drm_device *device, uint64_t ticket);
void mt_drm_mailbox_free(struct mt_drm_device *device);

#endif
