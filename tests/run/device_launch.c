/* SPDX-License-Identifier: MIT */
/*
 * Launches of graphs from device code: what runs beside what, what comes behind what, and what the
 * host waits for.
 */
#include "device_launch.h"
#include "support.h"

#define LOG_IS(log, ...)                                                                           \
	do {                                                                                       \
		const int log_is_want[] = {__VA_ARGS__};                                           \
		dl_log_is(log, (int)(sizeof(log_is_want) / sizeof(int)), log_is_want);             \
	} while (0)

static struct launch at(musaGraphExec_t exec, int kind)
{
	return (struct launch){.exec = exec, .kind = kind, .result = -1};
}

static volatile int *new_flag(void)
{
	int *flag;

	OK(musaHostAlloc((void **)&flag, 2 * sizeof(*flag), musaHostAllocMapped));
	flag[0] = flag[1] = 0;
	return flag;
}

/* The parent's kernel ends only when its child has run. */
Test(device_launch, a_fired_graph_runs_beside_its_parent, .timeout = 60)
{
	struct launch *list = dl_list(1);
	int *flag = t_ints(1), one = 1;
	musaGraph_t graph;
	musaGraphExec_t parent;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_put, (void *[]){&flag, &one});
	list[0] = at(dl_upload(dl_device_exec(graph)), LAUNCH_FIRE);
	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_run_and_wait, (void *[]){&list, &flag});
	OK(musaGraphInstantiate(&parent, graph, 0));
	for (int i = 0; i < 20; i++) {
		OK(musaMemset(flag, 0, sizeof(*flag)));
		dl_run(parent);
		EQ(list->result, musaSuccess);
		EQ(t_read(flag), 1);
	}
}

/* Later work of the stream, the exec's next launch and queries wait for what was fired. */
Test(device_launch, the_host_sees_one_launch, .timeout = 60)
{
	static const int kinds[] = {LAUNCH_FIRE, LAUNCH_SIBLING, LAUNCH_TAIL};

	for (int i = 0; i < 3; i++) {
		volatile int *flag = new_flag();
		musaStream_t stream = t_stream();
		struct launch *list = dl_list(1);
		int *log = t_ints(16), id = 9;
		musaGraphExec_t parent = dl_host_lister(log, 1, list, 1);
		musaEvent_t event;

		OK(musaEventCreate(&event));
		list[0] = at(dl_held(flag, log, 2), kinds[i]);
		OK(musaGraphLaunch(parent, stream));
		OK(t_launch(kernel_append, (void *[]){&log, &id}, stream));
		OK(musaEventRecord(event, stream));
		while (__atomic_load_n(&list->result, __ATOMIC_ACQUIRE) == -1)
			;
		EXPECT(musaErrorNotReady, musaStreamQuery(stream));
		*flag = 1;
		OK(musaEventSynchronize(event));
		EQ(list->result, musaSuccess);
		LOG_IS(log, 1, 2, 9);
	}
}

Test(device_launch, a_tail_comes_behind_all_that_was_fired, .timeout = 60)
{
	struct launch *list = dl_list(2), *nested = dl_list(1);
	int *log = t_ints(16);
	musaGraphExec_t parent = dl_host_lister(log, 1, list, 2);

	/* The tail is asked for first; what the fired graph fires counts, too. */
	list[0] = at(dl_device_lister(log, 4, NULL, 0), LAUNCH_TAIL);
	list[1] = at(dl_device_lister(log, 2, nested, 1), LAUNCH_FIRE);
	nested[0] = at(dl_slow(5, log, 3), LAUNCH_FIRE);
	dl_run(parent);
	LOG_IS(log, 1, 2, 3, 4);
	EQ(list[0].result, musaSuccess);
	EQ(list[1].result, musaSuccess);
	EQ(nested[0].result, musaSuccess);
}

/* 1 asks for 2 and 6; 2 asks for 3 and 5; 3 asks for 4: each one's own come first. */
Test(device_launch, tails_nest, .timeout = 60)
{
	struct launch *first = dl_list(2), *second = dl_list(2), *third = dl_list(1);
	int *log = t_ints(16);
	musaGraphExec_t parent = dl_host_lister(log, 1, first, 2);

	first[0] = at(dl_device_lister(log, 2, second, 2), LAUNCH_TAIL);
	first[1] = at(dl_device_lister(log, 6, NULL, 0), LAUNCH_TAIL);
	second[0] = at(dl_device_lister(log, 3, third, 1), LAUNCH_TAIL);
	second[1] = at(dl_device_lister(log, 5, NULL, 0), LAUNCH_TAIL);
	third[0] = at(dl_device_lister(log, 4, NULL, 0), LAUNCH_TAIL);
	dl_run(parent);
	LOG_IS(log, 1, 2, 3, 4, 5, 6);
}

/* A fired graph has tails of its own, inside its parent's environment. */
Test(device_launch, tails_of_a_fired_graph_belong_to_its_parent, .timeout = 60)
{
	struct launch *list = dl_list(2), *nested = dl_list(1);
	int *log = t_ints(16);
	musaGraphExec_t parent = dl_host_lister(log, 1, list, 2);

	list[0] = at(dl_device_lister(log, 4, NULL, 0), LAUNCH_TAIL);
	list[1] = at(dl_device_lister(log, 2, nested, 1), LAUNCH_FIRE);
	nested[0] = at(dl_slow(5, log, 3), LAUNCH_TAIL);
	dl_run(parent);
	LOG_IS(log, 1, 2, 3, 4);
}

/* The sibling waits for what the tail does: it does not hold the tail back. */
Test(device_launch, a_sibling_does_not_gate_tails, .timeout = 60)
{
	struct launch *list = dl_list(2);
	int *log = t_ints(16), *flag = t_ints(1), one = 1;
	musaGraphExec_t parent = dl_host_lister(log, 1, list, 2);
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_put, (void *[]){&flag, &one});
	list[0] = at(dl_held(flag, log, 2), LAUNCH_SIBLING);
	list[1] = at(dl_upload(dl_device_exec(graph)), LAUNCH_TAIL);
	dl_run(parent);
	EQ(list[0].result, musaSuccess);
	EQ(list[1].result, musaSuccess);
	LOG_IS(log, 1, 2);
}

/* 2 is fired by 1 and fires 3 as a sibling: 3 is 1's, and so 1's tail comes behind it. */
Test(device_launch, a_siblings_parent_is_its_launchers, .timeout = 60)
{
	struct launch *list = dl_list(2), *nested = dl_list(1);
	int *log = t_ints(16);
	musaGraphExec_t parent = dl_host_lister(log, 1, list, 2);

	list[0] = at(dl_device_lister(log, 4, NULL, 0), LAUNCH_TAIL);
	list[1] = at(dl_device_lister(log, 2, nested, 1), LAUNCH_FIRE);
	nested[0] = at(dl_slow(5, log, 3), LAUNCH_SIBLING);
	dl_run(parent);
	LOG_IS(log, 1, 2, 3, 4);
}

Test(device_launch, a_graph_repeats_itself_by_tail_launch, .timeout = 60)
{
	struct launch *list = dl_list(1);
	int *count = t_ints(1), limit = 5000;
	musaGraph_t graph;
	musaGraphExec_t exec;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_repeat, (void *[]){&count, &limit, &list});
	exec = dl_device_exec(graph); /* the first launch uploads it */
	for (int i = 1; i <= 3; i++) {
		OK(musaMemset(count, 0, sizeof(*count)));
		dl_run(exec);
		EQ(t_read(count), limit);
		cr_assert_eq(list->exec, exec);
		EQ(list->result, musaSuccess);
	}
}

/* The same exec in several places, one behind the other. */
Test(device_launch, one_graph_may_be_several_tails, .timeout = 60)
{
	struct launch *list = dl_list(3);
	int *log = t_ints(16);
	musaGraphExec_t parent = dl_host_lister(log, 1, list, 3);
	musaGraphExec_t two = dl_device_lister(log, 2, NULL, 0);

	list[0] = at(two, LAUNCH_TAIL);
	list[1] = at(dl_device_lister(log, 3, NULL, 0), LAUNCH_TAIL);
	list[2] = at(two, LAUNCH_TAIL);
	dl_run(parent);
	dl_run(parent);
	LOG_IS(log, 1, 2, 3, 2, 1, 2, 3, 2);
}

/* Parents that are at work in several streams fire graphs of their own. */
Test(device_launch, streams_are_independent, .timeout = 120)
{
	enum { STREAMS = 6, LAUNCHES = 50 };
	musaStream_t streams[STREAMS];
	musaGraphExec_t parents[STREAMS];
	int *logs[STREAMS];

	for (int s = 0; s < STREAMS; s++) {
		struct launch *list = dl_list(3);

		logs[s] = t_ints(4 * LAUNCHES + 1);
		streams[s] = t_stream();
		parents[s] = dl_host_lister(logs[s], 1, list, 3);
		list[0] = at(dl_device_lister(logs[s], 3, NULL, 0), LAUNCH_TAIL);
		list[1] = at(dl_device_lister(logs[s], 2, NULL, 0), LAUNCH_FIRE);
		list[2] = at(dl_device_lister(logs[s], 4, NULL, 0), LAUNCH_TAIL);
	}
	for (int i = 0; i < LAUNCHES; i++)
		for (int s = 0; s < STREAMS; s++)
			OK(musaGraphLaunch(parents[s], streams[s]));
	OK(musaDeviceSynchronize());
	for (int s = 0; s < STREAMS; s++) {
		int got[4 * LAUNCHES + 1];

		t_read_all(logs[s], got, 4 * LAUNCHES + 1);
		EQ(got[0], 4 * LAUNCHES);
		for (int i = 0; i < 4 * LAUNCHES; i++)
			EQ(got[1 + i], i % 4 + 1);
	}
}

/* A graph with parallel branches and a child graph, again and again. */
Test(device_launch, whole_graphs_are_launched, .timeout = 60)
{
	enum { WIDTH = 12 };
	struct launch *list = dl_list(1);
	int *words = t_ints(WIDTH + 1), *log = t_ints(64), *sum = words + WIDTH, *from, one = 1;
	musaGraph_t graph, child;
	musaGraphNode_t fill, adds[WIDTH], nested;
	struct musaMemsetParams set = {.dst = words, .elementSize = 4, .width = WIDTH, .height = 1};
	musaGraphExec_t parent = dl_host_lister(log, 1, list, 1);

	OK(musaGraphCreate(&child, 0));
	for (int i = 0; i < WIDTH; i++) {
		from = words + i;
		adds[i] = t_add_kernel(child, i ? &adds[i - 1] : NULL, i > 0, kernel_copy_word,
				       (void *[]){&from, &sum});
	}
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddMemsetNode(&fill, graph, NULL, 0, &set));
	for (int i = 0; i < WIDTH; i++) {
		from = words + i;
		adds[i] = t_add_kernel(graph, &fill, 1, kernel_add, (void *[]){&from, &one});
	}
	OK(musaGraphAddChildGraphNode(&nested, graph, adds, WIDTH, child));
	from = words + WIDTH;
	t_add_kernel(graph, &nested, 1, kernel_add, (void *[]){&from, &one});
	list[0] = at(dl_upload(dl_device_exec(graph)), LAUNCH_TAIL);
	for (int i = 0; i < 20; i++) {
		dl_run(parent);
		EQ(list->result, musaSuccess);
		EQ(t_read(sum), 2);
	}
}

/* Launches come from many blocks at once, and from kernels whose threads are fibers. */
Test(device_launch, every_block_may_launch, .timeout = 60)
{
	enum { BLOCKS = 100 };
	struct launch *list = dl_list(BLOCKS);
	int *log = t_ints(BLOCKS + 1), got[BLOCKS + 1], seen[BLOCKS] = {0};
	struct musaKernelNodeParams params = t_kernel(kernel_run_blocks, (void *[]){&list});
	musaGraph_t graph;
	musaGraphNode_t node;
	musaGraphExec_t parent;

	for (int i = 0; i < BLOCKS; i++)
		list[i] = at(dl_device_lister(log, i, NULL, 0),
			     i % 3 == 0 ? LAUNCH_FIRE : i % 3 == 1 ? LAUNCH_TAIL : LAUNCH_SIBLING);
	params.gridDim.x = BLOCKS;
	params.blockDim.x = 32;
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphAddKernelNode(&node, graph, NULL, 0, &params));
	OK(musaGraphInstantiate(&parent, graph, 0));
	dl_run(parent);
	for (int i = 0; i < BLOCKS; i++)
		EQ(list[i].result, musaSuccess);
	t_read_all(log, got, BLOCKS + 1);
	EQ(got[0], BLOCKS);
	for (int i = 0; i < BLOCKS; i++)
		seen[got[1 + i]]++;
	for (int i = 0; i < BLOCKS; i++)
		EQ(seen[i], 1);
}

/* A launcher in the body of a loop. */
Test(device_launch, bodies_of_conditionals_launch, .timeout = 60)
{
	struct launch *list = dl_list(1);
	int *log = t_ints(64), *left = t_ints(1), passes = 5, id = 1, count = 1;
	musaGraphConditionalHandle handle;
	struct musaGraphNodeParams loop = {.type = musaGraphNodeTypeConditional};
	musaGraph_t graph;
	musaGraphNode_t node;
	musaGraphExec_t parent;

	list[0] = at(dl_device_lister(log, 2, NULL, 0), LAUNCH_TAIL);
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphConditionalHandleCreate(&handle, graph, 1, musaGraphCondAssignDefault));
	loop.conditional.handle = handle;
	loop.conditional.type = musaGraphCondTypeWhile;
	loop.conditional.size = 1;
	OK(musaGraphAddNode(&node, graph, NULL, 0, &loop));
	node = t_add_kernel(loop.conditional.phGraph_out[0], NULL, 0, kernel_run_list,
			    (void *[]){&log, &id, &list, &count});
	t_add_kernel(loop.conditional.phGraph_out[0], &node, 1, kernel_count_down,
		     (void *[]){&handle, &left});
	OK(musaGraphInstantiate(&parent, graph, 0));
	OK(musaMemcpy(left, &passes, sizeof(passes), musaMemcpyHostToDevice));
	dl_run(parent);
	LOG_IS(log, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2);
}
