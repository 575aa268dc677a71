/* SPDX-License-Identifier: MIT */
/*
 * Launches of graphs from device code: what is refused, the limits, and how an exec is found, changed
 * and destroyed while the device may launch it.
 */
#include "device_launch.h"
#include "support.h"

#define INVALID musaErrorInvalidValue

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

static musaGraph_t put_graph(int *to, int value, musaGraphNode_t *node_out)
{
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	*node_out = t_add_put(graph, NULL, 0, to, value);
	return graph;
}

/* What a launch of `exec` from the device gives. */
static int launched(musaGraphExec_t exec, int kind)
{
	struct launch *list = dl_list(1);
	int *log = t_ints(4);

	list[0] = at(exec, kind);
	dl_run(dl_host_lister(log, 1, list, 1));
	return list->result;
}

/* --- what may be launched ------------------------------------------------------------------------ */

Test(device_launch_refused, only_uploaded_execs, .timeout = 60)
{
	musaGraphInstantiateParams params = {
		.flags = musaGraphInstantiateFlagDeviceLaunch | musaGraphInstantiateFlagUpload,
	};
	int *word = t_ints(1);
	musaGraphExec_t exec, host;
	musaGraphNode_t node;
	musaGraph_t graph = put_graph(word, 5, &node);

	OK(musaGraphInstantiate(&exec, graph, musaGraphInstantiateFlagDeviceLaunch));
	for (int kind = LAUNCH_FIRE; kind <= LAUNCH_SIBLING; kind++)
		EQ(launched(exec, kind), INVALID);
	EQ(t_read(word), 0);
	OK(musaGraphUpload(exec, NULL));
	OK(musaStreamSynchronize(NULL));
	for (int kind = LAUNCH_FIRE; kind <= LAUNCH_SIBLING; kind++) {
		OK(musaMemset(word, 0, 4));
		EQ(launched(exec, kind), musaSuccess);
		EQ(t_read(word), 5);
	}
	EQ(launched(exec, LAUNCH_NOWHERE), INVALID);

	OK(musaGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, musaGraphInstantiateSuccess);
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);

	/* The host's first launch uploads. */
	OK(musaGraphInstantiate(&exec, graph, musaGraphInstantiateFlagDeviceLaunch));
	dl_run(exec);
	EQ(launched(exec, LAUNCH_TAIL), musaSuccess);

	/* An exec that was not made for it. */
	OK(musaGraphInstantiate(&host, graph, 0));
	OK(musaGraphUpload(host, NULL));
	dl_run(host);
	EQ(launched(host, LAUNCH_FIRE), INVALID);
	EQ(launched(NULL, LAUNCH_FIRE), INVALID);
	EQ(launched((musaGraphExec_t)graph, LAUNCH_FIRE), INVALID);
	OK(musaGraphExecDestroy(exec));
	EQ(launched(exec, LAUNCH_TAIL), INVALID);
	OK(musaGraphDestroy(graph));
}

/* Only kernels of graphs launch graphs. */
Test(device_launch_refused, a_kernel_outside_a_graph, .timeout = 60)
{
	struct launch *list = dl_list(3);
	int *log = t_ints(8), id = 1, count = 3;
	musaGraphExec_t exec = dl_device_lister(log, 2, NULL, 0);
	musaStream_t stream = t_stream();

	for (int i = 0; i < 3; i++)
		list[i] = at(exec, LAUNCH_FIRE + i);
	OK(t_launch(kernel_run_list, (void *[]){&log, &id, &list, &count}, stream));
	OK(musaStreamSynchronize(stream));
	for (int i = 0; i < 3; i++)
		EQ(list[i].result, INVALID);
	EQ(t_read(log), 1);
}

Test(device_launch_refused, the_current_exec_is_known_where_it_may_be_launched, .timeout = 60)
{
	musaGraphExec_t *seen, exec;
	musaStream_t stream = t_stream();
	musaGraph_t graph;

	OK(musaMallocManaged((void **)&seen, sizeof(*seen), musaMemAttachGlobal));
	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_tell_current, (void *[]){&seen});
	*seen = (musaGraphExec_t)graph;
	OK(musaGraphInstantiate(&exec, graph, 0));
	dl_run(exec);
	cr_assert_null(*seen, "a graph of the host only");

	exec = dl_device_exec(graph);
	dl_run(exec);
	cr_assert_eq(*seen, exec, "launched by the host");
	*seen = NULL;
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);
	cr_assert_eq(*seen, exec, "launched by the device");

	OK(t_launch(kernel_tell_current, (void *[]){&seen}, stream));
	OK(musaStreamSynchronize(stream));
	cr_assert_null(*seen, "no graph");
}

/* --- one launch at a time ------------------------------------------------------------------------ */

Test(device_launch_refused, a_graph_that_runs, .timeout = 60)
{
	volatile int *flag = new_flag();
	struct launch *list = dl_list(4), *late = dl_list(3);
	int *log = t_ints(8);
	musaGraphExec_t held = dl_held(flag, log, 2);
	musaStream_t stream = t_stream();

	list[0] = at(held, LAUNCH_FIRE);
	list[1] = at(held, LAUNCH_FIRE);
	list[2] = at(held, LAUNCH_TAIL);
	list[3] = at(held, LAUNCH_SIBLING);
	OK(musaGraphLaunch(dl_host_lister(log, 1, list, 4), stream));
	while (__atomic_load_n(&list[3].result, __ATOMIC_ACQUIRE) == -1)
		;
	/* Another graph gets the same answer. */
	for (int i = 0; i < 3; i++)
		late[i] = at(held, LAUNCH_FIRE + i);
	dl_run(dl_host_lister(log, 3, late, 3));
	*flag = 1;
	OK(musaStreamSynchronize(stream));
	EQ(list[0].result, musaSuccess);
	for (int i = 1; i < 4; i++)
		EQ(list[i].result, INVALID);
	for (int i = 0; i < 3; i++)
		EQ(late[i].result, INVALID);
	dl_log_is(log, 3, (const int[]){1, 3, 2});
	EQ(launched(held, LAUNCH_FIRE), musaSuccess);
}

/* The running graph itself: at the tail, once. */
Test(device_launch_refused, itself_but_for_one_tail, .timeout = 60)
{
	static const int kinds[] = {LAUNCH_FIRE, LAUNCH_SIBLING, LAUNCH_TAIL,
				    LAUNCH_TAIL, LAUNCH_FIRE,    LAUNCH_SIBLING};
	struct launch *list = dl_list(6);
	int *count = t_ints(1), launches = 6;
	musaGraphExec_t self;
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_repeat_once, (void *[]){&count, &list, &launches});
	self = dl_device_exec(graph);
	for (int i = 0; i < launches; i++)
		list[i] = at(self, kinds[i]);
	dl_run(self);
	for (int i = 0; i < launches; i++)
		EQ(list[i].result, i == 2 ? musaSuccess : INVALID);
	EQ(t_read(count), 2);

	/* Launched by the device it is the same. */
	OK(musaMemset(count, 0, 4));
	EQ(launched(self, LAUNCH_FIRE), musaSuccess);
	for (int i = 0; i < launches; i++)
		EQ(list[i].result, i == 2 ? musaSuccess : INVALID);
	EQ(t_read(count), 2);
}

/* --- limits -------------------------------------------------------------------------------------- */

static void fill_list(struct launch *list, int count, int *log, int kind)
{
	for (int i = 0; i < count; i++)
		list[i] = at(dl_device_lister(log, 2, NULL, 0), kind);
}

static void expect_list(const struct launch *list, int count, int limit)
{
	for (int i = 0; i < count; i++)
		cr_assert_eq(list[i].result, i < limit ? musaSuccess : INVALID,
			     "launch %d gives %d", i, list[i].result);
}

Test(device_launch_refused, more_than_120_fired_in_a_run, .timeout = 120)
{
	enum { COUNT = 125 };
	struct launch *list = dl_list(COUNT);
	int *log = t_ints(8 * COUNT);
	musaGraphExec_t parent = dl_host_lister(log, 1, list, COUNT);

	fill_list(list, COUNT, log, LAUNCH_FIRE);
	for (int i = 0; i < COUNT; i += 2)
		list[i].kind = LAUNCH_SIBLING;
	/* Each run counts for itself. */
	for (int run = 1; run <= 3; run++) {
		dl_run(parent);
		expect_list(list, COUNT, 120);
		EQ(t_read(log), run * 121);
	}
}

Test(device_launch_refused, more_than_255_pending_tails, .timeout = 120)
{
	enum { COUNT = 258 };
	struct launch *list = dl_list(COUNT), *again = dl_list(2);
	int *log = t_ints(4 * COUNT);
	musaGraphExec_t parent = dl_host_lister(log, 1, list, COUNT);

	fill_list(list, COUNT, log, LAUNCH_TAIL);
	/* A tail launch's own do not count with those that it comes before. */
	list[0].exec = dl_device_lister(log, 3, again, 2);
	fill_list(again, 2, log, LAUNCH_TAIL);
	for (int run = 1; run <= 2; run++) {
		dl_run(parent);
		expect_list(list, COUNT, 255);
		expect_list(again, 2, 2);
		EQ(t_read(log), run * 258);
	}
}

/* --- changes ------------------------------------------------------------------------------------- */

static void set_put(musaGraphExec_t exec, musaGraphNode_t node, int *to, int value)
{
	struct musaKernelNodeParams params = t_kernel(kernel_put, (void *[]){&to, &value});

	OK(musaGraphExecKernelNodeSetParams(exec, node, &params));
}

Test(device_launch_refused, changes_reach_launches_of_the_device, .timeout = 60)
{
	int *word = t_ints(1);
	musaGraphExecUpdateResultInfo info;
	musaGraphNode_t node, other_node;
	musaGraph_t graph = put_graph(word, 1, &node), other = put_graph(word, 3, &other_node);
	musaGraphExec_t exec;

	OK(musaGraphInstantiate(&exec, graph, musaGraphInstantiateFlagDeviceLaunch));
	dl_upload(exec);
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);
	EQ(t_read(word), 1);
	set_put(exec, node, word, 2);
	dl_upload(exec);
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);
	EQ(t_read(word), 2);
	OK(musaGraphExecUpdate(exec, other, &info));
	dl_upload(exec);
	EQ(launched(exec, LAUNCH_TAIL), musaSuccess);
	EQ(t_read(word), 3);
	OK(musaGraphNodeSetEnabled(exec, node, 0));
	OK(musaMemset(word, 0, 4));
	EQ(launched(exec, LAUNCH_TAIL), musaSuccess);
	EQ(t_read(word), 0);
}

/* An update does not wait for the launch that runs, and does not disturb it. */
Test(device_launch_refused, changes_spare_the_run_of_the_device, .timeout = 60)
{
	volatile int *flag = new_flag();
	struct launch *list = dl_list(1);
	int *word = t_ints(1), *log = t_ints(4);
	musaStream_t stream = t_stream();
	musaGraphNode_t first, node;
	musaGraphExec_t exec;
	musaGraph_t graph;

	OK(musaGraphCreate(&graph, 0));
	first = t_add_kernel(graph, NULL, 0, kernel_wait_flag, (void *[]){&flag});
	node = t_add_put(graph, &first, 1, word, 1);
	OK(musaGraphInstantiate(&exec, graph, musaGraphInstantiateFlagDeviceLaunch));
	dl_upload(exec);
	list[0] = at(exec, LAUNCH_FIRE);
	OK(musaGraphLaunch(dl_host_lister(log, 1, list, 1), stream));
	while (__atomic_load_n(&list->result, __ATOMIC_ACQUIRE) == -1)
		;
	for (int i = 2; i < 50; i++)
		set_put(exec, node, word, i);
	*flag = 1;
	OK(musaStreamSynchronize(stream));
	EQ(t_read(word), 1);
	dl_upload(exec);
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);
	EQ(t_read(word), 49);
	dl_run(exec);
	EQ(t_read(word), 49);
}

/* A kernel that launches graphs cannot take the place of one that does not. */
Test(device_launch_refused, function_changes_to_a_launcher, .timeout = 60)
{
	struct launch *list = dl_list(1);
	int *log = t_ints(4), *word = t_ints(1), id = 1, count = 0;
	void *args[] = {&log, &id, &list, &count};
	struct musaKernelNodeParams launcher = t_kernel(kernel_run_list, args), put;
	musaGraphExecUpdateResultInfo info;
	musaGraphNode_t node, other_node;
	musaGraph_t graph = put_graph(word, 1, &node), other;
	musaGraphExec_t exec;

	OK(musaGraphCreate(&other, 0));
	other_node = t_add_kernel(other, NULL, 0, kernel_run_list, args);
	OK(musaGraphInstantiate(&exec, graph, 0));
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, other, &info));
	EQ(info.result, musaGraphExecUpdateErrorUnsupportedFunctionChange);
	cr_assert_eq(info.errorNode, other_node);
	EXPECT(INVALID, musaGraphExecKernelNodeSetParams(exec, node, &launcher));
	dl_run(exec);
	EQ(t_read(word), 1);

	/* The other way round, and among launchers, it may. */
	OK(musaGraphInstantiate(&exec, other, 0));
	OK(musaGraphExecUpdate(exec, graph, &info));
	count = 2;
	put = t_kernel(kernel_put, (void *[]){&word, &count});
	OK(musaGraphInstantiate(&exec, other, 0));
	OK(musaGraphExecKernelNodeSetParams(exec, other_node, &put));
	OK(musaGraphExecKernelNodeSetParams(exec, other_node, &put));
}

/* --- destruction --------------------------------------------------------------------------------- */

static void count_destroyed(void *count)
{
	__atomic_fetch_add((int *)count, 1, __ATOMIC_SEQ_CST);
}

/* Both execs go while one runs the other; what they keep lives until the end. */
Test(device_launch_refused, destroyed_execs_finish, .timeout = 60)
{
	volatile int *flag = new_flag();
	struct launch *list = dl_list(2);
	int *log = t_ints(8), destroyed = 0;
	musaStream_t stream = t_stream();
	musaGraphExec_t held, tail, parent;
	musaGraphNode_t first;
	musaUserObject_t object;
	musaGraph_t graph;

	OK(musaUserObjectCreate(&object, &destroyed, count_destroyed, 1,
				musaUserObjectNoDestructorSync));
	OK(musaGraphCreate(&graph, 0));
	OK(musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
	first = t_add_kernel(graph, NULL, 0, kernel_wait_flag, (void *[]){&flag});
	t_add_append(graph, &first, 1, log, 2);
	held = dl_upload(dl_device_exec(graph));
	tail = dl_device_lister(log, 3, NULL, 0);
	parent = dl_host_lister(log, 1, list, 2);
	list[0] = at(held, LAUNCH_FIRE);
	list[1] = at(tail, LAUNCH_TAIL);
	OK(musaGraphLaunch(parent, stream));
	while (__atomic_load_n(&list[1].result, __ATOMIC_ACQUIRE) == -1)
		;
	OK(musaGraphExecDestroy(held));
	OK(musaGraphExecDestroy(tail));
	OK(musaGraphExecDestroy(parent));
	/* Others come and go meanwhile. */
	for (int i = 0; i < 50; i++)
		OK(musaGraphExecDestroy(dl_device_lister(log, 9, NULL, 0)));
	EQ(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST), 0);
	*flag = 1;
	OK(musaStreamSynchronize(stream));
	dl_log_is(log, 3, (const int[]){1, 2, 3});
	while (!__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST))
		;
}

/* A graph that repeats itself goes on when its exec has been destroyed. */
Test(device_launch_refused, a_destroyed_exec_repeats_itself, .timeout = 60)
{
	struct launch *list = dl_list(1);
	int *count = t_ints(1), limit = 300;
	musaStream_t stream = t_stream();
	musaGraph_t graph;
	musaGraphExec_t exec;

	OK(musaGraphCreate(&graph, 0));
	t_add_kernel(graph, NULL, 0, kernel_repeat, (void *[]){&count, &limit, &list});
	exec = dl_device_exec(graph);
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphExecDestroy(exec));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(count), limit);
}

/* --- instantiation ------------------------------------------------------------------------------- */

static void nothing(void *unused)
{
	(void)unused;
}

static void expect_refused(musaGraph_t graph, musaGraphInstantiateResult result,
			   musaGraphNode_t node)
{
	musaGraphInstantiateParams params = {.flags = musaGraphInstantiateFlagDeviceLaunch};
	musaGraphExec_t exec;

	EXPECT(INVALID, musaGraphInstantiateWithParams(&exec, graph, &params));
	EQ(params.result_out, result);
	cr_assert_eq(params.errNode_out, node);
	cr_assert_null(exec);
	params.flags = 0;
	OK(musaGraphInstantiateWithParams(&exec, graph, &params));
	OK(musaGraphExecDestroy(exec));
}

Test(device_launch_refused, nodes_that_the_device_cannot_launch, .timeout = 60)
{
	const musaGraphInstantiateResult refused = musaGraphInstantiateNodeOperationNotSupported;
	struct musaHostNodeParams host = {.fn = nothing};
	struct musaMemAllocNodeParams alloc = {
		.poolProps = {.allocType = musaMemAllocationTypePinned,
			      .location = {.type = musaMemLocationTypeDevice}},
		.bytesize = 64,
	};
	struct musaGraphNodeParams branch = {.type = musaGraphNodeTypeConditional};
	struct musaChannelFormatDesc format = {.x = 32, .f = musaChannelFormatKindSigned};
	struct musaMemcpy3DParms copy = {.extent = {4, 1, 1}, .kind = musaMemcpyDefault};
	int *word = t_ints(4), local[4] = {0};
	musaGraphNode_t put, node;
	musaEvent_t event;
	musaArray_t array;
	musaGraph_t graph;

	OK(musaEventCreate(&event));
	OK(musaGraphCreate(&graph, 0));
	expect_refused(graph, musaGraphInstantiateError, NULL); /* empty */
	for (int i = 0; i < 9; i++) {
		graph = put_graph(word, 1, &put);
		switch (i) {
		case 0:
			OK(musaGraphAddEmptyNode(&node, graph, &put, 1));
			break;
		case 1:
			OK(musaGraphAddHostNode(&node, graph, &put, 1, &host));
			break;
		case 2:
			OK(musaGraphAddEventRecordNode(&node, graph, &put, 1, event));
			break;
		case 3:
			OK(musaGraphAddEventWaitNode(&node, graph, &put, 1, event));
			break;
		case 4:
			OK(musaGraphAddMemAllocNode(&node, graph, &put, 1, &alloc));
			break;
		case 5:
			OK(musaGraphAddMemcpyNode1D(&node, graph, &put, 1, word, local, 16,
						    musaMemcpyHostToDevice));
			break;
		case 6:
			OK(musaMallocArray(&array, &format, 4, 0, 0));
			copy.srcPtr.ptr = word;
			copy.srcPtr.pitch = 16;
			copy.srcPtr.xsize = 16;
			copy.srcPtr.ysize = 1;
			copy.dstArray = array;
			OK(musaGraphAddMemcpyNode(&node, graph, &put, 1, &copy));
			break;
		case 7:
			OK(musaGraphConditionalHandleCreate(&branch.conditional.handle, graph, 0,
							    0));
			branch.conditional.type = musaGraphCondTypeIf;
			branch.conditional.size = 1;
			OK(musaGraphAddNode(&node, graph, &put, 1, &branch));
			break;
		case 8: { /* inside a child graph */
			musaGraph_t child;

			OK(musaGraphCreate(&child, 0));
			OK(musaGraphAddHostNode(&node, child, NULL, 0, &host));
			OK(musaGraphAddChildGraphNode(&node, graph, &put, 1, child));
			OK(musaGraphChildGraphNodeGetGraph(node, &child));
			size_t one = 1;

			OK(musaGraphGetNodes(child, &node, &one));
			break;
		}
		}
		expect_refused(graph, refused, node);
		OK(musaGraphDestroy(graph));
	}
}

Test(device_launch_refused, flags_of_execs, .timeout = 60)
{
	const unsigned long long launch = musaGraphInstantiateFlagDeviceLaunch;
	unsigned long long flags;
	int *word = t_ints(1), *pinned;
	musaGraphNode_t node;
	musaGraph_t graph = put_graph(word, 1, &node);
	musaGraphExec_t exec;

	EXPECT(INVALID, musaGraphInstantiate(&exec, graph,
					     launch | musaGraphInstantiateFlagAutoFreeOnLaunch));
	OK(musaMallocHost((void **)&pinned, 4));
	*pinned = 6;
	OK(musaGraphAddMemcpyNode1D(&node, graph, &node, 1, word, pinned, 4, musaMemcpyDefault));
	OK(musaGraphInstantiate(&exec, graph, launch | musaGraphInstantiateFlagUseNodePriority));
	OK(musaGraphExecGetFlags(exec, &flags));
	EQ(flags & launch, launch);
	dl_upload(exec);
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);
	EQ(t_read(word), 6);

	/* Updates do not bring in what instantiation refuses. */
	musaGraphExecUpdateResultInfo info;
	musaGraph_t update = put_graph(word, 1, &node);
	int local = 7;

	OK(musaGraphAddMemcpyNode1D(&node, update, &node, 1, word, &local, 4, musaMemcpyDefault));
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, update, &info));
	EQ(info.result, musaGraphExecUpdateErrorParametersChanged);
	cr_assert_eq(info.errorNode, node);
	EQ(launched(exec, LAUNCH_FIRE), musaSuccess);
	EQ(t_read(word), 6);
}
