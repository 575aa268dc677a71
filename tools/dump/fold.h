/* SPDX-License-Identifier: MIT */
/*
 * Folding: a big graph becomes few items by its repeated structure, so that a picture of it can be
 * read. Nodes that look the same and have the same neighbours become one item with a count, and so do
 * repeats in a row; both again and again, until nothing repeats. Edges that say nothing new beside two
 * others are left out meanwhile. What is still too much is summed up by layers.
 */
#ifndef MT_DUMP_FOLD_H
#define MT_DUMP_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/dump/longest_path.h"

#define FOLD_NONE UINT32_MAX

enum fold_kind {
	FOLD_NODE,     /* a node of the graph */
	FOLD_PARALLEL, /* `count` alike side by side, with the same neighbours; one child stands for all */
	FOLD_SERIES,   /* its children in a row, the row `count` times */
	FOLD_SIMILAR,  /* `count` alike in one layer, with different neighbours; one child for all */
	FOLD_LAYERS,   /* `count` items of neighbouring layers, of several kinds; no children. Only
			* edges between neighbours are left where there are such items */
};

struct fold_item {
	uint64_t signature; /* equal for items that look the same */
	enum fold_kind kind;
	uint32_t count;
	uint32_t node;        /* FOLD_NODE: the graph's */
	uint32_t node_count;  /* nodes inside, all repeats counted */
	uint32_t parent;      /* the item that holds it, or FOLD_NONE */
	uint32_t slot;        /* as which of the parent's children it is shown */
	uint32_t first_child; /* in fold.children */
	uint32_t child_count;
	uint32_t layer, last_layer; /* FOLD_LAYERS: which layers it sums up */
	bool marked;          /* by fold_mark() */
};

struct fold {
	struct fold_item *items; /* the graph's nodes first, in their order */
	uint32_t item_count, item_room;
	uint32_t *children;      /* items */
	uint32_t child_count, child_room;
	uint32_t *roots;         /* items without a parent */
	uint32_t root_count;
	struct edge *edges;      /* between roots, each pair once */
	uint32_t edge_count;
};

/*
 * Folds where there are more than `limit` nodes; then at most `limit` items are left (limit >= 2), unless
 * the edges form a cycle. 0 or -ENOMEM.
 */
int fold_make(struct fold *fold, uint32_t node_count, const struct edge *edges, uint32_t edge_count,
	      const uint64_t *signatures, uint32_t limit);
void fold_free(struct fold *fold);

/* Marks what is shown for a node: the items from its root down. */
void fold_mark(struct fold *fold, uint32_t node);

/* The node that edges into (last: out of) an item are drawn at; the item itself where it has no
 * children. */
uint32_t fold_end(const struct fold *fold, uint32_t item, bool last);

#endif
