/* SPDX-License-Identifier: MIT */
/* The reader's cursors over nodes, their records in an exec, and what runs have shown. */
#include <stdlib.h>
#include <string.h>

#include "musa.h"
#include "tools/dump/command.h"
#include "tools/dump/file_private.h"

/* --- nodes ------------------------------------------------------------------------------------------ */

static bool take_kernel(struct dump_file *file, struct file_node *node)
{
	const struct mtg_kernel_params *params = node->params;
	uint64_t args_b, rest_b = node->head->params_b;
	uint32_t kernels;

	file_kernels(file, &kernels);
	if (rest_b < sizeof(*params) || params->kernel >= kernels ||
	    params->args_b != file->kernels[params->kernel].head.args_b)
		return false;
	rest_b -= sizeof(*params);
	args_b = ((uint64_t)params->args_b + 7) & ~UINT64_C(7);
	if (args_b > rest_b)
		return false;
	node->args = (const uint8_t *)(params + 1);
	if (!params->attrs_b)
		return true;
	node->attrs = (const struct mtg_kernel_attrs *)(node->args + args_b);
	return params->attrs_b >= sizeof(*node->attrs) && rest_b - args_b >= sizeof(*node->attrs);
}

static bool take_params(struct dump_file *file, struct file_node *node)
{
	const struct mtg_copy_params *copy = node->params;
	const struct mtg_host_params *host = node->params;
	const struct mtg_semaphore_params *semaphores = node->params;
	const struct mtg_alloc_params *alloc = node->params;
	uint64_t params_b = node->head->params_b;
	uint32_t arrays;

	switch (node->head->type) {
	case MU_GRAPH_NODE_TYPE_KERNEL:
		return take_kernel(file, node);
	case MU_GRAPH_NODE_TYPE_MEMCPY:
		file_arrays(file, &arrays);
		return params_b >= sizeof(*copy) &&
		       (copy->src.array == MTG_NONE || copy->src.array < arrays) &&
		       (copy->dst.array == MTG_NONE || copy->dst.array < arrays);
	case MU_GRAPH_NODE_TYPE_MEMSET:
		return params_b >= sizeof(struct mtg_fill_params);
	case MU_GRAPH_NODE_TYPE_HOST:
		if (params_b < sizeof(*host) || host->symbol_b > params_b - sizeof(*host))
			return false;
		node->symbol = (struct file_text){(const char *)(host + 1), host->symbol_b};
		return true;
	case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
	case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
		return params_b >= sizeof(struct mtg_event_params);
	case MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		node->semaphores = (const struct mtg_semaphore *)(semaphores + 1);
		return params_b >= sizeof(*semaphores) &&
		       semaphores->count <=
			       (params_b - sizeof(*semaphores)) / sizeof(struct mtg_semaphore);
	case MU_GRAPH_NODE_TYPE_MEM_ALLOC:
		node->access = (const uint8_t *)(alloc + 1);
		return params_b >= sizeof(*alloc) &&
		       alloc->access_count <= (params_b - sizeof(*alloc)) / 12;
	case MU_GRAPH_NODE_TYPE_MEM_FREE:
		return params_b >= sizeof(struct mtg_free_params);
	case MU_GRAPH_NODE_TYPE_CONDITIONAL:
		return params_b >= sizeof(struct mtg_conditional_params);
	case MU_GRAPH_NODE_TYPE_GRAPH:
	case MU_GRAPH_NODE_TYPE_EMPTY:
		return true;
	default:
		return false;
	}
}

static bool take_node(struct dump_file *file, struct file_node_cursor *cursor,
		      struct file_node *node)
{
	const uint8_t *record = cursor->buffer.bytes + cursor->at;
	uint64_t room = cursor->buffer.size_b - cursor->at, at, deps_b;
	const struct mtg_node *head = (const void *)record;
	uint32_t i, id_count = file->graphs[cursor->graph].id_count;

	if (room < sizeof(*head) || head->size_b > room || head->size_b < sizeof(*head) ||
	    head->size_b % 8 || head->id >= id_count ||
	    (cursor->started && head->id <= cursor->last_id))
		return false;
	memset(node, 0, sizeof(*node));
	node->head = head;
	node->graph = cursor->graph;
	node->deps = (const void *)(record + sizeof(*head));
	deps_b = ((uint64_t)head->dep_count * 4 + 7) & ~UINT64_C(7);
	at = sizeof(*head) + deps_b;
	if (head->flags & MTG_NODE_EDGE_DATA) {
		node->edge_data = record + at;
		at += (uint64_t)head->dep_count * 8;
	}
	node->params = record + at;
	if (at > head->size_b || head->params_b > head->size_b - at)
		return false;
	for (i = 0; i < head->dep_count; i++)
		if (node->deps[i] >= id_count || node->deps[i] == head->id)
			return false;
	if (!take_params(file, node))
		return false;
	cursor->at += head->size_b;
	cursor->last_id = head->id;
	cursor->started = true;
	return true;
}

static bool next_nodes(struct dump_file *file, struct file_node_cursor *cursor)
{
	const struct mtg_nodes *head;
	const struct file_section *section;
	uint32_t graphs;

	cursor->section = file_find(file, MTG_NODES, cursor->open ? cursor->section + 1 : 0);
	cursor->open = true;
	if (cursor->section == file->section_count)
		return false;
	section = &file->sections[cursor->section];
	if (!file_graphs(file, &graphs) || file_read(file, section, &cursor->buffer))
		return false;
	head = (const void *)cursor->buffer.bytes;
	if (section->size_b < sizeof(*head) || head->graph >= graphs) {
		file_bad(file, section, "nodes of no graph");
		return false;
	}
	/* Ids go on ascending in the next section of the same graph. */
	if (head->graph != cursor->graph)
		cursor->started = false;
	cursor->graph = head->graph;
	cursor->left = head->count;
	cursor->at = sizeof(*head);
	cursor->done_b = section->at;
	return true;
}

bool file_next_node(struct dump_file *file, struct file_node_cursor *cursor,
		    struct file_node *node_out)
{
	while (!cursor->left)
		if (file->status || !next_nodes(file, cursor))
			return false;
	if (file->status)
		return false;
	cursor->left--;
	if (take_node(file, cursor, node_out))
		return true;
	file_bad(file, &file->sections[cursor->section], "bad node record behind node %u",
		 cursor->started ? cursor->last_id : 0);
	return false;
}

void file_node_cursor_finish(struct file_node_cursor *cursor)
{
	file_buffer_finish(&cursor->buffer);
}

/* --- nodes of the exec ------------------------------------------------------------------------------ */

static bool load_exec_nodes(struct dump_file *file, struct file_exec_cursor *cursor)
{
	const struct file_section *section = &file->sections[cursor->section];
	const struct mtg_exec_nodes *head;

	cursor->open = false;
	if (file_read(file, section, &cursor->buffer))
		return false;
	head = (const void *)cursor->buffer.bytes;
	if (section->size_b < sizeof(*head) || head->count > MTG_NONE - head->first ||
	    head->count > (section->size_b - sizeof(*head)) / sizeof(struct mtg_exec_node)) {
		file_bad(file, section, "too short");
		return false;
	}
	cursor->open = true;
	return true;
}

static const struct mtg_exec_node *in_section(const struct file_exec_cursor *cursor, uint32_t number)
{
	const struct mtg_exec_nodes *head = (const void *)cursor->buffer.bytes;

	if (!cursor->open || number - head->first >= head->count)
		return NULL;
	return (const struct mtg_exec_node *)(head + 1) + (number - head->first);
}

const struct mtg_exec_node *file_exec_node(struct dump_file *file, struct file_exec_cursor *cursor,
					   uint32_t number)
{
	const struct mtg_exec_node *record = in_section(cursor, number);
	uint32_t first = cursor->open ? cursor->section : 0, tried = 0;

	/* Looks on from the section at hand, once around: ascending numbers find the next one. */
	while (!record && !file->status && tried++ <= file->section_count) {
		first = file_find(file, MTG_EXEC_NODES, first);
		if (first == file->section_count) {
			first = 0;
			if (file_find(file, MTG_EXEC_NODES, 0) == file->section_count)
				return NULL;
			continue;
		}
		if (!cursor->open || cursor->section != first) {
			cursor->section = first;
			if (!load_exec_nodes(file, cursor))
				return NULL;
			record = in_section(cursor, number);
		}
		first++;
	}
	return record;
}

void file_exec_cursor_finish(struct file_exec_cursor *cursor)
{
	file_buffer_finish(&cursor->buffer);
}

/* --- fixed records ---------------------------------------------------------------------------------- */

const void *file_next_record(struct dump_file *file, struct file_record_cursor *cursor,
			     uint32_t type, uint32_t record_b)
{
	const void *record;

	while (!cursor->open || cursor->at == cursor->buffer.size_b) {
		cursor->section = file_find(file, type, cursor->started ? cursor->section + 1 : 0);
		cursor->started = true;
		if (file->status || cursor->section == file->section_count ||
		    file_read(file, &file->sections[cursor->section], &cursor->buffer))
			return NULL;
		if (cursor->buffer.size_b % record_b) {
			file_bad(file, &file->sections[cursor->section],
				 "no whole number of records");
			return NULL;
		}
		cursor->open = true;
		cursor->at = 0;
	}
	record = cursor->buffer.bytes + cursor->at;
	cursor->at += record_b;
	return record;
}

void file_record_cursor_finish(struct file_record_cursor *cursor)
{
	file_buffer_finish(&cursor->buffer);
}
