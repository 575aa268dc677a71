/* SPDX-License-Identifier: MIT */
/* Memory nodes in the template: parameters, who may free what, and what a graph with them may not. */
#include "graph_support.h"

#include <string.h>

static struct musaMemAllocNodeParams good(size_t size)
{
	struct musaMemAllocNodeParams params;

	memset(&params, 0, sizeof(params));
	params.poolProps.allocType = musaMemAllocationTypePinned;
	params.poolProps.location.type = musaMemLocationTypeDevice;
	params.bytesize = size;
	return params;
}

static musaError_t try_alloc(musaGraph_t graph, struct musaMemAllocNodeParams params)
{
	musaGraphNode_t node = NONSENSE(musaGraphNode_t);
	musaError_t ret = musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params);

	if (ret) {
		cr_assert_eq(node, NONSENSE(musaGraphNode_t));
		cr_assert_null(params.dptr);
	}
	return ret;
}

static musaGraphNode_t add_alloc(musaGraph_t graph, size_t size, int **memory_out)
{
	struct musaMemAllocNodeParams params = good(size);
	musaGraphNode_t node;

	OK(musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	cr_assert_not_null(params.dptr);
	*memory_out = params.dptr;
	return node;
}

/* What an alloc node refuses. */
Test(memory_nodes, alloc_refusals)
{
	musaGraph_t graph = t_graph();
	struct musaMemAllocNodeParams params;
	struct musaMemAccessDesc access[2];
	musaGraphNode_t node;

	EXPECT(IV, musaGraphAddMemAllocNode(&node, graph, NULL, 0, NULL));
	params = good(64);
	EXPECT(IV, musaGraphAddMemAllocNode(NULL, graph, NULL, 0, &params));
	EXPECT(IV, musaGraphAddMemAllocNode(&node, NULL, NULL, 0, &params));
	EXPECT(IV, musaGraphAddMemAllocNode(&node, graph, NULL, 1, &params));
	EXPECT(IV, try_alloc(graph, good(0)));
	params = good(64);
	params.poolProps.allocType = musaMemAllocationTypeInvalid;
	EXPECT(IV, try_alloc(graph, params));
	params = good(64);
	params.poolProps.location.type = musaMemLocationTypeHost;
	EXPECT(IV, try_alloc(graph, params));
	params = good(64);
	params.poolProps.location.id = 99;
	EXPECT(IV, try_alloc(graph, params));
	params.poolProps.location.id = -1;
	EXPECT(IV, try_alloc(graph, params));
	params = good(64);
	params.poolProps.handleTypes = musaMemHandleTypePosixFileDescriptor;
	EXPECT(NS, try_alloc(graph, params));
	EXPECT(musaErrorMemoryAllocation, try_alloc(graph, good((size_t)1 << 60)));

	memset(access, 0, sizeof(access));
	access[0].location.type = access[1].location.type = musaMemLocationTypeDevice;
	access[0].flags = access[1].flags = musaMemAccessFlagsProtReadWrite;
	params = good(64);
	params.accessDescCount = 1;
	EXPECT(IV, try_alloc(graph, params));
	params.accessDescs = access;
	OK(try_alloc(graph, params));
	access[0].flags = musaMemAccessFlagsProtRead;
	EXPECT(NS, try_alloc(graph, params));
	access[0].flags = musaMemAccessFlagsProtReadWrite;
	access[1].location.id = 99;
	params.accessDescCount = 2;
	EXPECT(musaErrorInvalidDevice, try_alloc(graph, params));
	EQ(t_node_count(graph), 1);
	OK(musaGraphDestroy(graph));
}

/* The address is aligned and fixed; parameters come back, access descriptors as the node's copy. */
Test(memory_nodes, params)
{
	musaGraph_t graph = t_graph();
	struct musaMemAllocNodeParams params = good(1000), got;
	struct musaMemAccessDesc access;
	enum musaGraphNodeType type;
	musaGraphNode_t node, freed;
	void *pointer;

	memset(&access, 0, sizeof(access));
	access.location.type = musaMemLocationTypeDevice;
	access.flags = musaMemAccessFlagsProtReadWrite;
	params.accessDescs = &access;
	params.accessDescCount = 1;
	OK(musaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	EQ((uintptr_t)params.dptr % 512, 0);
	access.flags = musaMemAccessFlagsProtNone;
	OK(musaGraphMemAllocNodeGetParams(node, &got));
	cr_assert_eq(got.dptr, params.dptr);
	EQ(got.bytesize, 1000);
	EQ(got.poolProps.allocType, musaMemAllocationTypePinned);
	EQ(got.accessDescCount, 1);
	EQ(got.accessDescs[0].flags, musaMemAccessFlagsProtReadWrite);
	OK(musaGraphNodeGetType(node, &type));
	EQ(type, musaGraphNodeTypeMemAlloc);

	OK(musaGraphAddMemFreeNode(&freed, graph, &node, 1, params.dptr));
	OK(musaGraphMemFreeNodeGetParams(freed, &pointer));
	cr_assert_eq(pointer, params.dptr);
	OK(musaGraphNodeGetType(freed, &type));
	EQ(type, musaGraphNodeTypeMemFree);
	EXPECT(IV, musaGraphMemAllocNodeGetParams(freed, &got));
	EXPECT(IV, musaGraphMemAllocNodeGetParams(node, NULL));
	EXPECT(IV, musaGraphMemAllocNodeGetParams(NULL, &got));
	EXPECT(IV, musaGraphMemFreeNodeGetParams(node, &pointer));
	EXPECT(IV, musaGraphMemFreeNodeGetParams(freed, NULL));
	OK(musaGraphDestroy(graph));
}

/* The tagged forms, and that memory nodes cannot be set. */
Test(memory_nodes, generic)
{
	musaGraph_t graph = t_graph();
	struct musaGraphNodeParams params;
	musaGraphNode_t node, freed;
	void *pointer;

	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeMemAlloc;
	params.alloc.poolProps.allocType = musaMemAllocationTypePinned;
	params.alloc.poolProps.location.type = musaMemLocationTypeDevice;
	params.alloc.bytesize = 64;
	OK(musaGraphAddNode(&node, graph, NULL, 0, &params));
	pointer = params.alloc.dptr;
	cr_assert_not_null(pointer);
	EXPECT(NS, musaGraphNodeSetParams(node, &params));
	memset(&params, 0, sizeof(params));
	params.type = musaGraphNodeTypeMemFree;
	EXPECT(IV, musaGraphAddNode(&freed, graph, NULL, 0, &params));
	params.free.dptr = pointer;
	OK(musaGraphAddNode(&freed, graph, &node, 1, &params));
	EXPECT(NS, musaGraphNodeSetParams(freed, &params));
	OK(musaGraphDestroy(graph));
}

/* Free nodes: for the beginning of a graph allocation, once in its own graph or once each in others. */
Test(memory_nodes, who_may_free)
{
	musaGraph_t graph = t_graph(), other = t_graph(), third = t_graph();
	int *memory, *second, on_stack, *ordinary = t_ints(1);
	musaGraphNode_t alloc = add_alloc(graph, 4096, &memory), node;

	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, &alloc, 1, NULL));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, &alloc, 1, &on_stack));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, &alloc, 1, ordinary));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, &alloc, 1, memory + 1));
	OK(musaGraphAddMemFreeNode(&node, graph, &alloc, 1, memory));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, &alloc, 1, memory));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, other, NULL, 0, memory));

	/* What others free the owner no longer can. */
	alloc = add_alloc(graph, 4096, &second);
	OK(musaGraphAddMemFreeNode(&node, other, NULL, 0, second));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, other, NULL, 0, second));
	OK(musaGraphAddMemFreeNode(&node, third, NULL, 0, second));
	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, &alloc, 1, second));
	OK(musaGraphDestroy(other));
	OK(musaGraphDestroy(third));
	OK(musaGraphAddMemFreeNode(&node, graph, &alloc, 1, second));
	OK(musaGraphDestroy(graph));
}

/* A refused free node leaves the right to free where it was. */
Test(memory_nodes, refused_free)
{
	musaGraph_t graph = t_graph();
	int *memory;
	musaGraphNode_t alloc = add_alloc(graph, 64, &memory), twice[] = { alloc, alloc }, node;

	EXPECT(IV, musaGraphAddMemFreeNode(&node, graph, twice, 2, memory));
	OK(musaGraphAddMemFreeNode(&node, graph, twice, 1, memory));
	OK(musaGraphDestroy(graph));
}

/* Once its graph frees it, new nodes may not name the memory; earlier ones can still be set. */
Test(memory_nodes, names)
{
	musaGraph_t graph = t_graph(), other = t_graph();
	int *memory, *ordinary = t_ints(16);
	musaGraphNode_t alloc = add_alloc(graph, 64, &memory), fill, copy, node;
	struct musaMemsetParams params = { memory, 0, 1, 4, 16, 1 };

	OK(musaGraphAddMemsetNode(&fill, graph, &alloc, 1, &params));
	OK(musaGraphAddMemcpyNode1D(&copy, other, NULL, 0, ordinary, memory, 64,
				    musaMemcpyDeviceToDevice));
	params.width = 17;
	EXPECT(IV, musaGraphAddMemsetNode(&node, graph, &alloc, 1, &params));
	params.width = 8;
	OK(musaGraphAddMemFreeNode(&node, graph, &fill, 1, memory));
	EXPECT(IV, musaGraphAddMemsetNode(&node, graph, &alloc, 1, &params));
	EXPECT(IV, musaGraphAddMemcpyNode1D(&node, graph, &alloc, 1, ordinary, memory, 64,
					    musaMemcpyDeviceToDevice));
	EXPECT(IV, musaGraphAddMemsetNode(&node, other, NULL, 0, &params));
	OK(musaGraphMemsetNodeSetParams(fill, &params));
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(other));
}

/* Graphs with memory nodes: what is taken away from programs, and what stays. */
Test(memory_nodes, restrictions)
{
	musaGraph_t graph = t_graph(), parent = t_graph(), child = t_graph(), clone, embedded;
	int *memory;
	musaGraphNode_t alloc = add_alloc(graph, 64, &memory), empty = t_empty(graph, &alloc, 1);
	musaGraphNode_t more = t_empty(graph, NULL, 0), node, in_parent;
	struct musaMemAllocNodeParams params = good(64);

	EXPECT(NS, musaGraphDestroyNode(empty));
	EXPECT(NS, musaGraphDestroyNode(alloc));
	EXPECT(NS, musaGraphRemoveDependencies(graph, &alloc, &empty, 1));
	EXPECT(NS, musaGraphRemoveDependencies(graph, NULL, NULL, 0));
	OK(musaGraphAddDependencies(graph, &empty, &more, 1));
	EXPECT(NS, musaGraphClone(&clone, graph));
	EXPECT(NS, musaGraphAddChildGraphNode(&node, parent, NULL, 0, graph));
	EQ(t_node_count(parent), 0);
	OK(musaGraphAddChildGraphNode(&in_parent, parent, NULL, 0, child));
	OK(musaGraphChildGraphNodeGetGraph(in_parent, &embedded));
	EXPECT(NS, musaGraphAddMemAllocNode(&node, embedded, NULL, 0, &params));
	EXPECT(NS, musaGraphAddMemFreeNode(&node, embedded, NULL, 0, memory));
	EQ(t_node_count(embedded), 0);
	OK(musaGraphDestroy(child));
	OK(musaGraphDestroy(parent));
	OK(musaGraphDestroy(graph));
}

/* In a body they are accepted, and refused at instantiation. */
Test(memory_nodes, in_a_body)
{
	musaGraph_t graph = t_graph(), body;
	struct musaMemAllocNodeParams params = good(64);
	musaGraphInstantiateParams report = { 0 };
	struct musaGraphNodeParams conditional;
	musaGraphNode_t node, alloc;
	musaGraphExec_t exec;

	memset(&conditional, 0, sizeof(conditional));
	conditional.type = musaGraphNodeTypeConditional;
	OK(musaGraphConditionalHandleCreate(&conditional.conditional.handle, graph, 0, 0));
	conditional.conditional.type = musaGraphCondTypeIf;
	conditional.conditional.size = 1;
	OK(musaGraphAddNode(&node, graph, NULL, 0, &conditional));
	body = conditional.conditional.phGraph_out[0];
	OK(musaGraphAddMemAllocNode(&alloc, body, NULL, 0, &params));
	EXPECT(IV, musaGraphInstantiateWithParams(&exec, graph, &report));
	EQ(report.result_out, musaGraphInstantiateNodeOperationNotSupported);
	cr_assert_eq(report.errNode_out, alloc);
	OK(musaGraphDestroy(graph));
}

/* Sixty-four graphs' worth of addresses, all different, all given back. */
Test(memory_nodes, addresses)
{
	enum { N = 64 };
	int *memory[N];
	musaGraph_t graph = t_graph();

	for (int i = 0; i < N; i++) {
		add_alloc(graph, 100000, &memory[i]);
		for (int j = 0; j < i; j++)
			cr_assert(memory[i] + 25000 <= memory[j] || memory[j] + 25000 <= memory[i]);
	}
	OK(musaGraphDestroy(graph));
}
