/* SPDX-License-Identifier: MIT */
/*
 * Launch and upload: one submission of the chain, with what updates left pending as its prologue.
 *
 * Event nodes are the only ones whose values differ from launch to launch: the prologue writes them.
 */
#include "drv/capture.h"
#include "drv/event.h"
#include "graph/exec.h"
#include "graph/exec_times.h"
#include "graph/graph_memory.h"
#include "graph/trace.h"

/* --- event nodes -------------------------------------------------------------------------------- */

/* The pair that the node's packet reads. A record takes its number here. */
static void event_pair(struct mt_exec_node *node, uint64_t pair[2])
{
	struct mt_event *event = node->op.event.event;

	pair[0] = event->semaphore.va;
	if (node->op.type == MT_OP_EVENT_RECORD) {
		pair[1] = mt_event_next_record(event);
		return;
	}
	pair[1] = atomic_load_explicit(&event->recorded, memory_order_acquire);
	if (!pair[1])
		pair[0] = 0; /* never recorded: nothing to wait for */
}

static void cancel_records(struct mt_exec *exec, uint32_t count)
{
	struct mt_exec_node *node;

	while (count--) {
		node = &exec->nodes[exec->ref_nodes[count]];
		if (node->op.type == MT_OP_EVENT_RECORD)
			mt_event_cancel_record(node->op.event.event, exec->event_numbers[count]);
	}
}

/* Waits stand before records in the list, because they are for records submitted before. */
static MUresult write_events(struct mt_exec *exec)
{
	struct mt_exec_node *node;
	uint64_t pair[2];
	uint32_t i;
	MUresult ret;

	for (i = 0; i < exec->event_count; i++) {
		node = &exec->nodes[exec->ref_nodes[i]];
		ret = mt_event_reach(node->op.event.event, exec->ctx);
		if (ret) {
			cancel_records(exec, i);
			return ret;
		}
		event_pair(node, pair);
		if (mt_tracing() && !pair[0])
			mt_trace_wait_unrecorded(exec, exec->ref_nodes[i]);
		exec->event_numbers[i] = pair[1];
		/* Staged entries write the same words: the first of these waits for all of them. */
		ret = mt_patch_write(exec, mt_chain_va(&exec->chain, node->data), pair, 2,
				     i ? 0 : MT_PKT_BARRIER);
		if (ret) {
			cancel_records(exec, i + 1);
			return ret;
		}
	}
	return MUSA_SUCCESS;
}

/* --- submission --------------------------------------------------------------------------------- */

void mt_exec_describe(const struct mt_exec *exec, struct mt_hw_submit *submit_out)
{
	*submit_out = (struct mt_hw_submit){
		.lane_va = exec->lane_va,
		.lane_table_va = exec->lane_table_va,
		.lane_count = exec->lane_count,
		.flags = exec->flags & MT_EXEC_NODE_PRIORITY ? MT_HW_SUBMIT_PRIORITIES : 0,
		.prologue_va = exec->reset_va,
		.exec_id = exec->handle,
	};
}

static bool has_staged(const struct mt_exec *exec)
{
	return exec->patch.open && exec->patch.open->first;
}

static void upload_to_device(struct mt_exec *exec)
{
	if (!exec->device_graph || exec->uploaded)
		return;
	exec->device_graph->dev->ops->graph_upload(exec->device_graph);
	exec->uploaded = true;
}

/* Behind the exec's last launch, and takes the ticket for what comes next. */
static MUresult submit_behind(struct mt_exec *exec, struct mt_stream *stream,
			      struct mt_hw_submit *submit)
{
	struct mt_stream_ticket ticket;
	MUresult ret;

	if (!submit->wait_va && exec->last_stream != stream->id && !mt_exec_is_idle(exec)) {
		submit->wait_va = exec->last.queue->timeline.va;
		submit->wait_value = exec->last.seq;
	}
	ret = mt_stream_submit(stream, submit, &ticket);
	if (ret)
		return ret;
	if (has_staged(exec))
		mt_patch_submitted(&exec->patch, &ticket);
	exec->last = ticket;
	exec->last_stream = stream->id;
	return MUSA_SUCCESS;
}

/* `after`: what else the launch waits for, queue NULL for nothing. */
static MUresult submit(struct mt_exec *exec, struct mt_stream *stream,
		       const struct mt_stream_ticket *after)
{
	struct mt_hw_submit submit;

	mt_exec_describe(exec, &submit);
	submit.graph = exec->device_graph;
	if (has_staged(exec))
		submit.prologue_va = exec->patch.open->first->block.va;
	if (after->queue) { /* not before the exec's last launch */
		submit.wait_va = after->queue->timeline.va;
		submit.wait_value = after->seq;
	}
	upload_to_device(exec);
	return submit_behind(exec, stream, &submit);
}

static MUresult submit_with_events(struct mt_exec *exec, struct mt_stream *stream,
				   const struct mt_stream_ticket *after)
{
	struct mt_patch_mark mark;
	MUresult ret;

	mt_patch_reap(exec); /* each launch has a list */
	mark = mt_patch_mark(exec);
	ret = write_events(exec);

	if (!ret) {
		ret = submit(exec, stream, after);
		if (ret)
			cancel_records(exec, exec->event_count);
	}
	if (ret)
		mt_patch_rewind(exec, &mark);
	return ret;
}

static MUresult launch_here(struct mt_exec *exec, struct mt_stream *stream)
{
	struct mt_stream_ticket after = { 0 };
	MUresult ret;

	if (exec->memory) {
		ret = mt_exec_memory_begin(exec, stream, true, &after);
		if (ret)
			return ret;
	}
	ret = exec->event_count ? submit_with_events(exec, stream, &after)
				: submit(exec, stream, &after);
	if (exec->memory)
		mt_exec_memory_end(exec, stream, ret ? NULL : &exec->last);
	return ret;
}

/* Backs graph memory. A launch of the host applies what updates have staged; for launches of device
 * code the upload does. */
static MUresult upload_here(struct mt_exec *exec, struct mt_stream *stream)
{
	struct mt_hw_submit submit = { .lane_count = 1 };
	struct mt_stream_ticket after;
	MUresult ret = MUSA_SUCCESS;

	if (exec->memory) {
		ret = mt_exec_memory_begin(exec, stream, false, &after);
		if (!ret)
			mt_exec_memory_end(exec, stream, NULL);
	}
	if (ret || !exec->device_graph)
		return ret;
	if (has_staged(exec)) {
		submit.lane_va = &exec->patch.open->first->block.va;
		ret = submit_behind(exec, stream, &submit);
	}
	if (!ret)
		upload_to_device(exec);
	return ret;
}

/*
 * The stream belongs to another device than the nodes: `what` happens on a stream of the exec's own,
 * behind the caller's stream, which then waits for it.
 */
static MUresult elsewhere(struct mt_exec *exec, struct mt_stream *stream,
			  MUresult (*what)(struct mt_exec *exec, struct mt_stream *stream))
{
	struct mt_stream *own;
	MUstream handle;
	MUevent before = NULL, behind = NULL;
	struct mt_event *b, *a;
	MUresult ret = mt_stream_create(exec->ctx, MU_STREAM_NON_BLOCKING, 0, &handle);

	if (ret)
		return ret;
	ret = mt_stream_get(exec->ctx, handle, false, &own);
	if (!ret)
		ret = mt_event_create(stream->ctx, MU_EVENT_DISABLE_TIMING, &before);
	if (!ret)
		ret = mt_event_create(exec->ctx, MU_EVENT_DISABLE_TIMING, &behind);
	if (!ret)
		ret = mt_event_get(before, &b);
	if (!ret)
		ret = mt_event_get(behind, &a);
	if (!ret)
		ret = mt_event_record(b, stream, 0, "musaGraphLaunch");
	if (!ret)
		ret = mt_stream_wait_event(own, b, 0, "musaGraphLaunch");
	if (!ret)
		ret = what(exec, own);
	if (!ret)
		ret = mt_event_record(a, own, 0, "musaGraphLaunch");
	if (!ret)
		ret = mt_stream_wait_event(stream, a, 0, "musaGraphLaunch");
	if (before && !mt_event_get(before, &b))
		mt_event_destroy(b);
	if (behind && !mt_event_get(behind, &a))
		mt_event_destroy(a);
	mt_stream_destroy(own);
	return ret;
}

static MUresult begin(MUgraphExec handle, struct mt_stream *stream, const char *api,
		      struct mt_exec **exec_out)
{
	if (__builtin_expect(
		    atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL, 0))
		return mt_capture_ops->refuse(stream, api);
	return mt_exec_get(handle, exec_out);
}

static MUresult launch(MUgraphExec handle, struct mt_stream *stream)
{
	struct mt_exec *exec;
	MUresult ret = begin(handle, stream, "musaGraphLaunch", &exec);

	if (ret)
		return ret;
	pthread_mutex_lock(&exec->lock);
	if (__builtin_expect(exec->times != NULL, 0))
		mt_exec_times_collect(exec, true);
	ret = __builtin_expect(stream->ctx == exec->ctx, 1) ? launch_here(exec, stream)
							     : elsewhere(exec, stream, launch_here);
	if (__builtin_expect(exec->times != NULL, 0) && !ret)
		mt_exec_times_launched(exec->times);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

MUresult mt_exec_launch(MUgraphExec exec, struct mt_stream *stream)
{
	uint64_t start_ns;
	MUresult ret;

	if (!mt_tracing())
		return launch(exec, stream);
	start_ns = mt_trace_now_ns();
	ret = launch(exec, stream);
	mt_trace_launch(exec, stream, ret, start_ns);
	return ret;
}

/* The chain is in device-visible memory since instantiation. */
static MUresult upload(MUgraphExec handle, struct mt_stream *stream)
{
	struct mt_exec *exec;
	MUresult ret = begin(handle, stream, "musaGraphUpload", &exec);

	if (ret || (!exec->memory && !exec->device_graph))
		return ret;
	pthread_mutex_lock(&exec->lock);
	ret = stream->ctx == exec->ctx || !exec->device_graph
		      ? upload_here(exec, stream)
		      : elsewhere(exec, stream, upload_here);
	pthread_mutex_unlock(&exec->lock);
	return ret;
}

MUresult mt_exec_upload(MUgraphExec exec, struct mt_stream *stream)
{
	uint64_t start_ns;
	MUresult ret;

	if (!mt_tracing())
		return upload(exec, stream);
	start_ns = mt_trace_now_ns();
	ret = upload(exec, stream);
	mt_trace_upload(exec, stream, ret, start_ns);
	return ret;
}
