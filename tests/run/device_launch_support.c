/* SPDX-License-Identifier: MIT */
/* Graphs for the tests of launches from device code. */
#include <string.h>

#include "device_launch.h"
#include "support.h"

struct launch *dl_list(int count)
{
	struct launch *list;

	OK(musaMallocManaged((void **)&list, (size_t)count * sizeof(*list), musaMemAttachGlobal));
	memset(list, 0, (size_t)count * sizeof(*list));
	return list;
}

musaGraphExec_t dl_device_exec(musaGraph_t graph)
{
	musaGraphExec_t exec;

	OK(musaGraphInstantiate(&exec, graph, musaGraphInstantiateFlagDeviceLaunch));
	OK(musaGraphDestroy(graph));
	return exec;
}

musaGraphExec_t dl_upload(musaGraphExec_t exec)
{
	OK(musaGraphUpload(exec, NULL));
	OK(musaStreamSynchronize(NULL));
	return exec;
}

musaGraph_t dl_list_graph(int *log, int id, struct launch *list, int count)
{
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_run_list, (void *[]){&log, &id, &list, &count});
	return graph;
}

musaGraphExec_t dl_host_lister(int *log, int id, struct launch *list, int count)
{
	musaGraph_t graph = dl_list_graph(log, id, list, count);
	musaGraphExec_t exec;

	OK(musaGraphInstantiate(&exec, graph, 0));
	OK(musaGraphDestroy(graph));
	return exec;
}

musaGraphExec_t dl_device_lister(int *log, int id, struct launch *list, int count)
{
	return dl_upload(dl_device_exec(dl_list_graph(log, id, list, count)));
}

static musaGraphExec_t late(const void *kernel, void **args, int *log, int id)
{
	musaGraph_t graph;
	musaGraphNode_t first;

	OK(musaGraphCreate(&graph, 0));
	first = t_add_kernel(graph, NULL, 0, kernel, args);
	t_add_append(graph, &first, 1, log, id);
	return dl_upload(dl_device_exec(graph));
}

musaGraphExec_t dl_held(volatile int *flag, int *log, int id)
{
	return late(kernel_wait_flag, (void *[]){&flag}, log, id);
}

musaGraphExec_t dl_slow(int ms, int *log, int id)
{
	return late(kernel_slow, (void *[]){&ms}, log, id);
}

void dl_run(musaGraphExec_t exec)
{
	musaStream_t stream = t_stream();

	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	OK(musaStreamDestroy(stream));
}

void dl_log_is(const int *log, int count, const int *want)
{
	int got[64];

	cr_assert(count < 64);
	t_read_all(log, got, (size_t)count + 1);
	EQ(got[0], count);
	for (int i = 0; i < count; i++)
		cr_assert_eq(got[1 + i], want[i], "entry %d of the log is %d, not %d", i,
			     got[1 + i], want[i]);
}
