/* SPDX-License-Identifier: MIT */
/* A submission that the device refuses leaves the exec, its pending changes and its events as they
 * were. */
#include <stdlib.h>

#include "support.h"

Test(refused_launch, nothing_is_lost)
{
	int *to, value = 1, refused = 0;
	void *args[] = { &to, &value };
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);
	musaGraphNode_t n[2];
	musaGraphExec_t exec;
	musaStream_t stream;
	musaEvent_t event;
	musaGraph_t graph;
	musaError_t ret;

	/* The launches are the only submissions. */
	cr_assert_eq(setenv("MUSA_MOCK_FAIL_SUBMIT", "6", 1), 0);
	stream = t_stream();
	OK(musaMallocHost((void **)&to, 64));
	OK(musaEventCreate(&event));
	OK(musaGraphCreate(&graph, 0));
	n[0] = t_add_put(graph, NULL, 0, to, 0);
	OK(musaGraphAddEventRecordNode(&n[1], graph, n, 1, event));
	OK(musaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 10; i++) {
		value = 100 + i;
		OK(musaGraphExecKernelNodeSetParams(exec, n[0], &params));
		ret = musaGraphLaunch(exec, stream);
		if (ret) {
			refused++;
			OK(musaEventSynchronize(event)); /* the record is not waited for */
			OK(musaGraphLaunch(exec, stream));
		}
		OK(musaEventSynchronize(event));
		EQ(*to, 100 + i);
	}
	EQ(refused, 1);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaEventDestroy(event));
}
