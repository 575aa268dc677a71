/* SPDX-License-Identifier: MIT */
/* What a saved graph holds, in a few lines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tools/dump/command.h"
#include "tools/dump/output.h"
#include "tools/dump/show.h"
#include "tools/dump/words.h"

struct counts {
	uint64_t nodes, edges, by_type[WORD_NODE_TYPES];
	uint32_t graphs, children, bodies;
	uint64_t memory_b, saved_b;
};

static void count_memory(struct dump_file *file, struct counts *counts)
{
	struct file_piece piece;
	uint32_t i, count, index = 0;
	const struct file_range *ranges = file_ranges(file, &count);

	for (i = 0; i < count; i++)
		counts->memory_b += ranges[i].head.range_b;
	while (file_next_piece(file, &index, &piece))
		counts->saved_b += piece.head.bytes_b;
}

static void count_all(struct dump_file *file, struct counts *counts)
{
	struct file_node_cursor cursor = {0};
	struct file_node node;
	uint32_t i;
	const struct mtg_graph *graphs = file_graphs(file, &counts->graphs);

	for (i = 0; i < counts->graphs; i++) {
		counts->children += graphs[i].role == MTG_CHILD;
		counts->bodies += graphs[i].role == MTG_BODY;
	}
	while (file_next_node(file, &cursor, &node)) {
		counts->nodes++;
		counts->edges += node.head->dep_count;
		counts->by_type[node.head->type]++;
	}
	file_node_cursor_finish(&cursor);
	count_memory(file, counts);
}

static void print_time(uint64_t time_ns, char text[32])
{
	time_t seconds = (time_t)(time_ns / 1000000000u);
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) || !strftime(text, 32, "%Y-%m-%d %H:%M:%S UTC", &parts))
		strcpy(text, "?");
}

static void print_origin(struct dump_file *file)
{
	const struct file_info *info = file_info(file);
	char time[32];

	print_time(info->head.time_ns, time);
	fputs("saved ", stdout);
	printf("%s by ", time);
	out_name(info->program.bytes, info->program.count);
	printf(" (process %u, version ", info->head.pid);
	out_name(info->version.bytes, info->version.count);
	fputs(", backend ", stdout);
	out_name(info->backend.bytes, info->backend.count);
	fputs(")\n", stdout);
	for (uint32_t i = 0; i < info->head.device_count; i++) {
		const struct mtg_device *device = &info->devices[i];

		printf("device %u: ", i);
		out_name(device->name, strnlen(device->name, sizeof(device->name)));
		printf(", mp_%u, warps of %u\n", device->arch_id / 10, device->warp_size);
	}
}

static void print_counts(struct dump_file *file, const struct counts *counts)
{
	char size[OUT_SIZE_B], saved[OUT_SIZE_B];
	const struct mtg_exec *exec = file_exec(file);
	uint32_t codes, kernels;
	const char *separator = ": ";

	file_codes(file, &codes);
	file_kernels(file, &kernels);
	out_print(OUT_HEADING, "%s", exec ? "executable graph" : "graph");
	printf(": %" PRIu64 " nodes, %" PRIu64 " edges", counts->nodes, counts->edges);
	if (counts->children)
		printf(", %u child graphs", counts->children);
	if (counts->bodies)
		printf(", %u conditional bodies", counts->bodies);
	fputs("\nnodes", stdout);
	for (uint32_t type = 0; type < WORD_NODE_TYPES; type++) {
		if (!counts->by_type[type])
			continue;
		printf("%s%" PRIu64 " %s", separator, counts->by_type[type], word_node_type(type));
		separator = ", ";
	}
	printf("\ncode: %u code objects, %u kernels\n", codes, kernels);
	printf("memory: %s named, %s saved\n", out_size(counts->memory_b, size),
	       out_size(counts->saved_b, saved));
	if (exec)
		printf("exec: %u queues, %u chunks of command memory, flags 0x%" PRIx64 "\n",
		       exec->queue_count, exec->chunk_count, exec->flags);
}

static void write_counts(struct dump_file *file, const struct counts *counts, struct json *json)
{
	const struct file_info *info = file_info(file);

	json_object(json, "saved");
	json_text(json, "program", info->program.bytes, info->program.count);
	json_text(json, "version", info->version.bytes, info->version.count);
	json_text(json, "backend", info->backend.bytes, info->backend.count);
	json_number(json, "pid", info->head.pid);
	json_number(json, "time_ns", info->head.time_ns);
	json_end(json);
	json_object(json, "counts");
	json_number(json, "nodes", counts->nodes);
	json_number(json, "edges", counts->edges);
	json_number(json, "graphs", counts->graphs);
	json_number(json, "memory_bytes", counts->memory_b);
	json_number(json, "saved_bytes", counts->saved_b);
	json_end(json);
}

int show_summary(struct dump_file *file, struct json *json)
{
	struct counts counts = {0};

	count_all(file, &counts);
	if (file_status(file))
		return file_status(file);
	if (json) {
		write_counts(file, &counts, json);
	} else {
		print_origin(file);
		print_counts(file, &counts);
	}
	return file_status(file);
}
