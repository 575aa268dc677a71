/* SPDX-License-Identifier: MIT */
/*
 * Changes of an exec's chain while launches may still read it.
 *
 * If the exec is idle and nothing is pending, changed packets and arguments are written in place.
 * Else they are staged: the *open list* is a sequence of WRITE packets in command memory, one entry per
 * node, which the next launch gets as its prologue. The list then waits for that launch to end and
 * its memory is used again. So an update never waits, a launch costs the same whatever was updated,
 * and each submitted launch sees what stood at its submission.
 *
 *	entry of a node:  | WRITE | packets ... | WRITE | argument image or slots ... |
 *
 * A node is staged at most once in a list: a later change overwrites the entry.
 * All under the exec's lock.
 */
#ifndef MT_GRAPH_PATCH_H
#define MT_GRAPH_PATCH_H

#include "graph/chain.h"
#include "drv/stream.h"

struct mt_exec;
struct mt_exec_node;

struct mt_patch_block {
	struct mt_command_block block;
	struct mt_patch_block *next;
};

struct mt_patch_list {
	struct mt_patch_list *next;
	struct mt_patch_block *first, *last; /* owned */
	uint8_t *at, *end;                   /* free room of the last block, link not counted */
	uint64_t epoch;
	struct mt_stream_ticket ticket;      /* once submitted */
};

struct mt_patch {
	struct mt_patch_list *open;            /* or NULL: nothing pending */
	struct mt_patch_list *oldest, *newest; /* submitted, not known to have completed */
	struct mt_patch_list *free_lists;
	struct mt_patch_block *spare;          /* blocks of full size, reserved for commits */
	struct mt_patch_block *free_blocks;    /* records without memory */
	uint32_t spare_count;
	uint64_t epoch;                        /* of the open list, or the last one; from 1 */
	uint64_t done_epoch;                   /* lists up to this one have been applied */
};

/* Where new words of a node are to be written. */
struct mt_patch_target {
	uint8_t *packet; /* CPU view; NULL if the node has no packet */
	uint8_t *data;
};

/* Returns the memory of lists that have been applied. Updates do it, launches do not: what an update
 * costs it costs itself. */
void mt_patch_reap(struct mt_exec *exec);

/* Bytes that staging a node takes, with data_b bytes of data. */
uint32_t mt_patch_entry_b(const struct mt_exec_node *node, uint32_t data_b);

/* Makes sure that entries of `bytes` in all, none larger than `largest_b`, can be staged without
 * failing. OUT_OF_MEMORY. */
MUresult mt_patch_reserve(struct mt_exec *exec, uint64_t bytes, uint32_t largest_b);

/* A new place for a node's data, with more room. */
struct mt_patch_move {
	mt_place place;
	uint32_t room_b; /* 0: the data stays where it is */
};

/* Finds a place for data_b bytes, with nothing said to the node yet. OUT_OF_MEMORY. */
MUresult mt_patch_find_data(struct mt_exec *exec, const struct mt_exec_node *node, uint32_t data_b,
			    struct mt_patch_move *move_out);

/**
 * mt_patch_target() - Where to write a node's packets and data now.
 * @move:	Where the data moves at the same time; then both parts must be written in full.
 * @target_out:	[out] Holds the current words: in place, or in the node's entry of the open list.
 *
 * Errors: OUT_OF_MEMORY with nothing changed, unless room was reserved.
 */
MUresult mt_patch_target(struct mt_exec *exec, struct mt_exec_node *node,
			 const struct mt_patch_move *move, struct mt_patch_target *target_out);

/* The data in the node's entry. */
const void *mt_patch_staged_data(const struct mt_exec_node *node);

/* The current words, for reading. */
void mt_patch_current(const struct mt_exec *exec, const struct mt_exec_node *node,
		      struct mt_patch_target *target_out);

/* Whether changes have to be staged now. Once true it stays so until the next launch if room is
 * reserved; once false, until the next launch as well. */
bool mt_patch_must_stage(struct mt_exec *exec);

/* Appends a WRITE to the open list, behind a barrier if asked: for values of one launch. */
MUresult mt_patch_write(struct mt_exec *exec, uint64_t va, const uint64_t *words, uint16_t count,
			uint8_t flags);

/* A point to go back to when a launch is refused. */
struct mt_patch_mark {
	struct mt_patch_list *open;
	struct mt_patch_block *last;
	uint8_t *at, *end;
};
struct mt_patch_mark mt_patch_mark(const struct mt_exec *exec);
void mt_patch_rewind(struct mt_exec *exec, const struct mt_patch_mark *mark);

/* The prologue of a launch is the open list if there is one; it goes on at the exec's own prologue.
 * The launch has been submitted. */
static inline void mt_patch_submitted(struct mt_patch *patch, const struct mt_stream_ticket *ticket)
{
	struct mt_patch_list *list = patch->open;

	list->ticket = *ticket;
	list->next = NULL;
	if (patch->oldest)
		patch->newest->next = list;
	else
		patch->oldest = list;
	patch->newest = list;
	patch->open = NULL;
}

void mt_patch_finish(struct mt_exec *exec);

#endif
