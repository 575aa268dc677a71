/* SPDX-License-Identifier: MIT */
/*
 * From template to exec, first half: which graphs belong to it, node records, dependencies, and all
 * checks. Works without recursion, in linear time.
 */
#include "graph/compile.h"

#include <stdlib.h>
#include <string.h>

#include "drv/ext_semaphore.h"
#include "drv/host.h"
#include "drv/module.h"
#include "graph/exec_conditional.h"
#include "hw/base/alloc.h"
#include "hw/base/block.h"
#include "hw/base/log.h"

#define SEM_MAX 512u /* semaphores of one node: its packets and pairs stay together */

MUresult mt_compile_refuse(struct mt_compile *c, MUresult error, enum mt_exec_result result,
			   const struct mt_graph *graph, const struct mt_node *node)
{
	c->report->result = result;
	c->report->node = node ? (MUgraphNode)(uintptr_t)mt_node_handle(graph, node) : NULL;
	return error;
}

/* --- graphs and units --------------------------------------------------------------------------- */

static MUresult add_graph(struct mt_compile *c, struct mt_graph *template, uint32_t parent,
			  uint32_t parent_graph, uint32_t *next_node)
{
	struct mt_exec *exec = c->exec;
	uint32_t capacity = c->graph_capacity;
	struct mt_exec_graph *graphs, *graph;
	struct mt_graph **templates;

	if (exec->graph_count == capacity) {
		capacity = capacity ? capacity * 2 : 1;
		templates = mt_realloc(c->templates, capacity * sizeof(*templates));
		if (!templates)
			return MUSA_ERROR_OUT_OF_MEMORY;
		c->templates = templates;
		graphs = mt_realloc(exec->graphs, capacity * sizeof(*graphs));
		if (!graphs)
			return MUSA_ERROR_OUT_OF_MEMORY;
		exec->graphs = graphs;
		c->graph_capacity = capacity;
	}
	if (template->id_count > MT_EXEC_NONE / 2 - *next_node)
		return MUSA_ERROR_OUT_OF_MEMORY;
	c->templates[exec->graph_count] = template;
	graph = &exec->graphs[exec->graph_count++];
	memset(graph, 0, sizeof(*graph));
	graph->uid = template->uid;
	graph->base = *next_node;
	graph->id_count = template->id_count;
	graph->node_count = template->node_count;
	graph->parent = parent;
	graph->parent_graph = parent_graph;
	graph->start = MT_EXEC_NONE;
	*next_node += template->id_count;
	c->edge_count += template->edge_count;
	if (template->role == MT_GRAPH_CHILD) /* its roots depend on its start, it on its sinks */
		c->edge_count += 2ull * template->node_count + 2;
	return MUSA_SUCCESS;
}

static MUresult add_unit(struct mt_compile *c, struct mt_graph *template, struct mt_exec_cond *cond,
			 uint32_t body)
{
	uint32_t capacity = c->unit_capacity;
	struct mt_compile_unit *units;

	if (c->unit_count == capacity) {
		capacity = capacity ? capacity * 2 : 1;
		units = mt_realloc(c->units, capacity * sizeof(*units));
		if (!units)
			return MUSA_ERROR_OUT_OF_MEMORY;
		c->units = units;
		c->unit_capacity = capacity;
	}
	memset(&c->units[c->unit_count], 0, sizeof(*c->units));
	c->units[c->unit_count].template = template;
	c->units[c->unit_count].cond = cond;
	c->units[c->unit_count++].body = body;
	return MUSA_SUCCESS;
}

static MUresult add_conditional(struct mt_compile *c, const struct mt_graph *graph,
				uint32_t graph_index, const struct mt_node *node, uint32_t number)
{
	const struct mt_conditional *conditional = node->op.graph;
	struct mt_exec_cond *cond;
	MUresult ret = mt_exec_cond_add(c, graph, graph_index, node, number, &cond);
	uint32_t i;

	for (i = 0; i < conditional->size && !ret; i++)
		ret = add_unit(c, conditional->bodies[i], cond, i);
	return ret;
}

/* Looks for what is nested in one graph. Reads exec->graphs by index: it may move. */
static MUresult scan_nested(struct mt_compile *c, uint32_t index, uint32_t *next_node)
{
	struct mt_graph *template = c->templates[index];
	uint32_t base = c->exec->graphs[index].base, seen = 0;
	struct mt_node *node;
	MUresult ret = MUSA_SUCCESS;

	for (node = mt_graph_next(template, 0); node && !ret && seen < template->nested_count;
	     node = mt_graph_next(template, node->id + 1)) {
		if (node->op.type == MT_OP_CHILD) {
			seen++;
			ret = add_graph(c, ((struct mt_child *)node->op.graph)->graph,
					base + node->id, index, next_node);
		} else if (node->op.type == MT_OP_CONDITIONAL) {
			seen++;
			ret = add_conditional(c, template, index, node, base + node->id);
		}
	}
	return ret;
}

/* A unit's graphs, then the starts of its child graphs, take consecutive numbers. */
static MUresult collect_unit(struct mt_compile *c, uint32_t index, uint32_t *next_node)
{
	struct mt_exec *exec = c->exec;
	struct mt_exec_cond *cond = c->units[index].cond;
	uint32_t g, first = exec->graph_count;
	MUresult ret;

	c->units[index].graph_first = first;
	c->units[index].node_first = *next_node;
	ret = add_graph(c, c->units[index].template, cond ? cond->node : MT_EXEC_NONE,
			cond ? cond->graph : MT_EXEC_NONE, next_node);
	if (cond && !ret)
		cond->bodies[c->units[index].body] = first;
	for (g = first; g < exec->graph_count && !ret; g++)
		if (c->templates[g]->nested_count)
			ret = scan_nested(c, g, next_node);
	if (ret)
		return ret;
	for (g = first + 1; g < exec->graph_count; g++)
		exec->graphs[g].start = (*next_node)++;
	c->units[index].graph_end = exec->graph_count;
	c->units[index].node_end = *next_node;
	return MUSA_SUCCESS;
}

static MUresult collect(struct mt_compile *c, struct mt_graph *graph)
{
	MUresult ret = add_unit(c, graph, NULL, 0);
	uint32_t next_node = 0, i;

	for (i = 0; i < c->unit_count && !ret; i++)
		ret = collect_unit(c, i, &next_node);
	c->exec->node_count = next_node;
	return ret;
}

static void drop_graphs(struct mt_exec *exec)
{
	mt_free(exec->graphs);
	exec->graphs = NULL;
	exec->graph_count = 0;
}

static int compare_uid(const void *a, const void *b, void *exec)
{
	const struct mt_exec_graph *graphs = ((const struct mt_exec *)exec)->graphs;
	uint64_t x = graphs[*(const uint32_t *)a].uid, y = graphs[*(const uint32_t *)b].uid;

	return x < y ? -1 : x > y;
}

/* Moves the graph records into the arena and sorts an index over the nested ones. */
static MUresult keep_graphs(struct mt_exec *exec)
{
	struct mt_exec_graph *heap = exec->graphs;
	uint32_t nested = exec->graph_count - 1, i;

	exec->graphs = mt_arena_alloc(&exec->arena, exec->graph_count * sizeof(*heap), 8);
	if (exec->graphs)
		memcpy(exec->graphs, heap, exec->graph_count * sizeof(*heap));
	mt_free(heap);
	if (!exec->graphs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	if (!nested)
		return MUSA_SUCCESS;
	exec->by_uid = mt_arena_alloc(&exec->arena, nested * sizeof(*exec->by_uid), 4);
	if (!exec->by_uid)
		return MUSA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < nested; i++)
		exec->by_uid[i] = i + 1;
	qsort_r(exec->by_uid, nested, sizeof(*exec->by_uid), compare_uid, exec);
	return MUSA_SUCCESS;
}

uint32_t mt_exec_find_graph(const struct mt_exec *exec, uint64_t uid)
{
	uint32_t low = 0, high = exec->graph_count - 1, middle;

	if (exec->graphs[0].uid == uid)
		return 0;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (exec->graphs[exec->by_uid[middle]].uid < uid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low + 1 < exec->graph_count && exec->graphs[exec->by_uid[low]].uid == uid)
		return exec->by_uid[low];
	return MT_EXEC_NONE;
}

/* --- checks of single nodes --------------------------------------------------------------------- */

static bool belongs_in_body(const struct mt_op *op)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
	case MT_OP_COPY:
	case MT_OP_FILL:
	case MT_OP_EMPTY:
	case MT_OP_CHILD:
	case MT_OP_CONDITIONAL:
		return true;
	default:
		return false;
	}
}

static bool is_pageable(const struct mt_op_copy *copy)
{
	return copy->src.type == MT_MEM_PAGEABLE || copy->dst.type == MT_MEM_PAGEABLE;
}

/* What an exec that kernels may launch can hold. */
static bool device_can_launch(const struct mt_op *op)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_COPY:
		return !is_pageable(op->copy) && !op->copy->src.array && !op->copy->dst.array;
	case MT_OP_KERNEL:
	case MT_OP_FILL:
	case MT_OP_CHILD:
		return true;
	default:
		return false;
	}
}

/* Nodes that decide where the exec runs. A copy goes where its graph goes, unless its context was named. */
static bool has_device(const struct mt_op *op)
{
	return op->type == MT_OP_KERNEL || op->type == MT_OP_FILL || op->type == MT_OP_ALLOC ||
	       (op->type == MT_OP_COPY && !op->copy->any_device);
}

static MUresult check_capabilities(struct mt_compile *c, const struct mt_graph *graph,
				   const struct mt_node *node)
{
	const struct mt_op *op = &node->op;
	uint32_t caps = c->exec->ctx->hw->info.caps;
	const char *lacks = NULL;

	if (op->type == MT_OP_KERNEL && !(caps & MT_HW_CAP_KERNELS))
		lacks = "kernels";
	else if (op->type == MT_OP_CONDITIONAL && !(caps & MT_HW_CAP_BRANCH))
		lacks = "branches";
	else if ((op->type == MT_OP_SEM_SIGNAL || op->type == MT_OP_SEM_WAIT) &&
		 op->sem.count > SEM_MAX)
		lacks = "so many semaphores in one node";
	if (!lacks)
		return MUSA_SUCCESS;
	mt_log(MT_LOG_WARN, "instantiate: node %u: no support for %s on the device (%s)", node->id,
	       lacks, c->exec->ctx->hw->info.name);
	return mt_compile_refuse(c, MUSA_ERROR_NOT_SUPPORTED, MT_EXEC_NODE_NOT_SUPPORTED, graph,
				 node);
}

static MUresult check_node(struct mt_compile *c, bool in_body, const struct mt_graph *graph,
			   const struct mt_node *node)
{
	const struct mt_op *op = &node->op;

	if (in_body && !belongs_in_body(op))
		return mt_compile_refuse(c, MUSA_ERROR_INVALID_VALUE, MT_EXEC_NODE_NOT_SUPPORTED,
					 graph, node);
	if (in_body && op->type == MT_OP_COPY && is_pageable(op->copy))
		return mt_compile_refuse(c, MUSA_ERROR_INVALID_VALUE, MT_EXEC_MULTIPLE_DEVICES,
					 graph, node);
	if ((c->exec->flags & MT_EXEC_DEVICE_LAUNCH) && !device_can_launch(op))
		return mt_compile_refuse(c, MUSA_ERROR_INVALID_VALUE, MT_EXEC_NODE_NOT_SUPPORTED,
					 graph, node);
	if (has_device(op)) {
		if (c->device == MT_EXEC_NONE)
			c->device = op->device;
		if (c->device != op->device)
			return mt_compile_refuse(c, MUSA_ERROR_INVALID_VALUE,
						 MT_EXEC_MULTIPLE_DEVICES, graph, node);
	}
	c->work_count += op->type == MT_OP_KERNEL || op->type == MT_OP_FILL ||
			 op->type == MT_OP_COPY;
	return check_capabilities(c, graph, node);
}

/* --- records ------------------------------------------------------------------------------------ */

static MUresult note_reference(struct mt_compile *c, uint32_t number)
{
	uint32_t *nodes, capacity = c->ref_capacity;

	if (c->exec->ref_count == capacity) {
		capacity = capacity ? capacity * 2 : 8;
		nodes = mt_realloc(c->ref_nodes, capacity * sizeof(*nodes));
		if (!nodes)
			return MUSA_ERROR_OUT_OF_MEMORY;
		c->ref_nodes = nodes;
		c->ref_capacity = capacity;
	}
	c->ref_nodes[c->exec->ref_count++] = number;
	return MUSA_SUCCESS;
}

static MUresult copy_kernel(struct mt_exec *exec, struct mt_exec_node *record,
			    const struct mt_op *op)
{
	record->op = *op; /* arguments are the template's until the chain has them */
	if (!op->kernel.attrs)
		return MUSA_SUCCESS;
	record->op.kernel.attrs = mt_arena_alloc(&exec->arena, sizeof(*op->kernel.attrs), 8);
	if (!record->op.kernel.attrs)
		return MUSA_ERROR_OUT_OF_MEMORY;
	*record->op.kernel.attrs = *op->kernel.attrs;
	return MUSA_SUCCESS;
}

static MUresult copy_op(struct mt_compile *c, uint32_t number, const struct mt_op *op)
{
	struct mt_exec *exec = c->exec;
	struct mt_exec_node *record = &exec->nodes[number];
	MUresult ret;

	switch ((enum mt_op_type)op->type) {
	case MT_OP_KERNEL:
		return copy_kernel(exec, record, op);
	case MT_OP_CHILD:
	case MT_OP_CONDITIONAL:
		record->op.type = op->type;
		record->op.device = op->device;
		return MUSA_SUCCESS; /* link_nested() sets the rest */
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		record->op = *op;
		return MUSA_SUCCESS;
	case MT_OP_EVENT_RECORD:
	case MT_OP_EVENT_WAIT:
	case MT_OP_SEM_SIGNAL:
	case MT_OP_SEM_WAIT:
		ret = note_reference(c, number);
		if (ret)
			return ret;
		ret = mt_op_copy_in(&record->op, op, &exec->arena);
		if (ret)
			exec->ref_count--;
		return ret;
	case MT_OP_HOST:
		exec->has_host = true;
		record->op = *op;
		return MUSA_SUCCESS;
	default:
		return mt_op_copy_in(&record->op, op, &exec->arena);
	}
}

static uint8_t sched_flags_of(const struct mt_op *op)
{
	switch ((enum mt_op_type)op->type) {
	case MT_OP_EMPTY:
	case MT_OP_CHILD:
		return MT_SCHED_EMPTY;
	case MT_OP_ALLOC:
	case MT_OP_FREE:
		return MT_SCHED_EMPTY | MT_SCHED_ASKED;
	case MT_OP_EVENT_WAIT:
	case MT_OP_CONDITIONAL:
		return MT_SCHED_STALL;
	case MT_OP_SEM_WAIT:
		return op->sem.count ? MT_SCHED_STALL : MT_SCHED_EMPTY;
	case MT_OP_EVENT_RECORD:
		return MT_SCHED_QUICK;
	case MT_OP_SEM_SIGNAL:
		return op->sem.count ? MT_SCHED_QUICK : MT_SCHED_EMPTY;
	default:
		return 0;
	}
}

int32_t mt_exec_kernel_priority(const struct mt_exec *exec, const struct mt_op *op)
{
	const struct mt_kernel_attrs *attrs = op->type == MT_OP_KERNEL ? op->kernel.attrs : NULL;

	if (!(exec->flags & MT_EXEC_NODE_PRIORITY) || !attrs ||
	    !(attrs->set & (1u << MU_LAUNCH_ATTRIBUTE_PRIORITY)))
		return 0;
	return attrs->priority;
}

static MUresult fill_node(struct mt_compile *c, bool in_body, const struct mt_graph *template,
			  const struct mt_node *node, uint32_t number)
{
	struct mt_exec_node *record = &c->exec->nodes[number];
	MUresult ret;

	record->packet = MT_PLACE_NONE;
	record->data = MT_PLACE_NONE;
	if (node->dead) {
		record->state = MT_EXEC_NODE_ABSENT;
		c->sched_flags[number] = MT_SCHED_SKIP;
		return MUSA_SUCCESS;
	}
	ret = check_node(c, in_body, template, node);
	if (!ret)
		ret = copy_op(c, number, &node->op);
	if (ret)
		return ret;
	c->sched_flags[number] = sched_flags_of(&node->op);
	if (c->priority)
		c->priority[number] = mt_exec_kernel_priority(c->exec, &node->op);
	return MUSA_SUCCESS;
}

/* --- dependencies ------------------------------------------------------------------------------- */

static uint32_t put_list(uint32_t *deps, uint32_t count, struct mt_node *node, uint32_t base,
			 uint32_t start)
{
	const uint32_t *ids = mt_id_list_data(&node->deps);
	uint32_t i;

	if (!node->deps.count && start != MT_EXEC_NONE)
		deps[count++] = start;
	for (i = 0; i < node->deps.count; i++)
		deps[count++] = base + ids[i];
	return count;
}

/* A child node stands for its graph's end: it depends on the sinks, or on the start of an empty one. */
static uint32_t put_sinks(const struct mt_compile *c, uint32_t *deps, uint32_t count,
			  uint32_t child)
{
	const struct mt_exec_graph *graph = &c->exec->graphs[child];
	struct mt_node *node;

	if (!graph->node_count)
		deps[count++] = graph->start;
	mt_graph_for_each_node(c->templates[child], node)
		if (!node->dependents.count)
			deps[count++] = graph->base + node->id;
	return count;
}

static void fill_starts(struct mt_compile *c, const struct mt_compile_unit *unit, uint32_t *count)
{
	struct mt_exec *exec = c->exec;
	struct mt_exec_node *record;
	uint32_t g, parent, number;

	for (g = unit->graph_first + 1; g < unit->graph_end; g++) {
		number = exec->graphs[g].start;
		record = &exec->nodes[number];
		record->op.type = MT_OP_EMPTY;
		record->state = MT_EXEC_NODE_ABSENT;
		record->packet = MT_PLACE_NONE;
		record->data = MT_PLACE_NONE;
		c->sched_flags[number] = MT_SCHED_EMPTY;
		parent = exec->graphs[g].parent_graph;
		*count = put_list(exec->deps, *count,
				  mt_graph_node(c->templates[parent],
						exec->graphs[g].parent - exec->graphs[parent].base),
				  exec->graphs[parent].base, exec->graphs[parent].start);
		exec->dep_start[number + 1] = *count;
	}
}

static MUresult fill_unit(struct mt_compile *c, const struct mt_compile_unit *unit, uint32_t *count)
{
	struct mt_exec *exec = c->exec;
	uint32_t g, id, number, child = unit->graph_first + 1;
	const struct mt_exec_graph *graph;
	struct mt_node *node;
	MUresult ret;

	for (g = unit->graph_first; g < unit->graph_end; g++) {
		graph = &exec->graphs[g];
		for (id = 0; id < graph->id_count; id++) {
			number = graph->base + id;
			node = mt_graph_node(c->templates[g], id);
			ret = fill_node(c, unit->cond != NULL, c->templates[g], node, number);
			if (ret)
				return ret;
			if (node->dead) {
				exec->dep_start[number + 1] = *count;
				continue;
			}
			if (node->op.type == MT_OP_CHILD) {
				/* Children were collected in this very order. */
				exec->nodes[number].op.graph = &exec->graphs[child];
				*count = put_sinks(c, exec->deps, *count, child++);
			} else {
				*count = put_list(exec->deps, *count, node, graph->base,
						  graph->start);
			}
			exec->dep_start[number + 1] = *count;
		}
	}
	fill_starts(c, unit, count);
	return MUSA_SUCCESS;
}

static MUresult get_arrays(struct mt_compile *c)
{
	struct mt_exec *exec = c->exec;
	size_t count = exec->node_count;

	if (c->edge_count >= UINT32_MAX)
		return MUSA_ERROR_OUT_OF_MEMORY;
	exec->nodes = mt_arena_alloc(&exec->arena, count * sizeof(*exec->nodes), 64);
	exec->dep_start = mt_arena_alloc(&exec->arena, (count + 1) * sizeof(uint32_t), 4);
	exec->deps = mt_arena_alloc(&exec->arena, c->edge_count * sizeof(uint32_t), 4);
	c->sched_flags = mt_block_take(count + 1, true);
	if (exec->flags & MT_EXEC_NODE_PRIORITY)
		c->priority = mt_calloc(count + 1, sizeof(*c->priority));
	if (!exec->nodes || !exec->dep_start || !exec->deps || !c->sched_flags ||
	    ((exec->flags & MT_EXEC_NODE_PRIORITY) && !c->priority))
		return MUSA_ERROR_OUT_OF_MEMORY;
	return MUSA_SUCCESS;
}

static void drop_references(struct mt_compile *c)
{
	while (c->exec->ref_count)
		mt_op_finish(&c->exec->nodes[c->ref_nodes[--c->exec->ref_count]].op, true);
}

/* Keeps the list in the order in which a launch visits it: waits, records, then semaphores. */
static MUresult keep_references(struct mt_compile *c)
{
	static const uint8_t groups[][2] = { { MT_OP_EVENT_WAIT, MT_OP_EVENT_WAIT },
					     { MT_OP_EVENT_RECORD, MT_OP_EVENT_RECORD },
					     { MT_OP_SEM_SIGNAL, MT_OP_SEM_WAIT } };
	struct mt_exec *exec = c->exec;
	uint32_t i, g, n = 0;
	uint8_t type;

	if (!exec->ref_count)
		return MUSA_SUCCESS;
	exec->ref_nodes = mt_arena_alloc(&exec->arena, exec->ref_count * sizeof(uint32_t), 4);
	exec->event_numbers = mt_arena_alloc(&exec->arena, exec->ref_count * sizeof(uint64_t), 8);
	if (!exec->ref_nodes || !exec->event_numbers) {
		drop_references(c);
		return MUSA_ERROR_OUT_OF_MEMORY;
	}
	for (g = 0; g < 3; g++) {
		for (i = 0; i < exec->ref_count; i++) {
			type = exec->nodes[c->ref_nodes[i]].op.type;
			if (type == groups[g][0] || type == groups[g][1])
				exec->ref_nodes[n++] = c->ref_nodes[i];
		}
		if (g == 1)
			exec->event_count = n;
	}
	return MUSA_SUCCESS;
}

/* --- the whole ---------------------------------------------------------------------------------- */

static MUresult check_handles(struct mt_compile *c)
{
	const struct mt_cond_handle *handle;
	uint32_t g;

	for (g = 0; g < c->exec->graph_count; g++)
		for (handle = c->templates[g]->cond_handles; handle; handle = handle->next)
			if (!handle->used)
				return mt_compile_refuse(c, MUSA_ERROR_INVALID_VALUE,
							 MT_EXEC_HANDLE_UNUSED, NULL, NULL);
	return MUSA_SUCCESS;
}

/* They may belong to another device than the exec. */
static MUresult reach_semaphores(struct mt_exec *exec)
{
	MUresult ret = MUSA_SUCCESS;
	uint32_t i;

	for (i = exec->event_count; i < exec->ref_count && !ret; i++)
		ret = mt_ext_semaphores_reach(&exec->nodes[exec->ref_nodes[i]].op.sem, exec->ctx);
	return ret;
}

static MUresult fill(struct mt_compile *c)
{
	struct mt_exec *exec = c->exec;
	struct mt_exec_cond *cond;
	uint32_t i, count = 0;
	MUresult ret = get_arrays(c);

	for (i = 0; i < c->unit_count && !ret; i++)
		ret = fill_unit(c, &c->units[i], &count);
	if (ret) {
		drop_references(c);
		return ret;
	}
	ret = keep_references(c);
	if (ret)
		return ret;
	for (cond = exec->conds; cond; cond = cond->next)
		exec->nodes[cond->node].op.graph = cond;
	if ((exec->flags & MT_EXEC_DEVICE_LAUNCH) && !c->work_count)
		return MUSA_ERROR_INVALID_VALUE;
	if (c->device != MT_EXEC_NONE && c->device != exec->ctx->device)
		ret = mt_ctx_primary(c->device, &exec->ctx);
	return ret ? ret : reach_semaphores(exec);
}

MUresult mt_exec_compile(struct mt_exec *exec, struct mt_graph *graph,
			 struct mt_exec_report *report)
{
	struct mt_compile c = { .exec = exec, .report = report, .device = MT_EXEC_NONE,
				.has_memory = graph->mem_node_count != 0 };
	MUresult ret = collect(&c, graph);

	if (!ret)
		ret = keep_graphs(exec);
	else
		drop_graphs(exec);
	if (!ret)
		ret = check_handles(&c);
	if (!ret)
		ret = fill(&c);
	if (!ret && exec->has_host)
		ret = mt_host_prepare(exec->ctx);
	if (!ret) {
		mt_chain_init(&exec->chain, exec->ctx->commands);
		ret = mt_compile_emit(&c);
	}
	mt_free(c.templates);
	mt_free(c.units);
	mt_block_give(c.sched_flags, exec->node_count + (size_t)1);
	mt_free(c.priority);
	mt_free(c.ref_nodes);
	return ret;
}
