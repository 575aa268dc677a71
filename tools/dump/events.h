/* SPDX-License-Identifier: MIT */
/*
 * Reads the trace that MUSA_TRACE makes the library write (hw/base/trace.h has its format), also while
 * it is being written. Lines that are no events are skipped and counted.
 */
#ifndef MT_DUMP_EVENTS_H
#define MT_DUMP_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_LINE_B     4096u
#define EVENT_FIELDS_MAX 32u

struct event_field {
	const char *key, *value; /* in the event's line; a value is JSON */
	uint32_t key_b, value_b;
};

struct event {
	char line[EVENT_LINE_B + 1];
	struct event_field fields[EVENT_FIELDS_MAX];
	uint32_t field_count;
};

struct event_reader {
	int fd; /* borrowed */
	uint64_t bad_lines;
	size_t start, end; /* of what was read and not handed out */
	bool too_long;     /* the rest of a line that does not fit is skipped */
	char buffer[65536];
};

void events_init(struct event_reader *reader, int fd);
/* false: nothing more is there now. */
bool events_next(struct event_reader *reader, struct event *event_out);

/* Takes one line apart; false if it is no event. */
bool event_parse(struct event *event);

/* Fields by name. Numbers may be written as "0x...". */
bool event_is(const struct event *event, const char *name);
bool event_has(const struct event *event, const char *key);
uint64_t event_number(const struct event *event, const char *key); /* 0 if there is none */
/* The text, cut to fit; "" if there is none. Returns `text`. */
const char *event_text(const struct event *event, const char *key, char *text, size_t size_b);

/* Members of a list one by one. Zero to begin. */
struct event_list {
	const char *at, *end;
	bool started;
};
bool event_list_text(const struct event *event, const char *key, struct event_list *list,
		     char *text, size_t size_b);
bool event_list_numbers(const struct event *event, const char *key, struct event_list *list,
			uint64_t *numbers, uint32_t count);

#endif
