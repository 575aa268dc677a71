/* SPDX-License-Identifier: MIT */
/*
 * How workers sleep and are called, and on which processor.
 *
 * The kernel may put a called worker on its caller's processor, and does where an idle one is far
 * (no shared cache, or a virtual processor that its host has to fetch back). Waiting there for the
 * next tick takes milliseconds; so workers ask for short slices and run at once. That is also the
 * fastest way for a single short launch: such a worker sleeps again at once and lets its caller
 * go on. With more to do, or called again and again, it moves to another processor.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hw/softgpu/internal.h"

/*
 * Who sleeps is called once: until a called worker runs, which takes long on a busy machine, further
 * calls cost no system call. A worker that leaves on its own account may use up another one's call; then
 * one call too many is made, never one too few, because at least as many are about to leave as are
 * counted as called.
 */
#define SLEEP_CALLED (UINT64_C(1) << 32)

#define SLICE_NS       100000u /* the shortest that the kernel takes */
#define SHORT_SLEEP_NS 50000u /* who is called before is called again and again */
#define BESIDE_PACKETS 32u    /* so many a worker executes while its caller waits */

static void leave_sleep(struct mt_sg_engine *engine)
{
	uint64_t sleep = atomic_load(&engine->sleep), left;

	do
		left = sleep - 1 - (sleep >= SLEEP_CALLED ? SLEEP_CALLED : 0);
	while (!atomic_compare_exchange_weak(&engine->sleep, &sleep, left));
}

uint32_t mt_sg_sleepers_call(struct mt_sg_engine *engine, uint32_t count)
{
	uint64_t sleep = atomic_load(&engine->sleep);
	uint32_t asleep, called;
	bool by_worker;
	int cpu;

	do {
		asleep = (uint32_t)sleep;
		called = asleep - (uint32_t)(sleep >> 32);
		if (called > count)
			called = count;
		if (!called)
			return asleep;
	} while (!atomic_compare_exchange_weak(&engine->sleep, &sleep,
					       sleep + called * SLEEP_CALLED));
	cpu = sched_getcpu();
	by_worker = mt_sg_on_worker(engine);
	atomic_store_explicit(&engine->host_cpu, by_worker ? -1 : cpu, memory_order_relaxed);
	atomic_store_explicit(&engine->helped_cpu, by_worker ? cpu : -1, memory_order_relaxed);
	atomic_fetch_add(&engine->wake, 1);
	mt_sg_futex_wake(&engine->wake, called);
	return asleep;
}

/* Moves the calling thread to another processor, if it may use one. It is only put there: where it
 * may run stays what it was. */
static void leave_processor(int cpu)
{
	cpu_set_t allowed, others;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	others = allowed;
	CPU_CLR(cpu, &others);
	if (CPU_COUNT(&others) && !sched_setaffinity(0, sizeof(others), &others))
		sched_setaffinity(0, sizeof(allowed), &allowed);
}

void mt_sg_leave_caller(struct sg_worker *worker)
{
	worker->beside = 0;
	leave_processor(sched_getcpu());
}

/* The packet loop is made to ask before each packet as long as this worker is beside its caller. */
void mt_sg_beside_packet(struct sg_worker *worker)
{
	if (--worker->beside)
		worker->attention--;
	else
		mt_sg_leave_caller(worker);
}

bool mt_sg_may_spin(struct sg_worker *worker)
{
	int cpu = sched_getcpu();

	if (cpu != atomic_load_explicit(&worker->engine->host_cpu, memory_order_relaxed))
		return true;
	if (!worker->slept_short)
		return false;
	leave_processor(cpu);
	return sched_getcpu() != cpu;
}

void mt_sg_sleep(struct sg_worker *worker, int64_t timeout_ns)
{
	struct mt_sg_engine *engine = worker->engine;
	uint32_t wake = atomic_load(&engine->wake);
	uint64_t start_ns = mt_sg_time_ns();
	int cpu;

	atomic_fetch_add(&engine->sleep, 1);
	if ((!mt_sg_ready_any(engine) || atomic_load(&engine->stopped)) &&
	    !atomic_load(&engine->ending))
		mt_sg_futex_wait(&engine->wake, wake, timeout_ns);
	leave_sleep(engine);
	if (atomic_load(&engine->wake) == wake)
		return;
	worker->beside = 0;
	worker->slept_short = mt_sg_time_ns() - start_ns < SHORT_SLEEP_NS;
	/* Another worker called for help, not to be interrupted. */
	cpu = sched_getcpu();
	if (cpu == atomic_load_explicit(&engine->helped_cpu, memory_order_relaxed))
		leave_processor(cpu);
	if (cpu == atomic_load_explicit(&engine->host_cpu, memory_order_relaxed)) {
		worker->beside = BESIDE_PACKETS;
		worker->attention = atomic_load(&engine->attention) - 1;
	}
}

/* Kernels before 6.12 take the call and do nothing. */
void mt_sg_short_slices(void)
{
	/* As the kernel first had it; its header and the C library's do not go together. */
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr;

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) || attr.policy != SCHED_OTHER)
		return;
	attr.runtime = SLICE_NS;
	syscall(SYS_sched_setattr, 0, &attr, 0);
}
