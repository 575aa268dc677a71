/* SPDX-License-Identifier: MIT */
/*
 * Compares two saved graphs node by node. diff.c finds what differs, diff_report.c tells it, as text or
 * as JSON, as it is found: many differences need no memory.
 */
#ifndef MT_DUMP_DIFF_H
#define MT_DUMP_DIFF_H

#include "tools/dump/json.h"
#include "tools/dump/model.h"

struct diff_output {
	struct json *json; /* NULL: text; else inside the array of differences */
	uint64_t count;    /* of differences told */
};

/* Tells each difference. */
void diff_models(struct diff_output *out, const struct model *a, const struct model *b);

/* --- diff_report.c ---------------------------------------------------------------------------------- */

enum diff_value_kind {
	DIFF_NONE = 0, /* it has none, or it is not known */
	DIFF_NUMBER,
	DIFF_SIGNED,
	DIFF_BOOL,
	DIFF_HANDLE,   /* tells things of one process apart */
	DIFF_ADDRESS,  /* in the file that the value is of */
	DIFF_WORD,
	DIFF_MEMORY,   /* enum mtg_memory */
	DIFF_TEXT,     /* of a file */
	DIFF_LIST,     /* `count` of `list` */
	DIFF_POSITION, /* three of `position` */
	DIFF_BYTES,    /* `count` of `bytes` */
	DIFF_ARGUMENT, /* of a kernel: `count` of `bytes` as `type` of the metadata says */
};

/* What one of the files has. Pointers are borrowed. */
struct diff_value {
	enum diff_value_kind kind;
	uint32_t count, type;
	union {
		uint64_t number;
		const char *word;
		struct file_text text;
		const uint32_t *list;
		const uint64_t *position;
		const uint8_t *bytes;
	};
};

enum difference_kind {
	DIFF_PARAMETER = 0,
	DIFF_DISABLED,
	DIFF_DEPENDENCIES,
	DIFF_TYPE,
	DIFF_NODES,  /* how many a graph has */
	DIFF_GRAPHS, /* how many are nested */
};

struct difference {
	enum difference_kind kind;
	const char *parameter;  /* in the JSON: what it is that differs */
	const char *side;       /* of a copy: "from", "to"; else NULL */
	uint32_t index;         /* of what a node has many of, with `indexed` */
	bool indexed;
	struct file_text name;  /* of an argument */
	struct diff_value a, b;
	const char *label;      /* text: what stands in front of the values */
	const char *says;       /* text: all there is to say instead */
};

/* The nodes that a difference is about; of DIFF_NODES the graphs of any two; of DIFF_GRAPHS none. */
struct diff_place {
	const struct model *a, *b;
	const struct file_node *x, *y;
	uint32_t graph_a, graph_b;
};

void diff_tell(struct diff_output *out, const struct diff_place *place, const struct difference *d);

#endif
