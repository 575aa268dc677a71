/* SPDX-License-Identifier: MIT */
/* Graph memory: addresses, states, sharing, attributes. */
#include "support.h"

#define MIB (1024u * 1024u)

static struct musaMemAllocNodeParams alloc_params(size_t bytes)
{
	struct musaMemAllocNodeParams params = { 0 };

	params.poolProps.allocType = musaMemAllocationTypePinned;
	params.poolProps.location.type = musaMemLocationTypeDevice;
	params.bytesize = bytes;
	return params;
}

static musaGraphNode_t add_alloc(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
				 size_t bytes, int **out)
{
	struct musaMemAllocNodeParams params = alloc_params(bytes);
	musaGraphNode_t node;

	OK(musaGraphAddMemAllocNode(&node, graph, deps, count, &params));
	cr_assert_not_null(params.dptr);
	EQ((uintptr_t)params.dptr % 512, 0);
	*out = params.dptr;
	return node;
}

static musaGraphNode_t add_free(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
				void *pointer)
{
	musaGraphNode_t node;

	OK(musaGraphAddMemFreeNode(&node, graph, deps, count, pointer));
	return node;
}

static uint64_t attribute(enum musaGraphMemAttributeType which)
{
	uint64_t value = ~0ull;

	OK(musaDeviceGetGraphMemAttribute(0, which, &value));
	return value;
}

static musaGraphNode_t add_copy_word(musaGraph_t graph, const musaGraphNode_t *deps, size_t count,
				     int *from, int *to)
{
	void *args[] = { &from, &to };

	return t_add_kernel(graph, deps, count, kernel_copy_word, args);
}

/* A chain of stages that allocate, use and free: memory of one stage; and of two where each stage reads
 * the one before. Results are right all the same. */
static void run_stages(unsigned int stages, bool overlap)
{
	musaStream_t stream = t_stream();
	int *result = t_ints(stages), *buffer[100];
	musaGraphNode_t node = NULL, use;
	musaGraphExec_t exec;
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	for (unsigned int i = 0; i < stages; i++) {
		node = add_alloc(graph, &node, i > 0, MIB, &buffer[i]);
		use = t_add_put(graph, &node, 1, buffer[i], (int)(1000 + i));
		node = add_copy_word(graph, &use, 1, buffer[i], result + i);
		if (!overlap) {
			node = add_free(graph, &node, 1, buffer[i]);
		} else if (i > 0) {
			node = add_copy_word(graph, &node, 1, buffer[i - 1], result + i - 1);
			node = add_free(graph, &node, 1, buffer[i - 1]);
		}
	}
	if (overlap)
		add_free(graph, &node, 1, buffer[stages - 1]);
	OK(musaGraphInstantiate(&exec, graph, 0));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), 0);
	for (int launch = 0; launch < 3; launch++)
		OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	for (unsigned int i = 0; i < stages; i++)
		EQ(t_read(result + i), 1000 + i);
	EQ(attribute(musaGraphMemAttrReservedMemHigh), (overlap ? 2 : 1) * MIB);
	EQ(attribute(musaGraphMemAttrUsedMemHigh), (overlap ? 2 : 1) * MIB);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), (overlap ? 2 : 1) * MIB);
	OK(musaDeviceGraphMemTrim(0));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), 0);
	EQ(attribute(musaGraphMemAttrUsedMemCurrent), 0);
	EQ(attribute(musaGraphMemAttrReservedMemHigh), (overlap ? 2 : 1) * MIB);
}

Test(graph_memory, stages_share_one_buffer)
{
	run_stages(100, false);
}

Test(graph_memory, overlapping_stages_share_two_buffers)
{
	run_stages(100, true);
}

/* Branches that may run at once never share memory. */
Test(graph_memory, parallel_branches_do_not_share)
{
	musaStream_t stream = t_stream();
	musaGraphNode_t node;
	musaGraphExec_t exec;
	musaGraph_t graph;
	int *buffer, *result = t_ints(8);

	OK(musaGraphCreate(&graph, 0));
	for (int i = 0; i < 8; i++) {
		node = add_alloc(graph, NULL, 0, MIB, &buffer);
		node = t_add_put(graph, &node, 1, buffer, 50 + i);
		node = add_copy_word(graph, &node, 1, buffer, result + i);
		add_free(graph, &node, 1, buffer);
	}
	OK(musaGraphInstantiate(&exec, graph, 0));
	for (int launch = 0; launch < 20; launch++) {
		OK(musaGraphLaunch(exec, stream));
		OK(musaStreamSynchronize(stream));
		for (int i = 0; i < 8; i++)
			EQ(t_read(result + i), 50 + i);
	}
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* Memory that nobody freed makes the next launch an error, until it is freed by whatever way. */
Test(graph_memory, a_live_allocation_refuses_the_next_launch)
{
	musaStream_t stream = t_stream();
	struct musaPointerAttributes attributes;
	musaGraphNode_t node;
	musaGraphExec_t exec, second;
	musaGraph_t graph, other;
	int *buffer;

	OK(musaGraphCreate(&graph, 0));
	node = add_alloc(graph, NULL, 0, 4096, &buffer);
	t_add_put(graph, &node, 1, buffer, 7);
	OK(musaGraphInstantiate(&exec, graph, 0));
	EXPECT(musaErrorNotSupported, musaGraphInstantiate(&second, graph, 0));
	EXPECT(musaErrorInvalidValue, musaFree(buffer));
	OK(musaPointerGetAttributes(&attributes, buffer));
	EQ(attributes.type, musaMemoryTypeUnregistered);
	OK(musaGraphLaunch(exec, stream));
	OK(musaPointerGetAttributes(&attributes, buffer));
	EQ(attributes.type, musaMemoryTypeDevice);
	EXPECT(musaErrorInvalidValue, musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(buffer), 7);

	OK(musaFree(buffer));
	EXPECT(musaErrorInvalidValue, musaFree(buffer));
	OK(musaGraphLaunch(exec, stream));
	OK(musaFreeAsync(buffer, stream));
	EXPECT(musaErrorInvalidValue, musaFreeAsync(buffer, stream));
	OK(musaGraphLaunch(exec, stream));

	OK(musaGraphCreate(&other, 0));
	add_free(other, NULL, 0, buffer);
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, other, NULL, 0, buffer));
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, graph, NULL, 0, buffer));
	OK(musaGraphInstantiate(&second, other, 0));
	OK(musaGraphLaunch(second, stream));
	EXPECT(musaErrorInvalidValue, musaGraphLaunch(second, stream));
	OK(musaGraphLaunch(exec, stream));

	/* The memory outlives both. */
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphExecDestroy(second));
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(other));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(buffer), 7);
	OK(musaFree(buffer));
	EXPECT(musaErrorInvalidValue, musaFree(buffer));
	OK(musaDeviceGraphMemTrim(0));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), 0);
}

/* With the flag each launch frees what earlier ones left. */
Test(graph_memory, auto_free_on_launch)
{
	musaStream_t stream = t_stream();
	musaGraphNode_t node;
	musaGraphExec_t exec;
	musaGraph_t graph;
	int *buffer;

	OK(musaGraphCreate(&graph, 0));
	node = add_alloc(graph, NULL, 0, 4096, &buffer);
	t_add_put(graph, &node, 1, buffer, 9);
	OK(musaGraphInstantiate(&exec, graph, musaGraphInstantiateFlagAutoFreeOnLaunch));
	for (int i = 0; i < 5; i++)
		OK(musaGraphLaunch(exec, stream));
	OK(musaFreeAsync(buffer, stream));
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphExecDestroy(exec));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(buffer), 9);
	OK(musaFree(buffer));
	OK(musaGraphDestroy(graph));
}

/* Memory that its own graph frees is nobody else's to free. */
Test(graph_memory, own_free_is_the_only_one)
{
	struct musaMemsetParams fill = { .elementSize = 1, .width = 4, .height = 1 };
	musaGraphNode_t node, freed;
	musaGraph_t graph, other;
	int *buffer;

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphCreate(&other, 0));
	node = add_alloc(graph, NULL, 0, 4096, &buffer);
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&freed, graph, &node, 1, buffer + 1));
	freed = add_free(graph, &node, 1, buffer);
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&freed, graph, &node, 1, buffer));
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&freed, other, NULL, 0, buffer));
	fill.dst = buffer;
	EXPECT(musaErrorInvalidValue, musaGraphAddMemsetNode(&freed, graph, &node, 1, &fill));
	EXPECT(musaErrorInvalidValue, musaFree(buffer));
	EXPECT(musaErrorNotSupported, musaGraphDestroyNode(node));
	EXPECT(musaErrorNotSupported, musaGraphClone(&other, graph));
	OK(musaGraphDestroy(graph));
}

/* Execs launched in one stream use the same memory; a trim between launches takes it all away. */
Test(graph_memory, execs_of_one_stream_share)
{
	musaStream_t stream = t_stream(), elsewhere = t_stream();
	musaGraphNode_t node;
	musaGraphExec_t exec[3];
	musaGraph_t graph[3];
	int *buffer, *result = t_ints(3);
	struct t_gate gate;

	for (int i = 0; i < 3; i++) {
		OK(musaGraphCreate(&graph[i], 0));
		node = add_alloc(graph[i], NULL, 0, MIB, &buffer);
		node = t_add_put(graph[i], &node, 1, buffer, 30 + i);
		node = add_copy_word(graph[i], &node, 1, buffer, result + i);
		add_free(graph[i], &node, 1, buffer);
		OK(musaGraphInstantiate(&exec[i], graph[i], 0));
	}
	gate = t_hold(stream);
	for (int i = 0; i < 3; i++)
		OK(musaGraphLaunch(exec[i], stream));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), MIB);
	OK(musaDeviceGraphMemTrim(0)); /* in use: stays */
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), MIB);
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	for (int i = 0; i < 3; i++)
		EQ(t_read(result + i), 30 + i);

	/* In two streams at once they may not. */
	OK(musaMemset(result, 0, 3 * sizeof(int)));
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec[0], stream));
	OK(musaGraphLaunch(exec[1], elsewhere));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), 2 * MIB);
	OK(musaStreamSynchronize(elsewhere));
	EQ(t_read(result + 1), 31);
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	EQ(t_read(result), 30);
	OK(musaDeviceGraphMemTrim(0));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), 0);
	for (int i = 0; i < 3; i++) {
		OK(musaGraphLaunch(exec[i], stream));
		OK(musaGraphExecDestroy(exec[i]));
		OK(musaGraphDestroy(graph[i]));
	}
	OK(musaStreamSynchronize(stream));
	for (int i = 0; i < 3; i++)
		EQ(t_read(result + i), 30 + i);
}

/* Stream-ordered allocation on a capturing stream becomes nodes. */
Test(graph_memory, captured_allocation)
{
	musaStream_t stream = t_stream();
	int *buffer = NULL, *result = t_ints(1), value = 77;
	void *put[] = { &buffer, &value }, *copy[] = { &buffer, &result };
	musaGraphNode_t nodes[8];
	enum musaGraphNodeType type;
	size_t count = 8;
	musaGraph_t graph;

	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	OK(musaMallocAsync((void **)&buffer, 4096, stream));
	OK(t_launch(kernel_put, put, stream));
	OK(t_launch(kernel_copy_word, copy, stream));
	OK(musaFreeAsync(buffer, stream));
	OK(musaStreamEndCapture(stream, &graph));
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 4);
	OK(musaGraphNodeGetType(nodes[0], &type));
	EQ(type, musaGraphNodeTypeMemAlloc);
	OK(musaGraphNodeGetType(nodes[3], &type));
	EQ(type, musaGraphNodeTypeMemFree);
	t_run(graph);
	EQ(t_read(result), 77);
	OK(musaGraphDestroy(graph));
}

/* An update by a graph of the same shape and sizes makes the exec use that graph's allocations. */
Test(graph_memory, updated_by_another_graph)
{
	musaStream_t stream = t_stream();
	musaGraphExecUpdateResultInfo info;
	musaGraphNode_t node;
	musaGraphExec_t exec;
	musaGraph_t graph[3];
	struct t_gate gate;
	int *buffer, *result = t_ints(3);

	for (int i = 0; i < 3; i++) {
		OK(musaGraphCreate(&graph[i], 0));
		node = add_alloc(graph[i], NULL, 0, i < 2 ? MIB : 2 * MIB, &buffer);
		node = t_add_put(graph[i], &node, 1, buffer, 60 + i);
		node = add_copy_word(graph[i], &node, 1, buffer, result + i);
		add_free(graph[i], &node, 1, buffer);
	}
	OK(musaGraphInstantiate(&exec, graph[0], 0));
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphExecUpdate(exec, graph[1], &info));
	OK(musaGraphDestroy(graph[0]));
	OK(musaGraphLaunch(exec, stream));
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, graph[2], &info));
	EQ(info.result, musaGraphExecUpdateErrorNotSupported);
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	EQ(t_read(result), 60);
	EQ(t_read(result + 1), 61);
	EQ(t_read(result + 2), 0);
	OK(musaGraphDestroy(graph[1]));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph[2]));
	OK(musaDeviceGraphMemTrim(0));
	EQ(attribute(musaGraphMemAttrReservedMemCurrent), 0);
}

/* A trim right behind the last launch finds its memory free, with all that was launched destroyed. */
Test(graph_memory, trim_behind_a_launch)
{
	for (int i = 0; i < 20; i++) {
		struct musaMemAllocNodeParams params = alloc_params(1 << 20);
		musaGraphNode_t alloc, end;
		musaGraphExec_t exec;
		musaStream_t stream;
		musaGraph_t graph;

		OK(musaStreamCreate(&stream));
		OK(musaGraphCreate(&graph, 0));
		OK(musaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
		OK(musaGraphAddMemFreeNode(&end, graph, &alloc, 1, params.dptr));
		OK(musaGraphInstantiate(&exec, graph, 0));
		OK(musaGraphLaunch(exec, stream));
		OK(musaGraphDestroy(graph));
		OK(musaGraphExecDestroy(exec));
		OK(musaStreamDestroy(stream));
		OK(musaDeviceGraphMemTrim(0));
		EQ(attribute(musaGraphMemAttrUsedMemCurrent), 0);
		EQ(attribute(musaGraphMemAttrReservedMemCurrent), 0);
	}
}

/* Attributes and parameters are checked as documented. */
Test(graph_memory, refusals)
{
	struct musaMemAllocNodeParams params = alloc_params(4096);
	struct musaMemAccessDesc access = { 0 };
	musaGraphNode_t node;
	musaGraph_t graph;
	uint64_t value = 0;

	OK(musaGraphCreate(&graph, 0));
	EXPECT(musaErrorInvalidValue, musaGraphAddMemAllocNode(&node, graph, NULL, 0, NULL));
	params.bytesize = 0;
	EXPECT(musaErrorInvalidValue, musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	params.bytesize = 1ull << 60;
	EXPECT(musaErrorMemoryAllocation, musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	params = alloc_params(16);
	params.poolProps.location.id = 99;
	EXPECT(musaErrorInvalidValue, musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	params = alloc_params(16);
	params.poolProps.handleTypes = musaMemHandleTypePosixFileDescriptor;
	EXPECT(musaErrorNotSupported, musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	params = alloc_params(16);
	access.location.type = musaMemLocationTypeDevice;
	access.flags = musaMemAccessFlagsProtRead;
	params.accessDescs = &access;
	params.accessDescCount = 1;
	EXPECT(musaErrorNotSupported, musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	access.location.id = 99;
	EXPECT(musaErrorInvalidDevice, musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	access.location.id = 0;
	access.flags = musaMemAccessFlagsProtReadWrite;
	OK(musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	params.accessDescs = NULL;
	OK(musaGraphMemAllocNodeGetParams(node, &params));
	EQ(params.accessDescCount, 1);
	EQ(params.accessDescs[0].flags, musaMemAccessFlagsProtReadWrite);

	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, graph, NULL, 0, NULL));
	EXPECT(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, graph, NULL, 0, t_ints(1)));
	EXPECT(musaErrorInvalidValue, musaDeviceGetGraphMemAttribute(0, musaGraphMemAttrUsedMemHigh,
								     NULL));
	EXPECT(musaErrorInvalidValue,
	       musaDeviceGetGraphMemAttribute(0, (enum musaGraphMemAttributeType)5, &value));
	EXPECT(musaErrorInvalidValue,
	       musaDeviceGetGraphMemAttribute(0, (enum musaGraphMemAttributeType)0, &value));
	EXPECT(musaErrorInvalidDevice,
	       musaDeviceGetGraphMemAttribute(7, musaGraphMemAttrUsedMemHigh, &value));
	EXPECT(musaErrorInvalidDevice, musaDeviceGraphMemTrim(7));
	value = 1;
	EXPECT(musaErrorInvalidValue,
	       musaDeviceSetGraphMemAttribute(0, musaGraphMemAttrUsedMemHigh, &value));
	value = 0;
	OK(musaDeviceSetGraphMemAttribute(0, musaGraphMemAttrUsedMemHigh, &value));
	EXPECT(musaErrorInvalidValue,
	       musaDeviceSetGraphMemAttribute(0, musaGraphMemAttrUsedMemCurrent, &value));
	/* Nothing is read that cannot be set. */
	EXPECT(musaErrorInvalidValue, musaDeviceSetGraphMemAttribute(
					      0, musaGraphMemAttrUsedMemCurrent, (void *)-1));
	OK(musaGraphDestroy(graph));
}
