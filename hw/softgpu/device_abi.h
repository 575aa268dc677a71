/* SPDX-License-Identifier: MIT */
/*
 * The contract between device code compiled for the mock GPU (member mp_90, x86-64) and the
 * engine that runs it. It is plain data and function pointers, so that a code object has no
 * undefined symbol and runs in any process that hosts the engine. It does not describe packets.
 *
 * A kernel's FUNC symbol is its *block entry*: `void kernel(struct mt_dev_block *block)`. The engine
 * calls it once per block, on a worker.
 *
 *   barrier-free kernel:   the block entry loops over the block's threads itself.
 *   kernel with barriers   (or warp exchange): the block entry calls services->run_threads() with its
 *                          thread entry, and the engine gives every thread a fiber.
 *
 * Functions that were not inlined read the current thread through GS (thread_x, ...), which the entry
 * asks for with services->use_gs(): threads with a GS base cost more to switch between. Inlined code
 * has the indices in registers. Whoever changes thread keeps thread_x/y/z current.
 */
#ifndef MT_SOFTGPU_DEVICE_ABI_H
#define MT_SOFTGPU_DEVICE_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Value of the kernel map's extra key ".mt_abi"; a code object with another one is refused. */
#define MT_DEV_ABI_VERSION 2u

struct mt_dev_services;

/* Offsets are part of the contract: device code addresses the members directly. */
struct mt_dev_block {
	uint32_t thread_x, thread_y, thread_z; /* current thread */
	uint32_t warp_size;                    /* 32 or 128 */
	uint32_t block_x, block_y, block_z;    /* blockIdx */
	uint32_t flags;                        /* reserved, zero */
	uint32_t block_dim_x, block_dim_y, block_dim_z, dynamic_shared_b;
	uint32_t grid_dim_x, grid_dim_y, grid_dim_z, static_shared_b;
	void *shared;        /* block-shared memory: static part first, dynamic part behind it,
	                      * 128-byte aligned; dynamic part starts at static_shared_b rounded
	                      * up to 16 */
	const void *kernarg; /* argument image, laid out by the kernel's metadata (bank 3, word
	                      * offset * 4), 64-byte aligned */
	const struct mt_dev_services *services;
	void *engine;        /* the engine's own, opaque to device code */
	struct mt_dev_block *self; /* this struct: how code that is not inlined finds it through GS */
};

typedef void (*mt_dev_thread_fn)(struct mt_dev_block *block, uint32_t x, uint32_t y, uint32_t z);

/* Math functions without a cheap inline form: called through services->math. The list gives the
 * index order; F is `float f(float)`, D `double f(double)`, with the number of arguments. */
#define MT_DEV_MATH_LIST(F1, F2, F3, D1, D2, D3)                                               \
	F1(sinf) F1(cosf) F1(tanf) F1(asinf) F1(acosf) F1(atanf) F1(sinhf) F1(coshf)           \
	F1(tanhf) F1(asinhf) F1(acoshf) F1(atanhf) F1(expf) F1(exp2f) F1(exp10f) F1(expm1f)    \
	F1(logf) F1(log2f) F1(log10f) F1(log1pf) F1(logbf) F1(cbrtf) F1(erff) F1(erfcf)        \
	F1(tgammaf) F1(lgammaf) F1(j0f) F1(j1f) F1(y0f) F1(y1f)                                \
	F2(powf) F2(atan2f) F2(fmodf) F2(remainderf) F2(hypotf) F2(fdimf) F2(nextafterf)       \
	F3(fmaf)                                                                               \
	D1(sin) D1(cos) D1(tan) D1(asin) D1(acos) D1(atan) D1(sinh) D1(cosh)                   \
	D1(tanh) D1(asinh) D1(acosh) D1(atanh) D1(exp) D1(exp2) D1(exp10) D1(expm1)            \
	D1(log) D1(log2) D1(log10) D1(log1p) D1(logb) D1(cbrt) D1(erf) D1(erfc)                \
	D1(tgamma) D1(lgamma) D1(j0) D1(j1) D1(y0) D1(y1)                                      \
	D2(pow) D2(atan2) D2(fmod) D2(remainder) D2(hypot) D2(fdim) D2(nextafter)              \
	D3(fma)

#define MT_DEV_MATH_ID(f) MT_DEV_MATH_##f,
enum mt_dev_math {
	MT_DEV_MATH_LIST(MT_DEV_MATH_ID, MT_DEV_MATH_ID, MT_DEV_MATH_ID, MT_DEV_MATH_ID,
			 MT_DEV_MATH_ID, MT_DEV_MATH_ID)
	MT_DEV_MATH_COUNT
};
#undef MT_DEV_MATH_ID

typedef void (*mt_dev_math_fn)(void); /* cast to the function's own type before the call */

/* What a reducing barrier returns to every thread. */
enum mt_dev_barrier_op {
	MT_DEV_BARRIER_PLAIN = 0, /* returns 0 */
	MT_DEV_BARRIER_COUNT = 1, /* number of threads whose value is non-zero */
	MT_DEV_BARRIER_AND = 2,   /* 1 if all values are non-zero */
	MT_DEV_BARRIER_OR = 3,    /* 1 if any value is non-zero */
};

/* Where a device-side graph launch goes. */
enum mt_dev_graph_stream {
	MT_DEV_GRAPH_FIRE_AND_FORGET = 1,
	MT_DEV_GRAPH_TAIL = 2,
	MT_DEV_GRAPH_SIBLING = 3,
};

/* Called by device code only, on the thread that runs the block. */
struct mt_dev_services {
	uint32_t version; /* MT_DEV_ABI_VERSION */
	uint32_t size_b;  /* sizeof(struct mt_dev_services) as the engine knows it */

	/* Runs `fn` once for every thread of the block, each on a fiber; returns when all have
	 * returned. */
	void (*run_threads)(struct mt_dev_block *block, mt_dev_thread_fn fn);

	/* Block barrier; `op` is enum mt_dev_barrier_op. Threads that have returned do not count. */
	uint32_t (*barrier)(struct mt_dev_block *block, uint32_t op, uint32_t value);

	/* Warp barrier over the lanes in mask (128 bits: lanes 0-63 in mask_lo). Lanes that have
	 * returned do not count. */
	void (*warp_sync)(struct mt_dev_block *block, uint64_t mask_lo, uint64_t mask_hi);

	/* Every lane of the mask gives `value`; returns an array indexed by lane (warp_size
	 * entries; entries of lanes outside the mask are 0) that stays valid until the calling
	 * thread's next warp exchange. arrived[2] receives the lanes that took part. */
	const uint64_t *(*warp_exchange)(struct mt_dev_block *block, uint64_t mask_lo,
					 uint64_t mask_hi, uint64_t value, uint64_t arrived[2]);

	/* Lanes of this thread's warp that are at this call together: the caller waits until no other
	 * thread of the block can go on, and then goes on with those that wait in the same call (by
	 * its return address). So the two sides of a branch get a mask each. */
	void (*active_mask)(struct mt_dev_block *block, uint64_t mask[2]);

	/* Barrier over all blocks of a cooperative launch; a device error in any other launch. */
	void (*grid_barrier)(struct mt_dev_block *block);

	/* printf: `args` holds one 8-byte slot per argument (integers sign- or zero-extended, double
	 * bits, pointers; strings as pointers). Returns the number of arguments, -1 on error. */
	int (*print)(struct mt_dev_block *block, const char *format, const uint64_t *args,
		     uint32_t count);

	/* assert() failure: device error 710. Does not return. */
	void (*assert_fail)(struct mt_dev_block *block, const char *expression, const char *file,
			    uint32_t line, const char *function);

	/* __trap(): device error 719. Does not return. */
	void (*trap)(struct mt_dev_block *block);

	/* Device-side heap (malloc/free in kernels). NULL when exhausted. */
	void *(*heap_alloc)(struct mt_dev_block *block, size_t size_b);
	void (*heap_free)(struct mt_dev_block *block, void *pointer);

	/* Lets other work run; used by __nanosleep() and spinning code that asks for it. */
	void (*yield)(struct mt_dev_block *block, uint64_t ns);

	/* Launches an executable graph from device code; `stream` is enum mt_dev_graph_stream.
	 * Returns a musaError number. */
	uint32_t (*graph_launch)(struct mt_dev_block *block, uint64_t exec, uint32_t stream);

	/* Handle of the executable graph that runs this kernel, 0 if none. */
	uint64_t (*graph_current)(struct mt_dev_block *block);

	/* Records an access of the running node; NULL unless recording is on. */
	void (*record_access)(struct mt_dev_block *block, const void *address, uint64_t size_b,
			      uint32_t is_write);

	const mt_dev_math_fn *math; /* MT_DEV_MATH_COUNT entries */

	/* Nanoseconds of the clock behind clock64() and __globaltimer(); never goes backward. */
	uint64_t (*clock)(struct mt_dev_block *block);

	/* From now on the GS base of the thread that runs the block is its block. A kernel that reads
	 * the block through GS calls this first. */
	void (*use_gs)(struct mt_dev_block *block);
};

#endif
