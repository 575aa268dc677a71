/* SPDX-License-Identifier: MIT */
/*
 * Where descriptions go: JSON, or indented text of one "name: value" a line. What describes a thing
 * does so once, for both.
 */
#ifndef MT_DUMP_SINK_H
#define MT_DUMP_SINK_H

#include "tools/dump/file.h"
#include "tools/dump/json.h"

struct sink {
	struct dump_file *file; /* for addresses; may be NULL */
	struct json *json;      /* borrowed; NULL: text on standard output */
	unsigned int indent;    /* text: levels */
};

/* A thing with members; `key` NULL in a list. Text: a heading "key:" if there is a key. */
void sink_begin(struct sink *sink, const char *key);
void sink_list(struct sink *sink, const char *key);
void sink_end(struct sink *sink);

void sink_text(struct sink *sink, const char *key, struct file_text text);
void sink_string(struct sink *sink, const char *key, const char *text);
void sink_number(struct sink *sink, const char *key, uint64_t value);
void sink_bool(struct sink *sink, const char *key, bool value);
void sink_hex(struct sink *sink, const char *key, uint64_t value);
void sink_numbers(struct sink *sink, const char *key, const uint32_t *values, uint64_t count);

/* An address, with the saved memory that it lies in. */
void sink_address(struct sink *sink, const char *key, uint64_t va);

/* A value of a kernel's parameter, by the type number of the metadata. */
void sink_value(struct sink *sink, const char *key, uint32_t type, const uint8_t *bytes,
		uint32_t count);

#endif
