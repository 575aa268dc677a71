/* SPDX-License-Identifier: MIT */
/*
 * Graphs that device code launches, on the simulated device: descriptions in slots of pinned memory,
 * and a queue of their own for the jobs that make them known. All of that is there while there are
 * such graphs.
 */
#include <errno.h>
#include <string.h>

#include "hw/base/alloc.h"
#include "hw/drm/queue.h"
#include "hw/drm/sim_protocol.h"

#define SLAB_B     MT_DRM_BO_B
#define SLAB_SLOTS ((uint32_t)(SLAB_B / sizeof(struct sim_graph)))

struct mt_drm_graph {
	struct mt_hw_graph base; /* first: graphs are handed out as this */
	struct sim_graph *shared;
	uint64_t va; /* of shared */
	uint32_t slot;
	struct slab *slab;
};

/* A free slot names the next one. */
struct slab {
	struct slab *next;
	struct mt_hw_bo *bo; /* owned */
	uint32_t first_free, next_free[SLAB_SLOTS];
};

struct mt_drm_graphs {
	struct mt_hw_queue *queue; /* owned: for the jobs that concern graphs */
	struct slab *slabs;        /* owned */
	uint32_t taken;            /* slots */
};

static struct mt_drm_graph *graph_of(struct mt_hw_graph *base)
{
	return (struct mt_drm_graph *)base;
}

uint64_t mt_drm_graph_va(const struct mt_hw_graph *base)
{
	return ((const struct mt_drm_graph *)base)->va;
}

/* ---- under graph_lock ---- */

static int get_graphs(struct mt_drm_device *device)
{
	struct mt_drm_graphs *graphs;
	int ret;

	if (device->graphs)
		return 0;
	graphs = mt_calloc(1, sizeof(*graphs));
	if (!graphs)
		return -ENOMEM;
	ret = mt_drm_queue_create(&device->base, 0, &graphs->queue);
	if (ret) {
		mt_free(graphs);
		return ret;
	}
	device->graphs = graphs;
	return 0;
}

static int add_slab(struct mt_drm_device *device)
{
	struct slab *slab = mt_calloc(1, sizeof(*slab));
	int ret;

	if (!slab)
		return -ENOMEM;
	ret = mt_drm_bo_create(&device->base, SLAB_B, MT_HW_HOST, 0, &slab->bo);
	if (ret) {
		mt_free(slab);
		return ret;
	}
	for (uint32_t i = 0; i < SLAB_SLOTS; i++)
		slab->next_free[i] = i + 1;
	slab->next = device->graphs->slabs;
	device->graphs->slabs = slab;
	return 0;
}

static int take_slot(struct mt_drm_device *device, struct mt_drm_graph *graph)
{
	struct slab *slab = device->graphs->slabs;
	int ret;

	while (slab && slab->first_free == SLAB_SLOTS)
		slab = slab->next;
	if (!slab) {
		ret = add_slab(device);
		if (ret)
			return ret;
		slab = device->graphs->slabs;
	}
	graph->slab = slab;
	graph->slot = slab->first_free;
	slab->first_free = slab->next_free[graph->slot];
	graph->shared = (struct sim_graph *)slab->bo->cpu + graph->slot;
	graph->va = slab->bo->va + graph->slot * sizeof(struct sim_graph);
	device->graphs->taken++;
	return 0;
}

static void give_slot(struct mt_drm_device *device, struct mt_drm_graph *graph)
{
	device->graphs->taken--;
	graph->slab->next_free[graph->slot] = graph->slab->first_free;
	graph->slab->first_free = graph->slot;
}

/* Submits a job that concerns the graph, and waits until the device has done it. */
static int tell(struct mt_drm_device *device, struct mt_drm_graph *graph, uint32_t flag)
{
	struct mt_hw_queue *queue = device->graphs->queue;
	const struct sim_job job = {.flags = flag, .graph_va = graph->va};
	uint32_t tries = 0;
	int ret;

	do {
		ret = mt_drm_stopped(device)
			      ? -EIO
			      : mt_drm_sim_queue_job((struct mt_drm_queue *)queue, &job);
		/* What cannot be made is the caller's trouble; what is there has to go. */
	} while (flag == SIM_JOB_GRAPH_DESTROY && mt_drm_try_again(ret, &tries));
	if (ret)
		return ret;
	queue->submitted++;
	return mt_drm_semaphore_wait_surely(&queue->timeline, queue->submitted);
}

static int create(struct mt_drm_device *device, const struct mt_hw_submit *chain,
		  struct mt_drm_graph *graph)
{
	int ret = get_graphs(device);
	uint64_t before;

	if (!ret)
		ret = take_slot(device, graph);
	if (ret)
		return ret;
	*graph->shared = (struct sim_graph){
		.exec_id = chain->exec_id,
		.lanes_va = chain->lane_count > 1 ? chain->lane_table_va : chain->lane_va[0],
		.prologue_va = chain->prologue_va,
		.lane_count = chain->lane_count,
		.flags = chain->flags,
	};
	before = device->graphs->queue->submitted;
	ret = tell(device, graph, SIM_JOB_GRAPH_CREATE);
	if (!ret)
		ret = -(int)graph->shared->error;
	else if (device->graphs->queue->submitted != before)
		return ret; /* the device may have it: the slot stays taken */
	if (ret)
		give_slot(device, graph);
	return ret;
}

static void free_unused(struct mt_drm_device *device)
{
	if (device->graphs && !device->graphs->taken)
		mt_drm_graphs_free(device);
}

/* ---- the operations ---- */

int mt_drm_graph_create(struct mt_hw_device *dev, const struct mt_hw_submit *chain,
			struct mt_hw_graph **graph_out)
{
	struct mt_drm_device *device = mt_drm_device(dev);
	struct mt_drm_graph *graph;
	int ret;

	if (device->forked)
		return -EIO;
	if (!chain->lane_count || chain->lane_count > MT_HW_LANES_MAX)
		return -EINVAL;
	graph = mt_calloc(1, sizeof(*graph));
	if (!graph)
		return -ENOMEM;
	graph->base.dev = dev;
	pthread_mutex_lock(&device->graph_lock);
	ret = create(device, chain, graph);
	free_unused(device);
	pthread_mutex_unlock(&device->graph_lock);
	if (ret) {
		mt_free(graph);
		return ret == -ENOSPC ? -ENOMEM : ret;
	}
	*graph_out = &graph->base;
	return 0;
}

void mt_drm_graph_upload(struct mt_hw_graph *base)
{
	__atomic_store_n(&graph_of(base)->shared->uploaded, 1, __ATOMIC_SEQ_CST);
}

void mt_drm_graph_retire(struct mt_hw_graph *base)
{
	__atomic_store_n(&graph_of(base)->shared->retired, 1, __ATOMIC_SEQ_CST);
}

bool mt_drm_graph_is_busy(struct mt_hw_graph *base)
{
	return __atomic_load_n(&graph_of(base)->shared->busy, __ATOMIC_SEQ_CST) != 0;
}

void mt_drm_graph_destroy(struct mt_hw_graph *base)
{
	struct mt_drm_device *device = mt_drm_device(base->dev);
	struct mt_drm_graph *graph = graph_of(base);

	if (device->forked)
		return;
	mt_drm_graph_retire(base);
	pthread_mutex_lock(&device->graph_lock);
	/* A device that has stopped keeps the slot. */
	if (!tell(device, graph, SIM_JOB_GRAPH_DESTROY))
		give_slot(device, graph);
	free_unused(device);
	pthread_mutex_unlock(&device->graph_lock);
	mt_free(graph);
}

void mt_drm_graphs_free(struct mt_drm_device *device)
{
	struct mt_drm_graphs *graphs = device->graphs;
	struct slab *slab;

	if (!graphs)
		return;
	mt_drm_queue_destroy(graphs->queue);
	while ((slab = graphs->slabs)) {
		graphs->slabs = slab->next;
		mt_drm_bo_destroy(slab->bo);
		mt_free(slab);
	}
	mt_free(graphs);
	device->graphs = NULL;
}
