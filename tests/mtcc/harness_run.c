/* SPDX-License-Identifier: MIT */
/* Runs blocks one after the other; the threads of a block that wait for each other are fibers. */
#include <asm/prctl.h>
#include <criterion/criterion.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "hw/softgpu/device_abi.h"
#include "tests/mtcc/harness.h"

#define STACK_B (64 * 1024)

enum fiber_state { FIBER_READY, FIBER_BARRIER, FIBER_WARP, FIBER_GATHER, FIBER_DONE };

struct fiber {
	ucontext_t context;
	char *stack;
	uint32_t x, y, z;
	enum fiber_state state;
	uint64_t mask[2], value, arrived[2];
	uint64_t seen[128];
	const void *place;
};

struct run {
	struct mt_dev_block block;
	mt_dev_thread_fn function;
	struct fiber *fibers;
	uint32_t count, current;
	ucontext_t scheduler;
	uint32_t barrier_op, barrier_result, barrier_count, barrier_true;
	sigjmp_buf end;
	enum t_end reason;
};

static struct run *run;
static char printed[65536];
static size_t printed_b;
static char assert_text[1024];
static const char *recorded_base;
static size_t recorded_b;
static uint64_t recorded[2];

#define MATH_ENTRY(f) (mt_dev_math_fn) f,
static const mt_dev_math_fn math_table[] = {
	MT_DEV_MATH_LIST(MATH_ENTRY, MATH_ENTRY, MATH_ENTRY, MATH_ENTRY, MATH_ENTRY, MATH_ENTRY)};

static void end_run(enum t_end reason)
{
	run->reason = reason;
	siglongjmp(run->end, 1);
}

static void enter_fiber(void)
{
	struct fiber *fiber = &run->fibers[run->current];

	run->function(&run->block, fiber->x, fiber->y, fiber->z);
	fiber->state = FIBER_DONE;
	swapcontext(&fiber->context, &run->scheduler);
}

static void make_fibers(void)
{
	struct mt_dev_block *block = &run->block;

	run->count = block->block_dim_x * block->block_dim_y * block->block_dim_z;
	run->fibers = calloc(run->count, sizeof(*run->fibers));
	cr_assert(run->fibers);
	for (uint32_t i = 0; i < run->count; i++) {
		struct fiber *fiber = &run->fibers[i];

		fiber->x = i % block->block_dim_x;
		fiber->y = i / block->block_dim_x % block->block_dim_y;
		fiber->z = i / block->block_dim_x / block->block_dim_y;
		fiber->stack = malloc(STACK_B);
		cr_assert(fiber->stack && !getcontext(&fiber->context));
		fiber->context.uc_stack.ss_sp = fiber->stack;
		fiber->context.uc_stack.ss_size = STACK_B;
		makecontext(&fiber->context, enter_fiber, 0);
	}
}

static void free_fibers(void)
{
	for (uint32_t i = 0; run->fibers && i < run->count; i++)
		free(run->fibers[i].stack);
	free(run->fibers);
	run->fibers = NULL;
}

static bool release_barrier(void)
{
	uint32_t waiting = 0, alive = 0;

	for (uint32_t i = 0; i < run->count; i++) {
		waiting += run->fibers[i].state == FIBER_BARRIER;
		alive += run->fibers[i].state != FIBER_DONE;
	}
	if (!waiting || waiting != alive)
		return false;
	run->barrier_result = run->barrier_op == MT_DEV_BARRIER_COUNT ? run->barrier_true
			      : run->barrier_op == MT_DEV_BARRIER_AND
				      ? run->barrier_true == run->barrier_count
			      : run->barrier_op == MT_DEV_BARRIER_OR ? run->barrier_true > 0
								     : 0;
	run->barrier_count = run->barrier_true = 0;
	for (uint32_t i = 0; i < run->count; i++)
		if (run->fibers[i].state == FIBER_BARRIER)
			run->fibers[i].state = FIBER_READY;
	return true;
}

static struct fiber *lane_of(uint32_t warp, uint32_t lane)
{
	uint32_t index = warp * run->block.warp_size + lane;

	return index < run->count ? &run->fibers[index] : NULL;
}

static bool mask_has(const uint64_t mask[2], uint32_t lane)
{
	return mask[lane / 64] >> lane % 64 & 1;
}

/* Lets the lanes of @first's mask go if all that are alive wait with the same mask. */
static bool release_lanes(uint32_t warp, struct fiber *first)
{
	uint64_t seen[128] = {0}, arrived[2] = {0, 0}, mask[2];

	memcpy(mask, first->mask, sizeof(mask));
	for (uint32_t lane = 0; lane < run->block.warp_size; lane++) {
		struct fiber *fiber = lane_of(warp, lane);

		if (!fiber || !mask_has(mask, lane) || fiber->state == FIBER_DONE)
			continue;
		if (fiber->state != FIBER_WARP || memcmp(fiber->mask, mask, sizeof(mask)))
			return false;
		seen[lane] = fiber->value;
		arrived[lane / 64] |= 1ull << lane % 64;
	}
	for (uint32_t lane = 0; lane < run->block.warp_size; lane++) {
		struct fiber *fiber = lane_of(warp, lane);

		if (!fiber || !mask_has(arrived, lane))
			continue;
		memcpy(fiber->seen, seen, sizeof(seen));
		memcpy(fiber->arrived, arrived, sizeof(arrived));
		fiber->state = FIBER_READY;
	}
	return true;
}

static bool release_warps(void)
{
	bool released = false;

	for (uint32_t i = 0; i < run->count; i++)
		if (run->fibers[i].state == FIBER_WARP)
			released |= release_lanes(i / run->block.warp_size, &run->fibers[i]);
	return released;
}

/* Lanes that wait in the same call go on together, once nothing else can. */
static bool release_gathered(void)
{
	bool released = false;

	for (uint32_t i = 0; i < run->count; i++) {
		uint32_t warp = i / run->block.warp_size;
		const void *place = run->fibers[i].place;
		uint64_t mask[2] = {0, 0};

		if (run->fibers[i].state != FIBER_GATHER)
			continue;
		for (uint32_t lane = 0; lane < run->block.warp_size; lane++) {
			struct fiber *fiber = lane_of(warp, lane);

			if (fiber && fiber->state == FIBER_GATHER && fiber->place == place)
				mask[lane / 64] |= 1ull << lane % 64;
		}
		for (uint32_t lane = 0; lane < run->block.warp_size; lane++) {
			if (!mask_has(mask, lane))
				continue;
			memcpy(lane_of(warp, lane)->arrived, mask, sizeof(mask));
			lane_of(warp, lane)->state = FIBER_READY;
		}
		released = true;
	}
	return released;
}

static void run_threads(struct mt_dev_block *block, mt_dev_thread_fn function)
{
	bool ran;

	(void)block;
	run->function = function;
	make_fibers();
	do {
		ran = false;
		for (run->current = 0; run->current < run->count; run->current++) {
			struct fiber *fiber = &run->fibers[run->current];

			if (fiber->state != FIBER_READY)
				continue;
			ran = true;
			run->block.thread_x = fiber->x;
			run->block.thread_y = fiber->y;
			run->block.thread_z = fiber->z;
			swapcontext(&run->scheduler, &fiber->context);
		}
		ran |= release_barrier();
		ran |= release_warps();
		ran = ran || release_gathered();
	} while (ran);
	for (uint32_t i = 0; i < run->count; i++)
		if (run->fibers[i].state != FIBER_DONE)
			end_run(T_END_STUCK);
	free_fibers();
}

static struct fiber *wait_as(enum fiber_state state)
{
	struct fiber *fiber = &run->fibers[run->current];

	fiber->state = state;
	swapcontext(&fiber->context, &run->scheduler);
	return fiber;
}

static uint32_t barrier(struct mt_dev_block *block, uint32_t op, uint32_t value)
{
	(void)block;
	run->barrier_op = op;
	run->barrier_count++;
	run->barrier_true += value != 0;
	wait_as(FIBER_BARRIER);
	return run->barrier_result;
}

static const uint64_t *warp_exchange(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi,
				     uint64_t value, uint64_t arrived[2])
{
	struct fiber *fiber = &run->fibers[run->current];

	(void)block;
	fiber->mask[0] = mask_lo;
	fiber->mask[1] = mask_hi;
	fiber->value = value;
	wait_as(FIBER_WARP);
	memcpy(arrived, fiber->arrived, sizeof(fiber->arrived));
	return fiber->seen;
}

static void warp_sync(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi)
{
	uint64_t arrived[2];

	warp_exchange(block, mask_lo, mask_hi, 0, arrived);
}

static void active_mask(struct mt_dev_block *block, uint64_t mask[2])
{
	struct fiber *fiber = &run->fibers[run->current];

	(void)block;
	fiber->place = __builtin_return_address(0);
	wait_as(FIBER_GATHER);
	memcpy(mask, fiber->arrived, sizeof(fiber->arrived));
}

static void yield(struct mt_dev_block *block, uint64_t ns)
{
	(void)block;
	(void)ns;
	wait_as(FIBER_READY);
}

static int print(struct mt_dev_block *block, const char *format, const uint64_t *args,
		 uint32_t count)
{
	uint32_t at = 0;

	(void)block;
	while (*format && printed_b < sizeof(printed) - 256) {
		char piece[32] = "";
		size_t length = strcspn(format + 1, "diuxXcsfgepG%") + 2;
		char kind = format[length - 1];
		double number;

		if (*format != '%') {
			printed[printed_b++] = *format++;
			continue;
		}
		memcpy(piece, format, length);
		format += length;
		if (kind != '%' && at >= count)
			break;
		if (kind == '%') {
			printed[printed_b++] = '%';
		} else if (strchr("fgeG", kind)) {
			memcpy(&number, &args[at++], sizeof(number));
			printed_b += (size_t)snprintf(printed + printed_b, 200, piece, number);
		} else {
			printed_b += (size_t)snprintf(printed + printed_b, 200, piece, args[at++]);
		}
	}
	printed[printed_b] = 0;
	return (int)count;
}

static void assert_fail(struct mt_dev_block *block, const char *expression, const char *file,
			uint32_t line, const char *function)
{
	snprintf(assert_text, sizeof(assert_text), "%s %s %u %s %u", expression, file, line,
		 function, block->thread_x);
	end_run(T_END_ASSERT);
}

static void trap(struct mt_dev_block *block)
{
	(void)block;
	end_run(T_END_TRAP);
}

static void *heap_alloc(struct mt_dev_block *block, size_t size_b)
{
	(void)block;
	return malloc(size_b);
}

static void heap_free(struct mt_dev_block *block, void *pointer)
{
	(void)block;
	free(pointer);
}

static uint32_t graph_launch(struct mt_dev_block *block, uint64_t exec, uint32_t stream)
{
	(void)block;
	return (uint32_t)exec * 10 + stream;
}

static uint64_t clock_ns(struct mt_dev_block *block)
{
	struct timespec now;

	(void)block;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t graph_current(struct mt_dev_block *block)
{
	(void)block;
	return 77;
}

/* Bytes of the range of t_record() that kernels read and wrote; overlapping accesses count twice.
 */
static void record_access(struct mt_dev_block *block, const void *address, uint64_t size_b,
			  uint32_t is_write)
{
	const char *first = address;

	(void)block;
	if (first >= recorded_base && first + size_b <= recorded_base + recorded_b)
		recorded[is_write] += size_b;
}

static void use_gs(struct mt_dev_block *block)
{
	cr_assert(!syscall(SYS_arch_prctl, ARCH_SET_GS, block));
}

static struct mt_dev_services services = {
	.version = MT_DEV_ABI_VERSION,
	.size_b = sizeof(struct mt_dev_services),
	.run_threads = run_threads,
	.barrier = barrier,
	.warp_sync = warp_sync,
	.warp_exchange = warp_exchange,
	.active_mask = active_mask,
	.yield = yield,
	.print = print,
	.assert_fail = assert_fail,
	.trap = trap,
	.heap_alloc = heap_alloc,
	.heap_free = heap_free,
	.graph_launch = graph_launch,
	.graph_current = graph_current,
	.math = math_table,
	.clock = clock_ns,
	.use_gs = use_gs,
};

static uint32_t at_least_one(uint32_t value)
{
	return value ? value : 1;
}

static void *pack_arguments(const struct t_kernel *kernel, void **params)
{
	char *image = aligned_alloc(64, (kernel->kernarg_b + 127) / 64 * 64);

	cr_assert(image);
	memset(image, 0xee, (kernel->kernarg_b + 127) / 64 * 64);
	for (size_t i = 0; i < kernel->param_count; i++)
		memcpy(image + kernel->params[i].offset_b, params[i], kernel->params[i].size_b);
	return image;
}

static void fill_block(struct mt_dev_block *block, const struct t_kernel *kernel,
		       const struct t_launch *launch)
{
	block->warp_size = launch->warp_size ? launch->warp_size : 32;
	block->block_dim_x = at_least_one(launch->block.x);
	block->block_dim_y = at_least_one(launch->block.y);
	block->block_dim_z = at_least_one(launch->block.z);
	block->grid_dim_x = at_least_one(launch->grid.x);
	block->grid_dim_y = at_least_one(launch->grid.y);
	block->grid_dim_z = at_least_one(launch->grid.z);
	block->dynamic_shared_b = launch->dynamic_shared_b;
	block->static_shared_b = (uint32_t)kernel->shared_b;
	block->services = &services;
	block->self = block;
}

static void run_block(struct mt_dev_block *block, const struct t_kernel *kernel)
{
	void (*entry)(struct mt_dev_block *);

	memcpy(&entry, &kernel->entry, sizeof(entry));
	memset(block->shared, 0xcd, block->static_shared_b + block->dynamic_shared_b);
	entry(block);
}

enum t_end t_run(struct t_kernel *kernel, const struct t_launch *launch, void **params)
{
	struct run this_run = {0};
	struct mt_dev_block *block = &this_run.block;
	size_t shared_b = kernel->shared_b + launch->dynamic_shared_b + 256;
	void *kernarg = pack_arguments(kernel, params);
	volatile uint64_t at = 0;
	uint64_t blocks;

	fill_block(block, kernel, launch);
	block->kernarg = kernarg;
	block->shared = aligned_alloc(128, (shared_b + 127) / 128 * 128);
	cr_assert(block->shared);
	printed_b = 0;
	printed[0] = assert_text[0] = 0;
	run = &this_run;
	cr_assert(!syscall(SYS_arch_prctl, ARCH_SET_GS, NULL));
	blocks = (uint64_t)block->grid_dim_x * block->grid_dim_y * block->grid_dim_z;
	if (!sigsetjmp(this_run.end, 0)) {
		for (; at < blocks; at++) {
			block->block_x = (uint32_t)(at % block->grid_dim_x);
			block->block_y = (uint32_t)(at / block->grid_dim_x % block->grid_dim_y);
			block->block_z = (uint32_t)(at / block->grid_dim_x / block->grid_dim_y);
			run_block(block, kernel);
		}
	}
	free_fibers();
	free(block->shared);
	free(kernarg);
	return this_run.reason;
}

void t_record(const void *base, size_t size_b)
{
	recorded_base = base;
	recorded_b = size_b;
	recorded[0] = recorded[1] = 0;
	services.record_access = base ? record_access : NULL;
}

uint64_t t_recorded(bool is_write)
{
	return recorded[is_write];
}

const char *t_printed(void)
{
	return printed;
}

const char *t_assert_text(void)
{
	return assert_text;
}
