/* SPDX-License-Identifier: MIT */
/*
 * Templates of extreme shape, on a thread with a stack of 256 KiB: nothing recurses over nodes, edges or
 * nesting.
 */
#include "graph_support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_B (256u << 10)

static void on_small_stack(void *(*run)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;

	cr_assert_eq(pthread_attr_init(&attr), 0);
	cr_assert_eq(pthread_attr_setstacksize(&attr, STACK_B), 0);
	cr_assert_eq(pthread_create(&thread, &attr, run, NULL), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

static void print(musaGraph_t graph)
{
	char path[] = "/tmp/mtgraph-deep-XXXXXX";
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	OK(musaGraphDebugDotPrint(graph, path, 0));
	close(fd);
	unlink(path);
}

static void *chain(void *unused)
{
	enum { N = 1000000 };
	musaGraph_t graph = t_graph(), clone;
	musaGraphNode_t last = NULL, first = NULL, got;

	(void)unused;
	for (int i = 0; i < N; i++) {
		last = t_empty(graph, &last, i ? 1 : 0);
		if (!i)
			first = last;
	}
	EQ(t_node_count(graph), N);
	EQ(t_edge_count(graph), N - 1);
	OK(musaGraphClone(&clone, graph));
	OK(musaGraphNodeFindInClone(&got, last, clone));
	print(graph);
	OK(musaGraphDestroyNode(first));
	OK(musaGraphDestroy(graph));
	EQ(t_node_count(clone), N);
	OK(musaGraphDestroy(clone));
	return NULL;
}

/* A chain of a million nodes is built, cloned, printed and destroyed. */
Test(deep, chain, .timeout = 300)
{
	on_small_stack(chain);
}

static void *fan(void *unused)
{
	enum { N = 16384 };
	static musaGraphNode_t middle[N];
	musaGraph_t graph = t_graph(), clone;
	musaGraphNode_t source = t_empty(graph, NULL, 0), sink, late;

	(void)unused;
	for (int i = 0; i < N; i++)
		middle[i] = t_empty(graph, &source, 1);
	sink = t_empty(graph, middle, N);
	late = t_empty(graph, NULL, 0);
	for (int i = 0; i < N; i++)
		OK(musaGraphAddDependencies(graph, &middle[i], &late, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &middle[N - 1], &late, 1));
	EXPECT(IV, musaGraphAddDependencies(graph, &middle[0], &sink, 1));
	EQ(t_edge_count(graph), 3 * N);
	OK(musaGraphClone(&clone, graph));
	print(graph);
	OK(musaGraphDestroyNode(source));
	OK(musaGraphDestroyNode(sink));
	EQ(t_edge_count(graph), N);
	EQ(t_edge_count(clone), 3 * N);
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(clone));
	return NULL;
}

/* A fan of 16,384 nodes, out of one and into two. */
Test(deep, fan, .timeout = 300)
{
	on_small_stack(fan);
}

static void *children(void *unused)
{
	enum { DEPTH = 200 };
	musaGraph_t graph = t_graph(), parent, clone;
	musaGraphNode_t node;

	(void)unused;
	t_empty(graph, NULL, 0);
	for (int i = 0; i < DEPTH; i++) {
		parent = t_graph();
		OK(musaGraphAddChildGraphNode(&node, parent, NULL, 0, graph));
		t_empty(parent, &node, 1);
		OK(musaGraphDestroy(graph));
		graph = parent;
	}
	OK(musaGraphClone(&clone, graph));
	print(graph);
	OK(musaGraphDestroy(graph));
	for (int i = 0; i < DEPTH; i++) {
		musaGraphNode_t nodes[2];
		musaGraph_t inner;
		size_t count = 2;

		OK(musaGraphGetNodes(i ? parent : clone, nodes, &count));
		EQ(count, 2);
		OK(musaGraphChildGraphNodeGetGraph(nodes[0], &inner));
		parent = inner;
	}
	EQ(t_node_count(parent), 1);
	OK(musaGraphDestroy(clone));
	return NULL;
}

/* Child graphs 200 deep. */
Test(deep, children, .timeout = 300)
{
	on_small_stack(children);
}

static void *bodies(void *unused)
{
	enum { DEPTH = 64 };
	musaGraph_t root = t_graph(), graph = root;
	struct musaGraphNodeParams params;
	musaGraphNode_t node;

	(void)unused;
	for (int i = 0; i < DEPTH; i++) {
		memset(&params, 0, sizeof(params));
		params.type = musaGraphNodeTypeConditional;
		OK(musaGraphConditionalHandleCreate(&params.conditional.handle, root, 1, 1));
		params.conditional.type = musaGraphCondTypeIf;
		params.conditional.size = 2;
		OK(musaGraphAddNode(&node, graph, NULL, 0, &params));
		graph = params.conditional.phGraph_out[i % 2];
	}
	t_empty(graph, NULL, 0);
	print(root);
	OK(musaGraphDestroy(root));
	return NULL;
}

/* Conditional bodies 64 deep. */
Test(deep, bodies, .timeout = 300)
{
	on_small_stack(bodies);
}
