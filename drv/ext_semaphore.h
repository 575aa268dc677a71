/* SPDX-License-Identifier: MIT */
/*
 * External semaphores: timeline values shared with other processes and APIs through a file
 * descriptor. What MT_OP_SEM_SIGNAL and MT_OP_SEM_WAIT name.
 */
#ifndef MT_DRV_EXT_SEMAPHORE_H
#define MT_DRV_EXT_SEMAPHORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/result.h"

/* Largest byte count of one element of a params array (signal and wait are alike). */
#define MT_EXT_SEMAPHORE_PARAMS_B 144u

struct mt_op_sem;
struct mt_stream;

struct mt_ext_semaphore {
	uint64_t handle;           /* MUexternalSemaphore */
	struct mt_ctx *ctx;        /* borrowed; NULL once the context has ended */
	_Atomic uint32_t refs;     /* handle, nodes, execs */
	struct mt_hw_semaphore hw; /* owned: hw.va is what packets signal and wait for */
	struct mt_ext_semaphore *next, **link; /* in a list of the context */
};

/**
 * mt_ext_semaphore_import() - Semaphore of a file descriptor.
 * @fd:		Taken over on success; stays the caller's on failure.
 * @out:	[out] MUexternalSemaphore.
 *
 * Errors: INVALID_VALUE if the descriptor is no semaphore.
 */
MUresult mt_ext_semaphore_import(struct mt_ctx *ctx, int fd, uint64_t *out);

/* As a program describes it: file descriptors are the only types there are. */
MUresult mt_ext_semaphore_open(struct mt_ctx *ctx, unsigned int type, int fd, unsigned int flags,
			       uint64_t *out);

/* A new semaphore at value 0, to be exported: what another API would create. */
MUresult mt_ext_semaphore_create(struct mt_ctx *ctx, uint64_t *out);

/* A descriptor that mt_ext_semaphore_import() takes, in this process or another. */
MUresult mt_ext_semaphore_export(struct mt_ext_semaphore *semaphore, int *fd_out);

/**
 * mt_ext_semaphore_enqueue() - Signal or wait for semaphores on a stream.
 * @handles:	count handles. INVALID_VALUE if NULL, INVALID_HANDLE for one that is none.
 * @params:	count elements of MT_EXT_SEMAPHORE_PARAMS_B bytes; each starts with its 64-bit
 * value.
 *
 * No semaphores: a success without effect.
 */
MUresult mt_ext_semaphore_enqueue(struct mt_stream *stream, const uint64_t *handles,
				  const void *params, uint32_t count, bool signal, const char *api);

/* Lets the context's device signal and wait for them, whichever devices they belong to. */
MUresult mt_ext_semaphores_reach(const struct mt_op_sem *list, struct mt_ctx *ctx);

/* INVALID_HANDLE if stale or NULL. */
MUresult mt_ext_semaphore_get(uint64_t handle, struct mt_ext_semaphore **semaphore_out);

/* The handle dies at once. The memory lives as long as nodes refer to it, and then until the
 * context is idle, because submitted work may still wait on it. */
void mt_ext_semaphore_destroy(struct mt_ext_semaphore *semaphore);
void mt_ext_semaphore_ref(struct mt_ext_semaphore *semaphore);
void mt_ext_semaphore_unref(struct mt_ext_semaphore *semaphore);

/* The value as the CPU sees it now. */
static inline uint64_t mt_ext_semaphore_value(const struct mt_ext_semaphore *semaphore)
{
	return atomic_load_explicit(semaphore->hw.value, memory_order_acquire);
}

#endif
