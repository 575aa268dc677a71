/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's inside: devices, buffer objects, address spaces, semaphores, jobs.
 *
 * One mutex, mtgpu_lock, guards everything that links these objects, of all devices, because
 * semaphores and memory may belong to several. It is never held across an access to user memory
 * or a page fault, so that a fault handler may take it. Handles live in the xarrays of struct
 * mtgpu_file, under the same mutex.
 */
#ifndef MTGPU_H
#define MTGPU_H

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_mm.h>
#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "hw/drm/mtgpu_drm_extra.h"

#include "mtgpu_sim.h"

struct dma_buf_attachment;
struct sg_table;

#define MTGPU_DEVICES_MAX   2
#define MTGPU_CHECKS_MAX    32
#define MTGPU_UPDATES_MAX   8
#define MTGPU_SLOT_B        16 /* of a semaphore: value and time */
#define MTGPU_CHUNK_B       16384
#define MTGPU_CHUNK_SLOTS   (MTGPU_CHUNK_B / MTGPU_SLOT_B)
#define MTGPU_IN_FLIGHT_MAX 1024 /* jobs of a queue that the card has */
#define MTGPU_PENDING_MAX   4096 /* jobs of a queue that wait in the module; more block */

struct mtgpu_generation {
	const char *name;
	u16 device_id;
	bool packets; /* a process executes jobs of the type COMPUTE_STREAM */
};

struct mtgpu_device {
	struct drm_device drm;
	struct device *parent;
	u32 index;
	atomic64_t vram_used, system_used; /* bytes */
	atomic_t objects;                  /* buffer objects that exist */
	u32 inject, inject_argument;       /* enum mtgpu_sim_inject; under mtgpu_lock */
	struct list_head vms;              /* under mtgpu_lock */
};

enum mtgpu_bo_kind {
	MTGPU_BO_PLAIN,  /* shmem pages of our own */
	MTGPU_BO_USER,   /* pinned pages of a process */
	MTGPU_BO_IMPORT, /* pages of a dma-buf */
	MTGPU_BO_ALIAS,  /* pages of another device's object in this module */
};

struct mtgpu_bo {
	struct drm_gem_object base;
	enum mtgpu_bo_kind kind;
	struct page **pages;
	u64 flags, align;
	u32 domain;
	atomic64_t *charged;       /* counter that includes the size; NULL: none */
	u32 global;                /* index of its global handle, 0: none */
	bool writable;             /* by the device */
	struct sg_table *sgt;      /* IMPORT: owned */
	struct mtgpu_bo *origin;   /* ALIAS: owned reference */
	struct mtgpu_chunk *chunk; /* semaphores lie here; owned, an ALIAS borrows it */
};

/* What a buffer object of semaphores has besides; goes with it. The file that made it and each
 * semaphore own a reference to the object. */
struct mtgpu_chunk {
	struct mtgpu_bo *bo;       /* borrowed */
	void *cpu;                 /* kernel mapping */
	struct mtgpu_file *file;   /* borrowed, NULL once closed */
	struct list_head link;     /* of the file */
	struct list_head mappings; /* struct mtgpu_mapping, of any address space */
	u32 handle;                /* in the file */
	DECLARE_BITMAP(slots, MTGPU_CHUNK_SLOTS);
};

struct mtgpu_semaphore {
	struct kref ref;
	struct mtgpu_chunk *chunk; /* with a reference to its object */
	u32 slot;
	u64 *value;                /* in the chunk's mapping */
	struct list_head fences;   /* struct mtgpu_fence that have not signalled */
};

struct mtgpu_mapping {
	struct drm_mm_node node;
	struct list_head chunk_link;
	struct mtgpu_vm *vm;
	struct mtgpu_bo *bo; /* owned reference */
};

struct mtgpu_event {
	struct list_head link;
	struct mtgpu_sim_event wire;
};

/* An address space. */
struct mtgpu_vm {
	struct kref ref;
	struct mtgpu_device *device;
	struct mtgpu_file *file; /* borrowed, NULL once the handle is gone */
	u32 id;                  /* in mtgpu_vms */
	struct list_head link;   /* of the device */
	struct drm_mm mm;
	struct list_head contexts;
	bool lost, closed;
	struct mm_struct *client; /* mmgrab()bed */

	/* Of the process that plays it; only with packets. */
	struct list_head events;
	wait_queue_head_t readable;
	bool attached;
	struct pid *pid; /* owned; of the attached process */
	unsigned long heard; /* jiffies */
	u32 running;         /* jobs with the card */
	u64 unmaps, unmapped; /* UNMAP events, and those obeyed */
};

struct mtgpu_copy {
	struct mtgpu_span {
		struct mtgpu_bo *bo;  /* owned reference, NULL: user pages */
		struct page **pages;  /* pinned if bo is NULL */
		u32 page_count;
		u64 offset;           /* into pages */
	} src, dst;
	u64 size;
};

struct mtgpu_job {
	struct list_head link;
	u32 check_count, update_count;
	struct mtgpu_wait {
		struct mtgpu_semaphore *semaphore; /* owned reference */
		u64 value;
	} checks[MTGPU_CHECKS_MAX], updates[MTGPU_UPDATES_MAX];
	u64 number;
	u64 va;
	u32 size;
	struct mtgpu_copy *copies; /* DMA */
	u32 copy_count;
};

/* A job context: a queue. */
struct mtgpu_context {
	struct kref ref;
	struct mtgpu_vm *vm; /* owned reference */
	u32 id;              /* in mtgpu_contexts */
	u32 type;
	struct list_head link;    /* of the address space */
	struct list_head pending; /* jobs that wait for their checks */
	struct list_head running; /* jobs with the card, or that the DMA worker has */
	u32 pending_count, running_count;
	u64 submitted;            /* number of the last job */
	bool dead;
	struct work_struct dma;
	unsigned long dma_since; /* jiffies at which the running copy began; 0: none */
};

struct mtgpu_file {
	struct drm_file *drm;
	struct mtgpu_device *device;
	bool ready; /* DEVICE_INIT has been said */
	struct xarray vms, contexts, semaphores, timelines;
	struct list_head chunks;
	u32 lost; /* address spaces that have stopped */
};

static inline struct mtgpu_device *to_mtgpu(struct drm_device *drm)
{
	return container_of(drm, struct mtgpu_device, drm);
}

static inline struct mtgpu_bo *to_mtgpu_bo(struct drm_gem_object *obj)
{
	return container_of(obj, struct mtgpu_bo, base);
}

extern struct mutex mtgpu_lock;
/* Something that a sleeper may wait for has happened: a value, a loss, room in a queue. */
extern wait_queue_head_t mtgpu_wait_queue;

/* main.c */
extern const struct mtgpu_generation *mtgpu_generation;
extern unsigned int mtgpu_ioctl_version, mtgpu_hang_ms, mtgpu_page_shift;
extern unsigned long mtgpu_vram_mb;
extern struct mtgpu_device *mtgpu_devices[MTGPU_DEVICES_MAX];
int mtgpu_device_add(struct device *parent, u32 index);
void mtgpu_device_remove(struct device *parent);

/* bus.c */
int mtgpu_bus_add(u32 count);
void mtgpu_bus_remove(void);

/* info.c */
struct mtgpu_heap {
	const char *name;
	u64 base, length;
};
/* The heap that holds the range, or NULL. */
const struct mtgpu_heap *mtgpu_heap_of(u64 va, u64 size);
int mtgpu_ioctl_device_init(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_version_check(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_query_info(struct drm_device *drm, void *data, struct drm_file *filp);

/* bo.c */
struct mtgpu_bo *mtgpu_bo_new(struct mtgpu_device *device, u64 size, u64 flags, u32 domain);
struct mtgpu_bo *mtgpu_bo_alias(struct mtgpu_device *device, struct mtgpu_bo *origin);
/* A reference, or NULL. */
struct mtgpu_bo *mtgpu_bo_find(struct drm_file *filp, u32 handle);
void mtgpu_bo_put(struct mtgpu_bo *bo);
struct drm_gem_object *mtgpu_prime_import(struct drm_device *drm, struct dma_buf_attachment *attach,
					  struct sg_table *sgt);
int mtgpu_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_bo_mmap_offset(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_bo_userptr(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_bo_export(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_bo_import(struct drm_device *drm, void *data, struct drm_file *filp);

/* user.c: pages of a process. */
int mtgpu_pin(u64 address, u64 size, bool write, struct page ***pages_out, u32 *count_out);
void mtgpu_unpin(struct page **pages, u32 count, bool dirty);

/* vm.c */
extern struct xarray mtgpu_vms;
void mtgpu_vm_put(struct mtgpu_vm *vm);
/* After mtgpu_vm_close(), without the mutex: sleeps until the card has let go of the memory. */
void mtgpu_vm_wait_gone(struct mtgpu_vm *vm);
/* The following are called under mtgpu_lock. */
struct mtgpu_vm *mtgpu_vm_find(struct mtgpu_file *file, u64 handle);
struct mtgpu_mapping *mtgpu_vm_mapping(struct mtgpu_vm *vm, u64 va);
/* Stops an address space for good: its jobs end, its file's waits fail. */
void mtgpu_vm_stop(struct mtgpu_vm *vm, const char *reason);
void mtgpu_vm_close(struct mtgpu_vm *vm);
int mtgpu_ioctl_vm_create(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_vm_destroy(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_vm_map(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_vm_unmap(struct drm_device *drm, void *data, struct drm_file *filp);

/* semaphore.c */
static inline u64 mtgpu_semaphore_value(const struct mtgpu_semaphore *semaphore)
{
	return smp_load_acquire(semaphore->value);
}
void mtgpu_semaphore_put(struct mtgpu_semaphore *semaphore);
/* Under mtgpu_lock: raises the value, wakes who waits, tells the cards. */
void mtgpu_semaphore_raise(struct mtgpu_semaphore *semaphore, u64 value);
/* Under mtgpu_lock: a reference, or NULL. */
struct mtgpu_semaphore *mtgpu_semaphore_find(struct xarray *handles, u64 handle);
struct mtgpu_semaphore *mtgpu_semaphore_new(struct mtgpu_file *file);
/* Sleeps until the values are there; -ETIME, -EIO, -ERESTARTSYS. */
int mtgpu_semaphores_wait(struct mtgpu_file *file, const struct mtgpu_wait *waits, u32 count,
			  bool all, u64 timeout_ns, u32 *first_out);
/* Copies an array of struct drm_mtgpu_semaphore and looks its handles up. */
int mtgpu_waits_read(struct xarray *handles, u64 address, u32 count, struct mtgpu_wait *waits);
void mtgpu_waits_put(struct mtgpu_wait *waits, u32 count);
void mtgpu_file_chunks_close(struct mtgpu_file *file); /* under mtgpu_lock */
int mtgpu_chunk_handle(struct drm_file *filp, struct mtgpu_chunk *chunk, u64 *handle_out);
void mtgpu_chunk_free(struct mtgpu_chunk *chunk); /* accepts NULL */
int mtgpu_ioctl_semaphore_create(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_semaphore_destroy(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_semaphore_signal(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_semaphore_wait(struct drm_device *drm, void *data, struct drm_file *filp);

/* share.c: semaphores as descriptors. */
int mtgpu_ioctl_semaphore_export(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_semaphore_import(struct drm_device *drm, void *data, struct drm_file *filp);

/* timeline.c */
/* Under mtgpu_lock: lets fences signal whose value has come. */
void mtgpu_fences_check(struct mtgpu_semaphore *semaphore);
void mtgpu_file_timelines_close(struct mtgpu_file *file);
int mtgpu_ioctl_timeline_create(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_timeline_destroy(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_timeline_read(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_fence_wait(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_fence_to_fd(struct drm_device *drm, void *data, struct drm_file *filp);

/* job.c */
extern struct xarray mtgpu_contexts;
void mtgpu_context_put(struct mtgpu_context *context);
/* The following are called under mtgpu_lock. */
void mtgpu_context_kill(struct mtgpu_context *context);
void mtgpu_context_close(struct mtgpu_context *context);
/* Starts what may start, on all devices. */
void mtgpu_jobs_kick(void);
void mtgpu_jobs_complete(struct mtgpu_context *context, u64 number);
void mtgpu_jobs_dma_done(struct mtgpu_context *context, struct mtgpu_job *job);
void mtgpu_jobs_finish(void);
int mtgpu_ioctl_job_context_create(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_job_context_destroy(struct drm_device *drm, void *data, struct drm_file *filp);
int mtgpu_ioctl_job_submit(struct drm_device *drm, void *data, struct drm_file *filp);

/* dma.c */
void mtgpu_dma_run(struct work_struct *work);
int mtgpu_dma_read(struct drm_file *filp, struct mtgpu_job *job, u64 address, u32 size);
void mtgpu_dma_free(struct mtgpu_copy *copies, u32 count);
int mtgpu_ioctl_dma_transfer(struct drm_device *drm, void *data, struct drm_file *filp);

/* sim.c: the process that plays the card. */
int mtgpu_sim_init(void);
void mtgpu_sim_finish(void);
/* Under mtgpu_lock. */
int mtgpu_sim_vm_created(struct mtgpu_vm *vm);
/* Appends an event; an address space that cannot be told stops. */
void mtgpu_sim_post(struct mtgpu_vm *vm, u32 kind, u32 id, u64 a, u64 b, u64 c);
void mtgpu_sim_events_drop(struct list_head *events);
void mtgpu_sim_kill(struct mtgpu_vm *vm);

/* knobs.c: what tests set and look at, and the watchdog. */
void mtgpu_watchdog_start(void);
void mtgpu_watchdog_stop(void);
int mtgpu_knobs_add(struct mtgpu_device *device);
void mtgpu_knobs_remove(struct mtgpu_device *device);

#endif
