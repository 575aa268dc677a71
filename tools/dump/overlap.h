/* SPDX-License-Identifier: MIT */
/*
 * Finds accesses to the same memory, one of them writing, that nothing orders. Nodes are taken in a
 * topological order; for every piece of memory the last write and the reads since are known. A new
 * access that is behind the last write is behind everything before it, so that only neighbours in time
 * are compared: the work follows the pieces of memory that accesses share, not the pairs of nodes.
 */
#ifndef MT_DUMP_OVERLAP_H
#define MT_DUMP_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/dump/reach.h"

enum access_kind {
	ACCESS_READ = 0,
	ACCESS_WRITE,
	ACCESS_ALLOC, /* the memory comes into being: as a write */
	ACCESS_FREE,  /* ... and goes: as a write */
};

struct access {
	uint64_t va, end; /* bytes, end exclusive */
	uint32_t node;    /* vertex */
	uint8_t kind;     /* enum access_kind */
	bool exact;       /* false: what an argument may reach */
};

enum overlap_kind {
	OVERLAP_UNORDERED,    /* hazard */
	OVERLAP_AFTER_FREE,   /* `second` uses what `first` has freed */
	OVERLAP_BEFORE_ALLOC, /* `first` uses what `second` allocates */
};

struct overlap {
	enum overlap_kind kind;
	struct access first, second; /* in the order of the sweep */
	uint64_t va, end;            /* where they first meet */
	uint64_t more;               /* further pieces of memory in which these two meet */
};

struct overlaps {
	struct overlap *list; /* owned */
	uint32_t count, room;
	uint64_t left_out;    /* beyond OVERLAPS_MAX */
	uint32_t *slots;      /* owned: hash of pairs, index + 1 */
	uint32_t slot_mask;
};
#define OVERLAPS_MAX 1000u

/* `accesses` are sorted by this. Each node's are taken reads first. 0 or -ENOMEM. */
int overlaps_find(struct reach *reach, struct access *accesses, uint64_t count,
		  struct overlaps *found);
void overlaps_finish(struct overlaps *found);

#endif
