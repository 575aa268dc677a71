/* SPDX-License-Identifier: MIT */
/*
 * Counts the packets of an exec by following its chain: links, then the targets of branches.
 */
#include "graph/trace.h"
#include "hw/base/alloc.h"

#define UNITS_PER_BLOCK (MT_COMMAND_CHUNK_B / 8)

struct walk {
	const struct mt_chain *chain;
	uint32_t block; /* that the last packet was found in */
	uint8_t *seen;  /* a bit for every 8 bytes of every block */
	uint64_t *todo; /* branch targets still to look at */
	size_t todo_count, todo_capacity;
	uint64_t packets;
};

static bool is_in(const struct walk *w, uint32_t block, uint64_t va)
{
	return va - w->chain->blocks[block].va < w->chain->blocks[block].size_b;
}

static bool find_block(struct walk *w, uint64_t va)
{
	uint32_t i;

	if (is_in(w, w->block, va))
		return true;
	for (i = 0; i < w->chain->block_count; i++) {
		if (is_in(w, i, va)) {
			w->block = i;
			return true;
		}
	}
	return false;
}

/* The packet at an address that was not met before, else NULL. */
static const void *packet_at(struct walk *w, uint64_t va)
{
	const struct mt_command_block *block;
	uint64_t bit;

	if (!find_block(w, va))
		return NULL;
	block = &w->chain->blocks[w->block];
	bit = (uint64_t)w->block * UNITS_PER_BLOCK + (va - block->va) / 8;
	if (w->seen[bit / 8] & 1u << bit % 8)
		return NULL;
	w->seen[bit / 8] |= (uint8_t)(1u << bit % 8);
	return (const uint8_t *)block->cpu + (va - block->va);
}

static void push(struct walk *w, uint64_t va)
{
	size_t capacity = w->todo_capacity ? 2 * w->todo_capacity : 16;
	uint64_t *todo;

	if (w->todo_count == w->todo_capacity) {
		todo = mt_realloc(w->todo, capacity * sizeof(*todo));
		if (!todo)
			return;
		w->todo = todo;
		w->todo_capacity = capacity;
	}
	w->todo[w->todo_count++] = va;
}

static void walk_line(struct walk *w, uint64_t va)
{
	const struct mt_pkt_header *header;
	const void *packet;

	while ((packet = packet_at(w, va))) {
		header = packet;
		w->packets++;
		if (header->opcode == MT_PKT_OP_END || header->opcode == MT_PKT_OP_RETURN)
			return;
		if (header->opcode == MT_PKT_OP_COND)
			push(w, ((const struct mt_pkt_cond *)packet)->target_va);
		if (header->opcode == MT_PKT_OP_JUMP)
			va = ((const struct mt_pkt_jump *)packet)->target_va;
		else
			va += header->len_qw * 8u;
	}
}

uint64_t mt_chain_count_packets(const struct mt_exec *exec)
{
	struct walk w = { .chain = &exec->chain };
	uint32_t lane;

	if (!exec->chain.block_count)
		return 0;
	w.seen = mt_calloc(exec->chain.block_count, UNITS_PER_BLOCK / 8);
	if (!w.seen)
		return 0;
	if (exec->reset_va)
		walk_line(&w, exec->reset_va);
	for (lane = 0; lane < exec->lane_count; lane++)
		walk_line(&w, exec->lane_va[lane]);
	while (w.todo_count)
		walk_line(&w, w.todo[--w.todo_count]);
	mt_free(w.seen);
	mt_free(w.todo);
	return w.packets;
}
