/* SPDX-License-Identifier: MIT */
/* The views of `mtgraph-dump show`. */
#ifndef MT_DUMP_SHOW_H
#define MT_DUMP_SHOW_H

#include <stdbool.h>

#include "tools/dump/file.h"
#include "tools/dump/json.h"

enum show_view {
	SHOW_SUMMARY = 0, /* the default: what the file holds */
	SHOW_NODES,
	SHOW_CHAIN,
	SHOW_SITES,
	SHOW_QUEUES,
	SHOW_MEMORY,
};

/* Each prints one view of a saved graph and returns an exit code. With `json` they write a member of
 * the open object instead of text. */
int show_summary(struct dump_file *file, struct json *json);

#endif
