/* SPDX-License-Identifier: MIT */
/* State of captures: their life, and the streams that take part. */
#include "graph/capture.h"

#include "graph/trace.h"
#include "hw/base/alloc.h"
#include "hw/base/log.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t next_id = 1; /* guarded by lock */
static _Thread_local enum mt_capture_mode thread_mode = MT_CAPTURE_GLOBAL;
static _Thread_local uint64_t thread_id;

struct mt_capture *mt_capture_list;

void mt_capture_lock(void)
{
	pthread_mutex_lock(&lock);
}

void mt_capture_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

uint64_t mt_capture_thread(void)
{
	static _Atomic uint64_t next = 1;

	/* A number of our own: the system reuses its thread ids. */
	if (!thread_id)
		thread_id = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
	return thread_id;
}

enum mt_capture_mode *mt_capture_thread_mode(void)
{
	return &thread_mode;
}

MUresult mt_capture_join(struct mt_capture *capture, struct mt_stream *stream,
			 struct mt_capture_stream **part_out)
{
	struct mt_capture_stream *part = mt_calloc(1, sizeof(*part));

	if (!part)
		return MUSA_ERROR_OUT_OF_MEMORY;
	/* A captured node replaces the set without failing: room for it is there from the start. */
	if (mt_capture_set_reserve(&part->set, 1)) {
		mt_free(part);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	part->capture = capture;
	part->stream = stream;
	part->own = MT_CAPTURE_OWN_NONE;
	part->next = capture->streams;
	capture->streams = part;
	atomic_store_explicit(&stream->capture, part, memory_order_release);
	*part_out = part;
	return MUSA_SUCCESS;
}

MUresult mt_capture_start(struct mt_stream *stream, struct mt_graph *graph, bool own_graph,
			  enum mt_capture_mode mode, struct mt_capture **capture_out)
{
	struct mt_capture *capture = mt_calloc(1, sizeof(*capture));
	MUresult ret;

	if (!capture)
		return MUSA_ERROR_OUT_OF_MEMORY;
	capture->mode = mode;
	capture->status = MT_CAPTURE_ACTIVE;
	capture->thread = mt_capture_thread();
	capture->graph = graph;
	capture->own_graph = own_graph;
	capture->first_id = graph->id_count;
	ret = mt_capture_join(capture, stream, &capture->origin);
	if (ret) {
		mt_free(capture);
		return ret;
	}
	capture->id = next_id++;
	if (mt_tracing())
		capture->began_ns = mt_trace_now_ns();
	capture->refs = 1;
	capture->next = mt_capture_list;
	mt_capture_list = capture;
	graph->capture = capture;
	atomic_fetch_add_explicit(&mt_capture_live, 1, memory_order_release);
	*capture_out = capture;
	return MUSA_SUCCESS;
}

void mt_capture_invalidate(struct mt_capture *capture, const struct mt_stream *stream,
			   const char *api, const char *why)
{
	if (capture->status != MT_CAPTURE_ACTIVE)
		return;
	capture->status = MT_CAPTURE_INVALIDATED;
	if (mt_tracing())
		mt_trace_capture_spoiled(capture->id, stream, api, why);
	if (stream)
		mt_log(MT_LOG_WARN, "capture %llu invalidated by %s on stream %llu: %s",
		       (unsigned long long)capture->id, api, (unsigned long long)stream->id, why);
	else
		mt_log(MT_LOG_WARN, "capture %llu invalidated by %s: %s",
		       (unsigned long long)capture->id, api, why);
}

void mt_capture_unref(struct mt_capture *capture)
{
	if (!--capture->refs)
		mt_free(capture);
}

static void free_part(struct mt_capture_stream *part)
{
	mt_capture_set_finish(&part->set);
	mt_free(part->handles);
	mt_free(part->zeroes);
	mt_free(part);
}

void mt_capture_finish(struct mt_capture *capture)
{
	struct mt_capture **link = &mt_capture_list;
	struct mt_capture_stream *part, *next;

	for (part = capture->streams; part; part = next) {
		next = part->next;
		if (part->stream)
			atomic_store_explicit(&part->stream->capture, NULL, memory_order_release);
		free_part(part);
	}
	capture->streams = NULL;
	capture->origin = NULL;
	if (capture->graph)
		capture->graph->capture = NULL;
	capture->status = MT_CAPTURE_NONE;
	while (*link != capture)
		link = &(*link)->next;
	*link = capture->next;
	atomic_fetch_sub_explicit(&mt_capture_live, 1, memory_order_release);
	mt_capture_unref(capture);
}

void mt_capture_drop_graph(struct mt_capture *capture)
{
	struct mt_graph *graph = capture->graph;

	if (!graph)
		return;
	if (graph->role == MT_GRAPH_ROOT)
		mt_graph_destroy(graph);
	else
		mt_graph_clear(graph);
}

void mt_capture_graph_gone(struct mt_graph *graph)
{
	struct mt_capture *capture = graph->capture;

	mt_capture_invalidate(capture, capture->origin->stream, "the end of another capture",
			      "the graph that it fills belonged to that one; end the capture of a "
			      "body first");
	capture->graph = NULL;
	graph->capture = NULL;
}

void mt_capture_replace_set(struct mt_capture_stream *part, uint32_t id)
{
	mt_capture_set_replace(&part->set, id);
	part->own = id;
}

MUresult mt_capture_append(struct mt_capture_stream *part, const struct mt_op *op,
			   struct mt_node **node_out)
{
	MUresult ret = mt_graph_add(part->capture->graph, part->set.ids, part->set.count, op,
				    node_out);

	if (!ret)
		mt_capture_replace_set(part, (*node_out)->id);
	return ret;
}
