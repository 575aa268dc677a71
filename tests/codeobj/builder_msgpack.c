/* SPDX-License-Identifier: MIT */
/*
 * Buffers, text helpers and the JSON to MessagePack writer of the test builder.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/builder.h"

void cob_free(struct cob_buf *buf)
{
	free(buf->data);
	*buf = (struct cob_buf){0};
}

void cob_zero(struct cob_buf *buf, size_t size)
{
	if (buf->size + size > buf->room) {
		buf->room = (buf->size + size) * 2;
		buf->data = realloc(buf->data, buf->room);
		if (!buf->data)
			abort();
	}
	if (size)
		memset(buf->data + buf->size, 0, size);
	buf->size += size;
}

void cob_bytes(struct cob_buf *buf, const void *bytes, size_t size)
{
	cob_zero(buf, size);
	if (size)
		memcpy(buf->data + buf->size - size, bytes, size);
}

void cob_align(struct cob_buf *buf, size_t align)
{
	cob_zero(buf, (align - buf->size % align) % align);
}

void cob_u32(struct cob_buf *buf, uint32_t value)
{
	cob_bytes(buf, &value, sizeof(value));
}

void cob_u64(struct cob_buf *buf, uint64_t value)
{
	cob_bytes(buf, &value, sizeof(value));
}

char *cob_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort();
	va_end(args);
	return text;
}

char *cob_replace(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at) {
		fprintf(stderr, "'%s' is not in the text\n", from);
		abort();
	}
	return cob_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void put_big_endian(struct cob_buf *buf, uint64_t value, size_t size)
{
	while (size--) {
		uint8_t byte = (uint8_t)(value >> size * 8);

		cob_bytes(buf, &byte, 1);
	}
}

static void put_head(struct cob_buf *buf, uint8_t type, uint64_t value, size_t size)
{
	cob_bytes(buf, &type, 1);
	put_big_endian(buf, value, size);
}

static void put_integer(struct cob_buf *buf, uint64_t value)
{
	if (value < 128)
		put_head(buf, (uint8_t)value, 0, 0);
	else if (value <= UINT8_MAX)
		put_head(buf, 0xcc, value, 1);
	else if (value <= UINT16_MAX)
		put_head(buf, 0xcd, value, 2);
	else if (value <= UINT32_MAX)
		put_head(buf, 0xce, value, 4);
	else
		put_head(buf, 0xcf, value, 8);
}

static void put_string(struct cob_buf *buf, const void *bytes, size_t size)
{
	if (size < 32)
		put_head(buf, (uint8_t)(0xa0 | size), 0, 0);
	else if (size <= UINT8_MAX)
		put_head(buf, 0xd9, size, 1);
	else if (size <= UINT16_MAX)
		put_head(buf, 0xda, size, 2);
	else
		put_head(buf, 0xdb, size, 4);
	cob_bytes(buf, bytes, size);
}

static void put_container(struct cob_buf *buf, uint8_t fixed, uint8_t wide, size_t count)
{
	if (count < 16)
		put_head(buf, (uint8_t)(fixed | count), 0, 0);
	else if (count <= UINT16_MAX)
		put_head(buf, wide, count, 2);
	else
		put_head(buf, (uint8_t)(wide + 1), count, 4);
}

static void fail(const char *at)
{
	fprintf(stderr, "bad metadata text at '%.40s'\n", at);
	abort();
}

static const char *skip(const char *at)
{
	while (isspace((unsigned char)*at) || *at == ',' || *at == ':')
		at++;
	return at;
}

static const char *write_string(struct cob_buf *buf, const char *at)
{
	struct cob_buf text = {0};

	for (at++; *at != '"'; at++) {
		char c = *at;

		if (!c)
			fail(at);
		if (c == '\\')
			c = *++at == '0' ? '\0' : *at;
		cob_bytes(&text, &c, 1);
	}
	put_string(buf, text.data, text.size);
	cob_free(&text);
	return at + 1;
}

static const char *write_raw(struct cob_buf *buf, const char *at)
{
	for (at = skip(at + 1); *at != '>'; at = skip(at + 2)) {
		unsigned int byte;

		if (sscanf(at, "%2x", &byte) != 1)
			fail(at);
		cob_bytes(buf, &(uint8_t){(uint8_t)byte}, 1);
	}
	return at + 1;
}

static const char *write_value(struct cob_buf *buf, const char *at);

static const char *write_container(struct cob_buf *buf, const char *at)
{
	char close = *at == '{' ? '}' : ']';
	struct cob_buf values = {0};
	size_t count = 0;

	for (at = skip(at + 1); *at != close; at = skip(at)) {
		at = write_value(&values, at);
		count++;
	}
	if (close == '}')
		put_container(buf, 0x80, 0xde, count / 2);
	else
		put_container(buf, 0x90, 0xdc, count);
	cob_bytes(buf, values.data, values.size);
	cob_free(&values);
	return at + 1;
}

static const char *write_value(struct cob_buf *buf, const char *at)
{
	char *end;

	if (*at == '{' || *at == '[')
		return write_container(buf, at);
	if (*at == '"')
		return write_string(buf, at);
	if (*at == '<')
		return write_raw(buf, at);
	if (strncmp(at, "nil", 3) == 0)
		return put_head(buf, 0xc0, 0, 0), at + 3;
	if (strncmp(at, "false", 5) == 0)
		return put_head(buf, 0xc2, 0, 0), at + 5;
	if (strncmp(at, "true", 4) == 0)
		return put_head(buf, 0xc3, 0, 0), at + 4;
	put_integer(buf, strtoull(at, &end, 10));
	if (end == at)
		fail(at);
	return end;
}

void cob_msgpack(struct cob_buf *buf, const char *json)
{
	const char *end = skip(write_value(buf, skip(json)));

	/* Raw bytes may follow the value, to be found as trailing ones. */
	if (*end == '<')
		end = skip(write_raw(buf, end));
	if (*end)
		fail(end);
}
