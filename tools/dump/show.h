/* SPDX-License-Identifier: MIT */
/* The views of `mtgraph-dump show`. */
#ifndef MT_DUMP_SHOW_H
#define MT_DUMP_SHOW_H

#include <stdbool.h>

#include "tools/dump/file.h"
#include "tools/dump/json.h"

struct sink;

/* Each prints one view of a saved graph and returns an exit code. With `json` they write a member of
 * the open object instead of text. */
int show_summary(struct dump_file *file, struct json *json);
int show_nodes(struct dump_file *file, struct json *json);
int show_chain(struct dump_file *file, struct json *json);
int show_sites(struct dump_file *file, struct json *json);
int show_queues(struct dump_file *file, struct json *json);
int show_memory(struct dump_file *file, struct json *json);

/* A code object or fat binary. */
int show_code(const char *path, struct json *json);

/* The parameters of a node, as members of what is open in the sink. */
void show_describe_node(struct sink *sink, const struct file_node *node);

/* Bytes that a copy or fill moves, 0 for other nodes. */
uint64_t show_node_bytes(const struct file_node *node);

#endif
