/* SPDX-License-Identifier: MIT */
/*
 * A hardware queue with the command memory of what is submitted to it directly: packets and
 * kernargs of ops that do not come from a graph. Streams own one each while they live and pass it
 * on when they are destroyed.
 *
 *	chunk:  | packets -->          free          <-- kernargs, slots |
 *	                     low                 high
 *
 * A chunk is used again once the queue has completed the last submission that lies in it.
 */
#ifndef MT_DRV_COMMAND_WRITER_H
#define MT_DRV_COMMAND_WRITER_H

#include "drv/command.h"

struct mt_command_chunk {
	struct mt_command_block block;
	uint64_t seq; /* last submission in it, valid once it is not the newest */
};

struct mt_command_writer {
	struct mt_ctx *ctx;                     /* borrowed */
	struct mt_command_writer *next;         /* ctx->writers, set once */
	struct mt_command_writer *retired_next; /* ctx->retired; guarded by ctx->lock */
	struct mt_hw_queue *queue;              /* owned */
	int priority;
	_Atomic uint64_t last_seq; /* last submission, by whichever stream */

	/* Implicit order: see drv/stream_order.c. */
	_Atomic uint64_t order_seq; /* last submission of a blocking stream */
	_Atomic bool order_queued;  /* in ctx->unordered */
	struct mt_command_writer *order_next;

	/* Guarded by the lock of the stream that owns the writer. */
	struct mt_command_chunk *ring;   /* owned; oldest first from `first` */
	uint32_t capacity, first, count; /* capacity is a power of two, or 0 */
	uint32_t grow_b;                 /* size of the next new chunk */
	uint8_t *low, *high;             /* free part of the newest chunk */
	uint64_t to_va;                  /* GPU address = CPU address + to_va */
};

/* Space for one submission, not taken until mt_command_writer_commit(). */
struct mt_command_space {
	uint8_t *packets; /* multiple of 8 */
	uint8_t *data;    /* multiple of 64 */
	uint64_t packets_va, data_va;
};

/* A writer for a stream of this priority: one that is idle, or a new one. Takes ctx->lock. */
MUresult mt_command_writer_acquire(struct mt_ctx *ctx, int priority,
				   struct mt_command_writer **writer_out);

/* Gives it back; its work goes on. Takes ctx->lock. Accepts NULL. */
void mt_command_writer_retire(struct mt_command_writer *writer);

/* Frees all writers of a context. Waits for their work, unless the device has failed. */
void mt_command_writers_finish(struct mt_ctx *ctx);

/**
 * mt_command_writer_reserve() - Find space for a submission.
 * @packets_b:	Bytes of packets, multiple of 8, END included.
 * @data_b:	Bytes of kernargs and slots, multiple of 64; the sum is at most MT_COMMAND_ITEM_MAX.
 * @space_out:	[out] On success.
 * @wait_out:	[out] On NOT_READY: the submission whose end makes room.
 *
 * Allocates only while the stream has more in flight than ever before.
 * Errors: NOT_READY  wait (without the lock) and try again; OUT_OF_MEMORY with nothing in flight
 */
MUresult mt_command_writer_reserve(struct mt_command_writer *writer, uint32_t packets_b,
				   uint32_t data_b, struct mt_command_space *space_out,
				   uint64_t *wait_out);

/* What was reserved last has been submitted. */
static inline void mt_command_writer_commit(struct mt_command_writer *writer,
					    const struct mt_command_space *space,
					    uint32_t packets_b)
{
	writer->low = space->packets + packets_b;
	writer->high = space->data;
}

#endif
