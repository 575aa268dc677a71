/* SPDX-License-Identifier: MIT */
/*
 * The runtime API on a card of which only the published interface is known, and on the simulated
 * one: everything that needs no kernels, streams and graphs alike.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api_test.h"

#define COUNT 4096

static int *device_ints(void)
{
	void *memory;

	OK(musaMalloc(&memory, COUNT * sizeof(int)));
	return memory;
}

static int *pinned_ints(int first)
{
	void *memory;

	OK(musaMallocHost(&memory, COUNT * sizeof(int)));
	for (int i = 0; i < COUNT; i++)
		((int *)memory)[i] = first + i;
	return memory;
}

static bool same(const int *ints, int first)
{
	for (int i = 0; i < COUNT; i++)
		if (ints[i] != first + i)
			return false;
	return true;
}

/* --- streams --- */

static void copies_and_fills(uint16_t generation)
{
	int *device, *other, *in, *out, *pageable = malloc(COUNT * sizeof(int));
	musaStream_t stream;

	api_start(generation);
	device = device_ints();
	other = device_ints();
	in = pinned_ints(5);
	out = pinned_ints(0);
	OK(musaStreamCreate(&stream));
	OK(musaMemcpyAsync(device, in, COUNT * sizeof(int), musaMemcpyHostToDevice, stream));
	OK(musaMemcpyAsync(other, device, COUNT * sizeof(int), musaMemcpyDeviceToDevice, stream));
	OK(musaMemcpyAsync(out, other, COUNT * sizeof(int), musaMemcpyDeviceToHost, stream));
	OK(musaStreamSynchronize(stream));
	cr_expect(same(out, 5));
	OK(musaMemset(device, 0x11, 64));
	OK(musaMemcpy(pageable, device, COUNT * sizeof(int), musaMemcpyDeviceToHost));
	cr_expect_eq(pageable[0], 0x11111111);
	cr_expect_eq(pageable[16], 5 + 16);
	OK(musaMemcpy(other, pageable, COUNT * sizeof(int), musaMemcpyHostToDevice));
	OK(musaMemcpy2D(device, 64, other, 128, 32, 10, musaMemcpyDeviceToDevice));
	OK(musaMemcpy(pageable, device, 128, musaMemcpyDeviceToHost));
	cr_expect_eq(pageable[16], 5 + 32);
	OK(musaStreamDestroy(stream));
	OK(musaFree(device));
	OK(musaFree(other));
	OK(musaFreeHost(in));
	OK(musaFreeHost(out));
	free(pageable);
}

Test(api, copies_and_fills_by_jobs)
{
	copies_and_fills(FAKE_GEN_MP22);
}

Test(api, copies_and_fills_by_packets)
{
	copies_and_fills(FAKE_GEN_SIM);
}

static void add_one(void *data)
{
	const struct timespec pause = {.tv_nsec = 2000000};

	nanosleep(&pause, NULL);
	++*(int *)data;
}

static void events_and_host_functions(uint16_t generation)
{
	musaEvent_t start, end;
	musaStream_t first, second;
	int calls = 0;
	float ms;

	api_start(generation);
	OK(musaStreamCreate(&first));
	OK(musaStreamCreate(&second));
	OK(musaEventCreate(&start));
	OK(musaEventCreate(&end));
	OK(musaEventRecord(start, first));
	OK(musaLaunchHostFunc(first, add_one, &calls));
	OK(musaLaunchHostFunc(first, add_one, &calls));
	OK(musaEventRecord(end, first));
	OK(musaStreamWaitEvent(second, end, 0));
	OK(musaStreamSynchronize(second));
	cr_expect_eq(calls, 2);
	OK(musaEventQuery(end));
	OK(musaEventElapsedTime(&ms, start, end));
	cr_expect_geq(ms, 4.0f);
	OK(musaEventDestroy(start));
	OK(musaEventDestroy(end));
	OK(musaStreamDestroy(first));
	OK(musaStreamDestroy(second));
}

Test(api, events_and_host_functions_by_jobs)
{
	events_and_host_functions(FAKE_GEN_MP22);
}

Test(api, events_and_host_functions_by_packets)
{
	events_and_host_functions(FAKE_GEN_SIM);
}

/* --- graphs --- */

/* A fork of two copies, joined by a fill and a host function; updated while it is queued. */
static void graph_with_updates(uint16_t generation)
{
	int *device, *in, *next, *out, calls = 0;
	musaGraphNode_t nodes[16], copy = NULL;
	enum musaGraphNodeType type;
	musaEvent_t fork, join;
	musaGraphExec_t exec;
	musaStream_t stream, side;
	musaGraph_t graph;
	size_t count = 16;

	api_start(generation);
	device = device_ints();
	in = pinned_ints(100);
	next = pinned_ints(900);
	out = pinned_ints(0);
	OK(musaStreamCreate(&stream));
	OK(musaStreamCreate(&side));
	OK(musaEventCreateWithFlags(&fork, musaEventDisableTiming));
	OK(musaEventCreateWithFlags(&join, musaEventDisableTiming));
	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	OK(musaMemcpyAsync(device, in, COUNT * sizeof(int), musaMemcpyHostToDevice, stream));
	OK(musaEventRecord(fork, stream));
	OK(musaStreamWaitEvent(side, fork, 0));
	OK(musaMemcpyAsync(out, device, COUNT * sizeof(int) / 2, musaMemcpyDeviceToHost, side));
	OK(musaMemcpyAsync(out + COUNT / 2, device + COUNT / 2, COUNT * sizeof(int) / 2,
			   musaMemcpyDeviceToHost, stream));
	OK(musaEventRecord(join, side));
	OK(musaStreamWaitEvent(stream, join, 0));
	OK(musaMemsetAsync(device, 0, 64, stream));
	OK(musaLaunchHostFunc(stream, add_one, &calls));
	OK(musaStreamEndCapture(stream, &graph));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	cr_expect(same(out, 100));
	cr_expect_eq(calls, 1);
	OK(musaGraphGetRootNodes(graph, nodes, &count));
	cr_assert_eq(count, 1);
	copy = nodes[0];
	OK(musaGraphNodeGetType(copy, &type));
	cr_assert_eq(type, musaGraphNodeTypeMemcpy);
	/* Forty launches with changing sources: the last one counts, and each runs. */
	for (int i = 0; i < 40; i++) {
		OK(musaGraphExecMemcpyNodeSetParams1D(exec, copy, device, i % 2 ? next : in,
						      COUNT * sizeof(int), musaMemcpyHostToDevice));
		OK(musaGraphLaunch(exec, stream));
	}
	OK(musaStreamSynchronize(stream));
	cr_expect(same(out, 900));
	cr_expect_eq(calls, 41);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaEventDestroy(fork));
	OK(musaEventDestroy(join));
	OK(musaStreamDestroy(stream));
	OK(musaStreamDestroy(side));
	OK(musaFree(device));
	OK(musaFreeHost(in));
	OK(musaFreeHost(next));
	OK(musaFreeHost(out));
}

Test(api, graph_with_updates_by_jobs)
{
	graph_with_updates(FAKE_GEN_MP22);
}

Test(api, graph_with_updates_by_packets)
{
	graph_with_updates(FAKE_GEN_SIM);
}

/* A straight line of 10,000 copies: at most two calls of the kernel submit it. */
static void long_graph(uint16_t generation)
{
	enum { LINKS = 10000 };
	musaGraphNode_t node, before = NULL;
	musaGraphExec_t exec;
	musaStream_t stream;
	musaGraph_t graph;
	int *device, *host;

	api_start(generation);
	OK(musaMalloc((void **)&device, (LINKS + 1) * sizeof(int)));
	OK(musaMemset(device, 0, (LINKS + 1) * sizeof(int)));
	OK(musaMallocHost((void **)&host, sizeof(int)));
	OK(musaMemset(device, 0x3c, sizeof(int)));
	OK(musaDeviceSynchronize());
	OK(musaGraphCreate(&graph, 0));
	for (int i = 0; i < LINKS; i++) {
		OK(musaGraphAddMemcpyNode1D(&node, graph, &before, before ? 1 : 0, device + i + 1,
					    device + i, sizeof(int), musaMemcpyDeviceToDevice));
		before = node;
	}
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaStreamCreate(&stream));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaMemset(device + 1, 0, LINKS * sizeof(int)));
	OK(musaDeviceSynchronize());
	fake_fail(NULL);
	OK(musaGraphLaunch(exec, stream));
	cr_expect_leq(fake_submits(), 2);
	OK(musaStreamSynchronize(stream));
	OK(musaMemcpy(host, device + LINKS, sizeof(int), musaMemcpyDeviceToHost));
	cr_expect_eq(*host, 0x3c3c3c3c);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaStreamDestroy(stream));
	OK(musaFree(device));
	OK(musaFreeHost(host));
}

Test(api, long_graph_by_jobs)
{
	long_graph(FAKE_GEN_MP22);
}

Test(api, long_graph_by_packets)
{
	long_graph(FAKE_GEN_SIM);
}

/* Branches that wait for each other again and again are still launched by one call, two at most. */
static void braided_graph(uint16_t generation)
{
	enum { BRANCHES = 4, ROUNDS = 8 };
	musaGraphNode_t row[BRANCHES], next[BRANCHES];
	musaGraphExec_t exec;
	musaStream_t stream;
	musaGraph_t graph;
	int *device, *host;

	api_start(generation);
	OK(musaMalloc((void **)&device, (ROUNDS + 1) * BRANCHES * sizeof(int)));
	OK(musaMallocHost((void **)&host, BRANCHES * sizeof(int)));
	OK(musaMemset(device, 0x2b, BRANCHES * sizeof(int)));
	OK(musaMemset(device + BRANCHES, 0, ROUNDS * BRANCHES * sizeof(int)));
	OK(musaDeviceSynchronize());
	OK(musaGraphCreate(&graph, 0));
	/* Each takes what its neighbour had, after all of the row before. */
	for (int i = 0; i < ROUNDS; i++) {
		int *to = device + (i + 1) * BRANCHES, *from = device + i * BRANCHES;

		for (int k = 0; k < BRANCHES; k++)
			OK(musaGraphAddMemcpyNode1D(&next[k], graph, row, i ? BRANCHES : 0, to + k,
						    from + (k + 1) % BRANCHES, sizeof(int),
						    musaMemcpyDeviceToDevice));
		memcpy(row, next, sizeof(row));
	}
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaStreamCreate(&stream));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaMemset(device + BRANCHES, 0, ROUNDS * BRANCHES * sizeof(int)));
	OK(musaDeviceSynchronize());
	fake_fail(NULL);
	OK(musaGraphLaunch(exec, stream));
	cr_expect_leq(fake_submits(), 2);
	OK(musaStreamSynchronize(stream));
	OK(musaMemcpy(host, device + ROUNDS * BRANCHES, BRANCHES * sizeof(int),
		      musaMemcpyDeviceToHost));
	for (int k = 0; k < BRANCHES; k++)
		cr_expect_eq(host[k], 0x2b2b2b2b);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaStreamDestroy(stream));
	OK(musaFree(device));
	OK(musaFreeHost(host));
}

Test(api, braided_graph_by_jobs)
{
	braided_graph(FAKE_GEN_MP22);
}

Test(api, braided_graph_by_packets)
{
	braided_graph(FAKE_GEN_SIM);
}

/* Graph memory needs nothing but mappings. */
static void memory_nodes(uint16_t generation)
{
	struct musaMemAllocNodeParams alloc = {0};
	struct musaMemsetParams fill = {0};
	musaGraphNode_t made, filled, copied, freed;
	musaGraphExec_t exec;
	musaGraph_t graph;
	int *out;

	api_start(generation);
	out = pinned_ints(0);
	alloc.poolProps.allocType = musaMemAllocationTypePinned;
	alloc.poolProps.location.type = musaMemLocationTypeDevice;
	alloc.bytesize = COUNT * sizeof(int);
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddMemAllocNode(&made, graph, NULL, 0, &alloc));
	fill.dst = alloc.dptr;
	fill.value = 0x77;
	fill.elementSize = 1;
	fill.width = COUNT * sizeof(int);
	fill.height = 1;
	OK(musaGraphAddMemsetNode(&filled, graph, &made, 1, &fill));
	OK(musaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, out, alloc.dptr,
				    COUNT * sizeof(int), musaMemcpyDeviceToHost));
	OK(musaGraphAddMemFreeNode(&freed, graph, &copied, 1, alloc.dptr));
	OK(musaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 3; i++) {
		memset(out, 0, COUNT * sizeof(int));
		OK(musaGraphLaunch(exec, 0));
		OK(musaDeviceSynchronize());
		cr_expect_eq(out[0], 0x77777777);
		cr_expect_eq(out[COUNT - 1], 0x77777777);
	}
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaDeviceGraphMemTrim(0));
	OK(musaFreeHost(out));
}

Test(api, memory_nodes_by_jobs)
{
	memory_nodes(FAKE_GEN_MP22);
}

Test(api, memory_nodes_by_packets)
{
	memory_nodes(FAKE_GEN_SIM);
}

/* What the card says is what the API reports. */
Test(api, properties)
{
	struct musaDeviceProp prop;
	size_t free_b, total_b, before_b;
	void *memory;

	api_start(FAKE_GEN_MP22);
	OK(musaGetDeviceProperties(&prop, 0));
	cr_expect_eq(prop.pciBusID, 1);
	cr_expect_eq(prop.major, 2);
	cr_expect_eq(prop.minor, 2);
	cr_expect_eq(prop.warpSize, 128);
	cr_expect_eq(prop.totalGlobalMem, (size_t)4 << 30);
	OK(musaMemGetInfo(&before_b, &total_b));
	OK(musaMalloc(&memory, 256 << 20));
	OK(musaMemGetInfo(&free_b, &total_b));
	cr_expect_eq(total_b, (size_t)4 << 30);
	cr_expect_geq(before_b - free_b, (size_t)256 << 20);
	OK(musaFree(memory));
	cr_expect_eq(musaMalloc(&memory, (size_t)5 << 30), musaErrorMemoryAllocation);
	cr_expect_eq(musaGetLastError(), musaErrorMemoryAllocation);
}

/* Registered memory is reached by its own address. */
static void registered_memory(uint16_t generation)
{
	int *host = aligned_alloc(4096, COUNT * sizeof(int)), *device;

	api_start(generation);
	device = device_ints();
	for (int i = 0; i < COUNT; i++)
		host[i] = 7 + i;
	OK(musaHostRegister(host, COUNT * sizeof(int), 0));
	OK(musaMemcpyAsync(device, host, COUNT * sizeof(int), musaMemcpyHostToDevice, 0));
	OK(musaDeviceSynchronize());
	memset(host, 0, COUNT * sizeof(int));
	OK(musaMemcpyAsync(host, device, COUNT * sizeof(int), musaMemcpyDeviceToHost, 0));
	OK(musaDeviceSynchronize());
	cr_expect(same(host, 7));
	OK(musaHostUnregister(host));
	OK(musaFree(device));
	free(host);
}

Test(api, registered_memory_by_jobs)
{
	registered_memory(FAKE_GEN_MP22);
}

Test(api, registered_memory_by_packets)
{
	registered_memory(FAKE_GEN_SIM);
}
