/* SPDX-License-Identifier: MIT */
/*
 * Writer of graphs in the DOT language, from an abstract description: clusters, nodes with lines of
 * text, edges. It knows no graph objects, so tools can feed it as well.
 *
 * What comes out:
 *
 *	digraph "NAME" {
 *	subgraph cluster_0 {
 *	label="TEXT";
 *	"graph_0_node_0" [shape=box, label="0 Empty"];
 *	"graph_0_node_1" [shape=box, label="1 Kernel\nfunction: k"];
 *	"graph_0_node_0" -> "graph_0_node_1";
 *	}
 *	}
 *
 * One statement a line, one node statement per node, one edge statement per edge, nothing else that is
 * a node or an edge; quoted strings only, none longer than MT_DOT_STRING_MAX_B. In text:
 *
 *	"        becomes \"
 *	\        becomes \\
 *	newline  becomes \n
 *	->       becomes -\> (drawn as ->), so that the arrow stands in edge statements only
 *	bytes that are not UTF-8, control characters: U+FFFD each
 *	what is too long: cut, with MT_DOT_CUT_MARK behind
 *
 * Errors stick: after the first one nothing is written, and mt_dot_close() tells it.
 */
#ifndef MT_GRAPH_DOT_H
#define MT_GRAPH_DOT_H

#include <stdint.h>

#define MT_DOT_STRING_MAX_B 16384u /* longest quoted string, quotes included: Graphviz's limit */
#define MT_DOT_LINE_MAX_B   8192u  /* longest line of text in a label */
#define MT_DOT_CUT_MARK     "...[cut]"

struct mt_dot;

/* Opens (creates, truncates) a file and writes the head. 0 or a negative errno. */
int mt_dot_open(const char *path, const char *name, struct mt_dot **dot_out);

/* Writes the tail and closes. 0, or the negative errno of the first failure since the opening: a file
 * that could not be written to its end is never a success. */
int mt_dot_close(struct mt_dot *dot);

/* Clusters nest. Numbers are the caller's, unique in the file. */
void mt_dot_cluster_begin(struct mt_dot *dot, uint32_t cluster, const char *label);
void mt_dot_cluster_end(struct mt_dot *dot);

/* A node: begin, any number of lines, end. Its first line is its number and `type`. */
void mt_dot_node_begin(struct mt_dot *dot, uint32_t cluster, uint32_t node, const char *type);
void mt_dot_node_line(struct mt_dot *dot, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4))); /* "name: value" */
void mt_dot_node_text(struct mt_dot *dot, const char *name, const char *text); /* any bytes */
void mt_dot_node_end(struct mt_dot *dot);

void mt_dot_edge(struct mt_dot *dot, uint32_t cluster, uint32_t from, uint32_t to);

#endif
