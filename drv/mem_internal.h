/* SPDX-License-Identifier: MIT */
/*
 * What the memory files of this layer share: a context's memory state.
 */
#ifndef MT_DRV_MEM_INTERNAL_H
#define MT_DRV_MEM_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "drv/ext_semaphore.h"
#include "drv/mem_heap.h"
#include "drv/mem_map.h"
#include "drv/memory.h"

struct mt_array_object;
struct mt_import;
struct mt_pool;
struct mt_registration;
struct mt_staging;

struct mt_memory {
	struct mt_ctx *ctx;    /* borrowed */
	struct mt_heap device; /* musaMalloc, arrays */
	struct mt_heap host;   /* pinned and managed */

	/* Non-zero while mt_memory_synced() may find something: pending staging blocks, pools with
	 * memory to give back, dropped semaphores. */
	_Atomic uint32_t chores;

	pthread_mutex_t lock; /* guards the lists below; outside heap locks and pool locks */
	struct mt_registration *registrations; /* owned: mem_register.c */
	struct mt_import *imports;             /* owned: ext_memory.c, ipc.c */
	struct mt_array_object *arrays;        /* owned: array.c */
	struct mt_staging *staged;             /* owned: mem_staging.c, oldest first */
	struct mt_staging **staged_end;
	struct mt_ext_semaphore *semaphores; /* shared with nodes: ext_semaphore.c */
	struct mt_ext_semaphore *dropped;    /* owned: without references, maybe in use */
	struct mt_pool *pools;               /* owned: pool.c */
	struct mt_pool *default_pool;        /* in pools */
	struct mt_pool *current_pool;        /* in pools: what musaMallocAsync takes from */
	_Atomic uint32_t peers;              /* bit n: access to device n was enabled */
};

/* What advice and prefetches said about a managed allocation; hangs on its block. */
struct mt_managed {
	pthread_mutex_t lock;
	bool read_mostly;
	int preferred;     /* device, -1 host, -2 nowhere */
	uint32_t accessed; /* bit n: device n; bit 31: host */
	int prefetched;    /* as preferred */
};

/* Device memory for parts of this layer. Tries again after everything that can be given back was.
 */
MUresult mt_memory_take(struct mt_memory *memory, struct mt_heap *heap, uint64_t size_b,
			struct mt_heap_block **block_out);

/* Frees what lies in ctx->memory's lists, at the context's end. */
void mt_register_finish(struct mt_memory *memory);
void mt_import_finish(struct mt_memory *memory);
void mt_array_finish(struct mt_memory *memory);
void mt_staging_finish(struct mt_memory *memory);
void mt_ext_semaphore_finish(struct mt_memory *memory);
void mt_pool_finish(struct mt_memory *memory);

/* Chores: what can be given back now. */
void mt_staging_reap(struct mt_memory *memory);
void mt_ext_semaphore_reap(struct mt_memory *memory);
void mt_pool_reap(struct mt_memory *memory);

/* Gives all unused memory of the context's pools back, whatever their thresholds. */
void mt_pool_trim_all(struct mt_memory *memory);

/* Pending blocks that wait for queues of `dev` are done. */
void mt_pool_forget_queues(struct mt_memory *memory, const struct mt_hw_device *dev);

MUresult mt_pool_init(struct mt_memory *memory); /* makes the default pool */

/* musaFree of stream-ordered memory whose use has ended. */
void mt_pool_free_idle(const struct mt_mem_info *info);

#endif
