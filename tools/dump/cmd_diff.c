/* SPDX-License-Identifier: MIT */
/* mtgraph-dump diff: what differs between two saved graphs, and whether one could update the other. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/dump/command.h"
#include "tools/dump/diff.h"
#include "tools/dump/output.h"
#include "tools/dump/rebuild.h"
#include "tools/dump/words.h"

#define JSON_FORMAT 1u /* of `diff --json` */

/* What an update would say. */
struct verdict {
	musaError_t error;
	enum musaGraphExecUpdateResult result; /* with musaErrorGraphExecUpdateFailure */
	const struct file_node *node;          /* of B; NULL: none is named */
};

static const char *update_word(enum musaGraphExecUpdateResult result)
{
	switch (result) {
	case musaGraphExecUpdateErrorTopologyChanged:
		return "topology changed";
	case musaGraphExecUpdateErrorNodeTypeChanged:
		return "node type changed";
	case musaGraphExecUpdateErrorFunctionChanged:
		return "function changed";
	case musaGraphExecUpdateErrorParametersChanged:
		return "parameters changed";
	case musaGraphExecUpdateErrorAttributesChanged:
		return "attributes changed";
	case musaGraphExecUpdateErrorNotSupported:
		return "not supported";
	case musaGraphExecUpdateErrorUnsupportedFunctionChange:
		return "unsupported function change";
	default:
		return "error";
	}
}

static void print_verdict(const struct verdict *verdict)
{
	const struct file_node *node = verdict->node;

	if (!verdict->error) {
		out_print(OUT_GOOD, "B can update A\n");
		return;
	}
	out_print(OUT_BAD, "B cannot update A");
	if (verdict->error == musaErrorGraphExecUpdateFailure)
		printf(": %s", update_word(verdict->result));
	else
		printf(": %s", musaGetErrorString(verdict->error));
	if (node)
		printf(", at node %u of graph %u in B (%s)", node->head->id, node->graph,
		       word_node_type(node->head->type));
	putchar('\n');
}

static void put_verdict(struct json *json, const struct verdict *verdict)
{
	json_object(json, "update");
	json_bool(json, "can_update", !verdict->error);
	if (verdict->error) {
		json_string(json, "error", musaGetErrorName(verdict->error));
		json_string(json, "error_text", musaGetErrorString(verdict->error));
	}
	if (verdict->error == musaErrorGraphExecUpdateFailure)
		json_string(json, "result", update_word(verdict->result));
	if (verdict->node) {
		json_object(json, "node");
		json_number(json, "graph", verdict->node->graph);
		json_number(json, "node", verdict->node->head->id);
		json_string(json, "type", word_node_type(verdict->node->head->type));
		json_end(json);
	}
	json_end(json);
}

/* The very call that a program would make gives the answer. */
static int try_update(struct rebuild *a, struct rebuild *b, struct verdict *verdict)
{
	const struct mtg_exec *saved = file_exec(a->file);
	unsigned long long flags =
		saved ? saved->flags & ~(uint64_t)musaGraphInstantiateFlagUpload : 0;
	musaGraphExecUpdateResultInfo info = {0};
	musaGraphExec_t exec;
	musaError_t error = musaGraphInstantiateWithFlags(&exec, a->graphs[0], flags);
	uint32_t index = MTG_NONE;

	if (error) {
		dump_error("%s: instantiate: %s", file_path(a->file), musaGetErrorString(error));
		return DUMP_UNREADABLE;
	}
	verdict->error = musaGraphExecUpdate(exec, b->graphs[0], &info);
	verdict->result = info.result;
	if (verdict->error == musaErrorGraphExecUpdateFailure && info.errorNode)
		index = rebuild_find_node(b, info.errorNode);
	verdict->node = index == MTG_NONE ? NULL : &b->model.nodes[index];
	musaGraphExecDestroy(exec);
	return DUMP_OK;
}

static int check_update(struct dump_file *a_file, struct dump_file *b_file, struct json *json)
{
	const struct rebuild_options options = {.any_host = true};
	struct rebuild a = {0}, b = {0};
	struct verdict verdict;
	int ret = rebuild_graph(&a, a_file, &options, NULL);

	if (!ret)
		ret = rebuild_graph(&b, b_file, &options, &a);
	if (!ret)
		ret = try_update(&a, &b, &verdict);
	else
		fputs("whether B could update A is not known without it; --no-update does not ask\n",
		      stderr);
	if (!ret && json)
		put_verdict(json, &verdict);
	else if (!ret)
		print_verdict(&verdict);
	rebuild_finish(&b);
	rebuild_finish(&a);
	return ret;
}

static int compare(struct dump_file *a, struct dump_file *b, bool update, struct json *json)
{
	struct diff_output out = {.json = json};
	struct model a_model = {0}, b_model = {0};
	int ret = model_load(&a_model, a);

	if (!ret)
		ret = model_load(&b_model, b);
	if (!ret) {
		if (json)
			json_array(json, "differences");
		diff_models(&out, &a_model, &b_model);
		if (json)
			json_end(json);
		ret = file_status(a) ? file_status(a) : file_status(b);
	}
	model_finish(&a_model);
	model_finish(&b_model);
	if (ret)
		return ret;
	if (json)
		json_number(json, "difference_count", out.count);
	else if (!out.count)
		puts("no difference");
	if (update)
		ret = check_update(a, b, json);
	if (ret)
		return ret;
	return out.count ? DUMP_FINDING : DUMP_OK;
}

static int compare_paths(char **paths, bool update, struct json *json)
{
	struct dump_file *a, *b;
	int ret = file_open(paths[0], &a);

	if (ret)
		return ret;
	ret = file_open(paths[1], &b);
	if (!ret) {
		/* The answer needs no card, and must not touch one. */
		setenv("MUSA_BACKEND", "mock", 1);
		rebuild_set_devices(a, b);
		ret = compare(a, b, update, json);
		file_close(b);
	}
	file_close(a);
	return ret;
}

static int compare_as_json(char **paths, bool update)
{
	struct json json;
	int ret;

	json_init(&json, stdout);
	json_object(&json, NULL);
	json_string(&json, "format", "mtgraph-dump diff");
	json_number(&json, "format_version", JSON_FORMAT);
	ret = compare_paths(paths, update, &json);
	if (ret == DUMP_UNREADABLE)
		json_bool(&json, "incomplete", true);
	json_finish(&json);
	return ret;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"no-update", no_argument, NULL, 'n'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	bool update = true, json = false;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_diff);
		if (option == 'j')
			json = true;
		else if (option == 'n')
			update = false;
		else
			return dump_usage(&dump_diff, "unknown option '%s'", argv[optind - 1]);
	}
	if (argc - optind != 2)
		return dump_usage(&dump_diff, "two files are needed");
	return json ? compare_as_json(argv + optind, update)
		    : compare_paths(argv + optind, update, NULL);
}

const struct dump_command dump_diff = {
	.name = "diff",
	.summary = "what differs between two saved graphs; whether one could update the other",
	.help = "Usage: mtgraph-dump diff A B [--no-update] [--json]\n"
		"\n"
		"Prints what differs between the saved graphs A and B: nodes, edges, parameters. Then says\n"
		"whether an executable graph of A could be updated with B, and if not, why: both are built\n"
		"again on the mock, and musaGraphExecUpdate() is asked.\n"
		"\n"
		"Nodes are compared by graph and order of insertion. Addresses in files of one process are\n"
		"compared as they are, else by the memory that they lie in.\n"
		"\n"
		"  --no-update  do not ask about the update\n"
		"  --json       as JSON\n"
		"  --help       this text\n"
		"\n"
		"Exit status: 0 no difference, 1 differences, 2 wrong use, 3 a file cannot be read or lacks\n"
		"code objects.\n",
	.run = run,
};
