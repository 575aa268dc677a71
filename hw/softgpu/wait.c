/* SPDX-License-Identifier: MIT */
/*
 * Waiting for 64-bit words: who waits is found by address, so that a signal wakes only those whose
 * value has come. A waiter links itself, then looks at the word; a signaller stores, then looks for
 * waiters; both with a full fence between, so one of them sees the other. All engines of a process
 * share the table, because their lanes wait for each other's words.
 */
#include <errno.h>

#include "hw/softgpu/internal.h"

#define SPIN_NS 20000u /* a host thread looks so long before it sleeps */
#define POLL_NS 1000000

#define BUCKET_BITS 8
#define BUCKETS     (1u << BUCKET_BITS)

struct bucket {
	pthread_mutex_t lock;
	struct sg_waiter *first; /* borrowed; guarded by lock */
} __attribute__((aligned(CACHE_LINE_B)));

static struct bucket buckets[BUCKETS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

_Atomic uint32_t mt_sg_waiting __attribute__((aligned(CACHE_LINE_B)));

static struct bucket *bucket_of(uint64_t va)
{
	return &buckets[(va >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BUCKET_BITS)];
}

static void init_buckets(void)
{
	uint32_t i;

	/* Default mutexes cannot fail to be made on Linux. */
	for (i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&buckets[i].lock, NULL);
}

void mt_sg_waiters_init(void)
{
	pthread_once(&once, init_buckets);
}

void mt_sg_waiter_link(struct mt_sg_engine *engine, struct sg_waiter *waiter)
{
	struct bucket *bucket = bucket_of(waiter->va);

	waiter->engine = engine;
	pthread_mutex_lock(&bucket->lock);
	waiter->prev = NULL;
	waiter->next = bucket->first;
	if (bucket->first)
		bucket->first->prev = waiter;
	bucket->first = waiter;
	atomic_store(&waiter->linked, 1);
	if (waiter->queue)
		atomic_fetch_add(&engine->parked, 1);
	pthread_mutex_unlock(&bucket->lock);
	atomic_fetch_add(&mt_sg_waiting, 1);
}

static void unlink_locked(struct bucket *bucket, struct sg_waiter *waiter)
{
	if (!atomic_load(&waiter->linked))
		return;
	if (waiter->next)
		waiter->next->prev = waiter->prev;
	if (waiter->prev)
		waiter->prev->next = waiter->next;
	else
		bucket->first = waiter->next;
	if (waiter->queue)
		atomic_fetch_sub(&waiter->engine->parked, 1);
	atomic_store(&waiter->linked, 0);
	atomic_fetch_sub(&mt_sg_waiting, 1);
}

void mt_sg_waiter_unlink(struct sg_waiter *waiter)
{
	struct bucket *bucket;

	if (!atomic_load(&waiter->linked))
		return;
	bucket = bucket_of(waiter->va);
	pthread_mutex_lock(&bucket->lock);
	unlink_locked(bucket, waiter);
	pthread_mutex_unlock(&bucket->lock);
}

/* Under the bucket's lock: a host waiter's memory is gone once it has been unlinked and seen it. */
static void wake_locked(struct bucket *bucket, struct sg_waiter *waiter)
{
	struct mt_sg_queue *queue = waiter->queue;

	if (queue) {
		unlink_locked(bucket, waiter);
		mt_sg_queue_kick(queue);
		return;
	}
	atomic_store(&waiter->woken, 1);
	mt_sg_futex_wake(&waiter->woken, 1);
}

void mt_sg_notify_slow(uint64_t va)
{
	struct bucket *bucket = bucket_of(va);
	struct sg_waiter *waiter, *next;
	uint64_t value = mt_sg_word_load(va);

	pthread_mutex_lock(&bucket->lock);
	for (waiter = bucket->first; waiter; waiter = next) {
		next = waiter->next;
		if (waiter->va == va && value >= waiter->value)
			wake_locked(bucket, waiter);
	}
	pthread_mutex_unlock(&bucket->lock);
}

void mt_sg_wake_hosts(struct mt_sg_engine *engine)
{
	struct sg_waiter *waiter;
	uint32_t i;

	for (i = 0; i < BUCKETS; i++) {
		pthread_mutex_lock(&buckets[i].lock);
		for (waiter = buckets[i].first; waiter; waiter = waiter->next)
			if (!waiter->queue && waiter->engine == engine)
				wake_locked(&buckets[i], waiter);
		pthread_mutex_unlock(&buckets[i].lock);
	}
}

void mt_sg_waiters_poll(struct mt_sg_engine *engine)
{
	struct sg_waiter *waiter, *next;
	struct bucket *bucket;
	struct sg_range range;
	uint64_t value;
	uint32_t i;

	for (i = 0; i < BUCKETS; i++) {
		bucket = &buckets[i];
		pthread_mutex_lock(&bucket->lock);
		for (waiter = bucket->first; waiter; waiter = next) {
			next = waiter->next;
			if (!waiter->queue || waiter->engine != engine)
				continue;
			/* Registered words stay mapped while the lock is held. */
			pthread_mutex_lock(&engine->map_lock);
			value = mt_sg_range_find_locked(engine, waiter->va, 8, MT_SG_READ, &range)
					? mt_sg_word_load(waiter->va)
					: 0;
			pthread_mutex_unlock(&engine->map_lock);
			if (value >= waiter->value)
				wake_locked(bucket, waiter);
		}
		pthread_mutex_unlock(&bucket->lock);
	}
}

static bool spin_for(struct mt_sg_engine *engine, uint64_t va, uint64_t value)
{
	uint64_t start = mt_sg_time_ns();
	uint32_t i;

	do {
		for (i = 0; i < 32; i++) {
			if (mt_sg_word_load(va) >= value)
				return true;
			__builtin_ia32_pause();
		}
		if (atomic_load_explicit(&engine->stopped, memory_order_relaxed))
			return false;
	} while (mt_sg_time_ns() - start < SPIN_NS);
	return false;
}

int mt_sg_wait(struct mt_sg_engine *engine, uint64_t va, uint64_t value, int64_t timeout_ns,
	       bool poll)
{
	struct sg_waiter waiter = {.va = va, .value = value};
	uint64_t end = 0, now;
	int64_t left = -1;
	int ret;

	if (mt_sg_word_load(va) >= value)
		return 0;
	if (engine->forked)
		return -EIO;
	if (atomic_load(&engine->stopped))
		return mt_sg_word_load(va) >= value ? 0 : -EIO;
	if (!timeout_ns)
		return -ETIME;
	if (spin_for(engine, va, value))
		return 0;
	if (timeout_ns > 0)
		end = mt_sg_time_ns() + (uint64_t)timeout_ns;
	mt_sg_waiter_link(engine, &waiter);
	for (;;) {
		if (mt_sg_word_load(va) >= value) {
			ret = 0;
			break;
		}
		if (atomic_load(&engine->stopped)) {
			/* What completed before the stop has completed. */
			ret = mt_sg_word_load(va) >= value ? 0 : -EIO;
			break;
		}
		if (timeout_ns > 0) {
			now = mt_sg_time_ns();
			if (now >= end) {
				ret = -ETIME;
				break;
			}
			left = (int64_t)(end - now);
		}
		if (poll && (left < 0 || left > POLL_NS))
			mt_sg_futex_wait(&waiter.woken, 0, POLL_NS);
		else
			mt_sg_futex_wait(&waiter.woken, 0, left);
		atomic_store(&waiter.woken, 0);
	}
	mt_sg_waiter_unlink(&waiter);
	return ret;
}

void mt_sg_signal(struct mt_sg_engine *engine, uint64_t va, uint64_t value)
{
	_Atomic uint64_t *word = (_Atomic uint64_t *)(uintptr_t)va;
	uint64_t old = atomic_load(word);

	while (old < value)
		if (atomic_compare_exchange_weak(word, &old, value))
			break;
	if (!engine->forked)
		mt_sg_notify(va);
}
