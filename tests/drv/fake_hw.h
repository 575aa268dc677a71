/* SPDX-License-Identifier: MIT */
/*
 * A device that executes nothing: queues take submissions, record them, and complete them when the
 * test says so. What a stream puts into its packets can so be looked at, one by one.
 */
#ifndef TESTS_DRV_FAKE_HW_H
#define TESTS_DRV_FAKE_HW_H

#include "drv/context.h"
#include "drv/stream.h"
#include "hw/hw.h"

#define FAKE_SUBMITS_MAX 4096u

struct fake_queue {
	struct mt_hw_queue hw; /* first */
	_Atomic uint64_t values[2];
	int priority;
	uint64_t lanes[FAKE_SUBMITS_MAX]; /* lane 0 of submission n at n - 1 */
	struct fake_queue *next;
};

extern struct mt_hw_device fake_device;
extern struct fake_queue *fake_queues; /* newest first */
extern unsigned int fake_queue_count;
extern unsigned int fake_bo_count, fake_bo_created;
extern unsigned int fake_waits;       /* calls that found their value not reached */
extern unsigned int fake_fail_submit; /* the n-th submit from now on fails; 0: none */
extern bool fake_bo_fail;             /* no memory for buffer objects */
extern bool fake_wait_completes;  /* a wait completes what it waits for; else it fails (-ETIME) */
extern bool fake_wait_patience;   /* but only one without a time limit */
extern unsigned int fake_signals; /* semaphore signals from the CPU */

/* A context on the device with a command pool, events and the legacy stream, but no memory. */
void fake_ctx_open(struct mt_ctx *ctx);
void fake_ctx_close(struct mt_ctx *ctx); /* checks that no buffer object is left */

struct mt_stream *fake_stream(struct mt_ctx *ctx, unsigned int flags);
struct fake_queue *fake_queue_of(struct mt_stream *stream);
void fake_complete(struct mt_stream *stream); /* all that it has submitted */

/* Packet `index` of a submission, NULL behind its END. */
const struct mt_pkt_header *fake_packet(struct fake_queue *queue, uint64_t seq, unsigned int index);
/* Number of packets with this opcode in a submission. */
unsigned int fake_count(struct fake_queue *queue, uint64_t seq, enum mt_pkt_opcode opcode);

#endif
