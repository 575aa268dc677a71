/* SPDX-License-Identifier: MIT */
/*
 * Memory pools and stream-ordered allocation.
 *
 * A block that was freed in a stream is pending until that stream has come to the free; the same
 * stream may have it again at once, others when it is done or behind a wait that the pool inserts.
 */
#ifndef MT_DRV_POOL_H
#define MT_DRV_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/result.h"
#include "drv/stream.h"

struct mt_pool;

/* INVALID_VALUE for NULL and stale handles. */
MUresult mt_pool_get(MUmemoryPool handle, struct mt_pool **pool_out);
MUmemoryPool mt_pool_handle(const struct mt_pool *pool);
struct mt_ctx *mt_pool_ctx(const struct mt_pool *pool);

/* max_b: most that it reserves, 0 for no limit. */
MUresult mt_pool_create(struct mt_ctx *ctx, uint64_t max_b, MUmemoryPool *out);

/* As a program describes it, in the primary context of its device. The properties' reserved bytes are
 * the caller's to check. INVALID_VALUE, NOT_SUPPORTED for pools of host memory or that are to be shared,
 * and the errors of capture. */
MUresult mt_pool_make(const MUmemPoolProps *props, uint64_t max_b, MUmemoryPool *out,
		      const char *api);

/* The handle dies at once, the memory with the last allocation. INVALID_VALUE for a default pool.
 */
MUresult mt_pool_destroy(struct mt_pool *pool);

MUmemoryPool mt_pool_default(struct mt_ctx *ctx);
MUmemoryPool mt_pool_current(struct mt_ctx *ctx);
MUresult mt_pool_set_current(struct mt_ctx *ctx, struct mt_pool *pool);

void mt_pool_trim(struct mt_pool *pool, uint64_t keep_b);

/* `attr` is a MUmemPool_attribute; value is int or 64 bits, as the attribute has it. */
MUresult mt_pool_get_attr(struct mt_pool *pool, int attr, void *value_out);
MUresult mt_pool_set_attr(struct mt_pool *pool, int attr, const void *value);

/* Access of a device: 0 none, 1 read, 3 read and write. */
MUresult mt_pool_set_access(struct mt_pool *pool, uint32_t device, unsigned int flags);
unsigned int mt_pool_get_access(const struct mt_pool *pool, uint32_t device);

/* The same as programs describe it; of a list the entries before a bad one count. */
MUresult mt_pool_set_access_list(struct mt_pool *pool, const MUmemAccessDesc *list, size_t count);
MUresult mt_pool_get_access_at(const struct mt_pool *pool, const MUmemLocation *location,
			       unsigned int *flags_out);

/**
 * mt_pool_alloc_async() - Stream-ordered allocation.
 * @pool:	NULL: the current pool of the stream's device.
 * @va_out:	[out] 0 for size 0.
 *
 * On a capturing stream: an alloc node. Errors: OUT_OF_MEMORY, those of capture.
 */
MUresult mt_pool_alloc_async(struct mt_stream *stream, struct mt_pool *pool, uint64_t size_b,
			     uint64_t *va_out, const char *api);

/* Frees pool and graph memory; INVALID_VALUE for anything else, 0 included. */
MUresult mt_pool_free_async(struct mt_stream *stream, uint64_t va, const char *api);

#endif
