/* SPDX-License-Identifier: MIT */
/* Text for people. */
#include "tools/dump/output.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colours(void)
{
	static int known = -1;
	const char *term;

	if (known < 0) {
		term = getenv("TERM");
		known = isatty(STDOUT_FILENO) && !getenv("NO_COLOR") &&
			term && strcmp(term, "dumb") != 0;
	}
	return known;
}

const char *out_begin(enum out_style style)
{
	static const char *const codes[] = {
		[OUT_PLAIN] = "",          [OUT_HEADING] = "\033[1m", [OUT_NAME] = "\033[36m",
		[OUT_NUMBER] = "\033[33m", [OUT_FAINT] = "\033[2m",   [OUT_GOOD] = "\033[32m",
		[OUT_WARNING] = "\033[33m", [OUT_BAD] = "\033[31m",
	};

	return has_colours() ? codes[style] : "";
}

const char *out_end(void)
{
	return has_colours() ? "\033[0m" : "";
}

void out_print(enum out_style style, const char *format, ...)
{
	va_list args;

	if (style != OUT_PLAIN)
		fputs(out_begin(style), stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	if (style != OUT_PLAIN)
		fputs(out_end(), stdout);
}

size_t out_utf8(const char *text, size_t room)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)text;
	size_t length, i;
	uint32_t code;

	if (!room)
		return 0;
	length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 :
		 at[0] >> 3 == 30 ? 4 : 0;
	if (length > room)
		return 0;
	code = length == 1 ? at[0] : at[0] & (0x7fu >> length);
	for (i = 1; i < length; i++) {
		if (at[i] >> 6 != 2)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return length;
}

void out_name(const char *bytes, size_t count)
{
	size_t length;

	for (; count; bytes += length, count -= length) {
		length = out_utf8(bytes, count);
		/* C1 control characters are two bytes that begin with 0xc2. */
		if (!length || (unsigned char)*bytes < 0x20 || *bytes == 0x7f ||
		    (length == 2 && (unsigned char)bytes[0] == 0xc2 &&
		     (unsigned char)bytes[1] < 0xa0)) {
			length = 1;
			printf("\\x%02x", (unsigned char)*bytes);
		} else if (*bytes == '\\') {
			fputs("\\\\", stdout);
		} else {
			fwrite(bytes, 1, length, stdout);
		}
	}
}

const char *out_size(uint64_t bytes, char text[OUT_SIZE_B])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double value = (double)bytes;
	unsigned int unit = 0;

	while (value >= 1024 && unit < 6) {
		value /= 1024;
		unit++;
	}
	if (!unit)
		snprintf(text, OUT_SIZE_B, "%llu B", (unsigned long long)bytes);
	else
		snprintf(text, OUT_SIZE_B, "%.1f %s", value, units[unit]);
	return text;
}
