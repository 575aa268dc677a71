/* SPDX-License-Identifier: MIT */
/*
 * Faults: the first one stops the device. Also crashes of device code, which become faults by a
 * chaining signal handler that only ever touches workers.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "hw/softgpu/internal.h"

static _Thread_local struct sg_worker *self __attribute__((tls_model("initial-exec")));

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define CRASH_SIGNALS (sizeof(crash_signals) / sizeof(crash_signals[0]))
static struct sigaction previous[CRASH_SIGNALS];
static pthread_once_t crash_once = PTHREAD_ONCE_INIT;

void mt_sg_self_set(struct sg_worker *worker)
{
	self = worker;
}

bool mt_sg_on_worker(const struct mt_sg_engine *engine)
{
	return self && self->engine == engine;
}

static void raise_fault(struct mt_sg_engine *engine, struct mt_hw_fault *fault)
{
	if (atomic_exchange(&engine->fault_taken, 1))
		return;
	engine->fault = *fault;
	atomic_store(&engine->fault_ready, 1);
	/* Who sees that the device has stopped shall know why. */
	if (engine->config.fault)
		engine->config.fault(engine->config.user, &engine->fault);
	atomic_store(&engine->stopped, 1);
	mt_sg_attention(engine);
	mt_sg_wake_hosts(engine);
}

static void format_fault(struct mt_hw_fault *fault, const char *format, va_list args)
{
	size_t at = 0;

	if (fault->node != MT_PKT_NODE_NONE)
		at = (size_t)snprintf(fault->text, sizeof(fault->text), "node %u: ", fault->node);
	vsnprintf(fault->text + at, sizeof(fault->text) - at, format, args);
}

void mt_sg_fault(struct mt_sg_engine *engine, enum mt_hw_fault_code code, struct mt_sg_queue *queue,
		 uint32_t node, uint64_t address, const char *format, ...)
{
	struct mt_hw_fault fault = {
		.code = code,
		.node = node,
		.queue = queue ? queue->id : 0,
		.seq = queue ? atomic_load(&queue->head) - queue->base + 1 : 0,
		.address = address,
	};
	va_list args;

	va_start(args, format);
	format_fault(&fault, format, args);
	va_end(args);
	raise_fault(engine, &fault);
}

void mt_sg_worker_fault(struct sg_worker *worker, enum mt_hw_fault_code code, uint64_t address,
			const char *format, ...)
{
	struct mt_sg_queue *queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);
	struct mt_hw_fault fault = {
		.code = code,
		.node = atomic_load_explicit(&worker->node, memory_order_relaxed),
		.queue = queue ? queue->id : 0,
		.seq = queue ? atomic_load(&queue->head) - queue->base + 1 : 0,
		.address = address,
	};
	va_list args;

	va_start(args, format);
	format_fault(&fault, format, args);
	va_end(args);
	raise_fault(worker->engine, &fault);
}

void mt_sg_fault_get(struct mt_sg_engine *engine, struct mt_hw_fault *fault_out)
{
	if (atomic_load(&engine->fault_ready))
		*fault_out = engine->fault;
	else
		*fault_out = (struct mt_hw_fault){.node = MT_PKT_NODE_NONE};
}

static void chain(int number, siginfo_t *info, void *context)
{
	struct sigaction *old = NULL;
	size_t i;

	for (i = 0; i < CRASH_SIGNALS; i++)
		if (crash_signals[i] == number)
			old = &previous[i];
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(number, info, context);
	else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN)
		/* The instruction runs again on return, and then the default happens. */
		sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	else
		old->sa_handler(number);
}

static void on_crash(int number, siginfo_t *info, void *context_)
{
	struct sg_worker *worker = self;
	ucontext_t *context = context_;

	if (!worker || !worker->guarded) {
		chain(number, info, context_);
		return;
	}
	worker->guarded = false;
	worker->crash_signal = number;
	worker->crash_address = (uint64_t)(uintptr_t)info->si_addr;
	/* Go on in mt_sg_context_load(&worker->recover), on the worker's own stack. */
	context->uc_mcontext.gregs[REG_RDI] = (greg_t)(uintptr_t)&worker->recover;
	context->uc_mcontext.gregs[REG_RSP] = (greg_t)worker->recover.rsp;
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)mt_sg_context_load;
}

static void install(void)
{
	struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	size_t i;

	sigemptyset(&action.sa_mask);
	for (i = 0; i < CRASH_SIGNALS; i++)
		sigaction(crash_signals[i], &action, &previous[i]);
}

void mt_sg_crash_install(void)
{
	pthread_once(&crash_once, install);
}

void mt_sg_crash_report(struct sg_worker *worker)
{
	unsigned long long address = worker->crash_address;

	switch (worker->crash_signal) {
	case SIGSEGV:
		mt_sg_worker_fault(worker, MT_HW_FAULT_ILLEGAL_ADDRESS, address,
				   "access to 0x%llx, which is not mapped", address);
		break;
	case SIGBUS:
		mt_sg_worker_fault(worker, MT_HW_FAULT_MISALIGNED, address, "bus error at 0x%llx",
				   address);
		break;
	case SIGFPE:
		mt_sg_worker_fault(worker, MT_HW_FAULT_KERNEL, address,
				   "arithmetic trap (division by zero?) at 0x%llx", address);
		break;
	default:
		mt_sg_worker_fault(worker, MT_HW_FAULT_KERNEL, address,
				   "illegal instruction at 0x%llx", address);
		break;
	}
}
