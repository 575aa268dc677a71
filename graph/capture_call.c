/* SPDX-License-Identifier: MIT */
/* The capture calls of the API: begin, end, queries, dependencies, the thread's mode. */
#include "graph/capture.h"

#include <string.h>

#include "graph/calls.h"
#include "graph/trace.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"

static struct mt_capture_stream *part_of(struct mt_stream *stream)
{
	return atomic_load_explicit(&stream->capture, memory_order_acquire);
}

/* What every begin checks before it looks at a graph. Lock held. */
static MUresult check_begin(struct mt_stream *stream, int mode)
{
	if (mode < MT_CAPTURE_GLOBAL || mode > MT_CAPTURE_RELAXED)
		return MUSA_ERROR_INVALID_VALUE;
	if (stream->legacy)
		return MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	if (part_of(stream))
		return MUSA_ERROR_ILLEGAL_STATE;
	return MUSA_SUCCESS;
}

MUresult mt_capture_begin(struct mt_stream *stream, int mode)
{
	struct mt_capture *capture;
	struct mt_graph *graph;
	MUresult ret;

	mt_capture_lock();
	ret = check_begin(stream, mode);
	if (!ret)
		ret = mt_graph_create(stream->ctx->device, MT_GRAPH_ROOT, &graph);
	if (ret)
		goto unlock;
	ret = mt_capture_start(stream, graph, true, (enum mt_capture_mode)mode, &capture);
	if (ret)
		mt_graph_destroy(graph);
unlock:
	mt_capture_unlock();
	if (mt_tracing())
		mt_trace_capture_begin(stream, mode, false, ret, ret ? 0 : capture->id);
	return ret;
}

/* Node handles of one graph as ids. */
static MUresult ids_of(struct mt_graph *graph, const MUgraphNode *handles, size_t count,
		       uint32_t *ids)
{
	for (size_t i = 0; i < count; i++) {
		struct mt_graph *owner;
		struct mt_node *node;
		MUresult ret = mt_node_get(handles[i], &owner, &node);

		if (ret)
			return ret;
		if (owner != graph)
			return MUSA_ERROR_INVALID_VALUE;
		ids[i] = node->id;
	}
	return MUSA_SUCCESS;
}

/* As ids_of(), into new memory that the caller frees; NULL for no handles. */
static MUresult make_ids(struct mt_graph *graph, const MUgraphNode *handles, size_t count,
			 uint32_t **ids_out)
{
	uint32_t *ids = NULL;
	MUresult ret;

	*ids_out = NULL;
	if (!count)
		return MUSA_SUCCESS;
	if (!handles || count > UINT32_MAX)
		return MUSA_ERROR_INVALID_VALUE;
	ids = mt_alloc(count * sizeof(*ids));
	if (!ids)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = ids_of(graph, handles, count, ids);
	if (ret)
		mt_free(ids);
	else
		*ids_out = ids;
	return ret;
}

MUresult mt_capture_begin_to_graph(struct mt_stream *stream, MUgraph handle,
				   const MUgraphNode *deps, const MUgraphEdgeData *edge_data,
				   size_t count, int mode)
{
	struct mt_capture_stream part = {0};
	struct mt_capture *capture;
	struct mt_graph *graph;
	uint32_t *ids = NULL;
	MUresult ret;

	mt_capture_lock();
	ret = check_begin(stream, mode);
	if (!ret)
		ret = mt_graph_get(handle, &graph);
	if (!ret && graph->capture)
		ret = MUSA_ERROR_ILLEGAL_STATE;
	if (!ret)
		ret = make_ids(graph, deps, count, &ids);
	if (!ret)
		ret = mt_edge_data_check_deps(deps, edge_data, count, MT_OP_KERNEL);
	/* The set is made first, so that a failure leaves the stream out of capture. */
	if (!ret)
		ret = mt_capture_set_assign(&part.set, ids, (uint32_t)count);
	if (!ret)
		ret = mt_capture_start(stream, graph, false, (enum mt_capture_mode)mode, &capture);
	if (!ret && part.set.count) {
		mt_capture_set_finish(&capture->origin->set);
		capture->origin->set = part.set;
		memset(&part.set, 0, sizeof(part.set));
	}
	mt_capture_unlock();
	mt_capture_set_finish(&part.set);
	mt_free(ids);
	if (mt_tracing())
		mt_trace_capture_begin(stream, mode, true, ret, ret ? 0 : capture->id);
	return ret;
}

/* A stack of node ids. */
struct id_stack {
	uint32_t *ids;
	size_t count, capacity;
};

static MUresult push(struct id_stack *stack, uint32_t id)
{
	if (stack->count == stack->capacity) {
		size_t capacity = stack->capacity ? stack->capacity * 2 : 64;
		uint32_t *ids = mt_realloc(stack->ids, capacity * sizeof(*ids));

		if (!ids)
			return MUSA_ERROR_OUT_OF_MEMORY;
		stack->ids = ids;
		stack->capacity = capacity;
	}
	stack->ids[stack->count++] = id;
	return MUSA_SUCCESS;
}

/* Pushes a node that the walk has not met yet. */
static MUresult visit(struct mt_graph *graph, struct id_stack *stack, uint32_t id, uint8_t *seen)
{
	if (id < graph->capture->first_id)
		return MUSA_SUCCESS;
	id -= graph->capture->first_id;
	if (seen[id / 8] & (1u << id % 8))
		return MUSA_SUCCESS;
	seen[id / 8] |= (uint8_t)(1u << id % 8);
	return push(stack, id + graph->capture->first_id);
}

/* Marks in `seen` everything captured that the origin's set depends on. */
static MUresult mark_joined(struct mt_capture *capture, uint8_t *seen)
{
	const struct mt_capture_set *set = &capture->origin->set;
	struct mt_graph *graph = capture->graph;
	struct id_stack stack = {0};
	MUresult ret = MUSA_SUCCESS;

	for (uint32_t i = 0; !ret && i < set->count; i++)
		ret = visit(graph, &stack, set->ids[i], seen);
	while (!ret && stack.count) {
		struct mt_node *node = mt_graph_node(graph, stack.ids[--stack.count]);
		const uint32_t *deps = mt_id_list_data(&node->deps);

		for (uint32_t i = 0; !ret && i < node->deps.count; i++)
			ret = visit(graph, &stack, deps[i], seen);
	}
	mt_free(stack.ids);
	return ret;
}

static bool has_forks(const struct mt_capture *capture)
{
	for (const struct mt_capture_stream *p = capture->streams; p; p = p->next)
		if (p != capture->origin && p->own != MT_CAPTURE_OWN_NONE)
			return true;
	return false;
}

/* Success if the newest work of every forked stream is an ancestor of the origin's set. */
static MUresult check_joined(struct mt_capture *capture)
{
	uint32_t count = capture->graph->id_count - capture->first_id;
	uint8_t *seen;
	MUresult ret;

	if (!has_forks(capture))
		return MUSA_SUCCESS;
	seen = mt_calloc(1, count / 8 + 1);
	if (!seen)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mark_joined(capture, seen);
	for (struct mt_capture_stream *p = capture->streams; !ret && p; p = p->next) {
		uint32_t bit = p->own - capture->first_id;

		if (p == capture->origin || p->own == MT_CAPTURE_OWN_NONE)
			continue;
		if (seen[bit / 8] & (1u << bit % 8))
			continue;
		ret = MUSA_ERROR_STREAM_CAPTURE_UNJOINED;
		mt_log(MT_LOG_WARN,
		       "capture %llu: work of stream %llu (node %u) is not joined; record an event on "
		       "it and let the stream that began the capture wait for that",
		       (unsigned long long)capture->id,
		       p->stream ? (unsigned long long)p->stream->id : 0ull, p->own);
		if (mt_tracing())
			mt_trace_capture_unjoined(capture, p->stream, p->own);
	}
	mt_free(seen);
	return ret;
}

/* Result of ending this capture from the calling thread. */
static MUresult end_result(struct mt_capture *capture)
{
	if (capture->status == MT_CAPTURE_INVALIDATED)
		return MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (capture->mode != MT_CAPTURE_RELAXED && capture->thread != mt_capture_thread())
		return MUSA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
	return check_joined(capture);
}

static const char *end_reason(MUresult result)
{
	switch (result) {
	case MUSA_SUCCESS:
		return NULL;
	case MUSA_ERROR_STREAM_CAPTURE_INVALIDATED:
		return "the capture was spoiled before";
	case MUSA_ERROR_STREAM_CAPTURE_WRONG_THREAD:
		return "another thread began the capture, and its mode is not relaxed";
	case MUSA_ERROR_STREAM_CAPTURE_UNJOINED:
		return "work of a forked stream is not joined";
	case MUSA_ERROR_STREAM_CAPTURE_UNMATCHED:
		return "another stream began the capture";
	case MUSA_ERROR_ILLEGAL_STATE:
		return "the stream does not capture";
	default:
		return "memory ran out";
	}
}

/* What the trace tells of a capture that ends now. */
static void note_end(const struct mt_capture *capture, struct mt_trace_capture *note)
{
	note->id = capture->id;
	note->began_ns = capture->began_ns;
	if (!capture->graph)
		return;
	note->graph = capture->graph->handle;
	note->nodes = capture->graph->node_count;
	note->edges = capture->graph->edge_count;
}

static MUresult end_capture(struct mt_stream *stream, MUgraph *graph_out,
			    struct mt_trace_capture *note)
{
	struct mt_capture_stream *part;
	struct mt_capture *capture;
	MUresult ret;

	mt_capture_lock();
	part = part_of(stream);
	/* Who gave the graph need not be told which it is. */
	if (!graph_out && (!part || part->capture->own_graph)) {
		ret = MUSA_ERROR_INVALID_VALUE;
		goto unlock;
	}
	if (!part) {
		ret = MUSA_ERROR_ILLEGAL_STATE;
		goto unlock;
	}
	capture = part->capture;
	if (part != capture->origin) {
		ret = MUSA_ERROR_STREAM_CAPTURE_UNMATCHED;
		mt_capture_invalidate(capture, stream, "musaStreamEndCapture",
				      "this stream joined the capture; end it on the stream that "
				      "began it");
		goto unlock;
	}
	ret = end_result(capture);
	note_end(capture, note);
	capture->refs++;
	mt_capture_finish(capture);
	if (ret) {
		mt_log(MT_LOG_WARN, "capture %llu on stream %llu ended without a graph: error %d",
		       (unsigned long long)capture->id, (unsigned long long)stream->id, (int)ret);
		mt_capture_drop_graph(capture);
	}
	if (graph_out)
		*graph_out = ret ? NULL : (MUgraph)(uintptr_t)capture->graph->handle;
	mt_capture_unref(capture);
unlock:
	mt_capture_unlock();
	return ret;
}

MUresult mt_capture_end(struct mt_stream *stream, MUgraph *graph_out)
{
	struct mt_trace_capture note = {0};
	MUresult ret = end_capture(stream, graph_out, &note);

	if (mt_tracing()) {
		note.why = end_reason(ret);
		if (ret)
			note.graph = 0;
		mt_trace_capture_end(stream, ret, &note);
	}
	return ret;
}

/* 906 for the legacy stream while a blocking stream of its device captures; harms no capture. */
static MUresult check_legacy(const struct mt_stream *stream)
{
	if (!stream->legacy)
		return MUSA_SUCCESS;
	for (const struct mt_capture *c = mt_capture_list; c; c = c->next)
		for (const struct mt_capture_stream *p = c->streams; p; p = p->next)
			if (p->stream && p->stream->ctx == stream->ctx &&
			    !(p->stream->flags & MU_STREAM_NON_BLOCKING))
				return MUSA_ERROR_STREAM_CAPTURE_IMPLICIT;
	return MUSA_SUCCESS;
}

MUresult mt_capture_is_capturing(struct mt_stream *stream, int *status_out)
{
	const struct mt_capture_stream *part;
	MUresult ret;

	if (!status_out)
		return MUSA_ERROR_INVALID_VALUE;
	mt_capture_lock();
	ret = check_legacy(stream);
	if (!ret) {
		part = part_of(stream);
		*status_out = part ? (int)part->capture->status : MT_CAPTURE_NONE;
	}
	mt_capture_unlock();
	return ret;
}

/* Room for `count` handles and as many entries of default edge data. */
static MUresult reserve_export(struct mt_capture_stream *part, uint32_t count)
{
	uint64_t *handles;
	MUgraphEdgeData *zeroes;

	if (part->zeroes && count <= part->handles_capacity)
		return MUSA_SUCCESS;
	count += 4;
	handles = mt_realloc(part->handles, count * sizeof(*handles));
	if (!handles)
		return MUSA_ERROR_OUT_OF_MEMORY;
	part->handles = handles;
	zeroes = mt_calloc(count, sizeof(*zeroes));
	if (!zeroes)
		return MUSA_ERROR_OUT_OF_MEMORY;
	mt_free(part->zeroes);
	part->zeroes = zeroes;
	part->handles_capacity = count;
	return MUSA_SUCCESS;
}

/* The set as handles, in memory that lives until the next call on the stream. */
static MUresult export_set(struct mt_capture_stream *part)
{
	const struct mt_graph *graph = part->capture->graph;
	MUresult ret = reserve_export(part, part->set.count);

	for (uint32_t i = 0; !ret && i < part->set.count; i++)
		part->handles[i] = mt_node_handle(graph, mt_graph_node(graph, part->set.ids[i]));
	return ret;
}

MUresult mt_capture_info(struct mt_stream *stream, int *status_out, unsigned long long *id_out,
			 MUgraph *graph_out, const MUgraphNode **deps_out,
			 const MUgraphEdgeData **edge_data_out, size_t *count_out)
{
	struct mt_capture_stream *part;
	MUresult ret;

	if (!status_out)
		return MUSA_ERROR_INVALID_VALUE;
	mt_capture_lock();
	ret = check_legacy(stream);
	if (ret)
		goto unlock;
	part = part_of(stream);
	if (!part || part->capture->status != MT_CAPTURE_ACTIVE) {
		*status_out = part ? (int)part->capture->status : MT_CAPTURE_NONE;
		goto unlock;
	}
	if (deps_out || edge_data_out)
		ret = export_set(part);
	if (ret)
		goto unlock;
	*status_out = MT_CAPTURE_ACTIVE;
	if (id_out)
		*id_out = part->capture->id;
	if (graph_out)
		*graph_out = (MUgraph)(uintptr_t)part->capture->graph->handle;
	if (deps_out)
		*deps_out = (const MUgraphNode *)(const void *)part->handles;
	if (edge_data_out)
		*edge_data_out = part->zeroes;
	if (count_out)
		*count_out = part->set.count;
unlock:
	mt_capture_unlock();
	return ret;
}

/* Replaces or extends a part's set; work captured on the stream that is not in it any more is
 * dropped on purpose, so it need not be joined. */
static MUresult change_set(struct mt_capture_stream *part, const uint32_t *ids, uint32_t count,
			   bool replace)
{
	MUresult ret = replace ? mt_capture_set_assign(&part->set, ids, count)
			       : mt_capture_set_add(&part->set, ids, count);

	if (!ret && part->own != MT_CAPTURE_OWN_NONE && !mt_capture_set_has(&part->set, part->own))
		part->own = MT_CAPTURE_OWN_NONE;
	return ret;
}

MUresult mt_capture_update_deps(struct mt_stream *stream, MUgraphNode *deps,
				const MUgraphEdgeData *edge_data, size_t count, unsigned int flags)
{
	struct mt_capture_stream *part;
	uint32_t *ids = NULL;
	MUresult ret;

	mt_capture_lock();
	part = part_of(stream);
	if (!part)
		ret = MUSA_ERROR_ILLEGAL_STATE;
	else if (part->capture->status == MT_CAPTURE_INVALIDATED)
		ret = MUSA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else if (flags > MU_STREAM_SET_CAPTURE_DEPENDENCIES)
		ret = MUSA_ERROR_INVALID_VALUE;
	else
		ret = make_ids(part->capture->graph, deps, count, &ids);
	if (!ret)
		ret = mt_edge_data_check_deps(deps, edge_data, count, MT_OP_KERNEL);
	if (!ret)
		ret = change_set(part, ids, (uint32_t)count,
				 flags == MU_STREAM_SET_CAPTURE_DEPENDENCIES);
	mt_capture_unlock();
	mt_free(ids);
	return ret;
}

MUresult mt_capture_exchange_mode(int *mode)
{
	enum mt_capture_mode *own = mt_capture_thread_mode();
	int old = (int)*own;

	if (!mode || *mode < MT_CAPTURE_GLOBAL || *mode > MT_CAPTURE_RELAXED)
		return MUSA_ERROR_INVALID_VALUE;
	*own = (enum mt_capture_mode)*mode;
	*mode = old;
	return MUSA_SUCCESS;
}
