/* SPDX-License-Identifier: MIT */
/* Unsuffixed driver names mean their versions, and counted forms compile, for C and C++. */
#include "musa.h"

#include "call_forms.h"

static void context(void)
{
	MUcontext ctx;
	MUdevice dev;
	MUdeviceptr ptr;
	size_t size;

	EXPECT(muInit(0), MUSA_SUCCESS);
	EXPECT(muDeviceGet(&dev, 0), MUSA_SUCCESS);
	EXPECT(muDeviceTotalMem(&size, dev), MUSA_SUCCESS);
	EXPECT(muDevicePrimaryCtxRetain(&ctx, dev), MUSA_SUCCESS);
	EXPECT(muCtxPushCurrent(ctx), MUSA_SUCCESS);
	EXPECT(muMemAlloc(&ptr, 64), MUSA_SUCCESS);
	EXPECT(muMemsetD32(ptr, 7, 16), MUSA_SUCCESS);
	EXPECT(muMemFree(ptr), MUSA_SUCCESS);
}

static void leave(void)
{
	MUcontext popped;

	EXPECT(muCtxPopCurrent(&popped), MUSA_SUCCESS);
	EXPECT(muDevicePrimaryCtxRelease(0), MUSA_SUCCESS);
}

static void graphs(void)
{
	MUgraph graph;
	MUgraphExec exec;
	MUgraphNode bad;
	MUgraphExecUpdateResult result;
	MUgraphExecUpdateResultInfo info;

	EXPECT(muGraphCreate(&graph, 0), MUSA_SUCCESS);
	EXPECT(muGraphInstantiate(&exec, graph, 0), MUSA_SUCCESS);
	EXPECT(muGraphExecUpdate(exec, graph, &info), MUSA_SUCCESS);
	EXPECT(muGraphExecUpdate(exec, graph, &bad, &result), MUSA_SUCCESS);
	EXPECT(muGraphExecDestroy(exec), MUSA_SUCCESS);
	EXPECT(muGraphInstantiate(&exec, graph, NULL, NULL, 0), MUSA_SUCCESS);
	EXPECT(muGraphExecDestroy(exec), MUSA_SUCCESS);
	EXPECT(muGraphDestroy(graph), MUSA_SUCCESS);
}

static void capture(void)
{
	MUstream stream;
	MUgraph graph;
	MUstreamCaptureStatus status;
	muuint64_t id;
	const MUgraphNode *deps;
	const MUgraphEdgeData *data;
	size_t count;

	EXPECT(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING), MUSA_SUCCESS);
	EXPECT(muStreamBeginCapture(stream, MU_STREAM_CAPTURE_MODE_RELAXED), MUSA_SUCCESS);
	EXPECT(muStreamGetCaptureInfo(stream, &status, &id), MUSA_SUCCESS);
	EXPECT(status, MU_STREAM_CAPTURE_STATUS_ACTIVE);
	EXPECT(muStreamGetCaptureInfo(stream, &status, &id, &graph, &deps, &count), MUSA_SUCCESS);
	EXPECT(muStreamGetCaptureInfo(stream, &status, &id, &graph, &deps, &data, &count),
	       MUSA_SUCCESS);
	EXPECT(muStreamEndCapture(stream, &graph), MUSA_SUCCESS);
	EXPECT(muGraphDestroy(graph), MUSA_SUCCESS);
	EXPECT(muStreamDestroy(stream), MUSA_SUCCESS);
}

static void entry_points(void)
{
	MUdriverProcAddressQueryResult status;
	void *fn;

	EXPECT(muGetProcAddress("muInit", &fn, MUSA_VERSION, 0), MUSA_SUCCESS);
	EXPECT(muGetProcAddress("muInit", &fn, MUSA_VERSION, 0, &status), MUSA_SUCCESS);
}

int main(void)
{
	context();
	graphs();
	capture();
	entry_points();
	leave();
	return failures != 0;
}
