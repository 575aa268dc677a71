/* SPDX-License-Identifier: MIT */
/*
 * What a simulated device, which executes the packet set itself, is told through memory. It is this
 * project's own protocol between this backend and a process that plays the card; silicon knows
 * nothing of it.
 *
 * DOC: How the kernel interface is used
 *
 * The device is the generation `sim`: PCI or QUERY_INFO DEV id 0x09xx, and a description in
 * DRM_IOCTL_VERSION that starts with SIM_DESC, so that no silicon is ever taken for it. Its heaps
 * are disjoint. One named "general" holds at least a few GiB that no program uses for itself (the
 * backend reserves the same addresses in the process, so that an address means the same to CPU and
 * device); others should cover the rest of the user address space, so that registered host memory
 * keeps its address. A page has 4 KiB.
 *
 * A VM context is one address space of one process. A queue is a job context of the type
 * MTGPU_SUBMISSION_GPU_COMPUTE_STREAM; its priority is the urgency, 0 least. A job of it:
 *
 *   submission_va     a struct sim_job, mapped in the VM context
 *   submission_size   sizeof(struct sim_job)
 *   submission_id     number of the submission on the queue, from 1
 *   update_semaphores the queue's timeline and that number
 *   check_semaphores  none: what the job waits for stands in struct sim_job
 *
 * Jobs of a context start and complete in order. The device writes the timeline's word in memory
 * when the job has completed; the kernel wakes who waits for it in SEMAPHORE_WAIT.
 *
 * Semaphores lie in slots of 16 bytes, the value and the time of the last timestamped signal
 * (CLOCK_MONOTONIC, ns); many share one object, and the object's handle belongs to the kernel:
 * user space does not close it. The device may raise the value of any semaphore by writing to
 * memory; the kernel is told and looks at all values that somebody waits for. After
 * SEMAPHORE_CPU_SIGNAL, which never lowers a value, the device is told the address and value.
 * SEMAPHORE_WAIT waits for all its semaphores for timeout_ns from now and returns ETIME; it returns
 * EIO once the VM context has stopped, as JOB_SUBMIT_V3 and SEMAPHORE_CPU_SIGNAL do.
 *
 * Addresses outside every mapping are the process' pageable memory: copies and fills reach it.
 *
 * DOC: Graphs that device code launches
 *
 * Each has a struct sim_graph in pinned memory. A job with SIM_JOB_GRAPH_CREATE makes it known to the
 * device, one with SIM_JOB_GRAPH_DESTROY forgets it; both have a queue for themselves, in which nothing
 * else runs, and complete at once. Then the device finds the graph by exec_id when a kernel launches
 * it, and jobs of the host that run its chain name it. `uploaded` and `retired` are read at each
 * launch; `busy` counts launches that are pending or run. So who sets `retired` and then reads 0 from
 * `busy` knows that nothing runs any more, and may destroy it.
 *
 * DOC: Mailbox
 *
 * One per VM context, pinned memory at the address in struct sim_queue. It carries host calls and
 * the first fault.
 *
 *   device                                    host
 *   calls[posted % SIM_CALLS] = call
 *   bell := ++posted               ------->   waits for bell, takes calls in order,
 *                                             runs each
 *                                             answers[answered % SIM_CALLS] = ticket
 *   reads the new answers          <-------   answer := ++answered   (SEMAPHORE_CPU_SIGNAL)
 *
 * `bell` and `answer` are semaphores; both only count up. The device keeps posted - answered at
 * SIM_CALLS or below and holds further calls back itself; so neither ring overflows. Answers come
 * in any order.
 *
 * When the device stops it fills in `fault`, its code last, and the VM context stops with it.
 */
#ifndef MT_DRM_SIM_PROTOCOL_H
#define MT_DRM_SIM_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#define SIM_DESC          "mtgpu-sim"
#define SIM_VERSION       2u
#define SIM_MAILBOX_MAGIC 0x78624d49u /* "IMbx" */
#define SIM_QUEUE_MAGIC   0x7551494du /* "MIQu" */
#define SIM_CALLS         1024u
#define SIM_QUEUE_JOBS    1024u /* jobs of a queue that may be pending */

/* What the jobs of one queue have in common. */
struct sim_queue {
	uint32_t magic, version;
	uint64_t queue_id;    /* for fault records */
	uint64_t timeline_va; /* 64-bit word that counts completed jobs, 0 before the first */
	uint64_t mailbox_va;
	uint64_t reserved0[4]; /* zero */
};

enum sim_job_flags { /* beside enum mt_hw_submit_flags */
	SIM_JOB_GRAPH_CREATE = 1u << 16,
	SIM_JOB_GRAPH_DESTROY = 1u << 17,
};

/* One submission; the fields are those of struct mt_hw_submit. */
struct sim_job {
	uint64_t queue_va; /* struct sim_queue */
	uint64_t lanes_va; /* first packet of the lane; with several lanes a table of them */
	uint64_t prologue_va;
	uint64_t wait_va, wait_value;
	uint64_t exec_id;
	uint32_t lane_count, flags;
	uint64_t graph_va; /* struct sim_graph; 0: not one that device code launches */
};

/* A graph that device code launches; what runs is as in struct sim_job. */
struct sim_graph {
	uint64_t exec_id;
	uint64_t lanes_va, prologue_va;
	uint32_t lane_count, flags;
	uint32_t uploaded, retired; /* the host's */
	uint32_t busy;              /* the device's */
	uint32_t error;             /* errno of GRAPH_CREATE, the device's */
	uint64_t reserved0[2];      /* zero */
};

struct sim_call {
	uint64_t fn, data;
	uint64_t ticket;
	uint64_t reserved0; /* zero */
};

/* As struct mt_hw_fault. */
struct sim_fault {
	uint32_t code; /* enum mt_hw_fault_code, 0: none; written last */
	uint32_t node;
	uint64_t queue, seq, address;
	char text[160];
};

struct sim_mailbox {
	uint32_t magic, version;
	uint64_t bell_va, answer_va; /* semaphores */
	uint64_t reserved0[5];       /* zero */
	struct sim_fault fault;
	struct sim_call calls[SIM_CALLS];
	uint64_t answers[SIM_CALLS];
};

_Static_assert(sizeof(struct sim_queue) == 64, "the device reads one cache line");
_Static_assert(sizeof(struct sim_job) == 64, "the device reads one cache line");
_Static_assert(sizeof(struct sim_graph) == 64, "graphs are dense");
_Static_assert(sizeof(struct sim_call) == 32, "calls are dense");
_Static_assert(offsetof(struct sim_mailbox, fault) == 64, "the device writes it there");
_Static_assert(offsetof(struct sim_mailbox, calls) == 256, "the device writes them there");
_Static_assert(offsetof(struct sim_mailbox, answers) == 256 + 32 * SIM_CALLS,
	       "the device reads them there");

#endif
