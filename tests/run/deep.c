/* SPDX-License-Identifier: MIT */
/*
 * Nothing recurses over nodes, edges or nesting, and nothing is quadratic: large and deep graphs are
 * built, cloned, instantiated, updated, printed, launched and destroyed on a thread with a small stack.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define STACK_B (256 * 1024)

static void on_small_stack(void *(*work)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;

	t_ints(1); /* the library starts its own threads from a thread with room */
	pthread_attr_init(&attr);
	EQ(pthread_attr_setstacksize(&attr, STACK_B), 0);
	EQ(pthread_create(&thread, &attr, work, NULL), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

static int size_of(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

/* Clones where that is possible, prints, updates by itself or its clone, launches, destroys. */
static void whole_life(musaGraph_t graph, bool cloneable)
{
	musaStream_t stream = t_stream();
	musaGraphExecUpdateResultInfo info;
	musaGraph_t clone = graph;
	musaGraphExec_t exec;
	size_t count;

	OK(musaGraphGetEdges(graph, NULL, NULL, &count));
	if (cloneable)
		OK(musaGraphClone(&clone, graph));
	OK(musaGraphDebugDotPrint(graph, "/dev/null", musaGraphDebugDotFlagsVerbose));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphExecUpdate(exec, clone, &info));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaGraphExecDestroy(exec));
	if (cloneable)
		OK(musaGraphDestroy(clone));
	OK(musaGraphDestroy(graph));
	OK(musaStreamDestroy(stream));
}

static void *child_graphs(void *unused)
{
	int *value = t_ints(1);
	void *args[] = {&value};
	musaGraph_t inner, outer;
	musaGraphNode_t node, child;

	(void)unused;
	OK(musaGraphCreate(&inner, 0));
	t_add_kernel(inner, NULL, 0, kernel_inc, args);
	for (int depth = 0; depth < 200; depth++) {
		OK(musaGraphCreate(&outer, 0));
		node = t_add_kernel(outer, NULL, 0, kernel_inc, args);
		OK(musaGraphAddChildGraphNode(&child, outer, &node, 1, inner));
		OK(musaGraphDestroy(inner));
		inner = outer;
	}
	whole_life(inner, true);
	EQ(t_read(value), 201);
	return NULL;
}

Test(deep, child_graphs_200_deep, .timeout = 120)
{
	on_small_stack(child_graphs);
}

static void *bodies(void *unused)
{
	struct musaGraphNodeParams params;
	musaGraphConditionalHandle handle;
	int *value = t_ints(1);
	void *args[] = {&value};
	musaGraph_t root, at;
	musaGraphNode_t node;

	(void)unused;
	OK(musaGraphCreate(&root, 0));
	at = root;
	for (int depth = 0; depth < 64; depth++) {
		node = t_add_kernel(at, NULL, 0, kernel_inc, args);
		OK(musaGraphConditionalHandleCreate(&handle, root, 1, musaGraphCondAssignDefault));
		memset(&params, 0, sizeof(params));
		params.type = musaGraphNodeTypeConditional;
		params.conditional.handle = handle;
		params.conditional.type = musaGraphCondTypeIf;
		params.conditional.size = 1;
		OK(musaGraphAddNode(&node, at, &node, 1, &params));
		at = params.conditional.phGraph_out[0];
	}
	t_add_kernel(at, NULL, 0, kernel_inc, args);
	whole_life(root, false);
	EQ(t_read(value), 65);
	return NULL;
}

Test(deep, conditional_bodies_64_deep, .timeout = 120)
{
	on_small_stack(bodies);
}

static void *chain(void *unused)
{
	int count = size_of("DEEP_CHAIN", 1000000);
	musaGraphNode_t node = NULL;
	musaGraph_t graph;

	(void)unused;
	OK(musaGraphCreate(&graph, 0));
	for (int i = 0; i < count; i++)
		OK(musaGraphAddEmptyNode(&node, graph, &node, i > 0));
	whole_life(graph, true);
	return NULL;
}

Test(deep, a_chain_of_a_million_nodes, .timeout = 300)
{
	on_small_stack(chain);
}

static void *fan(void *unused)
{
	enum { WIDTH = 16384 };
	static musaGraphNode_t nodes[WIDTH];
	int *value = t_ints(1);
	void *args[] = {&value};
	musaGraphNode_t root, join;
	musaGraph_t graph;

	(void)unused;
	OK(musaGraphCreate(&graph, 0));
	root = t_add_kernel(graph, NULL, 0, kernel_inc, args);
	for (int i = 0; i < WIDTH; i++)
		nodes[i] = t_add_kernel(graph, &root, 1, kernel_inc, args);
	join = t_add_kernel(graph, nodes, WIDTH, kernel_inc, args);
	(void)join;
	whole_life(graph, true);
	EQ(t_read(value), WIDTH + 2);
	return NULL;
}

Test(deep, a_fan_into_and_out_of_16384_nodes, .timeout = 120)
{
	on_small_stack(fan);
}
