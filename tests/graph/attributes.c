/* SPDX-License-Identifier: MIT */
/* Kernel node attributes: ids, values, clamping, copying. */
#include "graph_support.h"

#include <string.h>

static musaGraph_t graph;
static musaGraphNode_t node, other;

static void start(void)
{
	graph = t_graph();
	node = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	other = t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
}

TestSuite(attributes, .init = start);

static union musaLaunchAttributeValue zero(void)
{
	union musaLaunchAttributeValue value;

	memset(&value, 0, sizeof(value));
	return value;
}

static union musaLaunchAttributeValue get(musaGraphNode_t from, musaLaunchAttributeID id)
{
	union musaLaunchAttributeValue value = zero();

	OK(musaGraphKernelNodeGetAttribute(from, id, &value));
	return value;
}

/* The ids that nodes have can be set and read; those of streams and launches are refused. */
Test(attributes, ids)
{
	static const int good[] = { 1, 2, 4, 5, 8, 9, 10, 11, 14 };
	static const int bad[] = { 0, 3, 6, 7, 12, 15, 99, -1 };
	union musaLaunchAttributeValue value = zero();

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		OK(musaGraphKernelNodeGetAttribute(node, (musaLaunchAttributeID)good[i], &value));
		OK(musaGraphKernelNodeSetAttribute(node, (musaLaunchAttributeID)good[i], &value));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT(IV, musaGraphKernelNodeGetAttribute(node, (musaLaunchAttributeID)bad[i], &value));
		EXPECT(IV, musaGraphKernelNodeSetAttribute(node, (musaLaunchAttributeID)bad[i], &value));
	}
	OK(musaGraphDestroy(graph));
}

Test(attributes, refusals)
{
	union musaLaunchAttributeValue value = zero();
	musaGraphNode_t empty = t_empty(graph, NULL, 0);

	EXPECT(IV, musaGraphKernelNodeGetAttribute(NULL, musaLaunchAttributePriority, &value));
	EXPECT(IV, musaGraphKernelNodeGetAttribute(node, musaLaunchAttributePriority, NULL));
	EXPECT(IV, musaGraphKernelNodeSetAttribute(node, musaLaunchAttributePriority, NULL));
	EXPECT(IV, musaGraphKernelNodeGetAttribute(empty, musaLaunchAttributePriority, &value));
	EXPECT(IV, musaGraphKernelNodeSetAttribute(empty, musaLaunchAttributePriority, &value));
	EXPECT(IV, musaGraphKernelNodeCopyAttributes(node, empty));
	EXPECT(IV, musaGraphKernelNodeCopyAttributes(empty, node));
	EXPECT(IV, musaGraphKernelNodeCopyAttributes(node, NULL));
	EXPECT(IV, musaGraphKernelNodeCopyAttributes(NULL, node));
	/* Kernels that device code updates: switching it on is not supported, off is the state. */
	value.deviceUpdatableKernelNode.deviceUpdatable = 1;
	EXPECT(NS, musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeDeviceUpdatableKernelNode,
						   &value));
	OK(musaGraphDestroy(graph));
}

/* A priority out of range is clamped to the device's. */
Test(attributes, priority)
{
	union musaLaunchAttributeValue value = zero();
	int least, greatest;

	OK(musaDeviceGetStreamPriorityRange(&least, &greatest));
	EQ(get(node, musaLaunchAttributePriority).priority, 0);
	for (int priority = greatest - 2; priority <= least + 2; priority++) {
		int want = priority < greatest ? greatest : priority > least ? least : priority;

		value.priority = priority;
		OK(musaGraphKernelNodeSetAttribute(node, musaLaunchAttributePriority, &value));
		EQ(get(node, musaLaunchAttributePriority).priority, want);
	}
	OK(musaGraphDestroy(graph));
}

/* Values are kept per node, copied as a whole, and survive a change of parameters. */
Test(attributes, values)
{
	union musaLaunchAttributeValue value = zero(), got;
	struct musaKernelNodeParams params = t_kernel(kernel_empty, NULL);
	int word, largest;

	value.accessPolicyWindow.base_ptr = &word;
	value.accessPolicyWindow.num_bytes = sizeof(word);
	value.accessPolicyWindow.hitRatio = 0.5f;
	value.accessPolicyWindow.hitProp = musaAccessPropertyPersisting;
	value.accessPolicyWindow.missProp = musaAccessPropertyStreaming;
	OK(musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeAccessPolicyWindow, &value));
	/* No larger than the device's largest, and misses do not persist. */
	OK(musaDeviceGetAttribute(&largest, musaDevAttrMaxAccessPolicyWindowSize, 0));
	cr_assert(largest > 0);
	value.accessPolicyWindow.num_bytes = (size_t)largest + 1;
	EXPECT(IV, musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeAccessPolicyWindow,
						   &value));
	EXPECT(IV, musaStreamSetAttribute(NULL, musaLaunchAttributeAccessPolicyWindow, &value));
	value.accessPolicyWindow.num_bytes = sizeof(word);
	value.accessPolicyWindow.missProp = musaAccessPropertyPersisting;
	EXPECT(IV, musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeAccessPolicyWindow,
						   &value));
	EXPECT(IV, musaStreamSetAttribute(NULL, musaLaunchAttributeAccessPolicyWindow, &value));
	value = zero();
	value.cooperative = 1;
	OK(musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeCooperative, &value));
	OK(musaGraphKernelNodeSetParams(node, &params));
	got = get(node, musaLaunchAttributeAccessPolicyWindow);
	cr_assert_eq(got.accessPolicyWindow.base_ptr, &word);
	EQ(got.accessPolicyWindow.num_bytes, sizeof(word));
	EQ(got.accessPolicyWindow.hitProp, musaAccessPropertyPersisting);
	EQ(get(other, musaLaunchAttributeCooperative).cooperative, 0);

	OK(musaGraphKernelNodeCopyAttributes(other, node));
	EQ(get(other, musaLaunchAttributeCooperative).cooperative, 1);
	cr_assert_eq(get(other, musaLaunchAttributeAccessPolicyWindow).accessPolicyWindow.base_ptr,
		     &word);
	/* A clone has them, too. */
	musaGraph_t clone;
	musaGraphNode_t copy;
	OK(musaGraphClone(&clone, graph));
	OK(musaGraphNodeFindInClone(&copy, node, clone));
	EQ(get(copy, musaLaunchAttributeCooperative).cooperative, 1);
	/* Copying from a node without any takes them away. */
	OK(musaGraphKernelNodeCopyAttributes(node, t_add_kernel(graph, NULL, 0, kernel_empty, NULL)));
	EQ(get(node, musaLaunchAttributeCooperative).cooperative, 0);
	EQ(get(copy, musaLaunchAttributeCooperative).cooperative, 1);
	OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(graph));
}

/* Clusters are of at most eight blocks, and the grid is made of whole ones. */
Test(attributes, clusters)
{
	static const struct {
		unsigned int x, y, z;
		musaError_t error;
	} cases[] = {
		{ 1, 1, 1, musaSuccess }, { 2, 1, 1, musaSuccess }, { 4, 2, 1, musaSuccess },
		{ 0, 0, 0, musaSuccess },
		{ 0, 1, 1, musaErrorInvalidClusterSize }, { 3, 1, 1, musaErrorInvalidClusterSize },
		{ 8, 1, 1, musaErrorInvalidClusterSize }, { 4, 2, 2, musaErrorInvalidClusterSize },
		{ 16, 1, 1, musaErrorInvalidClusterSize },
	};
	musaGraph_t graph = t_graph();
	struct musaKernelNodeParams params = t_kernel(kernel_empty, NULL);
	musaGraphNode_t node;

	params.gridDim.x = 4;
	params.gridDim.y = 2;
	params.gridDim.z = 2;
	OK(musaGraphAddKernelNode(&node, graph, NULL, 0, &params));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		union musaLaunchAttributeValue value = zero();

		value.clusterDim.x = cases[i].x;
		value.clusterDim.y = cases[i].y;
		value.clusterDim.z = cases[i].z;
		EXPECT(cases[i].error,
		       musaGraphKernelNodeSetAttribute(node, musaLaunchAttributeClusterDimension,
						       &value));
	}
	OK(musaGraphDestroy(graph));
}
