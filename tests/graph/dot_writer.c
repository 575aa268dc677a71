/* SPDX-License-Identifier: MIT */
/* The DOT writer under names that no compiler makes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dot_parser.h"
#include "graph/dot.h"

static char path[] = "/tmp/mtgraph-writer-XXXXXX";

static void start(void)
{
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	close(fd);
}

static void stop(void)
{
	unlink(path);
}

TestSuite(dot_writer, .init = start, .fini = stop);

/* Writes one node with this name and an edge to itself; returns the file. */
static char *write_name(const char *name)
{
	struct mt_dot *dot;
	char *text;
	FILE *file;
	long size;

	cr_assert_eq(mt_dot_open(path, name, &dot), 0);
	mt_dot_cluster_begin(dot, 0, name);
	mt_dot_node_begin(dot, 0, 0, "Kernel");
	mt_dot_node_text(dot, "function", name);
	mt_dot_node_line(dot, "grid", "%d %d %d", 1, 2, 3);
	mt_dot_node_end(dot);
	mt_dot_edge(dot, 0, 0, 0);
	mt_dot_cluster_end(dot);
	cr_assert_eq(mt_dot_close(dot), 0);
	file = fopen(path, "r");
	cr_assert_not_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	cr_assert_eq(fread(text, 1, (size_t)size, file), (size_t)size);
	fclose(file);
	return text;
}

/* The value of the node's "function" line, read back by the rules that dot.h gives. */
static char *read_name(const char *text)
{
	const char *at = strstr(text, "function: ");
	char *name = calloc(1, strlen(text) + 1), *to = name;

	cr_assert_not_null(at);
	for (at += strlen("function: "); *at != '"'; at++) {
		if (*at != '\\') {
			*to++ = *at;
			continue;
		}
		at++;
		/* The next line of the label ends the name: "\ngrid: ". */
		if (!strncmp(at, "ngrid: ", 7))
			return name;
		*to++ = *at == 'n' ? '\n' : *at;
	}
	cr_assert_fail("the label ends in the name");
	return NULL;
}

/* Our own reader takes it, and finds the one node with its one edge. */
static void check_form(const char *text)
{
	struct dot_counts counts = dot_parse(text);

	cr_assert_null(counts.error, "line %zu: %s", counts.line, counts.error);
	cr_assert_eq(counts.nodes, 1);
	cr_assert_eq(counts.edges, 1);
	cr_assert_eq(counts.clusters, 1);
}

static void parse(void)
{
	char command[160];

	if (system("command -v dot >/dev/null 2>&1"))
		return;
	snprintf(command, sizeof(command), "test -z \"$(dot -Tcanon %s 2>&1 >/dev/null)\"", path);
	cr_assert_eq(system(command), 0);
}

static void expect_name(const char *name, const char *want)
{
	char *text = write_name(name), *got;

	check_form(text);
	parse();
	got = read_name(text);
	cr_assert_str_eq(got, want);
	free(got);
	free(text);
}

/* Names read back as they were. */
Test(dot_writer, names)
{
	static const char *const names[] = {
		"k<int, A<B>>", "a|b{c}", "say \"k\"", "\"", "tail\\", "\\\\", "a\nb", "\n", "%s %n",
		"", "operator->", "->->", "-", "k\\\"", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "tab\tbed",
		"&lt;x&gt;", "\\N\\G", "<b>bold</b>", "-\xc3\xa4>",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_name(names[i], names[i]);
}

/* What is not UTF-8, and what would control a terminal, is replaced byte by byte. */
Test(dot_writer, invalid_bytes)
{
#define BAD "\xef\xbf\xbd"
	expect_name("a\xff", "a" BAD);
	expect_name("\xc3", BAD);
	expect_name("\xc3(", BAD "(");
	expect_name("\xe2\x82", BAD BAD);
	expect_name("\xc0\xaf", BAD BAD);	  /* overlong */
	expect_name("\xed\xa0\x80", BAD BAD BAD); /* surrogate */
	expect_name("\xf4\x90\x80\x80", BAD BAD BAD BAD);
	expect_name("\x1b[0m\x7f\r", BAD "[0m" BAD BAD);
}

/* A long name is cut at a character and says so; the lines behind it are still there. */
Test(dot_writer, long_names)
{
	static const char *const units[] = { "k", "\"", "\xc3\xa4", "\xff", "\n", "->", "ab\\" };
	size_t mark = strlen(MT_DOT_CUT_MARK);
	char *name = calloc(1, 70001), *text, *got;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		name[0] = 0;
		for (size_t at = 0; at < 20000; at += strlen(units[i]))
			memcpy(name + at, units[i], strlen(units[i]) + 1);
		text = write_name(name);
		check_form(text);
		parse();
		cr_assert_not_null(strstr(text, "grid: 1 2 3"));
		got = read_name(text);
		cr_assert(strlen(got) > mark && strlen(got) <= MT_DOT_LINE_MAX_B + mark);
		cr_assert_str_eq(got + strlen(got) - mark, MT_DOT_CUT_MARK);
		if (units[i][0] != '\xff')
			cr_assert(!strncmp(got, name, strlen(got) - mark));
		free(got);
		free(text);
	}
	free(name);
}

/* Many lines: the label is cut as a whole. */
Test(dot_writer, many_lines)
{
	struct mt_dot *dot;
	char line[128];

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = 0;
	cr_assert_eq(mt_dot_open(path, "g", &dot), 0);
	mt_dot_node_begin(dot, 0, 0, "Kernel");
	for (int i = 0; i < 1000; i++)
		mt_dot_node_text(dot, "line", line);
	mt_dot_node_end(dot);
	/* The next label has its own room. */
	mt_dot_node_begin(dot, 0, 1, "Kernel");
	mt_dot_node_text(dot, "line", "whole");
	mt_dot_node_end(dot);
	cr_assert_eq(mt_dot_close(dot), 0);
	parse();
	cr_assert_eq(access(path, F_OK), 0);
}

/* A device that is full is an error, however much was written before it showed. */
Test(dot_writer, write_errors)
{
	struct mt_dot *dot;

	cr_assert_lt(mt_dot_open("", "g", &dot), 0);
	cr_assert_lt(mt_dot_open("/nonexistent/g.dot", "g", &dot), 0);
	cr_assert_eq(mt_dot_open("/dev/full", "g", &dot), 0);
	cr_assert_lt(mt_dot_close(dot), 0);
	cr_assert_eq(mt_dot_open("/dev/full", "g", &dot), 0);
	for (uint32_t i = 0; i < 10000; i++)
		mt_dot_edge(dot, 0, i, i + 1);
	cr_assert_lt(mt_dot_close(dot), 0);
}
