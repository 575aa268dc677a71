/* SPDX-License-Identifier: MIT */
/* What only executable graphs have: patch sites of the nodes, queues with their waits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hw/packet.h"
#include "tools/dump/chain.h"
#include "tools/dump/command.h"
#include "tools/dump/output.h"
#include "tools/dump/progress.h"
#include "tools/dump/show.h"
#include "tools/dump/words.h"

static const struct mtg_exec *need_exec(struct dump_file *file)
{
	const struct mtg_exec *exec = file_exec(file);

	if (!exec)
		file_bad(file, NULL, "it holds a graph, no executable graph: there are no packets");
	return exec;
}

static void print_site(const struct file_node *node, const struct mtg_exec_node *site)
{
	printf("%5u %8u  %-16s", node->graph, node->head->id, word_node_type(node->head->type));
	if (site->packet_va)
		printf("  packet 0x%" PRIx64 " + %u", site->packet_va, site->packet_b);
	if (site->data_va)
		printf("  data 0x%" PRIx64 " + %u", site->data_va, site->data_b);
	if (!site->packet_va && !site->data_va)
		fputs("  none", stdout);
	if (site->queue != MTG_NONE)
		printf("  queue %u", site->queue);
	puts(site->state & MTG_EXEC_DISABLED ? "  disabled" : "");
}

static void write_site(struct json *json, const struct file_node *node,
		       const struct mtg_exec_node *site)
{
	json_object(json, NULL);
	json_number(json, "graph", node->graph);
	json_number(json, "id", node->head->id);
	if (site->packet_va) {
		json_hex(json, "packet", site->packet_va);
		json_number(json, "packet_bytes", site->packet_b);
	}
	if (site->data_va) {
		json_hex(json, "data", site->data_va);
		json_number(json, "data_bytes", site->data_b);
	}
	if (site->queue != MTG_NONE)
		json_number(json, "queue", site->queue);
	json_bool(json, "barrier", site->state & MTG_EXEC_BARRIER);
	json_bool(json, "disabled", site->state & MTG_EXEC_DISABLED);
	json_end(json);
}

int show_sites(struct dump_file *file, struct json *json)
{
	struct file_node_cursor cursor = {0};
	struct file_exec_cursor sites = {0};
	const struct mtg_exec_node *site;
	const struct mtg_graph *graphs;
	struct progress progress;
	struct file_node node;
	uint32_t count;

	if (!need_exec(file))
		return file_status(file);
	graphs = file_graphs(file, &count);
	if (json)
		json_array(json, "sites");
	else
		out_print(OUT_HEADING, "%5s %8s  %-16s  %s\n", "graph", "node", "type",
			  "what an update of it rewrites");
	progress_begin_printing(&progress, "nodes", file_size(file));
	while (file_next_node(file, &cursor, &node)) {
		progress_update(&progress, cursor.done_b);
		site = file_exec_node(file, &sites, graphs[node.graph].base + node.head->id);
		if (!site) {
			file_bad(file, NULL, "node %u of graph %u has no record in the exec",
				 node.head->id, node.graph);
			break;
		}
		if (json)
			write_site(json, &node, site);
		else
			print_site(&node, site);
	}
	progress_end(&progress);
	if (json)
		json_end(json);
	file_node_cursor_finish(&cursor);
	file_exec_cursor_finish(&sites);
	return file_status(file);
}

/* --- packets -------------------------------------------------------------------------------------- */

struct chain_view {
	struct dump_file *file;
	struct json *json;
	struct progress progress;
	uint64_t done; /* packets */
};

static void put_node_of(struct chain_view *view, uint32_t number)
{
	uint32_t id, graph = number == MT_PKT_NODE_NONE ?
				     MTG_NONE :
				     file_graph_of_number(view->file, number, &id);

	if (graph == MTG_NONE)
		return;
	if (view->json) {
		json_number(view->json, "graph", graph);
		json_number(view->json, "id", id);
	} else if (graph) {
		printf("  (node %u of graph %u)", id, graph);
	}
}

static void put_packet(void *data, const struct chain_packet *packet)
{
	struct chain_view *view = data;
	char text[256];

	progress_update(&view->progress, ++view->done);
	if (packet->why)
		snprintf(text, sizeof(text), "bad packet: %s", packet->why);
	else
		mt_pkt_print(packet->header, text, sizeof(text));
	if (view->json) {
		json_object(view->json, NULL);
		json_string(view->json, "part", chain_part_word(packet->part));
		if (packet->part != CHAIN_PROLOGUE)
			json_number(view->json, "queue", packet->queue);
		json_hex(view->json, "address", packet->va);
		json_string(view->json, "text", text);
		if (!packet->why)
			put_node_of(view, packet->header->node);
		json_end(view->json);
		return;
	}
	if (packet->starts_line && packet->part == CHAIN_PROLOGUE)
		out_print(OUT_HEADING, "prologue:\n");
	else if (packet->starts_line && packet->part == CHAIN_QUEUE)
		out_print(OUT_HEADING, "queue %u:\n", packet->queue);
	else if (packet->starts_line)
		out_print(OUT_HEADING, "at 0x%" PRIx64 " (queue %u):\n", packet->va, packet->queue);
	out_print(OUT_FAINT, "  0x%" PRIx64 "  ", packet->va);
	fputs(text, stdout);
	if (!packet->why)
		put_node_of(view, packet->header->node);
	putchar('\n');
}

int show_chain(struct dump_file *file, struct json *json)
{
	const struct mtg_exec *exec = need_exec(file);
	struct chain_view view = {.file = file, .json = json};

	if (!exec)
		return file_status(file);
	if (json)
		json_array(json, "packets");
	/* About one packet a node. */
	progress_begin_printing(&view.progress, "packets", exec->node_count);
	chain_walk(file, put_packet, &view);
	progress_end(&view.progress);
	if (json)
		json_end(json);
	return file_status(file);
}

/* --- queues --------------------------------------------------------------------------------------- */

struct queue_counts {
	uint64_t packets, waits, signals, bytes, barriers;
};

static void count_packet(void *data, const struct chain_packet *packet)
{
	struct queue_counts *counts = data;

	if (packet->part == CHAIN_PROLOGUE || packet->why)
		return;
	counts += packet->queue;
	counts->packets++;
	counts->bytes += packet->header->len_qw * 8u;
	counts->barriers += packet->header->flags & MT_PKT_BARRIER;
	counts->waits += packet->header->opcode == MT_PKT_OP_WAIT;
	counts->signals += packet->header->opcode == MT_PKT_OP_SIGNAL;
}

int show_queues(struct dump_file *file, struct json *json)
{
	struct queue_counts counts[MTG_QUEUES_MAX] = {0};
	struct file_exec_cursor sites = {0};
	const struct mtg_exec *exec = need_exec(file);
	uint64_t nodes[MTG_QUEUES_MAX] = {0};
	const struct mtg_exec_node *site;
	uint32_t i;

	if (!exec)
		return file_status(file);
	chain_walk(file, count_packet, counts);
	for (i = 0; i < exec->node_count && (site = file_exec_node(file, &sites, i)); i++)
		if (site->queue < MTG_QUEUES_MAX)
			nodes[site->queue]++;
	file_exec_cursor_finish(&sites);
	if (json)
		json_array(json, "queues");
	else
		out_print(OUT_HEADING, "queue     nodes   packets     bytes     waits   signals  "
				       "barriers\n");
	for (i = 0; i < exec->queue_count; i++) {
		if (!json) {
			printf("%5u  %8" PRIu64 "  %8" PRIu64 "  %8" PRIu64 "  %8" PRIu64
			       "  %8" PRIu64 "  %8" PRIu64 "\n",
			       i, nodes[i], counts[i].packets, counts[i].bytes, counts[i].waits,
			       counts[i].signals, counts[i].barriers);
			continue;
		}
		json_object(json, NULL);
		json_number(json, "queue", i);
		json_hex(json, "first_packet", exec->queue_va[i]);
		json_number(json, "nodes", nodes[i]);
		json_number(json, "packets", counts[i].packets);
		json_number(json, "bytes", counts[i].bytes);
		json_number(json, "waits", counts[i].waits);
		json_number(json, "signals", counts[i].signals);
		json_number(json, "barriers", counts[i].barriers);
		json_end(json);
	}
	if (json)
		json_end(json);
	return file_status(file);
}
