/* SPDX-License-Identifier: MIT */
/* Checks one saved graph and says what was found: both nodes, the memory, and what to do. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/check.h"
#include "tools/dump/command.h"
#include "tools/dump/demangle.h"
#include "tools/dump/output.h"
#include "tools/dump/words.h"

#define TYPE_KERNEL     0
#define TYPE_COPY       1
#define TYPE_EVENT_WAIT 6
#define AUTO_FREE       1u /* musaGraphInstantiateFlagAutoFreeOnLaunch */
#define TEXT_B          1024u
#define HINTS_MAX       10000u
#define DEGREE_MAX      4096u /* nodes with more dependencies get no hints */

/* --- names --------------------------------------------------------------------------------------- */

/* "scale" for "_Z5scalePffi": the function's name alone. */
static void kernel_name(struct dump_file *file, uint32_t index, char *text, size_t size_b)
{
	const struct file_kernel *kernels;
	uint32_t count;
	char *plain;

	kernels = file_kernels(file, &count);
	text[0] = 0;
	if (index >= count)
		return;
	plain = demangle(kernels[index].name.bytes, kernels[index].name.count);
	if (plain && strcspn(plain, "(") < size_b)
		snprintf(text, size_b, "%.*s", (int)strcspn(plain, "("), plain);
	else
		snprintf(text, size_b, "%.*s", (int)kernels[index].name.count,
			 kernels[index].name.bytes);
	free(plain);
}

static const char *node_name(const struct check_model *m, uint32_t vertex, char text[TEXT_B])
{
	const struct vertex *v = &m->vertices[vertex];
	char kernel[512] = "";
	int used_b;

	if (v->type == TYPE_KERNEL)
		kernel_name(m->file, v->kernel, kernel, sizeof(kernel));
	used_b = snprintf(text, TEXT_B, "node %u", v->id);
	if (v->graph)
		used_b += snprintf(text + used_b, TEXT_B - (size_t)used_b, " of graph %u", v->graph);
	snprintf(text + used_b, TEXT_B - (size_t)used_b, " (%s%s%s)", word_node_type(v->type),
		 *kernel ? " " : "", kernel);
	return text;
}

static const char *range_name(struct dump_file *file, uint64_t va, uint64_t end, char text[TEXT_B])
{
	const struct file_range *range = file_range_of(file, va);
	int used_b = snprintf(text, TEXT_B, "%" PRIu64 " byte%s at 0x%" PRIx64, end - va,
			      end - va == 1 ? "" : "s", va);

	if (range)
		snprintf(text + used_b, TEXT_B - (size_t)used_b,
			 " (offset %" PRIu64 " in %" PRIu64 " bytes of %s memory)",
			 va - range->head.va, range->head.range_b,
			 word_range_kind(range->head.kind));
	return text;
}

/* --- output -------------------------------------------------------------------------------------- */

static void begin(struct check_output *out, const char *kind, const char *text, const char *fix)
{
	out->findings++;
	if (out->json) {
		json_object(out->json, NULL);
		json_string(out->json, "kind", kind);
		json_string(out->json, "text", text);
		json_string(out->json, "fix", fix);
		return;
	}
	out_print(OUT_BAD, "  %s: ", kind);
	out_name(text, strlen(text));
	fputs("\n    ", stdout);
	out_print(OUT_GOOD, "fix: ");
	out_name(fix, strlen(fix));
	putchar('\n');
}

static void end(struct check_output *out)
{
	if (out->json)
		json_end(out->json);
}

void check_finding(struct check_output *out, const char *kind, const char *text, const char *fix)
{
	begin(out, kind, text, fix);
	end(out);
}

static void put_node(struct json *json, const struct check_model *m, uint32_t vertex)
{
	const struct vertex *v = &m->vertices[vertex];
	char name[512];

	json_object(json, NULL);
	json_number(json, "graph", v->graph);
	json_number(json, "node", v->id);
	json_string(json, "type", word_node_type(v->type));
	if (v->type == TYPE_KERNEL) {
		kernel_name(m->file, v->kernel, name, sizeof(name));
		json_string(json, "kernel", name);
	}
	json_end(json);
}

/* Members that findings about nodes have; bytes 0: no range. */
static void put_nodes(struct check_output *out, const struct check_model *m, uint32_t first,
		      uint32_t second, uint64_t va, uint64_t bytes, bool exact)
{
	if (!out->json)
		return;
	json_array(out->json, "nodes");
	put_node(out->json, m, first);
	if (second != first)
		put_node(out->json, m, second);
	json_end(out->json);
	if (!bytes)
		return;
	json_object(out->json, "range");
	json_hex(out->json, "address", va);
	json_number(out->json, "bytes", bytes);
	json_bool(out->json, "exact", exact);
	json_end(out->json);
}

/* --- findings ------------------------------------------------------------------------------------ */

static const char *verb(const struct access *access)
{
	switch ((enum access_kind)access->kind) {
	case ACCESS_READ:
		return access->exact ? "reads" : "may read";
	case ACCESS_WRITE:
		return access->exact ? "writes" : "may write";
	case ACCESS_ALLOC:
		return "allocates";
	case ACCESS_FREE:
		return "frees";
	}
	return "uses";
}

static void report_overlap(struct check_output *out, const struct check_model *m,
			   const struct overlap *o)
{
	char first[TEXT_B], second[TEXT_B], range[TEXT_B], text[4 * TEXT_B], fix[4 * TEXT_B];
	const char *kind = "unordered access";

	node_name(m, o->first.node, first);
	node_name(m, o->second.node, second);
	range_name(m->file, o->va, o->end, range);
	if (o->kind == OVERLAP_UNORDERED) {
		snprintf(text, sizeof(text), "%s %s and %s %s %s, and no path orders them", first,
			 verb(&o->first), second, verb(&o->second), range);
		snprintf(fix, sizeof(fix),
			 "let one depend on the other: add an edge from %s to %s, or capture them in "
			 "one stream or with an event in between%s",
			 first, second,
			 o->first.exact && o->second.exact
				 ? ""
				 : "; if they use different parts, nothing is wrong: compile with mtcc "
				   "--record-access to be sure");
	} else if (o->kind == OVERLAP_AFTER_FREE) {
		kind = "use after free";
		snprintf(text, sizeof(text), "%s %s %s, which %s has freed", second,
			 verb(&o->second), range, first);
		snprintf(fix, sizeof(fix), "let %s come after %s", first, second);
	} else {
		kind = "use before allocation";
		snprintf(text, sizeof(text), "%s %s %s before %s allocates it", first,
			 verb(&o->first), range, second);
		snprintf(fix, sizeof(fix), "let %s come after %s", first, second);
	}
	if (o->more)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 " (and %" PRIu64 " more place%s)", o->more, o->more == 1 ? "" : "s");
	begin(out, kind, text, fix);
	put_nodes(out, m, o->first.node, o->second.node, o->va, o->end - o->va,
		  o->first.exact && o->second.exact);
	end(out);
}

static void check_overlaps(struct check_output *out, struct check_model *m, struct reach *reach,
			   int *ret)
{
	struct overlaps found;

	if (overlaps_find(reach, m->accesses, m->access_count, &found)) {
		dump_error("%s: no memory", file_path(m->file));
		*ret = DUMP_UNREADABLE;
	}
	for (uint32_t i = 0; i < found.count && !*ret; i++)
		report_overlap(out, m, &found.list[i]);
	if (found.left_out)
		fprintf(stderr, "mtgraph-dump check: %" PRIu64 " more unordered accesses\n",
			found.left_out);
	overlaps_finish(&found);
}

static int compare_allocs(const void *a, const void *b)
{
	const struct check_alloc *x = a, *y = b;

	return x->va < y->va ? -1 : x->va > y->va;
}

static void note_freed(struct check_model *m, uint64_t va)
{
	struct check_alloc key = {.va = va}, *alloc;

	alloc = m->alloc_count ? bsearch(&key, m->allocs, m->alloc_count, sizeof(key),
					 compare_allocs)
			       : NULL;
	if (alloc)
		alloc->freed = true;
}

static void check_allocs(struct check_output *out, struct check_model *m,
			 const struct check_seen *seen)
{
	const struct mtg_exec *exec = file_exec(m->file);
	char node[TEXT_B], text[2 * TEXT_B];
	uint64_t i;

	if (m->alloc_count)
		qsort(m->allocs, m->alloc_count, sizeof(*m->allocs), compare_allocs);
	for (i = 0; i < m->access_count; i++)
		if (m->accesses[i].kind == ACCESS_FREE)
			note_freed(m, m->accesses[i].va);
	for (i = 0; i < seen->freed_count; i++)
		note_freed(m, seen->freed[i]);
	if (exec && exec->flags & AUTO_FREE)
		return;
	for (i = 0; i < m->alloc_count; i++) {
		if (m->allocs[i].freed)
			continue;
		snprintf(text, sizeof(text), "%s allocates %" PRIu64
			 " bytes at 0x%" PRIx64 " that nothing frees, so that a second launch fails",
			 node_name(m, m->allocs[i].vertex, node), m->allocs[i].size_b,
			 m->allocs[i].va);
		begin(out, "never freed", text,
		      "add a free node behind the last use, free it with musaFreeAsync between "
		      "launches, or instantiate with AutoFreeOnLaunch");
		put_nodes(out, m, m->allocs[i].vertex, m->allocs[i].vertex, m->allocs[i].va,
			  m->allocs[i].size_b, true);
		end(out);
	}
}

/* Bodies of conditional nodes need not have run. */
static bool is_in_body(const struct check_model *m, uint32_t graph)
{
	for (; graph; graph = m->graphs[graph].parent)
		if (m->graphs[graph].role == MTG_BODY)
			return true;
	return false;
}

static void check_idle(struct check_output *out, struct check_model *m)
{
	char node[TEXT_B], text[2 * TEXT_B];
	const struct vertex *v;
	bool kernel;
	uint32_t i;

	for (i = 0; i < m->vertex_count; i++) {
		v = &m->vertices[i];
		kernel = v->type == TYPE_KERNEL && v->flags & VERTEX_RECORDS &&
			 !(v->flags & VERTEX_WROTE) && !is_in_body(m, v->graph);
		if (!(v->flags & VERTEX_NODE) || v->flags & VERTEX_DISABLED ||
		    !(kernel || v->flags & VERTEX_IDLE))
			continue;
		snprintf(text, sizeof(text), "%s %s", node_name(m, i, node),
			 kernel ? "ran and wrote no memory"
				: v->type == TYPE_COPY ? "copies memory onto itself"
						       : "fills no bytes");
		begin(out, "no effect", text,
		      "take the node out, or disable it if later parameters give it something to do");
		put_nodes(out, m, i, i, 0, 0, true);
		end(out);
	}
}

static void check_waits(struct check_output *out, struct check_model *m,
			const struct check_seen *seen)
{
	char node[TEXT_B], text[2 * TEXT_B];
	uint32_t i, graph, id, vertex;

	for (i = 0; i < seen->unrecorded_count; i++) {
		graph = file_graph_of_number(m->file, seen->unrecorded[i], &id);
		if (graph == MTG_NONE)
			continue;
		vertex = m->first[graph] + id;
		snprintf(text, sizeof(text), "%s was launched before its event was ever recorded, so "
			 "that it waited for nothing", node_name(m, vertex, node));
		begin(out, "event never recorded", text,
		      "record the event before the launch, or take the node out");
		put_nodes(out, m, vertex, vertex, 0, 0, true);
		end(out);
	}
}

/* --- hints ---------------------------------------------------------------------------------------- */

/* The edges into each vertex follow each other in the list of own edges. */
static uint64_t hint_vertex(struct check_output *out, struct check_model *m, struct reach *reach,
			    uint64_t first, uint64_t *left)
{
	char from[TEXT_B], to[TEXT_B];
	uint64_t behind = first, i, k;

	while (behind < m->own_edges && m->edges[behind][1] == m->edges[first][1])
		behind++;
	for (i = first; i < behind && behind - first <= DEGREE_MAX && *left; i++) {
		for (k = first; k < behind; k++)
			if (k != i && reach_test(reach, (uint32_t)m->edges[i][0],
						 (uint32_t)m->edges[k][0]))
				break;
		if (k == behind)
			continue;
		--*left;
		if (out->json) {
			json_object(out->json, NULL);
			json_string(out->json, "kind", "redundant edge");
			put_nodes(out, m, (uint32_t)m->edges[i][0], (uint32_t)m->edges[i][1], 0, 0,
				  true);
			json_end(out->json);
			continue;
		}
		out_print(OUT_FAINT, "  hint: the edge from %s to %s is redundant: another path leads there\n",
			  node_name(m, (uint32_t)m->edges[i][0], from),
			  node_name(m, (uint32_t)m->edges[i][1], to));
	}
	return behind;
}

static void print_hints(struct check_output *out, struct check_model *m, struct reach *reach)
{
	uint64_t at = 0, left = HINTS_MAX;

	if (out->json)
		json_array(out->json, "hints");
	while (at < m->own_edges && left)
		at = hint_vertex(out, m, reach, at, &left);
	if (out->json)
		json_end(out->json);
}

/* --- the whole ------------------------------------------------------------------------------------ */

static int check_model(struct check_output *out, struct check_model *m,
		       const struct check_seen *seen)
{
	struct reach reach;
	int ret = reach_init(&reach, m->vertex_count, m->start, m->next);

	if (ret)
		return file_bad(m->file, NULL, ret == -12 ? "no memory" : "its edges form a cycle");
	if (out->json)
		json_array(out->json, "findings");
	check_allocs(out, m, seen);
	check_overlaps(out, m, &reach, &ret);
	check_idle(out, m);
	check_waits(out, m, seen);
	if (out->json)
		json_end(out->json);
	if (out->hints && !ret)
		print_hints(out, m, &reach);
	reach_finish(&reach);
	return ret;
}

int check_file(struct check_output *out, struct dump_file *file, const struct check_seen *seen)
{
	uint32_t before = out->findings;
	struct check_model model;
	const char *path = file_path(file), *slash = strrchr(path, '/');
	int ret = check_model_load(&model, file, seen);

	if (ret)
		return ret;
	if (out->json) {
		json_object(out->json, NULL);
		json_string(out->json, "file", slash ? slash + 1 : path);
		json_number(out->json, "nodes", model.graphs[0].node_count);
		json_number(out->json, "edges", model.graphs[0].edge_count);
	} else {
		out_print(OUT_HEADING, "%s", slash ? slash + 1 : path);
		printf(": %u node%s, %" PRIu64 " edge%s\n", model.graphs[0].node_count,
		       model.graphs[0].node_count == 1 ? "" : "s", model.graphs[0].edge_count,
		       model.graphs[0].edge_count == 1 ? "" : "s");
	}
	ret = check_model(out, &model, seen);
	if (out->json)
		json_end(out->json);
	else if (!ret && before == out->findings)
		out_print(OUT_GOOD, "  nothing found\n");
	check_model_finish(&model);
	return ret;
}
