/* SPDX-License-Identifier: MIT */
/*
 * Reads files of include/mtgraph_format.h. Nothing in a file is trusted: what these functions hand
 * out lies inside the file and names only things that are there. Memory is needed for the index of
 * sections, for tables that were asked for, and for one section at a time.
 *
 * Functions that can fail return an exit code, DUMP_OK or DUMP_UNREADABLE, and say on stderr what
 * was wrong; cursors end, and file_status() tells.
 */
#ifndef MT_DUMP_FILE_H
#define MT_DUMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mtgraph_format.h"

struct dump_file;

/* Where a section's payload lies. */
struct file_section {
	uint64_t at, size_b;
	uint32_t type, crc32;
};

struct file_text {
	const char *bytes; /* not terminated */
	uint32_t count;
};

/* Whether a file begins as a saved graph: for commands that open other things as well. */
bool file_is_saved_graph(const char *path);

int file_open(const char *path, struct dump_file **file_out);
void file_close(struct dump_file *file); /* accepts NULL */
const char *file_path(const struct dump_file *file);
uint64_t file_size(const struct dump_file *file);

/* The first failure of any call on this file. */
int file_status(const struct dump_file *file);

/* Says that the file is bad, at a section (or NULL), and notes the failure; returns DUMP_UNREADABLE.
 * For users that find out more than the reader does. */
int file_bad(struct dump_file *file, const struct file_section *section, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* --- sections --------------------------------------------------------------------------------- */

uint32_t file_section_count(const struct dump_file *file);
const struct file_section *file_section(const struct dump_file *file, uint32_t index);

/* The first section of a type from `from` on; the section count if there is none. */
uint32_t file_find(const struct dump_file *file, uint32_t type, uint32_t from);

/* Payload memory that is used again for section after section. Zero it to begin. */
struct file_buffer {
	uint8_t *bytes; /* owned; 8-aligned */
	uint64_t size_b, room_b;
};
void file_buffer_finish(struct file_buffer *buffer);

/* Reads a whole payload and checks its sum. */
int file_read(struct dump_file *file, const struct file_section *section,
	      struct file_buffer *buffer);

/* Reads a part of the file that lies inside a section, without its sum. */
int file_read_part(struct dump_file *file, const struct file_section *section, uint64_t offset_b,
		   void *bytes, uint64_t count);

/* --- tables: read when first asked for, kept until the file is closed ----------------------------- */

struct file_info {
	struct mtg_info head;
	struct file_text program, version, backend;
	const struct mtg_device *devices; /* head.device_count */
};
/* Never NULL: zeroes for a file without. */
const struct file_info *file_info(struct dump_file *file);

/* Whether two files were saved by one process, so that equal addresses are equal things. */
bool file_is_same_process(struct dump_file *a, struct dump_file *b);

struct file_param {
	struct mtg_param head;
	struct file_text name;
};

struct file_kernel {
	struct mtg_kernel head;
	struct file_text name;
	const struct file_param *params; /* head.param_count; each inside the argument image */
};

struct file_code {
	struct mtg_code head;
	uint32_t section; /* for file_read(); the code object follows the head */
};

struct file_range {
	struct mtg_range head;
	struct file_text name;
};

/* NULL with *count_out 0 if there are none, or after a failure. */
const struct file_code *file_codes(struct dump_file *file, uint32_t *count_out);
const struct file_kernel *file_kernels(struct dump_file *file, uint32_t *count_out);
const struct mtg_array *file_arrays(struct dump_file *file, uint32_t *count_out);
const struct mtg_graph *file_graphs(struct dump_file *file, uint32_t *count_out);
const struct file_range *file_ranges(struct dump_file *file, uint32_t *count_out);

/* The range with an address, NULL for none. O(log n). */
const struct file_range *file_range_of(struct dump_file *file, uint64_t va);

/* The graph nested in a node: a child graph (slot 0) or a body. MTG_NONE for none. O(log n). */
uint32_t file_nested(struct dump_file *file, uint32_t graph, uint32_t node, uint32_t slot);

/* The graph that an exec's node number lies in, MTG_NONE for none; *id_out gets the id there. */
uint32_t file_graph_of_number(struct dump_file *file, uint32_t number, uint32_t *id_out);

/* NULL for a file without an exec. */
const struct mtg_exec *file_exec(struct dump_file *file);

/* --- cursors ------------------------------------------------------------------------------------ */

/* A node in the section that the cursor has read: valid until it moves on. */
struct file_node {
	const struct mtg_node *head;
	uint32_t graph;
	const uint32_t *deps;      /* head->dep_count ids, each below the graph's id_count */
	const uint8_t *edge_data;  /* 8 bytes each, or NULL */
	const void *params;        /* head->params_b bytes: at least the struct of the type */
	/* Parts of the parameters, by type. */
	const uint8_t *args;       /* kernel: its image */
	const struct mtg_kernel_attrs *attrs; /* kernel, or NULL */
	struct file_text symbol;   /* host function */
	const struct mtg_semaphore *semaphores;
	const uint8_t *access;     /* alloc: entries of 12 bytes */
};

/* All nodes: graph by graph as the sections stand, ids ascending within a graph. Zero to begin. */
struct file_node_cursor {
	struct file_buffer buffer;
	uint32_t section, left, graph, last_id;
	uint64_t at;
	uint64_t done_b; /* bytes of the file behind the cursor: for a progress bar */
	bool open, started;
};
bool file_next_node(struct dump_file *file, struct file_node_cursor *cursor,
		    struct file_node *node_out);
void file_node_cursor_finish(struct file_node_cursor *cursor);

/* Records of the exec's nodes by number; numbers may be asked for in any order, ascending ones cost
 * little. NULL if there is none. Zero to begin. */
struct file_exec_cursor {
	struct file_buffer buffer;
	uint32_t section;
	bool open;
};
const struct mtg_exec_node *file_exec_node(struct dump_file *file, struct file_exec_cursor *cursor,
					   uint32_t number);
void file_exec_cursor_finish(struct file_exec_cursor *cursor);

/* Fixed-size records of all sections of one type: MTG_TIMES, MTG_ACCESSES. Zero to begin. */
struct file_record_cursor {
	struct file_buffer buffer;
	uint32_t section;
	uint64_t at;
	bool open, started;
};
const void *file_next_record(struct dump_file *file, struct file_record_cursor *cursor,
			     uint32_t type, uint32_t record_b);
void file_record_cursor_finish(struct file_record_cursor *cursor);

/* --- memory and commands -------------------------------------------------------------------------- */

/* Pieces of the contents of ranges; bytes are read by file_read_part() at offset `bytes_at`. */
struct file_piece {
	struct mtg_contents head; /* inside its range */
	const struct file_section *section;
	uint32_t bytes_at;
};
/* *index: 0 to begin. */
bool file_next_piece(struct dump_file *file, uint32_t *index, struct file_piece *piece_out);

/* All command memory, sorted by address, kept until the file is closed. */
struct file_chunk {
	uint64_t va;
	uint32_t chunk_b;
	const uint8_t *bytes; /* 8-aligned */
};
const struct file_chunk *file_chunks(struct dump_file *file, uint32_t *count_out);

/* `count` bytes of command memory at an address, or NULL. O(log n). */
const void *file_command(struct dump_file *file, uint64_t va, uint32_t count);

#endif
