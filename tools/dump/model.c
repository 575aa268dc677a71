/* SPDX-License-Identifier: MIT */
/* All nodes of a file in memory. */
#include "tools/dump/model.h"

#include <stdlib.h>
#include <string.h>

#include "musa.h"
#include "tools/dump/command.h"
#include "tools/dump/file_private.h"
#include "tools/dump/progress.h"

/* Takes over a section's bytes. */
static bool keep_block(struct model *model, struct file_node_cursor *cursor)
{
	if (!file_grow(model->file, &model->blocks, model->block_count, &model->block_room,
		       sizeof(*model->blocks)))
		return false;
	model->blocks[model->block_count++] = cursor->buffer.bytes;
	cursor->buffer = (struct file_buffer){0};
	return true;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct file_node *x = a, *y = b;

	if (x->graph != y->graph)
		return x->graph < y->graph ? -1 : 1;
	return x->head->id < y->head->id ? -1 : x->head->id > y->head->id;
}

static void index_graphs(struct model *model)
{
	uint32_t i, graph = 0;

	for (i = 0; i < model->node_count; i++)
		while (graph <= model->nodes[i].graph)
			model->first[graph++] = i;
	while (graph <= model->graph_count)
		model->first[graph++] = model->node_count;
}

static int check(struct model *model)
{
	uint32_t i, k, at;

	for (i = 0; i < model->node_count; i++) {
		const struct file_node *node = &model->nodes[i];

		if (i && !compare_nodes(node - 1, node))
			return file_bad(model->file, NULL, "node %u of graph %u is there twice",
					node->head->id, node->graph);
		for (k = 0; k < node->head->dep_count; k++)
			if (model_find(model, node->graph, node->deps[k]) == MTG_NONE)
				return file_bad(model->file, NULL,
						"node %u of graph %u depends on a node that is not there",
						node->head->id, node->graph);
	}
	for (i = 1; i < model->graph_count; i++) {
		const struct mtg_graph *graph = &model->graphs[i];
		const struct mtg_conditional_params *cond;
		bool good;

		at = model_find(model, graph->parent, graph->parent_node);
		cond = at == MTG_NONE ? NULL : model->nodes[at].params;
		good = cond && (graph->role == MTG_CHILD ?
					model->nodes[at].head->type == MU_GRAPH_NODE_TYPE_GRAPH &&
						!graph->slot :
					model->nodes[at].head->type ==
							MU_GRAPH_NODE_TYPE_CONDITIONAL &&
						graph->slot < cond->size);
		if (!good)
			return file_bad(model->file, NULL, "graph %u stands in no node", i);
	}
	return DUMP_OK;
}

int model_load(struct model *model, struct dump_file *file)
{
	struct file_node_cursor cursor = {0};
	struct progress progress;
	struct file_node node;

	memset(model, 0, sizeof(*model));
	model->file = file;
	model->graphs = file_graphs(file, &model->graph_count);
	if (!model->graphs)
		return file_status(file);
	model->first = calloc((size_t)model->graph_count + 1, sizeof(*model->first));
	if (!model->first)
		return file_no_memory(file);
	progress_begin(&progress, "reading nodes", file_size(file));
	while (file_next_node(file, &cursor, &node)) {
		progress_update(&progress, cursor.done_b);
		if (!file_grow(file, &model->nodes, model->node_count, &model->node_room,
			       sizeof(node)))
			break;
		model->nodes[model->node_count++] = node;
		/* The last node of a section: its bytes stay with the model. */
		if (!cursor.left && !keep_block(model, &cursor))
			break;
	}
	progress_end(&progress);
	file_node_cursor_finish(&cursor);
	if (file_status(file))
		return file_status(file);
	if (model->node_count)
		qsort(model->nodes, model->node_count, sizeof(*model->nodes), compare_nodes);
	index_graphs(model);
	return check(model);
}

void model_finish(struct model *model)
{
	while (model->block_count)
		free(model->blocks[--model->block_count]);
	free(model->blocks);
	free(model->nodes);
	free(model->first);
	memset(model, 0, sizeof(*model));
}

uint32_t model_find(const struct model *model, uint32_t graph, uint32_t id)
{
	uint32_t low = model->first[graph], high = model->first[graph + 1], middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (model->nodes[middle].head->id == id)
			return middle;
		if (model->nodes[middle].head->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return MTG_NONE;
}
