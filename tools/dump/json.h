/* SPDX-License-Identifier: MIT */
/*
 * JSON as a stream: values are written as they come, so that the output of a large graph needs no
 * memory. `key` is NULL for elements of arrays.
 *
 * Texts of files need not be UTF-8: bytes that are not are written as U+FFFD. Addresses and other
 * 64-bit patterns are texts ("0x7f..."), because readers of JSON keep 53 bits of a number.
 */
#ifndef MT_DUMP_JSON_H
#define MT_DUMP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH_MAX 64u

struct json {
	FILE *file; /* borrowed */
	uint32_t depth;
	bool has_member[JSON_DEPTH_MAX];
	char closes[JSON_DEPTH_MAX];
};

void json_init(struct json *json, FILE *file);
void json_finish(struct json *json); /* closes what is open and ends the line */

void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
void json_end(struct json *json); /* of the innermost object or array */

void json_text(struct json *json, const char *key, const char *bytes, size_t count);
void json_string(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, uint64_t value);
void json_signed(struct json *json, const char *key, int64_t value);
void json_real(struct json *json, const char *key, double value); /* null unless finite */
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_hex(struct json *json, const char *key, uint64_t value); /* "0x1f" */
void json_bytes(struct json *json, const char *key, const void *bytes, size_t count); /* "001fab" */

#endif
