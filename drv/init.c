/* SPDX-License-Identifier: MIT */
/* The process's state: initialisation once, the device table, fork, and the end. */
#include <errno.h>
#include <pthread.h>

#include "drv/context.h"
#include "drv/context_internal.h"
#include "drv/host.h"
#include "drv/module_internal.h"
#include "drv/result.h"
#include "hw/base/log.h"
#include "hw/base/trace.h"

enum process_state {
	PROCESS_NEW = 0,
	PROCESS_READY,
	PROCESS_FAILED,
	PROCESS_FORKED, /* child of a process that was ready */
	PROCESS_FINISHED,
};

static _Atomic uint32_t state;                           /* enum process_state */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* serialises the way out of NEW */
static MUresult failure;                                 /* written before state becomes FAILED */
static struct mt_hw_device **devices;                    /* owned by hw/ */
static uint32_t device_count;
static const struct mt_graph_hooks *graph_hooks;

void mt_graph_hooks_set(const struct mt_graph_hooks *hooks)
{
	graph_hooks = hooks;
}

const struct mt_graph_hooks *mt_graph_hooks_get(void)
{
	return graph_hooks;
}

/* Threads, queues and locks of the parent are not usable in the child. */
static void after_fork_in_child(void)
{
	if (atomic_load(&state) == PROCESS_NEW)
		return;
	if (atomic_load(&state) == PROCESS_READY)
		mt_hw_fork_child();
	atomic_store(&state, PROCESS_FORKED);
}

static MUresult translate_failure(int error)
{
	switch (error) {
	case -EINVAL: /* an option; hw/ has logged which */
		return MUSA_ERROR_NOT_INITIALIZED;
	case -EACCES:
		return MUSA_ERROR_NO_DEVICE;
	default:
		return mt_result_from_errno(NULL, error);
	}
}

static MUresult initialise(void)
{
	int error = mt_log_init();

	if (!error)
		error = mt_trace_init();
	if (error)
		return MUSA_ERROR_NOT_INITIALIZED;
	if (pthread_atfork(NULL, NULL, after_fork_in_child))
		return MUSA_ERROR_OUT_OF_MEMORY;
	error = mt_hw_init(&devices, &device_count);
	if (error)
		return translate_failure(error);
	if (!device_count) {
		mt_hw_finish();
		return MUSA_ERROR_NO_DEVICE;
	}
	if (device_count > MT_DEVICES_MAX) {
		mt_log(MT_LOG_WARN, "only %u of %u devices are used", MT_DEVICES_MAX, device_count);
		device_count = MT_DEVICES_MAX;
	}
	return MUSA_SUCCESS;
}

static MUresult init_slowly(void)
{
	MUresult ret = MUSA_SUCCESS;

	/* The states that never end need no lock, which a forked child could not get. */
	switch ((enum process_state)atomic_load_explicit(&state, memory_order_acquire)) {
	case PROCESS_FORKED:
		return MUSA_ERROR_NOT_INITIALIZED;
	case PROCESS_FINISHED:
		return MUSA_ERROR_DEINITIALIZED;
	case PROCESS_FAILED:
		return failure;
	case PROCESS_READY:
		return MUSA_SUCCESS;
	case PROCESS_NEW:
		break;
	}
	pthread_mutex_lock(&lock);
	if (atomic_load_explicit(&state, memory_order_acquire) == PROCESS_NEW) {
		failure = initialise();
		atomic_store_explicit(&state, failure ? PROCESS_FAILED : PROCESS_READY,
				      memory_order_release);
	}
	ret = failure;
	pthread_mutex_unlock(&lock);
	return ret;
}

MUresult mt_init(void)
{
	if (__builtin_expect(atomic_load_explicit(&state, memory_order_acquire) == PROCESS_READY,
			     1))
		return MUSA_SUCCESS;
	return init_slowly();
}

MUresult mt_initialised(void)
{
	if (atomic_load_explicit(&state, memory_order_acquire) == PROCESS_NEW)
		return MUSA_ERROR_NOT_INITIALIZED;
	return mt_init();
}

bool mt_process_forked(void)
{
	return atomic_load_explicit(&state, memory_order_acquire) == PROCESS_FORKED;
}

uint32_t mt_device_count(void)
{
	return device_count;
}

struct mt_hw_device *mt_device_get(uint32_t ordinal)
{
	return ordinal < device_count ? devices[ordinal] : NULL;
}

void mt_finish(void)
{
	uint32_t expected = PROCESS_READY;
	bool idle = true;

	if (!atomic_compare_exchange_strong(&state, &expected, PROCESS_FINISHED))
		return;
	for (uint32_t i = 0; i < device_count; i++) {
		struct mt_ctx *ctx = mt_ctx_primary_peek(i);

		if (!ctx)
			continue;
		idle &= mt_ctx_idle(ctx);
		/* Host code may take back its registrations after this. */
		mt_binaries_forget(ctx);
	}
	for (uint32_t i = 0; i < device_count; i++)
		mt_host_finish(devices[i]);
	/* What still runs goes on using its memory until its threads end with the process. */
	for (uint32_t i = 0; i < device_count && idle; i++)
		mt_ctx_end(i);
	if (graph_hooks)
		graph_hooks->process_ends();
	mt_hw_finish();
}

__attribute__((destructor)) static void finish_with_library(void)
{
	mt_finish();
}
