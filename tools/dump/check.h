/* SPDX-License-Identifier: MIT */
/*
 * Checks of a saved graph: what its nodes do to memory, in which order, and what is wrong with that.
 *
 * A graph with everything nested in it becomes one graph of vertices. A child graph lies between a
 * start vertex and its node; the bodies of a conditional node follow each other, because no two of them
 * run at the same time.
 */
#ifndef MT_DUMP_CHECK_H
#define MT_DUMP_CHECK_H

#include "tools/dump/file.h"
#include "tools/dump/json.h"
#include "tools/dump/overlap.h"

/* What a run has shown of one executable graph. */
struct check_seen {
	bool ran; /* to its end, with accesses recorded */
	const struct mtg_access *accesses; /* borrowed; graph is the exec's number space: node numbers */
	uint64_t access_count;
	const uint64_t *freed; /* borrowed: graph memory that something outside this file frees */
	uint64_t freed_count;
	const uint32_t *unrecorded; /* borrowed: numbers of event waits that had nothing to wait for */
	uint32_t unrecorded_count;
};

enum vertex_flags {
	VERTEX_NODE = 1u << 0,     /* else the start of a nested graph */
	VERTEX_DISABLED = 1u << 1,
	VERTEX_RECORDS = 1u << 2,  /* kernel whose accesses are known exactly */
	VERTEX_ACCESSED = 1u << 3, /* some access was recorded */
	VERTEX_WROTE = 1u << 4,
	VERTEX_IDLE = 1u << 5,     /* copy or fill that changes nothing */
};

struct vertex {
	uint32_t graph, id;
	uint32_t kernel; /* index in the file, MTG_NONE */
	uint8_t type, flags;
};

/* An alloc node. */
struct check_alloc {
	uint64_t va, size_b;
	uint32_t vertex;
	bool freed;
};

struct check_model {
	struct dump_file *file; /* borrowed */
	const struct mtg_graph *graphs;
	uint32_t graph_count;
	uint32_t *first;        /* owned: vertex of each graph's id 0; starts lie behind all nodes */
	uint32_t vertex_count;
	struct vertex *vertices; /* owned */
	uint64_t (*edges)[2];   /* owned: from, to */
	uint64_t edge_count, edge_room;
	uint64_t own_edges;     /* of these, edges that the graph has, in front */
	uint32_t *start, *next; /* owned: successors */
	struct access *accesses; /* owned */
	uint64_t access_count, access_room;
	uint64_t *pointers;     /* owned: addresses that nodes name, sorted */
	uint64_t pointer_count, pointer_room;
	struct check_alloc *allocs; /* owned */
	uint32_t alloc_count, alloc_room;
	bool no_memory;
};

/* check_model.c: DUMP_OK or DUMP_UNREADABLE, which was explained. */
int check_model_load(struct check_model *model, struct dump_file *file,
		     const struct check_seen *seen);
void check_model_finish(struct check_model *model);

/* check_access.c: what nodes touch. The first pass gathers pointers, the second accesses. */
void check_pointers_of(struct check_model *model, const struct file_node *node);
void check_accesses_of(struct check_model *model, const struct file_node *node, uint32_t vertex);
void check_add_access(struct check_model *model, uint32_t vertex, enum access_kind kind, bool exact,
		      uint64_t va, uint64_t bytes);

/* check_report.c: checks one file and prints what is found. */
struct check_output {
	struct json *json; /* NULL: text */
	bool hints;
	uint32_t findings;
};
int check_file(struct check_output *out, struct dump_file *file, const struct check_seen *seen);

/* Begins and ends a finding that belongs to no file; `kind` as in the JSON. */
void check_finding(struct check_output *out, const char *kind, const char *text, const char *fix);

#endif
