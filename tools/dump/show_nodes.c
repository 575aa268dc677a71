/* SPDX-License-Identifier: MIT */
/* Nodes with their parameters, decoded by what the file knows of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "musa.h"
#include "tools/dump/command.h"
#include "tools/dump/demangle.h"
#include "tools/dump/output.h"
#include "tools/dump/progress.h"
#include "tools/dump/show.h"
#include "tools/dump/sink.h"
#include "tools/dump/words.h"

static const struct file_kernel *kernel_of(struct dump_file *file, const struct file_node *node)
{
	const struct mtg_kernel_params *params = node->params;
	uint32_t count;

	return &file_kernels(file, &count)[params->kernel];
}

static void describe_attrs(struct sink *sink, const struct mtg_kernel_attrs *attrs)
{
	sink_begin(sink, "attributes");
	sink_hex(sink, "set", attrs->set);
	if (attrs->set & 1u << MU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		sink_number(sink, "cooperative", attrs->cooperative);
	if (attrs->set & 1u << MU_LAUNCH_ATTRIBUTE_PRIORITY) {
		const int32_t priority = attrs->priority;
		uint8_t bytes[4];

		memcpy(bytes, &priority, 4);
		sink_value(sink, "priority", 6, bytes, 4);
	}
	if (attrs->set & 1u << MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		sink_numbers(sink, "cluster", attrs->cluster, 3);
	sink_end(sink);
}

static void describe_kernel(struct sink *sink, const struct file_node *node)
{
	const struct mtg_kernel_params *params = node->params;
	const struct file_kernel *kernel = kernel_of(sink->file, node);
	char key[256], *signature;

	sink_text(sink, "kernel", kernel->name);
	signature = demangle(kernel->name.bytes, kernel->name.count);
	if (signature)
		sink_string(sink, "signature", signature);
	free(signature);
	sink_numbers(sink, "grid", params->grid, 3);
	sink_numbers(sink, "block", params->block, 3);
	if (params->dynamic_shared_b || kernel->head.static_shared_b)
		sink_number(sink, "shared_bytes",
			    (uint64_t)params->dynamic_shared_b + kernel->head.static_shared_b);
	if (kernel->head.param_count)
		sink_list(sink, "arguments");
	for (uint32_t i = 0; i < kernel->head.param_count; i++) {
		const struct file_param *param = &kernel->params[i];
		const uint8_t *value = node->args + param->head.image_b;

		if (sink->json) {
			sink_begin(sink, NULL);
			sink_text(sink, "name", param->name);
			sink_string(sink, "type", word_param_type(param->head.type));
			sink_number(sink, "bytes", param->head.value_b);
			sink_value(sink, "value", param->head.type, value, param->head.value_b);
			sink_end(sink);
			continue;
		}
		/* Names in metadata are text of a file. */
		snprintf(key, sizeof(key), "%u", i);
		for (uint32_t c = 0; c < param->name.count && c < sizeof(key) - 1; c++) {
			unsigned char letter = (unsigned char)param->name.bytes[c];

			key[c] = (char)(letter < 0x20 || letter > 0x7e ? '?' : letter);
			key[c + 1] = '\0';
		}
		sink_value(sink, key, param->head.type, value, param->head.value_b);
	}
	if (kernel->head.param_count)
		sink_end(sink);
	if (node->attrs)
		describe_attrs(sink, node->attrs);
}

static void describe_side(struct sink *sink, const char *key, const struct mtg_copy_side *side,
			  bool flat)
{
	if (sink->json || !flat) {
		sink_begin(sink, key);
		sink_address(sink, "first_byte", side->va);
		sink_string(sink, "memory", word_memory(side->memory));
		if (side->array != MTG_NONE)
			sink_number(sink, "array", side->array);
		sink_number(sink, "pitch", side->row_b);
		sink_number(sink, "slice", side->slice_b);
		sink_end(sink);
	} else {
		sink_address(sink, key, side->va);
	}
}

static void describe_copy(struct sink *sink, const struct mtg_copy_params *copy)
{
	bool flat = copy->height == 1 && copy->depth == 1 && copy->src.array == MTG_NONE &&
		    copy->dst.array == MTG_NONE;

	sink_string(sink, "kind", word_copy_kind(copy->kind));
	describe_side(sink, "from", &copy->src, flat);
	describe_side(sink, "to", &copy->dst, flat);
	sink_number(sink, "width_bytes", copy->width_b);
	if (sink->json || !flat) {
		sink_number(sink, "height", copy->height);
		sink_number(sink, "depth", copy->depth);
	}
}

static void describe_fill(struct sink *sink, const struct mtg_fill_params *fill)
{
	sink_address(sink, "to", fill->dst);
	sink_hex(sink, "value", fill->value);
	sink_number(sink, "element_bytes", fill->element_b);
	sink_number(sink, "width", fill->width);
	if (sink->json || fill->height != 1) {
		sink_number(sink, "height", fill->height);
		sink_number(sink, "pitch", fill->pitch_b);
	}
}

static void describe_host(struct sink *sink, const struct file_node *node)
{
	const struct mtg_host_params *host = node->params;

	sink_hex(sink, "function", host->fn);
	if (node->symbol.count)
		sink_text(sink, "symbol", node->symbol);
	sink_hex(sink, "data", host->data);
}

static void describe_event(struct sink *sink, const struct mtg_event_params *event)
{
	sink_hex(sink, "event", event->event);
	sink_number(sink, "flags", event->flags);
}

static void describe_semaphores(struct sink *sink, const struct file_node *node)
{
	const struct mtg_semaphore_params *params = node->params;

	sink_list(sink, "semaphores");
	for (uint32_t i = 0; i < params->count; i++) {
		sink_begin(sink, sink->json ? NULL : "semaphore");
		sink_hex(sink, "semaphore", node->semaphores[i].semaphore);
		sink_number(sink, "value", node->semaphores[i].value);
		sink_end(sink);
	}
	sink_end(sink);
}

static void describe_conditional(struct sink *sink, const struct file_node *node)
{
	const struct mtg_conditional_params *cond = node->params;
	uint32_t graph;

	sink_string(sink, "condition", word_conditional(cond->type));
	sink_hex(sink, "handle", cond->handle);
	sink_number(sink, "default", cond->default_value);
	sink_bool(sink, "default_at_launch", cond->flags & MU_GRAPH_COND_ASSIGN_DEFAULT);
	sink_list(sink, "bodies");
	for (uint32_t slot = 0; slot < cond->size; slot++) {
		graph = file_nested(sink->file, node->graph, node->head->id, slot);
		if (graph == MTG_NONE)
			break;
		sink_number(sink, sink->json ? NULL : "graph", graph);
	}
	sink_end(sink);
}

static void describe_params(struct sink *sink, const struct file_node *node)
{
	const struct mtg_alloc_params *alloc = node->params;
	uint32_t graph;

	switch (node->head->type) {
	case MU_GRAPH_NODE_TYPE_KERNEL:
		describe_kernel(sink, node);
		break;
	case MU_GRAPH_NODE_TYPE_MEMCPY:
		describe_copy(sink, node->params);
		break;
	case MU_GRAPH_NODE_TYPE_MEMSET:
		describe_fill(sink, node->params);
		break;
	case MU_GRAPH_NODE_TYPE_HOST:
		describe_host(sink, node);
		break;
	case MU_GRAPH_NODE_TYPE_GRAPH:
		graph = file_nested(sink->file, node->graph, node->head->id, 0);
		if (graph != MTG_NONE)
			sink_number(sink, "child", graph);
		break;
	case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
	case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
		describe_event(sink, node->params);
		break;
	case MU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case MU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		describe_semaphores(sink, node);
		break;
	case MU_GRAPH_NODE_TYPE_MEM_ALLOC:
		sink_address(sink, "memory", alloc->va);
		sink_number(sink, "bytes", alloc->size_b);
		break;
	case MU_GRAPH_NODE_TYPE_MEM_FREE:
		sink_address(sink, "memory", ((const struct mtg_free_params *)node->params)->va);
		break;
	case MU_GRAPH_NODE_TYPE_CONDITIONAL:
		describe_conditional(sink, node);
		break;
	default:
		break;
	}
}

uint64_t show_node_bytes(const struct file_node *node)
{
	const struct mtg_copy_params *copy = node->params;
	const struct mtg_fill_params *fill = node->params;
	uint64_t bytes;

	if (node->head->type == MU_GRAPH_NODE_TYPE_MEMCPY &&
	    !__builtin_mul_overflow(copy->width_b, copy->height, &bytes) &&
	    !__builtin_mul_overflow(bytes, copy->depth, &bytes))
		return bytes;
	if (node->head->type == MU_GRAPH_NODE_TYPE_MEMSET &&
	    !__builtin_mul_overflow(fill->width, fill->element_b, &bytes) &&
	    !__builtin_mul_overflow(bytes, fill->height, &bytes))
		return bytes;
	return 0;
}

void show_describe_node(struct sink *sink, const struct file_node *node)
{
	uint64_t bytes = show_node_bytes(node);

	if (sink->json) {
		json_number(sink->json, "graph", node->graph);
		json_number(sink->json, "id", node->head->id);
		json_string(sink->json, "type", word_node_type(node->head->type));
		json_number(sink->json, "device", node->head->device);
	}
	if (sink->json || node->head->dep_count)
		sink_numbers(sink, "after", node->deps, node->head->dep_count);
	if (sink->json || (node->head->flags & MTG_NODE_DISABLED))
		sink_bool(sink, "disabled", node->head->flags & MTG_NODE_DISABLED);
	if (bytes)
		sink_number(sink, "moves_bytes", bytes);
	describe_params(sink, node);
}

static void print_graph_heading(struct dump_file *file, uint32_t index)
{
	uint32_t count;
	const struct mtg_graph *graph = &file_graphs(file, &count)[index];

	out_print(OUT_HEADING, "graph %u", index);
	if (graph->role == MTG_ROOT)
		fputs(" (root)", stdout);
	else if (graph->role == MTG_CHILD)
		printf(" (child graph of node %u in graph %u)", graph->parent_node, graph->parent);
	else
		printf(" (body %u of node %u in graph %u)", graph->slot, graph->parent_node,
		       graph->parent);
	printf(": %u nodes, %" PRIu64 " edges\n", graph->node_count, graph->edge_count);
}

static void write_graphs(struct dump_file *file, struct json *json)
{
	uint32_t count, i;
	const struct mtg_graph *graphs = file_graphs(file, &count);

	json_array(json, "graphs");
	for (i = 0; i < count; i++) {
		json_object(json, NULL);
		json_number(json, "index", i);
		json_string(json, "role", word_role(graphs[i].role));
		if (graphs[i].parent != MTG_NONE) {
			json_number(json, "parent", graphs[i].parent);
			json_number(json, "parent_node", graphs[i].parent_node);
			json_number(json, "slot", graphs[i].slot);
		}
		json_number(json, "nodes", graphs[i].node_count);
		json_number(json, "edges", graphs[i].edge_count);
		json_end(json);
	}
	json_end(json);
}

int show_nodes(struct dump_file *file, struct json *json)
{
	struct sink sink = {.file = file, .json = json};
	struct file_node_cursor cursor = {0};
	struct progress progress;
	struct file_node node;
	uint32_t graph = MTG_NONE;

	if (json) {
		write_graphs(file, json);
		json_array(json, "nodes");
	}
	progress_begin_printing(&progress, "nodes", file_size(file));
	while (file_next_node(file, &cursor, &node)) {
		progress_update(&progress, cursor.done_b);
		if (json) {
			json_object(json, NULL);
			show_describe_node(&sink, &node);
			json_end(json);
			continue;
		}
		if (node.graph != graph)
			print_graph_heading(file, graph = node.graph);
		out_print(OUT_NAME, "node %u", node.head->id);
		printf(": %s\n", word_node_type(node.head->type));
		sink.indent = 1;
		show_describe_node(&sink, &node);
	}
	progress_end(&progress);
	file_node_cursor_finish(&cursor);
	if (json)
		json_end(json);
	return file_status(file);
}
