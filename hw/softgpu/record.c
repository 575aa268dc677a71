/* SPDX-License-Identifier: MIT */
/*
 * What kernels that were compiled with --record-access read and write, told to the host of the engine
 * once for each submission of a graph, unless the last one of that graph was the same. Only memory
 * that is registered counts: block-shared memory, stacks and arguments are none. Compiled without
 * sanitizers, because it runs on fibers' stacks.
 *
 * A worker joins accesses to *runs* of bytes; runs that nothing more joins go to the list of their node
 * in the queue's record. Lists are sorted and joined when they are full, and before they are told.
 */
#include <stdlib.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

#define RUNS       16u
#define LIST_MIN   64u
#define LIST_MAX   (1u << 20) /* ranges of one node; then the closest ones become one */
#define REMEMBERED 256u       /* graphs of a queue whose last record is remembered */

struct run {
	uint64_t va, end; /* end 0: not in use */
	bool write;
};

/* Of one worker. */
struct sg_runs {
	struct run runs[RUNS];
	uint32_t next; /* to be replaced */
	struct sg_range mapped; /* where the last access was found */
	uint64_t map_generation;
};

/* What one node reads, or writes. */
struct touched {
	uint32_t node;
	bool write, used;
	struct mt_sg_access *list; /* owned; node and write are filled when it is told */
	size_t count, room;
};

struct remembered {
	uint64_t exec, digest;
};

/* Of one queue's running submission. */
struct sg_touches {
	struct touched *table; /* owned, open addressing; room is a power of two */
	size_t count, room;
	struct remembered remembered[REMEMBERED];
};

/* Guards all queues' records; innermost, held over no access to device memory. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *a, const void *b)
{
	const struct mt_sg_access *x = a, *y = b;

	return x->va < y->va ? -1 : x->va > y->va;
}

/* Sorts a list and joins what touches or lies closer than `gap_b`. */
static void join(struct touched *t, uint64_t gap_b)
{
	struct mt_sg_access *at = t->list;
	size_t i;

	if (!t->count)
		return;
	qsort(t->list, t->count, sizeof(*t->list), compare);
	for (i = 1; i < t->count; i++) {
		if (t->list[i].va > at->va + at->bytes_b + gap_b)
			*++at = t->list[i];
		else if (t->list[i].va + t->list[i].bytes_b > at->va + at->bytes_b)
			at->bytes_b = t->list[i].va + t->list[i].bytes_b - at->va;
	}
	t->count = (size_t)(at - t->list) + 1;
}

static bool make_room(struct touched *t)
{
	size_t room = t->room ? 2 * t->room : LIST_MIN;
	struct mt_sg_access *list;
	uint64_t gap_b;

	if (t->count < t->room)
		return true;
	join(t, 0);
	for (gap_b = 64; t->room >= LIST_MAX && t->count > t->room / 2; gap_b *= 2)
		join(t, gap_b);
	if (t->room && t->count <= t->room / 2)
		return true;
	list = mt_realloc(t->list, room * sizeof(*list));
	if (!list)
		return t->count < t->room;
	t->list = list;
	t->room = room;
	return true;
}

static struct touched *slot_of(const struct sg_touches *touches, uint32_t node, bool write)
{
	size_t at = (node * 2u + write) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	struct touched *t;

	for (;; at++) {
		t = &touches->table[at & (touches->room - 1)];
		if (!t->used || (t->node == node && t->write == write))
			return t;
	}
}

static bool grow(struct sg_touches *touches)
{
	struct touched *old = touches->table;
	size_t room = touches->room, i;

	if (2 * touches->count < room)
		return true;
	touches->table = mt_calloc(room ? 2 * room : 64, sizeof(*old));
	if (!touches->table) {
		touches->table = old;
		return false;
	}
	touches->room = room ? 2 * room : 64;
	for (i = 0; i < room; i++)
		if (old[i].used)
			*slot_of(touches, old[i].node, old[i].write) = old[i];
	mt_free(old);
	return true;
}

/* Under the lock. Memory that cannot be had loses the run. */
static void keep(struct mt_sg_queue *queue, uint32_t node, const struct run *run)
{
	struct touched *t;

	if (!queue->touches)
		queue->touches = mt_calloc(1, sizeof(*queue->touches));
	if (!queue->touches || !grow(queue->touches))
		return;
	t = slot_of(queue->touches, node, run->write);
	if (!t->used) {
		t->used = true;
		t->node = node;
		t->write = run->write;
		queue->touches->count++;
	}
	if (make_room(t))
		t->list[t->count++] = (struct mt_sg_access){.va = run->va,
							    .bytes_b = run->end - run->va};
}

static void give_up(struct sg_worker *worker, struct run *run)
{
	struct mt_sg_queue *queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);

	if (!run->end)
		return;
	pthread_mutex_lock(&lock);
	keep(queue, atomic_load_explicit(&worker->node, memory_order_relaxed), run);
	pthread_mutex_unlock(&lock);
	run->end = 0;
}

void mt_sg_record_flush(struct sg_worker *worker)
{
	uint32_t i;

	for (i = 0; worker->runs && i < RUNS; i++)
		give_up(worker, &worker->runs->runs[i]);
}

static bool is_registered(struct sg_worker *worker, uint64_t va, uint64_t size_b)
{
	struct sg_range *mapped = &worker->runs->mapped;
	uint64_t generation = atomic_load(&worker->engine->map_generation);

	if (worker->runs->map_generation == generation && va >= mapped->va &&
	    va - mapped->va < mapped->size_b && size_b <= mapped->size_b - (va - mapped->va))
		return true;
	worker->runs->map_generation = generation;
	mapped->size_b = 0;
	return mt_sg_range_find(worker->engine, va, size_b, MT_SG_READ, mapped);
}

void mt_sg_record_access(struct mt_dev_block *block, const void *address, uint64_t size_b,
			 uint32_t is_write)
{
	struct sg_worker *worker = block->engine;
	uint64_t va = (uintptr_t)address;
	struct run *run;
	uint32_t i;

	if (!worker->exec_id || !size_b || va + size_b < va)
		return;
	if (!worker->runs)
		worker->runs = mt_calloc(1, sizeof(*worker->runs));
	if (!worker->runs || !is_registered(worker, va, size_b))
		return;
	for (i = 0; i < RUNS; i++) {
		run = &worker->runs->runs[i];
		if (!run->end || run->write != (bool)is_write || va > run->end ||
		    va + size_b < run->va)
			continue;
		if (va < run->va)
			run->va = va;
		if (va + size_b > run->end)
			run->end = va + size_b;
		return;
	}
	run = &worker->runs->runs[worker->runs->next++ % RUNS];
	give_up(worker, run);
	*run = (struct run){va, va + size_b, is_write};
}

static uint64_t digest_of(struct sg_touches *touches)
{
	uint64_t sum = 0, one;
	struct touched *t;
	size_t i, k;

	/* The order of the table must not matter. */
	for (i = 0; i < touches->room; i++) {
		t = &touches->table[i];
		one = (t->node * 2u + t->write + 1) * UINT64_C(0x9e3779b97f4a7c15);
		for (k = 0; t->used && k < t->count; k++) {
			one = (one ^ t->list[k].va) * UINT64_C(0xff51afd7ed558ccd);
			one = (one ^ t->list[k].bytes_b) * UINT64_C(0xc4ceb9fe1a85ec53);
			one ^= one >> 29;
		}
		if (t->used)
			sum += one;
	}
	return sum;
}

/* An empty list tells that a graph has run and touched nothing. */
static void tell(struct mt_sg_queue *queue)
{
	const struct mt_sg_config *config = &queue->engine->config;
	bool any = false;
	struct touched *t;
	size_t i, k;

	for (i = 0; i < queue->touches->room; i++) {
		t = &queue->touches->table[i];
		for (k = 0; k < t->count; k++) {
			t->list[k].node = t->node;
			t->list[k].write = t->write;
		}
		if (t->count)
			config->accesses(config->user, queue->exec_id, t->list, t->count);
		any |= t->count;
	}
	if (!any)
		config->accesses(config->user, queue->exec_id, NULL, 0);
}

/* Called by the holder of the role when all of a submission has completed: nothing adds to it. */
void mt_sg_record_end(struct mt_sg_queue *queue)
{
	struct sg_touches *touches = queue->touches;
	struct remembered *last;
	uint64_t digest;
	size_t i;

	if (!touches)
		touches = queue->touches = mt_calloc(1, sizeof(*touches));
	if (!touches)
		return;
	last = &touches->remembered[queue->exec_id * UINT64_C(0x9e3779b97f4a7c15) >> 32 &
				    (REMEMBERED - 1)];
	for (i = 0; i < touches->room; i++)
		join(&touches->table[i], 0);
	digest = digest_of(touches);
	if (last->exec != queue->exec_id || last->digest != digest)
		tell(queue);
	last->exec = queue->exec_id;
	last->digest = digest;
	for (i = 0; i < touches->room; i++)
		touches->table[i].count = 0;
}

void mt_sg_record_free(struct mt_sg_queue *queue)
{
	struct sg_touches *touches = queue->touches;
	size_t i;

	if (!touches)
		return;
	for (i = 0; i < touches->room; i++)
		mt_free(touches->table[i].list);
	mt_free(touches->table);
	mt_free(touches);
	queue->touches = NULL;
}
