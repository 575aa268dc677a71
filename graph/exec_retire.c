/* SPDX-License-Identifier: MIT */
/*
 * The list of live execs, and execs that were destroyed while a launch of theirs was still to end.
 *
 * A retired exec is freed by the next call that instantiates or retires one, or by a thread that runs
 * only while there are retired ones: user objects must be released soon after the last launch even
 * if the program makes no further call. So are those that an update has replaced.
 */
#include <time.h>

#include "graph/user_object.h"
#include "hw/options.h"

#define POLL_MIN_NS 100000        /* first look after a retirement */
#define POLL_MAX_NS (20 * 1000000) /* and at most this between two */

/* Held while execs are freed, outside `lock`: a context does not go before that has ended. */
static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool ended; /* set under free_lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mt_exec *live;          /* guarded by lock */
static struct mt_exec *retired;       /* guarded by lock */
static uint32_t live_count;           /* admitted, guarded by lock */
static bool thread_runs;              /* guarded by lock */
static bool watched;                  /* the thread has more to look after; guarded by lock */
static _Atomic uint32_t retired_count;

static void link_in(struct mt_exec **list, struct mt_exec *exec)
{
	exec->next = *list;
	exec->link = list;
	if (exec->next)
		exec->next->link = &exec->next;
	*list = exec;
}

static void unlink_from(struct mt_exec *exec)
{
	*exec->link = exec->next;
	if (exec->next)
		exec->next->link = exec->link;
	exec->next = NULL;
	exec->link = NULL;
}

MUresult mt_exec_list_admit(void)
{
	MUresult ret = MUSA_SUCCESS;
	uint64_t limit = mt_hw_options()->max_execs;

	pthread_mutex_lock(&lock);
	if (limit && live_count >= limit)
		ret = MUSA_ERROR_OUT_OF_MEMORY;
	else
		live_count++;
	pthread_mutex_unlock(&lock);
	return ret;
}

void mt_exec_list_leave(void)
{
	pthread_mutex_lock(&lock);
	live_count--;
	pthread_mutex_unlock(&lock);
}

void mt_exec_list_add(struct mt_exec *exec)
{
	pthread_mutex_lock(&lock);
	link_in(&live, exec);
	pthread_mutex_unlock(&lock);
}

void mt_exec_list_remove(struct mt_exec *exec)
{
	pthread_mutex_lock(&lock);
	unlink_from(exec);
	live_count--;
	pthread_mutex_unlock(&lock);
}

/* Takes the retired execs that are done out of the list. */
static struct mt_exec *take_done(void)
{
	struct mt_exec *exec, *next, *done = NULL;

	pthread_mutex_lock(&lock);
	for (exec = retired; exec; exec = next) {
		next = exec->next;
		if (!mt_exec_is_unused(exec))
			continue;
		unlink_from(exec);
		exec->next = done;
		done = exec;
		atomic_fetch_sub_explicit(&retired_count, 1, memory_order_relaxed);
	}
	pthread_mutex_unlock(&lock);
	return done;
}

static void free_all(struct mt_exec *exec)
{
	struct mt_exec *next;

	for (; exec; exec = next) {
		next = exec->next;
		mt_exec_free(exec);
	}
}

/* Whether user objects of replaced parameters are left. */
static bool free_done(void)
{
	bool left = false;

	pthread_mutex_lock(&free_lock);
	if (!ended) {
		free_all(take_done());
		left = mt_user_refs_poll(NULL);
	}
	pthread_mutex_unlock(&free_lock);
	return left;
}

void mt_exec_retire_poll(void)
{
	if (atomic_load_explicit(&retired_count, memory_order_relaxed))
		free_done();
}

static void *wait_for_retired(void *unused)
{
	struct timespec pause = { .tv_nsec = POLL_MIN_NS };
	bool more = true, left;

	(void)unused;
	while (more) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		if (pause.tv_nsec < POLL_MAX_NS)
			pause.tv_nsec *= 2;
		left = free_done();
		pthread_mutex_lock(&lock);
		more = !ended && (left || retired || watched);
		watched = false;
		if (!more)
			thread_runs = false;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

/* Under the lock. Without a thread the next call does its work. */
static void start_thread(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (thread_runs || pthread_attr_init(&attr))
		return;
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	thread_runs = !pthread_create(&thread, &attr, wait_for_retired, NULL);
	pthread_attr_destroy(&attr);
}

void mt_exec_retire(struct mt_exec *exec)
{
	if (mt_exec_is_unused(exec)) {
		mt_exec_free(exec);
		mt_exec_retire_poll();
		return;
	}
	pthread_mutex_lock(&lock);
	link_in(&retired, exec);
	atomic_fetch_add_explicit(&retired_count, 1, memory_order_relaxed);
	start_thread();
	pthread_mutex_unlock(&lock);
}

void mt_exec_retire_watch(void)
{
	pthread_mutex_lock(&lock);
	watched = true;
	start_thread();
	pthread_mutex_unlock(&lock);
}

static struct mt_exec *take_ctx(struct mt_exec **list, const struct mt_ctx *ctx, bool is_live)
{
	struct mt_exec *exec, *next, *taken = NULL;

	for (exec = *list; exec; exec = next) {
		next = exec->next;
		if (exec->ctx != ctx)
			continue;
		unlink_from(exec);
		exec->next = taken;
		taken = exec;
		if (is_live) {
			mt_exec_leave_template(exec);
			live_count--;
		} else {
			atomic_fetch_sub_explicit(&retired_count, 1, memory_order_relaxed);
		}
	}
	return taken;
}

void mt_exec_ctx_gone(struct mt_ctx *ctx)
{
	struct mt_exec *gone, *stopped;

	pthread_mutex_lock(&free_lock);
	pthread_mutex_lock(&lock);
	gone = take_ctx(&live, ctx, true);
	stopped = take_ctx(&retired, ctx, false);
	pthread_mutex_unlock(&lock);
	free_all(gone);
	free_all(stopped);
	mt_user_refs_poll(ctx);
	pthread_mutex_unlock(&free_lock);
}

void mt_exec_retire_end(void)
{
	pthread_mutex_lock(&free_lock);
	ended = true;
	pthread_mutex_unlock(&free_lock);
}
