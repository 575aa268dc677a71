/* SPDX-License-Identifier: MIT */
/*
 * Worker threads: made when first needed, looking for work in a fixed order, asleep when there is
 * none.
 *
 * Idle workers first spin for a short while. Then one of them, the watcher, sleeps with a time-out
 * as long as other workers are busy, because a long kernel may leave work behind that nobody
 * announced; the others sleep until they are woken.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

#define SPIN_NS      20000u /* how long an idle worker looks around before it sleeps */
#define HELP_AGE_NS  3000u  /* a kernel that runs so long is worth helping */
#define WATCH_MIN_NS 50000u /* first and longest nap of the watcher */
#define WATCH_MAX_NS 2000000u
#define WATCH_LINGER_NS                                                                            \
	20000000u /* it stays so long after the last work, so that a burst of                      \
		   * launches arms it once */
#define SIGNAL_STACK_B 65536u
#define STOP_WAIT_NS   200000000u /* for a worker whose kernel does not end */
#define SHARED_ALIGN_B 128u

uint64_t mt_sg_random(struct sg_worker *worker)
{
	uint64_t z = worker->random += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Takes over a role that has been published unchanged for a while. */
static struct mt_sg_queue *steal_role(struct sg_worker *worker, uint64_t now_ns)
{
	struct mt_sg_engine *engine = worker->engine;
	uint32_t i, count = atomic_load(&engine->worker_count);
	struct mt_sg_queue *queue;
	struct sg_seen *seen;
	uint64_t state;

	for (i = 0; i < count; i++) {
		queue = atomic_load_explicit(&engine->workers[i]->queue, memory_order_acquire);
		if (!queue || i == worker->index)
			continue;
		state = atomic_load(&queue->state);
		if (state < SG_STATE_TOKENS)
			continue;
		seen = &worker->seen[i];
		if (seen->token != state || seen->queue != queue) {
			seen->token = state;
			seen->queue = queue;
			seen->token_ns = now_ns;
			continue;
		}
		if (now_ns - seen->token_ns < HELP_AGE_NS ||
		    !atomic_compare_exchange_strong(&queue->state, &state, SG_STATE_OWNED))
			continue;
		/* The former holder's kernel counts from now on. */
		atomic_fetch_add(&queue->lanes[queue->inline_lane].pending, 1);
		return queue;
	}
	return NULL;
}

static bool find_work(struct sg_worker *worker, uint64_t now_ns)
{
	struct mt_sg_engine *engine = worker->engine;
	struct mt_sg_queue *queue = mt_sg_ready_claim(worker);
	bool found;

	if (!queue && atomic_load(&engine->busy))
		queue = steal_role(worker, now_ns);
	if (!queue) {
		if (!atomic_load(&engine->busy))
			return false;
		found = mt_sg_jobs_help(worker, now_ns, HELP_AGE_NS);
		return found;
	}
	atomic_fetch_add(&engine->busy, 1);
	if (mt_sg_ready_any(engine))
		mt_sg_worker_wake(engine, 1);
	mt_sg_queue_run(worker, queue);
	atomic_fetch_sub(&engine->busy, 1);
	return true;
}

/* True if work was found and done. */
static bool spin(struct sg_worker *worker)
{
	struct mt_sg_engine *engine = worker->engine;
	uint64_t start = mt_sg_time_ns(), now = start;
	uint32_t i;

	do {
		if (mt_sg_ready_any(engine) || atomic_load(&engine->busy)) {
			atomic_fetch_sub(&engine->spinning, 1);
			if (find_work(worker, now))
				return true;
			atomic_fetch_add(&engine->spinning, 1);
		}
		for (i = 0; i < 16 && !mt_sg_ready_any(engine); i++)
			__builtin_ia32_pause();
		now = mt_sg_time_ns();
	} while (now - start < SPIN_NS && !atomic_load(&engine->stopped));
	atomic_fetch_sub(&engine->spinning, 1);
	return false;
}

static void nap(struct sg_worker *worker, uint64_t *watch_ns)
{
	struct mt_sg_engine *engine = worker->engine;
	uint32_t none = 0;
	bool watch = false;

	if (*watch_ns && atomic_compare_exchange_strong(&engine->watcher, &none, 1))
		watch = true;
	mt_sg_sleep(worker, watch ? (int64_t)*watch_ns : -1);
	if (watch) {
		atomic_store(&engine->watcher, 0);
		*watch_ns *= 2;
		if (*watch_ns > WATCH_MAX_NS)
			*watch_ns = WATCH_MAX_NS;
	}
}

static void work(struct sg_worker *worker)
{
	struct mt_sg_engine *engine = worker->engine;
	uint64_t watch_ns = WATCH_MIN_NS, idle_since = 0, now;
	bool found, hot = true;

	while (!atomic_load(&engine->ending)) {
		if (atomic_load(&engine->stopped)) {
			/* Nothing runs any more; the end will wake the worker. */
			watch_ns = 0;
			nap(worker, &watch_ns);
			continue;
		}
		now = mt_sg_time_ns();
		found = find_work(worker, now);
		if (!found && hot) {
			atomic_fetch_add(&engine->spinning, 1);
			if (mt_sg_may_spin(worker)) {
				found = spin(worker);
			} else {
				atomic_fetch_sub(&engine->spinning, 1);
				/* A single launch: no burst that a watcher would be kept for. */
				if (!atomic_load(&engine->busy))
					watch_ns = 0;
			}
		}
		hot = found;
		if (found) {
			watch_ns = WATCH_MIN_NS;
			idle_since = 0;
			continue;
		}
		if (atomic_load(&engine->busy))
			idle_since = 0;
		else if (!idle_since)
			idle_since = now;
		else if (now - idle_since > WATCH_LINGER_NS)
			watch_ns = 0;
		nap(worker, &watch_ns);
		if (!watch_ns) {
			watch_ns = WATCH_MIN_NS;
			idle_since = 0;
		}
	}
}

static void *worker_main(void *argument)
{
	struct sg_worker *worker = argument;
	stack_t stack = {.ss_sp = worker->signal_stack, .ss_size = SIGNAL_STACK_B};
	char name[16] = "musa-gpu";

	prctl(PR_SET_NAME, name);
	prctl(PR_SET_TIMERSLACK, 1000);
	mt_sg_short_slices();
	sigaltstack(&stack, NULL);
	mt_sg_self_set(worker);
	worker->crash_signal = 0;
	if (mt_sg_context_save(&worker->recover)) {
		/* Only a fault leads here: the device has stopped or does so now. */
		if (worker->crash_signal)
			mt_sg_crash_report(worker);
		atomic_store(&worker->in_kernel, 0);
		atomic_store(&worker->queue, NULL);
		mt_sg_fibers_reset(worker);
	}
	worker->guarded = true;
	work(worker);
	worker->guarded = false;
	mt_sg_self_set(NULL);
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	atomic_store(&worker->exited, 1);
	return NULL;
}

static void free_worker(struct sg_worker *worker)
{
	mt_sg_fibers_free(worker);
	mt_free(worker->runs);
	mt_free(worker->seen);
	mt_free(worker->shared);
	mt_free(worker->signal_stack);
	mt_free(worker);
}

/* Under thread_lock. */
static int make_worker(struct mt_sg_engine *engine)
{
	uint32_t index = atomic_load(&engine->worker_count), i;
	struct sg_worker *worker;
	sigset_t all, old;
	int ret;

	worker = mt_alloc_aligned(CACHE_LINE_B, sizeof(*worker));
	if (!worker)
		return -ENOMEM;
	worker->engine = engine;
	worker->index = index;
	worker->random = engine->config.seed + index * UINT64_C(0x632be59bd9b4e019);
	worker->seen = mt_calloc(engine->config.workers, sizeof(*worker->seen));
	worker->shared = mt_alloc_aligned_dirty(SHARED_ALIGN_B, MT_SG_SHARED_LIMIT_B);
	worker->signal_stack = mt_alloc(SIGNAL_STACK_B);
	if (!worker->seen || !worker->shared || !worker->signal_stack) {
		ret = -ENOMEM;
		goto free_parts;
	}
	for (i = 0; i < SG_WORKER_JOBS; i++)
		atomic_store(&worker->jobs[i].claim, SG_JOB_CLOSED);
	worker->block.warp_size = engine->config.warp_size;
	worker->block.shared = worker->shared;
	worker->block.services = &engine->services;
	worker->block.engine = worker;
	worker->block.self = &worker->block;
	engine->workers[index] = worker;
	/* Signals of the process are not the workers' business. */
	sigfillset(&all);
	for (i = 0; i < 4; i++)
		sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = -pthread_create(&worker->thread, NULL, worker_main, worker);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret)
		goto free_parts;
	atomic_store(&engine->worker_count, index + 1);
	return 0;

free_parts:
	free_worker(worker);
	return ret;
}

/* Wakes up to `count` workers and makes those that are not there yet; count 0: makes the first. */
int mt_sg_worker_wake(struct mt_sg_engine *engine, uint32_t count)
{
	uint32_t asleep = mt_sg_sleepers_call(engine, count), wanted = count ? count : 1;
	int ret = 0;

	if (asleep >= wanted || atomic_load(&engine->worker_count) >= engine->config.workers)
		return 0;
	pthread_mutex_lock(&engine->thread_lock);
	for (wanted -= asleep; wanted && !ret && !atomic_load(&engine->ending); wanted--) {
		if (atomic_load(&engine->worker_count) >= (count ? engine->config.workers : 1))
			break;
		ret = make_worker(engine);
	}
	pthread_mutex_unlock(&engine->thread_lock);
	return ret;
}

void mt_sg_ready_notify(struct mt_sg_engine *engine)
{
	if (atomic_load(&engine->spinning))
		return;
	/* A worker will look itself when it has done; until then the watcher is enough. */
	if (mt_sg_on_worker(engine))
		mt_sg_watcher_arm(engine);
	else
		mt_sg_worker_wake(engine, 1);
}

void mt_sg_watcher_arm_slow(struct mt_sg_engine *engine)
{
	if (engine->config.workers > 1 && !atomic_load(&engine->spinning))
		mt_sg_worker_wake(engine, 1);
}

bool mt_sg_engine_stuck(struct mt_sg_engine *engine)
{
	uint32_t i, count = atomic_load(&engine->worker_count);

	if (!atomic_load(&engine->stopped))
		return false;
	for (i = 0; i < count; i++)
		if (atomic_load(&engine->workers[i]->in_kernel))
			return true;
	return false;
}

/* Joins the workers; false if one had to be left behind. */
bool mt_sg_workers_stop(struct mt_sg_engine *engine)
{
	uint64_t end = mt_sg_time_ns() + STOP_WAIT_NS;
	uint32_t i, count;
	bool all = true;

	pthread_mutex_lock(&engine->thread_lock);
	atomic_store(&engine->ending, 1);
	atomic_store(&engine->stopped, 1);
	mt_sg_attention(engine);
	count = atomic_load(&engine->worker_count);
	pthread_mutex_unlock(&engine->thread_lock);
	atomic_fetch_add(&engine->wake, 1);
	mt_sg_futex_wake(&engine->wake, UINT32_MAX);
	for (i = 0; i < count; i++) {
		while (!atomic_load(&engine->workers[i]->exited) && mt_sg_time_ns() < end)
			usleep(200);
		if (atomic_load(&engine->workers[i]->exited)) {
			pthread_join(engine->workers[i]->thread, NULL);
		} else {
			pthread_detach(engine->workers[i]->thread);
			all = false;
		}
	}
	if (!all)
		return false;
	for (i = 0; i < count; i++)
		free_worker(engine->workers[i]);
	return true;
}
