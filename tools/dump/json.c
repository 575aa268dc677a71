/* SPDX-License-Identifier: MIT */
/* The JSON writer: two spaces a level for what holds objects, so that people can read it as well. */
#include "tools/dump/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/dump/output.h"

void json_init(struct json *json, FILE *file)
{
	memset(json, 0, sizeof(*json));
	json->file = file;
}

static void put_escaped(FILE *file, const char *bytes, size_t count)
{
	size_t length, run;

	putc('"', file);
	while (count) {
		for (run = 0; run < count && bytes[run] >= 0x20 && bytes[run] != '"' &&
			      bytes[run] != '\\' && bytes[run] != 0x7f; run++)
			;
		if (run) {
			fwrite(bytes, 1, run, file);
			bytes += run;
			count -= run;
			continue;
		}
		length = out_utf8(bytes, count);
		if (!length) {
			length = 1;
			fputs("\xef\xbf\xbd", file);
		} else if (length > 1) {
			fwrite(bytes, 1, length, file);
		} else if (*bytes == '"' || *bytes == '\\') {
			putc('\\', file);
			putc(*bytes, file);
		} else {
			fprintf(file, "\\u%04x", (unsigned char)*bytes);
		}
		bytes += length;
		count -= length;
	}
	putc('"', file);
}

static void put_indent(struct json *json)
{
	putc('\n', json->file);
	for (uint32_t i = 0; i < json->depth; i++)
		fputs("  ", json->file);
}

/* Everything in front of a value. */
static void begin_value(struct json *json, const char *key, bool nested)
{
	bool in_array;

	if (!json->depth)
		return;
	in_array = json->closes[json->depth - 1] == ']';
	if (json->has_member[json->depth - 1])
		putc(',', json->file);
	if (nested || !in_array)
		put_indent(json);
	else if (json->has_member[json->depth - 1])
		putc(' ', json->file);
	json->has_member[json->depth - 1] = true;
	if (key) {
		put_escaped(json->file, key, strlen(key));
		fputs(": ", json->file);
	}
}

static void open_level(struct json *json, const char *key, char open, char close)
{
	assert(json->depth < JSON_DEPTH_MAX);
	begin_value(json, key, true);
	putc(open, json->file);
	json->has_member[json->depth] = false;
	json->closes[json->depth++] = close;
}

void json_object(struct json *json, const char *key)
{
	open_level(json, key, '{', '}');
}

void json_array(struct json *json, const char *key)
{
	open_level(json, key, '[', ']');
}

void json_end(struct json *json)
{
	char close = json->closes[--json->depth];

	if (json->has_member[json->depth] && close == '}')
		put_indent(json);
	putc(close, json->file);
}

void json_finish(struct json *json)
{
	while (json->depth)
		json_end(json);
	putc('\n', json->file);
}

void json_text(struct json *json, const char *key, const char *bytes, size_t count)
{
	begin_value(json, key, false);
	put_escaped(json->file, bytes, count);
}

void json_string(struct json *json, const char *key, const char *text)
{
	json_text(json, key, text, strlen(text));
}

void json_number(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key, false);
	fprintf(json->file, "%" PRIu64, value);
}

void json_signed(struct json *json, const char *key, int64_t value)
{
	begin_value(json, key, false);
	fprintf(json->file, "%" PRId64, value);
}

void json_real(struct json *json, const char *key, double value)
{
	begin_value(json, key, false);
	if (isfinite(value))
		fprintf(json->file, "%.17g", value);
	else
		fputs("null", json->file);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key, false);
	fputs(value ? "true" : "false", json->file);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key, false);
	fputs("null", json->file);
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key, false);
	fprintf(json->file, "\"0x%" PRIx64 "\"", value);
}

void json_bytes(struct json *json, const char *key, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;

	begin_value(json, key, false);
	putc('"', json->file);
	for (; count; count--)
		fprintf(json->file, "%02x", *at++);
	putc('"', json->file);
}
