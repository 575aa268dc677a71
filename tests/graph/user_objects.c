/* SPDX-License-Identifier: MIT */
/* User objects: counts, owners, and a destructor that runs once, on a thread of its own. */
#include "graph_support.h"

#include <limits.h>
#include <pthread.h>
#include <time.h>

static pthread_t destructor_thread;
static int destroyed;

static void destroy(void *data)
{
	destructor_thread = pthread_self();
	__atomic_fetch_add((int *)data, 1, __ATOMIC_SEQ_CST);
}

static int read_count(void)
{
	return __atomic_load_n(&destroyed, __ATOMIC_SEQ_CST);
}

static void pause_ms(int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

/* Waits as long as it takes; a destructor that never runs ends in the test's time limit. */
static void await_destructor(void)
{
	while (!read_count())
		pause_ms(1);
	pause_ms(20);
	EQ(read_count(), 1);
}

static void expect_alive(void)
{
	pause_ms(20);
	EQ(read_count(), 0);
}

static musaUserObject_t make(unsigned int refs)
{
	musaUserObject_t object;

	destroyed = 0;
	OK(musaUserObjectCreate(&object, &destroyed, destroy, refs, musaUserObjectNoDestructorSync));
	return object;
}

Test(user_objects, create_refusals)
{
	musaUserObject_t object;

	EXPECT(IV, musaUserObjectCreate(NULL, NULL, destroy, 1, 1));
	EXPECT(IV, musaUserObjectCreate(&object, NULL, NULL, 1, 1));
	EXPECT(IV, musaUserObjectCreate(&object, NULL, destroy, 0, 1));
	EXPECT(IV, musaUserObjectCreate(&object, NULL, destroy, 1, 0));
	EXPECT(IV, musaUserObjectCreate(&object, NULL, destroy, 1, 2));
	EXPECT(IV, musaUserObjectCreate(&object, NULL, destroy, (unsigned int)INT_MAX + 1, 1));
	object = make(1);
	OK(musaUserObjectRelease(object, 1));
	await_destructor();
}

/* Counts and handles. */
Test(user_objects, counts)
{
	musaUserObject_t object = make(2);
	musaGraph_t graph = t_graph();

	EXPECT(IV, musaUserObjectRetain(object, 0));
	EXPECT(IV, musaUserObjectRetain(object, (unsigned int)INT_MAX + 1));
	EXPECT(IV, musaUserObjectRetain(NULL, 1));
	EXPECT(IV, musaUserObjectRelease(object, 0));
	EXPECT(IV, musaUserObjectRelease(NULL, 1));
	/* More than there are: none is released. */
	OK(musaUserObjectRelease(object, 3));
	expect_alive();
	EXPECT(IV, musaGraphRetainUserObject(graph, object, 0, 0));
	EXPECT(IV, musaGraphRetainUserObject(graph, object, (unsigned int)INT_MAX + 1, 0));
	EXPECT(IV, musaGraphRetainUserObject(graph, object, 1, 2));
	EXPECT(IV, musaGraphRetainUserObject(graph, NULL, 1, 0));
	EXPECT(IV, musaGraphRetainUserObject(NULL, object, 1, 0));
	EXPECT(IV, musaGraphReleaseUserObject(graph, object, 1));
	OK(musaUserObjectRetain(object, 3));
	OK(musaUserObjectRelease(object, 4));
	expect_alive();
	OK(musaUserObjectRelease(object, 1));
	await_destructor();
	cr_assert(!pthread_equal(destructor_thread, pthread_self()));
	EXPECT(IV, musaUserObjectRetain(object, 1));
	/* It is gone, which is no error; no object is one. */
	OK(musaUserObjectRelease(object, 1));
	EXPECT(IV, musaUserObjectRelease((musaUserObject_t)graph, 1));
	EXPECT(IV, musaUserObjectRelease((musaUserObject_t)&graph, 1));
	OK(musaGraphDestroy(graph));
}

/* A graph keeps its references until it releases them or dies. */
Test(user_objects, graph_owns)
{
	musaUserObject_t object = make(1);
	musaGraph_t graph = t_graph();

	OK(musaGraphRetainUserObject(graph, object, 2, 0));
	OK(musaUserObjectRelease(object, 1));
	EXPECT(IV, musaGraphReleaseUserObject(graph, object, 3));
	OK(musaGraphReleaseUserObject(graph, object, 1));
	expect_alive();
	OK(musaGraphDestroy(graph));
	await_destructor();
}

/* Moving takes the caller's references. */
Test(user_objects, move)
{
	musaUserObject_t object = make(2);
	musaGraph_t graph = t_graph();

	OK(musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
	/* One is moved, one is new. */
	OK(musaGraphRetainUserObject(graph, object, 2, musaGraphUserObjectMove));
	OK(musaUserObjectRelease(object, 1));
	OK(musaGraphReleaseUserObject(graph, object, 2));
	expect_alive();
	OK(musaGraphReleaseUserObject(graph, object, 1));
	await_destructor();
	OK(musaGraphDestroy(graph));
}

/* Clones and graphs that embed the graph keep references of their own. */
Test(user_objects, clones_and_parents)
{
	musaUserObject_t object = make(1);
	musaGraph_t graph = t_graph(), clone, parent = t_graph();
	musaGraphNode_t node;

	OK(musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
	OK(musaGraphClone(&clone, graph));
	OK(musaGraphAddChildGraphNode(&node, parent, NULL, 0, graph));
	OK(musaGraphDestroy(graph));
	expect_alive();
	OK(musaGraphReleaseUserObject(clone, object, 1));
	expect_alive();
	OK(musaGraphDestroyNode(node));
	await_destructor();
	OK(musaGraphDestroy(parent));
	OK(musaGraphDestroy(clone));
}

/* An exec keeps a reference, and after its end every launch that still runs. */
Test(user_objects, execs_and_launches)
{
	musaUserObject_t object = make(1);
	musaGraph_t graph = t_graph();
	musaStream_t stream = t_stream();
	musaGraphExec_t exec;
	struct t_gate gate;

	t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	OK(musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(musaGraphDestroy(graph));
	expect_alive();
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphExecDestroy(exec));
	expect_alive();
	t_release(gate);
	await_destructor();
}

/* An update gives the exec the new graph's references for its old ones; one that is refused does not. */
Test(user_objects, updates)
{
	musaUserObject_t object = make(1);
	musaGraph_t graph = t_graph(), other = t_graph(), larger = t_graph();
	musaStream_t stream = t_stream();
	musaGraphExec_t exec;
	struct t_gate gate;

	t_add_kernel(graph, NULL, 0, kernel_empty, NULL);
	t_add_kernel(other, NULL, 0, kernel_empty, NULL);
	t_empty(larger, NULL, 0);
	t_empty(larger, NULL, 0);
	OK(musaGraphRetainUserObject(other, object, 1, musaGraphUserObjectMove));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(musaGraphExecUpdate(exec, other, NULL));
	OK(musaGraphDestroy(other));
	expect_alive();
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, larger, NULL));
	expect_alive();
	/* A launch that was submitted before keeps what it started with. */
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphExecUpdate(exec, graph, NULL));
	expect_alive();
	t_release(gate);
	await_destructor();
	OK(musaStreamSynchronize(stream));
	OK(musaGraphExecDestroy(exec));

	object = make(1);
	OK(musaGraphRetainUserObject(larger, object, 1, musaGraphUserObjectMove));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	EXPECT(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, larger, NULL));
	OK(musaGraphDestroy(larger));
	await_destructor();
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* So does a new child graph, whose references replace those of its place only. */
Test(user_objects, child_updates)
{
	musaUserObject_t root, object;
	musaGraph_t graph = t_graph(), child = t_graph(), next = t_graph();
	musaGraphExec_t exec;
	musaGraphNode_t node;
	static int kept;

	t_empty(child, NULL, 0);
	t_empty(next, NULL, 0);
	OK(musaUserObjectCreate(&root, &kept, destroy, 1, musaUserObjectNoDestructorSync));
	object = make(1);
	OK(musaGraphRetainUserObject(next, object, 1, musaGraphUserObjectMove));
	OK(musaGraphRetainUserObject(graph, root, 1, musaGraphUserObjectMove));
	OK(musaGraphAddChildGraphNode(&node, graph, NULL, 0, child));
	OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
	OK(musaGraphExecChildGraphNodeSetParams(exec, node, next));
	OK(musaGraphDestroy(next));
	expect_alive();
	OK(musaGraphExecChildGraphNodeSetParams(exec, node, child));
	await_destructor();
	OK(musaGraphDestroy(graph));
	pause_ms(20);
	EQ(__atomic_load_n(&kept, __ATOMIC_SEQ_CST), 0);
	OK(musaGraphExecDestroy(exec));
	while (!__atomic_load_n(&kept, __ATOMIC_SEQ_CST))
		pause_ms(1);
	OK(musaGraphDestroy(child));
}
