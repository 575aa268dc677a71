/* SPDX-License-Identifier: MIT */
/* Templates and execs as the same list of graphs and nodes. */
#include <string.h>

#include "graph/exec_conditional.h"
#include "graph/save_internal.h"
#include "graph/conditional_words.h"
#include "hw/base/alloc.h"

static MUresult add_graph(struct mt_save_view *view, struct mt_save_graph **graph_out)
{
	uint32_t room = view->room ? view->room * 2 : 4;
	struct mt_save_graph *graphs;

	if (view->count == view->room) {
		graphs = mt_realloc(view->graphs, (size_t)room * sizeof(*graphs));
		if (!graphs)
			return MUSA_ERROR_OUT_OF_MEMORY;
		view->graphs = graphs;
		view->room = room;
	}
	*graph_out = &view->graphs[view->count++];
	memset(*graph_out, 0, sizeof(**graph_out));
	(*graph_out)->start = MT_EXEC_NONE;
	(*graph_out)->head.base = MTG_NONE;
	(*graph_out)->head.parent = MTG_NONE;
	return MUSA_SUCCESS;
}

/* Children's parents have smaller indices: the walk is in pre-order, and a graph's ancestors are found
 * by going up from the graph before it. */
static uint32_t index_of_parent(const struct mt_save_view *view, const struct mt_graph *parent)
{
	uint32_t at = view->count - 1;

	while (at != MTG_NONE && view->graphs[at].graph != parent)
		at = view->graphs[at].head.parent;
	return at;
}

MUresult mt_save_view_graph(struct mt_save_view *view, const struct mt_graph *root)
{
	const struct mt_graph *graph = root;
	struct mt_save_graph *entry;
	uint32_t parent;
	MUresult ret;

	memset(view, 0, sizeof(*view));
	for (; graph; graph = mt_graph_walk(root, graph)) {
		parent = view->count ? index_of_parent(view, graph->parent) : MTG_NONE;
		ret = add_graph(view, &entry);
		if (ret)
			return ret;
		entry->graph = graph;
		entry->head.role = parent == MTG_NONE		     ? MTG_ROOT :
				   graph->role == MT_GRAPH_CHILD ? MTG_CHILD :
								       MTG_BODY;
		entry->head.parent = parent;
		entry->head.parent_node = graph->parent_node;
		entry->head.slot = graph->parent_slot;
		entry->head.device = graph->device;
		entry->head.id_count = graph->id_count;
		entry->head.node_count = graph->node_count;
		entry->head.edge_count = graph->edge_count;
		entry->head.uid = graph->uid;
	}
	return MUSA_SUCCESS;
}

MUresult mt_save_view_exec(struct mt_save_view *view, const struct mt_exec *exec)
{
	const struct mt_exec_cond *cond;
	struct mt_save_graph *entry;
	uint32_t g, i;
	MUresult ret;

	memset(view, 0, sizeof(*view));
	view->exec = exec;
	for (g = 0; g < exec->graph_count; g++) {
		const struct mt_exec_graph *graph = &exec->graphs[g];

		ret = add_graph(view, &entry);
		if (ret)
			return ret;
		entry->start = graph->start;
		entry->head.role = !g ? MTG_ROOT : graph->start != MT_EXEC_NONE ? MTG_CHILD : MTG_BODY;
		entry->head.parent = g ? graph->parent_graph : MTG_NONE;
		if (g)
			entry->head.parent_node =
				graph->parent - exec->graphs[graph->parent_graph].base;
		entry->head.device = exec->ctx->device;
		entry->head.id_count = graph->id_count;
		entry->head.node_count = graph->node_count;
		entry->head.base = graph->base;
		entry->head.uid = graph->uid;
	}
	for (cond = exec->conds; cond; cond = cond->next)
		for (i = 0; i < cond->size; i++)
			view->graphs[cond->bodies[i]].head.slot = i;
	return MUSA_SUCCESS;
}

void mt_save_view_finish(struct mt_save_view *view)
{
	mt_free(view->graphs);
	mt_free(view->deps);
	memset(view, 0, sizeof(*view));
}

static bool template_node(const struct mt_graph *graph, uint32_t id, struct mt_save_node *out)
{
	struct mt_node *node = mt_graph_node(graph, id);
	const struct mt_conditional *conditional;
	const struct mt_cond_handle *handle;

	if (node->dead)
		return false;
	out->op = &node->op;
	out->deps = mt_id_list_data(&node->deps);
	out->dep_count = node->deps.count;
	if (node->op.type == MT_OP_KERNEL)
		out->args = node->op.kernel.args;
	if (node->op.type == MT_OP_CONDITIONAL) {
		conditional = node->op.graph;
		handle = mt_cond_word_handle(conditional->handle);
		out->cond_handle = conditional->handle;
		out->cond_type = conditional->type;
		out->cond_size = conditional->size;
		out->cond_default = handle ? handle->default_value : 0;
		out->cond_flags = handle ? handle->flags : 0;
	}
	return true;
}

static MUresult dep_room(struct mt_save_view *view, uint32_t count)
{
	uint32_t *deps;

	if (count <= view->dep_room)
		return MUSA_SUCCESS;
	deps = mt_realloc(view->deps, (size_t)count * sizeof(*deps));
	if (!deps)
		return MUSA_ERROR_OUT_OF_MEMORY;
	view->deps = deps;
	view->dep_room = count;
	return MUSA_SUCCESS;
}

/* An exec lists the dependencies as scheduled: a child node's own stand at the start of its graph, and
 * roots of a child graph depend on that start. */
static MUresult exec_deps(struct mt_save_view *view, const struct mt_save_graph *graph,
			  uint32_t number, struct mt_save_node *out)
{
	const struct mt_exec *exec = view->exec;
	uint32_t from = number, i, dep;
	MUresult ret;

	if (exec->nodes[number].op.type == MT_OP_CHILD)
		from = ((const struct mt_exec_graph *)exec->nodes[number].op.graph)->start;
	ret = dep_room(view, exec->dep_start[from + 1] - exec->dep_start[from]);
	if (ret)
		return ret;
	for (i = exec->dep_start[from]; i < exec->dep_start[from + 1]; i++) {
		dep = exec->deps[i];
		if (dep != graph->start)
			view->deps[out->dep_count++] = dep - graph->head.base;
	}
	out->deps = view->deps;
	return MUSA_SUCCESS;
}

static void exec_node(const struct mt_exec *exec, uint32_t number, struct mt_save_node *out)
{
	const struct mt_exec_node *record = &exec->nodes[number];
	const struct mt_exec_cond *cond;
	struct mt_patch_target current;

	out->op = &record->op;
	out->disabled = record->state & MT_EXEC_NODE_DISABLED;
	if (record->op.type == MT_OP_KERNEL && record->op.kernel.args_b) {
		mt_patch_current(exec, record, &current);
		out->args = current.data;
	}
	if (record->op.type == MT_OP_CONDITIONAL) {
		cond = record->op.graph;
		out->cond_handle = cond->handle;
		out->cond_type = cond->type;
		out->cond_size = cond->size;
		out->cond_default = cond->default_value;
		out->cond_flags = cond->assign_default ? MU_GRAPH_COND_ASSIGN_DEFAULT : 0;
	}
}

MUresult mt_save_view_node(struct mt_save_view *view, uint32_t graph, uint32_t id,
			   struct mt_save_node *node_out, bool *found_out)
{
	const struct mt_save_graph *entry = &view->graphs[graph];
	uint32_t number;

	memset(node_out, 0, sizeof(*node_out));
	if (!view->exec) {
		*found_out = template_node(entry->graph, id, node_out);
		return MUSA_SUCCESS;
	}
	number = entry->head.base + id;
	*found_out = !(view->exec->nodes[number].state & MT_EXEC_NODE_ABSENT);
	if (!*found_out)
		return MUSA_SUCCESS;
	exec_node(view->exec, number, node_out);
	return exec_deps(view, entry, number, node_out);
}
