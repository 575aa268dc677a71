/* SPDX-License-Identifier: MIT */
/*
 * The ready map: one bit per queue that may be run, by urgency. Setting a bit takes no lock.
 */
#include "hw/softgpu/internal.h"

#define WORDS     (MT_SG_QUEUES_MAX / 64)
#define SUMMARIES (WORDS / 64)

void mt_sg_ready_set(struct mt_sg_queue *queue)
{
	struct mt_sg_engine *engine = queue->engine;
	struct sg_ready *ready = &engine->ready[queue->level];
	uint32_t word = queue->slot / 64, urgent = queue->level + 1, old;

	atomic_fetch_or(&ready->words[word], UINT64_C(1) << queue->slot % 64);
	atomic_fetch_or(&ready->summary[word / 64], UINT64_C(1) << word % 64);
	old = atomic_load(&engine->urgent);
	while (old < urgent && !atomic_compare_exchange_weak(&engine->urgent, &old, urgent))
		;
	/* Level 0 is more urgent than nothing: no running queue has to make way. */
	if (urgent > 1 && old < urgent)
		mt_sg_attention(engine);
}

static bool level_any(struct sg_ready *ready)
{
	uint32_t i;

	for (i = 0; i < SUMMARIES; i++)
		if (atomic_load(&ready->summary[i]))
			return true;
	return false;
}

bool mt_sg_ready_any(struct mt_sg_engine *engine)
{
	return atomic_load_explicit(&engine->urgent, memory_order_relaxed) != 0;
}

/* Zero first, then look: whoever sets a bit afterwards raises the hint again. */
static void update_urgent(struct mt_sg_engine *engine)
{
	uint32_t level = MT_SG_PRIORITY_LEVELS, old;

	atomic_exchange(&engine->urgent, 0);
	while (level && !level_any(&engine->ready[level - 1]))
		level--;
	old = atomic_load(&engine->urgent);
	while (old < level && !atomic_compare_exchange_weak(&engine->urgent, &old, level))
		;
	if (level > 1)
		mt_sg_attention(engine);
}

/* Clears the summary of an empty word, then looks again: a bit set in between must not be lost, and
 * makes this return false. */
static bool settle_summary(struct sg_ready *ready, uint32_t word)
{
	atomic_fetch_and(&ready->summary[word / 64], ~(UINT64_C(1) << word % 64));
	if (!atomic_load(&ready->words[word]))
		return true;
	atomic_fetch_or(&ready->summary[word / 64], UINT64_C(1) << word % 64);
	return false;
}

/* First ready slot at or behind `from`, cyclically; MT_SG_QUEUES_MAX if none. */
static uint32_t find_slot(struct sg_ready *ready, uint32_t from)
{
	uint64_t bits, mask = ~UINT64_C(0) << from % 64, summary;
	uint32_t i, word = from / 64;

	bits = atomic_load(&ready->words[word]) & mask;
	if (bits)
		return word * 64 + (uint32_t)__builtin_ctzll(bits);
	for (i = 1; i <= WORDS; i++) {
		word = (from / 64 + i) % WORDS;
		summary = atomic_load(&ready->summary[word / 64]);
		if (!summary && !(word % 64)) {
			i += 63;
			continue;
		}
		if (!(summary >> word % 64 & 1))
			continue;
		bits = atomic_load(&ready->words[word]);
		if (bits)
			return word * 64 + (uint32_t)__builtin_ctzll(bits);
		if (!settle_summary(ready, word))
			i--;
	}
	return MT_SG_QUEUES_MAX;
}

/* Takes the slot's bit and, if the queue is free, its role. */
static struct mt_sg_queue *take(struct mt_sg_engine *engine, struct sg_ready *ready, uint32_t slot)
{
	uint64_t bit = UINT64_C(1) << slot % 64, old, state;
	struct mt_sg_queue *queue;

	old = atomic_fetch_and(&ready->words[slot / 64], ~bit);
	if (!(old & bit))
		return NULL;
	/* Nobody else is to be woken for what is not there. */
	if (old == bit)
		settle_summary(ready, slot / 64);
	queue = atomic_load(&engine->queues[slot]);
	state = atomic_load(&queue->state);
	while (state == SG_STATE_IDLE || state == SG_STATE_PARKED)
		if (atomic_compare_exchange_weak(&queue->state, &state, SG_STATE_OWNED))
			return queue;
	return NULL;
}

static struct mt_sg_queue *claim_level(struct sg_worker *worker, uint32_t level)
{
	struct sg_ready *ready = &worker->engine->ready[level];
	struct mt_sg_queue *queue;
	uint32_t slot;

	while (level_any(ready)) {
		slot = worker->ready_at[level];
		if (worker->engine->config.random)
			slot = (uint32_t)(mt_sg_random(worker) %
					  atomic_load(&worker->engine->queue_count));
		slot = find_slot(ready, slot);
		if (slot == MT_SG_QUEUES_MAX)
			return NULL;
		worker->ready_at[level] = (slot + 1) % MT_SG_QUEUES_MAX;
		queue = take(worker->engine, ready, slot);
		if (queue)
			return queue;
	}
	return NULL;
}

struct mt_sg_queue *mt_sg_ready_claim(struct sg_worker *worker)
{
	struct mt_sg_engine *engine = worker->engine;
	struct mt_sg_queue *queue = NULL;
	uint32_t level, rotate = 0;

	if (!mt_sg_ready_any(engine))
		return NULL;
	/* Urgency is no dependency: random order ignores it. */
	if (engine->config.random)
		rotate = (uint32_t)(mt_sg_random(worker) % MT_SG_PRIORITY_LEVELS);
	for (level = 0; level < MT_SG_PRIORITY_LEVELS && !queue; level++)
		queue = claim_level(worker, (2 * MT_SG_PRIORITY_LEVELS - 1 - level - rotate) %
						    MT_SG_PRIORITY_LEVELS);
	update_urgent(engine);
	return queue;
}
