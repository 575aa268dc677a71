/* SPDX-License-Identifier: MIT */
/*
 * The executable graph: a snapshot of a template as a chain of packets in command memory, with a record
 * per node for updates. Embedded child graphs are flattened; conditional bodies are chains of their
 * own within the same exec.
 *
 * Nodes have one number each in the exec: a graph's node `id` is base + id of its struct mt_exec_graph,
 * and the root's base is 0. That number stands in the packets' headers.
 *
 * An exec locks itself; its lock lies outside all locks of drv/. Nothing that runs on the device or
 * in its completion reads the exec's host memory.
 */
#ifndef MT_GRAPH_EXEC_H
#define MT_GRAPH_EXEC_H

#include "drv/stream.h"
#include "graph/chain.h"
#include "graph/graph.h"
#include "graph/patch.h"

#define MT_EXEC_NONE 0xffffffffu

/* The numbers of musaGraphInstantiateFlags. */
enum mt_exec_flags {
	MT_EXEC_AUTO_FREE = 1u << 0,
	MT_EXEC_UPLOAD = 1u << 1,
	MT_EXEC_DEVICE_LAUNCH = 1u << 2,
	MT_EXEC_NODE_PRIORITY = 1u << 3,
};

/* The numbers of musaGraphInstantiateResult. */
enum mt_exec_result {
	MT_EXEC_SUCCESS = 0,
	MT_EXEC_ERROR = 1,
	MT_EXEC_INVALID_STRUCTURE = 2,
	MT_EXEC_NODE_NOT_SUPPORTED = 3,
	MT_EXEC_MULTIPLE_DEVICES = 4,
	MT_EXEC_HANDLE_UNUSED = 5,
};

/* Why an instantiation was refused. */
struct mt_exec_report {
	uint32_t result; /* enum mt_exec_result */
	MUgraphNode node; /* or NULL */
};

enum mt_exec_node_state {
	MT_EXEC_NODE_BARRIER = MT_PKT_BARRIER, /* the flags of its first packet */
	MT_EXEC_NODE_DISABLED = MT_PKT_DISABLED,
	MT_EXEC_NODE_ABSENT = 1u << 7, /* destroyed before, or the start of a child graph */
};

struct mt_exec_node {
	struct mt_op op;     /* current parameters, owned; a kernel's arguments are in the chain only.
	                      * CHILD: op.graph is the struct mt_exec_graph, CONDITIONAL: struct
	                      * mt_exec_cond */
	mt_place packet;     /* first packet, MT_PLACE_NONE if it has none */
	mt_place data;       /* kernarg image or slots; CONDITIONAL: its packet of the prologue */
	uint8_t *staged;     /* entry of the patch list of `epoch` (graph/patch.h) */
	uint64_t epoch;      /* patch list that the node was last staged in, 0 never */
	uint16_t packet_b;   /* bytes at packet, multiple of 8 */
	uint16_t data_b;     /* room at data, multiple of 8 */
	uint8_t state;       /* enum mt_exec_node_state */
	uint8_t reserved0[3];
};
_Static_assert(sizeof(struct mt_exec_node) == 96, "host memory per node");

/* One template graph inside the exec: the root, an embedded child or a body. */
struct mt_exec_graph {
	uint64_t uid;         /* of the template */
	uint32_t base;        /* number of its node 0 */
	uint32_t id_count;
	uint32_t node_count;  /* live nodes */
	uint32_t parent;      /* number of the CHILD or CONDITIONAL node, MT_EXEC_NONE for the root */
	uint32_t parent_graph; /* the exec graph with that node */
	uint32_t start;       /* CHILD: the node that its roots depend on, else MT_EXEC_NONE */
};

struct mt_exec_cond; /* graph/exec_conditional.h */
struct mt_exec_times; /* graph/exec_times.h */
struct mt_exec_memory; /* graph/graph_memory.h */
struct mt_update_scratch; /* graph/update.c */

struct mt_exec {
	struct mt_arena arena;   /* holds this struct, too */
	uint64_t handle;
	pthread_mutex_t lock;    /* guards all that changes after instantiation */
	struct mt_ctx *ctx;      /* borrowed: outlives the exec */
	uint64_t flags;          /* enum mt_exec_flags */
	uint64_t source;         /* handle of the template: may be stale */
	uint64_t source_uid;
	bool single;             /* its template can have one exec only */
	bool has_host;           /* holds host nodes */

	uint32_t node_count, graph_count;
	struct mt_exec_node *nodes;
	struct mt_exec_graph *graphs;    /* [0] is the root */
	uint32_t *by_uid;                /* indices of graphs[1..], sorted by uid */
	uint32_t *dep_start, *deps;      /* dependencies by node, as scheduled */
	struct mt_exec_cond *conds;      /* list */
	uint32_t *ref_nodes;             /* nodes with references: event waits, records, semaphores */
	uint32_t ref_count, event_count; /* each launch fills the slots of the events */
	uint64_t *event_numbers;         /* what the last launch wrote to each event's slot */

	struct mt_chain chain;
	uint32_t lane_count;
	uint64_t lane_va[MT_HW_LANES_MAX];
	uint64_t lane_table_va;          /* 0 with one lane */
	uint64_t reset_va;               /* prologue that clears slots and sets defaults, 0 for none */
	uint64_t *lane_table;            /* CPU view of it */

	struct mt_patch patch;
	struct mt_hw_graph *device_graph; /* owned: what device code launches; NULL if it may not */
	bool uploaded;                   /* device_graph is */
	struct mt_stream_ticket last;    /* newest launch; queue NULL before the first */
	uint64_t last_stream;            /* id of its stream */
	struct mt_exec_memory *memory;   /* owned; NULL without memory nodes */
	struct mt_user_refs *user_refs;  /* owned */
	struct mt_exec_times *times;     /* time stamps around nodes (graph/exec_times.h), NULL without */
	struct mt_update_scratch *scratch; /* owned: memory of whole updates, NULL until the first */
	uint64_t *held_words;            /* owned, heap: words of conditions that launches may still use */
	uint32_t held_count, held_capacity;
	struct mt_exec *next, **link;    /* in the list of all execs, guarded by its lock */
};

/* Flags of a node's first packet. */
static inline uint8_t mt_exec_node_flags(const struct mt_exec_node *node)
{
	return node->state & (MT_EXEC_NODE_BARRIER | MT_EXEC_NODE_DISABLED);
}

/* The newest launch of the host has completed. */
static inline bool mt_exec_is_idle(const struct mt_exec *exec)
{
	return !exec->last.queue || mt_hw_queue_completed(exec->last.queue) >= exec->last.seq;
}

/* No launch is pending or runs, of the host or of device code: nothing reads the chain. */
static inline bool mt_exec_is_unused(const struct mt_exec *exec)
{
	return mt_exec_is_idle(exec) &&
	       !(exec->device_graph &&
		 exec->device_graph->dev->ops->graph_is_busy(exec->device_graph));
}

/* Nothing runs and nothing is pending: the chain may be written in place. */
static inline bool mt_exec_is_at_rest(const struct mt_exec *exec)
{
	return !exec->patch.open && !exec->patch.oldest && mt_exec_is_unused(exec);
}

/* --- exec.c: life ------------------------------------------------------------------------------ */

/**
 * mt_exec_instantiate() - Make an exec of a graph.
 * @flags:	enum mt_exec_flags; others are refused.
 * @report:	[out] Always written.
 * @exec_out:	[out] MUgraphExec on success.
 *
 * Errors: as the API documents them; OUT_OF_MEMORY also beyond the configured number of execs.
 */
MUresult mt_exec_instantiate(MUgraph graph, uint64_t flags, struct mt_exec_report *report,
			     MUgraphExec *exec_out);
MUresult mt_exec_destroy(MUgraphExec exec);
MUresult mt_exec_get_flags(MUgraphExec exec, uint64_t *flags_out);

/* The record that a node handle names in an exec: INVALID_VALUE for one that is not in it. Under the
 * exec's lock. */
MUresult mt_exec_find_node(struct mt_exec *exec, MUgraphNode handle, struct mt_exec_node **node_out);

/* Index in exec->graphs of a template graph by uid, MT_EXEC_NONE if it is not in the exec. */
uint32_t mt_exec_find_graph(const struct mt_exec *exec, uint64_t uid);

/* The handle dies, and the template may have another exec. */
void mt_exec_leave_template(struct mt_exec *exec);

/* Releases everything. Its launches have completed or the device has failed. */
void mt_exec_free(struct mt_exec *exec);

/* --- compile.c: from template to chain ---------------------------------------------------------- */

/* Fills an exec that has its arena, context and flags. On failure the exec is fit for
 * mt_exec_free(). */
MUresult mt_exec_compile(struct mt_exec *exec, struct mt_graph *graph,
			 struct mt_exec_report *report);

/* --- launch.c ----------------------------------------------------------------------------------- */

/* The chain as a launch submits it when nothing is staged. */
void mt_exec_describe(const struct mt_exec *exec, struct mt_hw_submit *submit_out);

/* O(lanes), no allocation; O(nodes) in event nodes only. UNSUPPORTED (900) on a capturing stream. */
MUresult mt_exec_launch(MUgraphExec exec, struct mt_stream *stream);
MUresult mt_exec_upload(MUgraphExec exec, struct mt_stream *stream);

/* --- exec_retire.c ------------------------------------------------------------------------------- */

/* Takes over an exec whose launches may still run, and frees it behind them. */
void mt_exec_retire(struct mt_exec *exec);
/* Frees those that are done. */
void mt_exec_retire_poll(void);
/* A thread looks after what mt_user_refs_poll() is to drop. */
void mt_exec_retire_watch(void);
/* The process ends: no device is touched any more, what is retired stays. */
void mt_exec_retire_end(void);
/* A context goes, its work has ended: frees its execs, live and retired; handles become stale. */
void mt_exec_ctx_gone(struct mt_ctx *ctx);

/* The list of live execs. An exec is admitted before it is made (OUT_OF_MEMORY beyond the configured
 * number); one that could not be made leaves again. */
MUresult mt_exec_list_admit(void);
void mt_exec_list_leave(void);
void mt_exec_list_add(struct mt_exec *exec);
void mt_exec_list_remove(struct mt_exec *exec);

#endif
