/* SPDX-License-Identifier: MIT */
/* Faults that users of graph runtimes reported, each as a small program with the right outcome. */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void count_up(void *data)
{
	__atomic_add_fetch((int *)data, 1, __ATOMIC_SEQ_CST);
}

static musaGraph_t capture_fill2d(musaStream_t s, void *p, size_t pitch, int value, size_t width)
{
	musaGraph_t graph;

	OK(musaStreamBeginCapture(s, musaStreamCaptureModeGlobal));
	OK(musaMemset2DAsync(p, pitch, value, width, 8, s));
	OK(musaStreamEndCapture(s, &graph));
	return graph;
}

static void check_fill2d(void *p, size_t pitch, unsigned char value)
{
	static unsigned char host[64 * 1024];

	OK(musaMemcpy(host, p, pitch * 8, musaMemcpyDeviceToHost));
	for (size_t row = 0; row < 8; row++)
		for (size_t x = 0; x < 64; x++)
			EQ(host[row * pitch + x], x < 32 ? value : 0);
}

/* An unchanged 2D fill captured again updates cleanly, from either allocator. */
Test(reported, recapturing_a_2d_fill_updates)
{
	musaStream_t s = t_stream();

	for (int pitched = 0; pitched < 2; pitched++) {
		musaGraphExecUpdateResultInfo info;
		musaGraph_t graph[4];
		musaGraphExec_t exec;
		size_t pitch = 64;
		void *p;

		if (pitched)
			OK(musaMallocPitch(&p, &pitch, 64, 8));
		else
			OK(musaMalloc(&p, 4096));
		OK(musaMemset(p, 0, pitch * 8));
		graph[0] = capture_fill2d(s, p, pitch, 0xAB, 32);
		OK(musaGraphInstantiate(&exec, graph[0], 0));
		graph[1] = capture_fill2d(s, p, pitch, 0xAB, 32);
		OK(musaGraphExecUpdate(exec, graph[1], &info));
		EQ(info.result, musaGraphExecUpdateSuccess);
		OK(musaGraphLaunch(exec, s));
		OK(musaStreamSynchronize(s));
		check_fill2d(p, pitch, 0xAB);
		graph[2] = capture_fill2d(s, p, pitch, 0xCD, 32);
		OK(musaGraphExecUpdate(exec, graph[2], &info));
		OK(musaGraphLaunch(exec, s));
		OK(musaStreamSynchronize(s));
		check_fill2d(p, pitch, 0xCD);
		graph[3] = capture_fill2d(s, p, pitch, 0xEF, 16);
		EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, graph[3], &info));
		EQ(info.result, musaGraphExecUpdateErrorParametersChanged);
		cr_assert_not_null(info.errorNode);
		OK(musaMemset(p, 0, pitch * 8));
		OK(musaGraphLaunch(exec, s));
		OK(musaStreamSynchronize(s));
		check_fill2d(p, pitch, 0xCD);
		OK(musaGraphExecDestroy(exec));
	}
}

static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* 5,000 live executable graphs. */
Test(reported, thousands_of_live_execs, .timeout = 120)
{
	enum { COUNT = 5000 };
	static musaGraphExec_t exec[COUNT];
	struct musaMemsetParams fill = {0};
	musaStream_t s = t_stream();
	musaGraph_t graph;
	musaGraphNode_t node;
	int *value = t_ints(1), before;

	fill.dst = value;
	fill.value = 7;
	fill.elementSize = 4;
	fill.width = 1;
	fill.height = 1;
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
	OK(musaGraphInstantiate(&exec[0], graph, 0));
	before = count_descriptors();
	for (int i = 1; i < COUNT; i++)
		OK(musaGraphInstantiate(&exec[i], graph, 0));
	for (int i = 0; i < COUNT; i++)
		OK(musaGraphLaunch(exec[i], s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 7);
	cr_assert_leq(count_descriptors(), before + 8);
	for (int i = 0; i < COUNT; i++)
		OK(musaGraphExecDestroy(exec[i]));
}

/* A ceiling of live execs is an error of memory, and a freed place can be used again. */
Test(reported, ceiling_of_live_execs)
{
	musaGraphExec_t exec[101], spare;
	musaStream_t s;
	musaGraph_t graph;
	int *value;

	setenv("MUSA_MOCK_MAX_EXECS", "100", 1);
	s = t_stream();
	value = t_ints(1);
	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_inc, (void *[]){&value});
	for (int i = 0; i < 100; i++)
		OK(musaGraphInstantiate(&exec[i], graph, 0));
	exec[100] = (musaGraphExec_t)0x1;
	EXPECT(musaErrorMemoryAllocation, musaGraphInstantiate(&exec[100], graph, 0));
	cr_assert_null(exec[100]);
	for (int i = 0; i < 100; i++)
		OK(musaGraphLaunch(exec[i], s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 100);
	OK(musaGraphExecDestroy(exec[50]));
	OK(musaGraphInstantiate(&spare, graph, 0));
}

static void __attribute__((noinline)) add_two_puts(musaGraph_t graph, int *a, int *b,
						   musaGraphNode_t nodes[2])
{
	nodes[0] = t_add_put(graph, NULL, 0, a, 1);
	nodes[1] = t_add_put(graph, NULL, 0, b, 2);
}

static void __attribute__((noinline)) set_exec_put(musaGraphExec_t exec, musaGraphNode_t node,
						   int *to, int value)
{
	void *args[] = {&to, &value};
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);

	OK(musaGraphExecKernelNodeSetParams(exec, node, &params));
}

/* Each node owns its arguments: two nodes of one kernel, stack memory of the caller, exec changes. */
Test(reported, each_node_owns_its_arguments)
{
	musaStream_t s = t_stream();
	int *value = t_ints(2), nine = 9, *second = value + 1;
	musaGraph_t graph;
	musaGraphNode_t nodes[2];
	musaGraphExec_t x, y;
	void *args[] = {&second, &nine};
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);
	volatile char trash[4096];

	OK(musaGraphCreate(&graph, 0));
	add_two_puts(graph, value, value + 1, nodes);
	memset((void *)trash, 0x5a, sizeof(trash));
	OK(musaGraphInstantiate(&x, graph, 0));
	OK(musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 1);
	EQ(t_read(value + 1), 2);
	set_exec_put(x, nodes[0], value, 7);
	memset((void *)trash, 0xa5, sizeof(trash));
	OK(musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 7);
	EQ(t_read(value + 1), 2);
	OK(musaGraphInstantiate(&y, graph, 0));
	OK(musaGraphLaunch(y, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 1);
	OK(musaGraphKernelNodeSetParams(nodes[1], &params));
	OK(musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value), 7);
	EQ(t_read(value + 1), 2);
	OK(musaGraphDestroy(graph));
	OK(musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(value + 1), 2);
}

static musaGraph_t make_allocating(musaGraphNode_t *alloc, int **p, int value)
{
	struct musaMemAllocNodeParams params;
	musaGraph_t graph;

	memset(&params, 0, sizeof(params));
	params.poolProps.allocType = musaMemAllocationTypePinned;
	params.poolProps.location.type = musaMemLocationTypeDevice;
	params.bytesize = 1 << 20;
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddMemAllocNode(alloc, graph, NULL, 0, &params));
	*p = params.dptr;
	t_add_put(graph, alloc, 1, *p, value);
	return graph;
}

/* Graph allocations: relaunch, frees, second instances. */
Test(reported, graph_allocations_follow_their_rules)
{
	musaStream_t s = t_stream();
	musaGraphNode_t alloc, node;
	unsigned long long used = 0;
	musaGraphExec_t x, y;
	musaGraph_t graph, other;
	void *plain;
	int *p;

	graph = make_allocating(&alloc, &p, 5);
	OK(musaGraphInstantiate(&x, graph, 0));
	OK(musaGraphLaunch(x, s));
	EXPECT(musaErrorInvalidValue, musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(p), 5);
	OK(musaFree(p));
	OK(musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(p), 5);
	OK(musaFree(p));
	EXPECT(musaErrorInvalidValue, musaFree(p));
	EXPECT(musaErrorNotSupported, musaGraphInstantiate(&y, graph, 0));
	OK(musaGraphExecDestroy(x));
	OK(musaGraphInstantiate(&x, graph, musaGraphInstantiateFlagAutoFreeOnLaunch));
	for (int i = 0; i < 100; i++)
		OK(musaGraphLaunch(x, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(p), 5);
	OK(musaDeviceGetGraphMemAttribute(0, musaGraphMemAttrUsedMemCurrent, &used));
	cr_assert_geq(used, 1u << 20);
	cr_assert_lt(used, 2u << 20);

	OK(musaGraphCreate(&other, 0));
	OK(musaGraphAddMemFreeNode(&node, other, NULL, 0, p));
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, other, NULL, 0, p));
	OK(musaMalloc(&plain, 64));
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, other, NULL, 0, plain));
}

/* A child graph that allocates is refused and leaves no half-made node. */
Test(reported, allocating_child_is_refused)
{
	struct musaGraphNodeParams params;
	musaGraph_t child, parent, clone;
	musaGraphNode_t node;
	size_t count = 9;
	int *p;

	child = make_allocating(&node, &p, 1);
	OK(musaGraphCreate(&parent, 0));
	EXPECT(musaErrorNotSupported, musaGraphAddChildGraphNode(&node, parent, NULL, 0, child));
	EXPECT(musaErrorNotSupported, musaGraphClone(&clone, child));
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeGraph;
	params.graph.graph = child;
	((int *)&params.graph)[2] = 1; /* ownership Move of later versions */
	EXPECT(musaErrorInvalidValue, musaGraphAddNode(&node, parent, NULL, 0, &params));
	OK(musaGraphGetNodes(parent, NULL, &count));
	EQ(count, 0);
	OK(musaGraphGetNodes(child, NULL, &count));
	EQ(count, 2);
	OK(musaGraphDestroy(parent));
	t_run(child);
	OK(musaFree(p));
}

/* A disabled node still orders its neighbours, and keeps parameters given while it was off. */
Test(reported, disabled_node_orders_and_keeps_parameters)
{
	musaStream_t s = t_stream();
	int *value = t_ints(3), *p = value, *d = value + 1, *q = value + 2, ms = 2, eight = 8, calls = 0;
	musaGraph_t graph, foreign;
	musaGraphNode_t slow, write, middle, read, side, host, alien;
	musaGraphExec_t exec;
	struct musaHostNodeParams host_params = {.fn = count_up, .userData = &calls};
	void *slow_args[] = {&ms}, *copy_args[] = {&p, &q}, *put_args[] = {&d, &eight};
	struct musaKernelNodeParams params = t_kernel(kernel_put, put_args);
	unsigned int on = 7;

	OK(musaGraphCreate(&graph, 0));
	slow = t_add_kernel(graph, NULL, 0, kernel_slow, slow_args);
	write = t_add_put(graph, &slow, 1, p, 1);
	middle = t_add_put(graph, &write, 1, d, 3);
	side = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	musaGraphNode_t both[] = {middle, side};
	read = t_add_kernel(graph, both, 2, kernel_copy_word, copy_args);
	(void)read;
	OK(musaGraphAddHostNode(&host, graph, NULL, 0, &host_params));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphNodeGetEnabled(exec, middle, &on));
	EQ(on, 1);
	OK(musaGraphNodeSetEnabled(exec, middle, 0));
	for (int i = 0; i < 20; i++) {
		OK(musaMemsetAsync(value, 0, 3 * sizeof(int), s));
		OK(musaGraphLaunch(exec, s));
		OK(musaStreamSynchronize(s));
		EQ(t_read(q), 1);
		EQ(t_read(d), 0);
	}
	OK(musaGraphExecKernelNodeSetParams(exec, middle, &params));
	OK(musaGraphNodeGetEnabled(exec, middle, &on));
	EQ(on, 0);
	OK(musaGraphNodeSetEnabled(exec, middle, 1));
	OK(musaGraphLaunch(exec, s));
	OK(musaStreamSynchronize(s));
	EQ(t_read(d), 8);
	EXPECT(musaErrorInvalidValue, musaGraphNodeSetEnabled(exec, host, 0));
	OK(musaGraphCreate(&foreign, 0));
	alien = t_add_kernel(foreign, NULL, 0, kernel_empty, NULL);
	EXPECT(musaErrorInvalidValue, musaGraphNodeSetEnabled(exec, alien, 0));
}

/* Cycles, foreign nodes, repeated edges; a launch leaves the caller's graph alone. */
Test(reported, bad_topologies_are_refused_and_launches_edit_nothing)
{
	musaGraphInstantiateParams params = {0};
	musaGraph_t graph, other;
	musaGraphNode_t n[3], foreign, node;
	musaGraphExec_t exec = (musaGraphExec_t)0x1;
	musaStream_t s = t_stream();
	size_t edges;

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphCreate(&other, 0));
	OK(musaGraphAddEmptyNode(&foreign, other, NULL, 0));
	for (int i = 0; i < 3; i++)
		OK(musaGraphAddEmptyNode(&n[i], graph, NULL, 0));
	OK(musaGraphAddDependencies(graph, &n[0], &n[1], 1));
	OK(musaGraphAddDependencies(graph, &n[1], &n[0], 1));
	EXPECT(musaErrorInvalidValue, musaGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, musaGraphInstantiateInvalidStructure);
	cr_assert(params.errNode_out == n[0] || params.errNode_out == n[1]);
	cr_assert_null(exec);
	OK(musaGraphRemoveDependencies(graph, &n[1], &n[0], 1));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphExecDestroy(exec));

	EXPECT(musaErrorInvalidValue, musaGraphAddDependencies(graph, &n[0], &n[0], 1));
	EXPECT(musaErrorInvalidValue, musaGraphAddDependencies(graph, &foreign, &n[0], 1));
	EXPECT(musaErrorInvalidValue, musaGraphAddDependencies(graph, &n[0], &n[1], 1));
	musaGraphNode_t twice[] = {n[0], n[0]};
	EXPECT(musaErrorInvalidValue, musaGraphAddEmptyNode(&node, graph, twice, 2));
	OK(musaGraphAddDependencies(graph, &n[1], &n[2], 1));
	OK(musaGraphAddDependencies(graph, &n[0], &n[2], 1));
	OK(musaGraphGetEdges(graph, NULL, NULL, &edges));
	EQ(edges, 3);
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, s));
	OK(musaGraphLaunch(exec, s));
	OK(musaStreamSynchronize(s));
	OK(musaGraphGetEdges(graph, NULL, NULL, &edges));
	EQ(edges, 3);
}

struct evictor {
	int rounds, calls;
	bool good;
};

/* Instantiates, launches and destroys at once, many times. */
static void *evict(void *data)
{
	struct evictor *evictor = data;
	struct musaHostNodeParams host = {.fn = count_up, .userData = &evictor->calls};
	musaStream_t s;
	void *memory;
	int *p;

	evictor->good = !musaStreamCreateWithFlags(&s, musaStreamNonBlocking) &&
			!musaMalloc(&memory, sizeof(int));
	p = memory;
	for (int i = 0; evictor->good && i < evictor->rounds; i++) {
		musaGraphNode_t slow, put, node;
		musaGraphExec_t exec;
		musaGraph_t graph;
		int ms = 1, got;
		void *slow_args[] = {&ms}, *put_args[] = {&p, &i};
		struct musaKernelNodeParams a = t_kernel(kernel_slow, slow_args);
		struct musaKernelNodeParams b = t_kernel(kernel_put, put_args);

		evictor->good = !musaGraphCreate(&graph, 0) &&
				!musaGraphAddKernelNode(&slow, graph, NULL, 0, &a) &&
				!musaGraphAddKernelNode(&put, graph, &slow, 1, &b) &&
				!musaGraphAddHostNode(&node, graph, &put, 1, &host) &&
				!musaGraphInstantiate(&exec, graph, 0) && !musaGraphLaunch(exec, s) &&
				!musaGraphExecDestroy(exec) && !musaGraphDestroy(graph) &&
				!musaStreamSynchronize(s) &&
				!musaMemcpyAsync(&got, p, sizeof(got), musaMemcpyDeviceToHost, s) &&
				!musaStreamSynchronize(s) && got == i;
	}
	return NULL;
}

/* Destroying a running exec lets the launch finish and frees it afterwards, on four threads. */
Test(reported, destroying_running_execs, .timeout = 300)
{
	struct evictor evictor[4];
	pthread_t thread[4];

	t_ints(1);
	for (int i = 0; i < 4; i++) {
		evictor[i] = (struct evictor){.rounds = getenv("DAG_GRAPHS") ? 50 : 500};
		pthread_create(&thread[i], NULL, evict, &evictor[i]);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		cr_assert(evictor[i].good);
		EQ(evictor[i].calls, evictor[i].rounds);
	}
}

/* An error while the body of a conditional is captured: every order of ending is safe. */
Test(reported, error_inside_a_conditional_body)
{
	enum musaStreamCaptureStatus status;
	struct musaGraphNodeParams params;
	musaGraphConditionalHandle handle;
	musaGraph_t graph, out;
	musaGraphNode_t node;
	int *value = t_ints(1);

	for (int order = 0; order < 3; order++) {
		musaStream_t sp = t_stream(), sb = t_stream();

		OK(musaStreamBeginCapture(sp, musaStreamCaptureModeGlobal));
		OK(musaStreamGetCaptureInfo_v2(sp, &status, NULL, &graph, NULL, NULL));
		OK(musaGraphConditionalHandleCreate(&handle, graph, 0, 0));
		memset(&params, 0, sizeof(params));
		params.type = musaGraphNodeTypeConditional;
		params.conditional.handle = handle;
		params.conditional.type = musaGraphCondTypeIf;
		params.conditional.size = 1;
		OK(musaGraphAddNode(&node, graph, NULL, 0, &params));
		OK(musaStreamBeginCaptureToGraph(sb, params.conditional.phGraph_out[0], NULL, NULL,
						 0, musaStreamCaptureModeGlobal));
		OK(musaMemsetAsync(value, 1, 4, sb));
		EXPECT(musaErrorStreamCaptureUnsupported, musaDeviceSynchronize());
		if (order == 0)
			EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(sb, &out));
		else if (order == 2)
			OK(musaStreamDestroy(sb));
		out = (musaGraph_t)0x1;
		EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(sp, &out));
		cr_assert_null(out);
		if (order == 1) {
			EXPECT(musaErrorStreamCaptureInvalidated, musaStreamEndCapture(sb, &out));
			cr_assert_null(out);
		}
		OK(musaStreamBeginCapture(sp, musaStreamCaptureModeGlobal));
		OK(musaStreamEndCapture(sp, &out));
		OK(musaGraphDestroy(out));
	}
}

/* A well-formed conditional: the body runs when the handle is not zero, its default holds at every
 * launch, and a handle that no node uses is named. */
Test(reported, well_formed_conditional)
{
	musaGraphInstantiateParams info = {0};
	struct musaGraphNodeParams params;
	musaGraphConditionalHandle handle, unused;
	musaStream_t s = t_stream();
	musaGraph_t graph;
	musaGraphNode_t node;
	musaGraphExec_t exec;
	int *value = t_ints(1);

	for (unsigned int start = 0; start < 2; start++) {
		OK(musaMemset(value, 0, 4));
		OK(musaGraphCreate(&graph, 0));
		OK(musaGraphConditionalHandleCreate(&handle, graph, start,
						    musaGraphCondAssignDefault));
		memset(&params, 0, sizeof(params));
		params.type = musaGraphNodeTypeConditional;
		params.conditional.handle = handle;
		params.conditional.type = musaGraphCondTypeIf;
		params.conditional.size = 1;
		OK(musaGraphAddNode(&node, graph, NULL, 0, &params));
		t_add_kernel(params.conditional.phGraph_out[0], NULL, 0, kernel_inc,
			     (void *[]){&value});
		OK(musaGraphInstantiate(&exec, graph, 0));
		for (int i = 0; i < 3; i++)
			OK(musaGraphLaunch(exec, s));
		OK(musaStreamSynchronize(s));
		EQ(t_read(value), start ? 3 : 0);
		OK(musaGraphExecDestroy(exec));
		OK(musaGraphConditionalHandleCreate(&unused, graph, 0, 0));
		EXPECT(musaErrorInvalidValue, musaGraphInstantiateWithParams(&exec, graph, &info));
		EQ(info.result_out, musaGraphInstantiateConditionalHandleUnused);
		OK(musaGraphDestroy(graph));
	}
}
