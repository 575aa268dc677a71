/* SPDX-License-Identifier: MIT */
/* What tests of the driver API share: checks that print both values, a context, the kernels. */
#ifndef DRIVER_TEST_H
#define DRIVER_TEST_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdint.h>

#include "musa.h"

/* The call must give exactly this result. */
#define EXPECT(want, call)                                                                         \
	do {                                                                                       \
		int expect_got = (int)(call);                                                      \
		cr_assert_eq(expect_got, (int)(want), "%s gives %d, not %d", #call, expect_got,    \
			     (int)(want));                                                         \
	} while (0)

#define OK(call) EXPECT(MUSA_SUCCESS, call)

#define EQ(got, want)                                                                              \
	do {                                                                                       \
		long long eq_got = (long long)(got), eq_want = (long long)(want);                  \
		cr_assert_eq(eq_got, eq_want, "%s is %lld, not %lld", #got, eq_got, eq_want);      \
	} while (0)

/* Initialises; the first device's primary context becomes current. */
MUcontext d_context(void);

/* The kernels of kernels.mu, loaded into the current context at first use. */
MUmodule d_module(void);
MUfunction d_function(const char *name);
/* The same code object in memory. */
const void *d_image(void);

MUstream d_stream(void);           /* a new non-blocking stream */
MUdeviceptr d_ints(size_t count);  /* zeroed device memory */
int d_read(MUdeviceptr device);    /* one word, synchronised */

/* One-block, one-thread parameters; `args` must outlive the call they are given to. */
MUSA_KERNEL_NODE_PARAMS d_kernel(const char *name, void **args);

/* Adds a kernel node with arguments (address, value); aborts the test on failure. */
MUgraphNode d_add(MUgraph graph, const MUgraphNode *deps, size_t count, const char *kernel,
		  MUdeviceptr to, int value);

/* Instantiates, launches once, waits, destroys the exec. */
void d_run(MUgraph graph);

/* A kernel on `stream` that holds everything behind it until d_release(). */
volatile int *d_hold(MUstream stream);
void d_release(volatile int *flag);

#endif
