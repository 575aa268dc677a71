/* SPDX-License-Identifier: MIT */
/* The memory that a graph names: ranges, lifetimes, and how much of them is in the file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/dump/command.h"
#include "tools/dump/output.h"
#include "tools/dump/show.h"
#include "tools/dump/words.h"

static const char *saved_word(uint32_t flags)
{
	return flags & MTG_RANGE_SAVED	      ? "saved" :
	       flags & MTG_RANGE_OVER_LIMIT ? "over the limit" :
	       flags & MTG_RANGE_UNREADABLE ? "unreadable" :
						"not saved";
}

static void print_range(const struct file_range *range, uint64_t saved_b)
{
	char size[OUT_SIZE_B], saved[OUT_SIZE_B];

	out_print(OUT_NAME, "%6u", range->head.index);
	printf("  0x%012" PRIx64 "  %10s  %-10s  %-8s  %s", range->head.va,
	       out_size(range->head.range_b, size), word_range_kind(range->head.kind),
	       word_lifetime(range->head.lifetime), saved_word(range->head.flags));
	if (range->head.flags & MTG_RANGE_SAVED)
		printf(", %s not zero", out_size(saved_b, saved));
	if (range->head.node != MTG_NONE)
		printf(", node %u of graph %u", range->head.node, range->head.graph);
	if (range->name.count) {
		fputs(", ", stdout);
		out_name(range->name.bytes, range->name.count);
	}
	putchar('\n');
}

static void write_range(struct json *json, const struct file_range *range, uint64_t saved_b)
{
	json_object(json, NULL);
	json_number(json, "index", range->head.index);
	json_hex(json, "address", range->head.va);
	json_number(json, "bytes", range->head.range_b);
	json_string(json, "kind", word_range_kind(range->head.kind));
	json_string(json, "memory", word_memory(range->head.memory));
	json_string(json, "lifetime", word_lifetime(range->head.lifetime));
	json_number(json, "device", range->head.device);
	json_string(json, "contents", saved_word(range->head.flags));
	json_number(json, "saved_bytes", saved_b);
	if (range->head.node != MTG_NONE) {
		json_number(json, "graph", range->head.graph);
		json_number(json, "node", range->head.node);
	}
	if (range->name.count)
		json_text(json, "name", range->name.bytes, range->name.count);
	json_end(json);
}

int show_memory(struct dump_file *file, struct json *json)
{
	uint32_t count, i, index = 0;
	const struct file_range *ranges = file_ranges(file, &count);
	uint64_t *saved_b = calloc(count + 1u, sizeof(*saved_b));
	struct file_piece piece;

	if (!saved_b) {
		dump_error("memory has run out");
		return DUMP_UNREADABLE;
	}
	while (file_next_piece(file, &index, &piece))
		saved_b[piece.head.range] += piece.head.bytes_b;
	if (json)
		json_array(json, "ranges");
	else
		out_print(OUT_HEADING, "%6s  %-14s  %10s  %-10s  %-8s  %s\n", "memory", "address",
			  "size", "kind", "life", "contents");
	for (i = 0; i < count; i++) {
		if (json)
			write_range(json, &ranges[i], saved_b[i]);
		else
			print_range(&ranges[i], saved_b[i]);
	}
	if (json)
		json_end(json);
	free(saved_b);
	return file_status(file);
}
