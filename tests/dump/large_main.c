/* SPDX-License-Identifier: MIT */
/*
 * Writes a saved graph of many nodes: large FILE NODES [VALUE]. A join, eight fills side by side behind it, the next
 * join, and so on: each fill has a part of the memory for itself, which the fills of the next round have again.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "graph/save_file.h"

#define WIDTH     8u
#define DEVICE_VA 0x7f0000100000u
#define PART_B    256u

enum { FILL = 2, EMPTY = 5 };

static void put_info(struct mt_save_file *file)
{
	const struct mtg_info info = {.size_b = sizeof(info), .device_count = 1};
	const struct mtg_device device = {.name = "Sample GPU", .arch_id = 900};

	mt_save_begin(file, MTG_INFO);
	mt_save_put(file, &info, sizeof(info));
	mt_save_put(file, &device, sizeof(device));
	mt_save_end(file);
}

static void put_node(struct mt_save_file *file, uint32_t id, uint32_t value)
{
	uint32_t place = id % (WIDTH + 1), deps[WIDTH], dep_count = 0, i;
	const struct mtg_fill_params fill = {.dst = DEVICE_VA + (uint64_t)place * PART_B,
					     .width = PART_B, .height = 1, .depth = 1,
					     .value = value, .element_b = 1, .memory = 2};
	struct mtg_node head = {.id = id, .type = place ? FILL : EMPTY,
				.params_b = place ? sizeof(fill) : 0};

	if (place)
		deps[dep_count++] = id - place;
	else
		for (i = id ? WIDTH : 0; i; i--)
			deps[dep_count++] = id - i;
	head.dep_count = dep_count;
	head.size_b = (uint32_t)sizeof(head) + ((dep_count * 4 + 7) & ~7u) + head.params_b;
	mt_save_put(file, &head, sizeof(head));
	mt_save_put(file, deps, dep_count * sizeof(*deps));
	mt_save_pad(file);
	mt_save_put(file, &fill, head.params_b);
}

/* Sections of nodes tell how many there are: each takes a thousand. */
static void put_nodes(struct mt_save_file *file, uint32_t count, uint32_t value)
{
	struct mtg_nodes head = {0};
	uint32_t id;

	for (id = 0; id < count; id++) {
		if (id % 1000 == 0) {
			head.count = count - id < 1000 ? count - id : 1000;
			mt_save_begin(file, MTG_NODES);
			mt_save_put(file, &head, sizeof(head));
		}
		put_node(file, id, value);
		if (id % 1000 == 999 || id == count - 1)
			mt_save_end(file);
	}
}

static void put_range(struct mt_save_file *file)
{
	const struct mtg_range range = {.va = DEVICE_VA, .range_b = (WIDTH + 1) * PART_B,
					.head_b = sizeof(range), .size_b = sizeof(range),
					.kind = MTG_RANGE_DEVICE, .memory = MTG_DEVICE_MEMORY,
					.graph = MTG_NONE, .node = MTG_NONE, .code = MTG_NONE};

	mt_save_begin(file, MTG_RANGES);
	mt_save_put(file, &range, sizeof(range));
	mt_save_end(file);
}

int main(int argc, char **argv)
{
	uint32_t count = argc == 3 || argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	uint32_t value = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
	int fd = count ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666) : -1;
	uint32_t joins = (count + WIDTH) / (WIDTH + 1);
	/* Each fill has an edge from its join, each join but the first from all fills before. */
	struct mtg_graph graph = {.role = MTG_ROOT, .parent = MTG_NONE, .id_count = count,
				  .node_count = count, .base = MTG_NONE,
				  .edge_count = count - joins + (joins - 1) * WIDTH};
	struct mt_save_file file;

	if (fd < 0) {
		fprintf(stderr, "usage: large FILE NODES [VALUE]\n");
		return 1;
	}
	mt_save_open(&file, fd);
	put_info(&file);
	mt_save_begin(&file, MTG_GRAPHS);
	mt_save_put(&file, &graph, sizeof(graph));
	mt_save_end(&file);
	put_nodes(&file, count, value);
	put_range(&file);
	return mt_save_close(&file) || close(fd) ? 1 : 0;
}
