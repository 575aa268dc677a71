/* SPDX-License-Identifier: MIT */
/*
 * The hardware layer's one face: devices, buffer objects, GPU virtual addresses, queues, semaphores,
 * host calls. It knows no streams, graphs or API errors. Functions return 0 or a negative errno
 * and write out-parameters on success only; they are thread-safe unless they say otherwise.
 *
 * Two backends stand behind it, hw/mock/ (the software GPU in this process) and hw/drm/ (a render
 * node). MUSA_BACKEND chooses.
 */
#ifndef MT_HW_H
#define MT_HW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hw/packet.h"

struct mt_hw_ops;

/* What a device can do by itself; what it lacks is lowered or refused at instantiate. */
enum mt_hw_caps {
	MT_HW_CAP_KERNELS = 1u << 0,       /* executes DISPATCH */
	MT_HW_CAP_INSTREAM_SYNC = 1u << 1, /* WAIT and SIGNAL inside a lane */
	MT_HW_CAP_BRANCH = 1u << 2,        /* COND, JUMP, CALL */
	MT_HW_CAP_HOST_MEMORY = 1u << 3,   /* copies reach pageable host memory */
	MT_HW_CAP_DEVICE_LAUNCH = 1u << 4, /* kernels can launch graphs */
};

#define MT_HW_LANES_MAX 16u /* lanes of one submission */

struct mt_hw_device_info {
	char name[256];
	uint8_t uuid[16];
	int pci_domain, pci_bus, pci_device; /* -1: unknown */
	uint16_t pci_vendor_id, pci_device_id;
	uint64_t memory_b;
	uint32_t caps;           /* enum mt_hw_caps */
	uint32_t arch_id;        /* of code objects: 210, 220, 310; the mock's 900 */
	uint32_t warp_size;      /* threads */
	uint32_t mp_count;       /* multiprocessors; the mock's worker threads */
	uint32_t lanes;          /* lanes worth using at once, 1..MT_HW_LANES_MAX */
	uint32_t shared_block_b; /* shared memory per block */
	int priority_least, priority_greatest; /* 0 and a negative number */
};

/* Why a device stopped. The first fault stays. */
enum mt_hw_fault_code {
	MT_HW_FAULT_NONE = 0,
	MT_HW_FAULT_TIMEOUT,         /* watchdog, loop cap */
	MT_HW_FAULT_ILLEGAL_ADDRESS, /* unmapped */
	MT_HW_FAULT_MISALIGNED,
	MT_HW_FAULT_BAD_PACKET,      /* opcode, length, field */
	MT_HW_FAULT_KERNEL,          /* trap, illegal instruction, misuse of a service */
	MT_HW_FAULT_ASSERT,
	MT_HW_FAULT_RESOURCES,       /* out of shared memory, stacks */
	MT_HW_FAULT_LOST,            /* the device or its driver went away */
};

struct mt_hw_fault {
	enum mt_hw_fault_code code;
	uint32_t node;    /* MT_PKT_NODE_NONE if none */
	uint64_t queue;   /* id of the queue */
	uint64_t seq;     /* submission on it */
	uint64_t address; /* of the packet or the access */
	char text[160];   /* one line for the log */
};

struct mt_hw_device {
	const struct mt_hw_ops *ops; /* borrowed, static */
	uint32_t index;              /* ordinal, from 0 */
	struct mt_hw_device_info info;
	_Atomic uint32_t fault; /* enum mt_hw_fault_code; non-zero once the device has stopped */
};

/* Where the memory lies and who looks at it. */
enum mt_hw_domain {
	MT_HW_DEVICE,  /* device memory */
	MT_HW_HOST,    /* pinned host memory, CPU-cached and coherent; GPU address = CPU address
	                * where the backend can, else see va */
	MT_HW_COMMAND, /* pinned, written by the CPU, read by command processors */
	MT_HW_CODE,    /* device memory that kernels are fetched from */
};

enum mt_hw_bo_flags {
	MT_HW_BO_ZERO = 1u << 0,       /* contents are zero */
	MT_HW_BO_EXPORTABLE = 1u << 1, /* may become a file descriptor */
	MT_HW_BO_NO_MAP = 1u << 2,     /* no address yet: backing for mt_hw_bo_map() */
	MT_HW_BO_SLAB = 1u << 3,       /* handed out in pieces: mt_hw_alloc_admit() is asked for each */
};

/* A buffer object: memory with, normally, one GPU mapping over its whole size. */
struct mt_hw_bo {
	struct mt_hw_device *dev; /* borrowed */
	uint64_t size_b;          /* rounded up to mt_hw_page_b() */
	uint64_t va;              /* GPU address, 0 with MT_HW_BO_NO_MAP */
	void *cpu;                /* CPU address, NULL until mt_hw_bo_map_cpu(); for HOST and COMMAND
	                           * always there */
	enum mt_hw_domain domain;
	uint32_t flags;
};

/* A 64-bit value that only grows, in memory that GPU and CPU see; the second qword is the time
 * in ns of the last timestamped signal. Queue timelines and events are semaphores. */
struct mt_hw_semaphore {
	struct mt_hw_device *dev; /* borrowed */
	uint64_t va;              /* GPU address, multiple of 16 */
	_Atomic uint64_t *value;  /* CPU view: value[0], value[1] the time */
};

/* An ordered sequence of submissions with a timeline: after the n-th submission has completed its
 * value is n. */
struct mt_hw_queue {
	struct mt_hw_device *dev;        /* borrowed */
	struct mt_hw_semaphore timeline; /* read-only for users */
	uint64_t id;                     /* unique in the process */
	uint64_t submitted;              /* last sequence number given out; guarded by the caller's
	                                  * serialisation of submits */
};

enum mt_hw_submit_flags {
	MT_HW_SUBMIT_PRIORITIES = 1u << 0, /* DISPATCH priorities differ: the engine then picks among
					    * all packets that may start, at some cost per packet */
};

/* A chain that device code may launch; made by graph_create. */
struct mt_hw_graph {
	struct mt_hw_device *dev; /* borrowed */
};

/* One submission. It starts when the queue's earlier submissions have completed and the wait is
 * met; the prologue runs on lane 0 before any lane starts; it completes when every lane has
 * reached its END, and with it all graphs that its kernels have launched. */
struct mt_hw_submit {
	const uint64_t *lane_va; /* first packet of each lane; borrowed for the call */
	uint64_t lane_table_va;  /* the same numbers in memory the device reads; only if lane_count > 1 */
	uint32_t lane_count;     /* 1..MT_HW_LANES_MAX */
	uint32_t flags;          /* enum mt_hw_submit_flags */
	uint64_t prologue_va;    /* packets up to END, 0 for none */
	uint64_t wait_va;        /* start once the 64-bit word there is >= wait_value; 0: no wait */
	uint64_t wait_value;
	uint64_t exec_id;        /* handle of the graph exec, 0 for none: for device code and faults */
	struct mt_hw_graph *graph; /* of that exec if device code may launch it, else NULL */
};

/* A function that the device asks the host to call. */
struct mt_hw_host_call {
	uint64_t fn, data; /* as in struct mt_pkt_host_args */
	uint64_t ticket;   /* for mt_hw_host_done() */
};

struct mt_hw_ops {
	const char *name; /* "mock", "drm" */

	void (*device_close)(struct mt_hw_device *dev);
	void (*device_fault)(struct mt_hw_device *dev, struct mt_hw_fault *fault_out);
	int (*device_memory)(struct mt_hw_device *dev, uint64_t *free_out, uint64_t *total_out);
	uint64_t (*device_time_ns)(struct mt_hw_device *dev);

	int (*alloc_admit)(struct mt_hw_device *dev); /* may be NULL */

	int (*va_reserve)(struct mt_hw_device *dev, uint64_t size_b, uint64_t align_b, uint64_t *va_out);
	void (*va_release)(struct mt_hw_device *dev, uint64_t va, uint64_t size_b);

	int (*bo_create)(struct mt_hw_device *dev, uint64_t size_b, enum mt_hw_domain domain,
			 uint32_t flags, struct mt_hw_bo **bo_out);
	int (*bo_from_user)(struct mt_hw_device *dev, void *memory, uint64_t size_b, bool read_only,
			    struct mt_hw_bo **bo_out);
	int (*bo_import_fd)(struct mt_hw_device *dev, int fd, uint64_t size_b, struct mt_hw_bo **bo_out);
	int (*bo_export_fd)(struct mt_hw_bo *bo, int *fd_out);
	int (*bo_map_cpu)(struct mt_hw_bo *bo);
	void (*bo_destroy)(struct mt_hw_bo *bo);
	int (*bo_map)(struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b, uint64_t va);
	int (*bo_unmap)(struct mt_hw_device *dev, uint64_t va, uint64_t size_b);
	int (*bo_discard)(struct mt_hw_bo *bo, uint64_t offset_b, uint64_t size_b);
	int (*bo_map_peer)(struct mt_hw_bo *bo, struct mt_hw_device *peer);
	void (*bo_unmap_peer)(struct mt_hw_bo *bo, struct mt_hw_device *peer);

	int (*queue_create)(struct mt_hw_device *dev, int priority, struct mt_hw_queue **queue_out);
	void (*queue_destroy)(struct mt_hw_queue *queue);
	int (*queue_submit)(struct mt_hw_queue *queue, const struct mt_hw_submit *submit);

	int (*semaphore_create)(struct mt_hw_device *dev, struct mt_hw_semaphore *semaphore_out);
	void (*semaphore_destroy)(struct mt_hw_semaphore *semaphore);
	int (*semaphore_wait)(struct mt_hw_semaphore *semaphore, uint64_t value, int64_t timeout_ns);
	int (*semaphore_signal)(struct mt_hw_semaphore *semaphore, uint64_t value);
	int (*semaphore_map_peer)(struct mt_hw_semaphore *semaphore, struct mt_hw_device *peer);
	int (*semaphore_export_fd)(struct mt_hw_semaphore *semaphore, int *fd_out);
	int (*semaphore_import_fd)(struct mt_hw_device *dev, int fd, struct mt_hw_semaphore *semaphore_out);

	int (*host_wait)(struct mt_hw_device *dev, struct mt_hw_host_call *call_out);
	void (*host_done)(struct mt_hw_device *dev, uint64_t ticket);
	void (*host_stop)(struct mt_hw_device *dev);

	/* Called only with MT_HW_CAP_DEVICE_LAUNCH. */
	int (*graph_create)(struct mt_hw_device *dev, const struct mt_hw_submit *chain,
			    struct mt_hw_graph **graph_out);
	void (*graph_upload)(struct mt_hw_graph *graph);
	void (*graph_retire)(struct mt_hw_graph *graph);
	bool (*graph_is_busy)(struct mt_hw_graph *graph);
	void (*graph_destroy)(struct mt_hw_graph *graph);
};

/**
 * mt_hw_init() - Read the environment, choose the backend, open its devices.
 * @devices_out:	[out] Array of devices, owned by the layer until mt_hw_finish().
 * @count_out:		[out] Number of devices; 0 devices is a success of the drm backend.
 *
 * Options that cannot be parsed are logged with name and text at level error.
 * Not thread-safe; called once.
 * Errors: -EINVAL an option is wrong, -ENODEV no device, -EACCES a node may not be opened,
 * -ENOMEM, -EPROTO the kernel driver's version does not fit.
 */
int mt_hw_init(struct mt_hw_device ***devices_out, uint32_t *count_out);

/* Stops every device and frees it. Work that still runs is abandoned with its threads. */
void mt_hw_finish(void);

/* Called in the child after fork(): forgets threads that do not exist there. */
void mt_hw_fork_child(void);

/* Granule of buffer objects and mappings, in bytes: a power of two. */
uint64_t mt_hw_page_b(const struct mt_hw_device *dev);

/*
 * Thin inline doors to the table. What each does:
 *
 * device_fault     copies the first fault; code NONE if there was none.
 * device_memory    bytes free and in all.
 * device_time_ns   the clock of timestamps.
 * alloc_admit      asked for every piece of device memory that comes out of a slab; counts as one
 *                  allocation for injected failures. -ENOMEM if it has to fail.
 * va_reserve       a range of the device's address space that nothing else will get; align_b a power
 *                  of two. bo_map places memory there.
 * bo_create        memory; unless NO_MAP also mapped at a new address. -ENOMEM if the domain is full.
 * bo_from_user     pins caller memory (page-aligned outwards); the GPU address is `va`, on the mock
 *                  the CPU's own. Unpinned by bo_destroy.
 * bo_map_cpu       makes bo->cpu valid.
 * bo_map           maps part of a bo at a reserved address; offset, size, va in pages. The same memory
 *                  may be mapped at several addresses.
 * bo_unmap         takes the mapping away; the reservation stays.
 * bo_discard       gives the pages behind a range back to the system; they read as zero afterwards.
 * bo_map_peer      lets another device use the bo at the same address.
 * queue_submit     puts a submission into the queue and gives it number queue->submitted + 1.
 *                  Callers serialise per queue. Does not allocate. If the queue's ring is full (1,024
 *                  or more submissions) it waits for the oldest. On failure nothing was submitted,
 *                  and the number is not used. -EIO once the device has a fault, -ENOMEM and the like
 *                  for injected failures.
 * queue_destroy    waits until the queue's submissions have completed or the device has a fault.
 * semaphore_wait   blocks until the value is reached; timeout_ns < 0: no limit, 0: poll. -ETIME on
 *                  time-out, -EIO once the device has a fault and the value has not been reached.
 * semaphore_signal stores a value from the CPU (never lowers it) and wakes who waits, host or lane.
 * semaphore_map_peer lets lanes of another device wait for the semaphore at the same address; again
 *                  for the same peer is a success. NULL in the table: not supported.
 * host_wait        blocks until the device calls the host; any number of threads may wait;
 *                  -ESHUTDOWN after host_stop.
 * host_done        lets the HOST packet complete.
 * graph_create     a graph that device code finds by chain->exec_id; its lanes, their table, prologue and
 *                  flags are what a launch from the device runs.
 * graph_upload     from now on device code may launch it. Does not block; again is a success.
 * graph_retire     from now on only the graph itself may launch it again, at the tail of a run.
 * graph_is_busy    device code has launched it, and that launch is pending or runs. Launches of the
 *                  host count in their queue's timeline, with all that they launch.
 * graph_destroy    the graph is not busy, or the device has a fault.
 */
static inline int mt_hw_queue_submit(struct mt_hw_queue *queue, const struct mt_hw_submit *submit)
{
	return queue->dev->ops->queue_submit(queue, submit);
}

static inline int mt_hw_alloc_admit(struct mt_hw_device *dev)
{
	return dev->ops->alloc_admit ? dev->ops->alloc_admit(dev) : 0;
}

/* Completed submissions; pairs with the release of the command processor. */
static inline uint64_t mt_hw_queue_completed(const struct mt_hw_queue *queue)
{
	return atomic_load_explicit(queue->timeline.value, memory_order_acquire);
}

static inline int mt_hw_queue_wait(struct mt_hw_queue *queue, uint64_t seq, int64_t timeout_ns)
{
	return queue->dev->ops->semaphore_wait(&queue->timeline, seq, timeout_ns);
}

#endif
