/* SPDX-License-Identifier: MIT */
/* Text for people: colours where standard output is a terminal, quoted names, sizes. */
#ifndef MT_DUMP_OUTPUT_H
#define MT_DUMP_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

enum out_style {
	OUT_PLAIN = 0,
	OUT_HEADING,
	OUT_NAME,
	OUT_NUMBER,
	OUT_FAINT,
	OUT_GOOD,
	OUT_WARNING,
	OUT_BAD,
};

/* Control sequences that begin a style and end it; empty strings where standard output is no terminal,
 * where NO_COLOR is set, and with TERM=dumb. */
const char *out_begin(enum out_style style);
const char *out_end(void);

/* printf in a style. */
void out_print(enum out_style style, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes bytes of a file so that they cannot disturb a terminal: control characters and what is no
 * UTF-8 come out as \xNN, a backslash doubled. */
void out_name(const char *bytes, size_t count);

/* A number of bytes as people say it: "96 B", "12.0 KiB". `text` is returned. */
#define OUT_SIZE_B 32
const char *out_size(uint64_t bytes, char text[OUT_SIZE_B]);

/* Length of the UTF-8 character at `at` of which `room` bytes may be read; 0 if there is none. */
size_t out_utf8(const char *at, size_t room);

#endif
