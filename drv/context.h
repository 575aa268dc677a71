/* SPDX-License-Identifier: MIT */
/*
 * Process state, devices and their primary contexts. Everything that a program creates belongs to
 * a context.
 *
 * Lock order of the layer, outermost first (graph/ locks lie outside all of these):
 *   mt_ctx.lock -> mt_stream.lock (legacy stream first, then by id) -> memory locks -> pools
 * No lock is held while waiting for the device.
 *
 * Life of a process's state:
 *
 *	new --mt_init()--> ready --library unload or exit--> finished
 *	 |                   |
 *	 +--> failed         +--fork(), in the child--> forked
 *
 * All but `ready` answer every call with the error that mt_init() gives.
 */
#ifndef MT_DRV_CONTEXT_H
#define MT_DRV_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hw/hw.h"
#include "musa.h"

struct mt_stream;
struct mt_memory;
struct mt_command_pool;
struct mt_command_writer;
struct mt_event_pool;
struct mt_module;

#define MT_DEVICES_MAX 16u

/* The primary context of one device; lives from first use to muDevicePrimaryCtxReset or exit. */
struct mt_ctx {
	uint64_t handle;          /* MUcontext */
	uint32_t device;          /* ordinal */
	struct mt_hw_device *hw;  /* borrowed */
	pthread_mutex_t lock;     /* guards streams, modules */
	struct mt_stream *legacy; /* owned: the legacy default stream */
	struct mt_stream *streams; /* owned: list of created and per-thread streams */
	struct mt_memory *memory; /* owned: allocations (drv/memory.h) */
	struct mt_command_pool *commands; /* owned: command and kernarg memory (drv/command.h) */
	struct mt_module *modules; /* owned */
	void *graph;              /* owned by graph/: per-context state, see mt_graph_hooks */
	struct mt_event_pool *events;      /* owned (drv/event.c) */

	/* Queues with their command memory (drv/command_writer.h). None is destroyed before the
	 * context, because waits on its timeline may lie in other queues; streams reuse them. */
	_Atomic(struct mt_command_writer *) writers; /* owned: all, newest first; only grows */
	struct mt_command_writer *retired;           /* of destroyed streams; guarded by lock */
	/* Those with work of a blocking stream that the legacy stream does not wait for yet. */
	_Atomic(struct mt_command_writer *) unordered;

	_Atomic uint32_t sticky;  /* MUresult once the device has failed */
	uint64_t heap_limit_b, printf_limit_b, stack_limit_b; /* muCtxSetLimit */
	_Atomic uint32_t cache_config, shared_config; /* MUfunc_cache, MUsharedconfig: hints, kept for
						       * queries */
	unsigned int flags;      /* MU_CTX_* */
	unsigned int retained;   /* references of the driver API */
	_Atomic bool kept;       /* the runtime uses it: it outlives those references */
};

/* What graph/ registers to be told about the lives of contexts and of the process. */
struct mt_graph_hooks {
	MUresult (*ctx_created)(struct mt_ctx *ctx);
	void (*ctx_destroyed)(struct mt_ctx *ctx); /* all work has ended */
	void (*process_ends)(void); /* devices close next; contexts with work may be left */
};
void mt_graph_hooks_set(const struct mt_graph_hooks *hooks); /* static, before mt_init() */

/**
 * mt_init() - Initialise the process once.
 *
 * Cheap after the first call. After fork() the child gets NOT_INITIALIZED (3) for good.
 * Errors: NOT_INITIALIZED for an option that cannot be parsed (logged), NO_DEVICE, OUT_OF_MEMORY.
 */
MUresult mt_init(void);

/* As mt_init(), but NOT_INITIALIZED instead of initialising. */
MUresult mt_initialised(void);

/* Library unload and exit: nothing may be called afterwards. Work in flight is abandoned. */
void mt_finish(void);

/* This is the child of a process that had been initialised: no lock may be taken. */
bool mt_process_forked(void);

uint32_t mt_device_count(void); /* after mt_init() */
struct mt_hw_device *mt_device_get(uint32_t ordinal); /* NULL if there is none */

/* The primary context of a device, created on first use. INVALID_DEVICE for a bad ordinal,
 * NOT_PERMITTED inside a host function. A load and a compare after the first use. */
MUresult mt_ctx_primary(uint32_t device, struct mt_ctx **ctx_out);

/* References of the driver API: the last release ends the context, unless the runtime has used it.
 * INVALID_CONTEXT for a release without a reference. */
MUresult mt_ctx_primary_retain(uint32_t device, struct mt_ctx **ctx_out);
MUresult mt_ctx_primary_release(uint32_t device);

/* Flags last beyond a reset and may be set before the context exists. Valid ordinals only. */
MUresult mt_ctx_primary_flags(uint32_t device, unsigned int flags);
void mt_ctx_primary_state(uint32_t device, unsigned int *flags_out, bool *active_out);

/* The primary context if it is there already, else NULL. */
struct mt_ctx *mt_ctx_primary_peek(uint32_t device);

/* Ends all work and destroys everything the context owns; handles become stale. */
MUresult mt_ctx_primary_reset(uint32_t device);

/* Waits for all streams. Refused (900) while one of them captures. */
MUresult mt_ctx_synchronize(struct mt_ctx *ctx);

/* Waits until all that was submitted before the call has completed, whatever captures. The result is
 * the sticky error if the device fails. The caller holds no lock. */
MUresult mt_ctx_wait_idle(struct mt_ctx *ctx);

/* All that was submitted has completed. */
bool mt_ctx_idle(struct mt_ctx *ctx);

/* The sticky error, after asking the device once; logs the fault the first time. */
MUresult mt_ctx_error(struct mt_ctx *ctx);

#endif
