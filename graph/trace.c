/* SPDX-License-Identifier: MIT */
/* The graph layer's lines of the trace. */
#include "graph/trace.h"

#include <stdio.h>

static void open_timed(struct mt_trace_line *line, const char *event, MUresult result,
		       uint64_t start_ns)
{
	uint64_t now_ns = mt_trace_now_ns();

	mt_trace_open(line, event);
	mt_trace_number(line, "ns", now_ns - start_ns);
	mt_trace_number(line, "result", (uint64_t)result);
}

static void put_stream(struct mt_trace_line *line, const struct mt_stream *stream)
{
	if (!stream)
		return;
	mt_trace_number(line, "stream", stream->id);
	mt_trace_number(line, "device", stream->ctx->device);
}

/* A problem is worth the whole way into the library, a success the call alone. */
static void put_places(struct mt_trace_line *line, MUresult result)
{
	mt_trace_places(line, result ? MT_TRACE_FRAMES : 2);
}

/* --- captures ----------------------------------------------------------------------------------- */

void mt_trace_capture_begin(const struct mt_stream *stream, int mode, bool into, MUresult result,
			    uint64_t capture)
{
	static const char *const modes[] = { "global", "thread local", "relaxed" };
	struct mt_trace_line line;

	mt_trace_open(&line, "capture_begin");
	mt_trace_number(&line, "result", (uint64_t)result);
	if (!result)
		mt_trace_number(&line, "capture", capture);
	put_stream(&line, stream);
	mt_trace_text(&line, "mode", mode >= 0 && mode < 3 ? modes[mode] : "unknown");
	mt_trace_bool(&line, "into", into);
	put_places(&line, result);
	mt_trace_close(&line);
}

void mt_trace_capture_spoiled(uint64_t capture, const struct mt_stream *stream, const char *api,
			      const char *why)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "capture_spoiled");
	mt_trace_number(&line, "capture", capture);
	put_stream(&line, stream);
	mt_trace_text(&line, "call", api);
	mt_trace_text(&line, "why", why);
	mt_trace_places(&line, MT_TRACE_FRAMES);
	mt_trace_close(&line);
}

static const char *kernel_name(const struct mt_op *op)
{
	return op->type == MT_OP_KERNEL ? op->kernel.fn->name : "";
}

void mt_trace_capture_unjoined(const struct mt_capture *capture, const struct mt_stream *stream,
			       uint32_t node)
{
	const struct mt_op *op = &mt_graph_node(capture->graph, node)->op;
	struct mt_trace_line line;

	mt_trace_open(&line, "capture_unjoined");
	mt_trace_number(&line, "capture", capture->id);
	put_stream(&line, stream);
	mt_trace_number(&line, "node", node);
	mt_trace_number(&line, "type", op->type);
	mt_trace_text(&line, "name", kernel_name(op));
	mt_trace_close(&line);
}

void mt_trace_capture_end(const struct mt_stream *stream, MUresult result,
			  const struct mt_trace_capture *capture)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "capture_end");
	mt_trace_number(&line, "result", (uint64_t)result);
	if (capture->id) {
		mt_trace_number(&line, "capture", capture->id);
		mt_trace_number(&line, "capture_ns", mt_trace_now_ns() - capture->began_ns);
		mt_trace_number(&line, "nodes", capture->nodes);
		mt_trace_number(&line, "edges", capture->edges);
	}
	put_stream(&line, stream);
	if (capture->graph)
		mt_trace_handle(&line, "graph", capture->graph);
	if (capture->why)
		mt_trace_text(&line, "why", capture->why);
	put_places(&line, result);
	mt_trace_close(&line);
}

/* --- execs -------------------------------------------------------------------------------------- */

static void put_exec(struct mt_trace_line *line, const struct mt_exec *exec)
{
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < exec->chain.block_count; i++)
		bytes += exec->chain.blocks[i].size_b;
	mt_trace_number(line, "nodes", exec->node_count);
	mt_trace_number(line, "edges", exec->dep_start[exec->node_count]);
	mt_trace_number(line, "queues", exec->lane_count);
	mt_trace_number(line, "packets", mt_chain_count_packets(exec));
	mt_trace_number(line, "bytes", bytes);
}

static const char *instantiate_reason(uint32_t result)
{
	switch ((enum mt_exec_result)result) {
	case MT_EXEC_INVALID_STRUCTURE:
		return "the graph has a cycle";
	case MT_EXEC_NODE_NOT_SUPPORTED:
		return "a node is not allowed where it stands, or the device lacks what it needs";
	case MT_EXEC_MULTIPLE_DEVICES:
		return "nodes belong to several devices, or their memory cannot be reached";
	case MT_EXEC_HANDLE_UNUSED:
		return "a conditional handle has no node";
	default:
		return "the graph cannot be instantiated";
	}
}

void mt_trace_instantiate(MUgraph graph, uint64_t flags, MUresult result,
			  const struct mt_exec_report *report, MUgraphExec handle,
			  uint64_t start_ns)
{
	struct mt_trace_line line;
	struct mt_exec *exec = NULL;

	open_timed(&line, "instantiate", result, start_ns);
	mt_trace_handle(&line, "graph", (uintptr_t)graph);
	mt_trace_number(&line, "flags", flags);
	if (!result && !mt_exec_get(handle, &exec)) {
		mt_trace_handle(&line, "exec", (uintptr_t)handle);
		put_exec(&line, exec);
	} else {
		mt_trace_text(&line, "why", instantiate_reason(report->result));
		if (report->node)
			mt_trace_number(&line, "node",
					mt_handle_sub_index((uintptr_t)report->node));
	}
	put_places(&line, result);
	mt_trace_close(&line);
	if (exec && exec->times)
		mt_trace_exec_nodes(exec);
}

static void put_reason(struct mt_trace_line *line, const struct mt_update_reason *reason)
{
	mt_trace_text(line, "param", reason->name);
	mt_trace_text(line, "now", reason->now);
	mt_trace_text(line, "next", reason->next);
}

void mt_trace_update(MUgraphExec exec, MUgraph graph, MUresult result,
		     const struct mt_update_report *report, const struct mt_update_reason *reason,
		     uint64_t start_ns)
{
	struct mt_trace_line line;

	open_timed(&line, "update", result, start_ns);
	mt_trace_handle(&line, "exec", (uintptr_t)exec);
	mt_trace_handle(&line, "graph", (uintptr_t)graph);
	if (!result)
		mt_trace_number(&line, "changed", reason->changed);
	if (result && report->node)
		mt_trace_number(&line, "node", mt_handle_sub_index((uintptr_t)report->node));
	if (result && reason->name)
		put_reason(&line, reason);
	put_places(&line, result);
	mt_trace_close(&line);
}

void mt_trace_node_update(MUgraphExec exec, MUgraphNode node, const char *what, MUresult result,
			  const struct mt_update_reason *reason, uint64_t start_ns)
{
	struct mt_trace_line line;

	open_timed(&line, "node_update", result, start_ns);
	mt_trace_handle(&line, "exec", (uintptr_t)exec);
	mt_trace_number(&line, "node", mt_handle_sub_index((uintptr_t)node));
	mt_trace_text(&line, "what", what);
	if (result && reason && reason->name)
		put_reason(&line, reason);
	put_places(&line, result);
	mt_trace_close(&line);
}

void mt_trace_launch(MUgraphExec handle, const struct mt_stream *stream, MUresult result,
		     uint64_t start_ns)
{
	struct mt_trace_line line;
	struct mt_exec *exec;

	open_timed(&line, "launch", result, start_ns);
	mt_trace_handle(&line, "exec", (uintptr_t)handle);
	put_stream(&line, stream);
	if (!mt_exec_get(handle, &exec)) {
		mt_trace_number(&line, "nodes", exec->node_count);
		mt_trace_number(&line, "queues", exec->lane_count);
	}
	if (result)
		mt_trace_places(&line, MT_TRACE_FRAMES);
	mt_trace_close(&line);
}

void mt_trace_upload(MUgraphExec exec, const struct mt_stream *stream, MUresult result,
		     uint64_t start_ns)
{
	struct mt_trace_line line;

	open_timed(&line, "upload", result, start_ns);
	mt_trace_handle(&line, "exec", (uintptr_t)exec);
	put_stream(&line, stream);
	if (result)
		mt_trace_places(&line, MT_TRACE_FRAMES);
	mt_trace_close(&line);
}

void mt_trace_exec_destroy(MUgraphExec exec)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "exec_destroy");
	mt_trace_handle(&line, "exec", (uintptr_t)exec);
	mt_trace_close(&line);
}

void mt_trace_wait_unrecorded(const struct mt_exec *exec, uint32_t node)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "wait_unrecorded");
	mt_trace_handle(&line, "exec", exec->handle);
	mt_trace_number(&line, "node", node);
	mt_trace_close(&line);
}

void mt_trace_saved(const struct mt_exec *exec, const char *path)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "saved");
	mt_trace_handle(&line, "exec", exec->handle);
	mt_trace_text(&line, "file", path);
	mt_trace_close(&line);
}

void mt_trace_graph_free(uint64_t va)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "graph_free");
	mt_trace_handle(&line, "va", va);
	mt_trace_close(&line);
}

/* --- times -------------------------------------------------------------------------------------- */

static void open_times(struct mt_trace_times *times)
{
	mt_trace_open(&times->line, "exec_times");
	mt_trace_handle(&times->line, "exec", times->exec);
	mt_trace_number(&times->line, "launch", times->launch);
	mt_trace_list(&times->line, "list");
}

void mt_trace_times_begin(struct mt_trace_times *times, uint64_t exec, uint64_t launch)
{
	times->exec = exec;
	times->launch = launch;
	open_times(times);
}

void mt_trace_times_node(struct mt_trace_times *times, const uint64_t entry[4])
{
	if (mt_trace_list_numbers(&times->line, entry, 4))
		return;
	mt_trace_times_end(times);
	open_times(times);
	mt_trace_list_numbers(&times->line, entry, 4);
}

void mt_trace_times_end(struct mt_trace_times *times)
{
	mt_trace_list_end(&times->line);
	mt_trace_close(&times->line);
}

void mt_trace_times_lost(const struct mt_exec *exec, uint64_t launch)
{
	struct mt_trace_line line;

	mt_trace_open(&line, "times_lost");
	mt_trace_handle(&line, "exec", exec->handle);
	mt_trace_number(&line, "launch", launch);
	mt_trace_close(&line);
}

static void open_nodes(struct mt_trace_line *line, const struct mt_exec *exec, uint32_t first)
{
	mt_trace_open(line, "exec_nodes");
	mt_trace_handle(line, "exec", exec->handle);
	mt_trace_number(line, "first", first);
	mt_trace_list(line, "list");
}

void mt_trace_exec_nodes(const struct mt_exec *exec)
{
	const struct mt_exec_node *node;
	struct mt_trace_line line;
	char label[512];
	uint32_t i;

	open_nodes(&line, exec, 0);
	for (i = 0; i < exec->node_count; i++) {
		node = &exec->nodes[i];
		label[0] = 0;
		if (!(node->state & MT_EXEC_NODE_ABSENT))
			snprintf(label, sizeof(label), "%s%s%s", mt_update_type_name(node->op.type),
				 node->op.type == MT_OP_KERNEL ? " " : "", kernel_name(&node->op));
		if (mt_trace_list_text(&line, label))
			continue;
		mt_trace_list_end(&line);
		mt_trace_close(&line);
		open_nodes(&line, exec, i);
		mt_trace_list_text(&line, label);
	}
	mt_trace_list_end(&line);
	mt_trace_close(&line);
}
