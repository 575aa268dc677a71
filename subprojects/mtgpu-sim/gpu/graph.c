// SPDX-License-Identifier: MIT
/*
 * Graphs that kernels launch: the client describes them in its memory, the engine runs them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

_Static_assert(sizeof(struct mt_sg_graph_state) == 12 &&
		       offsetof(struct sim_graph, retired) - offsetof(struct sim_graph, uploaded) ==
			       offsetof(struct mt_sg_graph_state, retired) &&
		       offsetof(struct sim_graph, busy) - offsetof(struct sim_graph, uploaded) ==
			       offsetof(struct mt_sg_graph_state, busy),
	       "the words that are shared are the engine's state");

static struct gpu_graph **find(struct gpu *gpu, uint64_t va)
{
	struct gpu_graph **link = &gpu->graphs;

	while (*link && (*link)->va != va)
		link = &(*link)->next;
	return link;
}

struct mt_hw_graph *gpu_graph_find(struct gpu *gpu, uint64_t va)
{
	struct gpu_graph *graph = *find(gpu, va);

	return graph ? graph->graph : NULL;
}

static bool is_described(struct gpu *gpu, const struct sim_graph *shared)
{
	return shared->lane_count && shared->lane_count <= MT_HW_LANES_MAX &&
	       !(shared->flags & ~(uint32_t)MT_HW_SUBMIT_PRIORITIES) && !shared->uploaded &&
	       !shared->retired && !shared->busy && !shared->reserved0[0] && !shared->reserved0[1] &&
	       (shared->lane_count == 1 ||
		(!(shared->lanes_va & 7) &&
		 gpu_is_mapped(gpu, shared->lanes_va, 8u * (uint64_t)shared->lane_count)));
}

static int make(struct gpu *gpu, struct sim_graph *shared, struct gpu_graph *graph)
{
	struct mt_hw_submit chain = {
		.lane_va = graph->lane_va,
		.lane_table_va = shared->lane_count > 1 ? shared->lanes_va : 0,
		.lane_count = shared->lane_count,
		.flags = shared->flags,
		.prologue_va = shared->prologue_va,
		.exec_id = shared->exec_id,
	};

	if (shared->lane_count > 1)
		memcpy(graph->lane_va, (const void *)(uintptr_t)shared->lanes_va,
		       shared->lane_count * sizeof(graph->lane_va[0]));
	else
		graph->lane_va[0] = shared->lanes_va;
	return mt_sg_graph_create(gpu->engine, NULL, &chain,
				  (struct mt_sg_graph_state *)(void *)&shared->uploaded,
				  &graph->graph);
}

/* What it lacks room for is told to the client, which asked for it. */
static int create(struct gpu *gpu, uint64_t va, const char **why_out)
{
	struct sim_graph *shared = (void *)(uintptr_t)va;
	struct gpu_graph *graph;
	int ret;

	*why_out = "a graph is not what a graph can be";
	if (*find(gpu, va) || !is_described(gpu, shared))
		return -EINVAL;
	graph = calloc(1, sizeof(*graph));
	ret = graph ? make(gpu, shared, graph) : -ENOMEM;
	shared->error = (uint32_t)-ret;
	if (ret) {
		free(graph);
		return 0;
	}
	graph->va = va;
	graph->next = gpu->graphs;
	gpu->graphs = graph;
	return 0;
}

static int destroy(struct gpu *gpu, uint64_t va, const char **why_out)
{
	struct gpu_graph **link = find(gpu, va), *graph = *link;

	*why_out = "a graph is destroyed that is none, or that runs";
	if (!graph || mt_sg_graph_is_busy(graph->graph))
		return -EINVAL;
	*link = graph->next;
	mt_sg_graph_destroy(graph->graph);
	free(graph);
	return 0;
}

int gpu_graph_job(struct gpu *gpu, const struct sim_job *job, const char **why_out)
{
	*why_out = "a job's graph is not mapped";
	if (job->graph_va & 7 || !gpu_is_mapped(gpu, job->graph_va, sizeof(struct sim_graph)))
		return -EINVAL;
	switch (job->flags) {
	case SIM_JOB_GRAPH_CREATE:
		return create(gpu, job->graph_va, why_out);
	case SIM_JOB_GRAPH_DESTROY:
		return destroy(gpu, job->graph_va, why_out);
	default:
		*why_out = "a job's flags are out of range";
		return -EINVAL;
	}
}
