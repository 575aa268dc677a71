/* SPDX-License-Identifier: MIT */
/* Contexts that programs create: references to the one that a device has. */
#include "driver_test.h"

TestSuite(driver_contexts, .timeout = 60);

/* Created contexts are current, can be used, and end with the last reference. */
Test(driver_contexts, create_and_destroy)
{
	MUcontext ctx, second, current;
	MUdeviceptr memory;
	unsigned int flags;
	int active;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muCtxCreate(&ctx, 0, 0));
	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muCtxDestroy(NULL));
	OK(muInit(0));
	EXPECT(MUSA_ERROR_INVALID_DEVICE, muCtxCreate(&ctx, 0, 7));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muCtxCreate(NULL, 0, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muCtxCreate(&ctx, 1u << 20, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muCtxDestroy(NULL));
	OK(muCtxCreate(&ctx, MU_CTX_SCHED_YIELD, 0));
	OK(muCtxGetCurrent(&current));
	cr_assert_eq(current, ctx);
	OK(muCtxGetFlags(&flags));
	EQ(flags, MU_CTX_SCHED_YIELD);
	OK(muMemAlloc(&memory, 64));
	OK(muCtxCreate(&second, 0, 0));
	OK(muCtxDestroy(second));
	OK(muMemFree(memory));
	OK(muCtxGetCurrent(&current));
	cr_assert_eq(current, ctx);
	OK(muCtxDestroy(ctx));
	OK(muCtxGetCurrent(&current));
	cr_assert_null(current);
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxDestroy(ctx));
	OK(muDevicePrimaryCtxGetState(0, &flags, &active));
	EQ(active, 0);
}

/* References of the primary context are not muCtxDestroy()'s to take. */
Test(driver_contexts, retained_contexts)
{
	MUcontext retained, created;
	MUdeviceptr memory;

	retained = d_context();
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxDestroy(retained));
	OK(muCtxCreate(&created, 0, 0));
	OK(muMemAlloc(&memory, 64));
	OK(muCtxDestroy(created));
	OK(muMemFree(memory));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muCtxDestroy(created));
	OK(muDevicePrimaryCtxRelease(0));
	EXPECT(MUSA_ERROR_CONTEXT_IS_DESTROYED, muMemAlloc(&memory, 64));
}
