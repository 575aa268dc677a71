/* SPDX-License-Identifier: MIT */
/*
 * A strict reader of the DOT files that this project writes: one statement a line, quoted strings, no
 * construct that old Graphviz versions lack.
 */
#ifndef TEST_DOT_PARSER_H
#define TEST_DOT_PARSER_H

#include <stddef.h>

#define DOT_STRING_MAX 16384 /* bytes, quotes included */

struct dot_counts {
	size_t nodes, edges, clusters;
	const char *error; /* NULL if the text is good */
	size_t line;       /* of the error */
};

/* Parses a whole file's text. Every edge must join two nodes that have a statement of their own, and no
 * node may have two. */
struct dot_counts dot_parse(const char *text);

#endif
