/* SPDX-License-Identifier: MIT */
/*
 * External semaphore nodes with timeline semaphores that come as opaque file descriptors: order in
 * one process and between two, and what updates may change.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_semaphore.h"

/* Parameters of nodes with up to four semaphores. */
struct node_params {
	musaExternalSemaphore_t semaphores[4];
	struct musaExternalSemaphoreSignalParams signals[4];
	struct musaExternalSemaphoreWaitParams waits[4];
	struct musaExternalSemaphoreSignalNodeParams signal;
	struct musaExternalSemaphoreWaitNodeParams wait;
};

static struct node_params *params_of(struct node_params *p, const musaExternalSemaphore_t *semaphores,
				     unsigned int count, unsigned long long value)
{
	*p = (struct node_params){.signal = {p->semaphores, p->signals, count},
				  .wait = {p->semaphores, p->waits, count}};
	for (unsigned int i = 0; i < count; i++) {
		p->semaphores[i] = semaphores[i];
		p->signals[i].params.fence.value = value + i;
		p->waits[i].params.fence.value = value + i;
	}
	return p;
}

static void signal_now(musaExternalSemaphore_t semaphore, unsigned long long value)
{
	struct musaExternalSemaphoreSignalParams params = {.params.fence.value = value};
	musaStream_t stream = t_stream();

	OK(musaSignalExternalSemaphoresAsync(&semaphore, &params, 1, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaStreamDestroy(stream));
}

/* wait -> append 1 -> signal -> append 2, in two graphs that hold each other's other half. */
Test(semaphore_nodes, order_graphs, .timeout = 60)
{
	struct mt_ext_semaphore *object;
	musaExternalSemaphore_t semaphore = t_semaphore(&object);
	musaStream_t one = t_stream(), two = t_stream();
	int *log = t_ints(8), got[5];
	musaGraphExec_t first, second;
	struct node_params p;
	musaGraph_t graph;
	musaGraphNode_t node;

	OK(musaGraphCreate(&graph, 0));
	node = t_add_append(graph, NULL, 0, log, 1);
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, &node, 1,
						    &params_of(&p, &semaphore, 1, 1)->signal));
	OK(musaGraphAddExternalSemaphoresWaitNode(&node, graph, &node, 1,
						  &params_of(&p, &semaphore, 1, 2)->wait));
	t_add_append(graph, &node, 1, log, 3);
	OK(musaGraphInstantiate(&first, graph, 0));

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddExternalSemaphoresWaitNode(&node, graph, NULL, 0,
						  &params_of(&p, &semaphore, 1, 1)->wait));
	node = t_add_append(graph, &node, 1, log, 2);
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, &node, 1,
						    &params_of(&p, &semaphore, 1, 2)->signal));
	OK(musaGraphInstantiate(&second, graph, 0));

	OK(musaGraphLaunch(second, two));
	EXPECT(musaErrorNotReady, musaStreamQuery(two));
	OK(musaGraphLaunch(first, one));
	OK(musaStreamSynchronize(one));
	OK(musaStreamSynchronize(two));
	t_read_all(log, got, 4);
	for (int i = 0; i < 4; i++)
		EQ(got[i], i ? i : 3);
	EQ(mt_ext_semaphore_value(object), 2);
}

/* All semaphores of a node are waited for, all are signalled, each with its own value. */
Test(semaphore_nodes, take_several_semaphores, .timeout = 60)
{
	struct mt_ext_semaphore *objects[4];
	musaExternalSemaphore_t semaphores[4];
	musaStream_t stream = t_stream();
	int *word = t_ints(1);
	struct node_params p;
	musaGraphExec_t exec;
	musaGraph_t graph;
	musaGraphNode_t node;

	for (int i = 0; i < 4; i++)
		semaphores[i] = t_semaphore(&objects[i]);
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddExternalSemaphoresWaitNode(&node, graph, NULL, 0,
						  &params_of(&p, semaphores, 4, 10)->wait));
	node = t_add_put(graph, &node, 1, word, 7);
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, graph, &node, 1,
						    &params_of(&p, semaphores, 4, 20)->signal));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	for (int i = 0; i < 4; i++) {
		EXPECT(musaErrorNotReady, musaStreamQuery(stream));
		signal_now(semaphores[i], 10 + (unsigned int)i);
	}
	OK(musaStreamSynchronize(stream));
	EQ(t_read(word), 7);
	for (int i = 0; i < 4; i++)
		EQ(mt_ext_semaphore_value(objects[i]), 20 + i);
}

/* A timeline moves on with every launch: values by node, by ExecUpdate, and to another semaphore;
 * launches that are queued keep theirs. */
Test(semaphore_nodes, follow_updates, .timeout = 60)
{
	struct mt_ext_semaphore *object, *other_object;
	musaExternalSemaphore_t semaphore = t_semaphore(&object);
	musaExternalSemaphore_t other = t_semaphore(&other_object);
	musaStream_t stream = t_stream();
	musaGraphExecUpdateResultInfo info;
	musaGraphNode_t wait, signal, node;
	musaGraph_t graph, update;
	musaGraphExec_t exec;
	struct t_gate gate;
	struct node_params p, q;

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0,
						  &params_of(&p, &semaphore, 1, 0)->wait));
	OK(musaGraphAddExternalSemaphoresSignalNode(&signal, graph, &wait, 1,
						    &params_of(&p, &semaphore, 1, 1)->signal));
	OK(musaGraphInstantiate(&exec, graph, 0));
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	for (unsigned int i = 1; i < 10; i++) {
		OK(musaGraphExecExternalSemaphoresWaitNodeSetParams(
			exec, wait, &params_of(&p, &semaphore, 1, i)->wait));
		OK(musaGraphExecExternalSemaphoresSignalNodeSetParams(
			exec, signal, &params_of(&p, &semaphore, 1, i + 1)->signal));
		OK(musaGraphLaunch(exec, stream));
	}
	EQ(mt_ext_semaphore_value(object), 0);
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(object), 10);

	/* Another semaphore, by a whole update. */
	OK(musaGraphCreate(&update, 0));
	OK(musaGraphAddExternalSemaphoresWaitNode(&node, update, NULL, 0,
						  &params_of(&p, &semaphore, 1, 10)->wait));
	OK(musaGraphAddExternalSemaphoresSignalNode(&node, update, &node, 1,
						    &params_of(&q, &other, 1, 5)->signal));
	OK(musaGraphExecUpdate(exec, update, &info));
	EQ(info.result, musaGraphExecUpdateSuccess);
	OK(musaGraphDestroy(update));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(object), 10);
	EQ(mt_ext_semaphore_value(other_object), 5);

	/* The graph's node has its own parameters still, and gives them to new execs. */
	OK(musaGraphExternalSemaphoresSignalNodeGetParams(signal, &q.signal));
	EQ(q.signal.numExtSems, 1);
	EQ(q.signal.paramsArray[0].params.fence.value, 1);
	cr_assert_eq(q.signal.extSemArray[0], semaphore);
	OK(musaGraphExternalSemaphoresSignalNodeSetParams(
		signal, &params_of(&p, &semaphore, 1, 12)->signal));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(object), 10);
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(object), 12);
}

/* An exec keeps the number of semaphores; a graph's node does not. */
Test(semaphore_nodes, keep_their_count, .timeout = 60)
{
	struct mt_ext_semaphore *objects[2];
	musaExternalSemaphore_t semaphores[2] = {t_semaphore(&objects[0]),
						 t_semaphore(&objects[1])};
	musaStream_t stream = t_stream();
	musaGraphExecUpdateResultInfo info;
	struct musaGraphNodeParams generic = {.type = musaGraphNodeTypeExtSemaphoreSignal};
	musaGraphNode_t wait, signal, node;
	musaGraph_t graph, update;
	musaGraphExec_t exec;
	struct node_params p;

	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0,
						  &params_of(&p, semaphores, 1, 0)->wait));
	OK(musaGraphAddExternalSemaphoresSignalNode(&signal, graph, &wait, 1,
						    &params_of(&p, semaphores, 1, 3)->signal));
	OK(musaGraphInstantiate(&exec, graph, 0));
	for (unsigned int count = 0; count <= 2; count += 2) {
		params_of(&p, semaphores, count, 50);
		EXPECT(musaErrorInvalidValue,
		       musaGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait, &p.wait));
		EXPECT(musaErrorInvalidValue,
		       musaGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal, &p.signal));
		generic.extSemSignal.extSemArray = p.semaphores;
		generic.extSemSignal.paramsArray = p.signals;
		generic.extSemSignal.numExtSems = count;
		EXPECT(musaErrorInvalidValue, musaGraphExecNodeSetParams(exec, signal, &generic));
		OK(musaGraphCreate(&update, 0));
		OK(musaGraphAddExternalSemaphoresWaitNode(&node, update, NULL, 0,
							  &params_of(&p, semaphores, 1, 0)->wait));
		OK(musaGraphAddExternalSemaphoresSignalNode(
			&node, update, &node, 1, &params_of(&p, semaphores, count, 50)->signal));
		EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, update, &info));
		EQ(info.result, musaGraphExecUpdateErrorParametersChanged);
		cr_assert_eq(info.errorNode, node);
		OK(musaGraphDestroy(update));
	}
	/* Wrong kinds and NULLs. */
	EXPECT(musaErrorInvalidValue,
	       musaGraphExecExternalSemaphoresWaitNodeSetParams(exec, signal, &p.wait));
	EXPECT(musaErrorInvalidValue,
	       musaGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait, NULL));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(objects[0]), 3);
	EQ(mt_ext_semaphore_value(objects[1]), 0);

	OK(musaGraphExternalSemaphoresSignalNodeSetParams(
		signal, &params_of(&p, semaphores, 2, 60)->signal));
	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(objects[0]), 60);
	EQ(mt_ext_semaphore_value(objects[1]), 61);
}

/* Captured calls are the same nodes. */
Test(semaphore_nodes, come_from_captures, .timeout = 60)
{
	struct mt_ext_semaphore *object;
	musaExternalSemaphore_t semaphore = t_semaphore(&object);
	musaStream_t stream = t_stream();
	enum musaGraphNodeType type;
	musaGraphNode_t nodes[2];
	struct node_params p;
	musaGraphExec_t exec;
	musaGraph_t graph;
	size_t count = 2;

	OK(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
	params_of(&p, &semaphore, 1, 4);
	OK(musaSignalExternalSemaphoresAsync(p.semaphores, p.signals, 1, stream));
	OK(musaWaitExternalSemaphoresAsync(p.semaphores, p.waits, 1, stream));
	OK(musaStreamEndCapture(stream, &graph));
	EQ(mt_ext_semaphore_value(object), 0);
	OK(musaGraphGetNodes(graph, nodes, &count));
	EQ(count, 2);
	OK(musaGraphNodeGetType(nodes[0], &type));
	EQ(type, musaGraphNodeTypeExtSemaphoreSignal);
	OK(musaGraphNodeGetType(nodes[1], &type));
	EQ(type, musaGraphNodeTypeExtSemaphoreWait);
	OK(musaGraphInstantiate(&exec, graph, 0));
	/* The program's handle goes; the exec keeps the semaphore. */
	OK(musaDestroyExternalSemaphore(semaphore));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(mt_ext_semaphore_value(object), 4);
}

/* Another program gets the descriptor and answers from graphs of its own. */
Test(semaphore_nodes, order_two_programs, .timeout = 120)
{
	enum { ROUNDS = 40 };
	const char *partner = getenv("SEMAPHORE_PARTNER");
	struct mt_ext_semaphore *object;
	int fd = t_semaphore_fd(&object), status, *word = t_ints(1);
	char number[16], rounds[16], parent[16];
	musaExternalSemaphore_t semaphore;
	musaStream_t stream = t_stream();
	musaGraphNode_t signal, wait;
	musaGraphExec_t exec;
	musaGraph_t graph;
	struct node_params p;
	pid_t pid;

	cr_assert_not_null(partner, "SEMAPHORE_PARTNER names the program");
	snprintf(number, sizeof(number), "%d", fd);
	snprintf(rounds, sizeof(rounds), "%d", ROUNDS);
	snprintf(parent, sizeof(parent), "%d", (int)getpid());
	fcntl(fd, F_SETFD, 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (!pid) {
		execl(partner, partner, number, rounds, parent, (char *)NULL);
		_exit(99);
	}
	semaphore = t_semaphore_import(fd);
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddExternalSemaphoresSignalNode(&signal, graph, NULL, 0,
						    &params_of(&p, &semaphore, 1, 1)->signal));
	OK(musaGraphAddExternalSemaphoresWaitNode(&wait, graph, &signal, 1,
						  &params_of(&p, &semaphore, 1, 2)->wait));
	t_add_kernel(graph, &wait, 1, kernel_inc, (void *[]){&word});
	OK(musaGraphInstantiate(&exec, graph, 0));
	for (unsigned int i = 0; i < ROUNDS; i++) {
		OK(musaGraphExecExternalSemaphoresSignalNodeSetParams(
			exec, signal, &params_of(&p, &semaphore, 1, 2ull * i + 1)->signal));
		OK(musaGraphExecExternalSemaphoresWaitNodeSetParams(
			exec, wait, &params_of(&p, &semaphore, 1, 2ull * i + 2)->wait));
		OK(musaGraphLaunch(exec, stream));
	}
	OK(musaStreamSynchronize(stream));
	EQ(t_read(word), ROUNDS);
	EQ(mt_ext_semaphore_value(object), 2 * ROUNDS);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status), "the other program crashed");
	EQ(WEXITSTATUS(status), 42);
}
