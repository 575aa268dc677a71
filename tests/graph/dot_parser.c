/* SPDX-License-Identifier: MIT */
/* See dot_parser.h. */
#include "dot_parser.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	const char *at;
	struct dot_counts counts;
	char **names, **ends; /* of nodes; of edges' ends */
	size_t name_count, end_count;
};

static bool fail(struct parser *p, const char *error)
{
	if (!p->counts.error)
		p->counts.error = error;
	return false;
}

static bool take(struct parser *p, const char *token)
{
	size_t length = strlen(token);

	if (strncmp(p->at, token, length))
		return false;
	p->at += length;
	return true;
}

static bool need(struct parser *p, const char *token, const char *error)
{
	return take(p, token) || fail(p, error);
}

static bool need_line_end(struct parser *p)
{
	if (!need(p, "\n", "more than one statement in a line"))
		return false;
	p->counts.line++;
	return true;
}

/* A quoted string, copied if `copy_out`. Arrows are not allowed in it. */
static bool need_string(struct parser *p, char **copy_out)
{
	const char *start = p->at;

	if (!need(p, "\"", "no quoted string"))
		return false;
	for (; *p->at != '"'; p->at++) {
		if (!*p->at || *p->at == '\n')
			return fail(p, "a string without an end");
		if (p->at[0] == '-' && p->at[1] == '>')
			return fail(p, "an arrow in a string");
		if (*p->at == '\\' && !*++p->at)
			return fail(p, "a string without an end");
	}
	p->at++;
	if (p->at - start > DOT_STRING_MAX)
		return fail(p, "a string over Graphviz's limit");
	if (copy_out)
		*copy_out = strndup(start, (size_t)(p->at - start));
	return true;
}

static void push(char ***list, size_t *count, char *name)
{
	if (!(*count & (*count - 1)))
		*list = realloc(*list, (*count ? *count * 2 : 1) * sizeof(**list));
	(*list)[(*count)++] = name;
}

static bool need_number(struct parser *p)
{
	size_t digits = strspn(p->at, "0123456789");

	p->at += digits;
	return digits || fail(p, "no number");
}

/* [name=value, ...] behind a node. */
static bool need_attributes(struct parser *p)
{
	bool label = false;

	do {
		if (take(p, "label=")) {
			label = true;
			if (!need_string(p, NULL))
				return false;
		} else if (take(p, "fontsize=")) {
			if (!need_number(p))
				return false;
		} else if (!need(p, "shape=box", "an unknown attribute")) {
			return false;
		}
	} while (take(p, ", "));
	return need(p, "]", "attributes without an end") && (label || fail(p, "no label"));
}

static bool parse_node_or_edge(struct parser *p)
{
	char *name, *other;

	if (!need_string(p, &name))
		return false;
	if (take(p, " [")) {
		push(&p->names, &p->name_count, name);
		p->counts.nodes++;
		return need_attributes(p);
	}
	push(&p->ends, &p->end_count, name);
	if (!need(p, " -> ", "neither node nor edge") || !need_string(p, &other))
		return false;
	push(&p->ends, &p->end_count, other);
	p->counts.edges++;
	return true;
}

static bool parse_statements(struct parser *p)
{
	size_t depth = 1;

	while (depth) {
		if (take(p, "}")) {
			depth--;
		} else if (take(p, "subgraph cluster_")) {
			if (!need_number(p) || !need(p, " {", "a cluster without a body"))
				return false;
			depth++;
			p->counts.clusters++;
		} else if (take(p, "label=")) {
			if (!need_string(p, NULL) || !need(p, ";", "no semicolon"))
				return false;
		} else if (take(p, "fontsize=")) {
			if (!need_number(p) || !need(p, ";", "no semicolon"))
				return false;
		} else if (!parse_node_or_edge(p) || !need(p, ";", "no semicolon")) {
			return false;
		}
		if (!need_line_end(p))
			return false;
	}
	return !*p->at || fail(p, "text behind the graph");
}

static int compare(const void *one, const void *two)
{
	return strcmp(*(char *const *)one, *(char *const *)two);
}

static bool check_names(struct parser *p)
{
	size_t i;

	if (p->name_count)
		qsort(p->names, p->name_count, sizeof(*p->names), compare);
	for (i = 1; i < p->name_count; i++)
		if (!strcmp(p->names[i - 1], p->names[i]))
			return fail(p, "two statements for one node");
	for (i = 0; i < p->end_count; i++)
		if (!p->name_count || !bsearch(&p->ends[i], p->names, p->name_count,
					       sizeof(*p->names), compare))
			return fail(p, "an edge to a node that is not there");
	return true;
}

struct dot_counts dot_parse(const char *text)
{
	struct parser p = { .at = text, .counts = { .line = 1 } };

	if (need(&p, "digraph ", "no digraph") && need_string(&p, NULL) &&
	    need(&p, " {", "no body") && need_line_end(&p) && parse_statements(&p))
		check_names(&p);
	while (p.name_count)
		free(p.names[--p.name_count]);
	while (p.end_count)
		free(p.ends[--p.end_count]);
	free(p.names);
	free(p.ends);
	return p.counts;
}
