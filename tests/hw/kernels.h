/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the tests. Their addresses are only used to find them in the copy of their section.
 */
#ifndef TESTS_HW_KERNELS_H
#define TESTS_HW_KERNELS_H

#include "hw/softgpu/device_abi.h"

/* Arguments are 64-bit words. */
void k_empty(struct mt_dev_block *block);
void k_store(struct mt_dev_block *block);    /* address, value */
void k_add(struct mt_dev_block *block);      /* address, value: atomically */
void k_log(struct mt_dev_block *block);      /* log, id: appends; log[0] is the count */
void k_log_slow(struct mt_dev_block *block); /* the same, after some 20 us */
void k_meet(struct mt_dev_block *block);     /* counter, n: waits until n have come */
void k_until(struct mt_dev_block *block);    /* address, value: spins until it is there */
void k_forever(struct mt_dev_block *block);
void k_grid(struct mt_dev_block *block); /* counters of 32 bits, one per thread */
void k_null_write(struct mt_dev_block *block);
void k_divide(struct mt_dev_block *block); /* divisor */
void k_undefined(struct mt_dev_block *block);
void k_trap(struct mt_dev_block *block);
void k_grid_barrier(struct mt_dev_block *block);
void k_bad_barrier(struct mt_dev_block *block);
void k_gs(struct mt_dev_block *block);       /* address: 1 if GS is right */
void k_rounds(struct mt_dev_block *block);   /* out, rounds */
void k_leave(struct mt_dev_block *block);    /* errors and counts per thread */
void k_reduce(struct mt_dev_block *block);   /* 4 results per thread */
void k_exchange(struct mt_dev_block *block); /* 4 words per thread */
void k_deadlock(struct mt_dev_block *block);
void k_overflow(struct mt_dev_block *block);
void k_cooperative(struct mt_dev_block *block); /* two arrays, steps */

const void *t_kernels(size_t *size_out);

#endif
