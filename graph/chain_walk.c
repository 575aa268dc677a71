/* SPDX-License-Identifier: MIT */
/* Follows a chain: links between blocks, then the branch targets met on the way. */
#include "graph/chain_walk.h"

#include <stdlib.h>

#include "hw/base/alloc.h"

#define UNITS_PER_BLOCK (MT_COMMAND_CHUNK_B / 8)

struct target {
	uint64_t va;
	uint32_t lane;
};

struct walker {
	const struct mt_chain *chain;
	mt_chain_visitor visit;
	void *data;
	uint32_t *order;  /* blocks by address */
	uint8_t *visited; /* a bit for every 8 bytes of every block */
	struct target *todo;
	size_t todo_count, todo_capacity;
	MUresult status;
};

static int compare_blocks(const void *a, const void *b, void *blocks)
{
	const struct mt_command_block *x = (struct mt_command_block *)blocks + *(const uint32_t *)a;
	const struct mt_command_block *y = (struct mt_command_block *)blocks + *(const uint32_t *)b;

	return x->va < y->va ? -1 : x->va > y->va;
}

/* The block with an address, block_count for none. */
static uint32_t find_block(const struct walker *w, uint64_t va)
{
	uint32_t low = 0, high = w->chain->block_count, middle;

	while (low < high) {
		const struct mt_command_block *block;

		middle = low + (high - low) / 2;
		block = &w->chain->blocks[w->order[middle]];
		if (va < block->va)
			high = middle;
		else if (va - block->va >= block->size_b)
			low = middle + 1;
		else
			return w->order[middle];
	}
	return w->chain->block_count;
}

static void push(struct walker *w, uint64_t va, uint32_t lane)
{
	size_t capacity = w->todo_capacity ? w->todo_capacity * 2 : 16;
	struct target *todo;

	if (w->todo_count == w->todo_capacity) {
		todo = mt_realloc(w->todo, capacity * sizeof(*todo));
		if (!todo) {
			w->status = MUSA_ERROR_OUT_OF_MEMORY;
			return;
		}
		w->todo = todo;
		w->todo_capacity = capacity;
	}
	w->todo[w->todo_count++] = (struct target){va, lane};
}

/* To the end of the straight line, or to where a walk has been. */
static void walk_line(struct walker *w, uint64_t va, uint32_t lane)
{
	uint32_t index = find_block(w, va);

	while (!w->status && index < w->chain->block_count) {
		const struct mt_command_block *block = &w->chain->blocks[index];
		uint64_t offset_b = va - block->va;
		uint64_t bit = (uint64_t)index * UNITS_PER_BLOCK + offset_b / 8;
		const struct mt_pkt_header *header;

		if (w->visited[bit / 8] & 1u << bit % 8)
			return;
		w->visited[bit / 8] |= (uint8_t)(1u << bit % 8);
		header = (const void *)((const uint8_t *)block->cpu + offset_b);
		w->visit(w->data, lane, va, header);
		if (header->opcode == MT_PKT_OP_END || header->opcode == MT_PKT_OP_RETURN)
			return;
		if (header->opcode == MT_PKT_OP_COND)
			push(w, ((const struct mt_pkt_cond *)header)->target_va, lane);
		if (header->opcode == MT_PKT_OP_CALL)
			push(w, ((const struct mt_pkt_jump *)header)->target_va, lane);
		if (header->opcode == MT_PKT_OP_JUMP)
			va = ((const struct mt_pkt_jump *)header)->target_va;
		else
			va += (uint64_t)header->len_qw * 8;
		if (va - block->va >= block->size_b)
			index = find_block(w, va);
	}
}

MUresult mt_chain_walk(const struct mt_exec *exec, mt_chain_visitor visit, void *data)
{
	const struct mt_chain *chain = &exec->chain;
	struct walker w = {.chain = chain, .visit = visit, .data = data};
	uint32_t i;

	w.order = mt_alloc((chain->block_count + 1u) * sizeof(*w.order));
	w.visited = mt_calloc(chain->block_count + 1u, UNITS_PER_BLOCK / 8);
	if (!w.order || !w.visited)
		w.status = MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; w.order && i < chain->block_count; i++)
		w.order[i] = i;
	if (w.order)
		qsort_r(w.order, chain->block_count, sizeof(*w.order), compare_blocks,
			chain->blocks);
	for (i = 0; !w.status && i < exec->lane_count; i++)
		walk_line(&w, exec->lane_va[i], i);
	while (!w.status && w.todo_count) {
		const struct target target = w.todo[--w.todo_count];

		walk_line(&w, target.va, target.lane);
	}
	mt_free(w.order);
	mt_free(w.visited);
	mt_free(w.todo);
	return w.status;
}
