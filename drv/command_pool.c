/* SPDX-License-Identifier: MIT */
/*
 * The pool of command memory: slabs of pinned memory, cut into chunks of 16 KiB, each with one bit
 * per 256-byte step. Chunks stand in lists by their longest free run, so that taking a block looks
 * at one list head. What the blocks hold is none of its business.
 */
#include "drv/command.h"

#include <assert.h>
#include <string.h>

#include "hw/base/alloc.h"

#define STEPS           (MT_COMMAND_CHUNK_B / MT_COMMAND_STEP_B)
#define SLAB_CHUNKS_MIN 16u
#define SLAB_CHUNKS_MAX 256u
#define IDLE_KEEP_B     (64u << 20) /* free memory that stays, so that bursts do not map and unmap */

_Static_assert(STEPS == 64, "one mask word per chunk");

struct chunk {
	uint64_t free;              /* bit n: step n is free */
	struct chunk *next, **link; /* in lists[run] */
	struct slab *slab;
	uint32_t run; /* longest free run, in steps */
};

struct slab {
	struct mt_hw_bo *bo; /* owned */
	uint32_t chunk_count;
	uint32_t used_steps;
	struct chunk chunks[];
};

struct mt_command_pool {
	struct mt_ctx *ctx;
	pthread_mutex_t lock; /* guards all below */
	struct chunk *lists[STEPS + 1];
	uint64_t filled;     /* bit n: lists[n + 1] has entries */
	struct slab **slabs; /* owned, by ascending CPU address */
	uint32_t slab_count, slab_capacity;
	uint64_t reserved_b, used_b;
};

/* Bit n of the result: `count` free steps begin at step n. */
static uint64_t runs_of(uint64_t mask, uint32_t count)
{
	for (uint32_t have = 1; have < count;) {
		uint32_t step = have < count - have ? have : count - have;

		mask &= mask >> step;
		have += step;
	}
	return mask;
}

static uint32_t longest_run(uint64_t mask)
{
	uint32_t low = 0, high = STEPS;

	while (low < high) {
		uint32_t middle = (low + high + 1) / 2;

		if (runs_of(mask, middle))
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static uint64_t steps_mask(uint32_t first, uint32_t count)
{
	return (count == STEPS ? UINT64_MAX : (1ull << count) - 1) << first;
}

static void list_chunk(struct mt_command_pool *pool, struct chunk *chunk)
{
	struct chunk **head;

	chunk->run = longest_run(chunk->free);
	head = &pool->lists[chunk->run];
	chunk->next = *head;
	chunk->link = head;
	if (*head)
		(*head)->link = &chunk->next;
	*head = chunk;
	if (chunk->run)
		pool->filled |= 1ull << (chunk->run - 1);
}

static void unlist_chunk(struct mt_command_pool *pool, struct chunk *chunk)
{
	*chunk->link = chunk->next;
	if (chunk->next)
		chunk->next->link = chunk->link;
	if (chunk->run && !pool->lists[chunk->run])
		pool->filled &= ~(1ull << (chunk->run - 1));
}

/* Index of the first slab that ends behind `cpu`. */
static uint32_t slab_index(const struct mt_command_pool *pool, const void *cpu)
{
	uint32_t low = 0, high = pool->slab_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct slab *slab = pool->slabs[middle];

		if ((uintptr_t)slab->bo->cpu + slab->bo->size_b <= (uintptr_t)cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static MUresult make_room_for_slab(struct mt_command_pool *pool)
{
	uint32_t capacity = pool->slab_capacity ? pool->slab_capacity * 2 : 8;
	struct slab **slabs;

	if (pool->slab_count < pool->slab_capacity)
		return MUSA_SUCCESS;
	slabs = mt_realloc(pool->slabs, capacity * sizeof(*slabs));
	if (!slabs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	pool->slabs = slabs;
	pool->slab_capacity = capacity;
	return MUSA_SUCCESS;
}

static MUresult create_slab(struct mt_command_pool *pool, uint32_t chunk_count,
			    struct slab **slab_out)
{
	struct mt_hw_device *hw = pool->ctx->hw;
	struct slab *slab;
	int error;

	slab = mt_calloc(1, sizeof(*slab) + chunk_count * sizeof(slab->chunks[0]));
	if (!slab)
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = hw->ops->bo_create(hw, (uint64_t)chunk_count * MT_COMMAND_CHUNK_B, MT_HW_COMMAND, 0,
				   &slab->bo);
	if (error) {
		mt_free(slab);
		return mt_result_from_errno(hw, error);
	}
	slab->chunk_count = chunk_count;
	*slab_out = slab;
	return MUSA_SUCCESS;
}

/* One more slab, larger the more there is already; a small one where memory is short. */
static MUresult grow_pool(struct mt_command_pool *pool)
{
	uint64_t wanted = pool->reserved_b / MT_COMMAND_CHUNK_B;
	uint32_t chunk_count = wanted > SLAB_CHUNKS_MAX   ? SLAB_CHUNKS_MAX
			       : wanted < SLAB_CHUNKS_MIN ? SLAB_CHUNKS_MIN
							  : (uint32_t)wanted;
	struct slab *slab = NULL;
	uint32_t at;
	MUresult ret;

	ret = make_room_for_slab(pool);
	if (ret)
		return ret;
	ret = create_slab(pool, chunk_count, &slab);
	if (ret == MUSA_ERROR_OUT_OF_MEMORY && chunk_count > SLAB_CHUNKS_MIN)
		ret = create_slab(pool, SLAB_CHUNKS_MIN, &slab);
	if (ret)
		return ret;
	at = slab_index(pool, slab->bo->cpu);
	memmove(&pool->slabs[at + 1], &pool->slabs[at],
		(pool->slab_count - at) * sizeof(pool->slabs[0]));
	pool->slabs[at] = slab;
	pool->slab_count++;
	pool->reserved_b += (uint64_t)slab->chunk_count * MT_COMMAND_CHUNK_B;
	for (uint32_t i = slab->chunk_count; i-- > 0;) {
		slab->chunks[i].slab = slab;
		slab->chunks[i].free = UINT64_MAX;
		list_chunk(pool, &slab->chunks[i]);
	}
	return MUSA_SUCCESS;
}

static void drop_slab(struct mt_command_pool *pool, uint32_t at)
{
	struct slab *slab = pool->slabs[at];
	struct mt_hw_device *hw = pool->ctx->hw;

	for (uint32_t i = 0; i < slab->chunk_count; i++)
		unlist_chunk(pool, &slab->chunks[i]);
	pool->slab_count--;
	memmove(&pool->slabs[at], &pool->slabs[at + 1],
		(pool->slab_count - at) * sizeof(pool->slabs[0]));
	pool->reserved_b -= (uint64_t)slab->chunk_count * MT_COMMAND_CHUNK_B;
	hw->ops->bo_destroy(slab->bo);
	mt_free(slab);
}

MUresult mt_command_pool_create(struct mt_ctx *ctx, struct mt_command_pool **pool_out)
{
	struct mt_command_pool *pool = mt_calloc(1, sizeof(*pool));

	if (!pool)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (pthread_mutex_init(&pool->lock, NULL)) {
		mt_free(pool);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	pool->ctx = ctx;
	*pool_out = pool;
	return MUSA_SUCCESS;
}

void mt_command_pool_destroy(struct mt_command_pool *pool)
{
	if (!pool)
		return;
	while (pool->slab_count)
		drop_slab(pool, pool->slab_count - 1);
	mt_free(pool->slabs);
	pthread_mutex_destroy(&pool->lock);
	mt_free(pool);
}

MUresult mt_command_alloc(struct mt_command_pool *pool, uint32_t size_b,
			  struct mt_command_block *block_out)
{
	uint32_t steps = (size_b + MT_COMMAND_STEP_B - 1) / MT_COMMAND_STEP_B;
	MUresult ret = MUSA_SUCCESS;
	struct chunk *chunk;
	uint64_t offset_b;
	uint32_t first;

	assert(steps > 0 && steps <= STEPS);
	pthread_mutex_lock(&pool->lock);
	if (!(pool->filled >> (steps - 1)))
		ret = grow_pool(pool);
	if (ret)
		goto unlock;
	chunk = pool->lists[(uint32_t)__builtin_ctzll(pool->filled >> (steps - 1)) + steps];
	first = (uint32_t)__builtin_ctzll(runs_of(chunk->free, steps));
	unlist_chunk(pool, chunk);
	chunk->free &= ~steps_mask(first, steps);
	list_chunk(pool, chunk);
	chunk->slab->used_steps += steps;
	pool->used_b += (uint64_t)steps * MT_COMMAND_STEP_B;
	offset_b = (uint64_t)(chunk - chunk->slab->chunks) * MT_COMMAND_CHUNK_B +
		   (uint64_t)first * MT_COMMAND_STEP_B;
	block_out->cpu = (char *)chunk->slab->bo->cpu + offset_b;
	block_out->va = chunk->slab->bo->va + offset_b;
	block_out->size_b = steps * MT_COMMAND_STEP_B;
unlock:
	pthread_mutex_unlock(&pool->lock);
	return ret;
}

void mt_command_free(struct mt_command_pool *pool, const struct mt_command_block *block)
{
	uint32_t steps = block->size_b / MT_COMMAND_STEP_B;
	struct chunk *chunk;
	struct slab *slab;
	uint64_t offset_b, slab_b;
	uint64_t mask;
	uint32_t at;

	pthread_mutex_lock(&pool->lock);
	at = slab_index(pool, block->cpu);
	assert(at < pool->slab_count);
	slab = pool->slabs[at];
	offset_b = (uint64_t)((char *)block->cpu - (char *)slab->bo->cpu);
	chunk = &slab->chunks[offset_b / MT_COMMAND_CHUNK_B];
	mask = steps_mask((uint32_t)(offset_b % MT_COMMAND_CHUNK_B / MT_COMMAND_STEP_B), steps);
	assert(!(chunk->free & mask));
	unlist_chunk(pool, chunk);
	chunk->free |= mask;
	list_chunk(pool, chunk);
	slab->used_steps -= steps;
	pool->used_b -= (uint64_t)steps * MT_COMMAND_STEP_B;
	slab_b = (uint64_t)slab->chunk_count * MT_COMMAND_CHUNK_B;
	if (!slab->used_steps && pool->reserved_b - pool->used_b >= slab_b + IDLE_KEEP_B)
		drop_slab(pool, at);
	pthread_mutex_unlock(&pool->lock);
}

void mt_command_stats_get(struct mt_command_pool *pool, struct mt_command_stats *stats_out)
{
	pthread_mutex_lock(&pool->lock);
	stats_out->reserved_b = pool->reserved_b;
	stats_out->used_b = pool->used_b;
	pthread_mutex_unlock(&pool->lock);
}
