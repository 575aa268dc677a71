/* SPDX-License-Identifier: MIT */
/*
 * Command memory of an exec: blocks, bump allocation, linked writers.
 */
#include "graph/chain.h"

#include <string.h>

#include "hw/base/alloc.h"

void mt_chain_init(struct mt_chain *chain, struct mt_command_pool *pool)
{
	memset(chain, 0, sizeof(*chain));
	chain->pool = pool;
}

void mt_chain_finish(struct mt_chain *chain)
{
	uint32_t i;

	for (i = 0; i < chain->block_count; i++)
		mt_command_free(chain->pool, &chain->blocks[i]);
	mt_free(chain->blocks);
	memset(chain, 0, sizeof(*chain));
}

static uint32_t block_size(uint64_t wanted_b)
{
	if (wanted_b >= MT_COMMAND_CHUNK_B)
		return MT_COMMAND_CHUNK_B;
	if (!wanted_b)
		return MT_COMMAND_STEP_B;
	return ((uint32_t)wanted_b + MT_COMMAND_STEP_B - 1) & ~(MT_COMMAND_STEP_B - 1);
}

static MUresult add_block(struct mt_chain *chain, uint32_t size_b, uint32_t *block_out)
{
	uint32_t capacity = chain->block_capacity;
	struct mt_command_block *blocks;
	MUresult ret;

	if (chain->block_count == capacity) {
		if (capacity >= 1u << (32 - MT_PLACE_OFFSET_BITS - 1))
			return MUSA_ERROR_OUT_OF_MEMORY;
		capacity = capacity ? capacity * 2 : 1;
		blocks = mt_realloc(chain->blocks, capacity * sizeof(*blocks));
		if (!blocks)
			return MUSA_ERROR_OUT_OF_MEMORY;
		chain->blocks = blocks;
		chain->block_capacity = capacity;
	}
	ret = mt_command_alloc(chain->pool, size_b, &chain->blocks[chain->block_count]);
	if (!ret)
		*block_out = chain->block_count++;
	return ret;
}

static MUresult next_bump_block(struct mt_chain *chain, uint64_t wanted_b)
{
	uint32_t block;
	MUresult ret = add_block(chain, block_size(wanted_b), &block);

	if (ret)
		return ret;
	chain->bump_block = block;
	chain->bump_at = 0;
	chain->bump_end = chain->blocks[block].size_b;
	chain->bump_left_b -= chain->bump_end < chain->bump_left_b ? chain->bump_end
								    : chain->bump_left_b;
	return MUSA_SUCCESS;
}

MUresult mt_chain_plan(struct mt_chain *chain, uint64_t data_b, uint64_t packets_b)
{
	chain->shared = data_b + packets_b <= MT_COMMAND_CHUNK_B;
	chain->bump_left_b = chain->shared ? data_b + packets_b : data_b;
	return chain->shared ? next_bump_block(chain, chain->bump_left_b) : MUSA_SUCCESS;
}

MUresult mt_chain_alloc_slow(struct mt_chain *chain, uint32_t size_b, mt_place *place_out)
{
	MUresult ret = next_bump_block(chain, chain->bump_left_b > size_b ? chain->bump_left_b
									  : size_b);

	if (ret)
		return ret;
	chain->bump_at = size_b;
	*place_out = chain->bump_block << MT_PLACE_OFFSET_BITS;
	return MUSA_SUCCESS;
}

/* --- writers ------------------------------------------------------------------------------------ */

static void fail(struct mt_chain_writer *writer, MUresult status)
{
	if (status && !writer->status) {
		writer->status = status;
		writer->at = (uint8_t *)writer->spill;
		writer->end = writer->at; /* later requests come here, too */
	}
}

static void enter_room(struct mt_chain_writer *writer, uint32_t block, uint32_t at, uint32_t size_b)
{
	struct mt_command_block *memory = &writer->chain->blocks[block];

	writer->block = block;
	writer->at = (uint8_t *)memory->cpu + at;
	writer->entered = writer->at;
	writer->end = writer->at + size_b - MT_CHAIN_LINK_B;
	writer->to_va = memory->va - (uint64_t)(uintptr_t)memory->cpu;
}

static MUresult next_room(struct mt_chain_writer *writer, uint32_t size_b)
{
	struct mt_chain *chain = writer->chain;
	uint64_t written_b = (uint64_t)(writer->at - writer->entered);
	uint64_t wanted_b;
	mt_place place;
	uint32_t block;
	MUresult ret;

	writer->left_b -= written_b < writer->left_b ? written_b : writer->left_b;
	wanted_b = (writer->left_b > size_b ? writer->left_b : size_b) + MT_CHAIN_LINK_B;
	if (chain->shared && wanted_b <= MT_COMMAND_CHUNK_B) {
		ret = mt_chain_alloc(chain, (uint32_t)wanted_b, 8, &place);
		if (!ret)
			enter_room(writer, place >> MT_PLACE_OFFSET_BITS,
				   (place & ((1u << MT_PLACE_OFFSET_BITS) - 1)) * 8,
				   (uint32_t)wanted_b);
		return ret;
	}
	ret = add_block(chain, block_size(wanted_b), &block);
	if (!ret)
		enter_room(writer, block, 0, chain->blocks[block].size_b);
	return ret;
}

void mt_chain_writer_init(struct mt_chain_writer *writer, struct mt_chain *chain,
			  uint64_t packets_b)
{
	writer->chain = chain;
	writer->left_b = packets_b;
	writer->status = MUSA_SUCCESS;
	writer->at = NULL;
	writer->entered = NULL;
	fail(writer, next_room(writer, 8));
	writer->start_va = writer->status ? 0 : mt_chain_writer_va(writer);
}

void *mt_chain_writer_room_slow(struct mt_chain_writer *writer, uint32_t size_b)
{
	uint8_t *link = writer->at;
	MUresult ret;

	if (writer->status)
		return writer->spill;
	ret = next_room(writer, size_b);
	if (ret) {
		fail(writer, ret);
		return writer->spill;
	}
	mt_pkt_put_jump(link, 0, MT_PKT_NODE_NONE, mt_chain_writer_va(writer));
	return writer->at;
}
