/* SPDX-License-Identifier: MIT */
/*
 * Queues: the ring of submissions, the role that one worker holds, and the life of a submission.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

#define LINGER_SPINS                                                                               \
	48u /* looks at the ring before an empty queue is let go: about a microsecond */

int mt_sg_queue_create(struct mt_sg_engine *engine, int priority, uint64_t id, uint64_t timeline_va,
		       struct mt_sg_queue **queue_out)
{
	struct mt_sg_queue *queue;
	uint32_t slot;
	int ret = 0;

	pthread_mutex_lock(&engine->thread_lock);
	if (engine->queue_free_count) {
		slot = engine->queue_free[--engine->queue_free_count];
		queue = atomic_load(&engine->queues[slot]);
	} else {
		slot = atomic_load(&engine->queue_count);
		if (slot == MT_SG_QUEUES_MAX) {
			ret = -ENOSPC;
			goto unlock;
		}
		/* Pages of the ring come when they are first used. */
		queue = mmap(NULL, sizeof(*queue), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (queue == MAP_FAILED) {
			ret = -ENOMEM;
			goto unlock;
		}
		queue->engine = engine;
		queue->slot = slot;
		queue->token = SG_STATE_TOKENS;
		atomic_store(&engine->queues[slot], queue);
		atomic_store(&engine->queue_count, slot + 1);
	}
	/* A queue that is used again keeps its counters: a late look at it then still finds it
	 * empty. */
	queue->base = atomic_load(&queue->tail);
	queue->id = id;
	queue->timeline_va = timeline_va;
	queue->level = priority >= 0 ? 0 : (uint32_t)-priority;
	if (queue->level >= MT_SG_PRIORITY_LEVELS)
		queue->level = MT_SG_PRIORITY_LEVELS - 1;
	queue->in_use = true;
	*queue_out = queue;
unlock:
	pthread_mutex_unlock(&engine->thread_lock);
	return ret;
}

void mt_sg_queue_destroy(struct mt_sg_queue *queue)
{
	struct mt_sg_engine *engine = queue->engine;

	if (engine->forked)
		return;
	if (mt_sg_wait(engine, queue->timeline_va, atomic_load(&queue->tail) - queue->base, -1,
		       false))
		return; /* the device has stopped: a worker may still be inside */
	while (atomic_load(&queue->state) != SG_STATE_IDLE) {
		if (atomic_load(&engine->stopped))
			return;
		sched_yield();
	}
	pthread_mutex_lock(&engine->thread_lock);
	queue->in_use = false;
	engine->queue_free[engine->queue_free_count++] = queue->slot;
	pthread_mutex_unlock(&engine->thread_lock);
}

void mt_sg_queues_free(struct mt_sg_engine *engine)
{
	struct mt_sg_queue *queue;
	uint32_t i, k;

	for (i = 0; i < atomic_load(&engine->queue_count); i++) {
		queue = atomic_load(&engine->queues[i]);
		/* A stopped device may leave waits behind. */
		mt_sg_waiter_unlink(&queue->start_waiter);
		for (k = 0; k < MT_HW_LANES_MAX; k++)
			mt_sg_waiter_unlink(&queue->lanes[k].waiter);
		mt_sg_record_free(queue);
		munmap(queue, sizeof(*queue));
	}
}

int mt_sg_queue_submit(struct mt_sg_queue *queue, const struct mt_hw_submit *submit)
{
	struct mt_sg_engine *engine = queue->engine;
	uint64_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
	struct sg_record *record = &queue->ring[tail % MT_SG_RING_SLOTS];
	int ret;

	if (unlikely(atomic_load_explicit(&engine->stopped, memory_order_relaxed)))
		return -EIO;
	if (!submit->lane_count || submit->lane_count > MT_HW_LANES_MAX)
		return -EINVAL;
	if (unlikely(!atomic_load_explicit(&engine->worker_count, memory_order_relaxed))) {
		ret = mt_sg_worker_wake(engine, 0);
		if (ret)
			return ret;
	}
	if (unlikely(tail - atomic_load_explicit(&queue->head, memory_order_acquire) >=
		     MT_SG_RING_SLOTS)) {
		ret = mt_sg_wait(engine, queue->timeline_va,
				 tail - queue->base - MT_SG_RING_SLOTS + 1, -1, false);
		if (ret)
			return ret;
	}
	record->lane_va = submit->lane_count == 1 ? submit->lane_va[0] : submit->lane_table_va;
	record->lane_count = submit->lane_count;
	record->flags = submit->flags;
	record->prologue_va = submit->prologue_va;
	record->wait_va = submit->wait_va;
	record->wait_value = submit->wait_value;
	record->exec_id = submit->exec_id;
	record->graph = (struct mt_sg_graph *)submit->graph;
	atomic_store(&queue->tail, tail + 1);
	/* Either this sees the queue idle, or its holder sees the new tail before it lets go. */
	if (atomic_load(&queue->state) == SG_STATE_IDLE) {
		mt_sg_ready_set(queue);
		mt_sg_ready_notify(engine);
	}
	return 0;
}

void mt_sg_queue_kick(struct mt_sg_queue *queue)
{
	uint64_t state;

	atomic_store(&queue->events, 1);
	state = atomic_load(&queue->state);
	if (state == SG_STATE_IDLE || state == SG_STATE_PARKED) {
		mt_sg_ready_set(queue);
		mt_sg_ready_notify(queue->engine);
	}
}

void mt_sg_item_done(struct mt_sg_queue *queue, uint32_t lane)
{
	atomic_fetch_sub(&queue->lanes[lane].pending, 1);
	mt_sg_queue_kick(queue);
}

/* Reads a word that the submission names; false: fault raised. */
static bool wait_met(struct sg_worker *worker, struct mt_sg_queue *queue,
		     const struct sg_record *record, bool *met_out)
{
	struct sg_waiter *waiter = &queue->start_waiter;

	if (!record->wait_va) {
		*met_out = true;
		return true;
	}
	if (record->wait_va & 7 || !mt_sg_check(worker, SG_ACCESS_WORD, record->wait_va, 8)) {
		mt_sg_worker_fault(worker,
				   record->wait_va & 7 ? MT_HW_FAULT_MISALIGNED
						       : MT_HW_FAULT_ILLEGAL_ADDRESS,
				   record->wait_va, "start waits on a bad address");
		return false;
	}
	*met_out = mt_sg_word_load(record->wait_va) >= record->wait_value;
	if (*met_out) {
		mt_sg_waiter_unlink(waiter);
	} else if (!atomic_load(&waiter->linked)) {
		waiter->va = record->wait_va;
		waiter->value = record->wait_value;
	}
	return true;
}

static void start_lane(struct mt_sg_queue *queue, uint32_t index, uint64_t va)
{
	struct sg_lane *lane = &queue->lanes[index];

	lane->pc = va;
	lane->block = SG_RUNNABLE;
	lane->depth = 0;
	lane->deferred_count = 0;
	lane->waiter.queue = queue;
	queue->live |= 1u << index;
}

static bool start_lanes(struct sg_worker *worker, struct mt_sg_queue *queue,
			const struct sg_record *record)
{
	const uint64_t *table = (const uint64_t *)(uintptr_t)record->lane_va;
	uint32_t i;

	queue->live = 0;
	queue->lane_at = 0;
	queue->phase = SG_PHASE_LANES;
	if (record->lane_count == 1) {
		start_lane(queue, 0, record->lane_va);
		return true;
	}
	if (record->lane_va & 7 ||
	    !mt_sg_check(worker, SG_ACCESS_PACKET, record->lane_va, record->lane_count * 8u)) {
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, record->lane_va,
				   "table of lanes at a bad address");
		return false;
	}
	for (i = 0; i < record->lane_count; i++)
		start_lane(queue, i, table[i]);
	return true;
}

static void complete(struct mt_sg_queue *queue)
{
	uint64_t head = atomic_load_explicit(&queue->head, memory_order_relaxed) + 1;

	if (unlikely(queue->engine->config.accesses != NULL) && queue->exec_id)
		mt_sg_record_end(queue);
	queue->phase = SG_PHASE_NONE;
	atomic_store_explicit(&queue->head, head, memory_order_release);
	atomic_store((_Atomic uint64_t *)(uintptr_t)queue->timeline_va, head - queue->base);
	mt_sg_notify(queue->timeline_va);
}

/* Moves the active submission on. SG_ENDED: nothing is submitted. */
static enum sg_result advance(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	uint64_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
	const struct sg_record *record = &queue->ring[head % MT_SG_RING_SLOTS];
	enum sg_result result;
	bool met;

	switch (queue->phase) {
	case SG_PHASE_NONE:
		if (head == atomic_load_explicit(&queue->tail, memory_order_acquire))
			return SG_ENDED;
		queue->exec_id = record->exec_id;
		queue->careful =
			worker->engine->config.random || record->flags & MT_HW_SUBMIT_PRIORITIES;
		queue->start_waiter.queue = queue;
		queue->phase = SG_PHASE_WAIT;
		__attribute__((fallthrough));
	case SG_PHASE_WAIT:
		mt_sg_check_refresh(worker);
		worker->exec_id = queue->exec_id;
		if (!wait_met(worker, queue, record, &met))
			return SG_STOPPED;
		if (!met)
			return SG_BLOCKED;
		if (unlikely(record->graph != NULL))
			mt_sg_run_begin(queue, record->graph);
		if (!record->prologue_va)
			return start_lanes(worker, queue, record) ? SG_NEXT : SG_STOPPED;
		queue->live = 0;
		queue->lane_at = 0;
		queue->phase = SG_PHASE_PROLOGUE;
		start_lane(queue, 0, record->prologue_va);
		return SG_NEXT;
	case SG_PHASE_CHILDREN:
		if (!mt_sg_run_settled(queue))
			return SG_BLOCKED;
		complete(queue);
		return SG_NEXT;
	default:
		worker->exec_id = queue->exec_id;
		result = queue->careful ? mt_sg_careful_run(worker, queue)
					: mt_sg_lanes_run(worker, queue);
		if (result == SG_CAREFUL) {
			queue->careful = true;
			return SG_NEXT;
		}
		if (result != SG_ENDED)
			return result;
		if (queue->phase == SG_PHASE_PROLOGUE)
			return start_lanes(worker, queue, record) ? SG_NEXT : SG_STOPPED;
		if (unlikely(atomic_load_explicit(&queue->tracked, memory_order_acquire)) &&
		    !mt_sg_run_end(queue)) {
			queue->phase = SG_PHASE_CHILDREN;
			return SG_BLOCKED;
		}
		complete(queue);
		return SG_NEXT;
	}
}

/* Makes every wait of a blocked queue known; true if one has been met meanwhile. */
static bool link_waits(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	struct mt_sg_engine *engine = queue->engine;
	uint64_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
	struct sg_lane *lane;
	bool met = false;
	uint32_t i;

	if (queue->phase == SG_PHASE_WAIT) {
		if (!atomic_load(&queue->start_waiter.linked))
			mt_sg_waiter_link(engine, &queue->start_waiter);
		return !wait_met(worker, queue, &queue->ring[head % MT_SG_RING_SLOTS], &met) || met;
	}
	if (queue->phase == SG_PHASE_CHILDREN)
		return atomic_load(&queue->settled);
	for (i = 0; i < MT_HW_LANES_MAX; i++) {
		lane = &queue->lanes[i];
		if (!(queue->live >> i & 1))
			continue;
		if (lane->block == SG_BLOCK_WAIT && !atomic_load(&lane->waiter.linked))
			mt_sg_waiter_link(engine, &lane->waiter);
		met |= mt_sg_lane_runnable(worker, lane);
	}
	return met;
}

/* Lets the role go unless there is something to do after all. */
static bool let_go(struct sg_worker *worker, struct mt_sg_queue *queue, bool blocked)
{
	uint64_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
	uint64_t expected = blocked ? SG_STATE_PARKED : SG_STATE_IDLE;
	uint32_t i;

	atomic_exchange(&queue->events, 0);
	if (blocked) {
		if (link_waits(worker, queue))
			return false;
		if (atomic_load(&queue->engine->parked))
			mt_sg_monitor_kick(queue->engine);
	} else {
		for (i = 0; i < LINGER_SPINS && !mt_sg_ready_any(queue->engine); i++) {
			if (atomic_load_explicit(&queue->tail, memory_order_relaxed) != head)
				return false;
			__builtin_ia32_pause();
		}
	}
	atomic_store(&queue->state, expected);
	if (atomic_load(&queue->events) || (!blocked && atomic_load(&queue->tail) != head))
		return !atomic_compare_exchange_strong(&queue->state, &expected, SG_STATE_OWNED);
	return true;
}

void mt_sg_queue_run(struct sg_worker *worker, struct mt_sg_queue *queue)
{
	bool gone = false;

	atomic_store_explicit(&worker->queue, queue, memory_order_relaxed);
	while (!gone) {
		switch (advance(worker, queue)) {
		case SG_NEXT:
			break;
		case SG_BLOCKED:
			gone = let_go(worker, queue, true);
			break;
		case SG_ENDED:
			gone = let_go(worker, queue, false);
			break;
		case SG_YIELD:
			atomic_store(&queue->state, SG_STATE_PARKED);
			mt_sg_ready_set(queue);
			gone = true;
			break;
		default: /* lost, or stopped for good */
			gone = true;
			break;
		}
		if (unlikely(atomic_load_explicit(&queue->engine->stopped, memory_order_relaxed)))
			gone = true;
	}
	atomic_store_explicit(&worker->queue, NULL, memory_order_relaxed);
}
