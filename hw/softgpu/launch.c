/* SPDX-License-Identifier: MIT */
/*
 * Graphs that device code launches. Compiled without sanitizers, because launches come from fibers'
 * stacks.
 *
 * DOC: Environments
 *
 * A graph that device code may launch has a queue of its own, in which launches of the device run
 * it. What must be waited for is a tree of environments:
 *
 *   submission of the host (run.host of the stream's queue)
 *     |-- graph A (run.graph), open until A's lanes and everything inside have ended
 *     |     `-- B, fired by A
 *     |           `-- D, fired by B
 *     `-- C, fired by A as its sibling
 *
 * When a graph's environment has ended, the first of its pending tail launches takes its place under
 * the parent. Tail launches of that one come before those that are left, which it inherits; so the
 * runs at one place follow each other, a *series*. When nothing is left at any place below the
 * submission, it completes.
 *
 * A graph is launched once at a time: its chain has words of its own. So it has at most one run, or
 * pending launches that belong to one series.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/softgpu/internal.h"

#define SUCCESS       0u
#define INVALID_VALUE 1u /* musaErrorInvalidValue */
#define NO_MEMORY     2u /* musaErrorMemoryAllocation */

#define SLAB_TAILS 255u

struct sg_tail_slab {
	struct sg_tail_slab *next;
	struct sg_tail tails[SLAB_TAILS];
};

struct mt_sg_graph {
	struct mt_hw_graph base; /* first: graphs are handed out as this */
	struct mt_sg_engine *engine;
	struct mt_sg_graph *next; /* in its bucket; guarded by launch_lock, as the rest */
	struct mt_hw_submit chain;
	uint64_t lane_va[MT_HW_LANES_MAX];
	struct mt_sg_queue *queue; /* owned */
	_Atomic uint64_t timeline; /* of the queue */
	struct mt_sg_graph_state *state; /* borrowed, or own_state; its words need no lock */
	struct mt_sg_graph_state own_state;
	uint32_t running; /* runs, those of the host included */
	uint32_t pending; /* tail launches that have not started */
	uint64_t series;  /* of the pending ones */
};

static struct mt_sg_graph *graph_of(struct mt_hw_graph *base)
{
	return (struct mt_sg_graph *)base;
}

static struct mt_sg_graph **bucket_of(struct mt_sg_engine *engine, uint64_t exec)
{
	return &engine->graphs[exec * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (SG_GRAPH_BUCKETS - 1)];
}

/* ---- pending tail launches, under launch_lock ---- */

static struct sg_tail *take_tail(struct mt_sg_engine *engine)
{
	struct sg_tail *tail = engine->tail_free;
	struct sg_tail_slab *slab;
	uint32_t i;

	if (!tail) {
		slab = mt_calloc(1, sizeof(*slab));
		if (!slab)
			return NULL;
		slab->next = engine->tail_slabs;
		engine->tail_slabs = slab;
		for (i = 0; i < SLAB_TAILS; i++) {
			slab->tails[i].next = engine->tail_free;
			engine->tail_free = &slab->tails[i];
		}
		tail = engine->tail_free;
	}
	engine->tail_free = tail->next;
	tail->next = NULL;
	return tail;
}

static struct mt_sg_graph *drop_first(struct mt_sg_engine *engine, struct sg_tails *tails)
{
	struct sg_tail *tail = tails->first;
	struct mt_sg_graph *graph = tail->graph;

	tails->first = tail->next;
	tail->next = engine->tail_free;
	engine->tail_free = tail;
	return graph;
}

static void append(struct sg_tails *tails, const struct sg_tails *more)
{
	if (!more->first)
		return;
	if (tails->first)
		tails->last->next = more->first;
	else
		tails->first = more->first;
	tails->last = more->last;
}

/* ---- runs, under launch_lock ---- */

/* The run of a submission of the host. */
static void open_host_run(struct mt_sg_queue *queue, struct mt_sg_graph *graph)
{
	struct sg_run *run = &queue->run;

	memset(run, 0, sizeof(*run));
	run->host.queue = queue;
	run->host.open = 1;
	run->graph.parent = &run->host;
	run->graph.queue = queue;
	run->graph.open = 1;
	run->running = graph;
	run->series = ++queue->engine->series;
	if (graph) {
		graph->running++;
		atomic_fetch_add(&graph->state->busy, 1);
	}
	atomic_store(&queue->tracked, 1);
}

/* A launch of the device. The parent counts it already, and so does the graph's state. */
static void start(struct mt_sg_graph *graph, struct sg_environment *parent,
		  const struct sg_tails *inherited, uint64_t series)
{
	struct mt_sg_queue *queue = graph->queue;
	struct sg_run *run = &queue->run;

	memset(run, 0, sizeof(*run));
	run->graph.parent = parent;
	run->graph.queue = queue;
	run->graph.open = 1;
	run->running = graph;
	run->inherited = *inherited;
	run->series = series;
	graph->running++;
	atomic_store(&queue->tracked, 1);
	/* Fails only once the device has stopped. */
	(void)mt_sg_queue_submit(queue, &graph->chain);
}

/* The queue's submission may complete. Its run may be used for the next one at once. */
static void finish(struct mt_sg_queue *queue)
{
	atomic_store(&queue->tracked, 0);
	atomic_store(&queue->settled, 1);
	mt_sg_queue_kick(queue);
}

static void end_run(struct mt_sg_graph *graph)
{
	graph->running--;
	atomic_fetch_sub(&graph->state->busy, 1);
}

/* Nothing is open any more in the environment. */
static void settle(struct mt_sg_engine *engine, struct sg_environment *env)
{
	struct sg_environment *parent;
	struct mt_sg_graph *next;
	struct sg_tails tails;
	struct sg_run *run;
	uint64_t series;

	for (; env->parent; env = parent) {
		run = &env->queue->run;
		parent = env->parent;
		tails = run->tails;
		append(&tails, &run->inherited);
		series = run->series;
		if (run->running)
			end_run(run->running);
		run->running = NULL;
		if (parent != &run->host)
			finish(env->queue);
		if (tails.first) {
			next = drop_first(engine, &tails);
			next->pending--;
			start(next, parent, &tails, series);
			return;
		}
		if (--parent->open)
			return;
	}
	finish(env->queue);
}

void mt_sg_run_begin(struct mt_sg_queue *queue, struct mt_sg_graph *graph)
{
	struct mt_sg_engine *engine = queue->engine;

	pthread_mutex_lock(&engine->launch_lock);
	open_host_run(queue, graph);
	pthread_mutex_unlock(&engine->launch_lock);
}

bool mt_sg_run_end(struct mt_sg_queue *queue)
{
	struct mt_sg_engine *engine = queue->engine;

	pthread_mutex_lock(&engine->launch_lock);
	if (!--queue->run.graph.open)
		settle(engine, &queue->run.graph);
	pthread_mutex_unlock(&engine->launch_lock);
	return mt_sg_run_settled(queue);
}

bool mt_sg_run_settled(struct mt_sg_queue *queue)
{
	return atomic_exchange(&queue->settled, 0);
}

/* ---- launches ---- */

static struct mt_sg_graph *find(struct mt_sg_engine *engine, uint64_t exec)
{
	struct mt_sg_graph *graph = *bucket_of(engine, exec);

	while (graph && graph->chain.exec_id != exec)
		graph = graph->next;
	return graph;
}

static uint32_t fire(struct sg_run *run, struct mt_sg_graph *graph, struct sg_environment *parent)
{
	static const struct sg_tails none;

	if (graph->running || graph->pending || run->fired == MT_SG_FIRED_MAX)
		return INVALID_VALUE;
	run->fired++;
	parent->open++;
	start(graph, parent, &none, ++graph->engine->series);
	/* This worker has something else to do. */
	if (!atomic_load(&graph->engine->spinning))
		mt_sg_worker_wake(graph->engine, 1);
	return SUCCESS;
}

static uint32_t launch_tail(struct sg_run *run, struct mt_sg_graph *graph)
{
	struct sg_tails more;

	if (run->tail_count == MT_SG_TAILS_MAX ||
	    (graph->pending && graph->series != run->series))
		return INVALID_VALUE;
	if (graph == run->running ? run->self_queued : graph->running != 0)
		return INVALID_VALUE;
	more.first = more.last = take_tail(graph->engine);
	if (!more.first)
		return NO_MEMORY;
	more.first->graph = graph;
	append(&run->tails, &more);
	run->tail_count++;
	run->self_queued |= graph == run->running;
	graph->pending++;
	graph->series = run->series;
	return SUCCESS;
}

/* The graph counts as busy already: its owner, who retires it and then looks, must see that. */
static uint32_t launch_into(struct sg_run *run, struct mt_sg_graph *graph, uint32_t stream)
{
	if (!atomic_load(&graph->state->uploaded) ||
	    (atomic_load(&graph->state->retired) && graph != run->running))
		return INVALID_VALUE;
	switch (stream) {
	case MT_DEV_GRAPH_FIRE_AND_FORGET:
		return fire(run, graph, &run->graph);
	case MT_DEV_GRAPH_SIBLING:
		return fire(run, graph, run->graph.parent);
	case MT_DEV_GRAPH_TAIL:
		return launch_tail(run, graph);
	default:
		return INVALID_VALUE;
	}
}

static uint32_t launch(struct mt_sg_queue *queue, struct mt_sg_graph *graph, uint32_t stream)
{
	uint32_t ret;

	if (!graph)
		return INVALID_VALUE;
	if (!atomic_load(&queue->tracked))
		open_host_run(queue, NULL);
	atomic_fetch_add(&graph->state->busy, 1);
	ret = launch_into(&queue->run, graph, stream);
	if (ret)
		atomic_fetch_sub(&graph->state->busy, 1);
	return ret;
}

uint32_t mt_sg_launch(struct sg_worker *worker, uint64_t exec, uint32_t stream)
{
	struct mt_sg_queue *queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);
	struct mt_sg_engine *engine = worker->engine;
	uint32_t ret;

	if (!worker->exec_id) /* only kernels of graphs launch graphs */
		return INVALID_VALUE;
	pthread_mutex_lock(&engine->launch_lock);
	ret = launch(queue, find(engine, exec), stream);
	pthread_mutex_unlock(&engine->launch_lock);
	return ret;
}

uint64_t mt_sg_launch_current(struct sg_worker *worker)
{
	struct mt_sg_queue *queue = atomic_load_explicit(&worker->queue, memory_order_relaxed);

	/* The run of a running kernel keeps its graph. */
	return worker->exec_id && atomic_load(&queue->tracked) && queue->run.running
		       ? worker->exec_id
		       : 0;
}

/* ---- graphs ---- */

int mt_sg_graph_create(struct mt_sg_engine *engine, struct mt_hw_device *dev,
		       const struct mt_hw_submit *chain, struct mt_sg_graph_state *state,
		       struct mt_hw_graph **graph_out)
{
	struct mt_sg_graph *graph, **bucket = bucket_of(engine, chain->exec_id);
	int ret;

	if (!chain->lane_count || chain->lane_count > MT_HW_LANES_MAX)
		return -EINVAL;
	graph = mt_calloc(1, sizeof(*graph));
	if (!graph)
		return -ENOMEM;
	graph->base.dev = dev;
	graph->engine = engine;
	graph->state = state ? state : &graph->own_state;
	graph->chain = *chain;
	memcpy(graph->lane_va, chain->lane_va, chain->lane_count * sizeof(*graph->lane_va));
	graph->chain.lane_va = graph->lane_va;
	ret = mt_sg_queue_create(engine, 0, 0, (uintptr_t)&graph->timeline, &graph->queue);
	if (ret) {
		mt_free(graph);
		return ret;
	}
	pthread_mutex_lock(&engine->launch_lock);
	graph->next = *bucket;
	*bucket = graph;
	pthread_mutex_unlock(&engine->launch_lock);
	*graph_out = &graph->base;
	return 0;
}

void mt_sg_graph_upload(struct mt_hw_graph *base)
{
	atomic_store(&graph_of(base)->state->uploaded, 1);
}

void mt_sg_graph_retire(struct mt_hw_graph *base)
{
	atomic_store(&graph_of(base)->state->retired, 1);
}

bool mt_sg_graph_is_busy(struct mt_hw_graph *base)
{
	return atomic_load(&graph_of(base)->state->busy) != 0;
}

void mt_sg_graph_destroy(struct mt_hw_graph *base)
{
	struct mt_sg_graph *graph = graph_of(base), **link;
	struct mt_sg_engine *engine = graph->engine;

	if (engine->forked)
		return;
	mt_sg_graph_retire(base);
	mt_sg_queue_destroy(graph->queue);
	/* On a device that has stopped a worker may be inside: the engine's end frees it. */
	if (atomic_load(&engine->stopped))
		return;
	pthread_mutex_lock(&engine->launch_lock);
	for (link = bucket_of(engine, graph->chain.exec_id); *link != graph;)
		link = &(*link)->next;
	*link = graph->next;
	pthread_mutex_unlock(&engine->launch_lock);
	mt_free(graph);
}

void mt_sg_graphs_free(struct mt_sg_engine *engine)
{
	struct sg_tail_slab *slab;
	struct mt_sg_graph *graph;
	uint32_t i;

	for (i = 0; i < SG_GRAPH_BUCKETS; i++) {
		while ((graph = engine->graphs[i])) {
			engine->graphs[i] = graph->next;
			mt_free(graph);
		}
	}
	while ((slab = engine->tail_slabs)) {
		engine->tail_slabs = slab->next;
		mt_free(slab);
	}
}
