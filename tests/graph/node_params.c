/* SPDX-License-Identifier: MIT */
/* Reading and setting parameters of graph nodes. */
#include "graph_support.h"

#include <string.h>

static void first(void *data)
{
	(void)data;
}

static void second(void *data)
{
	(void)data;
}

/* Kernel parameters come back as copies in the form set last; the caller's memory is free at once. */
Test(node_params, kernel)
{
	musaGraph_t graph = t_graph();
	int *word = t_ints(1), value = 3;
	void *args[] = { &word, &value };
	struct { int *to; int value; } packed = { word, 5 };
	size_t size = sizeof(packed);
	void *extra[] = { (void *)1, &packed, (void *)2, &size, NULL };
	struct musaKernelNodeParams set = t_kernel(kernel_put, args), got;
	musaGraphNode_t node;

	set.gridDim.x = 2;
	set.blockDim.y = 3;
	OK(musaGraphAddKernelNode(&node, graph, NULL, 0, &set));
	value = 4;
	args[1] = NULL;
	OK(musaGraphKernelNodeGetParams(node, &got));
	cr_assert_eq(got.func, kernel_put);
	EQ(got.gridDim.x, 2);
	EQ(got.gridDim.y, 1);
	EQ(got.blockDim.y, 3);
	EQ(got.sharedMemBytes, 0);
	cr_assert_null(got.extra);
	EQ(*(int *)got.kernelParams[1], 3);
	cr_assert_eq(*(int **)got.kernelParams[0], word);

	set.kernelParams = NULL;
	set.extra = extra;
	OK(musaGraphKernelNodeSetParams(node, &set));
	packed.value = 6;
	OK(musaGraphKernelNodeGetParams(node, &got));
	cr_assert_null(got.kernelParams);
	cr_assert_not_null(got.extra);
	cr_assert_eq(got.extra[0], (void *)1);
	cr_assert_eq(got.extra[2], (void *)2);
	cr_assert_null(got.extra[4]);
	EQ(*(size_t *)got.extra[3], sizeof(int *) + sizeof(int));
	memcpy(&packed, got.extra[1], sizeof(int *) + sizeof(int));
	EQ(packed.value, 5);
	cr_assert_eq(packed.to, word);
	/* What was read can be set again as it is. */
	OK(musaGraphKernelNodeSetParams(node, &got));
	t_run(graph);
	EQ(t_read(word), 5);
	OK(musaGraphDestroy(graph));
}

/* Rewriting one argument in the array that was read, as programs do between two launches. */
Test(node_params, kernel_read_change_set)
{
	musaGraph_t graph = t_graph();
	int *word = t_ints(2), *other = word + 1;
	musaGraphNode_t node = t_add_put(graph, NULL, 0, word, 3);
	struct musaKernelNodeParams params;

	for (int i = 0; i < 3; i++) {
		OK(musaGraphKernelNodeGetParams(node, &params));
		params.kernelParams[0] = &other;
		OK(musaGraphKernelNodeSetParams(node, &params));
	}
	t_run(graph);
	EQ(t_read(word), 0);
	EQ(t_read(other), 3);
	OK(musaGraphDestroy(graph));
}

/* Another function with more or fewer arguments, grown and shrunk. */
Test(node_params, kernel_other_function)
{
	musaGraph_t graph = t_graph();
	int *word = t_ints(1), many[256] = { 0 };
	void *put_args[] = { &word, &many[0] }, *last_args[] = { &word, many };
	struct musaKernelNodeParams put = t_kernel(kernel_put, put_args);
	struct musaKernelNodeParams last = t_kernel(kernel_put_last, last_args);
	struct musaKernelNodeParams empty = t_kernel(kernel_empty, NULL), got;
	musaGraphNode_t node;

	many[0] = 21;
	many[255] = 34;
	OK(musaGraphAddKernelNode(&node, graph, NULL, 0, &empty));
	for (int i = 0; i < 3; i++) {
		OK(musaGraphKernelNodeSetParams(node, &put));
		t_run(graph);
		EQ(t_read(word), 21);
		OK(musaGraphKernelNodeSetParams(node, &last));
		OK(musaGraphKernelNodeGetParams(node, &got));
		cr_assert_eq(got.func, kernel_put_last);
		EQ(((int *)got.kernelParams[1])[255], 34);
		t_run(graph);
		EQ(t_read(word), 34);
		OK(musaGraphKernelNodeSetParams(node, &empty));
	}
	OK(musaGraphDestroy(graph));
}

/* Every node has its own arguments, whatever became of the caller's stack. */
Test(node_params, arguments_belong_to_the_node)
{
	musaGraph_t graph = t_graph();
	int *words = t_ints(2), value = 9, *to = words + 1;
	musaGraphNode_t n1 = t_add_put(graph, NULL, 0, words, 1);
	musaGraphNode_t n2 = t_add_put(graph, NULL, 0, words + 1, 2);
	void *args[] = { &to, &value };
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);
	musaGraphExec_t exec;

	(void)n1;
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(musaGraphLaunch(exec, 0));
	OK(musaDeviceSynchronize());
	EQ(t_read(words), 1);
	EQ(t_read(words + 1), 2);
	/* The node's change is not the exec's. */
	OK(musaGraphKernelNodeSetParams(n2, &params));
	OK(musaGraphLaunch(exec, 0));
	OK(musaDeviceSynchronize());
	EQ(t_read(words + 1), 2);
	OK(musaGraphExecDestroy(exec));
	t_run(graph);
	EQ(t_read(words + 1), 9);
	OK(musaGraphDestroy(graph));
}

/* Copies show what was given; a one-dimensional one shows extent (count, 1, 1) and pitch 0. */
Test(node_params, memcpy)
{
	musaGraph_t graph = t_graph();
	char *device = (char *)t_ints(1024), host[64];
	struct musaMemcpy3DParms set, got;
	musaGraphNode_t node;

	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 24, musaMemcpyHostToDevice));
	OK(musaGraphMemcpyNodeGetParams(node, &got));
	cr_assert_eq(got.dstPtr.ptr, device);
	cr_assert_eq(got.srcPtr.ptr, host);
	EQ(got.dstPtr.pitch, 0);
	EQ(got.srcPtr.pitch, 0);
	EQ(got.extent.width, 24);
	EQ(got.extent.height, 1);
	EQ(got.extent.depth, 1);
	EQ(got.kind, musaMemcpyHostToDevice);
	cr_assert(!got.srcArray && !got.dstArray);
	OK(musaGraphMemcpyNodeSetParams(node, &got));

	memset(&set, 0, sizeof(set));
	set.srcPtr = make_musaPitchedPtr(device, 64, 32, 4);
	set.dstPtr = make_musaPitchedPtr(device + 1024, 128, 32, 5);
	set.srcPos = make_musaPos(1, 2, 3);
	set.dstPos = make_musaPos(4, 0, 0);
	set.extent = make_musaExtent(8, 2, 2);
	set.kind = musaMemcpyDeviceToDevice;
	OK(musaGraphMemcpyNodeSetParams(node, &set));
	OK(musaGraphMemcpyNodeGetParams(node, &got));
	cr_assert(!memcmp(&got.srcPtr, &set.srcPtr, sizeof(set.srcPtr)));
	cr_assert(!memcmp(&got.dstPtr, &set.dstPtr, sizeof(set.dstPtr)));
	cr_assert(!memcmp(&got.srcPos, &set.srcPos, sizeof(set.srcPos)));
	cr_assert(!memcmp(&got.dstPos, &set.dstPos, sizeof(set.dstPos)));
	cr_assert(!memcmp(&got.extent, &set.extent, sizeof(set.extent)));
	EQ(got.kind, musaMemcpyDeviceToDevice);
	/* Any change is allowed on a graph node. */
	OK(musaGraphMemcpyNodeSetParams1D(node, host, device, 8, musaMemcpyDeviceToHost));
	OK(musaGraphMemcpyNodeGetParams(node, &got));
	EQ(got.kind, musaMemcpyDeviceToHost);
	OK(musaGraphDestroy(graph));
}

/* A fill's value comes back with all its bits; width counts elements. */
Test(node_params, memset)
{
	musaGraph_t graph = t_graph();
	char *device = (char *)t_ints(64);
	struct musaMemsetParams set = { device, 32, 0xabcdef12, 1, 7, 3 }, got;
	musaGraphNode_t node;

	OK(musaGraphAddMemsetNode(&node, graph, NULL, 0, &set));
	OK(musaGraphMemsetNodeGetParams(node, &got));
	cr_assert(!memcmp(&set, &got, sizeof(set)));
	set.elementSize = 2;
	set.value = 0x77;
	set.height = 1;
	OK(musaGraphMemsetNodeSetParams(node, &set));
	OK(musaGraphMemsetNodeGetParams(node, &got));
	cr_assert(!memcmp(&set, &got, sizeof(set)));
	OK(musaGraphDestroy(graph));
}

Test(node_params, host_and_events)
{
	musaGraph_t graph = t_graph();
	struct musaHostNodeParams set = { first, &graph }, got;
	musaGraphNode_t node;
	musaEvent_t one, two, event;

	OK(musaGraphAddHostNode(&node, graph, NULL, 0, &set));
	OK(musaGraphHostNodeGetParams(node, &got));
	cr_assert(got.fn == first && got.userData == &graph);
	set.fn = second;
	OK(musaGraphHostNodeSetParams(node, &set));
	OK(musaGraphHostNodeGetParams(node, &got));
	cr_assert(got.fn == second);

	OK(musaEventCreate(&one));
	OK(musaEventCreate(&two));
	OK(musaGraphAddEventRecordNode(&node, graph, NULL, 0, one));
	OK(musaGraphEventRecordNodeGetEvent(node, &event));
	cr_assert_eq(event, one);
	OK(musaGraphEventRecordNodeSetEvent(node, two));
	OK(musaGraphEventRecordNodeGetEvent(node, &event));
	cr_assert_eq(event, two);
	EXPECT(IV, musaGraphEventWaitNodeGetEvent(node, &event));
	OK(musaGraphAddEventWaitNode(&node, graph, NULL, 0, two));
	OK(musaGraphEventWaitNodeSetEvent(node, one));
	OK(musaGraphEventWaitNodeGetEvent(node, &event));
	cr_assert_eq(event, one);
	OK(musaGraphDestroy(graph));
	OK(musaEventDestroy(one));
	OK(musaEventDestroy(two));
}

/* NULL node, NULL place, node of another type. */
Test(node_params, refusals)
{
	musaGraph_t graph = t_graph();
	musaGraphNode_t node = t_empty(graph, NULL, 0), kernel;
	struct musaExternalSemaphoreSignalNodeParams signal;
	struct musaExternalSemaphoreWaitNodeParams wait;
	struct musaKernelNodeParams kernel_params;
	struct musaMemcpy3DParms copy;
	struct musaMemsetParams fill;
	struct musaHostNodeParams host;
	musaEvent_t event;

	kernel = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	EXPECT(IV, musaGraphKernelNodeGetParams(kernel, NULL));
	EXPECT(IV, musaGraphKernelNodeGetParams(NULL, &kernel_params));
	EXPECT(IV, musaGraphKernelNodeGetParams(node, &kernel_params));
	EXPECT(IV, musaGraphMemcpyNodeGetParams(kernel, &copy));
	EXPECT(IV, musaGraphMemsetNodeGetParams(kernel, &fill));
	EXPECT(IV, musaGraphHostNodeGetParams(kernel, &host));
	EXPECT(IV, musaGraphEventRecordNodeGetEvent(kernel, &event));
	EXPECT(IV, musaGraphExternalSemaphoresSignalNodeGetParams(kernel, &signal));
	EXPECT(IV, musaGraphExternalSemaphoresWaitNodeGetParams(kernel, &wait));
	kernel_params = t_kernel(kernel_empty, NULL);
	EXPECT(IV, musaGraphKernelNodeSetParams(node, &kernel_params));
	EXPECT(IV, musaGraphKernelNodeSetParams(NULL, &kernel_params));
	host.fn = first;
	host.userData = NULL;
	EXPECT(IV, musaGraphHostNodeSetParams(kernel, &host));
	EXPECT(IV, musaGraphMemcpyNodeSetParams1D(kernel, t_ints(1), t_ints(1), 4,
						  musaMemcpyDeviceToDevice));
	OK(musaGraphDestroy(graph));
}
