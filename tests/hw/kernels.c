/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the tests, as a compiler of device code would make them: block entries in one section,
 * which refer to nothing outside it, so that its bytes run wherever they are copied.
 */
#include "tests/hw/kernels.h"

#define KERNEL __attribute__((section("mtkernels"), used, noinline))

static inline const uint64_t *args_of(struct mt_dev_block *block)
{
	return block->kernarg;
}

KERNEL void k_empty(struct mt_dev_block *block)
{
	(void)block;
}

KERNEL void k_store(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);

	*(volatile uint64_t *)(uintptr_t)args[0] = args[1];
}

KERNEL void k_add(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);

	__atomic_fetch_add((uint64_t *)(uintptr_t)args[0], args[1], __ATOMIC_RELAXED);
}

KERNEL void k_log(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);
	uint64_t *log = (uint64_t *)(uintptr_t)args[0];

	log[1 + __atomic_fetch_add(&log[0], 1, __ATOMIC_ACQ_REL)] = args[1];
}

KERNEL void k_log_slow(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);
	uint64_t *log = (uint64_t *)(uintptr_t)args[0];
	uint32_t i;

	for (i = 0; i < 2000; i++)
		__builtin_ia32_pause();
	log[1 + __atomic_fetch_add(&log[0], 1, __ATOMIC_ACQ_REL)] = args[1];
}

KERNEL void k_meet(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);
	uint64_t *count = (uint64_t *)(uintptr_t)args[0];

	__atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < args[1])
		__builtin_ia32_pause();
}

KERNEL void k_until(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);

	while (__atomic_load_n((uint64_t *)(uintptr_t)args[0], __ATOMIC_ACQUIRE) < args[1])
		__builtin_ia32_pause();
}

KERNEL void k_forever(struct mt_dev_block *block)
{
	volatile uint32_t always = 1;

	(void)block;
	while (always)
		__builtin_ia32_pause();
}

KERNEL void k_grid(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);
	uint32_t *out = (uint32_t *)(uintptr_t)args[0];
	uint32_t x, y, z, at;

	at = (block->block_z * block->grid_dim_y + block->block_y) * block->grid_dim_x +
	     block->block_x;
	at *= block->block_dim_x * block->block_dim_y * block->block_dim_z;
	for (z = 0; z < block->block_dim_z; z++)
		for (y = 0; y < block->block_dim_y; y++)
			for (x = 0; x < block->block_dim_x; x++)
				out[at++] += 1;
}

KERNEL void k_null_write(struct mt_dev_block *block)
{
	(void)block;
	__asm__ volatile("movl $1, 16");
}

KERNEL void k_divide(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);

	__asm__ volatile("xorl %%edx, %%edx\n movl $1, %%eax\n divl %0"
			 :
			 : "r"((uint32_t)args[0])
			 : "eax", "edx");
}

KERNEL void k_undefined(struct mt_dev_block *block)
{
	(void)block;
	__asm__ volatile("ud2");
}

KERNEL void k_trap(struct mt_dev_block *block)
{
	block->services->trap(block);
}

KERNEL void k_grid_barrier(struct mt_dev_block *block)
{
	block->services->grid_barrier(block);
}

KERNEL void k_bad_barrier(struct mt_dev_block *block)
{
	block->services->barrier(block, MT_DEV_BARRIER_PLAIN, 0);
}

/* Through GS: the block finds itself. */
KERNEL void k_gs(struct mt_dev_block *block)
{
	const uint64_t *args = args_of(block);
	struct mt_dev_block *self;

	block->services->use_gs(block);
	__asm__ volatile("movq %%gs:%c1, %0"
			 : "=r"(self)
			 : "i"(offsetof(struct mt_dev_block, self)));
	*(uint64_t *)(uintptr_t)args[0] = self == block;
}

/* ---- with fibers ---- */

static inline uint32_t linear_of(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	return (z * block->block_dim_y + y) * block->block_dim_x + x;
}

/* Every round each thread adds its left neighbour's value of the round before. */
KERNEL static void t_rounds(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	const uint64_t *args = args_of(block);
	uint32_t n = block->block_dim_x * block->block_dim_y * block->block_dim_z;
	uint32_t *now = block->shared, *next = now + n, *swap, i;
	uint32_t me = linear_of(block, x, y, z);

	now[me] = me;
	block->services->barrier(block, MT_DEV_BARRIER_PLAIN, 0);
	for (i = 0; i < args[1]; i++) {
		next[me] = now[me] + now[(me + n - 1) % n];
		block->services->barrier(block, MT_DEV_BARRIER_PLAIN, 0);
		swap = now;
		now = next;
		next = swap;
	}
	((uint32_t *)(uintptr_t)args[0])[me] = now[me];
}

KERNEL void k_rounds(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_rounds);
}

/* Threads leave one after the other; the barriers count who is left. */
KERNEL static void t_leave(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	const uint64_t *args = args_of(block);
	uint32_t me = linear_of(block, x, y, z), i;
	uint32_t n = block->block_dim_x * block->block_dim_y * block->block_dim_z;
	uint32_t *out = (uint32_t *)(uintptr_t)args[0];

	for (i = 0; i <= me; i++)
		if (block->services->barrier(block, MT_DEV_BARRIER_COUNT, 1) != n - i)
			out[me] += 1;
	out[n + me] = i;
}

KERNEL void k_leave(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_leave);
}

KERNEL static void t_reduce(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	const uint64_t *args = args_of(block);
	uint32_t me = linear_of(block, x, y, z);
	uint32_t *out = (uint32_t *)(uintptr_t)args[0] + me * 4u;

	out[0] = block->services->barrier(block, MT_DEV_BARRIER_COUNT, me % 3 == 0);
	out[1] = block->services->barrier(block, MT_DEV_BARRIER_AND, me != 5);
	out[2] = block->services->barrier(block, MT_DEV_BARRIER_OR, me == 5);
	out[3] = block->services->barrier(block, MT_DEV_BARRIER_AND, 7);
}

KERNEL void k_reduce(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_reduce);
}

/* Half of each warp reverses its values; then all lanes give theirs. */
KERNEL static void t_exchange(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	const uint64_t *args = args_of(block);
	uint32_t warp = block->warp_size, lane = x % warp, half = warp / 2;
	uint64_t low_lo = half >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << half) - 1;
	uint64_t all_lo = warp >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << warp) - 1;
	uint64_t all_hi = warp > 64 ? ~UINT64_C(0) : 0, arrived[2], mask_lo, mask_hi;
	uint64_t *out = (uint64_t *)(uintptr_t)args[0] + x * 4u;
	const uint64_t *values;

	(void)y;
	(void)z;
	mask_lo = lane < half ? low_lo : all_lo & ~low_lo;
	mask_hi = lane < half ? 0 : all_hi;
	values = block->services->warp_exchange(block, mask_lo, mask_hi, x + 100, arrived);
	block->services->warp_sync(block, all_lo, all_hi);
	out[0] = values[lane < half ? half - 1 - lane : warp - 1 - (lane - half)];
	out[1] = arrived[0];
	values = block->services->warp_exchange(block, all_lo, all_hi, x, arrived);
	out[2] = values[(lane + 1) % warp];
	out[3] = arrived[1];
}

KERNEL void k_exchange(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_exchange);
}

KERNEL static void t_deadlock(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	(void)y;
	(void)z;
	if (x == 0)
		block->services->warp_sync(block, 3, 0);
	else
		block->services->barrier(block, MT_DEV_BARRIER_PLAIN, 0);
}

KERNEL void k_deadlock(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_deadlock);
}

/* From the top down, as code with stack probes does. */
KERNEL static void t_overflow(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	volatile char large[200000];
	uint32_t i;

	(void)y;
	(void)z;
	for (i = sizeof(large); i > 1000; i -= 1000)
		large[i - 1] = (char)x;
	block->services->barrier(block, MT_DEV_BARRIER_PLAIN, large[5] == 3);
}

KERNEL void k_overflow(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_overflow);
}

/* Sums over the whole grid in steps; every block reads what the others wrote before the barrier. */
KERNEL static void t_cooperative(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z)
{
	const uint64_t *args = args_of(block);
	uint32_t n = block->grid_dim_x * block->block_dim_x;
	uint32_t me = block->block_x * block->block_dim_x + x, i;
	uint32_t *a = (uint32_t *)(uintptr_t)args[0], *b = a + n, *swap;

	(void)y;
	(void)z;
	((uint32_t *)block->shared)[x] = block->block_x;
	for (i = 0; i < args[1]; i++) {
		b[me] = a[me] + a[(me + 1) % n];
		block->services->grid_barrier(block);
		swap = a;
		a = b;
		b = swap;
	}
	if (((uint32_t *)block->shared)[x] != block->block_x || block->thread_x != x)
		a[me] = UINT32_MAX;
}

KERNEL void k_cooperative(struct mt_dev_block *block)
{
	block->services->run_threads(block, t_cooperative);
}

extern const char __start_mtkernels[], __stop_mtkernels[];

const void *t_kernels(size_t *size_out)
{
	*size_out = (size_t)(__stop_mtkernels - __start_mtkernels);
	return __start_mtkernels;
}
