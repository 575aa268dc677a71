/* SPDX-License-Identifier: MIT */
/*
 * The operation: what every asynchronous call becomes, validated once, its arguments copied once.
 * A stream that does not capture encodes and submits it; a capturing stream and musaGraphAdd*Node
 * make it a node; instantiate encodes the same op with the same encoder. So a copy, a fill or a
 * kernel's argument layout has its behaviour in one place.
 */
#ifndef MT_DRV_OP_H
#define MT_DRV_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "drv/context.h"
#include "drv/result.h"

struct mt_function;
struct mt_event;
struct mt_array;
struct mt_ext_semaphore;
struct mt_arena;

/* The numbers of musaGraphNodeType, so that a node's type is its op's. */
enum mt_op_type {
	MT_OP_KERNEL = 0,
	MT_OP_COPY = 1,
	MT_OP_FILL = 2,
	MT_OP_HOST = 3,
	MT_OP_CHILD = 4, /* graph/ only */
	MT_OP_EMPTY = 5,
	MT_OP_EVENT_WAIT = 6,
	MT_OP_EVENT_RECORD = 7,
	MT_OP_SEM_SIGNAL = 8,
	MT_OP_SEM_WAIT = 9,
	MT_OP_ALLOC = 10,       /* graph/ only */
	MT_OP_FREE = 11,        /* graph/ only */
	MT_OP_BATCH_MEM = 12,
	MT_OP_CONDITIONAL = 13, /* graph/ only */
};

/* Kernel attributes that are not the default; absent (NULL) for most kernels. */
struct mt_kernel_attrs {
	uint32_t set;      /* bit n: launch attribute id n was set */
	int32_t priority;  /* as stored: clamped */
	int32_t priority_requested;
	uint32_t cooperative;
	uint32_t cluster[3], preferred_cluster[3];
	uint32_t cluster_policy;
	uint32_t mem_sync_domain;
	uint8_t mem_sync_map[2]; /* default, remote */
	uint32_t device_updatable;
	uint32_t carveout;
	uint8_t access_window[32]; /* MUaccessPolicyWindow, bytewise */
};

#define MT_CLUSTER_BLOCKS_MAX 8u

struct mt_op_kernel {
	struct mt_function *fn;  /* borrowed: the function lives as long as its module */
	uint32_t grid[3], block[3];
	uint32_t dynamic_shared_b;
	uint32_t args_b;         /* of args */
	void *args;              /* owned with the op: kernarg image */
	struct mt_kernel_attrs *attrs; /* owned with the op, or NULL */
};

/* What kind of memory an address is, as far as the runtime knows. */
enum mt_mem_type {
	MT_MEM_PAGEABLE = 0, /* not known: ordinary host memory */
	MT_MEM_PINNED,       /* musaMallocHost, musaHostRegister */
	MT_MEM_DEVICE,
	MT_MEM_MANAGED,
	MT_MEM_ARRAY,
};

/* One side of a copy, as given and as resolved. */
struct mt_copy_side {
	uint64_t ptr;            /* pitched pointer, 0 if array */
	uint64_t pitch_b;        /* as given */
	uint64_t xsize, ysize;   /* as given; ysize is the slice height in rows */
	uint64_t pos_x, pos_y, pos_z; /* x in bytes for pointers, in elements for arrays */
	struct mt_array *array;  /* borrowed, NULL if pointer */
	uint64_t va;             /* resolved first byte */
	uint64_t row_b, slice_b; /* resolved steps */
	uint8_t type;            /* enum mt_mem_type, resolved */
	uint8_t device;          /* ordinal, resolved; the graph's own for host memory */
};

struct mt_op_copy {
	struct mt_copy_side src, dst;
	uint64_t width, height, depth; /* extent as given: width in elements if an array takes part */
	uint64_t width_b;              /* resolved */
	uint8_t kind;                  /* musaMemcpyKind as given */
	uint8_t is_1d;                 /* counts as 1D for updates */
	uint8_t any_device;            /* in a graph: runs where the graph does */
};

struct mt_op_fill {
	uint64_t dst;
	uint64_t pitch_b;   /* as given; not used if height is 1 */
	uint64_t width;     /* elements */
	uint64_t height;    /* rows */
	uint64_t slice_b;   /* 3D fills of streams only */
	uint32_t depth;     /* 1 in graphs */
	uint32_t value;     /* as given */
	uint32_t element_b; /* 1, 2, 4 */
	uint8_t type;       /* enum mt_mem_type, resolved */
	uint8_t device;     /* ordinal, resolved */
};

struct mt_op_host {
	void (*fn)(void *data);
	void *data;
};

struct mt_op_event {
	struct mt_event *event; /* holds a reference */
	unsigned int flags;
};

struct mt_sem_param {
	struct mt_ext_semaphore *semaphore; /* holds a reference */
	uint64_t value;
	uint8_t raw[144]; /* the caller's params, for GetParams: signal 144, wait 144 bytes at most */
};

struct mt_op_sem {
	uint32_t count;
	struct mt_sem_param *params; /* owned with the op, count entries */
};

struct mt_op {
	uint8_t type; /* enum mt_op_type */
	uint8_t device; /* ordinal the op runs on */
	uint8_t args_form; /* kernel: 0 kernelParams, 1 extra, as set last */
	uint8_t reserved0;
	union {
		struct mt_op_kernel kernel;
		struct mt_op_copy *copy; /* owned with the op */
		struct mt_op_fill *fill; /* owned with the op */
		struct mt_op_host host;
		struct mt_op_event event;
		struct mt_op_sem sem;
		void *graph; /* CHILD, ALLOC, FREE, CONDITIONAL: graph/'s own */
	};
};

/*
 * Builders: validate as the API says and resolve addresses. What they write into *op may point to
 * the caller's memory (args, copy, fill, params are taken from the given scratch objects); mt_op_copy_in()
 * below makes it own copies. Failure leaves *op untouched.
 */

/* `params` is kernelParams or NULL, `extra` the packed form or NULL; `image` (64-aligned, fn->args_b
 * bytes, at most MT_COMMAND_KERNARG_MAX) receives the kernarg image, in which addresses of indirect
 * parameters are still to be set: mt_op_encode() does. `attrs` is borrowed, or NULL.
 * Errors:	INVALID_VALUE for a zero or too large dimension, too many threads for the device or the
 *		kernel, too much shared memory, missing arguments or both forms;
 *		LAUNCH_OUT_OF_RESOURCES, COOPERATIVE_LAUNCH_TOO_LARGE, INVALID_CLUSTER_SIZE */
MUresult mt_op_kernel_build(struct mt_ctx *ctx, struct mt_function *fn, const uint32_t grid[3],
			    const uint32_t block[3], uint64_t dynamic_shared_b, void **params,
			    void **extra, void *image, const struct mt_kernel_attrs *attrs,
			    struct mt_op *op);

/* Completes *copy (extent, sides as given, kind) and checks it. `strict`: the checks of graph nodes
 * (zero extents are errors, declared sides must fit); else those of stream copies. */
MUresult mt_op_copy_build(struct mt_ctx *ctx, struct mt_op_copy *copy, bool strict,
			  struct mt_op *op);

MUresult mt_op_fill_build(struct mt_ctx *ctx, struct mt_op_fill *fill, bool strict,
			  struct mt_op *op);

/* Deep copy: *dst owns everything, from the arena if one is given, else from mt_alloc. Events and
 * semaphores get a reference. */
MUresult mt_op_copy_in(struct mt_op *dst, const struct mt_op *src, struct mt_arena *arena);

/* Drops references and frees what the op owns (not arena memory). Accepts a zeroed op. */
void mt_op_finish(struct mt_op *op, bool from_arena);

/*
 * Encoder: used by the stream path and by instantiate.
 */

/*
 * Where the op's variable words go. What mt_op_encode() makes of it:
 *
 *   KERNEL        one DISPATCH; the argument image goes to kernarg, with the addresses of indirect
 *                 parameters set for kernarg_va. No slot.
 *   COPY, FILL    one packet, nothing else.
 *   HOST          one HOST; slot: {function, data} (struct mt_pkt_host_args).
 *   EMPTY         one NOP.
 *   EVENT_RECORD  one indirect SIGNAL with SIGNAL_MAX, and a time stamp if the event has timing;
 *                 slot: struct mt_pkt_pair {0, 0}, "nothing to do", until a launch writes
 *                 {event->semaphore.va, mt_event_next_record(event)} to it.
 *   EVENT_WAIT    one indirect WAIT; slot as above: {0, 0} until a launch writes
 *                 {event->semaphore.va, event->recorded}, or leaves it for an event never recorded.
 *   SEM_SIGNAL,   one indirect SIGNAL or WAIT per semaphore; slot: one struct mt_pkt_pair per
 *   SEM_WAIT      semaphore in order, complete as written. Later values are written to the pairs.
 *
 * Types that are graph/'s own encode to nothing.
 */
struct mt_op_memory {
	void *kernarg;       /* CPU view, 64-aligned, mt_op_kernarg_b() bytes */
	uint64_t kernarg_va; /* 0 if the op has none */
	uint64_t slot_va;    /* 16-aligned, mt_op_slot_b() bytes; 0 if not needed */
	uint64_t *slot;      /* CPU view */
	int32_t priority;    /* DISPATCH: the queue's, or the kernel's own where that counts */
};

/* All O(1). */
uint32_t mt_op_packet_b(const struct mt_op *op);  /* bytes of packets the op encodes to */
uint32_t mt_op_kernarg_b(const struct mt_op *op); /* bytes of argument image, multiple of 64 */
uint32_t mt_op_slot_b(const struct mt_op *op);    /* 16 times the number of pairs it needs */

/* Writes mt_op_packet_b() bytes at `at` and returns their end. Cannot fail: the op was validated.
 * `flags` (MT_PKT_BARRIER, ...) go into the first packet. A graph that encodes HOST ops has called
 * mt_host_prepare() (drv/host.h). */
void *mt_op_encode(const struct mt_op *op, const struct mt_op_memory *memory, void *at,
		   uint8_t flags, uint32_t node);

#endif
