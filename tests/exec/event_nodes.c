/* SPDX-License-Identifier: MIT */
/* Event nodes: each launch records and waits anew. */
#include "support.h"

/* Query before a launch, during and after it; the time between two records of a graph. */
Test(event_nodes, record)
{
	musaStream_t stream = t_stream(), other = t_stream();
	musaEvent_t begin, end, empty;
	int ms = 5, *to = t_ints(2);
	void *args[] = { &ms };
	musaGraphNode_t n[3];
	musaGraph_t graph;
	musaGraphExec_t exec;
	struct t_gate gate;
	float elapsed;

	OK(musaEventCreate(&begin));
	OK(musaEventCreate(&end));
	OK(musaEventCreate(&empty));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddEventRecordNode(&n[0], graph, NULL, 0, begin));
	n[1] = t_add_kernel(graph, n, 1, kernel_slow, args);
	OK(musaGraphAddEventRecordNode(&n[2], graph, n + 1, 1, end));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaEventQuery(end));
	for (int i = 0; i < 3; i++) {
		gate = t_hold(stream);
		OK(musaGraphLaunch(exec, stream));
		EXPECT(musaErrorNotReady, musaEventQuery(end));
		OK(musaStreamWaitEvent(other, end, 0));
		{
			int value = i + 1;
			void *put[] = { &to, &value };

			OK(t_launch(kernel_put, put, other));
		}
		EXPECT(musaErrorNotReady, musaStreamQuery(other));
		t_release(gate);
		OK(musaStreamSynchronize(other));
		EQ(t_read(to), i + 1);
		OK(musaEventQuery(end));
		OK(musaEventElapsedTime(&elapsed, begin, end));
		cr_assert(elapsed >= 4.0f, "%f ms", (double)elapsed);
	}

	/* The exec keeps a destroyed event usable, and takes another one. */
	OK(musaGraphExecEventRecordNodeSetEvent(exec, n[2], empty));
	OK(musaEventDestroy(end));
	OK(musaGraphLaunch(exec, stream));
	OK(musaEventSynchronize(empty));
	OK(musaEventElapsedTime(&elapsed, begin, empty));
	OK(musaEventDestroy(begin));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* A wait node waits for the newest record that was submitted before the launch. */
Test(event_nodes, wait)
{
	musaStream_t stream = t_stream(), other = t_stream();
	musaGraphNode_t n[2];
	musaEvent_t event;
	musaGraph_t graph;
	musaGraphExec_t exec;
	struct t_gate gate;
	int *to = t_ints(1);

	OK(musaEventCreate(&event));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddEventWaitNode(&n[0], graph, NULL, 0, event));
	n[1] = t_add_put(graph, n, 1, to, 3);
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream)); /* never recorded: no wait */
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), 3);
	for (int i = 0; i < 3; i++) {
		OK(musaMemset(to, 0, sizeof(int)));
		gate = t_hold(other);
		OK(musaEventRecord(event, other));
		OK(musaGraphLaunch(exec, stream));
		EXPECT(musaErrorNotReady, musaStreamQuery(stream));
		t_release(gate);
		OK(musaStreamSynchronize(stream));
		EQ(t_read(to), 3);
	}
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaEventDestroy(event));
}
