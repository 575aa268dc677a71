/* SPDX-License-Identifier: MIT */
/*
 * Patch lists: staging, submission, reuse.
 */
#include "graph/patch.h"

#include <string.h>

#include "graph/exec.h"
#include "hw/base/alloc.h"

#define WRITE_B    ((uint32_t)sizeof(struct mt_pkt_write))
#define FIRST_B    MT_COMMAND_STEP_B /* first block of a list; later ones are whole chunks */
#define CHUNK_ROOM (MT_COMMAND_CHUNK_B - MT_CHAIN_LINK_B)

/* --- memory ------------------------------------------------------------------------------------- */

/* Records of lists and blocks come from the exec's arena and are used again. */
static struct mt_patch_block *new_block_record(struct mt_exec *exec)
{
	struct mt_patch_block *block = exec->patch.free_blocks;

	if (!block)
		return mt_arena_alloc(&exec->arena, sizeof(*block), _Alignof(struct mt_patch_block));
	exec->patch.free_blocks = block->next;
	block->next = NULL;
	return block;
}

static void drop_block(struct mt_exec *exec, struct mt_patch_block *block)
{
	mt_command_free(exec->chain.pool, &block->block);
	block->next = exec->patch.free_blocks;
	exec->patch.free_blocks = block;
}

static MUresult new_block(struct mt_exec *exec, uint32_t size_b, struct mt_patch_block **block_out)
{
	struct mt_patch_block *block = new_block_record(exec);
	MUresult ret;

	if (!block)
		return MUSA_ERROR_OUT_OF_MEMORY;
	ret = mt_command_alloc(exec->chain.pool, size_b, &block->block);
	if (ret) {
		block->next = exec->patch.free_blocks;
		exec->patch.free_blocks = block;
		return ret;
	}
	*block_out = block;
	return MUSA_SUCCESS;
}

static void drop_list(struct mt_exec *exec, struct mt_patch_list *list)
{
	struct mt_patch_block *block, *next;

	for (block = list->first; block; block = next) {
		next = block->next;
		drop_block(exec, block);
	}
	list->next = exec->patch.free_lists;
	exec->patch.free_lists = list;
}

void mt_patch_reap(struct mt_exec *exec)
{
	struct mt_patch_list *list;

	while ((list = exec->patch.oldest) &&
	       mt_hw_queue_completed(list->ticket.queue) >= list->ticket.seq) {
		exec->patch.oldest = list->next;
		exec->patch.done_epoch = list->epoch;
		drop_list(exec, list);
	}
	if (!exec->patch.oldest)
		exec->patch.newest = NULL;
}

void mt_patch_finish(struct mt_exec *exec)
{
	struct mt_patch *patch = &exec->patch;
	struct mt_patch_list *list;
	struct mt_patch_block *block;

	if (patch->open)
		drop_list(exec, patch->open);
	while ((list = patch->oldest)) {
		patch->oldest = list->next;
		drop_list(exec, list);
	}
	while ((block = patch->spare)) {
		patch->spare = block->next;
		drop_block(exec, block);
	}
	memset(patch, 0, sizeof(*patch));
}

/* --- the open list ------------------------------------------------------------------------------ */

static void enter_block(struct mt_patch_list *list, struct mt_patch_block *block)
{
	block->next = NULL;
	if (list->last)
		list->last->next = block;
	else
		list->first = block;
	list->last = block;
	list->at = block->block.cpu;
	list->end = list->at + block->block.size_b - MT_CHAIN_LINK_B;
}

static MUresult open_list(struct mt_exec *exec)
{
	struct mt_patch *patch = &exec->patch;
	struct mt_patch_list *list = patch->free_lists;

	if (patch->open)
		return MUSA_SUCCESS;
	if (list)
		patch->free_lists = list->next;
	else
		list = mt_arena_alloc(&exec->arena, sizeof(*list), _Alignof(struct mt_patch_list));
	if (!list)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memset(list, 0, sizeof(*list));
	list->epoch = ++patch->epoch;
	patch->open = list;
	return MUSA_SUCCESS;
}

/* Nothing in it any more: as if it had not been opened. */
static void close_empty(struct mt_exec *exec)
{
	struct mt_patch *patch = &exec->patch;

	if (!patch->open || patch->open->first)
		return;
	patch->open->next = patch->free_lists;
	patch->free_lists = patch->open;
	patch->open = NULL;
}

/* The list is complete after each entry, so that a launch has nothing to write. The link's room is
 * always left. */
static void put_tail(const struct mt_exec *exec, const struct mt_patch_list *list)
{
	if (exec->reset_va)
		mt_pkt_put_jump(list->at, 0, MT_PKT_NODE_NONE, exec->reset_va);
	else
		mt_pkt_put_end(list->at, MT_PKT_NODE_NONE);
}

/* Contiguous room in the open list. */
static uint8_t *take_room(struct mt_exec *exec, uint32_t size_b)
{
	struct mt_patch_list *list = exec->patch.open;
	struct mt_patch_block *block = exec->patch.spare;
	uint8_t *link = list->at;
	uint8_t *room;

	if (!list->last || (size_t)(list->end - list->at) < size_b) {
		if (block) {
			exec->patch.spare = block->next;
			exec->patch.spare_count--;
		} else if (new_block(exec, !list->last && size_b <= FIRST_B - MT_CHAIN_LINK_B
						   ? FIRST_B : MT_COMMAND_CHUNK_B, &block)) {
			return NULL;
		}
		enter_block(list, block);
		if (link)
			mt_pkt_put_jump(link, 0, MT_PKT_NODE_NONE, block->block.va);
	}
	room = list->at;
	list->at += size_b;
	put_tail(exec, list);
	return room;
}

uint32_t mt_patch_entry_b(const struct mt_exec_node *node, uint32_t data_b)
{
	return (node->packet_b ? WRITE_B + node->packet_b : 0) + (data_b ? WRITE_B + data_b : 0);
}

MUresult mt_patch_reserve(struct mt_exec *exec, uint64_t bytes, uint32_t largest_b)
{
	uint64_t wanted = bytes / (CHUNK_ROOM - largest_b) + 1;
	struct mt_patch_block *block;
	MUresult ret = open_list(exec);

	while (!ret && exec->patch.spare_count < wanted) {
		ret = new_block(exec, MT_COMMAND_CHUNK_B, &block);
		if (ret)
			break;
		block->next = exec->patch.spare;
		exec->patch.spare = block;
		exec->patch.spare_count++;
	}
	if (ret)
		close_empty(exec);
	return ret;
}

/* --- nodes -------------------------------------------------------------------------------------- */

static void entry_view(const struct mt_exec_node *node, uint8_t *entry,
		       struct mt_patch_target *target_out)
{
	target_out->packet = entry + WRITE_B;
	target_out->data = entry + WRITE_B +
			   (node->packet_b ? node->packet_b + WRITE_B : 0);
}

const void *mt_patch_staged_data(const struct mt_exec_node *node)
{
	struct mt_patch_target target;

	entry_view(node, node->staged, &target);
	return target.data;
}

static void place_view(const struct mt_exec *exec, const struct mt_exec_node *node,
		       struct mt_patch_target *target_out)
{
	target_out->packet = node->packet_b ? mt_chain_cpu(&exec->chain, node->packet) : NULL;
	target_out->data = node->data_b ? mt_chain_cpu(&exec->chain, node->data) : NULL;
}

void mt_patch_current(const struct mt_exec *exec, const struct mt_exec_node *node,
		      struct mt_patch_target *target_out)
{
	/* An entry is readable until its list has been applied and returned. */
	if (node->epoch > exec->patch.done_epoch)
		entry_view(node, node->staged, target_out);
	else
		place_view(exec, node, target_out);
}

static void put_entry(struct mt_exec *exec, const struct mt_exec_node *node, uint8_t *entry,
		      const struct mt_patch_target *from)
{
	if (node->packet_b) {
		mt_pkt_put_write(entry, 0, MT_PKT_NODE_NONE,
				 mt_chain_va(&exec->chain, node->packet),
				 (const uint64_t *)(const void *)from->packet,
				 node->packet_b / 8);
		entry += WRITE_B + node->packet_b;
	}
	if (node->data_b)
		mt_pkt_put_write(entry, 0, MT_PKT_NODE_NONE,
				 mt_chain_va(&exec->chain, node->data),
				 (const uint64_t *)(const void *)from->data, node->data_b / 8);
}

/* The exec's packets may be read, or will be changed by lists that have not run. */
bool mt_patch_must_stage(struct mt_exec *exec)
{
	if (exec->patch.open)
		return true;
	mt_patch_reap(exec);
	return exec->patch.oldest || !mt_exec_is_unused(exec);
}

/*
 * A launch that has been submitted may still read the old place, so it is given up, not used again
 * before the exec goes. Places at least double, so what is given up is less than what is used.
 */
MUresult mt_patch_find_data(struct mt_exec *exec, const struct mt_exec_node *node, uint32_t data_b,
			    struct mt_patch_move *move_out)
{
	uint32_t room_b = 2u * node->data_b > data_b ? 2u * node->data_b : data_b;
	MUresult ret;

	if (room_b > MT_COMMAND_KERNARG_MAX)
		room_b = data_b;
	ret = mt_chain_alloc(&exec->chain, room_b, 64, &move_out->place);
	if (ret)
		return ret;
	memset(mt_chain_cpu(&exec->chain, move_out->place), 0, room_b);
	move_out->room_b = room_b;
	return MUSA_SUCCESS;
}

/* Makes an entry of the open list do nothing. */
static void cancel_entry(const struct mt_exec_node *node)
{
	uint8_t *entry = node->staged;

	if (node->packet_b)
		entry = mt_pkt_put_nop(entry, 0, MT_PKT_NODE_NONE,
				       (uint16_t)((WRITE_B + node->packet_b) / 8));
	if (node->data_b)
		mt_pkt_put_nop(entry, 0, MT_PKT_NODE_NONE,
			       (uint16_t)((WRITE_B + node->data_b) / 8));
}

static void move_data(struct mt_exec_node *node, const struct mt_patch_move *move)
{
	node->data = move->place;
	node->data_b = (uint16_t)move->room_b;
	node->epoch = 0; /* earlier entries are of no more use */
}

/* A new entry for the node in the open list, filled with its current words. */
static MUresult stage(struct mt_exec *exec, struct mt_exec_node *node,
		      const struct mt_patch_move *move)
{
	struct mt_patch_target current;
	uint8_t *entry;
	MUresult ret = open_list(exec);

	if (ret)
		return ret;
	entry = take_room(exec, mt_patch_entry_b(node, move->room_b ? move->room_b : node->data_b));
	if (!entry) {
		close_empty(exec);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	mt_patch_current(exec, node, &current);
	if (move->room_b) {
		current.data = mt_chain_cpu(&exec->chain, move->place);
		if (node->epoch == exec->patch.open->epoch)
			cancel_entry(node);
		move_data(node, move);
	}
	put_entry(exec, node, entry, &current);
	node->staged = entry;
	node->epoch = exec->patch.open->epoch;
	return MUSA_SUCCESS;
}

MUresult mt_patch_target(struct mt_exec *exec, struct mt_exec_node *node,
			 const struct mt_patch_move *move, struct mt_patch_target *target_out)
{
	MUresult ret;

	if (!mt_patch_must_stage(exec)) {
		if (move->room_b)
			move_data(node, move);
		place_view(exec, node, target_out);
		return MUSA_SUCCESS;
	}
	if (move->room_b || !exec->patch.open || node->epoch != exec->patch.open->epoch) {
		ret = stage(exec, node, move);
		if (ret)
			return ret;
	}
	entry_view(node, node->staged, target_out);
	return MUSA_SUCCESS;
}

/* --- submission --------------------------------------------------------------------------------- */

MUresult mt_patch_write(struct mt_exec *exec, uint64_t va, const uint64_t *words, uint16_t count,
			uint8_t flags)
{
	MUresult ret = open_list(exec);
	uint8_t *room;

	if (ret)
		return ret;
	room = take_room(exec, WRITE_B + count * 8u);
	if (!room) {
		close_empty(exec);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	mt_pkt_put_write(room, flags, MT_PKT_NODE_NONE, va, words, count);
	return MUSA_SUCCESS;
}

struct mt_patch_mark mt_patch_mark(const struct mt_exec *exec)
{
	const struct mt_patch_list *open = exec->patch.open;
	struct mt_patch_mark mark = { 0 };

	if (open) {
		mark.last = open->last;
		mark.at = open->at;
		mark.end = open->end;
		mark.open = exec->patch.open;
	}
	return mark;
}

void mt_patch_rewind(struct mt_exec *exec, const struct mt_patch_mark *mark)
{
	struct mt_patch_list *list = exec->patch.open;
	struct mt_patch_block *block, *next;

	if (!list)
		return;
	block = mark->last ? mark->last->next : list->first;
	for (; block; block = next) {
		next = block->next;
		drop_block(exec, block);
	}
	list->last = mark->last;
	list->at = mark->at;
	list->end = mark->end;
	if (list->last) {
		list->last->next = NULL;
		put_tail(exec, list);
	} else {
		list->first = NULL;
	}
	close_empty(exec);
}
