/* SPDX-License-Identifier: MIT */
/* Streams, events and host functions of the driver API. */
#include <string.h>

#include "driver_test.h"

TestSuite(driver_streams, .timeout = 60);

/* What a stream was made with, it tells. */
Test(driver_streams, properties)
{
	MUcontext ctx, told;
	MUstream stream, plain;
	unsigned long long id, other;
	unsigned int flags;
	int priority, least, greatest;
	MUdevice device;

	EXPECT(MUSA_ERROR_NOT_INITIALIZED, muStreamCreate(&stream, 0));
	OK(muInit(0));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muStreamCreate(&stream, 0));
	EXPECT(MUSA_ERROR_INVALID_CONTEXT, muStreamSynchronize(NULL));
	ctx = d_context();
	OK(muCtxGetStreamPriorityRange(&least, &greatest));
	OK(muStreamCreateWithPriority(&stream, MU_STREAM_NON_BLOCKING, greatest));
	OK(muStreamCreate(&plain, MU_STREAM_DEFAULT));
	OK(muStreamGetFlags(stream, &flags));
	EQ(flags, MU_STREAM_NON_BLOCKING);
	OK(muStreamGetPriority(stream, &priority));
	EQ(priority, greatest);
	OK(muStreamGetCtx(stream, &told));
	cr_assert_eq(told, ctx);
	OK(muStreamGetCtx(NULL, &told));
	cr_assert_eq(told, ctx);
	OK(muStreamGetDevice(stream, &device));
	EQ(device, 0);
	OK(muStreamGetId(stream, &id));
	OK(muStreamGetId(plain, &other));
	cr_assert_neq(id, other);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muStreamGetId(stream, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muStreamCreate(&stream, 2));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muStreamCreate(NULL, 0));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muStreamDestroy(NULL));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muStreamDestroy(MU_STREAM_PER_THREAD));
	OK(muStreamDestroy(plain));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muStreamDestroy(plain));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muStreamQuery(plain));
	OK(muStreamDestroy(stream));
}

/* Attribute values of 32 bytes; a copy takes them along. */
Test(driver_streams, attributes)
{
	MUstreamAttrValue value;
	MUstream stream, other;

	d_context();
	stream = d_stream();
	other = d_stream();
	memset(&value, 0, sizeof(value));
	value.syncPolicy = MU_SYNC_POLICY_YIELD;
	OK(muStreamSetAttribute(stream, MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
	OK(muStreamCopyAttributes(other, stream));
	value.syncPolicy = MU_SYNC_POLICY_AUTO;
	OK(muStreamGetAttribute(other, MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
	EQ(value.syncPolicy, MU_SYNC_POLICY_YIELD);
	EXPECT(MUSA_ERROR_INVALID_VALUE, muStreamGetAttribute(other, (MUstreamAttrID)99, &value));
	OK(muStreamDestroy(stream));
	OK(muStreamDestroy(other));
}

/* Queries say whether work is done; an event on another stream makes it wait. */
Test(driver_streams, order)
{
	MUdeviceptr word = (d_context(), d_ints(1));
	MUstream first = d_stream(), second = d_stream();
	int one = 1, two = 2;
	void *put[] = {&word, &one}, *add[] = {&word, &two};
	volatile int *gate;
	MUevent event;

	OK(muEventCreate(&event, MU_EVENT_DISABLE_TIMING));
	OK(muEventQuery(event));
	d_module();
	gate = d_hold(first);
	OK(muLaunchKernel(d_function("put"), 1, 1, 1, 1, 1, 1, 0, first, put, NULL));
	OK(muEventRecord(event, first));
	OK(muStreamWaitEvent(second, event, 0));
	OK(muLaunchKernel(d_function("add"), 1, 1, 1, 1, 1, 1, 0, second, add, NULL));
	EXPECT(MUSA_ERROR_NOT_READY, muStreamQuery(first));
	EXPECT(MUSA_ERROR_NOT_READY, muStreamQuery(second));
	EXPECT(MUSA_ERROR_NOT_READY, muEventQuery(event));
	d_release(gate);
	OK(muEventSynchronize(event));
	OK(muStreamSynchronize(second));
	EQ(d_read(word), 3);
	OK(muEventDestroy(event));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muEventDestroy(event));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muEventRecord(event, first));
	OK(muStreamDestroy(first));
	OK(muStreamDestroy(second));
}

/* Times, and the events that have none. */
Test(driver_streams, elapsed_time)
{
	MUevent start, end, untimed;
	MUstream stream;
	float ms = -1;

	d_context();
	stream = d_stream();
	EXPECT(MUSA_ERROR_INVALID_VALUE, muEventCreate(&start, 0x40));
	OK(muEventCreate(&start, MU_EVENT_DEFAULT));
	OK(muEventCreate(&end, MU_EVENT_BLOCKING_SYNC));
	OK(muEventCreate(&untimed, MU_EVENT_DISABLE_TIMING));
	OK(muEventRecord(start, stream));
	OK(muEventRecordWithFlags(end, stream, MU_EVENT_RECORD_DEFAULT));
	OK(muEventRecord(untimed, stream));
	OK(muStreamSynchronize(stream));
	OK(muEventElapsedTime(&ms, start, end));
	cr_assert_geq(ms, 0);
	OK(muEventElapsedTime_v2(&ms, start, end));
	EXPECT(MUSA_ERROR_INVALID_HANDLE, muEventElapsedTime(&ms, start, untimed));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muEventElapsedTime(NULL, start, end));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muEventRecordWithFlags(end, stream, 8));
	OK(muEventDestroy(start));
	OK(muEventDestroy(end));
	OK(muEventDestroy(untimed));
}

static MUresult inside;

static void note(void *data)
{
	*(int *)data = 1;
	inside = muCtxSynchronize();
}

static void note_status(MUstream stream, MUresult status, void *data)
{
	(void)stream;
	*(int *)data = status == MUSA_SUCCESS ? 2 : 3;
}

/* Host functions run in stream order and must not call back in. */
Test(driver_streams, host_functions)
{
	MUstream stream;
	int called = 0, told = 0;

	d_context();
	stream = d_stream();
	OK(muLaunchHostFunc(stream, note, &called));
	OK(muStreamAddCallback(stream, note_status, &told, 0));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muLaunchHostFunc(stream, NULL, NULL));
	EXPECT(MUSA_ERROR_INVALID_VALUE, muStreamAddCallback(stream, note_status, &told, 1));
	OK(muStreamSynchronize(stream));
	EQ(called, 1);
	EQ(inside, MUSA_ERROR_NOT_PERMITTED);
	EQ(told, 2);
	OK(muStreamDestroy(stream));
}
