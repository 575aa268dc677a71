/* SPDX-License-Identifier: MIT */
/* The counting macros of the C headers can be undefined; the first form of each call remains. */
#include "musa_runtime.h"

#include "call_forms.h"

#undef musaGraphInstantiate
#undef musaGraphExecUpdate
#undef musaStreamIsCapturing
#undef musaStreamGetCaptureInfo

int main(void)
{
	enum musaStreamCaptureStatus status;
	unsigned long long id;
	musaGraphExec_t exec;
	musaGraph_t graph;
	musaStream_t stream;

	EXPECT(musaStreamCreate(&stream), musaSuccess);
	EXPECT(musaGraphCreate(&graph, 0), musaSuccess);
	EXPECT(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
	EXPECT(musaGraphExecUpdate(exec, graph, NULL), musaSuccess);
	EXPECT(musaStreamIsCapturing(stream, &status), musaSuccess);
	EXPECT(musaStreamGetCaptureInfo(stream, &status, &id), musaSuccess);
	EXPECT(status, musaStreamCaptureStatusNone);
	EXPECT(musaGraphExecDestroy(exec), musaSuccess);
	EXPECT(musaGraphDestroy(graph), musaSuccess);
	EXPECT(musaStreamDestroy(stream), musaSuccess);
	return failures != 0;
}
