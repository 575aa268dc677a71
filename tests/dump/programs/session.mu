/* SPDX-License-Identifier: MIT */
/*
 * Three mistakes: the second stream's work is read before it is waited for, a capture synchronises, and
 * an update brings another kind of copy.
 */
#include <musa_runtime.h>

#include <cstdio>

__global__ void scale(float *x, float factor)
{
	x[threadIdx.x] *= factor;
}

__global__ void total(float *sum, const float *x)
{
	*sum = 0;
	for (int i = 0; i < 64; i++)
		*sum += x[i];
}

static float *x, *sum, *pinned;
static musaStream_t stream, side;
static musaEvent_t begun, scaled;

static musaGraph_t record(const float *from, musaMemcpyKind kind, float factor)
{
	musaGraph_t graph;

	musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal);
	musaMemcpyAsync(x, from, 64 * sizeof(float), kind, stream);
	musaEventRecord(begun, stream);
	musaStreamWaitEvent(side, begun);
	scale<<<1, 64, 0, side>>>(x, factor);
	musaEventRecord(scaled, side);
	total<<<1, 1, 0, stream>>>(sum, x);
	musaStreamWaitEvent(stream, scaled); /* a line too late */
	musaStreamEndCapture(stream, &graph);
	return graph;
}

static void record_and_wait()
{
	musaGraph_t graph;

	musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal);
	scale<<<1, 64, 0, stream>>>(x, 2.0f);
	musaStreamSynchronize(stream); /* there is nothing to wait for yet */
	musaStreamEndCapture(stream, &graph);
}

int main()
{
	musaGraphExecUpdateResultInfo info;
	musaGraphExec_t exec;

	musaStreamCreate(&stream);
	musaStreamCreate(&side);
	musaEventCreate(&begun);
	musaEventCreate(&scaled);
	musaMalloc(&x, 64 * sizeof(float));
	musaMalloc(&sum, sizeof(float));
	musaMallocHost(&pinned, 64 * sizeof(float));

	musaGraphInstantiate(&exec, record(pinned, musaMemcpyHostToDevice, 2.0f), 0);
	musaGraphLaunch(exec, stream);
	musaGraphExecUpdate(exec, record(pinned, musaMemcpyHostToDevice, 3.0f), &info);
	musaGraphLaunch(exec, stream);
	musaGraphExecUpdate(exec, record(x, musaMemcpyDeviceToDevice, 3.0f), &info);
	record_and_wait();
	musaStreamSynchronize(stream);
	musaGraphExecDestroy(exec);
}
