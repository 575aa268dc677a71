/* SPDX-License-Identifier: MIT */
/*
 * Prints a chain by following it as the command processor would: links, then the branch targets that
 * were met on the way and not printed yet.
 */
#include "graph/chain_print.h"

#include <stdio.h>
#include <unistd.h>

#include "hw/base/alloc.h"

#define UNITS_PER_BLOCK (MT_COMMAND_CHUNK_B / 8)

struct printer {
	const struct mt_chain *chain;
	FILE *file;
	uint8_t *printed; /* a bit for every 8 bytes of every block */
	uint64_t *todo;   /* branch targets still to look at */
	size_t todo_count, todo_capacity;
	MUresult status;
};

/* The block that holds an address, or false for one outside the chain. */
static bool find_block(const struct printer *p, uint64_t va, uint32_t *block_out)
{
	for (uint32_t i = 0; i < p->chain->block_count; i++) {
		const struct mt_command_block *block = &p->chain->blocks[i];

		if (va >= block->va && va < block->va + block->size_b) {
			*block_out = i;
			return true;
		}
	}
	return false;
}

/* Marks an address as printed; true if it was so already. */
static bool mark(struct printer *p, uint32_t block, uint64_t offset_b)
{
	uint64_t bit = (uint64_t)block * UNITS_PER_BLOCK + offset_b / 8;
	uint8_t mask = (uint8_t)(1u << bit % 8);
	bool was = p->printed[bit / 8] & mask;

	p->printed[bit / 8] |= mask;
	return was;
}

static void push(struct printer *p, uint64_t va)
{
	if (p->todo_count == p->todo_capacity) {
		size_t capacity = p->todo_capacity ? p->todo_capacity * 2 : 16;
		uint64_t *todo = mt_realloc(p->todo, capacity * sizeof(*todo));

		if (!todo) {
			p->status = MUSA_ERROR_OUT_OF_MEMORY;
			return;
		}
		p->todo = todo;
		p->todo_capacity = capacity;
	}
	p->todo[p->todo_count++] = va;
}

/* Prints from an address to the end of the straight line. */
static void print_line(struct printer *p, uint64_t va, const char *heading)
{
	uint32_t block;

	while (!p->status && find_block(p, va, &block)) {
		const struct mt_command_block *at = &p->chain->blocks[block];
		uint64_t offset_b = va - at->va;
		const struct mt_pkt_header *header;
		const char *why;
		char text[256];

		if (mark(p, block, offset_b))
			return;
		header = (const void *)((const uint8_t *)at->cpu + offset_b);
		if (heading)
			fprintf(p->file, "%s\n", heading);
		heading = NULL;
		if (mt_pkt_validate(header, (at->size_b - offset_b) / 8, &why)) {
			fprintf(p->file, "  %#llx: bad packet: %s\n", (unsigned long long)va, why);
			return;
		}
		mt_pkt_print(header, text, sizeof(text));
		fprintf(p->file, "  %#llx: %s\n", (unsigned long long)va, text);
		if (header->opcode == MT_PKT_OP_END || header->opcode == MT_PKT_OP_RETURN)
			return;
		if (header->opcode == MT_PKT_OP_COND)
			push(p, ((const struct mt_pkt_cond *)header)->target_va);
		if (header->opcode == MT_PKT_OP_CALL)
			push(p, ((const struct mt_pkt_jump *)header)->target_va);
		if (header->opcode == MT_PKT_OP_JUMP)
			va = ((const struct mt_pkt_jump *)header)->target_va;
		else
			va += (uint64_t)header->len_qw * 8;
	}
}

static void print_exec(struct printer *p, const struct mt_exec *exec)
{
	char heading[64];

	fprintf(p->file, "exec of %u nodes: %u lane%s, %u block%s of command memory\n",
		exec->node_count, exec->lane_count, exec->lane_count == 1 ? "" : "s",
		exec->chain.block_count, exec->chain.block_count == 1 ? "" : "s");
	if (exec->reset_va)
		print_line(p, exec->reset_va, "prologue:");
	for (uint32_t lane = 0; lane < exec->lane_count; lane++) {
		snprintf(heading, sizeof(heading), "lane %u:", lane);
		print_line(p, exec->lane_va[lane], heading);
	}
	while (!p->status && p->todo_count) {
		uint64_t va = p->todo[--p->todo_count];

		snprintf(heading, sizeof(heading), "at %#llx:", (unsigned long long)va);
		print_line(p, va, heading);
	}
}

MUresult mt_exec_print(MUgraphExec handle, int fd)
{
	struct printer p = {0};
	struct mt_exec *exec;
	MUresult ret = mt_exec_get(handle, &exec);
	int copy;

	if (ret)
		return ret;
	copy = dup(fd);
	if (copy < 0)
		return MUSA_ERROR_INVALID_VALUE;
	p.file = fdopen(copy, "w");
	if (!p.file) {
		close(copy);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	pthread_mutex_lock(&exec->lock);
	p.chain = &exec->chain;
	p.printed = mt_calloc(exec->chain.block_count, UNITS_PER_BLOCK / 8);
	if (!p.printed)
		p.status = MUSA_ERROR_OUT_OF_MEMORY;
	else
		print_exec(&p, exec);
	pthread_mutex_unlock(&exec->lock);
	mt_free(p.printed);
	mt_free(p.todo);
	if ((ferror(p.file) | fclose(p.file)) && !p.status)
		p.status = MUSA_ERROR_OPERATING_SYSTEM;
	return p.status;
}
