/* SPDX-License-Identifier: MIT */
/*
 * Stream capture: the state of a capture and of the streams that take part in it.
 *
 * A stream joins through an event and stays until the capture ends. Each stream holds a *set* of nodes,
 * which the next captured node depends on and then replaces. One lock guards all of this; it is only
 * taken by calls that have to do with a capture.
 *
 *	        BeginCapture          refused call, ...          EndCapture
 *	none ---------------> active ---------------> invalidated -------> none
 *	                        |                                           ^
 *	                        +------------- EndCapture ------------------+
 */
#ifndef MT_GRAPH_CAPTURE_H
#define MT_GRAPH_CAPTURE_H

#include "drv/capture.h"
#include "drv/event.h"
#include "drv/stream.h"
#include "graph/graph.h"

/* The numbers of musaStreamCaptureMode and musaStreamCaptureStatus. */
enum mt_capture_mode { MT_CAPTURE_GLOBAL = 0, MT_CAPTURE_THREAD_LOCAL = 1, MT_CAPTURE_RELAXED = 2 };
enum mt_capture_status { MT_CAPTURE_NONE = 0, MT_CAPTURE_ACTIVE = 1, MT_CAPTURE_INVALIDATED = 2 };

/* A growing set of node ids, in the order they were added. A large one has an index by id. */
struct mt_capture_set {
	uint32_t *ids;       /* owned */
	uint32_t count, capacity;
	uint32_t *slots;     /* owned: positions in ids + 1, 0 for a free slot */
	uint32_t slot_room;  /* a power of two */
	uint32_t slot_count; /* in use now, a power of two; 0: no index */
};

/* One stream's part in a capture. Outlives the stream if that is destroyed. */
struct mt_capture_stream {
	struct mt_capture *capture;     /* borrowed: owns this */
	struct mt_stream *stream;       /* borrowed; NULL once destroyed */
	struct mt_capture_stream *next; /* in the capture */
	struct mt_capture_set set;
	uint32_t own;                   /* newest node captured here and still in the set, or NONE */
	uint64_t *handles;              /* owned: what GetCaptureInfo handed out */
	MUgraphEdgeData *zeroes;        /* owned: all default, as many as handles */
	uint32_t handles_capacity;
};
#define MT_CAPTURE_OWN_NONE UINT32_MAX

struct mt_capture {
	uint64_t id;                    /* unique in the process, not 0 */
	uint32_t refs;                  /* the live list, events */
	enum mt_capture_mode mode;
	enum mt_capture_status status;  /* NONE once it has ended */
	uint64_t thread;                /* that began it */
	struct mt_graph *graph;         /* filled; owned while the capture lives if own_graph; NULL once
					 * it was destroyed with its parent */
	bool own_graph;
	uint32_t first_id;              /* ids below it were there before */
	struct mt_capture_stream *origin;
	struct mt_capture_stream *streams; /* owned, all, newest first */
	struct mt_capture *next;        /* in the live list */
	uint64_t began_ns;              /* of the trace, 0 without one */
};

/* An event's memory of a record inside a capture. */
struct mt_capture_event {
	struct mt_capture *capture; /* reference */
	struct mt_capture_set set;
};

/* --- capture.c: state, called with the lock held ------------------------------------------------ */

void mt_capture_lock(void);
void mt_capture_unlock(void);
extern struct mt_capture *mt_capture_list; /* live captures */

uint64_t mt_capture_thread(void);                 /* id of the calling thread, never 0 */
enum mt_capture_mode *mt_capture_thread_mode(void); /* of the calling thread */

/* Makes a capture with its origin stream. On success the stream captures. */
MUresult mt_capture_start(struct mt_stream *stream, struct mt_graph *graph, bool own_graph,
			  enum mt_capture_mode mode, struct mt_capture **capture_out);

/* Lets a stream that captures nothing take part. OUT_OF_MEMORY. */
MUresult mt_capture_join(struct mt_capture *capture, struct mt_stream *stream,
			 struct mt_capture_stream **part_out);

/* Active -> invalidated, with a line in the log that says which call did it, on which stream (NULL:
 * none) and what to do instead. */
void mt_capture_invalidate(struct mt_capture *capture, const struct mt_stream *stream,
			   const char *api, const char *why);

/* Takes all streams out and removes it from the live list; frees it with the last reference. The
 * graph is left to the caller. */
void mt_capture_finish(struct mt_capture *capture);
void mt_capture_unref(struct mt_capture *capture);

/* What a failed or dropped capture does with its graph: destroys it; an embedded graph or a body is
 * emptied and lives on. */
void mt_capture_drop_graph(struct mt_capture *capture);

/* A graph that a capture fills dies with what it is nested in: the capture can only be ended. */
void mt_capture_graph_gone(struct mt_graph *graph);

/* --- capture_set.c ------------------------------------------------------------------------------ */

/* Makes room for so many ids in all. OUT_OF_MEMORY with nothing changed, as the next two. */
MUresult mt_capture_set_reserve(struct mt_capture_set *set, uint32_t count);
/* Adds what is not there yet, in constant time for each. */
MUresult mt_capture_set_add(struct mt_capture_set *set, const uint32_t *ids, uint32_t count);
MUresult mt_capture_set_assign(struct mt_capture_set *set, const uint32_t *ids, uint32_t count);
void mt_capture_set_finish(struct mt_capture_set *set);
bool mt_capture_set_has(const struct mt_capture_set *set, uint32_t id);
/* Nothing but one id. The set must have room. */
void mt_capture_set_replace(struct mt_capture_set *set, uint32_t id);

/* --- capture.c: nodes ---------------------------------------------------------------------------- */

/* Adds a node behind the stream's set, which it replaces. */
MUresult mt_capture_append(struct mt_capture_stream *part, const struct mt_op *op,
			   struct mt_node **node_out);

/* The new node replaces the part's set. Cannot fail. */
void mt_capture_replace_set(struct mt_capture_stream *part, uint32_t id);

/* --- capture_rules.c: what drv/ asks; see struct mt_capture_ops --------------------------------- */

void mt_capture_init(void); /* registers the table */

MUresult mt_capture_unsafe(const char *api);
MUresult mt_capture_legacy(struct mt_ctx *ctx, const char *api);
MUresult mt_capture_device_sync(struct mt_ctx *ctx, const char *api);
MUresult mt_capture_refuse(struct mt_stream *stream, const char *api);
MUresult mt_capture_add(struct mt_stream *stream, const struct mt_op *op, const char *api);
void mt_capture_spoil(struct mt_stream *stream, MUresult why, const char *api);
void mt_capture_stream_destroyed(struct mt_stream *stream);

/* --- capture_event.c ---------------------------------------------------------------------------- */

MUresult mt_capture_event_record(struct mt_stream *stream, struct mt_event *event,
				 unsigned int flags, const char *api, bool *handled_out);
MUresult mt_capture_event_wait(struct mt_stream *stream, struct mt_event *event, unsigned int flags,
			       const char *api, bool *handled_out);
MUresult mt_capture_event_use(struct mt_event *event, const char *api);
MUresult mt_capture_event_elapsed(struct mt_event *event);
void mt_capture_event_destroyed(struct mt_event *event);

/* --- capture_call.c: the API's calls ------------------------------------------------------------ */

MUresult mt_capture_begin(struct mt_stream *stream, int mode);
MUresult mt_capture_begin_to_graph(struct mt_stream *stream, MUgraph graph, const MUgraphNode *deps,
				   const MUgraphEdgeData *edge_data, size_t count,
				   int mode);
MUresult mt_capture_end(struct mt_stream *stream, MUgraph *graph_out);
MUresult mt_capture_is_capturing(struct mt_stream *stream, int *status_out);

/* Any out-parameter but the status may be NULL. */
MUresult mt_capture_info(struct mt_stream *stream, int *status_out, unsigned long long *id_out,
			 MUgraph *graph_out, const MUgraphNode **deps_out,
			 const MUgraphEdgeData **edge_data_out, size_t *count_out);
MUresult mt_capture_update_deps(struct mt_stream *stream, MUgraphNode *deps,
				const MUgraphEdgeData *edge_data, size_t count, unsigned int flags);
MUresult mt_capture_exchange_mode(int *mode);

#endif
