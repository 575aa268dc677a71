/* SPDX-License-Identifier: MIT */
/*
 * What device code may call: the table of services, apart from fibers and formatting. Compiled
 * without sanitizers, because it runs on fibers' stacks.
 */
#include <asm/prctl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hw/softgpu/internal.h"

static struct sg_worker *worker_of(struct mt_dev_block *block)
{
	return block->engine;
}

static void assert_fail(struct mt_dev_block *block, const char *expression, const char *file,
			uint32_t line, const char *function)
{
	struct sg_worker *worker = worker_of(block);

	fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
		file, line, function, block->block_x, block->block_y, block->block_z,
		block->thread_x, block->thread_y, block->thread_z, expression);
	fflush(stderr);
	mt_sg_worker_fault(worker, MT_HW_FAULT_ASSERT, atomic_load(&worker->pc),
			   "assertion `%s` failed at %s:%u", expression, file, line);
	mt_sg_worker_abort(worker);
}

static void trap(struct mt_dev_block *block)
{
	struct sg_worker *worker = worker_of(block);

	mt_sg_worker_fault(worker, MT_HW_FAULT_KERNEL, atomic_load(&worker->pc),
			   "kernel called __trap()");
	mt_sg_worker_abort(worker);
}

/* A block of the device heap carries its size in front, so that the limit can be kept. */
union heap_header {
	size_t size_b;
	max_align_t align;
};

static void *heap_alloc(struct mt_dev_block *block, size_t size_b)
{
	struct mt_sg_engine *engine = worker_of(block)->engine;
	union heap_header *header;

	if (!size_b || size_b > engine->config.heap_limit_b)
		return NULL;
	if (atomic_fetch_add(&engine->heap_used_b, size_b) + size_b > engine->config.heap_limit_b)
		goto give_back;
	header = malloc(sizeof(*header) + size_b);
	if (!header)
		goto give_back;
	header->size_b = size_b;
	return header + 1;

give_back:
	atomic_fetch_sub(&engine->heap_used_b, size_b);
	return NULL;
}

static void heap_free(struct mt_dev_block *block, void *pointer)
{
	union heap_header *header = pointer;

	if (!pointer)
		return;
	header--;
	atomic_fetch_sub(&worker_of(block)->engine->heap_used_b, header->size_b);
	free(header);
}

static void yield_for(struct mt_dev_block *block, uint64_t ns)
{
	struct timespec pause = {
		.tv_sec = (time_t)(ns / 1000000000u),
		.tv_nsec = (long)(ns % 1000000000u),
	};

	mt_sg_fiber_yield(worker_of(block));
	/* Shorter than a system call takes. */
	if (ns < 2000)
		__builtin_ia32_pause();
	else
		nanosleep(&pause, NULL);
}

static uint32_t graph_launch(struct mt_dev_block *block, uint64_t exec, uint32_t stream)
{
	return mt_sg_launch(worker_of(block), exec, stream);
}

static uint64_t graph_current(struct mt_dev_block *block)
{
	return mt_sg_launch_current(worker_of(block));
}

static uint64_t clock_ns(struct mt_dev_block *block)
{
	(void)block;
	return mt_sg_time_ns();
}

static void use_gs(struct mt_dev_block *block)
{
	struct sg_worker *worker = worker_of(block);

	if (!worker->has_gs)
		worker->has_gs = !syscall(SYS_arch_prctl, ARCH_SET_GS, &worker->block);
}

#define MATH_ROW(f) (mt_dev_math_fn) f,
static const mt_dev_math_fn math_table[MT_DEV_MATH_COUNT] = {
	MT_DEV_MATH_LIST(MATH_ROW, MATH_ROW, MATH_ROW, MATH_ROW, MATH_ROW, MATH_ROW)};
#undef MATH_ROW

const struct mt_dev_services mt_sg_services = {
	.version = MT_DEV_ABI_VERSION,
	.size_b = sizeof(struct mt_dev_services),
	.run_threads = mt_sg_run_threads,
	.barrier = mt_sg_barrier,
	.warp_sync = mt_sg_warp_sync,
	.warp_exchange = mt_sg_warp_exchange,
	.active_mask = mt_sg_active_mask,
	.grid_barrier = mt_sg_grid_barrier,
	.print = mt_sg_print,
	.assert_fail = assert_fail,
	.trap = trap,
	.heap_alloc = heap_alloc,
	.heap_free = heap_free,
	.yield = yield_for,
	.graph_launch = graph_launch,
	.graph_current = graph_current,
	.math = math_table,
	.clock = clock_ns,
	.use_gs = use_gs,
};
