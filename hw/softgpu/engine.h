/* SPDX-License-Identifier: MIT */
/*
 * The software GPU: an engine that executes command streams on CPU threads. It is given addresses
 * and mappings only, and hosts of two kinds use it: the mock backend in the same process, and a
 * process that plays the card behind a kernel driver.
 *
 * A GPU address is the engine's own process' address. Functions return 0 or a negative errno and
 * are thread-safe unless they say otherwise.
 */
#ifndef MT_SOFTGPU_ENGINE_H
#define MT_SOFTGPU_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/hw.h"

struct mt_sg_engine;
struct mt_sg_queue;

/* What may be done at an address. */
enum mt_sg_map_flags {
	MT_SG_READ = 1u << 0,
	MT_SG_WRITE = 1u << 1,
	MT_SG_EXECUTE = 1u << 2,
};

#define MT_SG_SHARED_LIMIT_B  196608u /* shared memory per block, as mp_31 */
#define MT_SG_BLOCK_THREADS   1024u
#define MT_SG_QUEUES_MAX      16384u
#define MT_SG_WORKERS_MAX     256u
#define MT_SG_RING_SLOTS      2048u /* submissions that a queue holds */
#define MT_SG_PRIORITY_LEVELS 8u    /* queue priorities 0 to -7 */
#define MT_SG_FIRED_MAX       120u  /* fire-and-forget and sibling launches of one run of a graph */
#define MT_SG_TAILS_MAX       255u  /* tail launches of one run of a graph */

/* Bytes that a node of a graph has read or written. */
struct mt_sg_access {
	uint64_t va, bytes_b;
	uint32_t node;
	bool write;
};

struct mt_sg_config {
	uint32_t workers;             /* threads, 1..MT_SG_WORKERS_MAX */
	uint32_t warp_size;           /* 32 or 128 */
	bool random;                  /* permute every order that dependencies allow */
	uint64_t seed;                /* of the permutation */
	uint64_t while_cap;           /* passes of a loop, 0: no cap */
	uint64_t watchdog_ns;         /* time without progress, 0: off */
	uint64_t heap_limit_b;        /* device-side malloc */
	bool host_memory;             /* copies may reach unregistered memory outside window */
	uint64_t window_va, window_b; /* where only registered memory may be touched */

	void *user; /* borrowed, handed to the callbacks */
	/* First fault, once, from any thread. */
	void (*fault)(void *user, const struct mt_hw_fault *fault);
	/* A function for the host; answered by mt_sg_host_done(). Called on a worker: must not
	 * block. Not 0: the call could not be taken. */
	int (*host_call)(void *user, const struct mt_hw_host_call *call);
	/* What a graph's kernels have touched (record.c); called on a worker, several times for one
	 * submission, with an empty list for one that touched nothing. NULL: nobody wants to know. */
	void (*accesses)(void *user, uint64_t exec, const struct mt_sg_access *list, size_t count);
	/* Copies between `local` and memory of the host that this process does not have; called on
	 * a worker. NULL: unregistered memory is this process' own. Not 0: nothing is there. */
	int (*host_access)(void *user, uint64_t va, void *local, uint64_t size_b, bool write);
};

int mt_sg_engine_create(const struct mt_sg_config *config, struct mt_sg_engine **engine_out);

/* Stops the workers and frees the engine. A worker whose kernel does not end is abandoned after a
 * bounded time, and the engine's memory with it. False in that case: what the kernel may still
 * touch must not be reused. */
bool mt_sg_engine_destroy(struct mt_sg_engine *engine);

/* In a child after fork(): every later call fails or does nothing. */
void mt_sg_engine_forked(struct mt_sg_engine *engine);

/* True if a kernel still runs although the device has stopped. */
bool mt_sg_engine_stuck(struct mt_sg_engine *engine);

void mt_sg_fault_get(struct mt_sg_engine *engine, struct mt_hw_fault *fault_out);

/* Registers a range; ranges must not overlap. -ENOMEM, -EEXIST. */
int mt_sg_map(struct mt_sg_engine *engine, uint64_t va, uint64_t size_b, uint32_t flags);
/* Removes what is registered inside the range, splitting ranges at its ends. -ENOMEM. */
int mt_sg_unmap(struct mt_sg_engine *engine, uint64_t va, uint64_t size_b);

/* timeline_va: registered 64-bit word that counts completed submissions, now 0. priority: 0 or
 * negative, more urgent. */
int mt_sg_queue_create(struct mt_sg_engine *engine, int priority, uint64_t id, uint64_t timeline_va,
		       struct mt_sg_queue **queue_out);
/* Waits until the queue is empty or the device has stopped. */
void mt_sg_queue_destroy(struct mt_sg_queue *queue);
/* As mt_hw_queue_submit(); callers serialise per queue. */
int mt_sg_queue_submit(struct mt_sg_queue *queue, const struct mt_hw_submit *submit);

/* Blocks until the registered word is >= value; as mt_hw semaphore_wait. poll: the word may change
 * behind the engine's back. */
int mt_sg_wait(struct mt_sg_engine *engine, uint64_t va, uint64_t value, int64_t timeout_ns,
	       bool poll);
/* Raises the word to value and wakes who waits for it. */
void mt_sg_signal(struct mt_sg_engine *engine, uint64_t va, uint64_t value);
void mt_sg_host_done(struct mt_sg_engine *engine, uint64_t ticket);

/* What a graph's owner and the engine tell each other; may lie in memory of several processes. */
struct mt_sg_graph_state {
	_Atomic uint32_t uploaded, retired; /* the owner's: 1 from graph_upload, graph_retire on */
	_Atomic uint32_t busy;              /* the engine's: launches that are pending or run */
};

/* Graphs that device code may launch, as the graph_ calls of struct mt_hw_ops. A graph takes one of
 * the engine's queues. state: borrowed, all zero; NULL: the graph's own. */
int mt_sg_graph_create(struct mt_sg_engine *engine, struct mt_hw_device *dev,
		       const struct mt_hw_submit *chain, struct mt_sg_graph_state *state,
		       struct mt_hw_graph **graph_out);
void mt_sg_graph_upload(struct mt_hw_graph *graph);
void mt_sg_graph_retire(struct mt_hw_graph *graph);
bool mt_sg_graph_is_busy(struct mt_hw_graph *graph);
void mt_sg_graph_destroy(struct mt_hw_graph *graph);

uint64_t mt_sg_time_ns(void);

#endif
