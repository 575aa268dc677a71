/* SPDX-License-Identifier: MIT */
/*
 * The sweep over accesses. Memory is a treap of segments that do not overlap; an access cuts out the
 * part that it covers, looks at its segments, and puts it back with itself in it.
 */
#include "tools/dump/overlap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/progress.h"

#define BLOCK 4096u /* segments, readers made at once */
#define NO_ACCESS UINT32_MAX

/* Lists are shared between the parts of a segment that was cut, and never changed. */
struct reader {
	struct reader *next;
	uint32_t access; /* index */
};

struct segment {
	struct segment *left, *right;
	uint64_t va, end;
	uint32_t weight;
	uint32_t writer; /* index of the last write, NO_ACCESS */
	struct reader *readers; /* since then */
};

/* Memory of one sweep: given back as a whole. */
struct block {
	struct block *next;
	union {
		struct segment segments[BLOCK];
		struct reader readers[BLOCK];
	};
};

struct sweep {
	struct reach *reach;
	const struct access *accesses;
	struct overlaps *found;
	struct segment *root, *free_segments;
	struct block *blocks;
	uint32_t reader_at; /* used of the newest block of readers */
	struct block *readers;
	uint32_t random;
	bool no_memory;
};

static struct block *new_block(struct sweep *s)
{
	struct block *block = malloc(sizeof(*block));

	if (!block) {
		s->no_memory = true;
		return NULL;
	}
	block->next = s->blocks;
	s->blocks = block;
	return block;
}

static struct segment *new_segment(struct sweep *s, uint64_t va, uint64_t end)
{
	struct segment *segment;
	struct block *block;

	if (!s->free_segments) {
		block = new_block(s);
		for (uint32_t i = 0; block && i < BLOCK; i++) {
			block->segments[i].left = s->free_segments;
			s->free_segments = &block->segments[i];
		}
	}
	segment = s->free_segments;
	if (!segment)
		return NULL;
	s->free_segments = segment->left;
	s->random = s->random * 1664525u + 1013904223u;
	*segment = (struct segment){.va = va, .end = end, .weight = s->random, .writer = NO_ACCESS};
	return segment;
}

static struct reader *new_reader(struct sweep *s, uint32_t access, struct reader *next)
{
	struct reader *reader;

	if (!s->readers || s->reader_at == BLOCK) {
		s->readers = new_block(s);
		s->reader_at = 0;
	}
	if (!s->readers)
		return next;
	reader = &s->readers->readers[s->reader_at++];
	reader->access = access;
	reader->next = next;
	return reader;
}

/* --- the treap ---------------------------------------------------------------------------------- */

/* Segments that begin before `va`, and the others. The depth is logarithmic in all likelihood. */
static void split(struct segment *tree, uint64_t va, struct segment **less, struct segment **rest)
{
	while (tree) {
		if (tree->va < va) {
			*less = tree;
			less = &tree->right;
			tree = tree->right;
		} else {
			*rest = tree;
			rest = &tree->left;
			tree = tree->left;
		}
	}
	*less = *rest = NULL;
}

static struct segment *merge(struct segment *a, struct segment *b)
{
	struct segment *root = NULL, **at = &root;

	while (a && b) {
		if (a->weight > b->weight) {
			*at = a;
			at = &a->right;
			a = a->right;
		} else {
			*at = b;
			at = &b->left;
			b = b->left;
		}
	}
	*at = a ? a : b;
	return root;
}

static struct segment *last(struct segment *tree)
{
	while (tree && tree->right)
		tree = tree->right;
	return tree;
}

/* Cuts the segment around `va` in two; *less ends there, the other half leads *rest. */
static void cut(struct sweep *s, struct segment **less, struct segment **rest, uint64_t va)
{
	struct segment *before = last(*less), *half;

	if (!before || before->end <= va)
		return;
	half = new_segment(s, va, before->end);
	if (!half)
		return;
	half->writer = before->writer;
	half->readers = before->readers;
	before->end = va;
	*rest = merge(half, *rest);
}

/* --- findings ----------------------------------------------------------------------------------- */

static struct overlap *known_pair(struct overlaps *found, uint32_t first, uint32_t second,
				  uint32_t **slot_out)
{
	uint64_t at = ((uint64_t)first << 32 | second) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	struct overlap *o;

	for (;; at++) {
		*slot_out = &found->slots[at & found->slot_mask];
		if (!**slot_out)
			return NULL;
		o = &found->list[**slot_out - 1];
		if (o->first.node == first && o->second.node == second)
			return o;
	}
}

static void report(struct sweep *s, enum overlap_kind kind, uint32_t first, uint32_t second,
		   uint64_t va, uint64_t end)
{
	const struct access *a = &s->accesses[first], *b = &s->accesses[second];
	struct overlaps *found = s->found;
	struct overlap *o;
	uint32_t *slot;

	o = known_pair(found, a->node, b->node, &slot);
	if (o) {
		if (va == o->end)
			o->end = end;
		else
			o->more += va < o->va || end > o->end;
		return;
	}
	if (found->count == OVERLAPS_MAX) {
		found->left_out++;
		return;
	}
	found->list[found->count] = (struct overlap){
		.kind = kind, .first = *a, .second = *b, .va = va, .end = end};
	*slot = ++found->count;
}

static void compare(struct sweep *s, uint32_t before, uint32_t now, uint64_t va, uint64_t end)
{
	const struct access *a = &s->accesses[before], *b = &s->accesses[now];

	if (a->node == b->node)
		return;
	if (!reach_test(s->reach, a->node, b->node))
		report(s, OVERLAP_UNORDERED, before, now, va, end);
	else if (a->kind == ACCESS_FREE && b->kind != ACCESS_ALLOC)
		report(s, OVERLAP_AFTER_FREE, before, now, va, end);
	else if (b->kind == ACCESS_ALLOC && a->kind != ACCESS_FREE)
		report(s, OVERLAP_BEFORE_ALLOC, before, now, va, end);
}

/* --- the sweep ---------------------------------------------------------------------------------- */

/* Looks at a segment that the access covers. A write is compared with the reads since the last write
 * and, unless there are such, with that; a read with the last write. */
static void look(struct sweep *s, struct segment *segment, uint32_t index)
{
	const struct access *access = &s->accesses[index];
	uint64_t va = segment->va, end = segment->end;
	const struct reader *reader;
	bool other = false;

	for (reader = segment->readers; reader && access->kind != ACCESS_READ;
	     reader = reader->next) {
		compare(s, reader->access, index, va, end);
		other |= s->accesses[reader->access].node != access->node;
	}
	if (segment->writer != NO_ACCESS && !other)
		compare(s, segment->writer, index, va, end);
	if (access->kind != ACCESS_READ)
		return;
	/* Whoever is behind this read is behind the one that it follows. */
	reader = segment->readers;
	if (reader && reach_test(s->reach, s->accesses[reader->access].node, access->node))
		segment->readers = reader->next;
	segment->readers = new_reader(s, index, segment->readers);
}

/* Visits the segments of the part that was cut out, in order; reads fill the gaps. Iterative: the part is
 * taken apart from its left end and put together again. */
static struct segment *visit(struct sweep *s, struct segment *part, uint32_t index)
{
	const struct access *access = &s->accesses[index];
	bool write = access->kind != ACCESS_READ;
	uint64_t at = access->va;
	struct segment *done = NULL, *one, *gap;

	while (part) {
		for (one = part; one->left; one = one->left)
			;
		split(part, one->va + 1, &one, &part);
		look(s, one, index);
		if (write) {
			one->left = s->free_segments;
			s->free_segments = one;
			continue;
		}
		gap = one->va > at ? new_segment(s, at, one->va) : NULL;
		if (gap) {
			gap->readers = new_reader(s, index, NULL);
			done = merge(done, gap);
		}
		at = one->end;
		done = merge(done, one);
	}
	if (!write && at >= access->end)
		return done;
	gap = new_segment(s, write ? access->va : at, access->end);
	if (gap && write)
		gap->writer = index;
	else if (gap)
		gap->readers = new_reader(s, index, NULL);
	return merge(done, gap);
}

static void take(struct sweep *s, uint32_t index)
{
	const struct access *access = &s->accesses[index];
	struct segment *less, *part, *rest;

	split(s->root, access->va, &less, &part);
	cut(s, &less, &part, access->va);
	split(part, access->end, &part, &rest);
	cut(s, &part, &rest, access->end);
	part = visit(s, part, index);
	s->root = merge(merge(less, part), rest);
}

static int by_rank(const void *a, const void *b, void *reach)
{
	const uint32_t *rank = ((const struct reach *)reach)->rank;
	const struct access *x = a, *y = b;

	if (x->node != y->node)
		return rank[x->node] < rank[y->node] ? -1 : 1;
	if ((x->kind != ACCESS_READ) != (y->kind != ACCESS_READ))
		return x->kind == ACCESS_READ ? -1 : 1;
	return x->va < y->va ? -1 : x->va > y->va;
}

int overlaps_find(struct reach *reach, struct access *accesses, uint64_t count,
		  struct overlaps *found)
{
	struct sweep s = {.reach = reach, .accesses = accesses, .found = found, .random = 1};
	struct block *block, *next;
	struct progress progress;
	uint64_t i;

	memset(found, 0, sizeof(*found));
	if (count >= NO_ACCESS)
		return -ENOMEM;
	found->list = malloc(OVERLAPS_MAX * sizeof(*found->list));
	found->slot_mask = 4095;
	found->slots = calloc(found->slot_mask + 1, sizeof(*found->slots));
	if (!found->list || !found->slots)
		return -ENOMEM;
	if (count)
		qsort_r(accesses, count, sizeof(*accesses), by_rank, reach);
	progress_begin(&progress, "comparing accesses", count);
	for (i = 0; i < count && !s.no_memory; i++) {
		progress_update(&progress, i);
		take(&s, (uint32_t)i);
	}
	progress_end(&progress);
	for (block = s.blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	return s.no_memory ? -ENOMEM : 0;
}

void overlaps_finish(struct overlaps *found)
{
	free(found->list);
	free(found->slots);
	memset(found, 0, sizeof(*found));
}
