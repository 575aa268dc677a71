/* SPDX-License-Identifier: MIT */
/* Descriptions as JSON or text. */
#include "tools/dump/sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/dump/output.h"
#include "tools/dump/words.h"

enum { TYPE_I8 = 2, TYPE_I16 = 4, TYPE_I32 = 6, TYPE_FLOAT = 8, TYPE_I64 = 9, TYPE_DOUBLE = 11,
       TYPE_POINTER = 14 };

#define BYTES_SHOWN 64u /* of a value that is no number, in text */

static void put_key(struct sink *sink, const char *key)
{
	printf("%*s", (int)sink->indent * 4, "");
	if (key)
		printf("%s%s%s: ", out_begin(OUT_FAINT), key, out_end());
}

void sink_begin(struct sink *sink, const char *key)
{
	if (sink->json) {
		json_object(sink->json, key);
		return;
	}
	if (key)
		printf("%*s%s%s%s:\n", (int)sink->indent * 4, "", out_begin(OUT_FAINT), key,
		       out_end());
	sink->indent++;
}

void sink_list(struct sink *sink, const char *key)
{
	if (sink->json)
		json_array(sink->json, key);
	else
		sink_begin(sink, key);
}

void sink_end(struct sink *sink)
{
	if (sink->json)
		json_end(sink->json);
	else
		sink->indent--;
}

void sink_text(struct sink *sink, const char *key, struct file_text text)
{
	if (sink->json) {
		json_text(sink->json, key, text.bytes, text.count);
		return;
	}
	put_key(sink, key);
	out_name(text.bytes, text.count);
	putchar('\n');
}

void sink_string(struct sink *sink, const char *key, const char *text)
{
	sink_text(sink, key, (struct file_text){text, (uint32_t)strlen(text)});
}

void sink_number(struct sink *sink, const char *key, uint64_t value)
{
	if (sink->json) {
		json_number(sink->json, key, value);
		return;
	}
	put_key(sink, key);
	printf("%" PRIu64 "\n", value);
}

void sink_bool(struct sink *sink, const char *key, bool value)
{
	if (sink->json)
		json_bool(sink->json, key, value);
	else
		sink_string(sink, key, value ? "yes" : "no");
}

void sink_hex(struct sink *sink, const char *key, uint64_t value)
{
	if (sink->json) {
		json_hex(sink->json, key, value);
		return;
	}
	put_key(sink, key);
	printf("0x%" PRIx64 "\n", value);
}

void sink_numbers(struct sink *sink, const char *key, const uint32_t *values, uint64_t count)
{
	uint64_t i;

	if (sink->json) {
		json_array(sink->json, key);
		for (i = 0; i < count; i++)
			json_number(sink->json, NULL, values[i]);
		json_end(sink->json);
		return;
	}
	put_key(sink, key);
	for (i = 0; i < count; i++)
		printf("%s%u", i ? ", " : "", values[i]);
	putchar('\n');
}

void sink_address(struct sink *sink, const char *key, uint64_t va)
{
	const struct file_range *range = sink->file ? file_range_of(sink->file, va) : NULL;

	if (sink->json) {
		json_object(sink->json, key);
		json_hex(sink->json, "address", va);
		if (range) {
			json_number(sink->json, "range", range->head.index);
			json_number(sink->json, "offset", va - range->head.va);
		}
		json_end(sink->json);
		return;
	}
	put_key(sink, key);
	printf("0x%" PRIx64, va);
	if (range)
		printf(" (%s memory %u + %" PRIu64 ")", word_range_kind(range->head.kind),
		       range->head.index, va - range->head.va);
	putchar('\n');
}

static void put_bytes(struct sink *sink, const char *key, const uint8_t *bytes, uint32_t count)
{
	uint32_t i;

	if (sink->json) {
		json_bytes(sink->json, key, bytes, count);
		return;
	}
	put_key(sink, key);
	for (i = 0; i < count && i < BYTES_SHOWN; i++)
		printf("%s%02x", i && i % 4 == 0 ? " " : "", bytes[i]);
	puts(count > BYTES_SHOWN ? " ..." : "");
}

static void put_signed(struct sink *sink, const char *key, int64_t value)
{
	if (sink->json) {
		json_signed(sink->json, key, value);
		return;
	}
	put_key(sink, key);
	printf("%" PRId64 "\n", value);
}

static void put_real(struct sink *sink, const char *key, double value, int digits)
{
	if (sink->json) {
		json_real(sink->json, key, value);
		return;
	}
	put_key(sink, key);
	printf("%.*g\n", digits, value);
}

void sink_value(struct sink *sink, const char *key, uint32_t type, const uint8_t *bytes,
		uint32_t count)
{
	uint64_t word = 0;
	double real;
	float small;

	if (count <= sizeof(word))
		memcpy(&word, bytes, count);
	if (type == TYPE_POINTER && count == 8) {
		sink_address(sink, key, word);
	} else if (type == TYPE_FLOAT && count == 4) {
		memcpy(&small, bytes, 4);
		put_real(sink, key, (double)small, 9);
	} else if (type == TYPE_DOUBLE && count == 8) {
		memcpy(&real, bytes, 8);
		put_real(sink, key, real, 17);
	} else if (type == TYPE_I8 && count == 1) {
		put_signed(sink, key, (int8_t)word);
	} else if (type == TYPE_I16 && count == 2) {
		put_signed(sink, key, (int16_t)word);
	} else if (type == TYPE_I32 && count == 4) {
		put_signed(sink, key, (int32_t)word);
	} else if (type == TYPE_I64 && count == 8) {
		/* Device pointers are passed as numbers, too. */
		if (sink->file && file_range_of(sink->file, word))
			sink_address(sink, key, word);
		else
			put_signed(sink, key, (int64_t)word);
	} else {
		put_bytes(sink, key, bytes, count);
	}
}
