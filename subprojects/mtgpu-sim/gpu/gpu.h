/* SPDX-License-Identifier: MIT */
/*
 * The process that plays the card of one address space: an engine, the memory that the client has
 * mapped, and its queues.
 *
 * One thread takes events and never waits for the engine. Each queue has a thread that reports
 * completed jobs. Lock order: gpu->queue_lock, gpu->mail_lock; the engine's own come last.
 */
#ifndef MTGPU_GPU_H
#define MTGPU_GPU_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "hw/drm/sim_protocol.h"
#include "hw/softgpu/engine.h"
#include "mtgpu_sim.h"

struct gpu_options {
	uint32_t workers;
	uint32_t warp_size;
	bool random;
	uint64_t seed;
	uint64_t while_cap;
	uint64_t watchdog_ms;
};

struct gpu_range {
	uint64_t va, size_b;
};

struct gpu_call {
	struct gpu_call *next;
	struct mt_hw_host_call call;
};

struct gpu_queue {
	struct gpu_queue *next;
	struct gpu *gpu;
	uint32_t id;                      /* of the kernel */
	int priority;                     /* of the engine: 0 or negative */
	struct mt_sg_queue *engine_queue; /* NULL until the first job */
	uint64_t timeline_va;
	pthread_t thread;
	pthread_cond_t changed;
	/* Guarded by gpu->queue_lock. */
	uint64_t submitted;
	bool closing;
};

/* A graph that kernels may launch. */
struct gpu_graph {
	struct gpu_graph *next;
	uint64_t va;               /* struct sim_graph */
	uint64_t lane_va[MT_HW_LANES_MAX];
	struct mt_hw_graph *graph; /* of the engine */
};

struct gpu {
	int fd; /* /dev/mtgpu-sim, attached */
	struct mt_sg_engine *engine;
	uint32_t slow_ms; /* before each job */

	/* The event thread's. */
	struct gpu_range *ranges; /* sorted by address */
	uint32_t range_count, range_room;
	struct gpu_queue *queues;
	struct gpu_graph *graphs;

	pthread_mutex_t queue_lock;

	pthread_mutex_t mail_lock;
	/* Guarded by mail_lock. */
	struct sim_mailbox *mailbox; /* in the client's memory; NULL until a job has named it */
	uint64_t posted, answered;
	struct gpu_call *held, **held_end; /* calls that have no room in the mailbox */
};

/* memory.c: what the client has mapped. */
int gpu_map(struct gpu *gpu, uint64_t va, uint64_t size_b, bool writable);
void gpu_unmap(struct gpu *gpu, uint64_t va, uint64_t size_b);
bool gpu_is_mapped(const struct gpu *gpu, uint64_t va, uint64_t size_b);

/* queue.c */
int gpu_queue_create(struct gpu *gpu, uint32_t id, uint32_t urgency);
void gpu_queue_destroy(struct gpu *gpu, uint32_t id);
/* A negative errno, and *why_out, for a job that cannot be what a client means. */
int gpu_queue_job(struct gpu *gpu, uint32_t id, uint64_t va, uint64_t size_b, const char **why_out);

/* graph.c */
/* A job that concerns a graph; a negative errno and *why_out as above. */
int gpu_graph_job(struct gpu *gpu, const struct sim_job *job, const char **why_out);
/* NULL: there is none. */
struct mt_hw_graph *gpu_graph_find(struct gpu *gpu, uint64_t va);

/* mailbox.c: calls and faults. */
int gpu_mailbox_set(struct gpu *gpu, uint64_t va);
int gpu_mailbox_call(void *user, const struct mt_hw_host_call *call);
/* The word at va has been raised; answers are taken if it is theirs. */
void gpu_mailbox_signal(struct gpu *gpu, uint64_t va, uint64_t value);
void gpu_mailbox_fault(void *user, const struct mt_hw_fault *fault);
/* A fault that the engine knows nothing of: the address space stops. */
void gpu_stop(struct gpu *gpu, enum mt_hw_fault_code code, const char *text);

/* space.c: plays the card of address space `id` until the client gives it up; an exit status. */
int gpu_play(uint32_t id, const struct gpu_options *options);

#endif
