/* SPDX-License-Identifier: MIT */
/* What the parts of the reader share. */
#ifndef MT_DUMP_FILE_PRIVATE_H
#define MT_DUMP_FILE_PRIVATE_H

#include "tools/dump/file.h"

struct dump_file {
	int fd;
	int status;
	char *path;
	uint64_t size_b;
	struct file_section *sections;
	uint32_t section_count, section_room;
	uint32_t loaded; /* bit n: the table of section type n was read */

	struct file_info info;
	struct file_code *codes;
	struct file_kernel *kernels;
	struct mtg_array *arrays;
	struct mtg_graph *graphs;
	struct file_range *ranges;
	uint32_t *nested; /* graphs 1.. sorted by parent, node, slot */
	uint32_t *by_base; /* exec: graphs sorted by base */
	struct mtg_exec exec;
	bool has_exec;
	struct file_chunk *chunks;
	uint32_t code_count, kernel_count, array_count, graph_count, range_count, chunk_count;
	void **kept; /* memory that tables point into */
	uint32_t kept_count, kept_room;
};

/* Grows an array to hold one more element; false after a failure that was noted. */
bool file_grow(struct dump_file *file, void *array, uint32_t count, uint32_t *room,
	       size_t element_b);

/* Memory until the file is closed. */
bool file_keep(struct dump_file *file, void *memory);
void *file_alloc(struct dump_file *file, uint64_t count, size_t element_b);

int file_no_memory(struct dump_file *file);

#endif
