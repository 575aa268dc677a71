/* SPDX-License-Identifier: MIT */
/* Loads a saved graph for `draw`. Passes over the file and tables, nothing recursive. */
#include "tools/dump/draw_model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/progress.h"

static uint64_t mix(uint64_t seed, uint64_t value)
{
	uint64_t x = seed * 0x9e3779b97f4a7c15ull + value;

	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
	return x ^ (x >> 29);
}

uint32_t draw_model_find(const struct draw_model *model, uint32_t graph, uint32_t id)
{
	const struct draw_graph *at = &model->graphs[graph];
	uint32_t low = 0, high = at->node_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (model->nodes[at->first + middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < at->node_count && model->nodes[at->first + low].id == id ? low : MTG_NONE;
}

/* What a node looks like in the picture, without what is nested in it. */
static uint64_t look_of(const struct file_node *node)
{
	uint64_t look = mix(node->head->type, node->head->flags & MTG_NODE_DISABLED);

	switch (node->head->type) {
	case 0: {
		const struct mtg_kernel_params *kernel = node->params;

		look = mix(look, kernel->kernel);
		for (int i = 0; i < 3; i++)
			look = mix(mix(look, kernel->grid[i]), kernel->block[i]);
		return mix(look, kernel->dynamic_shared_b);
	}
	case 1: {
		const struct mtg_copy_params *copy = node->params;

		look = mix(mix(look, copy->kind), copy->width_b);
		return mix(mix(look, copy->height), copy->depth);
	}
	case 2: {
		const struct mtg_fill_params *fill = node->params;

		look = mix(mix(look, fill->width), fill->element_b);
		return mix(mix(look, fill->height), fill->value);
	}
	case 3:
		return mix(look, ((const struct mtg_host_params *)node->params)->fn);
	case 10:
		return mix(look, ((const struct mtg_alloc_params *)node->params)->size_b);
	default:
		return look;
	}
}

/* First pass: how many nodes and edges each graph has. */
static int count_nodes(struct dump_file *file, struct draw_model *model)
{
	uint64_t nodes = 0, edges = 0, *edge_counts;
	struct file_node_cursor cursor = {0};
	struct file_node node;

	edge_counts = calloc((size_t)model->graph_count + 1, sizeof(*edge_counts));
	if (!edge_counts)
		return -ENOMEM;
	while (file_next_node(file, &cursor, &node)) {
		model->graphs[node.graph].node_count++;
		edge_counts[node.graph] += node.head->dep_count;
	}
	file_node_cursor_finish(&cursor);
	for (uint32_t g = 0; g < model->graph_count; g++) {
		model->graphs[g].first = (uint32_t)nodes;
		model->graphs[g].first_edge = (uint32_t)edges;
		nodes += model->graphs[g].node_count;
		edges += edge_counts[g];
		model->graphs[g].node_count = 0; /* counted again while loading */
	}
	free(edge_counts);
	if (nodes > INT32_MAX || edges > INT32_MAX)
		return -EFBIG;
	model->node_count = (uint32_t)nodes;
	model->nodes = calloc(nodes + 1, sizeof(*model->nodes));
	model->signatures = calloc(nodes + 1, sizeof(*model->signatures));
	model->weights = calloc(nodes + 1, sizeof(*model->weights));
	model->critical = calloc(nodes + 1, sizeof(*model->critical));
	model->edges = calloc(edges + 1, sizeof(*model->edges));
	return model->nodes && model->signatures && model->weights && model->critical && model->edges
		       ? 0
		       : -ENOMEM;
}

static void load_nodes(struct dump_file *file, struct draw_model *model)
{
	const struct mtg_graph *graphs = file_graphs(file, &(uint32_t){0});
	const struct mtg_exec *exec = file_exec(file);
	struct file_exec_cursor exec_cursor = {0};
	struct file_node_cursor cursor = {0};
	struct progress progress;
	struct file_node node;

	progress_begin(&progress, "reading nodes", file_size(file));
	while (file_next_node(file, &cursor, &node)) {
		struct draw_graph *graph = &model->graphs[node.graph];
		uint32_t position = graph->node_count++;
		struct draw_node *to = &model->nodes[graph->first + position];
		const struct mtg_exec_node *record = NULL;

		*to = (struct draw_node){ .id = node.head->id, .type = node.head->type,
					  .disabled = node.head->flags & MTG_NODE_DISABLED,
					  .queue = MTG_NONE };
		if (exec && graphs[node.graph].base != MTG_NONE)
			record = file_exec_node(file, &exec_cursor,
						graphs[node.graph].base + node.head->id);
		if (record)
			to->queue = record->queue;
		model->signatures[graph->first + position] = look_of(&node);
		progress_update(&progress, cursor.done_b);
	}
	progress_end(&progress);
	file_node_cursor_finish(&cursor);
	file_exec_cursor_finish(&exec_cursor);
}

/* A pass of its own: dependencies may name nodes that come later. */
static void load_edges(struct dump_file *file, struct draw_model *model)
{
	struct file_node_cursor cursor = {0};
	struct file_node node;

	while (file_next_node(file, &cursor, &node)) {
		struct draw_graph *graph = &model->graphs[node.graph];
		uint32_t to = draw_model_find(model, node.graph, node.head->id);

		for (uint32_t i = 0; i < node.head->dep_count; i++) {
			uint32_t from = draw_model_find(model, node.graph, node.deps[i]);

			if (from == MTG_NONE || to == MTG_NONE)
				continue;
			model->edges[graph->first_edge + graph->edge_count++] =
				(struct edge){ from, to };
			model->edge_count++;
		}
	}
	file_node_cursor_finish(&cursor);
}

/* The mean time of each node over the launches in the file. */
static int load_times(struct dump_file *file, struct draw_model *model)
{
	uint32_t *launches = calloc((size_t)model->node_count + 1, sizeof(*launches));
	struct file_record_cursor cursor = {0};
	const struct mtg_time *time;

	if (!launches)
		return -ENOMEM;
	while ((time = file_next_record(file, &cursor, MTG_TIMES, sizeof(*time)))) {
		uint32_t position, node;

		if (time->graph >= model->graph_count || time->end_ns < time->start_ns)
			continue;
		position = draw_model_find(model, time->graph, time->node);
		if (position == MTG_NONE)
			continue;
		node = model->graphs[time->graph].first + position;
		model->weights[node] += time->end_ns - time->start_ns;
		model->nodes[node].timed = true;
		launches[node]++;
		model->has_times = true;
	}
	file_record_cursor_finish(&cursor);
	for (uint32_t i = 0; i < model->node_count; i++)
		if (launches[i])
			model->weights[i] /= launches[i];
		else if (!model->has_times)
			model->weights[i] = 1;
	free(launches);
	return 0;
}

/* From the innermost graphs outwards: what is nested counts in its node. */
static int weigh(struct draw_model *model)
{
	for (uint32_t g = model->graph_count; g-- > 0;) {
		struct draw_graph *graph = &model->graphs[g];
		const struct edge *edges = &model->edges[graph->first_edge];
		uint64_t signature = mix(graph->node_count, graph->edge_count);
		uint32_t node;
		int ret;

		ret = longest_path(graph->node_count, edges, graph->edge_count,
				   &model->weights[graph->first], &model->critical[graph->first],
				   &graph->length);
		if (ret == -ENOMEM)
			return ret;
		graph->cyclic = ret == -ELOOP;
		for (uint32_t i = 0; i < graph->node_count; i++)
			signature = mix(signature, model->signatures[graph->first + i]);
		for (uint32_t i = 0; i < graph->edge_count; i++)
			signature = mix(signature, (uint64_t)edges[i].from << 32 | edges[i].to);
		graph->signature = signature;
		if (graph->parent == MTG_NONE || graph->parent_node == MTG_NONE)
			continue;
		node = model->graphs[graph->parent].first + graph->parent_node;
		model->signatures[node] = mix(model->signatures[node], signature);
		/* A timed node has been measured with all that is in it. */
		if (!model->nodes[node].timed && model->weights[node] < graph->length)
			model->weights[node] = graph->length;
	}
	return 0;
}

/* The path of a nested graph counts where its node is on the path, and of several bodies the longest. */
static void mark_nested(struct draw_model *model, const uint32_t *longest)
{
	for (uint32_t g = 0; g < model->graph_count; g++) {
		struct draw_graph *graph = &model->graphs[g];
		const struct draw_graph *parent;

		if (graph->parent == MTG_NONE) {
			graph->critical = true;
		} else if (graph->parent_node != MTG_NONE) {
			parent = &model->graphs[graph->parent];
			graph->critical = parent->critical &&
					  model->critical[parent->first + graph->parent_node] &&
					  longest[parent->first + graph->parent_node] == g;
		}
		if (!graph->critical)
			memset(&model->critical[graph->first], 0,
			       graph->node_count * sizeof(*model->critical));
	}
}

static int find_critical(struct draw_model *model)
{
	uint32_t *longest = malloc(((size_t)model->node_count + 1) * sizeof(*longest));
	int ret;

	if (!longest)
		return -ENOMEM;
	memset(longest, 0xff, ((size_t)model->node_count + 1) * sizeof(*longest));
	ret = weigh(model);
	for (uint32_t g = 0; !ret && g < model->graph_count; g++) {
		struct draw_graph *graph = &model->graphs[g];
		uint32_t *best;

		if (graph->parent == MTG_NONE || graph->parent_node == MTG_NONE)
			continue;
		best = &longest[model->graphs[graph->parent].first + graph->parent_node];
		if (*best == MTG_NONE || graph->length > model->graphs[*best].length)
			*best = g;
	}
	if (!ret)
		mark_nested(model, longest);
	free(longest);
	return ret;
}

int draw_model_load(struct dump_file *file, struct draw_model *model)
{
	const struct mtg_graph *graphs;
	int ret = 0;

	memset(model, 0, sizeof(*model));
	graphs = file_graphs(file, &model->graph_count);
	model->graphs = calloc((size_t)model->graph_count + 1, sizeof(*model->graphs));
	if (!model->graphs)
		ret = -ENOMEM;
	if (!ret)
		ret = count_nodes(file, model);
	if (!ret && !file_status(file)) {
		load_nodes(file, model);
		for (uint32_t g = 0; g < model->graph_count; g++) {
			model->graphs[g].parent = graphs[g].parent;
			model->graphs[g].parent_node =
				graphs[g].parent == MTG_NONE
					? MTG_NONE
					: draw_model_find(model, graphs[g].parent,
							  graphs[g].parent_node);
		}
		load_edges(file, model);
		ret = load_times(file, model);
		if (!ret)
			ret = find_critical(model);
	}
	if (ret)
		dump_error("%s: %s", file_path(file),
			   ret == -EFBIG ? "too many nodes to draw" : "out of memory");
	if (!ret && !file_status(file))
		return DUMP_OK;
	draw_model_free(model);
	return DUMP_UNREADABLE;
}

void draw_model_free(struct draw_model *model)
{
	free(model->graphs);
	free(model->nodes);
	free(model->signatures);
	free(model->weights);
	free(model->critical);
	free(model->edges);
	memset(model, 0, sizeof(*model));
}
