/* SPDX-License-Identifier: MIT */
/*
 * The engine's inside.
 *
 * DOC: Who does what
 *
 * A queue is run by one worker at a time, which holds the queue's *role*: it processes the packets
 * of all lanes of the queue's one active submission, kernels in place. All lane state is plain
 * memory that belongs to the holder. While a kernel runs and the queue has something else that
 * could run meanwhile, the holder *publishes* the role with a token; an idle worker that sees the
 * same token for a while takes the role over, and the former holder then only reports its kernel
 * as finished. So small kernels pay one atomic operation at most, chains pay none, and long
 * kernels run side by side.
 *
 *            claim                    publish
 *   IDLE  ----------->  OWNED  <------------------> token
 *     ^  ^               ^ |         take back        | stolen by another worker: OWNED there
 *     |  +---------------|-+ nothing submitted        |
 *     |                  |                            |
 *   PARKED <-------------+---- active, but blocked    v
 *
 * Whoever makes a queue runnable while it is IDLE or PARKED sets its bit in the ready map. A grid
 * of several blocks, and a large copy, is a *job*: blocks are claimed with an atomic counter by the
 * holder and by workers that help.
 *
 * Lock order: engine->launch_lock, engine->thread_lock, waiters bucket, engine->map_lock, engine->host_lock. None is
 * held while device memory is touched by a worker, because such an access may fault.
 */
#ifndef MT_SOFTGPU_INTERNAL_H
#define MT_SOFTGPU_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "hw/softgpu/device_abi.h"
#include "hw/softgpu/engine.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define CACHE_LINE_B 64u

/* ---- address checks ---- */

/* What was found last, one entry per kind of access, so that the usual check is two compares. */
enum sg_access {
	SG_ACCESS_PACKET,
	SG_ACCESS_CODE,
	SG_ACCESS_ARGUMENT,
	SG_ACCESS_WORD,
	SG_ACCESS_READ,
	SG_ACCESS_WRITE,
	SG_ACCESS_COUNT,
};

struct sg_range {
	uint64_t va, size_b;
};

struct sg_mapping {
	uint64_t va, end;
	uint32_t flags; /* enum mt_sg_map_flags */
};

/* ---- waiting for words ---- */

/* A lane or a host thread that waits for a word. */
struct sg_waiter {
	struct sg_waiter *next, *prev; /* guarded by the bucket's lock */
	uint64_t va, value;
	struct mt_sg_engine *engine; /* set when linked */
	struct mt_sg_queue *queue;   /* NULL: host thread */
	_Atomic uint32_t linked;     /* set and cleared under the bucket's lock */
	_Atomic uint32_t woken;      /* futex of a host thread */
};

/* ---- lanes and queues ---- */

enum sg_block {
	SG_RUNNABLE,
	SG_BLOCK_ORDER, /* until nothing is pending */
	SG_BLOCK_WAIT,  /* until waiter.va holds waiter.value */
};

#define SG_DEFERRED_MAX 64u

struct sg_lane {
	uint64_t pc;
	_Atomic int32_t pending; /* packets issued and not completed, without the one that the
				  * role's holder runs in place; may be -1 for a moment */
	uint32_t block;          /* enum sg_block */
	uint32_t depth;          /* of stack */
	uint32_t deferred_count;
	uint32_t wait_node;
	uint64_t stack[MT_PKT_CALL_DEPTH_MAX];
	struct sg_waiter waiter;
	/* Careful mode: packets that may start in any order. */
	uint64_t deferred[SG_DEFERRED_MAX];
} __attribute__((aligned(CACHE_LINE_B)));

/* One submission in a queue's ring. */
struct sg_record {
	uint64_t lane_va; /* first packet, or table of lane_count of them */
	uint64_t prologue_va;
	uint64_t wait_va, wait_value;
	uint64_t exec_id;
	uint32_t lane_count, flags;
	struct mt_sg_graph *graph; /* borrowed: the exec's, or NULL */
	uint64_t reserved0;
};
_Static_assert(sizeof(struct sg_record) == CACHE_LINE_B, "a submit writes one cache line");

#define SG_STATE_IDLE   0u
#define SG_STATE_OWNED  1u
#define SG_STATE_PARKED 2u
#define SG_STATE_TOKENS 4u /* from here on: published */

enum sg_phase {
	SG_PHASE_NONE,
	SG_PHASE_WAIT,
	SG_PHASE_PROLOGUE,
	SG_PHASE_LANES,
	SG_PHASE_CHILDREN, /* lanes have ended, graphs that kernels launched have not */
};

/* ---- graphs that device code launches (launch.c) ---- */

struct mt_sg_graph;

/* What has to end before something behind it may start: a graph with all that it fired, or a whole
 * submission of the host. */
struct sg_environment {
	struct sg_environment *parent; /* NULL: a submission of the host */
	struct mt_sg_queue *queue;     /* whose run this is part of */
	uint32_t open;                 /* the graph itself, and environments inside this one */
};

/* A pending tail launch. */
struct sg_tail {
	struct sg_tail *next;
	struct mt_sg_graph *graph; /* borrowed: pending keeps it */
};

struct sg_tails {
	struct sg_tail *first, *last;
};

/* A graph that runs in a queue. Guarded by engine->launch_lock. */
struct sg_run {
	struct sg_environment host;  /* the submission, if it is the host's */
	struct sg_environment graph;
	struct mt_sg_graph *running; /* NULL: not one that device code may launch */
	struct sg_tails tails;       /* of this run */
	struct sg_tails inherited;   /* of runs that this one has come behind: later than its own */
	uint64_t series;             /* number shared by runs that follow each other at the tail */
	uint32_t fired, tail_count;
	bool self_queued;            /* a tail launch of the running graph is among tails */
};

struct mt_sg_queue {
	/* Submitter's line. */
	_Atomic uint64_t tail; /* submissions put in */
	struct mt_sg_engine *engine;
	uint64_t id;
	uint64_t timeline_va;
	uint64_t base;  /* tail when the queue was made: its timeline counts from there */
	uint32_t slot;  /* in the engine's table */
	uint32_t level; /* of urgency: 0 least */
	bool in_use;    /* guarded by engine->thread_lock */

	_Atomic uint64_t state __attribute__((aligned(CACHE_LINE_B)));
	_Atomic uint32_t events;   /* something happened that may unblock the queue */
	_Atomic uint64_t progress; /* counts packets and blocks, for the watchdog */

	/* The role's own from here on. */
	uint64_t token;
	_Atomic uint64_t head; /* submissions completed; written by the holder only */
	uint32_t phase;        /* enum sg_phase */
	uint32_t live;         /* lanes that have not ended, as bits */
	uint32_t lane_at;      /* lane that runs */
	uint32_t inline_lane;  /* lane of the published kernel */
	bool careful;          /* packet by packet, for priorities and random order */
	uint64_t exec_id;
	struct sg_waiter start_waiter;
	struct sg_touches *touches; /* owned: what the submission has touched (record.c) */

	_Atomic uint32_t tracked; /* run is in use: the end of the lanes is not the end */
	_Atomic uint32_t settled; /* everything launched has ended: the submission may complete */
	struct sg_run run;

	struct sg_lane lanes[MT_HW_LANES_MAX];
	struct sg_record ring[MT_SG_RING_SLOTS];
};

/* ---- work that several workers share ---- */

struct sg_worker;
struct sg_job;

typedef void (*sg_job_fn)(struct sg_worker *worker, const struct sg_job *job, uint64_t first,
			  uint64_t count);

#define SG_JOB_NEXT_BITS 40
#define SG_JOB_NEXT_MASK ((UINT64_C(1) << SG_JOB_NEXT_BITS) - 1)
#define SG_JOB_CLOSED    SG_JOB_NEXT_MASK

/* Pieces 0..total-1 of one packet. What a helper has claimed keeps the job as it is. The claim is
 * CLOSED from the last claim on until the job is opened again. */
struct sg_job {
	_Atomic uint64_t claim;     /* sequence number above, next piece below */
	_Atomic uint64_t remaining; /* pieces not finished */
	_Atomic uint32_t busy;      /* not to be reused yet */
	uint32_t node;
	_Atomic uint64_t total, chunk;
	sg_job_fn run;
	const void *packet; /* borrowed from the command stream while pieces remain */
	struct mt_sg_queue *queue;
	uint32_t lane;
	uint64_t pc, exec_id;
	uint64_t rotate; /* random order: first piece */
	bool reverse;
} __attribute__((aligned(CACHE_LINE_B)));

#define SG_WORKER_JOBS 2u

/* ---- workers ---- */

/* Registers that a call preserves. */
struct sg_context {
	uint64_t rsp, rip, rbx, rbp, r12, r13, r14, r15;
};

struct sg_fibers;
struct sg_runs;
struct sg_touches;

/* A helper's memory of another worker. */
struct sg_seen {
	struct mt_sg_queue *queue; /* borrowed, never looked into */
	uint64_t token, token_ns;  /* published role, and when it was first seen */
	uint64_t sequence[SG_WORKER_JOBS], sequence_ns[SG_WORKER_JOBS];
};

struct sg_worker {
	struct mt_dev_block block; /* GS base once has_gs */
	bool has_gs;
	struct mt_sg_engine *engine;
	uint32_t index;
	/* What runs now: for faults, and for the watchdog, which reads it from outside. */
	_Atomic(struct mt_sg_queue *) queue;
	_Atomic uint64_t pc;
	_Atomic uint32_t node;
	_Atomic uint32_t in_kernel;
	uint32_t lane;
	uint64_t exec_id;
	bool slept_short; /* it was called soon after it had fallen asleep */
	uint32_t beside;  /* on its caller's processor: packets that it may still execute there */
	struct sg_runs *runs; /* owned, made by the first recorded access (record.c) */
	bool guarded; /* a crash of this thread is the device's */
	struct sg_context recover;
	int crash_signal; /* 0: a service ended the kernel */
	uint64_t crash_address;

	uint32_t attention; /* the engine's, as last noticed */
	uint64_t map_generation;
	struct sg_range found[SG_ACCESS_COUNT];
	uint64_t random;                          /* generator state */
	uint32_t ready_at[MT_SG_PRIORITY_LEVELS]; /* where the search for a ready queue goes on */

	/* What was seen of the others, to tell a long kernel from a short one. */
	struct sg_seen *seen; /* owned; per worker */

	struct sg_fibers *fibers; /* owned, made on first use */
	void *shared;             /* owned, MT_SG_SHARED_LIMIT_B */
	void *signal_stack;       /* owned */
	pthread_t thread;
	_Atomic uint32_t exited;
	struct sg_job jobs[SG_WORKER_JOBS];
} __attribute__((aligned(CACHE_LINE_B)));

struct sg_ready {
	_Atomic uint64_t summary[MT_SG_QUEUES_MAX / 64 / 64];
	_Atomic uint64_t words[MT_SG_QUEUES_MAX / 64];
};

struct sg_ticket {
	struct mt_sg_queue *queue; /* NULL: free */
	uint32_t lane, generation;
	uint32_t next_free, node;
};

#define SG_GRAPH_BUCKETS 1024u

struct sg_tail_slab;

struct mt_sg_engine {
	struct mt_sg_config config;
	struct mt_dev_services services; /* what device code gets */

	/* Read by every packet: counts changes of the next three that a packet loop must notice. */
	_Atomic uint32_t attention __attribute__((aligned(CACHE_LINE_B)));
	_Atomic uint32_t stopped;        /* a fault, or the end */
	_Atomic uint32_t urgent;         /* highest level with a ready queue, plus one; a hint */
	_Atomic uint64_t map_generation; /* changes with every mapping */

	_Atomic uint32_t fault_taken __attribute__((aligned(CACHE_LINE_B)));
	_Atomic uint32_t fault_ready;
	struct mt_hw_fault fault; /* valid once fault_ready */
	_Atomic uint32_t ending;  /* mt_sg_engine_destroy() runs */
	bool forked;

	_Atomic uint32_t wake
		__attribute__((aligned(CACHE_LINE_B))); /* futex of sleeping workers */
	/* Processor of the last caller of sleepers, if a host thread or a worker; else -1. */
	_Atomic int host_cpu, helped_cpu;
	_Atomic uint32_t spinning, busy, watcher;
	_Atomic uint64_t sleep; /* sleeping workers; above bit 32, those of them that have been called */
	_Atomic uint32_t worker_count; /* threads made so far */

	struct sg_ready ready[MT_SG_PRIORITY_LEVELS];
	_Atomic uint32_t parked; /* linked waiters of lanes */

	pthread_mutex_t map_lock;
	/* Sorted by address; guarded by map_lock. */
	struct sg_mapping *mappings; /* owned */
	uint32_t mapping_count, mapping_room;

	pthread_mutex_t thread_lock;                  /* making of threads and queues */
	struct sg_worker *workers[MT_SG_WORKERS_MAX]; /* owned; valid below worker_count */
	/* Owned, as the queues are; freed with the engine only. Its pages come when they are used. */
	_Atomic(struct mt_sg_queue *) *queues;
	_Atomic uint32_t queue_count;
	uint32_t *queue_free; /* owned; slots to reuse */
	uint32_t queue_free_count;

	pthread_mutex_t host_lock;
	struct sg_ticket *tickets; /* owned; guarded by host_lock */
	uint32_t ticket_count, ticket_free;

	_Atomic uint64_t heap_used_b;

	pthread_mutex_t launch_lock;
	/* Guarded by launch_lock. */
	struct mt_sg_graph *graphs[SG_GRAPH_BUCKETS]; /* owned; by exec id */
	struct sg_tail *tail_free;                    /* unused entries */
	struct sg_tail_slab *tail_slabs;              /* owned; memory of all entries */
	uint64_t series;                              /* last number given out */

	pthread_t monitor;
	_Atomic uint32_t monitor_runs; /* set once, under thread_lock */
	_Atomic uint32_t monitor_wake; /* futex */
	_Atomic uint32_t monitor_asleep;
	struct sg_watch *watches; /* owned; the monitor's own */
};

/* mapping.c */
/* Forgets what was found before the last change of the mappings. */
void mt_sg_check_flush(struct sg_worker *worker);
static inline void mt_sg_check_refresh(struct sg_worker *worker)
{
	if (unlikely(atomic_load_explicit(&worker->engine->map_generation, memory_order_acquire) !=
		     worker->map_generation))
		mt_sg_check_flush(worker);
}
/* The registered range around [va, va + size_b) that allows `flags`; false if there is none. */
bool mt_sg_range_find(struct mt_sg_engine *engine, uint64_t va, uint64_t size_b, uint32_t flags,
		      struct sg_range *range_out);
/* The same for a holder of map_lock. */
bool mt_sg_range_find_locked(const struct mt_sg_engine *engine, uint64_t va, uint64_t size_b,
			     uint32_t flags, struct sg_range *range_out);
bool mt_sg_check_slow(struct sg_worker *worker, enum sg_access access, uint64_t va,
		      uint64_t size_b);
static inline bool mt_sg_check(struct sg_worker *worker, enum sg_access access, uint64_t va,
			       uint64_t size_b)
{
	const struct sg_range *range = &worker->found[access];
	uint64_t offset_b = va - range->va;

	if (likely(offset_b < range->size_b && size_b <= range->size_b - offset_b))
		return true;
	return mt_sg_check_slow(worker, access, va, size_b);
}

static inline void mt_sg_attention(struct mt_sg_engine *engine)
{
	atomic_fetch_add_explicit(&engine->attention, 1, memory_order_release);
}

/* fault.c */
void mt_sg_fault(struct mt_sg_engine *engine, enum mt_hw_fault_code code, struct mt_sg_queue *queue,
		 uint32_t node, uint64_t address, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* The fault of what the worker runs now. */
void mt_sg_worker_fault(struct sg_worker *worker, enum mt_hw_fault_code code, uint64_t address,
			const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Ends the running kernel, from anywhere on the worker's thread, also from a fiber. */
void mt_sg_worker_abort(struct sg_worker *worker) __attribute__((noreturn));
void mt_sg_crash_install(void);
void mt_sg_crash_report(struct sg_worker *worker);
void mt_sg_self_set(struct sg_worker *worker);
/* Is this thread a worker of the engine? */
bool mt_sg_on_worker(const struct mt_sg_engine *engine);

/* switch.c */
int mt_sg_context_save(struct sg_context *context) __attribute__((returns_twice));
void mt_sg_context_load(struct sg_context *context) __attribute__((noreturn));
void mt_sg_stack_switch(void **save_sp, void *load_sp);
void mt_sg_stack_start(void);

/* wait.c */
extern _Atomic uint32_t mt_sg_waiting; /* linked waiters of all engines */
void mt_sg_waiters_init(void);
/* After a store to va with a full fence behind it: wakes who waits for the value. */
void mt_sg_notify_slow(uint64_t va);
static inline void mt_sg_notify(uint64_t va)
{
	if (unlikely(atomic_load_explicit(&mt_sg_waiting, memory_order_relaxed)))
		mt_sg_notify_slow(va);
}
void mt_sg_waiter_link(struct mt_sg_engine *engine, struct sg_waiter *waiter);
void mt_sg_waiter_unlink(struct sg_waiter *waiter);
void mt_sg_wake_hosts(struct mt_sg_engine *engine);
/* Looks at every waiting lane's word; for words that change without a notice. */
void mt_sg_waiters_poll(struct mt_sg_engine *engine);

static inline uint64_t mt_sg_word_load(uint64_t va)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)va, memory_order_acquire);
}

/* queue.c */
/* Something may have unblocked the queue. */
void mt_sg_queue_kick(struct mt_sg_queue *queue);
void mt_sg_queue_run(struct sg_worker *worker, struct mt_sg_queue *queue);
/* An issued packet of the lane has completed, and its worker does not hold the role. */
void mt_sg_item_done(struct mt_sg_queue *queue, uint32_t lane);
void mt_sg_queues_free(struct mt_sg_engine *engine);

/* ready.c */
void mt_sg_ready_set(struct mt_sg_queue *queue);
bool mt_sg_ready_any(struct mt_sg_engine *engine);
/* Most urgent ready queue, its role taken; NULL if there is none. */
struct mt_sg_queue *mt_sg_ready_claim(struct sg_worker *worker);

/* lane.c, careful.c */
enum sg_result {
	SG_BLOCKED, /* no lane can go on */
	SG_ENDED,
	SG_LOST,    /* the role is another worker's now */
	SG_YIELD,   /* let more urgent queues run first */
	SG_STOPPED, /* device fault */
	SG_NEXT,    /* go on */
	SG_CAREFUL, /* go on packet by packet */
};
enum sg_result mt_sg_lanes_run(struct sg_worker *worker, struct mt_sg_queue *queue);
enum sg_result mt_sg_careful_run(struct sg_worker *worker, struct mt_sg_queue *queue);
const struct mt_pkt_header *mt_sg_packet_fetch(struct sg_worker *worker, uint64_t pc);
static inline void mt_sg_lane_wait(struct sg_lane *lane, uint32_t node, uint64_t va, uint64_t value)
{
	lane->waiter.va = va;
	lane->waiter.value = value;
	lane->wait_node = node;
	lane->block = SG_BLOCK_WAIT;
}
bool mt_sg_lane_runnable(struct sg_worker *worker, struct sg_lane *lane);
bool mt_sg_packet_is_control(const struct mt_pkt_header *packet);
/* Happens at once, or blocks the lane; moves its pc. */
enum sg_result mt_sg_lane_control(struct sg_worker *worker, struct sg_lane *lane,
				  const struct mt_pkt_header *packet);
/* Runs a packet that is no control packet; share: give the role away while it runs. */
enum sg_result mt_sg_lane_execute(struct sg_worker *worker, struct mt_sg_queue *queue,
				  uint32_t index, const struct mt_pkt_header *packet, bool share);

/* far.c: memory of the host that only config.host_access reaches. */
bool mt_sg_is_far(struct sg_worker *worker, uint64_t va, uint64_t size_b, uint32_t flags);
bool mt_sg_far_copy(struct sg_worker *worker, const struct mt_pkt_copy *packet, bool dst_far,
		    bool src_far);
bool mt_sg_far_fill(struct sg_worker *worker, const struct mt_pkt_fill *packet);

/* packets.c: single packets. False: fault raised. */
bool mt_sg_do_copy(struct sg_worker *worker, const struct mt_pkt_copy *packet);
bool mt_sg_do_fill(struct sg_worker *worker, const struct mt_pkt_fill *packet);
bool mt_sg_do_write(struct sg_worker *worker, const struct mt_pkt_write *packet);
bool mt_sg_do_timestamp(struct sg_worker *worker, const struct mt_pkt_timestamp *packet);
bool mt_sg_do_host(struct sg_worker *worker, struct mt_sg_queue *queue, uint32_t lane,
		   const struct mt_pkt_host *packet);
bool mt_sg_do_signal(struct sg_worker *worker, const struct mt_pkt_signal *packet);
/* SG_NEXT: met; SG_BLOCKED: the lane's waiter says for what. */
enum sg_result mt_sg_do_wait(struct sg_worker *worker, struct sg_lane *lane,
			     const struct mt_pkt_wait *packet);
/* JUMP, CALL, RETURN, COND: moves the lane's pc. */
bool mt_sg_do_branch(struct sg_worker *worker, struct sg_lane *lane,
		     const struct mt_pkt_header *packet);

/* dispatch.c */
typedef void (*sg_block_entry)(struct mt_dev_block *block);
bool mt_sg_do_dispatch(struct sg_worker *worker, const struct mt_pkt_dispatch *packet);

/* job.c */
/* Runs all pieces with whoever helps. The packet may still be running elsewhere on return; then the
 * lane's pending count holds it. */
void mt_sg_job_run(struct sg_worker *worker, sg_job_fn run, const void *packet, uint64_t total,
		   uint64_t chunk);
bool mt_sg_jobs_help(struct sg_worker *worker, uint64_t now_ns, uint64_t age_ns);

/* worker.c */
int mt_sg_worker_wake(struct mt_sg_engine *engine, uint32_t count);
/* A queue has become ready: somebody must look. */
void mt_sg_ready_notify(struct mt_sg_engine *engine);
void mt_sg_watcher_arm_slow(struct mt_sg_engine *engine);
bool mt_sg_workers_stop(struct mt_sg_engine *engine);
static inline void mt_sg_watcher_arm(struct mt_sg_engine *engine)
{
	if (unlikely(!atomic_load_explicit(&engine->watcher, memory_order_relaxed)))
		mt_sg_watcher_arm_slow(engine);
}
uint64_t mt_sg_random(struct sg_worker *worker);

/* sleep.c */
/* Until called, or the time-out (-1: none); not at all if work is there. */
void mt_sg_sleep(struct sg_worker *worker, int64_t timeout_ns);
/* Calls up to `count` workers that nobody has called yet; returns how many sleep in all. */
uint32_t mt_sg_sleepers_call(struct mt_sg_engine *engine, uint32_t count);
/* False if the worker would keep its caller from going on. It may move to another processor. */
bool mt_sg_may_spin(struct sg_worker *worker);
/* Takes a worker with longer work off its caller's processor. */
void mt_sg_leave_caller(struct sg_worker *worker);
void mt_sg_beside_packet(struct sg_worker *worker);
/* The calling thread runs as soon as it is woken. */
void mt_sg_short_slices(void);

/* fiber.c */
void mt_sg_fibers_free(struct sg_worker *worker);
void mt_sg_run_threads(struct mt_dev_block *block, mt_dev_thread_fn fn);
uint32_t mt_sg_barrier(struct mt_dev_block *block, uint32_t op, uint32_t value);
void mt_sg_grid_barrier(struct mt_dev_block *block);
void mt_sg_active_mask(struct mt_dev_block *block, uint64_t mask[2]);
void mt_sg_warp_sync(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi);
const uint64_t *mt_sg_warp_exchange(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi,
				    uint64_t value, uint64_t arrived[2]);
void mt_sg_fiber_yield(struct sg_worker *worker);
bool mt_sg_cooperative_run(struct sg_worker *worker, const struct mt_pkt_dispatch *packet,
			   uint64_t blocks);
/* After an abort: forgets fibers that were cut off. */
void mt_sg_fibers_reset(struct sg_worker *worker);

/* launch.c */
/* A launch from device code, on the worker that runs it; a musaError number. */
uint32_t mt_sg_launch(struct sg_worker *worker, uint64_t exec, uint32_t stream);
/* Handle of the running graph if device code may launch it, else 0. */
uint64_t mt_sg_launch_current(struct sg_worker *worker);
/* The host's launch of a graph that device code may launch, too, begins in the queue. */
void mt_sg_run_begin(struct mt_sg_queue *queue, struct mt_sg_graph *graph);
/* The queue's lanes have ended. False: what they launched has not, and the queue will be kicked. */
bool mt_sg_run_end(struct mt_sg_queue *queue);
/* Has all of it ended? Asked until it has. */
bool mt_sg_run_settled(struct mt_sg_queue *queue);
void mt_sg_graphs_free(struct mt_sg_engine *engine);

/* record.c */
void mt_sg_record_access(struct mt_dev_block *block, const void *address, uint64_t size_b,
			 uint32_t is_write);
void mt_sg_record_flush(struct sg_worker *worker); /* the worker's part of a kernel has ended */
void mt_sg_record_end(struct mt_sg_queue *queue);
void mt_sg_record_free(struct mt_sg_queue *queue);

/* services.c, print.c */
int mt_sg_print(struct mt_dev_block *block, const char *format, const uint64_t *args,
		uint32_t count);
extern const struct mt_dev_services mt_sg_services;

/* monitor.c */
int mt_sg_monitor_start(struct mt_sg_engine *engine);
void mt_sg_monitor_stop(struct mt_sg_engine *engine);
void mt_sg_monitor_kick(struct mt_sg_engine *engine);

/* futex.c */
void mt_sg_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns);
void mt_sg_futex_wake(_Atomic uint32_t *word, uint32_t count);

#endif
