/* SPDX-License-Identifier: MIT */
/*
 * Graph memory: allocations whose address is fixed by an alloc node and whose memory comes and goes
 * with launches.
 *
 *	none ----- launch of an exec with the alloc node -----> live
 *	live ----- free node, musaFree(Async), AutoFree ------> none
 *
 * States change on the host in the order of submission. An allocation that its own graph frees is
 * live only inside a launch. Such allocations of one exec share one *region* of memory, in which those
 * that cannot live at the same time overlap; execs share regions whose launches are ordered. Other
 * allocations have backing of their own. Backing stays until it is trimmed.
 *
 * The allocations of one graph form a *group*: its execs follow each other and never overlap.
 * One lock per context guards all of it, inside the exec's lock, outside those of drv/.
 */
#ifndef MT_GRAPH_GRAPH_MEMORY_H
#define MT_GRAPH_GRAPH_MEMORY_H

#include "drv/memory.h"
#include "graph/exec.h"

struct mt_compile;

/* What an alloc node was given; the numbers are the API's. */
struct mt_graph_alloc_desc {
	uint64_t size_b;
	uint8_t props[88];          /* MUmemPoolProps, bytewise */
	const void *access;         /* array of MUmemAccessDesc, bytewise */
	uint32_t access_count;
};
#define MT_MEM_ACCESS_DESC_B 12u /* location type, id, flags */

/* Memory that launches of one exec, or of ordered ones, share. */
struct mt_memory_region {
	struct mt_memory_region *next;
	struct mt_hw_bo *bo;            /* owned */
	uint64_t size_b;
	struct mt_stream_ticket last;   /* newest launch that uses it */
	uint64_t last_stream;           /* id of its stream */
};

/* The allocations of one graph. Counted: graph, allocations, execs. */
struct mt_memory_group {
	uint32_t refs;
	struct mt_graph_memory *memory;  /* NULL once the context is gone */
	struct mt_memory_group *next, **link;
	struct mt_memory_region *region; /* where its allocations are mapped, or NULL */
	uint64_t plan;                   /* exec whose plan the mapping follows */
	struct mt_stream_ticket last;    /* newest launch of any of its execs */
	uint64_t last_stream;
};

/* One allocation. Counted: alloc node, free nodes, execs, and once while it is live. */
struct mt_graph_alloc {
	uint32_t refs;
	struct mt_memory_group *group;   /* reference */
	struct mt_graph_alloc *next, **link; /* all of the context */
	uint64_t va, size_b;
	uint64_t mapped_b;               /* address range: size in pages */
	bool live;
	bool own_free;                   /* a free node in its own graph */
	uint32_t foreign_frees;          /* free nodes in other graphs */
	bool mapped;                     /* into the group's region */
	struct mt_hw_bo *bo;             /* backing of its own, NULL: none */
	struct mt_stream_ticket freed;   /* work that precedes its last free */
	uint8_t props[88];
	uint32_t access_count;
	uint8_t *access;                 /* owned */
};

struct mt_graph_memory {
	struct mt_ctx *ctx;
	pthread_mutex_t lock;
	struct mt_memory_region *regions; /* owned */
	struct mt_memory_group *groups;
	struct mt_graph_alloc *allocs;
	uint64_t reserved_b, reserved_high_b; /* of all backing */
	uint64_t used_high_b;
};

/* Per context. */
MUresult mt_graph_memory_create(struct mt_ctx *ctx, struct mt_graph_memory **memory_out);
/* The work of the context has ended. What nodes still refer to is left without memory. */
void mt_graph_memory_destroy(struct mt_graph_memory *memory);

/* --- allocations: graph_memory.c ---------------------------------------------------------------- */

/* Reserves an address and enters it as known memory. *group is made if NULL. OUT_OF_MEMORY. */
MUresult mt_graph_alloc_create(struct mt_ctx *ctx, const struct mt_graph_alloc_desc *desc,
			       struct mt_memory_group **group, struct mt_graph_alloc **alloc_out);
void mt_graph_alloc_ref(struct mt_graph_alloc *alloc);
void mt_graph_alloc_unref(struct mt_graph_alloc *alloc);
void mt_memory_group_unref(struct mt_memory_group *group); /* accepts NULL */

/* The allocation that begins at an address; NULL if there is none. */
struct mt_graph_alloc *mt_graph_alloc_find(uint64_t va);

/* --- execs: graph_memory_exec.c ------------------------------------------------------------------ */

struct mt_exec_alloc {
	struct mt_graph_alloc *alloc; /* reference */
	uint64_t offset_b;            /* in the region */
	bool shared;                  /* freed by the exec itself: lies in the region */
};

struct mt_exec_memory {
	struct mt_memory_group *group; /* reference; NULL without alloc nodes */
	struct mt_exec_alloc *allocs;
	uint32_t alloc_count;
	struct mt_graph_alloc **frees; /* of other graphs' memory; references */
	uint32_t free_count;
	uint64_t region_b;
	bool has_private;              /* some allocation is not shared */
	struct mt_graph_alloc **past;  /* owned, heap: replaced by updates, maybe still in use */
	uint32_t past_count, past_capacity;
};

/* Collects the memory nodes of an exec and plans who shares memory with whom. `schedule` is the root
 * unit's. */
struct mt_schedule;
MUresult mt_exec_memory_plan(struct mt_exec *exec, const struct mt_schedule *schedule);
void mt_exec_memory_finish(struct mt_exec *exec);

/**
 * mt_exec_memory_begin() - Check the states and back the allocations for a launch on a stream.
 * @launch:	false: for an upload, which checks no states.
 * @after:	[out] What the launch has to wait for; queue NULL for nothing.
 *
 * On success the context's graph memory is locked until mt_exec_memory_end().
 * Errors: INVALID_VALUE, OUT_OF_MEMORY.
 */
MUresult mt_exec_memory_begin(struct mt_exec *exec, struct mt_stream *stream, bool launch,
			      struct mt_stream_ticket *after);
/* `ticket`: of the launch; NULL if there was none. */
void mt_exec_memory_end(struct mt_exec *exec, struct mt_stream *stream,
			const struct mt_stream_ticket *ticket);

/* Whether an update may put `next` in the place of an allocation of the exec: same size and device,
 * freed by the same party. */
bool mt_exec_memory_can_replace(const struct mt_exec *exec, const struct mt_exec_node *node,
				const struct mt_graph_alloc *next);
/* Gets memory for `count` replacements. OUT_OF_MEMORY. */
MUresult mt_exec_memory_prepare(struct mt_exec *exec, uint32_t count);
/* Memory node: later launches use another graph's allocation. Prepared for. */
void mt_exec_memory_replace(struct mt_exec *exec, struct mt_exec_node *node,
			    struct mt_graph_alloc *next);

/* --- what the API asks --------------------------------------------------------------------------- */

/* The numbers of MUgraphMem_attribute. */
MUresult mt_graph_memory_get(struct mt_ctx *ctx, uint32_t attribute, uint64_t *value_out);
MUresult mt_graph_memory_set(struct mt_ctx *ctx, uint32_t attribute, uint64_t value);
MUresult mt_graph_memory_trim(struct mt_ctx *ctx);

/* Used inside: under the lock. */
MUresult mt_graph_memory_take(struct mt_graph_memory *memory, uint64_t size_b,
			      struct mt_hw_bo **bo_out);
void mt_graph_memory_give(struct mt_graph_memory *memory, struct mt_hw_bo *bo);
void mt_graph_alloc_unmap(struct mt_graph_memory *memory, struct mt_graph_alloc *alloc);

static inline bool mt_ticket_is_done(const struct mt_stream_ticket *ticket)
{
	return !ticket->queue || mt_hw_queue_completed(ticket->queue) >= ticket->seq;
}

#endif
