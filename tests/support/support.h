/* SPDX-License-Identifier: MIT */
/* What tests of the public API share: checks that print both values, launches, small graphs. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "musa_runtime.h"

/* The call must give exactly this result. */
#define EXPECT(want, call)                                                                         \
	do {                                                                                       \
		musaError_t expect_got = (call);                                                   \
		cr_assert_eq(expect_got, (want), "%s gives %s, not %s", #call,                     \
			     musaGetErrorName(expect_got), musaGetErrorName(want));                \
	} while (0)

#define OK(call) EXPECT(musaSuccess, call)

#define EQ(got, want)                                                                              \
	do {                                                                                       \
		long long eq_got = (long long)(got), eq_want = (long long)(want);                  \
		cr_assert_eq(eq_got, eq_want, "%s is %lld, not %lld", #got, eq_got, eq_want);      \
	} while (0)

/* One-block, one-thread parameters; `args` must outlive the call they are given to. */
static inline struct musaKernelNodeParams t_kernel(const void *func, void **args)
{
	struct musaKernelNodeParams params = {0};

	params.func = (void *)(uintptr_t)func;
	params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
	params.blockDim.x = params.blockDim.y = params.blockDim.z = 1;
	params.kernelParams = args;
	return params;
}

/* Launches on one thread. */
static inline musaError_t t_launch(const void *func, void **args, musaStream_t stream)
{
	const dim3 one = {1, 1, 1};

	return musaLaunchKernel(func, one, one, args, 0, stream);
}

musaStream_t t_stream(void);                     /* a new non-blocking stream */
int *t_ints(size_t count);                       /* zeroed device memory */
int t_read(const int *device);                   /* one word, synchronised */
void t_read_all(const int *device, int *host, size_t count);

/* A kernel on `stream` that holds everything behind it until t_release(). */
struct t_gate {
	volatile int *flag; /* pinned */
};
struct t_gate t_hold(musaStream_t stream);
struct t_gate t_hold_running(musaStream_t stream); /* returns once the kernel runs */
void t_release(struct t_gate gate);

/* Adds a kernel node with one or two arguments; aborts the test on failure. */
musaGraphNode_t t_add_kernel(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
			     const void *func, void **args);
musaGraphNode_t t_add_put(musaGraph_t graph, const musaGraphNode_t *deps, size_t count, int *to,
			  int value);
musaGraphNode_t t_add_append(musaGraph_t graph, const musaGraphNode_t *deps, size_t count, int *log,
			     int id);

/* Instantiates, launches once on a new stream, waits, destroys the exec. */
void t_run(musaGraph_t graph);

#endif
