/* SPDX-License-Identifier: MIT */
/*
 * Every allocation of the template refused once: the call says so, the graph is what it was, nothing is
 * lost.
 */
#include "drv/table.h"
#include "graph_support.h"

#include <string.h>
#include <time.h>

struct counts {
	size_t nodes, edges;
};

static musaGraph_t graph;
static int *word;
static int created, destroyed; /* user objects */

static void host_function(void *data)
{
	(void)data;
}

static void end_object(void *data)
{
	(void)data;
	__atomic_fetch_add(&destroyed, 1, __ATOMIC_SEQ_CST);
}

/* Waits for the destructors, which run on a thread of their own, and for the memory behind them. */
static void settle(void)
{
	const struct timespec pause = { 0, 2000000 };

	do
		nanosleep(&pause, NULL);
	while (__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST) != created);
}

static struct counts count(void)
{
	return (struct counts){ t_node_count(graph), t_edge_count(graph) };
}

/* 40 nodes that depend on one another, so that lists and blocks grow. */
static musaError_t add_nodes(void)
{
	musaGraphNode_t nodes[40];
	musaError_t ret = musaSuccess;
	struct counts before;

	for (int i = 0; i < 40 && !ret; i++) {
		before = count();
		ret = musaGraphAddEmptyNode(&nodes[i], graph, nodes, (size_t)i);
		if (ret) {
			EQ(t_node_count(graph), before.nodes);
			EQ(t_edge_count(graph), before.edges);
		}
	}
	return ret;
}

static musaError_t add_typed(void)
{
	struct musaMemsetParams fill = { word, 0, 1, 4, 1, 1 };
	struct musaHostNodeParams host = { host_function, NULL };
	int value = 1, many[256] = { 0 };
	void *args[] = { &word, &value }, *many_args[] = { &word, many };
	struct musaKernelNodeParams small = t_kernel(kernel_put, args);
	struct musaKernelNodeParams big = t_kernel(kernel_put_last, many_args), got;
	union musaLaunchAttributeValue attr;
	musaGraphNode_t node, kernel;
	musaError_t ret;

	memset(&attr, 0, sizeof(attr));
	ret = musaGraphAddKernelNode(&kernel, graph, NULL, 0, &small);
	if (!ret)
		ret = musaGraphKernelNodeGetParams(kernel, &got);
	if (!ret)
		ret = musaGraphKernelNodeSetParams(kernel, &big);
	if (!ret)
		ret = musaGraphKernelNodeGetParams(kernel, &got);
	if (!ret)
		ret = musaGraphKernelNodeSetAttribute(kernel, musaLaunchAttributePriority, &attr);
	if (!ret)
		ret = musaGraphAddMemsetNode(&node, graph, &kernel, 1, &fill);
	if (!ret)
		ret = musaGraphAddMemcpyNode1D(&node, graph, &kernel, 1, word, word + 1, 4,
					       musaMemcpyDeviceToDevice);
	if (!ret)
		ret = musaGraphAddHostNode(&node, graph, &kernel, 1, &host);
	return ret;
}

static musaError_t add_nested(void)
{
	struct musaGraphNodeParams params;
	musaGraphNode_t node;
	musaGraph_t child;
	musaError_t ret = musaGraphCreate(&child, 0);
	struct counts before = count();

	if (ret)
		return ret;
	ret = musaGraphAddEmptyNode(&node, child, NULL, 0);
	if (!ret)
		ret = musaGraphAddChildGraphNode(&node, graph, NULL, 0, child);
	OK(musaGraphDestroy(child));
	if (!ret) {
		before.nodes++;
		memset(&params, 0, sizeof(params));
		params.type = musaGraphNodeTypeConditional;
		params.conditional.type = musaGraphCondTypeSwitch;
		params.conditional.size = 5;
		ret = musaGraphConditionalHandleCreate(&params.conditional.handle, graph, 0, 0);
	}
	if (!ret) {
		ret = musaGraphAddNode(&node, graph, NULL, 0, &params);
		before.nodes += !ret;
	}
	EQ(t_node_count(graph), before.nodes);
	return ret;
}

static musaError_t copy_and_print(void)
{
	musaGraph_t clone;
	musaError_t ret = musaGraphClone(&clone, graph);

	if (ret)
		return ret;
	EQ(t_node_count(clone), t_node_count(graph));
	EQ(t_edge_count(clone), t_edge_count(graph));
	OK(musaGraphDestroy(clone));
	return musaGraphDebugDotPrint(graph, "/dev/null", 1);
}

static musaError_t retain_object(void)
{
	musaUserObject_t object;
	musaError_t ret = musaUserObjectCreate(&object, NULL, end_object, 1, 1);

	if (ret)
		return ret;
	created++;
	ret = musaGraphRetainUserObject(graph, object, 1, 0);
	OK(musaUserObjectRelease(object, 1));
	return ret;
}

static musaError_t run(void)
{
	musaError_t (*const steps[])(void) = { add_nodes, add_typed, copy_and_print, add_nested,
					       retain_object };
	musaError_t ret = musaGraphCreate(&graph, 0);

	if (ret)
		return ret;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !ret; i++)
		ret = steps[i]();
	mt_drv_table_v1.mt_alloc_fail_at(0);
	OK(musaGraphDestroy(graph));
	return ret;
}

Test(refused_memory, every_allocation, .timeout = 120)
{
	struct mt_alloc_stats before, after;
	musaError_t ret = musaErrorMemoryAllocation;
	uint64_t n;

	word = t_ints(16);
	OK(run()); /* everything that stays in the process is there afterwards */
	for (n = 1; ret; n++) {
		settle();
		mt_drv_table_v1.mt_alloc_stats_get(&before);
		mt_drv_table_v1.mt_alloc_fail_at(n);
		ret = run();
		mt_drv_table_v1.mt_alloc_fail_at(0);
		cr_assert(!ret || ret == musaErrorMemoryAllocation, "%d", ret);
		/* The object's memory goes a moment after its destructor has run. */
		for (int wait = 0; wait < 100; wait++) {
			settle();
			mt_drv_table_v1.mt_alloc_stats_get(&after);
			if (after.live_count == before.live_count)
				break;
		}
		EQ(after.live_count, before.live_count);
	}
	cr_assert(n > 20, "%llu", (unsigned long long)n);
}
