/* SPDX-License-Identifier: MIT */
/* The kernels of kernels.mu, as values for `func` arguments. */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

extern const void *const kernel_empty;         /* () */
extern const void *const kernel_inc;           /* (int *value), atomic */
extern const void *const kernel_put;           /* (int *to, int value) */
extern const void *const kernel_add;           /* (int *to, int value) */
extern const void *const kernel_copy_word;     /* (const int *from, int *to) */
extern const void *const kernel_append;        /* (int *log, int id) */
extern const void *const kernel_slow;          /* (int ms) */
extern const void *const kernel_wait_flag;     /* (const volatile int *flag) */
extern const void *const kernel_hold;          /* (volatile int *flag) */
extern const void *const kernel_meet;          /* (volatile int *flags, int me, int count) */
extern const void *const kernel_fill_index;    /* (int *data, int n) */
extern const void *const kernel_saxpy;         /* (float a, const float *x, float *y, int n) */
extern const void *const kernel_put_sum;       /* (int *to, {int, int}, double factor) */
extern const void *const kernel_put_last;      /* (int *to, {int[256]}) */
extern const void *const kernel_block_sum;     /* (const int *in, int *out), dynamic shared */
extern const void *const kernel_set_condition; /* (handle, unsigned value) */
extern const void *const kernel_count_down;    /* (handle, int *word) */
extern const void *const kernel_fault;         /* (int *where) */
extern const void *const kernel_read_words;    /* (int *to) */

extern const void *const symbol_device_word;     /* int */
extern const void *const symbol_constant_words;  /* int[4] */

#endif
