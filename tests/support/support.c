/* SPDX-License-Identifier: MIT */
/* Shared helpers of the API tests. */
#include "support.h"

#include <sched.h>

musaStream_t t_stream(void)
{
	musaStream_t stream;

	OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
	return stream;
}

int *t_ints(size_t count)
{
	void *memory;

	OK(musaMalloc(&memory, count * sizeof(int)));
	OK(musaMemset(memory, 0, count * sizeof(int)));
	OK(musaDeviceSynchronize());
	return memory;
}

void t_read_all(const int *device, int *host, size_t count)
{
	OK(musaMemcpy(host, device, count * sizeof(int), musaMemcpyDeviceToHost));
}

int t_read(const int *device)
{
	int value;

	t_read_all(device, &value, 1);
	return value;
}

static struct t_gate launch_gate(musaStream_t stream, const void *kernel)
{
	struct t_gate gate;
	void *memory;

	OK(musaMallocHost(&memory, 2 * sizeof(int)));
	gate.flag = memory;
	gate.flag[0] = gate.flag[1] = 0;
	void *args[] = {&memory};
	OK(t_launch(kernel, args, stream));
	return gate;
}

struct t_gate t_hold(musaStream_t stream)
{
	return launch_gate(stream, kernel_wait_flag);
}

struct t_gate t_hold_running(musaStream_t stream)
{
	struct t_gate gate = launch_gate(stream, kernel_hold);

	while (!__atomic_load_n(&gate.flag[1], __ATOMIC_ACQUIRE))
		sched_yield();
	return gate;
}

void t_release(struct t_gate gate)
{
	__atomic_store_n(gate.flag, 1, __ATOMIC_RELEASE);
}

musaGraphNode_t t_add_kernel(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
			     const void *func, void **args)
{
	struct musaKernelNodeParams params = t_kernel(func, args);
	musaGraphNode_t node;

	OK(musaGraphAddKernelNode(&node, graph, deps, count, &params));
	return node;
}

musaGraphNode_t t_add_put(musaGraph_t graph, const musaGraphNode_t *deps, size_t count, int *to,
			  int value)
{
	void *args[] = {&to, &value};

	return t_add_kernel(graph, deps, count, kernel_put, args);
}

musaGraphNode_t t_add_append(musaGraph_t graph, const musaGraphNode_t *deps, size_t count, int *log,
			     int id)
{
	void *args[] = {&log, &id};

	return t_add_kernel(graph, deps, count, kernel_append, args);
}

void t_run(musaGraph_t graph)
{
	musaStream_t stream = t_stream();
	musaGraphExec_t exec;

	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaGraphExecDestroy(exec));
	OK(musaStreamDestroy(stream));
}
