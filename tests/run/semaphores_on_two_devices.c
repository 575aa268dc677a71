/* SPDX-License-Identifier: MIT */
/* One timeline orders graphs of two devices, launch after launch, by values that change each time. */
#include "drv/ext_semaphore.h"
#include "drv/table.h"
#include "support.h"

#define core (&mt_drv_table_v1)

enum { TURNS = 40 };

/* Waits for a value, copies a word, signals the next value. */
struct turn {
	musaStream_t stream;
	musaGraphExec_t exec;
	musaGraphNode_t wait, copy, signal;
	struct musaExternalSemaphoreWaitParams wait_value;
	struct musaExternalSemaphoreSignalParams signal_value;
	struct musaExternalSemaphoreWaitNodeParams wait_params;
	struct musaExternalSemaphoreSignalNodeParams signal_params;
};

static void make(struct turn *turn, int device, musaExternalSemaphore_t *semaphore, int *to,
		 const int *from)
{
	musaGraph_t graph;

	OK(musaSetDevice(device));
	turn->stream = t_stream();
	turn->wait_params = (struct musaExternalSemaphoreWaitNodeParams){
		.extSemArray = semaphore, .paramsArray = &turn->wait_value, .numExtSems = 1};
	turn->signal_params = (struct musaExternalSemaphoreSignalNodeParams){
		.extSemArray = semaphore, .paramsArray = &turn->signal_value, .numExtSems = 1};
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddExternalSemaphoresWaitNode(&turn->wait, graph, NULL, 0, &turn->wait_params));
	OK(musaGraphAddMemcpyNode1D(&turn->copy, graph, &turn->wait, 1, to, from, sizeof(*to),
				    musaMemcpyDefault));
	OK(musaGraphAddExternalSemaphoresSignalNode(&turn->signal, graph, &turn->copy, 1,
						    &turn->signal_params));
	OK(musaGraphInstantiate(&turn->exec, graph, 0));
}

static void take(struct turn *turn, int device, uint64_t value, int *to, const int *from)
{
	turn->wait_value.params.fence.value = value;
	turn->signal_value.params.fence.value = value + 1;
	OK(musaSetDevice(device));
	OK(musaGraphExecExternalSemaphoresWaitNodeSetParams(turn->exec, turn->wait,
							    &turn->wait_params));
	OK(musaGraphExecExternalSemaphoresSignalNodeSetParams(turn->exec, turn->signal,
							      &turn->signal_params));
	OK(musaGraphExecMemcpyNodeSetParams1D(turn->exec, turn->copy, to, from, sizeof(*to),
					      musaMemcpyDefault));
	OK(musaGraphLaunch(turn->exec, turn->stream));
}

/* Device 0 writes words of a list into one cell, device 1 copies each of them out. */
Test(semaphores_on_two_devices, take_turns, .timeout = 120)
{
	struct turn writer = {0}, reader = {0};
	musaExternalSemaphore_t semaphore;
	struct mt_ext_semaphore *object;
	int *cell, *list, *copy;
	struct mt_ctx *ctx;
	uint64_t handle;

	OK(musaSetDevice(0));
	cell = t_ints(1);
	OK(musaHostAlloc((void **)&list, 2 * TURNS * sizeof(*list), musaHostAllocPortable));
	copy = list + TURNS;
	for (int i = 0; i < TURNS; i++) {
		list[i] = 1000 + i;
		copy[i] = 0;
	}
	EQ(core->mt_ctx_primary(0, &ctx), MUSA_SUCCESS);
	EQ(core->mt_ext_semaphore_create(ctx, &handle), MUSA_SUCCESS);
	EQ(core->mt_ext_semaphore_get(handle, &object), MUSA_SUCCESS);
	semaphore = (musaExternalSemaphore_t)(uintptr_t)handle;
	make(&writer, 0, &semaphore, cell, list);
	make(&reader, 1, &semaphore, copy, cell);
	for (int i = 0; i < TURNS; i++) {
		take(&reader, 1, 2u * (unsigned int)i + 1, copy + i, cell);
		if (!i)
			EXPECT(musaErrorNotReady, musaStreamQuery(reader.stream));
		take(&writer, 0, 2u * (unsigned int)i, cell, list + i);
	}
	OK(musaStreamSynchronize(reader.stream));
	EQ(mt_ext_semaphore_value(object), 2 * TURNS);
	for (int i = 0; i < TURNS; i++)
		EQ(copy[i], list[i]);
	OK(musaDestroyExternalSemaphore(semaphore));
}
