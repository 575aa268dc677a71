/* SPDX-License-Identifier: MIT */
/*
 * What the parts of saving share. A view makes templates and execs look alike; the tables collect
 * what nodes name (code, kernels, arrays, memory) before the nodes are written.
 */
#ifndef MT_GRAPH_SAVE_INTERNAL_H
#define MT_GRAPH_SAVE_INTERNAL_H

#include "drv/memory.h"
#include "graph/exec.h"
#include "graph/save.h"
#include "graph/save_file.h"

/* --- view: save_view.c -------------------------------------------------------------------------- */

struct mt_save_graph {
	const struct mt_graph *graph; /* template, borrowed; NULL in an exec */
	uint32_t start;               /* exec: node that a child's roots depend on */
	struct mtg_graph head;
};

struct mt_save_view {
	const struct mt_exec *exec;   /* borrowed; NULL for a template */
	struct mt_save_graph *graphs; /* owned; parents first */
	uint32_t count, room;
	uint32_t *deps;               /* owned: of the node that was looked at last */
	uint32_t dep_room;
};

struct mt_save_node {
	const struct mt_op *op;       /* borrowed */
	const void *args;             /* kernel: its argument image */
	uint64_t cond_handle;         /* conditional */
	uint32_t cond_type, cond_size, cond_default, cond_flags;
	const uint32_t *deps;         /* valid until the next node */
	uint32_t dep_count;
	bool disabled;
};

MUresult mt_save_view_graph(struct mt_save_view *view, const struct mt_graph *graph);
/* Under the exec's lock, as all that follows. */
MUresult mt_save_view_exec(struct mt_save_view *view, const struct mt_exec *exec);
void mt_save_view_finish(struct mt_save_view *view);

/* The node with an id: 0 and *found_out false if there is none. OUT_OF_MEMORY. */
MUresult mt_save_view_node(struct mt_save_view *view, uint32_t graph, uint32_t id,
			   struct mt_save_node *node_out, bool *found_out);

/* --- tables -------------------------------------------------------------------------------------- */

/* A growing array and a hash of the keys in it, so that each thing gets one index. */
struct mt_save_table {
	uint64_t *keys;     /* owned: by index */
	uint32_t count, room;
	uint32_t *slots;    /* owned: index + 1, 0 empty */
	uint32_t slot_mask; /* slots - 1; 0: none yet */
};

/* The index of a key, which is entered if it is new. OUT_OF_MEMORY. */
MUresult mt_save_table_add(struct mt_save_table *table, uint64_t key, uint32_t *index_out);
/* MTG_NONE if it is not there. */
uint32_t mt_save_table_find(const struct mt_save_table *table, uint64_t key);
void mt_save_table_finish(struct mt_save_table *table);

/* Memory that nodes name. */
struct mt_save_range {
	struct mtg_range head;
	const char *name;  /* device variable, or NULL; borrowed */
	struct mt_array *array; /* whose memory it is, or NULL; borrowed */
	uint32_t device;
	uint64_t host_va;  /* where the CPU reads it, 0: it has to be copied */
};

struct mt_save {
	struct mt_save_file file;
	struct mt_save_view view;
	struct mt_ctx *ctx;
	uint32_t flags;               /* enum mt_save_flags */
	uint64_t memory_b;            /* limit */
	bool busy;
	struct mt_save_table codes;   /* keys: struct mt_codeobj */
	struct mt_save_table kernels; /* struct mt_function */
	struct mt_save_table arrays;  /* struct mt_array */
	struct mt_save_table known;   /* base addresses of known memory */
	uint32_t *known_at;           /* owned: number of the range of each, until they are sorted */
	uint32_t known_room;
	struct mt_save_range *ranges; /* owned */
	uint32_t range_count, range_room;
};

/* --- save_ranges.c: what memory nodes name -------------------------------------------------------- */

MUresult mt_save_ranges_of_node(struct mt_save *save, const struct mt_save_node *node,
				uint32_t graph, uint32_t id);
/* Variables of a code object that is loaded at an address. */
MUresult mt_save_ranges_of_code(struct mt_save *save, const struct mt_function *fn, uint32_t code);
/* Sorts them, joins those that overlap, and numbers them. */
void mt_save_ranges_settle(struct mt_save *save);
/* Contents, then the list. Holds no lock. */
MUresult mt_save_ranges_write(struct mt_save *save);

/* --- save_code.c: code objects, kernels, arrays ---------------------------------------------------- */

MUresult mt_save_code_of_node(struct mt_save *save, const struct mt_save_node *node);
void mt_save_code_write(struct mt_save *save);

/* --- save_nodes.c, save_exec.c --------------------------------------------------------------------- */

MUresult mt_save_nodes_write(struct mt_save *save);
MUresult mt_save_exec_write(struct mt_save *save);

#endif
