/* SPDX-License-Identifier: MIT */
/*
 * The monitor thread: looks once in a millisecond at words that nobody announces, as long as a
 * queue waits, and stops the device if the watchdog's time has passed without progress.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

#define POLL_NS   1000000
#define LINGER_NS 50000000u /* it keeps looking so long, so that short waits need not wake it */

/* What the watchdog remembers of a queue. */
struct sg_watch {
	uint64_t progress, head;
	uint64_t since_ns; /* 0: nothing to do */
	uint64_t cpu_ns;   /* processor time of the workers at that time */
};

/* What a queue without progress waits for. Its lanes belong to another thread, so this is a
 * reader's view: good for a message. */
static void __attribute__((no_sanitize("thread")))
raise_timeout(struct mt_sg_engine *engine, struct mt_sg_queue *queue)
{
	unsigned long long ms = engine->config.watchdog_ns / 1000000u, va, value;
	uint32_t i, count = atomic_load(&engine->worker_count);
	struct sg_worker *worker;
	struct sg_lane *lane;

	for (i = 0; i < count; i++) {
		worker = engine->workers[i];
		if (atomic_load(&worker->queue) == queue && atomic_load(&worker->in_kernel)) {
			mt_sg_fault(engine, MT_HW_FAULT_TIMEOUT, queue, atomic_load(&worker->node),
				    atomic_load(&worker->pc),
				    "kernel has not ended for %llu ms (watchdog)", ms);
			return;
		}
	}
	if (queue->phase == SG_PHASE_WAIT) {
		mt_sg_fault(
			engine, MT_HW_FAULT_TIMEOUT, queue, MT_PKT_NODE_NONE,
			queue->start_waiter.va,
			"submission waits at its start for [0x%llx] >= %llu for %llu ms (watchdog)",
			(unsigned long long)queue->start_waiter.va,
			(unsigned long long)queue->start_waiter.value, ms);
		return;
	}
	if (queue->phase == SG_PHASE_CHILDREN) {
		mt_sg_fault(engine, MT_HW_FAULT_TIMEOUT, queue, MT_PKT_NODE_NONE, 0,
			    "waits for graphs that its kernels launched for %llu ms (watchdog)",
			    ms);
		return;
	}
	for (i = 0; i < MT_HW_LANES_MAX; i++) {
		lane = &queue->lanes[i];
		if (!(queue->live >> i & 1) || lane->block != SG_BLOCK_WAIT)
			continue;
		va = lane->waiter.va;
		value = lane->waiter.value;
		mt_sg_fault(engine, MT_HW_FAULT_TIMEOUT, queue, lane->wait_node, lane->pc,
			    "waits for [0x%llx] >= %llu for %llu ms (watchdog)", va, value, ms);
		return;
	}
	pthread_mutex_lock(&engine->host_lock);
	for (i = 0; i < engine->ticket_count && engine->tickets[i].queue != queue; i++)
		;
	count = i < engine->ticket_count ? engine->tickets[i].node : MT_PKT_NODE_NONE;
	pthread_mutex_unlock(&engine->host_lock);
	mt_sg_fault(engine, MT_HW_FAULT_TIMEOUT, queue, count, 0,
		    "waits for a host function for %llu ms (watchdog)", ms);
}

/* A queue that only waits may wait for one that moves: it counts when nothing moves. */
static bool runs_kernel(struct mt_sg_engine *engine, struct mt_sg_queue *queue)
{
	uint32_t i, count = atomic_load(&engine->worker_count);

	for (i = 0; i < count; i++)
		if (atomic_load(&engine->workers[i]->queue) == queue &&
		    atomic_load(&engine->workers[i]->in_kernel))
			return true;
	return false;
}

static uint64_t workers_cpu_ns(struct mt_sg_engine *engine)
{
	uint32_t i, count = atomic_load(&engine->worker_count);
	struct timespec used;
	uint64_t sum = 0;
	clockid_t clock;

	for (i = 0; i < count; i++)
		if (!pthread_getcpuclockid(engine->workers[i]->thread, &clock) &&
		    !clock_gettime(clock, &used))
			sum += (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
	return sum;
}

/* On a loaded machine a kernel may stand still for lack of a processor: it must have had a part of
 * the time, or the time must be long over. */
static bool had_its_time(struct mt_sg_engine *engine, const struct sg_watch *watch, uint64_t now)
{
	uint64_t watchdog_ns = engine->config.watchdog_ns;

	return now - watch->since_ns >= watchdog_ns * 8 ||
	       workers_cpu_ns(engine) - watch->cpu_ns >= watchdog_ns / 4;
}

static void check_progress(struct mt_sg_engine *engine, struct sg_watch *watches, uint64_t now)
{
	uint32_t i, count = atomic_load(&engine->queue_count);
	struct mt_sg_queue *queue, *late = NULL;
	uint64_t progress, head, cpu_ns = workers_cpu_ns(engine);
	bool moved = false, kernel;

	for (i = 0; i < count; i++) {
		queue = atomic_load(&engine->queues[i]);
		progress = atomic_load_explicit(&queue->progress, memory_order_relaxed);
		head = atomic_load(&queue->head);
		if (head == atomic_load(&queue->tail)) {
			watches[i].since_ns = 0;
			continue;
		}
		if (!watches[i].since_ns || progress != watches[i].progress ||
		    head != watches[i].head) {
			moved |= watches[i].since_ns != 0;
			watches[i] = (struct sg_watch){progress, head, now, cpu_ns};
			continue;
		}
		if (now - watches[i].since_ns < engine->config.watchdog_ns) {
			moved = true;
			continue;
		}
		kernel = runs_kernel(engine, queue);
		if (kernel ? !had_its_time(engine, &watches[i], now)
			   : atomic_load(&queue->state) != SG_STATE_PARKED) {
			moved = true; /* it only lacks a processor */
			continue;
		}
		if (!late || kernel)
			late = queue;
		if (kernel)
			break;
	}
	if (late && (!moved || runs_kernel(engine, late)))
		raise_timeout(engine, late);
}

static void *monitor_main(void *argument)
{
	struct mt_sg_engine *engine = argument;
	uint64_t watchdog_ns = engine->config.watchdog_ns, next_check = 0, idle_since = 0, now;
	int64_t nap_ns;
	uint32_t wake;

	prctl(PR_SET_NAME, "musa-gpu-mon");
	while (!atomic_load(&engine->ending) && !atomic_load(&engine->stopped)) {
		wake = atomic_load(&engine->monitor_wake);
		now = mt_sg_time_ns();
		if (watchdog_ns && now >= next_check) {
			check_progress(engine, engine->watches, now);
			next_check = now + watchdog_ns / 4;
		}
		nap_ns = watchdog_ns ? (int64_t)(watchdog_ns / 4) : -1;
		if (atomic_load(&engine->parked)) {
			mt_sg_waiters_poll(engine);
			idle_since = now;
			nap_ns = POLL_NS;
		} else if (now - idle_since < LINGER_NS) {
			nap_ns = POLL_NS;
		} else if (nap_ns < 0) {
			atomic_store(&engine->monitor_asleep, 1);
			if (atomic_load(&engine->parked)) {
				atomic_store(&engine->monitor_asleep, 0);
				continue;
			}
		}
		mt_sg_futex_wait(&engine->monitor_wake, wake, nap_ns);
		atomic_store(&engine->monitor_asleep, 0);
	}
	return NULL;
}

int mt_sg_monitor_start(struct mt_sg_engine *engine)
{
	sigset_t all, old;
	int ret = 0;

	pthread_mutex_lock(&engine->thread_lock);
	if (atomic_load(&engine->monitor_runs) || atomic_load(&engine->ending))
		goto unlock;
	if (engine->config.watchdog_ns) {
		engine->watches = mt_calloc(MT_SG_QUEUES_MAX, sizeof(*engine->watches));
		if (!engine->watches) {
			ret = -ENOMEM;
			goto unlock;
		}
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = -pthread_create(&engine->monitor, NULL, monitor_main, engine);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret) {
		mt_free(engine->watches);
		engine->watches = NULL;
		goto unlock;
	}
	atomic_store(&engine->monitor_runs, 1);
unlock:
	pthread_mutex_unlock(&engine->thread_lock);
	return ret;
}

void mt_sg_monitor_stop(struct mt_sg_engine *engine)
{
	pthread_mutex_lock(&engine->thread_lock);
	atomic_store(&engine->ending, 1);
	pthread_mutex_unlock(&engine->thread_lock);
	if (!atomic_load(&engine->monitor_runs))
		return;
	atomic_fetch_add(&engine->monitor_wake, 1);
	mt_sg_futex_wake(&engine->monitor_wake, 1);
	pthread_join(engine->monitor, NULL);
	mt_free(engine->watches);
}

/* A queue has parked: its words need looking at. */
void mt_sg_monitor_kick(struct mt_sg_engine *engine)
{
	if (!atomic_load(&engine->monitor_runs)) {
		mt_sg_monitor_start(engine);
		return;
	}
	if (atomic_load(&engine->monitor_asleep)) {
		atomic_fetch_add(&engine->monitor_wake, 1);
		mt_sg_futex_wake(&engine->monitor_wake, 1);
	}
}
