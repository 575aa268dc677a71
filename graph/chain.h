/* SPDX-License-Identifier: MIT */
/*
 * The command memory of an exec: blocks from the context's pool, and writers that append packets,
 * linking blocks by JUMP.
 *
 * A small exec takes one block of the size it needs for everything: argument images, slots, lanes. A
 * large one gives each lane chunks of its own.
 */
#ifndef MT_GRAPH_CHAIN_H
#define MT_GRAPH_CHAIN_H

#include "drv/command.h"
#include "hw/hw.h"

/* A place in command memory: block number, then offset in units of 8 bytes.
 *
 *   31              11 10         0
 *  +------------------+------------+
 *  |      block       | offset / 8 |
 *  +------------------+------------+
 */
typedef uint32_t mt_place;
#define MT_PLACE_NONE        0xffffffffu
#define MT_PLACE_OFFSET_BITS 11u
_Static_assert(MT_COMMAND_CHUNK_B <= 8u << MT_PLACE_OFFSET_BITS, "an offset fits");

#define MT_CHAIN_LINK_B 16u /* tail of a lane's block that the JUMP to the next one needs */

struct mt_chain {
	struct mt_command_pool *pool;    /* borrowed */
	struct mt_command_block *blocks; /* owned, heap */
	uint32_t block_count, block_capacity;
	/* Bump allocation of what is not packets. */
	uint32_t bump_block;
	uint32_t bump_at, bump_end;      /* offsets in bytes */
	uint64_t bump_left_b;            /* announced, and in no block yet */
	bool shared;                     /* everything, lanes too, comes from the bump block */
};

/* Appends packets to one lane or body. */
struct mt_chain_writer {
	struct mt_chain *chain;
	uint8_t *at, *end;   /* free room; behind `end` the link still fits */
	uint64_t to_va;      /* GPU address = CPU address + to_va */
	uint32_t block;
	uint64_t left_b;     /* bytes that were still to come when the block was entered */
	uint8_t *entered;    /* where that was */
	uint64_t start_va;   /* first packet */
	MUresult status;     /* first failure; later calls do nothing */
	uint64_t spill[512 / 8]; /* where packets go after a failure */
};

void mt_chain_init(struct mt_chain *chain, struct mt_command_pool *pool);
void mt_chain_finish(struct mt_chain *chain);

/* Announces what will be asked for: bytes of data and of all writers (tails included). */
MUresult mt_chain_plan(struct mt_chain *chain, uint64_t data_b, uint64_t packets_b);

MUresult mt_chain_alloc_slow(struct mt_chain *chain, uint32_t size_b, mt_place *place_out);

/* Room that never moves; align_b 8..64, size_b at most MT_COMMAND_CHUNK_B. Not zeroed. */
static inline MUresult mt_chain_alloc(struct mt_chain *chain, uint32_t size_b, uint32_t align_b,
				      mt_place *place_out)
{
	uint32_t at = (chain->bump_at + align_b - 1) & ~(align_b - 1);

	if (at + size_b > chain->bump_end)
		return mt_chain_alloc_slow(chain, size_b, place_out);
	chain->bump_at = at + size_b;
	*place_out = chain->bump_block << MT_PLACE_OFFSET_BITS | at / 8;
	return MUSA_SUCCESS;
}

static inline void *mt_chain_cpu(const struct mt_chain *chain, mt_place place)
{
	return (uint8_t *)chain->blocks[place >> MT_PLACE_OFFSET_BITS].cpu +
	       (place & ((1u << MT_PLACE_OFFSET_BITS) - 1)) * 8;
}

static inline uint64_t mt_chain_va(const struct mt_chain *chain, mt_place place)
{
	return chain->blocks[place >> MT_PLACE_OFFSET_BITS].va +
	       (place & ((1u << MT_PLACE_OFFSET_BITS) - 1)) * 8;
}

/* A writer for `packets_b` bytes. */
void mt_chain_writer_init(struct mt_chain_writer *writer, struct mt_chain *chain,
			  uint64_t packets_b);

/* Room for one packet, or several that stay together (at most 8 KiB); mt_chain_writer_advance()
 * takes it. Never NULL: after a failure it is spill memory of 512 bytes for fixed-size packets; check
 * writer->status before writing more. */
void *mt_chain_writer_room_slow(struct mt_chain_writer *writer, uint32_t size_b);

static inline void *mt_chain_writer_room(struct mt_chain_writer *writer, uint32_t size_b)
{
	if (__builtin_expect(writer->at + size_b > writer->end, 0))
		return mt_chain_writer_room_slow(writer, size_b);
	return writer->at;
}

static inline void mt_chain_writer_advance(struct mt_chain_writer *writer, void *end)
{
	if (writer->status == MUSA_SUCCESS)
		writer->at = end;
}

static inline uint64_t mt_chain_writer_va(const struct mt_chain_writer *writer)
{
	return (uint64_t)(uintptr_t)writer->at + writer->to_va;
}

static inline mt_place mt_chain_writer_place(const struct mt_chain_writer *writer)
{
	uint64_t offset = (uint64_t)(writer->at -
				     (uint8_t *)writer->chain->blocks[writer->block].cpu);

	return writer->block << MT_PLACE_OFFSET_BITS | (uint32_t)(offset / 8);
}

#endif
