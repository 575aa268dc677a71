/* SPDX-License-Identifier: MIT */
/*
 * User objects: counted references of the program, of graphs and of execs to something whose
 * destructor runs once, on a thread of its own, when the last reference has gone.
 */
#include "graph/user_object.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

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
	uint32_t index; /* of an exec: its graph for which they are held */
};

struct mt_user_refs {
	uint32_t count, capacity;
	struct ref *refs; /* owned */
	/* Replaced while a launch ran: */
	struct mt_user_refs *next;
	const struct mt_ctx *ctx;
	struct mt_stream_ticket last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t dead_added = PTHREAD_COND_INITIALIZER;
/* Guarded by lock. */
static struct mt_user_object *dead_first, **dead_end = &dead_first;
static bool thread_runs;
static struct mt_user_refs *replaced;
static _Atomic uint32_t replaced_count;

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

/* Appends one entry and takes its references. */
static MUresult append_ref(struct mt_user_refs **list, const struct ref *ref)
{
	MUresult ret = reserve_ref(list);

	if (ret)
		return ret;
	(*list)->refs[(*list)->count++] = *ref;
	pthread_mutex_lock(&lock);
	ref->object->refs += ref->count;
	pthread_mutex_unlock(&lock);
	return MUSA_SUCCESS;
}

MUresult mt_user_refs_copy(const struct mt_user_refs *refs, struct mt_user_refs **copy_out)
{
	struct mt_user_refs *copy = NULL;
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	for (i = 0; refs && i < refs->count && !ret; i++)
		ret = append_ref(&copy, &refs->refs[i]);
	if (ret) {
		mt_user_refs_drop(copy);
		return ret;
	}
	*copy_out = copy;
	return MUSA_SUCCESS;
}

MUresult mt_user_refs_share(struct mt_user_refs **list, const struct mt_graph *graph,
			    uint32_t index)
{
	const struct mt_user_refs *from = graph->user_refs;
	MUresult ret = MUSA_SUCCESS;
	struct ref ref;
	uint32_t i;

	for (i = 0; from && i < from->count && !ret; i++) {
		ref = (struct ref){ from->refs[i].object, 1, index };
		ret = append_ref(list, &ref);
	}
	return ret;
}

static bool is_inside(const struct mt_exec *exec, uint32_t at, uint32_t index)
{
	for (; at != MT_EXEC_NONE; at = exec->graphs[at].parent_graph)
		if (at == index)
			return true;
	return false;
}

MUresult mt_user_refs_share_outside(struct mt_user_refs **list, const struct mt_exec *exec,
				    uint32_t index)
{
	const struct mt_user_refs *from = exec->user_refs;
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	for (i = 0; from && index && i < from->count && !ret; i++)
		if (!is_inside(exec, from->refs[i].index, index))
			ret = append_ref(list, &from->refs[i]);
	return ret;
}

void mt_user_refs_replace(struct mt_exec *exec, struct mt_user_refs *refs)
{
	struct mt_user_refs *old = exec->user_refs;

	exec->user_refs = refs;
	if (!old || mt_exec_is_unused(exec)) {
		mt_user_refs_drop(old);
		return;
	}
	old->ctx = exec->ctx;
	old->last = exec->last;
	pthread_mutex_lock(&lock);
	old->next = replaced;
	replaced = old;
	atomic_fetch_add_explicit(&replaced_count, 1, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	mt_exec_retire_watch();
}

bool mt_user_refs_poll(const struct mt_ctx *gone)
{
	struct mt_user_refs **link = &replaced, *refs, *done = NULL;
	bool left;

	if (!atomic_load_explicit(&replaced_count, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&lock);
	while ((refs = *link)) {
		if (refs->ctx != gone &&
		    mt_hw_queue_completed(refs->last.queue) < refs->last.seq) {
			link = &refs->next;
			continue;
		}
		*link = refs->next;
		refs->next = done;
		done = refs;
		atomic_fetch_sub_explicit(&replaced_count, 1, memory_order_relaxed);
	}
	left = replaced != NULL;
	pthread_mutex_unlock(&lock);
	while ((refs = done)) {
		done = refs->next;
		mt_user_refs_drop(refs);
	}
	return left;
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
