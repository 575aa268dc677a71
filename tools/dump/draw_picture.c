/* SPDX-License-Identifier: MIT */
/*
 * Builds the picture as a Graphviz graph: a cluster for each nested graph and each repeat, a node for what
 * is left after folding. First what is shown is decided, graph by graph, then drawn, then given its texts.
 */
#include "tools/dump/draw_picture.h"

#include <errno.h>
#include <graphviz/gvc.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/draw_label.h"
#include "tools/dump/fold.h"
#include "tools/dump/words.h"

#define NESTING_MAX  16u /* deeper graphs are a number in their node's text */
#define SHOWN_FACTOR 4u  /* nested graphs are shown up to so many times the limit, in all */
#define NAME_B       48u

#define CRITICAL_COLOUR "#d00000"

/* One graph of the file as it is drawn. */
struct part {
	struct fold fold;
	Agnode_t **nodes;     /* per item: where it is drawn; NULL for clusters */
	Agraph_t **places;    /* per item: the cluster that holds it */
	uint32_t depth;
	bool shown;
};

struct picture {
	struct dump_file *file;
	const struct draw_model *model;
	Agraph_t *graph;
	struct part *parts;  /* per graph */
	uint32_t *items;     /* per node of the model: its item in its part, FOLD_NONE if not drawn */
	uint64_t shown;
};

static void set(void *object, const char *name, const char *value)
{
	agsafeset(object, (char *)name, (char *)value, (char *)"");
}

/* Texts go through a stream, so that no length is too much. */
struct text {
	char *bytes;
	size_t size_b;
	FILE *stream;
};

static FILE *text_begin(struct text *text)
{
	*text = (struct text){0};
	text->stream = open_memstream(&text->bytes, &text->size_b);
	return text->stream;
}

static void text_set(struct text *text, void *object, const char *name)
{
	if (!fclose(text->stream))
		set(object, name, text->bytes);
	free(text->bytes);
}

/* --- what is shown ------------------------------------------------------------------------------ */

static bool is_cluster(const struct fold *fold, uint32_t item)
{
	const struct fold_item *at = &fold->items[item];

	return at->child_count > 1 ||
	       (at->child_count == 1 && fold->items[fold->children[at->first_child]].child_count);
}

/* A nested graph is drawn where its node is, if it is not too deep and there is room for it. */
static bool wants_part(struct picture *picture, uint32_t g, uint32_t limit)
{
	const struct draw_graph *graph = &picture->model->graphs[g];
	const struct part *parent;
	uint64_t more = graph->node_count < limit ? graph->node_count : limit;

	if (graph->parent == MTG_NONE)
		return true;
	if (graph->parent_node == MTG_NONE || !graph->node_count)
		return false;
	parent = &picture->parts[graph->parent];
	if (!parent->shown || parent->depth + 1 >= NESTING_MAX ||
	    picture->items[picture->model->graphs[graph->parent].first + graph->parent_node] ==
		    FOLD_NONE)
		return false;
	return limit == UINT32_MAX || picture->shown + more <= (uint64_t)limit * SHOWN_FACTOR;
}

static int make_part(struct picture *picture, uint32_t g, uint32_t limit)
{
	const struct draw_graph *graph = &picture->model->graphs[g];
	const bool *critical = &picture->model->critical[graph->first];
	struct part *part = &picture->parts[g];
	int ret = fold_make(&part->fold, graph->node_count,
			    &picture->model->edges[graph->first_edge], graph->edge_count,
			    &picture->model->signatures[graph->first], limit);

	if (ret)
		return ret;
	part->depth = graph->parent == MTG_NONE ? 0 : picture->parts[graph->parent].depth + 1;
	part->nodes = calloc((size_t)part->fold.item_count + 1, sizeof(Agnode_t *));
	part->places = calloc((size_t)part->fold.item_count + 1, sizeof(Agraph_t *));
	if (!part->nodes || !part->places)
		return -ENOMEM;
	for (uint32_t i = 0; i < graph->node_count; i++)
		if (critical[i])
			fold_mark(&part->fold, i);
	part->shown = true;
	return 0;
}

/* --- drawing ------------------------------------------------------------------------------------- */

static void draw_item_node(struct picture *picture, uint32_t g, uint32_t item, Agraph_t *place)
{
	struct part *part = &picture->parts[g];
	const struct fold_item *at = &part->fold.items[item];
	char name[NAME_B];

	snprintf(name, sizeof(name), at->kind == FOLD_NODE ? "g%un%u" : "g%uitem%u", g,
		 at->kind == FOLD_NODE
			 ? picture->model->nodes[picture->model->graphs[g].first + item].id
			 : item);
	part->nodes[item] = agnode(place, name, 1);
	part->places[item] = place;
	if (at->kind == FOLD_NODE)
		picture->items[picture->model->graphs[g].first + at->node] = item;
	picture->shown++;
	if (at->marked) {
		set(part->nodes[item], "critical", "true");
		set(part->nodes[item], "penwidth", "3");
	}
}

static Agraph_t *draw_cluster(Agraph_t *place, uint32_t g, uint32_t item)
{
	char name[NAME_B];

	if (item == FOLD_NONE)
		snprintf(name, sizeof(name), "cluster_g%u", g);
	else
		snprintf(name, sizeof(name), "cluster_g%u_%u", g, item);
	return agsubg(place, name, 1);
}

static void print_repeat(FILE *out, const struct fold_item *item)
{
	if (item->kind == FOLD_SERIES)
		fprintf(out, "%u times in a row", item->count);
	else if (item->kind == FOLD_PARALLEL)
		fprintf(out, "%u times side by side", item->count);
	else
		fprintf(out, "%u alike in this layer", item->count);
}

/* The items of a part, clusters before what is in them. Folding nests a few levels at most, but a
 * list serves as well as recursion. */
static int draw_items(struct picture *picture, uint32_t g, Agraph_t *place)
{
	struct part *part = &picture->parts[g];
	const struct fold *fold = &part->fold;
	uint32_t *open = malloc(((size_t)fold->item_count + 1) * sizeof(*open)), count = 0;

	if (!open)
		return -ENOMEM;
	for (uint32_t i = fold->root_count; i-- > 0;) {
		open[count++] = fold->roots[i];
		part->places[fold->roots[i]] = place;
	}
	while (count) {
		uint32_t item = open[--count];
		const struct fold_item *at = &fold->items[item];
		Agraph_t *inside = part->places[item];

		if (!at->child_count) {
			draw_item_node(picture, g, item, inside);
			continue;
		}
		if (is_cluster(fold, item)) {
			struct text text;

			inside = draw_cluster(inside, g, item);
			set(inside, "style", "dashed");
			set(inside, "color", at->marked ? CRITICAL_COLOUR : "#555555");
			if (text_begin(&text)) {
				print_repeat(text.stream, at);
				text_set(&text, inside, "label");
			}
		}
		for (uint32_t i = at->child_count; i-- > 0;) {
			uint32_t child = fold->children[at->first_child + i];

			part->places[child] = inside;
			open[count++] = child;
		}
	}
	free(open);
	return 0;
}

static void draw_edge(struct picture *picture, uint32_t g, uint32_t from, uint32_t to, bool critical)
{
	struct part *part = &picture->parts[g];
	const struct fold *fold = &part->fold;
	Agnode_t *tail = part->nodes[fold_end(fold, from, true)];
	Agnode_t *head = part->nodes[fold_end(fold, to, false)];
	char name[NAME_B];
	Agedge_t *edge;

	if (!tail || !head)
		return;
	edge = agedge(picture->graph, tail, head, NULL, 1);
	if (is_cluster(fold, from)) {
		snprintf(name, sizeof(name), "cluster_g%u_%u", g, from);
		set(edge, "ltail", name);
	}
	if (is_cluster(fold, to)) {
		snprintf(name, sizeof(name), "cluster_g%u_%u", g, to);
		set(edge, "lhead", name);
	}
	if (critical) {
		set(edge, "critical", "true");
		set(edge, "color", CRITICAL_COLOUR);
		set(edge, "penwidth", "2.5");
	}
}

/* Of the marked successors of a marked item the one in the nearest layer is next on the path. */
static int draw_edges(struct picture *picture, uint32_t g)
{
	const struct fold *fold = &picture->parts[g].fold;
	size_t roots = (size_t)fold->root_count + 1;
	struct edge *edges = malloc(((size_t)fold->edge_count + 1) * sizeof(*edges));
	uint32_t *place = malloc(((size_t)fold->item_count + 1) * sizeof(*place));
	uint32_t *layers = calloc(roots, sizeof(*layers)), *next = malloc(roots * sizeof(*next));
	int ret = edges && place && layers && next ? 0 : -ENOMEM;

	for (uint32_t i = 0; !ret && i < fold->root_count; i++) {
		place[fold->roots[i]] = i;
		next[i] = FOLD_NONE;
	}
	for (uint32_t i = 0; !ret && i < fold->edge_count; i++)
		edges[i] = (struct edge){ place[fold->edges[i].from], place[fold->edges[i].to] };
	if (!ret)
		ret = graph_layers(fold->root_count, edges, fold->edge_count, layers);
	for (uint32_t i = 0; !ret && i < fold->edge_count; i++) {
		uint32_t *best = &next[edges[i].from];

		if (fold->items[fold->edges[i].from].marked &&
		    fold->items[fold->edges[i].to].marked &&
		    (*best == FOLD_NONE || layers[edges[i].to] < layers[edges[*best].to]))
			*best = i;
	}
	if (ret == -ELOOP)
		ret = 0; /* no path is marked in a cycle */
	for (uint32_t i = 0; !ret && i < fold->edge_count; i++)
		draw_edge(picture, g, fold->edges[i].from, fold->edges[i].to,
			  next[edges[i].from] == i);
	for (uint32_t item = 0; !ret && item < fold->item_count; item++) {
		const struct fold_item *at = &fold->items[item];

		if (!picture->parts[g].places[item])
			continue;
		for (uint32_t i = 0; i + 1 < at->child_count; i++) {
			uint32_t from = fold->children[at->first_child + i];
			uint32_t to = fold->children[at->first_child + i + 1];

			draw_edge(picture, g, from, to,
				  fold->items[from].marked && fold->items[to].marked);
		}
	}
	free(edges);
	free(place);
	free(layers);
	free(next);
	return ret;
}

/* A nested graph: a cluster beside its node, and a dotted line between the two. */
static Agraph_t *draw_nested_place(struct picture *picture, uint32_t g)
{
	const struct draw_graph *graph = &picture->model->graphs[g];
	const struct mtg_graph *record = &file_graphs(picture->file, &(uint32_t){0})[g];
	const struct part *parent = &picture->parts[graph->parent];
	uint32_t item = picture->items[picture->model->graphs[graph->parent].first +
				       graph->parent_node];
	Agraph_t *place = draw_cluster(parent->places[item], g, FOLD_NONE);
	struct text text;

	if (text_begin(&text)) {
		if (record->role == MTG_BODY)
			fprintf(text.stream, "body %u of node %u", record->slot,
				record->parent_node);
		else
			fprintf(text.stream, "child graph of node %u", record->parent_node);
		text_set(&text, place, "label");
	}
	set(place, "style", "rounded,filled");
	set(place, "fillcolor", "#00000008");
	set(place, "color", "#999999");
	return place;
}

static void draw_nested_line(struct picture *picture, uint32_t g)
{
	const struct draw_graph *graph = &picture->model->graphs[g];
	struct part *part = &picture->parts[g], *parent = &picture->parts[graph->parent];
	uint32_t item = picture->items[picture->model->graphs[graph->parent].first +
				       graph->parent_node];
	Agnode_t *head = part->nodes[fold_end(&part->fold, part->fold.roots[0], false)];
	char name[NAME_B];
	Agedge_t *edge;

	if (!head)
		return;
	edge = agedge(picture->graph, parent->nodes[item], head, NULL, 1);
	snprintf(name, sizeof(name), "cluster_g%u", g);
	set(edge, "lhead", name);
	set(edge, "style", "dotted");
	set(edge, "arrowhead", "none");
	set(edge, "nested", "true");
}

/* Graph after graph, parents first. */
static int draw_parts(struct picture *picture, uint32_t limit)
{
	for (uint32_t g = 0; g < picture->model->graph_count; g++) {
		Agraph_t *place = picture->graph;
		int ret;

		if (!wants_part(picture, g, limit))
			continue;
		ret = make_part(picture, g, limit);
		if (ret)
			return ret;
		if (picture->model->graphs[g].parent != MTG_NONE)
			place = draw_nested_place(picture, g);
		ret = draw_items(picture, g, place);
		if (!ret)
			ret = draw_edges(picture, g);
		if (ret)
			return ret;
		if (picture->model->graphs[g].parent != MTG_NONE)
			draw_nested_line(picture, g);
	}
	return 0;
}

/* --- texts ---------------------------------------------------------------------------------------- */

/* Nodes in graphs that are nested in a node and not drawn. */
static void count_hidden(const struct picture *picture, uint64_t *hidden)
{
	const struct draw_model *model = picture->model;

	for (uint32_t g = 0; g < model->graph_count; g++) {
		const struct draw_graph *graph = &model->graphs[g];

		if (graph->parent != MTG_NONE && graph->parent_node != MTG_NONE &&
		    !picture->parts[g].shown)
			hidden[model->graphs[graph->parent].first + graph->parent_node] +=
				graph->node_count;
	}
}

static void describe_node(struct picture *picture, const struct file_node *node, uint32_t position,
			  uint64_t hidden)
{
	const struct draw_model *model = picture->model;
	uint32_t index = model->graphs[node->graph].first + position;
	const struct draw_node *as = &model->nodes[index];
	const struct part *part = &picture->parts[node->graph];
	const struct fold_item *item = &part->fold.items[position];
	Agnode_t *drawn = part->nodes[position];
	bool stands_for_more = false;
	char weight[32];
	struct text text;

	if (!text_begin(&text))
		return;
	fprintf(text.stream, "%u: ", node->head->id);
	draw_node_lines(text.stream, picture->file, node);
	if (hidden)
		fprintf(text.stream, "\\n%" PRIu64 " nodes inside", hidden);
	if (item->parent != FOLD_NONE && !is_cluster(&part->fold, item->parent)) {
		fputs("\\n", text.stream);
		print_repeat(text.stream, &part->fold.items[item->parent]);
	}
	for (uint32_t at = item->parent; at != FOLD_NONE; at = part->fold.items[at].parent)
		stands_for_more = true;
	if (as->queue != MTG_NONE && !stands_for_more)
		fprintf(text.stream, "\\nqueue %u", as->queue);
	if (as->timed) {
		fputs("\\n", text.stream);
		draw_weight(text.stream, model->weights[index], true);
	}
	text_set(&text, drawn, "label");
	snprintf(weight, sizeof(weight), "%" PRIu64, model->weights[index]);
	set(drawn, model->has_times ? "weight_ns" : "weight_nodes", weight);
	set(drawn, "shape", draw_shape(as->type));
	set(drawn, "fillcolor", draw_fill_colour(as->type));
	set(drawn, "color", draw_queue_colour(stands_for_more ? MTG_NONE : as->queue));
	set(drawn, "style", as->disabled ? "filled,dashed" : "filled");
	if (item->parent != FOLD_NONE && !is_cluster(&part->fold, item->parent))
		set(drawn, "peripheries", "2");
}

/* "layers 8 to 15: 120 kernel, 3 memcpy". */
static void describe_layers(struct picture *picture, uint32_t g, uint32_t item,
			    const uint32_t *by_type)
{
	const struct fold_item *at = &picture->parts[g].fold.items[item];
	Agnode_t *drawn = picture->parts[g].nodes[item];
	struct text text;

	if (!text_begin(&text))
		return;
	if (at->layer == at->last_layer)
		fprintf(text.stream, "layer %u", at->layer);
	else
		fprintf(text.stream, "layers %u to %u", at->layer, at->last_layer);
	for (uint32_t type = 0; type < WORD_NODE_TYPES; type++)
		if (by_type[type])
			fprintf(text.stream, "\\n%u %s", by_type[type], word_node_type(type));
	text_set(&text, drawn, "label");
	set(drawn, "shape", "box");
	set(drawn, "peripheries", "2");
	set(drawn, "style", "filled,dashed");
	set(drawn, "fillcolor", "#ffffff");
	set(drawn, "color", draw_queue_colour(MTG_NONE));
}

static int describe_all_layers(struct picture *picture)
{
	for (uint32_t g = 0; g < picture->model->graph_count; g++) {
		const struct draw_graph *graph = &picture->model->graphs[g];
		const struct fold *fold = &picture->parts[g].fold;
		uint32_t(*counts)[WORD_NODE_TYPES];

		if (!picture->parts[g].shown)
			continue;
		counts = calloc((size_t)fold->item_count + 1, sizeof(*counts));
		if (!counts)
			return -ENOMEM;
		for (uint32_t i = 0; i < graph->node_count; i++) {
			uint32_t item = i;

			while (fold->items[item].parent != FOLD_NONE)
				item = fold->items[item].parent;
			if (picture->model->nodes[graph->first + i].type < WORD_NODE_TYPES)
				counts[item][picture->model->nodes[graph->first + i].type]++;
		}
		for (uint32_t i = 0; i < fold->root_count; i++)
			if (fold->items[fold->roots[i]].kind == FOLD_LAYERS)
				describe_layers(picture, g, fold->roots[i],
						counts[fold->roots[i]]);
		free(counts);
	}
	return 0;
}

/* The order of the nodes is the file's: texts are made in one pass over it. */
static int describe(struct picture *picture)
{
	const struct draw_model *model = picture->model;
	uint64_t *hidden = calloc((size_t)model->node_count + 1, sizeof(*hidden));
	struct file_node_cursor cursor = {0};
	struct file_node node;

	if (!hidden)
		return -ENOMEM;
	count_hidden(picture, hidden);
	while (file_next_node(picture->file, &cursor, &node)) {
		uint32_t position = draw_model_find(model, node.graph, node.head->id), index;

		index = model->graphs[node.graph].first + position;
		if (picture->items[index] != FOLD_NONE)
			describe_node(picture, &node, position, hidden[index]);
	}
	file_node_cursor_finish(&cursor);
	free(hidden);
	return describe_all_layers(picture);
}

static void describe_picture(struct picture *picture)
{
	const struct draw_model *model = picture->model;
	const char *path = file_path(picture->file), *slash = strrchr(path, '/');
	struct text text;

	if (!text_begin(&text))
		return;
	path = slash ? slash + 1 : path;
	draw_text(text.stream, path, strlen(path));
	fprintf(text.stream, ": %u nodes, %u edges", model->node_count, model->edge_count);
	if (picture->shown < model->node_count)
		fprintf(text.stream, ", shown as %" PRIu64, picture->shown);
	fputs("\\n", text.stream);
	if (model->graphs[0].cyclic) {
		fputs("the edges form a cycle", text.stream);
	} else {
		fputs("critical path: ", text.stream);
		draw_weight(text.stream, model->graphs[0].length, model->has_times);
	}
	text_set(&text, picture->graph, "label");
}

/* --- Graphviz ------------------------------------------------------------------------------------- */

/* Lays the picture out and writes it; the language itself needs no layout. */
static int write_picture(Agraph_t *graph, const char *format, FILE *file)
{
	GVC_t *context;
	int ret = -1;

	if (!strcmp(format, "dot"))
		return agwrite(graph, file);
	context = gvContext();
	if (!context)
		return -1;
	if (!gvLayout(context, graph, "dot")) {
		ret = gvRender(context, graph, format, file);
		gvFreeLayout(context, graph);
	}
	gvFreeContext(context);
	return ret;
}

static int render(Agraph_t *graph, const char *path, const char *format)
{
	FILE *file = fopen(path, "wb");
	int ret;

	if (!file) {
		dump_error("%s: %s", path, strerror(errno));
		return DUMP_UNREADABLE;
	}
	ret = write_picture(graph, format, file);
	if (fclose(file)) {
		dump_error("%s: %s", path, strerror(errno));
		return DUMP_UNREADABLE;
	}
	if (ret)
		dump_error("%s: Graphviz could not write it as %s", path, format);
	return ret ? DUMP_UNREADABLE : DUMP_OK;
}

static void picture_free(struct picture *picture)
{
	for (uint32_t g = 0; picture->parts && g < picture->model->graph_count; g++) {
		fold_free(&picture->parts[g].fold);
		free(picture->parts[g].nodes);
		free(picture->parts[g].places);
	}
	free(picture->parts);
	free(picture->items);
	if (picture->graph)
		agclose(picture->graph);
}

static void set_defaults(Agraph_t *graph)
{
	static const struct {
		int kind;
		const char *name, *value;
	} defaults[] = {
		{AGRAPH, "compound", "true"},       {AGRAPH, "fontname", "Helvetica"},
		{AGRAPH, "fontsize", "11"},         {AGRAPH, "labelloc", "t"},
		{AGRAPH, "ranksep", "0.3"},         {AGRAPH, "nodesep", "0.2"},
		{AGNODE, "fontname", "Helvetica"},  {AGNODE, "fontsize", "10"},
		{AGNODE, "penwidth", "1.5"},        {AGNODE, "margin", "0.12,0.05"},
		{AGNODE, "height", "0.3"},          {AGEDGE, "color", "#444444"},
		{AGEDGE, "arrowsize", "0.6"},
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		agattr(graph, defaults[i].kind, (char *)defaults[i].name,
		       (char *)defaults[i].value);
}

int draw_picture(struct dump_file *file, const struct draw_model *model,
		 const struct draw_options *options, const char *path, const char *format)
{
	struct picture picture = { .file = file, .model = model };
	int ret = -ENOMEM;

	picture.parts = calloc((size_t)model->graph_count + 1, sizeof(*picture.parts));
	picture.items = malloc(((size_t)model->node_count + 1) * sizeof(*picture.items));
	picture.graph = agopen((char *)"graph", Agdirected, NULL);
	if (picture.parts && picture.items && picture.graph) {
		memset(picture.items, 0xff,
		       ((size_t)model->node_count + 1) * sizeof(*picture.items));
		set_defaults(picture.graph);
		ret = draw_parts(&picture, options->limit);
	}
	if (!ret)
		ret = describe(&picture);
	if (ret) {
		dump_error("%s: out of memory", file_path(file));
		ret = DUMP_UNREADABLE;
	} else {
		describe_picture(&picture);
		ret = render(picture.graph, path, format);
	}
	picture_free(&picture);
	return ret;
}
