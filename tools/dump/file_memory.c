/* SPDX-License-Identifier: MIT */
/* The reader's view of memory: contents of ranges, and command memory. */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/file_private.h"

bool file_next_piece(struct dump_file *file, uint32_t *index, struct file_piece *piece_out)
{
	const struct file_section *section;
	const struct file_range *ranges;
	uint32_t at = file_find(file, MTG_CONTENTS, *index), count;
	struct mtg_contents *head = &piece_out->head;

	ranges = file_ranges(file, &count);
	if (file->status || at == file->section_count)
		return false;
	section = &file->sections[at];
	if (file_read_part(file, section, 0, head, sizeof(*head)))
		return false;
	if (head->range >= count || head->bytes_b != section->size_b - sizeof(*head) ||
	    head->offset_b > ranges[head->range].head.range_b ||
	    head->bytes_b > ranges[head->range].head.range_b - head->offset_b) {
		file_bad(file, section, "contents of no memory");
		return false;
	}
	piece_out->section = section;
	piece_out->bytes_at = sizeof(*head);
	*index = at + 1;
	return true;
}

static int compare_chunks(const void *a, const void *b)
{
	const struct file_chunk *x = a, *y = b;

	return x->va < y->va ? -1 : x->va > y->va;
}

/* Cuts a section into its chunks. */
static void take_chunks(struct dump_file *file, const struct file_section *section,
			const uint8_t *bytes, uint32_t *room)
{
	uint64_t at = 0, padded_b;

	while (at < section->size_b) {
		struct mtg_chunk head;
		struct file_chunk *chunk;

		if (section->size_b - at < sizeof(head)) {
			file_bad(file, section, "a chunk is cut short");
			return;
		}
		memcpy(&head, bytes + at, sizeof(head));
		at += sizeof(head);
		padded_b = ((uint64_t)head.chunk_b + 7) & ~UINT64_C(7);
		if (padded_b > section->size_b - at || head.va % 8 ||
		    head.chunk_b > UINT64_MAX - head.va) {
			file_bad(file, section, "a chunk is cut short");
			return;
		}
		if (!file_grow(file, &file->chunks, file->chunk_count, room, sizeof(*chunk)))
			return;
		chunk = &file->chunks[file->chunk_count++];
		chunk->va = head.va;
		chunk->chunk_b = head.chunk_b;
		chunk->bytes = bytes + at;
		at += padded_b;
	}
}

static void load_chunks(struct dump_file *file)
{
	uint32_t i, room = 0;

	for (i = file_find(file, MTG_CHUNKS, 0); i < file->section_count && !file->status;
	     i = file_find(file, MTG_CHUNKS, i + 1)) {
		struct file_buffer buffer = {0};

		if (file_read(file, &file->sections[i], &buffer)) {
			file_buffer_finish(&buffer);
			return;
		}
		if (!file_keep(file, buffer.bytes))
			return;
		take_chunks(file, &file->sections[i], buffer.bytes, &room);
	}
	if (file->chunk_count)
		qsort(file->chunks, file->chunk_count, sizeof(*file->chunks), compare_chunks);
	for (i = 1; i < file->chunk_count; i++)
		if (file->chunks[i - 1].va + file->chunks[i - 1].chunk_b > file->chunks[i].va)
			file_bad(file, NULL, "chunks lie over each other");
}

const struct file_chunk *file_chunks(struct dump_file *file, uint32_t *count_out)
{
	if (!(file->loaded & 1u << MTG_CHUNKS)) {
		file->loaded |= 1u << MTG_CHUNKS;
		load_chunks(file);
		if (file->chunks && !file_keep(file, file->chunks))
			file->chunks = NULL;
	}
	*count_out = file->status ? 0 : file->chunk_count;
	return *count_out ? file->chunks : NULL;
}

const void *file_command(struct dump_file *file, uint64_t va, uint32_t count)
{
	uint32_t low = 0, high, middle;
	const struct file_chunk *chunks = file_chunks(file, &high);

	while (low < high) {
		middle = low + (high - low) / 2;
		if (va < chunks[middle].va)
			high = middle;
		else if (va - chunks[middle].va >= chunks[middle].chunk_b)
			low = middle + 1;
		else
			break;
	}
	if (low >= high || count > chunks[middle].chunk_b - (va - chunks[middle].va))
		return NULL;
	return chunks[middle].bytes + (va - chunks[middle].va);
}
