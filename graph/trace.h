/* SPDX-License-Identifier: MIT */
/*
 * What the graph layer tells the trace (hw/base/trace.h has the format). All of it is called only
 * where mt_tracing() says so, without the locks of what it is about where that is possible.
 *
 *	capture_begin    capture, stream, mode, into (an existing graph), at
 *	capture_spoiled  capture, stream, call, why, at
 *	capture_unjoined capture, stream, node, type, name
 *	capture_end      capture, stream, graph, nodes, edges, capture_ns, why, at
 *	instantiate      graph, exec, flags, nodes, edges, queues, packets, bytes, why, node, at
 *	update           exec, graph, changed, node, param, now, next, at
 *	node_update      exec, node, what, param, now, next, at
 *	launch           exec, stream, device, nodes, queues
 *	upload           exec, stream
 *	exec_destroy     exec
 *	wait_unrecorded  exec, node
 *	saved            exec, file: by MUSA_GRAPH_SAVE
 *	graph_free       va: graph memory that the host freed
 *	exec_nodes       exec, first, list of "type name", "" for no node       } only with
 *	exec_times       exec, launch, list of [node, queue, start, end]        } MUSA_TRACE_TIMES
 *	times_lost       exec, launch: had not completed within a second
 */
#ifndef MT_GRAPH_TRACE_H
#define MT_GRAPH_TRACE_H

#include "graph/capture.h"
#include "graph/exec.h"
#include "graph/update.h"
#include "hw/base/trace.h"

void mt_trace_capture_begin(const struct mt_stream *stream, int mode, bool into, MUresult result,
			    uint64_t capture);
void mt_trace_capture_spoiled(uint64_t capture, const struct mt_stream *stream, const char *api,
			      const char *why);
/* The newest node of a stream that takes part does not lead to the origin's. */
void mt_trace_capture_unjoined(const struct mt_capture *capture, const struct mt_stream *stream,
			       uint32_t node);

/* What a capture had come to when it ended. */
struct mt_trace_capture {
	uint64_t id, graph, began_ns;
	uint64_t edges;
	uint32_t nodes;
	const char *why; /* static text, NULL for a success */
};
void mt_trace_capture_end(const struct mt_stream *stream, MUresult result,
			  const struct mt_trace_capture *capture);

void mt_trace_instantiate(MUgraph graph, uint64_t flags, MUresult result,
			  const struct mt_exec_report *report, MUgraphExec exec, uint64_t start_ns);
void mt_trace_update(MUgraphExec exec, MUgraph graph, MUresult result,
		     const struct mt_update_report *report, const struct mt_update_reason *reason,
		     uint64_t start_ns);
/* `reason`: of a refusal, or NULL. */
void mt_trace_node_update(MUgraphExec exec, MUgraphNode node, const char *what, MUresult result,
			  const struct mt_update_reason *reason, uint64_t start_ns);
void mt_trace_launch(MUgraphExec exec, const struct mt_stream *stream, MUresult result,
		     uint64_t start_ns);
void mt_trace_upload(MUgraphExec exec, const struct mt_stream *stream, MUresult result,
		     uint64_t start_ns);
void mt_trace_exec_destroy(MUgraphExec exec);
void mt_trace_wait_unrecorded(const struct mt_exec *exec, uint32_t node);
void mt_trace_graph_free(uint64_t va);
void mt_trace_saved(const struct mt_exec *exec, const char *path);

/* Times of one launch, as many lines as they need. An entry is node, queue, start, end. */
struct mt_trace_times {
	uint64_t exec, launch;
	struct mt_trace_line line;
};
void mt_trace_times_begin(struct mt_trace_times *times, uint64_t exec, uint64_t launch);
void mt_trace_times_node(struct mt_trace_times *times, const uint64_t entry[4]);
void mt_trace_times_end(struct mt_trace_times *times);
void mt_trace_times_lost(const struct mt_exec *exec, uint64_t launch);

/* What the nodes of an exec are, for readers of its times. */
void mt_trace_exec_nodes(const struct mt_exec *exec);

/* chain_count.c: packets in an exec's command memory, 0 without memory to count them. */
uint64_t mt_chain_count_packets(const struct mt_exec *exec);

#endif
