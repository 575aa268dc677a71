/* SPDX-License-Identifier: MIT */
/*
 * User objects: counted references of the program, of graphs and of execs to something whose
 * destructor runs once, on a thread of its own, when the last reference has gone.
 */
#include "graph/user_object.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "graph/calls.h"
#include "hw/base/alloc.h"
#include "hw/base/handle.h"
#include "hw/base/log.h"

struct mt_user_object {
	uint64_t handle;
	MUhostFn destroy;
	void *pointer;
	uint64_t refs;       /* all references; guarded by lock */
	uint64_t owned;      /* those of the program; guarded by lock */
	struct mt_user_object *next; /* in the queue of the dead */
};

struct ref {
	struct mt_user_object *object;
	uint64_t count;
};

struct mt_user_refs {
	uint32_t count, capacity;
	struct ref *refs; /* owned */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t dead_added = PTHREAD_COND_INITIALIZER;
/* Guarded by lock. */
static struct mt_user_object *dead_first, **dead_end = &dead_first;
static bool thread_runs;

static void *run_destructors(void *unused)
{
	struct mt_user_object *object;

	(void)unused;
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!dead_first)
			pthread_cond_wait(&dead_added, &lock);
		object = dead_first;
		dead_first = object->next;
		if (!dead_first)
			dead_end = &dead_first;
		pthread_mutex_unlock(&lock);
		object->destroy(object->pointer);
		mt_free(object);
		pthread_mutex_lock(&lock);
	}
	return NULL;
}

/* Under the lock. The thread exists before the first object does, so that a drop cannot fail. */
static MUresult start_thread(void)
{
	sigset_t all, old;
	pthread_t thread;
	int error;

	if (thread_runs)
		return MUSA_SUCCESS;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&thread, NULL, run_destructors, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		return MUSA_ERROR_OUT_OF_MEMORY;
	pthread_detach(thread);
	thread_runs = true;
	return MUSA_SUCCESS;
}

/* Under the lock. */
static void drop_refs(struct mt_user_object *object, uint64_t count)
{
	object->refs -= count;
	if (object->refs)
		return;
	mt_handle_destroy(object->handle);
	object->next = NULL;
	*dead_end = object;
	dead_end = &object->next;
	pthread_cond_signal(&dead_added);
}

static struct mt_user_object *find_object(MUuserObject handle)
{
	return mt_handle_get((uintptr_t)handle, MT_HANDLE_USER_OBJECT);
}

MUresult mt_user_object_create(void *pointer, MUhostFn destroy, unsigned int refs,
			       unsigned int flags, MUuserObject *object_out)
{
	struct mt_user_object *object;
	MUresult ret;

	if (!object_out || !destroy || !refs || refs > INT_MAX ||
	    flags != MU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
		return MUSA_ERROR_INVALID_VALUE;
	object = mt_calloc(1, sizeof(*object));
	if (!object)
		return MUSA_ERROR_OUT_OF_MEMORY;
	object->destroy = destroy;
	object->pointer = pointer;
	object->refs = refs;
	object->owned = refs;
	pthread_mutex_lock(&lock);
	ret = start_thread();
	pthread_mutex_unlock(&lock);
	if (!ret) {
		object->handle = mt_handle_create(MT_HANDLE_USER_OBJECT, object);
		if (!object->handle)
			ret = MUSA_ERROR_OUT_OF_MEMORY;
	}
	if (ret) {
		mt_free(object);
		return ret;
	}
	*object_out = (MUuserObject)(uintptr_t)object->handle;
	return MUSA_SUCCESS;
}

static bool is_count(unsigned int count)
{
	return count && count <= INT_MAX;
}

MUresult mt_user_object_retain(MUuserObject handle, unsigned int count)
{
	struct mt_user_object *object;
	MUresult ret = MUSA_ERROR_INVALID_VALUE;

	pthread_mutex_lock(&lock);
	object = find_object(handle);
	if (object && is_count(count)) {
		object->refs += count;
		object->owned += count;
		ret = MUSA_SUCCESS;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

/*
 * Programs give up references that a graph took from them: what is not held is not released, and
 * that is no error. So an object that is gone is told from a handle that never was one.
 */
MUresult mt_user_object_release(MUuserObject handle, unsigned int count)
{
	struct mt_user_object *object;
	bool held;

	if (!is_count(count) || mt_handle_kind((uintptr_t)handle) != MT_HANDLE_USER_OBJECT)
		return MUSA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	object = find_object(handle);
	held = object && count <= object->owned;
	if (held) {
		object->owned -= count;
		drop_refs(object, count);
	}
	pthread_mutex_unlock(&lock);
	if (!held)
		mt_log(MT_LOG_WARN, "user object %llx: %u references released that are not held",
		       (unsigned long long)(uintptr_t)handle, count);
	return MUSA_SUCCESS;
}

/* --- Lists of references ------------------------------------------------------------------------- */

static struct ref *find_ref(struct mt_user_refs *refs, const struct mt_user_object *object)
{
	uint32_t i;

	for (i = 0; refs && i < refs->count; i++)
		if (refs->refs[i].object == object)
			return &refs->refs[i];
	return NULL;
}

/* Room for one more entry; creates the list. */
static MUresult reserve_ref(struct mt_user_refs **list)
{
	struct mt_user_refs *refs = *list;
	uint32_t capacity;
	struct ref *grown;

	if (!refs) {
		refs = mt_calloc(1, sizeof(*refs));
		if (!refs)
			return MUSA_ERROR_OUT_OF_MEMORY;
		*list = refs;
	}
	if (refs->count < refs->capacity)
		return MUSA_SUCCESS;
	capacity = refs->capacity ? refs->capacity * 2 : 4;
	grown = mt_realloc(refs->refs, capacity * sizeof(*grown));
	if (!grown)
		return MUSA_ERROR_OUT_OF_MEMORY;
	refs->refs = grown;
	refs->capacity = capacity;
	return MUSA_SUCCESS;
}

/* Appends to *list the objects of `from`, each `count` of its references or, with 0, all. */
static MUresult append_refs(struct mt_user_refs **list, const struct mt_user_refs *from,
			    uint64_t count)
{
	struct ref *ref;
	uint32_t i;
	MUresult ret;

	for (i = 0; from && i < from->count; i++) {
		ret = reserve_ref(list);
		if (ret)
			return ret;
		ref = &(*list)->refs[(*list)->count++];
		*ref = from->refs[i];
		if (count)
			ref->count = count;
		pthread_mutex_lock(&lock);
		ref->object->refs += ref->count;
		pthread_mutex_unlock(&lock);
	}
	return MUSA_SUCCESS;
}

MUresult mt_user_refs_copy(const struct mt_user_refs *refs, struct mt_user_refs **copy_out)
{
	struct mt_user_refs *copy = NULL;
	MUresult ret = append_refs(&copy, refs, 0);

	if (ret) {
		mt_user_refs_drop(copy);
		return ret;
	}
	*copy_out = copy;
	return MUSA_SUCCESS;
}

MUresult mt_user_refs_share(const struct mt_graph *graph, struct mt_user_refs **refs_out)
{
	struct mt_user_refs *shared = NULL;
	const struct mt_graph *at;
	MUresult ret;

	for (at = graph; at; at = mt_graph_walk(graph, at)) {
		ret = append_refs(&shared, at->user_refs, 1);
		if (ret) {
			mt_user_refs_drop(shared);
			return ret;
		}
	}
	*refs_out = shared;
	return MUSA_SUCCESS;
}

void mt_user_refs_drop(struct mt_user_refs *refs)
{
	uint32_t i;

	if (!refs)
		return;
	pthread_mutex_lock(&lock);
	for (i = 0; i < refs->count; i++)
		drop_refs(refs->refs[i].object, refs->refs[i].count);
	pthread_mutex_unlock(&lock);
	mt_free(refs->refs);
	mt_free(refs);
}

MUresult mt_graph_retain_object(MUgraph graph_handle, MUuserObject handle, unsigned int count,
				unsigned int flags)
{
	bool move = flags == MU_GRAPH_USER_OBJECT_MOVE;
	struct mt_user_object *object;
	struct mt_graph *graph;
	struct ref *ref;
	uint64_t moved;
	MUresult ret;

	if (mt_graph_get(graph_handle, &graph) || !is_count(count) || (flags && !move))
		return MUSA_ERROR_INVALID_VALUE;
	ret = reserve_ref(&graph->user_refs);
	if (ret)
		return ret;
	pthread_mutex_lock(&lock);
	object = find_object(handle);
	if (!object) {
		pthread_mutex_unlock(&lock);
		return MUSA_ERROR_INVALID_VALUE;
	}
	/* What the caller has of them moves, the rest is new. */
	moved = !move ? 0 : count < object->owned ? count : object->owned;
	object->owned -= moved;
	object->refs += count - moved;
	pthread_mutex_unlock(&lock);
	ref = find_ref(graph->user_refs, object);
	if (!ref) {
		ref = &graph->user_refs->refs[graph->user_refs->count++];
		*ref = (struct ref){ .object = object };
	}
	ref->count += count;
	return MUSA_SUCCESS;
}

MUresult mt_graph_release_object(MUgraph graph_handle, MUuserObject handle, unsigned int count)
{
	struct mt_user_object *object;
	struct mt_graph *graph;
	struct ref *ref;

	if (mt_graph_get(graph_handle, &graph) || !is_count(count))
		return MUSA_ERROR_INVALID_VALUE;
	object = find_object(handle);
	ref = object ? find_ref(graph->user_refs, object) : NULL;
	if (!ref || count > ref->count)
		return MUSA_ERROR_INVALID_VALUE;
	ref->count -= count;
	if (!ref->count)
		*ref = graph->user_refs->refs[--graph->user_refs->count];
	pthread_mutex_lock(&lock);
	drop_refs(object, count);
	pthread_mutex_unlock(&lock);
	return MUSA_SUCCESS;
}
