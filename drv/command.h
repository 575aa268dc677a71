/* SPDX-License-Identifier: MIT */
/*
 * Command memory of a context: pinned 16 KiB chunks from one pool, sub-allocated in 256-byte steps,
 * for streams, graph chains, kernargs and patch lists; and the writer that appends packets to it.
 */
#ifndef MT_DRV_COMMAND_H
#define MT_DRV_COMMAND_H

#include <stdint.h>

#include "drv/context.h"
#include "drv/result.h"

#define MT_COMMAND_CHUNK_B 16384u
#define MT_COMMAND_STEP_B  256u
#define MT_COMMAND_ITEM_MAX MT_COMMAND_CHUNK_B /* bytes of one submission: packets, kernarg, slots */
#define MT_COMMAND_KERNARG_MAX 15360u /* largest kernarg image: leaves room for the packets */

struct mt_command_block {
	void *cpu;    /* 256-aligned */
	uint64_t va;
	uint32_t size_b; /* multiple of MT_COMMAND_STEP_B, at most MT_COMMAND_CHUNK_B */
};

MUresult mt_command_pool_create(struct mt_ctx *ctx, struct mt_command_pool **pool_out);
void mt_command_pool_destroy(struct mt_command_pool *pool); /* accepts NULL */

/* Thread-safe. Larger needs take several blocks. */
MUresult mt_command_alloc(struct mt_command_pool *pool, uint32_t size_b,
			  struct mt_command_block *block_out);
void mt_command_free(struct mt_command_pool *pool, const struct mt_command_block *block);

struct mt_command_stats {
	uint64_t reserved_b; /* pinned by the pool */
	uint64_t used_b;     /* handed out */
};
void mt_command_stats_get(struct mt_command_pool *pool, struct mt_command_stats *stats_out);

#endif
