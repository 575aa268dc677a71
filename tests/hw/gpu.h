/* SPDX-License-Identifier: MIT */
/*
 * A mock device with command memory, for tests that write packets by hand. Any failure of these
 * helpers fails the test.
 */
#ifndef TESTS_HW_GPU_H
#define TESTS_HW_GPU_H

#include "hw/hw.h"
#include "tests/hw/kernels.h"

struct t_gpu {
	struct mt_hw_device *dev, **devices;
	uint32_t device_count;
	struct mt_hw_queue *queue;
	struct mt_hw_bo *code, *command, *data;
	char *at;         /* where the next packet goes */
	char *args_at;    /* where the next argument image goes */
	uint64_t data_at; /* next free address of device memory */
};

typedef void (*t_kernel)(struct mt_dev_block *block);

void t_open(struct t_gpu *gpu);
void t_close(struct t_gpu *gpu);

uint64_t t_code(struct t_gpu *gpu, t_kernel kernel);
/* Zeroed device memory. */
uint64_t *t_data(struct t_gpu *gpu, size_t size_b);
/* Argument image of two words. */
uint64_t t_args(struct t_gpu *gpu, uint64_t first, uint64_t second);

static inline uint64_t t_here(const struct t_gpu *gpu)
{
	return (uint64_t)(uintptr_t)gpu->at;
}

/* Packets at gpu->at. */
struct mt_pkt_dispatch *t_dispatch(struct t_gpu *gpu, uint8_t flags, uint32_t node, t_kernel kernel,
				   uint64_t first, uint64_t second);
struct mt_pkt_copy *t_copy(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *dst,
			   const void *src, uint64_t size_b);
struct mt_pkt_fill *t_fill(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *dst,
			   uint64_t size_b, uint32_t value, uint32_t element_b);
void t_wait(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *word, uint64_t value);
void t_signal(struct t_gpu *gpu, uint8_t flags, uint32_t node, const void *word, uint64_t value);
void t_end(struct t_gpu *gpu);

/* One submission on one queue; the result of the submit. */
int t_submit_on(struct mt_hw_queue *queue, uint64_t lane_va);
int t_submit_lanes(struct t_gpu *gpu, const uint64_t *lane_va, uint32_t count,
		   uint64_t prologue_va);
/* Submits the lane and waits for it: 0, or the error of the wait. */
int t_run(struct t_gpu *gpu, uint64_t lane_va);
int t_finish(struct t_gpu *gpu);

#endif
