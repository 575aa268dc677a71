/* SPDX-License-Identifier: MIT */
/* What a whole update accepts, what it refuses, and which node it names. */
#include "support.h"

static musaGraphExecUpdateResultInfo info;

static musaGraph_t new_graph(void)
{
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	return graph;
}

static musaGraphExec_t instantiate(musaGraph_t graph)
{
	musaGraphExec_t exec;

	OK(musaGraphInstantiate(&exec, graph, 0));
	return exec;
}

static void expect(musaGraphExec_t exec, musaGraph_t graph, enum musaGraphExecUpdateResult result,
		   musaGraphNode_t node, musaGraphNode_t from)
{
	musaError_t want = result ? musaErrorGraphExecUpdateFailure : musaSuccess;

	info.result = (enum musaGraphExecUpdateResult)77;
	EXPECT(want, musaGraphExecUpdate(exec, graph, &info));
	EQ(info.result, result);
	cr_assert_eq(info.errorNode, node, "node %p, not %p", (void *)info.errorNode, (void *)node);
	cr_assert_eq(info.errorFromNode, from, "from %p, not %p", (void *)info.errorFromNode,
		     (void *)from);
}

static musaGraphNode_t add_empty(musaGraph_t graph, const musaGraphNode_t *deps, size_t count)
{
	musaGraphNode_t node;

	OK(musaGraphAddEmptyNode(&node, graph, deps, count));
	return node;
}

/* Node counts, sinks, numbers of dependencies. */
Test(update_results, topology)
{
	musaGraph_t a = new_graph(), b;
	musaGraphNode_t n[4], m[4];
	musaGraphExec_t exec;

	n[0] = add_empty(a, NULL, 0);
	n[1] = add_empty(a, n, 1);
	n[2] = add_empty(a, n, 1);
	n[3] = add_empty(a, n + 1, 2);
	exec = instantiate(a);
	expect(exec, a, musaGraphExecUpdateSuccess, NULL, NULL);

	b = new_graph();
	expect(exec, b, musaGraphExecUpdateErrorTopologyChanged, NULL, NULL);

	/* One sink more. */
	m[0] = add_empty(b, NULL, 0);
	m[1] = add_empty(b, m, 1);
	m[2] = add_empty(b, m + 1, 1);
	m[3] = add_empty(b, m, 1);
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, b, &info));
	EQ(info.result, musaGraphExecUpdateErrorTopologyChanged);
	cr_assert(info.errorNode == m[2] || info.errorNode == m[3]);
	cr_assert_null(info.errorFromNode);

	/* Another number of dependencies. */
	OK(musaGraphDestroy(b));
	b = new_graph();
	m[0] = add_empty(b, NULL, 0);
	m[1] = add_empty(b, m, 1);
	m[2] = add_empty(b, m + 1, 1);
	m[3] = add_empty(b, m + 2, 1);
	expect(exec, b, musaGraphExecUpdateErrorTopologyChanged, m[3], NULL);

	/* All on a cycle. */
	OK(musaGraphAddDependencies(b, &m[3], &m[0], 1));
	expect(exec, b, musaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
	OK(musaGraphDestroy(b));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
}

/* A dependency that is paired with something else names both ends. */
Test(update_results, crossed_dependency)
{
	musaGraph_t a = new_graph(), b = new_graph();
	musaGraphNode_t n[4], m[4];
	musaGraphExec_t exec;

	/* Two sinks that share the root's second child; in b they share nothing but the root. */
	n[0] = add_empty(a, NULL, 0);
	n[1] = add_empty(a, NULL, 0);
	n[2] = add_empty(a, n, 1);
	n[3] = add_empty(a, n, 1);
	OK(musaGraphAddDependencies(a, &n[1], &n[3], 1));
	exec = instantiate(a);
	m[0] = add_empty(b, NULL, 0);
	m[1] = add_empty(b, NULL, 0);
	m[2] = add_empty(b, m, 1);
	m[3] = add_empty(b, m + 1, 1);
	OK(musaGraphAddDependencies(b, &m[0], &m[3], 1));
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, b, &info));
	EQ(info.result, musaGraphExecUpdateErrorTopologyChanged);
	cr_assert(info.errorNode == m[2] || info.errorNode == m[3]);
	cr_assert(info.errorFromNode == m[0] || info.errorFromNode == m[1]);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
	OK(musaGraphDestroy(b));
}

/* Nodes that are no sinks may be made in another order. */
Test(update_results, other_creation_order)
{
	musaStream_t stream = t_stream();
	int *log = t_ints(16), out[7];
	musaGraph_t a = new_graph(), b = new_graph();
	musaGraphNode_t n[5], m[5];
	musaGraphExec_t exec;

	/* {0 -> 1, 2 -> 3} -> 4 */
	n[0] = t_add_append(a, NULL, 0, log, 1);
	n[1] = t_add_append(a, n, 1, log, 2);
	n[2] = t_add_append(a, n + 1, 1, log, 3);
	exec = instantiate(a);
	m[2] = t_add_append(b, NULL, 0, log, 30);
	m[1] = t_add_append(b, NULL, 0, log, 20);
	m[0] = t_add_append(b, NULL, 0, log, 10);
	OK(musaGraphAddDependencies(b, &m[1], &m[2], 1));
	OK(musaGraphAddDependencies(b, &m[0], &m[1], 1));
	expect(exec, b, musaGraphExecUpdateSuccess, NULL, NULL);
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	t_read_all(log, out, 4);
	EQ(out[0], 3);
	EQ(out[1], 10);
	EQ(out[2], 20);
	EQ(out[3], 30);
	/* The exec is still addressed through the first graph's nodes. */
	EXPECT(musaErrorInvalidValue, musaGraphNodeSetEnabled(exec, m[1], 0));
	OK(musaGraphNodeSetEnabled(exec, n[1], 0));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
	OK(musaGraphDestroy(b));
}

/* Types and parameters, all or nothing. */
Test(update_results, types_and_parameters)
{
	musaStream_t stream = t_stream();
	int *to = t_ints(64), host[16] = { 0 };
	struct musaMemsetParams fill = { .dst = to + 8, .elementSize = 4, .value = 6, .width = 4,
					 .height = 1 };
	musaGraph_t a = new_graph(), b;
	musaGraphNode_t n[3], m[3];
	musaGraphExec_t exec;

	n[0] = t_add_put(a, NULL, 0, to, 5);
	OK(musaGraphAddMemcpyNode1D(&n[1], a, n, 1, to + 1, host, 4, musaMemcpyHostToDevice));
	OK(musaGraphAddMemsetNode(&n[2], a, n + 1, 1, &fill));
	exec = instantiate(a);

	b = new_graph();
	m[0] = t_add_put(b, NULL, 0, to, 99);
	m[1] = add_empty(b, m, 1);
	OK(musaGraphAddMemsetNode(&m[2], b, m + 1, 1, &fill));
	expect(exec, b, musaGraphExecUpdateErrorNodeTypeChanged, m[1], NULL);
	OK(musaGraphDestroy(b));

	b = new_graph();
	m[0] = t_add_put(b, NULL, 0, to, 99);
	OK(musaGraphAddMemcpyNode1D(&m[1], b, m, 1, to + 1, to, 4, musaMemcpyDeviceToDevice));
	OK(musaGraphAddMemsetNode(&m[2], b, m + 1, 1, &fill));
	expect(exec, b, musaGraphExecUpdateErrorParametersChanged, m[1], NULL);
	OK(musaGraphDestroy(b));

	b = new_graph();
	m[0] = t_add_put(b, NULL, 0, to, 99);
	OK(musaGraphAddMemcpyNode1D(&m[1], b, m, 1, to + 2, host, 8, musaMemcpyHostToDevice));
	fill.height = 2;
	fill.pitch = 16;
	OK(musaGraphAddMemsetNode(&m[2], b, m + 1, 1, &fill));
	expect(exec, b, musaGraphExecUpdateErrorParametersChanged, m[2], NULL);
	OK(musaGraphDestroy(b));

	/* Nothing of the refused ones has arrived. */
	host[0] = 44;
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), 5);
	EQ(t_read(to + 1), 44);
	EQ(t_read(to + 2), 0);
	EQ(t_read(to + 8), 6);

	b = new_graph();
	m[0] = t_add_put(b, NULL, 0, to, 99);
	OK(musaGraphAddMemcpyNode1D(&m[1], b, m, 1, to + 2, host, 8, musaMemcpyHostToDevice));
	fill.height = 1;
	fill.value = 7;
	fill.width = 8;
	OK(musaGraphAddMemsetNode(&m[2], b, m + 1, 1, &fill));
	expect(exec, b, musaGraphExecUpdateSuccess, NULL, NULL);
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), 99);
	EQ(t_read(to + 2), 44);
	EQ(t_read(to + 8), 7);
	EQ(t_read(to + 15), 7);
	OK(musaGraphDestroy(b));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
}

static void expect_copy(musaGraphExec_t exec, musaGraphNode_t node, int *dst, int *src,
			enum musaMemcpyKind kind, bool accepted)
{
	musaGraph_t graph = new_graph();
	musaGraphNode_t copy;

	OK(musaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, dst, src, sizeof(int), kind));
	expect(exec, graph,
	       accepted ? musaGraphExecUpdateSuccess : musaGraphExecUpdateErrorParametersChanged,
	       accepted ? NULL : copy, NULL);
	EXPECT(accepted ? musaSuccess : musaErrorInvalidValue,
	       musaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, sizeof(int), kind));
	OK(musaGraphDestroy(graph));
}

/* A kind that names a direction settles the type of the transfer; with the default kind, the memory
 * at the pointers does, managed memory counting as device memory. */
Test(update_results, memory_of_copies)
{
	int *device = t_ints(2), *pinned, *managed, pageable[1] = { 4 };
	musaStream_t stream = t_stream();
	musaGraph_t graph = new_graph();
	musaGraphExec_t exec;
	musaGraphNode_t node;

	OK(musaMallocHost((void **)&pinned, sizeof(int)));
	OK(musaMallocManaged((void **)&managed, sizeof(int), musaMemAttachGlobal));
	*pinned = 5;
	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, device + 1, sizeof(int),
				    musaMemcpyDeviceToDevice));
	exec = instantiate(graph);
	expect_copy(exec, node, managed, device, musaMemcpyDeviceToDevice, true);
	expect_copy(exec, node, device, managed, musaMemcpyDeviceToDevice, true);
	expect_copy(exec, node, device, pinned, musaMemcpyHostToDevice, false);
	expect_copy(exec, node, device, device + 1, musaMemcpyDefault, false);
	expect_copy(exec, node, device, pinned, musaMemcpyDeviceToDevice, true);
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(device), 5);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));

	graph = new_graph();
	OK(musaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, device + 1, sizeof(int),
				    musaMemcpyDefault));
	exec = instantiate(graph);
	expect_copy(exec, node, managed, device, musaMemcpyDefault, true);
	expect_copy(exec, node, device, pinned, musaMemcpyDefault, false);
	expect_copy(exec, node, device, pageable, musaMemcpyDefault, false);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaFreeHost(pinned));
	OK(musaFree(managed));
}

/* Embedded graphs are compared as well, and the inner node is named. */
Test(update_results, nested)
{
	musaGraph_t inner = new_graph(), a = new_graph(), b = new_graph(), embedded;
	musaGraphNode_t n, m, inside[2];
	musaGraphExec_t exec;
	size_t count = 2;
	int *to = t_ints(4);

	t_add_put(inner, NULL, 0, to, 1);
	OK(musaGraphAddChildGraphNode(&n, a, NULL, 0, inner));
	exec = instantiate(a);
	OK(musaGraphDestroy(inner));
	inner = new_graph();
	add_empty(inner, NULL, 0);
	OK(musaGraphAddChildGraphNode(&m, b, NULL, 0, inner));
	OK(musaGraphChildGraphNodeGetGraph(m, &embedded));
	OK(musaGraphGetNodes(embedded, inside, &count));
	expect(exec, b, musaGraphExecUpdateErrorNodeTypeChanged, inside[0], NULL);
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecChildGraphNodeSetParams(exec, n, inner));
	info.result = musaGraphExecUpdateSuccess;
	EXPECT(musaErrorInvalidValue, musaGraphExecUpdate(exec, embedded, &info));
	EQ(info.result, musaGraphExecUpdateError);
	OK(musaGraphDestroy(inner));
	OK(musaGraphDestroy(b));

	inner = new_graph();
	t_add_put(inner, NULL, 0, to, 8);
	OK(musaGraphExecChildGraphNodeSetParams(exec, n, inner));
	OK(musaGraphLaunch(exec, 0));
	EQ(t_read(to), 8);
	OK(musaGraphDestroy(inner));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
}

/* NULL handles leave the result alone. */
Test(update_results, null_handles)
{
	musaGraph_t a = new_graph();
	musaGraphExec_t exec = instantiate(a);

	info.result = (enum musaGraphExecUpdateResult)77;
	EXPECT(musaErrorInvalidValue, musaGraphExecUpdate(NULL, a, &info));
	EXPECT(musaErrorInvalidValue, musaGraphExecUpdate(exec, NULL, &info));
	EQ(info.result, 77);
	OK(musaGraphExecUpdate(exec, a, NULL));
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(a));
}
