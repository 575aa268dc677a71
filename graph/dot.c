/* SPDX-License-Identifier: MIT */
/*
 * DOT writer: buffered output, escaping, limits. See dot.h for the form.
 */
#include "graph/dot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hw/base/alloc.h"

#define BUFFER_B  65536u
#define REPLACED  "\xef\xbf\xbd" /* U+FFFD */
#define ESCAPED_B 4u             /* longest output of one input character */
/* A label may grow up to here: room for a last cut mark and the closing quote. */
#define LABEL_MAX_B (MT_DOT_STRING_MAX_B - 64u)
/* Graphviz gives up on edges longer than 65,535 points: nodes with lines over this get small type. */
#define WIDE_B 1024u

struct mt_dot {
	int fd, error;
	uint32_t used_b;  /* of buffer */
	uint32_t label_b; /* bytes of the open label */
	bool label_cut;   /* the open label is full */
	bool label_wide;  /* it has a long line */
	char buffer[BUFFER_B];
};

static void flush_buffer(struct mt_dot *dot)
{
	const char *at = dot->buffer;
	ssize_t done;

	while (dot->used_b && !dot->error) {
		done = write(dot->fd, at, dot->used_b);
		if (done < 0) {
			if (errno != EINTR)
				dot->error = -errno;
			continue;
		}
		at += done;
		dot->used_b -= (uint32_t)done;
	}
	dot->used_b = 0;
}

static void put_bytes(struct mt_dot *dot, const char *bytes, size_t count)
{
	size_t part;

	while (count) {
		if (dot->used_b == BUFFER_B)
			flush_buffer(dot);
		part = BUFFER_B - dot->used_b;
		if (part > count)
			part = count;
		memcpy(dot->buffer + dot->used_b, bytes, part);
		dot->used_b += (uint32_t)part;
		bytes += part;
		count -= part;
	}
}

static void put_string(struct mt_dot *dot, const char *text)
{
	put_bytes(dot, text, strlen(text));
}

static void put_number(struct mt_dot *dot, uint32_t number)
{
	char digits[10], *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put_bytes(dot, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_node_name(struct mt_dot *dot, uint32_t cluster, uint32_t node)
{
	put_string(dot, "\"graph_");
	put_number(dot, cluster);
	put_string(dot, "_node_");
	put_number(dot, node);
	put_string(dot, "\"");
}

/* Length of the UTF-8 character at `at`; 0 if there is none. Stops at the terminating zero. */
static size_t utf8_length(const unsigned char *at)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 :
			at[0] >> 3 == 30 ? 4 : 0;
	uint32_t code = length == 1 ? at[0] : at[0] & (0x7fu >> length);
	size_t i;

	for (i = 1; i < length; i++) {
		if (at[i] >> 6 != 2)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return length;
}

/* Writes the escaped form of the character at `at` to `out`; returns the bytes it took there and
 * stores those it took of the input. */
static size_t escape_char(const unsigned char *at, char out[ESCAPED_B + 1], size_t *taken_out)
{
	size_t length = utf8_length(at);

	*taken_out = length ? length : 1;
	if (at[0] == '"' || at[0] == '\\' || at[0] == '\n') {
		out[0] = '\\';
		out[1] = at[0] == '\n' ? 'n' : (char)at[0];
		return 2;
	}
	if (at[0] == '-' && at[1] == '>') {
		*taken_out = 2;
		memcpy(out, "-\\>", 3);
		return 3;
	}
	if (!length || (at[0] < 0x20 && at[0] != '\t') || at[0] == 0x7f) {
		memcpy(out, REPLACED, sizeof(REPLACED) - 1);
		return sizeof(REPLACED) - 1;
	}
	memcpy(out, at, length);
	return length;
}

static void put_label_bytes(struct mt_dot *dot, const char *bytes, size_t count)
{
	put_bytes(dot, bytes, count);
	dot->label_b += (uint32_t)count;
}

static void cut_label(struct mt_dot *dot)
{
	put_label_bytes(dot, MT_DOT_CUT_MARK, sizeof(MT_DOT_CUT_MARK) - 1);
}

/* How many bytes from `at` on stand for themselves. */
static size_t plain_run(const unsigned char *at)
{
	size_t count = 0;

	while (at[count] >= 0x20 && at[count] < 0x7f && at[count] != '"' && at[count] != '\\' &&
	       at[count] != '-')
		count++;
	return count;
}

/* Appends text to the open label, at most `limit_b` bytes of output. */
static void put_label(struct mt_dot *dot, const char *text, uint32_t limit_b)
{
	const unsigned char *at = (const unsigned char *)text;
	uint32_t start_b = dot->label_b, end_b = start_b + limit_b;
	char out[ESCAPED_B + 1];
	size_t taken, count;

	for (; *at && !dot->label_cut; at += taken) {
		count = plain_run(at);
		if (count && dot->label_b + count <= LABEL_MAX_B && dot->label_b + count <= end_b) {
			put_label_bytes(dot, (const char *)at, count);
			taken = count;
			continue;
		}
		count = escape_char(at, out, &taken);
		dot->label_cut = dot->label_b + count > LABEL_MAX_B;
		if (dot->label_cut || dot->label_b + count > end_b) {
			cut_label(dot);
			break;
		}
		put_label_bytes(dot, out, count);
	}
	dot->label_wide = dot->label_wide || dot->label_b - start_b > WIDE_B;
}

int mt_dot_open(const char *path, const char *name, struct mt_dot **dot_out)
{
	struct mt_dot *dot = mt_alloc(sizeof(*dot));
	int error;

	if (!dot)
		return -ENOMEM;
	dot->error = 0;
	dot->used_b = 0;
	dot->label_b = 0;
	dot->label_cut = false;
	dot->label_wide = false;
	dot->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (dot->fd < 0) {
		error = -errno;
		mt_free(dot);
		return error;
	}
	put_string(dot, "digraph \"");
	put_label(dot, name, MT_DOT_LINE_MAX_B);
	put_string(dot, "\" {\n");
	*dot_out = dot;
	return 0;
}

int mt_dot_close(struct mt_dot *dot)
{
	int error;

	put_string(dot, "}\n");
	flush_buffer(dot);
	error = dot->error;
	if (close(dot->fd) && !error && errno != EINTR)
		error = -errno;
	mt_free(dot);
	return error;
}

static void begin_label(struct mt_dot *dot)
{
	put_string(dot, "label=\"");
	dot->label_b = 2; /* the quotes */
	dot->label_cut = false;
	dot->label_wide = false;
}

void mt_dot_cluster_begin(struct mt_dot *dot, uint32_t cluster, const char *label)
{
	put_string(dot, "subgraph cluster_");
	put_number(dot, cluster);
	put_string(dot, " {\n");
	begin_label(dot);
	put_label(dot, label, MT_DOT_LINE_MAX_B);
	put_string(dot, dot->label_wide ? "\";\nfontsize=2;\n" : "\";\n");
}

void mt_dot_cluster_end(struct mt_dot *dot)
{
	put_string(dot, "}\n");
}

void mt_dot_node_begin(struct mt_dot *dot, uint32_t cluster, uint32_t node, const char *type)
{
	put_node_name(dot, cluster, node);
	put_string(dot, " [shape=box, ");
	begin_label(dot);
	put_number(dot, node);
	put_label_bytes(dot, " ", 1);
	dot->label_b += 10; /* digits at most */
	put_label(dot, type, MT_DOT_LINE_MAX_B);
}

void mt_dot_node_text(struct mt_dot *dot, const char *name, const char *text)
{
	put_label(dot, "\n", MT_DOT_LINE_MAX_B);
	put_label(dot, name, MT_DOT_LINE_MAX_B);
	put_label(dot, ": ", MT_DOT_LINE_MAX_B);
	put_label(dot, text, MT_DOT_LINE_MAX_B);
}

void mt_dot_node_line(struct mt_dot *dot, const char *name, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	mt_dot_node_text(dot, name, text);
}

void mt_dot_node_end(struct mt_dot *dot)
{
	put_string(dot, dot->label_wide ? "\", fontsize=2];\n" : "\"];\n");
}

void mt_dot_edge(struct mt_dot *dot, uint32_t cluster, uint32_t from, uint32_t to)
{
	put_node_name(dot, cluster, from);
	put_string(dot, " -> ");
	put_node_name(dot, cluster, to);
	put_string(dot, ";\n");
}
