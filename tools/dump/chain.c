/* SPDX-License-Identifier: MIT */
/* Follows saved packets. */
#include "tools/dump/chain.h"

#include <stdlib.h>

#include "tools/dump/command.h"

struct target {
	uint64_t va;
	uint32_t queue;
};

struct walker {
	struct dump_file *file;
	void (*visit)(void *data, const struct chain_packet *packet);
	void *data;
	const struct file_chunk *chunks;
	uint64_t *first_unit; /* by chunk: number of its first 8 bytes */
	uint8_t *visited;     /* a bit for every 8 bytes of command memory */
	struct target *todo;
	uint32_t chunk_count, todo_count, todo_room;
	bool failed;
};

const char *chain_part_word(enum chain_part part)
{
	return part == CHAIN_PROLOGUE ? "prologue" : part == CHAIN_QUEUE ? "queue" : "branch";
}

static uint32_t find_chunk(const struct walker *w, uint64_t va)
{
	uint32_t low = 0, high = w->chunk_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (va < w->chunks[middle].va)
			high = middle;
		else if (va - w->chunks[middle].va >= w->chunks[middle].chunk_b)
			low = middle + 1;
		else
			return middle;
	}
	return w->chunk_count;
}

static void push(struct walker *w, uint64_t va, uint32_t queue)
{
	uint32_t room = w->todo_room ? w->todo_room * 2 : 16;
	struct target *todo;

	if (w->todo_count == w->todo_room) {
		todo = reallocarray(w->todo, room, sizeof(*todo));
		if (!todo) {
			w->failed = true;
			return;
		}
		w->todo = todo;
		w->todo_room = room;
	}
	w->todo[w->todo_count++] = (struct target){va, queue};
}

static void walk_line(struct walker *w, uint64_t va, enum chain_part part, uint32_t queue)
{
	struct chain_packet packet = {.part = part, .queue = queue, .starts_line = true};

	for (; !w->failed; packet.starts_line = false) {
		uint32_t index = find_chunk(w, va);
		uint64_t offset_b, unit;

		packet.va = va;
		packet.header = NULL;
		packet.why = NULL;
		if (index == w->chunk_count || va % 8) {
			packet.why = "outside the saved command memory";
			w->visit(w->data, &packet);
			return;
		}
		offset_b = va - w->chunks[index].va;
		unit = w->first_unit[index] + offset_b / 8;
		if (w->visited[unit / 8] & 1u << unit % 8)
			return;
		w->visited[unit / 8] |= (uint8_t)(1u << unit % 8);
		packet.header = (const void *)(w->chunks[index].bytes + offset_b);
		if (mt_pkt_validate(packet.header, (w->chunks[index].chunk_b - offset_b) / 8,
				    &packet.why)) {
			packet.header = NULL;
			w->visit(w->data, &packet);
			return;
		}
		w->visit(w->data, &packet);
		switch (packet.header->opcode) {
		case MT_PKT_OP_END:
		case MT_PKT_OP_RETURN:
			return;
		case MT_PKT_OP_COND:
			push(w, ((const struct mt_pkt_cond *)packet.header)->target_va, queue);
			break;
		case MT_PKT_OP_CALL:
			push(w, ((const struct mt_pkt_jump *)packet.header)->target_va, queue);
			break;
		case MT_PKT_OP_JUMP:
			va = ((const struct mt_pkt_jump *)packet.header)->target_va;
			continue;
		default:
			break;
		}
		va += (uint64_t)packet.header->len_qw * 8;
	}
}

void chain_walk(struct dump_file *file,
		void (*visit)(void *data, const struct chain_packet *packet), void *data)
{
	struct walker w = {.file = file, .visit = visit, .data = data};
	const struct mtg_exec *exec = file_exec(file);
	uint64_t units = 0;
	uint32_t i;

	if (!exec)
		return;
	w.chunks = file_chunks(file, &w.chunk_count);
	w.first_unit = calloc(w.chunk_count + 1u, sizeof(*w.first_unit));
	for (i = 0; w.first_unit && i < w.chunk_count; i++) {
		w.first_unit[i] = units;
		units += ((uint64_t)w.chunks[i].chunk_b + 7) / 8;
	}
	w.visited = calloc(units / 8 + 1, 1);
	w.failed = !w.first_unit || !w.visited;
	if (exec->prologue_va)
		walk_line(&w, exec->prologue_va, CHAIN_PROLOGUE, 0);
	for (i = 0; i < exec->queue_count; i++)
		walk_line(&w, exec->queue_va[i], CHAIN_QUEUE, i);
	while (w.todo_count && !w.failed) {
		const struct target target = w.todo[--w.todo_count];

		walk_line(&w, target.va, CHAIN_BRANCH, target.queue);
	}
	if (w.failed)
		file_bad(file, NULL, "memory has run out");
	free(w.first_unit);
	free(w.visited);
	free(w.todo);
}
