/* SPDX-License-Identifier: MIT */
/*
 * The other process of semaphore_nodes.c: gets a semaphore as an inherited descriptor and answers
 * values on it with a graph of its own, whose values it changes for each launch.
 *
 * usage: semaphore_partner FD ROUNDS PARENT		exit status: 42, or the step that failed
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "musa_runtime.h"

#define STEP(number, call)                                                                         \
	do {                                                                                       \
		if (call)                                                                          \
			return (number);                                                           \
	} while (0)

int main(int argc, char **argv)
{
	struct musaExternalSemaphoreHandleDesc desc = {0};
	struct musaExternalSemaphoreSignalParams signal_value = {0};
	struct musaExternalSemaphoreWaitParams wait_value = {0};
	struct musaExternalSemaphoreSignalNodeParams signal_params = {.paramsArray = &signal_value,
								      .numExtSems = 1};
	struct musaExternalSemaphoreWaitNodeParams wait_params = {.paramsArray = &wait_value,
								  .numExtSems = 1};
	musaGraphNode_t wait, answer;
	musaExternalSemaphore_t semaphore;
	musaGraphExec_t exec;
	musaStream_t stream;
	musaGraph_t graph;
	int rounds;

	/* A test that has failed answers no more; it may have failed before it could be watched. */
	if (argc != 4 || prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != atoi(argv[3]))
		return 1;
	rounds = atoi(argv[2]);
	desc.type = musaExternalSemaphoreHandleTypeOpaqueFd;
	desc.handle.fd = atoi(argv[1]);
	STEP(2, musaImportExternalSemaphore(&semaphore, &desc));
	wait_params.extSemArray = signal_params.extSemArray = &semaphore;
	STEP(3, musaStreamCreate(&stream));
	STEP(4, musaGraphCreate(&graph, 0));
	STEP(5, musaGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0, &wait_params));
	STEP(6, musaGraphAddExternalSemaphoresSignalNode(&answer, graph, &wait, 1, &signal_params));
	STEP(7, musaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < rounds; i++) {
		wait_value.params.fence.value = 2ull * (unsigned int)i + 1;
		signal_value.params.fence.value = 2ull * (unsigned int)i + 2;
		STEP(8, musaGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait, &wait_params));
		STEP(9, musaGraphExecExternalSemaphoresSignalNodeSetParams(exec, answer,
									  &signal_params));
		STEP(10, musaGraphLaunch(exec, stream));
	}
	STEP(11, musaStreamSynchronize(stream));
	STEP(12, musaGraphExecDestroy(exec));
	STEP(13, musaGraphDestroy(graph));
	STEP(14, musaDestroyExternalSemaphore(semaphore));
	return 42;
}
