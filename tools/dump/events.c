/* SPDX-License-Identifier: MIT */
/* Events of a trace: lines from a growing file, their fields, the members of lists. */
#include "tools/dump/events.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void events_init(struct event_reader *reader, int fd)
{
	memset(reader, 0, offsetof(struct event_reader, buffer));
	reader->fd = fd;
}

/* --- taking a line apart ------------------------------------------------------------------------ */

/* Behind the JSON value at `at`, NULL if there is none. Lists and objects may hold anything. */
static const char *skip_value(const char *at)
{
	uint32_t depth = 0;

	do {
		if (*at == '"') {
			for (at++; *at && *at != '"'; at++)
				if (*at == '\\' && at[1])
					at++;
			if (!*at)
				return NULL;
			at++;
		} else if (*at == '[' || *at == '{') {
			depth++;
			at++;
		} else if (*at == ']' || *at == '}') {
			if (!depth)
				return NULL;
			depth--;
			at++;
		} else if (*at == ',' || *at == ':' || *at == ' ') {
			if (!depth)
				return NULL;
			at++;
		} else if (*at) {
			while (*at && !strchr(",:[]{}\" ", *at))
				at++;
		} else {
			return NULL;
		}
	} while (depth);
	return at;
}

bool event_parse(struct event *event)
{
	const char *at = event->line, *end;
	struct event_field *field;

	event->field_count = 0;
	if (*at++ != '{')
		return false;
	for (;;) {
		if (event->field_count == EVENT_FIELDS_MAX || *at != '"')
			return false;
		field = &event->fields[event->field_count++];
		end = skip_value(at);
		if (!end || *end != ':')
			return false;
		field->key = at + 1;
		field->key_b = (uint32_t)(end - at - 2);
		at = end + 1;
		end = skip_value(at);
		if (!end)
			return false;
		field->value = at;
		field->value_b = (uint32_t)(end - at);
		if (*end == '}')
			return !end[1] && event_has(event, "ev");
		if (*end != ',')
			return false;
		at = end + 1;
	}
}

static bool refill(struct event_reader *reader)
{
	ssize_t got;

	if (reader->start) {
		memmove(reader->buffer, reader->buffer + reader->start,
			reader->end - reader->start);
		reader->end -= reader->start;
		reader->start = 0;
	}
	if (reader->end == sizeof(reader->buffer)) {
		reader->too_long = true;
		reader->end = 0;
	}
	do
		got = read(reader->fd, reader->buffer + reader->end,
			   sizeof(reader->buffer) - reader->end);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	reader->end += (size_t)got;
	return true;
}

bool events_next(struct event_reader *reader, struct event *event)
{
	const char *line, *end;
	size_t size_b;
	bool whole;

	for (;;) {
		line = reader->buffer + reader->start;
		end = memchr(line, '\n', reader->end - reader->start);
		if (!end) {
			if (!refill(reader))
				return false;
			continue;
		}
		size_b = (size_t)(end - line);
		reader->start += size_b + 1;
		whole = !reader->too_long && size_b <= EVENT_LINE_B && !memchr(line, 0, size_b);
		reader->too_long = false;
		if (whole) {
			memcpy(event->line, line, size_b);
			event->line[size_b] = 0;
			if (event_parse(event))
				return true;
		}
		reader->bad_lines++;
	}
}

/* --- fields ------------------------------------------------------------------------------------- */

static const struct event_field *find(const struct event *event, const char *key)
{
	size_t key_b = strlen(key);

	for (uint32_t i = 0; i < event->field_count; i++)
		if (event->fields[i].key_b == key_b && !memcmp(event->fields[i].key, key, key_b))
			return &event->fields[i];
	return NULL;
}

bool event_has(const struct event *event, const char *key)
{
	return find(event, key) != NULL;
}

bool event_is(const struct event *event, const char *name)
{
	const struct event_field *field = find(event, "ev");

	return field && field->value_b == strlen(name) + 2 &&
	       !memcmp(field->value + 1, name, field->value_b - 2);
}

/* Decimal, or hexadecimal in quotes. Stops at what is no digit. */
static uint64_t parse_number(const char *at)
{
	uint64_t value = 0;

	if (*at == '"')
		at++;
	if (at[0] == '0' && at[1] == 'x') {
		for (at += 2;; at++) {
			if (*at >= '0' && *at <= '9')
				value = value << 4 | (uint64_t)(*at - '0');
			else if (*at >= 'a' && *at <= 'f')
				value = value << 4 | (uint64_t)(*at - 'a' + 10);
			else
				return value;
		}
	}
	for (; *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	return value;
}

uint64_t event_number(const struct event *event, const char *key)
{
	const struct event_field *field = find(event, key);

	if (field && field->value[0] == 't') /* true */
		return 1;
	return field ? parse_number(field->value) : 0;
}

static uint32_t hex4(const char *at)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++)
		value = value << 4 | (uint32_t)(at[i] <= '9' ? at[i] - '0' : (at[i] | 32) - 'a' + 10);
	return value;
}

/* A JSON string without its quotes. The library escapes only quotes, backslashes and controls. */
static void unescape(const char *at, const char *end, char *text, size_t size_b)
{
	size_t used_b = 0;
	uint32_t code;

	while (at < end && used_b + 1 < size_b) {
		if (*at != '\\' || at + 1 == end) {
			text[used_b++] = *at++;
			continue;
		}
		if (at[1] == 'u' && end - at >= 6) {
			code = hex4(at + 2);
			text[used_b++] = code < 128 && code ? (char)code : '?';
			at += 6;
			continue;
		}
		text[used_b++] = at[1];
		at += 2;
	}
	/* Not in the middle of a character. */
	while (used_b && at < end && ((unsigned char)*at & 0xc0) == 0x80) {
		used_b--;
		at--;
	}
	text[used_b] = 0;
}

const char *event_text(const struct event *event, const char *key, char *text, size_t size_b)
{
	const struct event_field *field = find(event, key);

	text[0] = 0;
	if (field && field->value[0] == '"')
		unescape(field->value + 1, field->value + field->value_b - 1, text, size_b);
	return text;
}

/* The next member of a list: its extent in list->at and *end_out. */
static bool next_member(const struct event *event, const char *key, struct event_list *list,
			const char **end_out)
{
	const struct event_field *field = find(event, key);

	if (!list->started) {
		if (!field || field->value[0] != '[')
			return false;
		list->started = true;
		list->at = field->value + 1;
		list->end = field->value + field->value_b - 1;
	}
	if (list->at < list->end && *list->at == ',')
		list->at++;
	if (list->at >= list->end)
		return false;
	*end_out = skip_value(list->at);
	return *end_out && *end_out <= list->end;
}

bool event_list_text(const struct event *event, const char *key, struct event_list *list,
		     char *text, size_t size_b)
{
	const char *end;

	if (!next_member(event, key, list, &end) || *list->at != '"')
		return false;
	unescape(list->at + 1, end - 1, text, size_b);
	list->at = end;
	return true;
}

bool event_list_numbers(const struct event *event, const char *key, struct event_list *list,
			uint64_t *numbers, uint32_t count)
{
	const char *end, *at;
	uint32_t i;

	if (!next_member(event, key, list, &end) || *list->at != '[')
		return false;
	at = list->at + 1;
	for (i = 0; i < count; i++) {
		numbers[i] = parse_number(at);
		while (at < end && *at != ',')
			at++;
		if (at < end)
			at++;
	}
	list->at = end;
	return true;
}
