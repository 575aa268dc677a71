/* SPDX-License-Identifier: MIT */
/* From a saved graph to vertices, edges and accesses. */
#include <stdlib.h>
#include <string.h>

#include "tools/dump/check.h"
#include "tools/dump/command.h"
#include "tools/dump/progress.h"

#define TYPE_KERNEL      0
#define TYPE_CHILD       4
#define TYPE_CONDITIONAL 13

/* What a vertex has inside its own graph. */
#define HAS_DEPS       1u
#define HAS_DEPENDENTS 2u

static bool add_edge(struct check_model *m, uint32_t from, uint32_t to)
{
	uint64_t room = m->edge_room ? 2 * m->edge_room : 1024;
	uint64_t(*edges)[2];

	if (m->edge_count == m->edge_room) {
		edges = realloc(m->edges, room * sizeof(*edges));
		if (!edges) {
			m->no_memory = true;
			return false;
		}
		m->edges = edges;
		m->edge_room = room;
	}
	m->edges[m->edge_count][0] = from;
	m->edges[m->edge_count++][1] = to;
	return true;
}

/* Ids of all graphs, then a start for each nested graph. */
static int lay_out(struct check_model *m)
{
	uint64_t count = 0;
	uint32_t g;

	m->graphs = file_graphs(m->file, &m->graph_count);
	if (!m->graph_count)
		return file_status(m->file) ? DUMP_UNREADABLE
					    : file_bad(m->file, NULL, "it holds no graph");
	m->first = malloc(m->graph_count * sizeof(*m->first));
	for (g = 0; m->first && g < m->graph_count; g++) {
		m->first[g] = (uint32_t)count;
		count += m->graphs[g].id_count;
	}
	if (count + m->graph_count > UINT32_MAX / 2)
		return file_bad(m->file, NULL, "it has too many nodes to be checked");
	m->vertex_count = (uint32_t)count + m->graph_count;
	m->vertices = m->first ? calloc(m->vertex_count, sizeof(*m->vertices)) : NULL;
	if (!m->vertices)
		m->no_memory = true;
	return DUMP_OK;
}

static uint32_t start_of(const struct check_model *m, uint32_t graph)
{
	return m->vertex_count - m->graph_count + graph;
}

static void take_node(struct check_model *m, const struct file_node *node,
		      const struct check_seen *seen)
{
	uint32_t at = m->first[node->graph] + node->head->id, count;
	const struct file_kernel *kernels = file_kernels(m->file, &count);
	struct vertex *v = &m->vertices[at];

	v->graph = node->graph;
	v->id = node->head->id;
	v->type = node->head->type;
	v->kernel = MTG_NONE;
	v->flags |= VERTEX_NODE | (node->head->flags & MTG_NODE_DISABLED ? VERTEX_DISABLED : 0);
	if (v->type == TYPE_KERNEL) {
		v->kernel = ((const struct mtg_kernel_params *)node->params)->kernel;
		if (seen->ran && v->kernel < count &&
		    kernels[v->kernel].head.flags & MTG_KERNEL_RECORDS)
			v->flags |= VERTEX_RECORDS;
	}
	for (uint32_t i = 0; i < node->head->dep_count; i++)
		if (!add_edge(m, m->first[node->graph] + node->deps[i], at))
			return;
	if (!(v->flags & VERTEX_DISABLED))
		check_pointers_of(m, node);
}

/* All nodes; `second` adds accesses, for which all pointers are known. */
static void walk(struct check_model *m, const struct check_seen *seen, bool second)
{
	struct file_node_cursor cursor = {0};
	struct progress progress;
	struct file_node node;
	uint32_t at;

	progress_begin(&progress, second ? "looking at accesses" : "reading nodes",
		       file_size(m->file));
	while (!m->no_memory && file_next_node(m->file, &cursor, &node)) {
		progress_update(&progress, cursor.done_b);
		at = m->first[node.graph] + node.head->id;
		if (!second)
			take_node(m, &node, seen);
		else if (!(m->vertices[at].flags & VERTEX_DISABLED))
			check_accesses_of(m, &node, at);
	}
	progress_end(&progress);
	file_node_cursor_finish(&cursor);
}

/* A nested graph: its start leads to its roots, its sinks to its node, and to the body that comes next:
 * bodies exclude each other. */
static void link_graph(struct check_model *m, uint32_t g, const uint8_t *inner)
{
	const struct mtg_graph *graph = &m->graphs[g];
	uint32_t node = m->first[graph->parent] + graph->parent_node, v;
	uint32_t behind = file_nested(m->file, graph->parent, graph->parent_node, graph->slot + 1);

	if (graph->parent)
		add_edge(m, start_of(m, graph->parent), start_of(m, g));
	add_edge(m, start_of(m, g), node);
	if (behind != MTG_NONE)
		add_edge(m, start_of(m, g), start_of(m, behind));
	for (v = m->first[g]; v < m->first[g] + graph->id_count && !m->no_memory; v++) {
		if (!(m->vertices[v].flags & VERTEX_NODE))
			continue;
		if (!(inner[v] & HAS_DEPS))
			add_edge(m, start_of(m, g), v);
		if (inner[v] & HAS_DEPENDENTS)
			continue;
		add_edge(m, v, node);
		if (behind != MTG_NONE)
			add_edge(m, v, start_of(m, behind));
	}
}

/* Puts the nested graphs between what their nodes depend on and their nodes. */
static void link_nested(struct check_model *m)
{
	uint8_t *inner = calloc(m->vertex_count, 1);
	const struct vertex *to;
	uint32_t g;
	uint64_t i;

	m->own_edges = m->edge_count;
	if (!inner) {
		m->no_memory = true;
		return;
	}
	for (i = 0; i < m->own_edges; i++) {
		inner[m->edges[i][0]] |= HAS_DEPENDENTS;
		inner[m->edges[i][1]] |= HAS_DEPS;
	}
	for (g = 1; g < m->graph_count && !m->no_memory; g++)
		link_graph(m, g, inner);
	for (i = 0; i < m->own_edges && !m->no_memory; i++) {
		to = &m->vertices[m->edges[i][1]];
		if (to->type != TYPE_CHILD && to->type != TYPE_CONDITIONAL)
			continue;
		g = file_nested(m->file, to->graph, to->id, 0);
		if (g != MTG_NONE)
			add_edge(m, (uint32_t)m->edges[i][0], start_of(m, g));
	}
	free(inner);
}

static void index_edges(struct check_model *m)
{
	uint32_t *at;
	uint64_t i;

	if (m->edge_count >= UINT32_MAX) {
		m->no_memory = true;
		return;
	}
	m->start = calloc((size_t)m->vertex_count + 2, sizeof(*m->start));
	m->next = malloc((m->edge_count + 1) * sizeof(*m->next));
	if (!m->start || !m->next) {
		m->no_memory = true;
		return;
	}
	/* Counted one place further on, so that filling moves every start to where it belongs. */
	at = m->start + 1;
	for (i = 0; i < m->edge_count; i++)
		at[m->edges[i][0] + 1]++;
	for (i = 0; i < m->vertex_count; i++)
		at[i + 1] += at[i];
	for (i = 0; i < m->edge_count; i++)
		m->next[at[m->edges[i][0]]++] = (uint32_t)m->edges[i][1];
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void take_access(struct check_model *m, uint32_t vertex, const struct mtg_access *access)
{
	struct vertex *v = &m->vertices[vertex];

	if (!(v->flags & VERTEX_NODE))
		return;
	v->flags |= VERTEX_ACCESSED | (access->flags & MTG_ACCESS_WRITE ? VERTEX_WROTE : 0);
	if (!(v->flags & VERTEX_RECORDS) || v->flags & VERTEX_DISABLED)
		return;
	if (access->flags & MTG_ACCESS_READ)
		check_add_access(m, vertex, ACCESS_READ, true, access->va, access->bytes_b);
	if (access->flags & MTG_ACCESS_WRITE)
		check_add_access(m, vertex, ACCESS_WRITE, true, access->va, access->bytes_b);
}

static void take_seen(struct check_model *m, const struct check_seen *seen)
{
	uint32_t graph, id;
	uint64_t i;

	for (i = 0; i < seen->access_count && !m->no_memory; i++) {
		graph = file_graph_of_number(m->file, seen->accesses[i].node, &id);
		if (graph != MTG_NONE)
			take_access(m, m->first[graph] + id, &seen->accesses[i]);
	}
}

/* What the file itself knows of a run. */
static void take_saved(struct check_model *m)
{
	struct file_record_cursor cursor = {0};
	const struct mtg_access *access;

	while (!m->no_memory && (access = file_next_record(m->file, &cursor, MTG_ACCESSES,
							   sizeof(*access))))
		if (access->graph < m->graph_count &&
		    access->node < m->graphs[access->graph].id_count)
			take_access(m, m->first[access->graph] + access->node, access);
	file_record_cursor_finish(&cursor);
}

int check_model_load(struct check_model *m, struct dump_file *file, const struct check_seen *seen)
{
	struct check_seen own = *seen;
	int ret;

	memset(m, 0, sizeof(*m));
	m->file = file;
	if (file_find(file, MTG_ACCESSES, 0) < file_section_count(file))
		own.ran = true;
	ret = lay_out(m);
	if (!ret && !m->no_memory)
		walk(m, &own, false);
	if (!ret && !m->no_memory) {
		if (m->pointer_count)
			qsort(m->pointers, m->pointer_count, sizeof(*m->pointers),
			      compare_addresses);
		walk(m, &own, true);
		link_nested(m);
	}
	if (!ret && !m->no_memory) {
		index_edges(m);
		take_seen(m, seen);
		take_saved(m);
	}
	if (!ret)
		ret = file_status(file);
	if (!ret && m->no_memory) {
		dump_error("%s: no memory", file_path(file));
		ret = DUMP_UNREADABLE;
	}
	if (ret)
		check_model_finish(m);
	return ret;
}

void check_model_finish(struct check_model *m)
{
	free(m->first);
	free(m->vertices);
	free(m->edges);
	free(m->start);
	free(m->next);
	free(m->accesses);
	free(m->pointers);
	free(m->allocs);
	memset(m, 0, sizeof(*m));
}
