/* SPDX-License-Identifier: MIT */
/* The part of the file that only executable graphs have: packets, patch sites, queues. */
#include <string.h>

#include "graph/chain_walk.h"
#include "graph/save_internal.h"
#include "hw/base/alloc.h"

static void write_head(struct mt_save *save)
{
	const struct mt_exec *exec = save->view.exec;
	struct mtg_exec head = {
		.size_b = sizeof(head),
		.node_count = exec->node_count,
		.flags = exec->flags,
		.queue_count = exec->lane_count,
		.chunk_count = exec->chain.block_count,
		.prologue_va = exec->reset_va,
		.queue_table_va = exec->lane_table_va,
		.packet_version = MT_PKT_VERSION,
	};
	_Static_assert(MTG_QUEUES_MAX >= MT_HW_LANES_MAX, "all lanes fit");

	memcpy(head.queue_va, exec->lane_va, exec->lane_count * sizeof(head.queue_va[0]));
	mt_save_begin(&save->file, MTG_EXEC);
	mt_save_put(&save->file, &head, sizeof(head));
	mt_save_end(&save->file);
}

/* The queue that a node's packets are met in first. */
static void note_queue(void *data, uint32_t lane, uint64_t va, const struct mt_pkt_header *header)
{
	uint8_t *queues = data;

	(void)va;
	if (header->node != MT_PKT_NODE_NONE && queues[header->node] == UINT8_MAX)
		queues[header->node] = (uint8_t)lane;
}

static void put_node(struct mt_save *save, uint32_t number, const uint8_t *queues)
{
	const struct mt_exec *exec = save->view.exec;
	const struct mt_exec_node *node = &exec->nodes[number];
	struct mtg_exec_node record = {
		.queue = queues[number] == UINT8_MAX ? MTG_NONE : queues[number],
		.state = node->state,
	};

	if (node->packet != MT_PLACE_NONE) {
		record.packet_va = mt_chain_va(&exec->chain, node->packet);
		record.packet_b = node->packet_b;
	}
	if (node->data != MT_PLACE_NONE) {
		record.data_va = mt_chain_va(&exec->chain, node->data);
		record.data_b = node->data_b;
	}
	mt_save_put(&save->file, &record, sizeof(record));
}

static MUresult write_nodes(struct mt_save *save)
{
	const struct mt_exec *exec = save->view.exec;
	struct mt_save_file *file = &save->file;
	struct mtg_exec_nodes head;
	uint32_t number = 0, count;
	uint8_t *queues = mt_alloc(exec->node_count + 1u);
	MUresult ret;

	if (!queues)
		return MUSA_ERROR_OUT_OF_MEMORY;
	memset(queues, UINT8_MAX, exec->node_count + 1u);
	ret = mt_chain_walk(exec, note_queue, queues);
	while (!ret && number < exec->node_count) {
		count = exec->node_count - number;
		if (count > MTG_BLOCK_B / sizeof(struct mtg_exec_node))
			count = MTG_BLOCK_B / sizeof(struct mtg_exec_node);
		head = (struct mtg_exec_nodes){.first = number, .count = count};
		mt_save_begin(file, MTG_EXEC_NODES);
		mt_save_put(file, &head, sizeof(head));
		for (; count; count--)
			put_node(save, number++, queues);
		mt_save_end(file);
	}
	mt_free(queues);
	return ret;
}

static void write_chunks(struct mt_save *save)
{
	const struct mt_chain *chain = &save->view.exec->chain;
	struct mt_save_file *file = &save->file;
	uint32_t i;

	mt_save_begin(file, MTG_CHUNKS);
	for (i = 0; i < chain->block_count; i++) {
		const struct mtg_chunk head = {.va = chain->blocks[i].va,
					       .chunk_b = chain->blocks[i].size_b};

		mt_save_put(file, &head, sizeof(head));
		mt_save_put(file, chain->blocks[i].cpu, chain->blocks[i].size_b);
		if (mt_save_is_full(file)) {
			mt_save_end(file);
			mt_save_begin(file, MTG_CHUNKS);
		}
	}
	mt_save_end(file);
}

MUresult mt_save_exec_write(struct mt_save *save)
{
	MUresult ret;

	write_head(save);
	ret = write_nodes(save);
	if (!ret)
		write_chunks(save);
	return ret;
}
