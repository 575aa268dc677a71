/* SPDX-License-Identifier: MIT */
/*
 * Life of an exec: made from a template, found by handle, destroyed at any time.
 */
#include "graph/exec.h"

#include <string.h>

#include "drv/capture.h"
#include "graph/exec_conditional.h"
#include "graph/exec_times.h"
#include "graph/graph_memory.h"
#include "graph/save.h"
#include "graph/trace.h"
#include "graph/update.h"
#include "graph/user_object.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"

#define FLAGS_ALL                                                                                  \
	(MT_EXEC_AUTO_FREE | MT_EXEC_UPLOAD | MT_EXEC_DEVICE_LAUNCH | MT_EXEC_NODE_PRIORITY)

MUresult mt_exec_get(MUgraphExec handle, struct mt_exec **exec_out)
{
	struct mt_exec *exec = mt_handle_get((uintptr_t)handle, MT_HANDLE_EXEC);

	if (!exec)
		return MUSA_ERROR_INVALID_VALUE;
	*exec_out = exec;
	return MUSA_SUCCESS;
}

/* The exec lives in its own arena, so that all of its memory can be told apart. */
static struct mt_exec *new_exec(void)
{
	struct mt_arena arena;
	struct mt_exec *exec;

	mt_arena_init(&arena);
	exec = mt_arena_alloc(&arena, sizeof(*exec), 64);
	if (!exec)
		return NULL;
	exec->arena = arena;
	pthread_mutex_init(&exec->lock, NULL);
	return exec;
}

void mt_exec_free(struct mt_exec *exec)
{
	struct mt_arena arena;
	uint32_t i;

	if (exec->device_graph)
		exec->device_graph->dev->ops->graph_destroy(exec->device_graph);
	if (exec->times)
		mt_exec_times_collect(exec, false);
	for (i = 0; i < exec->ref_count; i++)
		mt_op_finish(&exec->nodes[exec->ref_nodes[i]].op, true);
	mt_exec_conds_release(exec);
	mt_exec_memory_finish(exec);
	mt_patch_finish(exec);
	mt_chain_finish(&exec->chain);
	mt_user_refs_drop(exec->user_refs);
	mt_update_scratch_free(exec);
	pthread_mutex_destroy(&exec->lock);
	arena = exec->arena;
	mt_arena_finish(&arena);
}

static MUresult check_template(const struct mt_graph *graph, uint64_t flags)
{
	if ((flags & ~(uint64_t)FLAGS_ALL) ||
	    ((flags & MT_EXEC_AUTO_FREE) && (flags & MT_EXEC_DEVICE_LAUNCH)))
		return MUSA_ERROR_INVALID_VALUE;
	if (graph->role != MT_GRAPH_ROOT)
		return MUSA_ERROR_NOT_SUPPORTED;
	if (graph->single_exec)
		return MUSA_ERROR_NOT_SUPPORTED;
	return MUSA_SUCCESS;
}

/* Makes the chain known to the device; device code may launch it once it has been uploaded. */
static MUresult make_launchable(struct mt_exec *exec)
{
	struct mt_hw_device *hw = exec->ctx->hw;
	struct mt_hw_submit chain;

	if (!(hw->info.caps & MT_HW_CAP_DEVICE_LAUNCH)) {
		mt_log(MT_LOG_WARN, "instantiate: this device has no support for launches from "
				    "device code");
		return MUSA_ERROR_NOT_SUPPORTED;
	}
	mt_exec_describe(exec, &chain);
	return mt_result_from_errno(hw, hw->ops->graph_create(hw, &chain, &exec->device_graph));
}

static MUresult share_user_objects(struct mt_exec *exec, const struct mt_graph *graph)
{
	const struct mt_graph *at;
	MUresult ret = MUSA_SUCCESS;

	for (at = graph; at && !ret; at = mt_graph_walk(graph, at))
		if (at->user_refs)
			ret = mt_user_refs_share(&exec->user_refs, at,
						 mt_exec_find_graph(exec, at->uid));
	return ret;
}

static MUresult make_exec(struct mt_graph *graph, struct mt_ctx *ctx, uint64_t flags,
			  struct mt_exec_report *report, struct mt_exec **exec_out)
{
	struct mt_exec *exec = new_exec();
	MUresult ret;

	if (!exec)
		return MUSA_ERROR_OUT_OF_MEMORY;
	exec->ctx = ctx;
	exec->flags = flags;
	exec->source = graph->handle;
	exec->source_uid = graph->uid;
	exec->single = graph->mem_node_count || graph->cond_node_count;
	ret = mt_exec_compile(exec, graph, report);
	if (!ret)
		ret = share_user_objects(exec, graph);
	if (!ret) {
		exec->handle = mt_handle_create(MT_HANDLE_EXEC, exec);
		if (!exec->handle)
			ret = MUSA_ERROR_OUT_OF_MEMORY;
	}
	if (!ret && (flags & MT_EXEC_DEVICE_LAUNCH)) {
		ret = make_launchable(exec);
		if (ret)
			mt_handle_destroy(exec->handle);
	}
	if (ret) {
		mt_exec_free(exec);
		return ret;
	}
	*exec_out = exec;
	return MUSA_SUCCESS;
}

static MUresult instantiate(MUgraph handle, uint64_t flags, struct mt_exec_report *report,
			    MUgraphExec *exec_out)
{
	struct mt_graph *graph;
	struct mt_exec *exec;
	struct mt_ctx *ctx;
	MUresult ret = mt_graph_get(handle, &graph);

	report->result = MT_EXEC_ERROR;
	report->node = NULL;
	if (ret || !exec_out)
		return MUSA_ERROR_INVALID_VALUE;
	mt_exec_retire_poll();
	ret = check_template(graph, flags);
	if (!ret)
		ret = mt_ctx_primary(graph->device, &ctx);
	if (!ret)
		ret = mt_exec_list_admit();
	if (ret)
		return ret;
	ret = make_exec(graph, ctx, flags, report, &exec);
	if (ret) {
		mt_exec_list_leave();
		return ret;
	}
	if (exec->single)
		graph->single_exec = exec;
	mt_exec_list_add(exec);
	mt_exec_save_new(exec);
	report->result = MT_EXEC_SUCCESS;
	*exec_out = (MUgraphExec)(uintptr_t)exec->handle;
	return MUSA_SUCCESS;
}

MUresult mt_exec_instantiate(MUgraph graph, uint64_t flags, struct mt_exec_report *report,
			     MUgraphExec *exec_out)
{
	uint64_t start_ns;
	MUresult ret;

	if (!mt_tracing())
		return instantiate(graph, flags, report, exec_out);
	start_ns = mt_trace_now_ns();
	ret = instantiate(graph, flags, report, exec_out);
	mt_trace_instantiate(graph, flags, ret, report, ret ? NULL : *exec_out, start_ns);
	return ret;
}

void mt_exec_leave_template(struct mt_exec *exec)
{
	struct mt_graph *graph;

	mt_handle_destroy(exec->handle);
	if (exec->single && !mt_graph_get((MUgraph)(uintptr_t)exec->source, &graph) &&
	    graph->single_exec == exec)
		graph->single_exec = NULL;
}

MUresult mt_exec_destroy(MUgraphExec handle)
{
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(handle, &exec);

	if (ret)
		return ret;
	if (mt_tracing())
		mt_trace_exec_destroy(handle);
	mt_exec_leave_template(exec);
	mt_exec_list_remove(exec);
	if (exec->device_graph)
		exec->device_graph->dev->ops->graph_retire(exec->device_graph);
	/* Another thread's call that found the exec before may still hold the lock. */
	pthread_mutex_lock(&exec->lock);
	pthread_mutex_unlock(&exec->lock);
	mt_exec_retire(exec);
	return MUSA_SUCCESS;
}

MUresult mt_exec_get_flags(MUgraphExec handle, uint64_t *flags_out)
{
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(handle, &exec);

	if (ret || !flags_out)
		return MUSA_ERROR_INVALID_VALUE;
	*flags_out = exec->flags & ~(uint64_t)MT_EXEC_UPLOAD;
	return MUSA_SUCCESS;
}

MUresult mt_exec_find_node(struct mt_exec *exec, MUgraphNode handle, struct mt_exec_node **node_out)
{
	const struct mt_exec_graph *where;
	struct mt_graph *graph;
	struct mt_node *node;
	uint32_t index;

	if (mt_node_get(handle, &graph, &node))
		return MUSA_ERROR_INVALID_VALUE;
	index = mt_exec_find_graph(exec, graph->uid);
	if (index == MT_EXEC_NONE)
		return MUSA_ERROR_INVALID_VALUE;
	where = &exec->graphs[index];
	if (node->id >= where->id_count ||
	    (exec->nodes[where->base + node->id].state & MT_EXEC_NODE_ABSENT))
		return MUSA_ERROR_INVALID_VALUE;
	*node_out = &exec->nodes[where->base + node->id];
	return MUSA_SUCCESS;
}
