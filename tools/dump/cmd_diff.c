/* SPDX-License-Identifier: MIT */
/* mtgraph-dump diff: what differs between two saved graphs, and whether one could update the other. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/dump/command.h"
#include "tools/dump/diff.h"
#include "tools/dump/output.h"
#include "tools/dump/words.h"

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

static void print_node(const struct rebuild *b, musaGraphNode_t handle)
{
	uint32_t index = handle ? rebuild_find_node(b, handle) : MTG_NONE;
	const struct file_node *node;

	if (index == MTG_NONE)
		return;
	node = &b->model.nodes[index];
	printf(", at node %u of graph %u in B (%s)", node->head->id, node->graph,
	       word_node_type(node->head->type));
}

/* The very call that a program would make gives the answer. */
static int try_update(struct rebuild *a, struct rebuild *b)
{
	const struct mtg_exec *saved = file_exec(a->file);
	unsigned long long flags =
		saved ? saved->flags & ~(uint64_t)musaGraphInstantiateFlagUpload : 0;
	musaGraphExecUpdateResultInfo info = {0};
	musaGraphExec_t exec;
	musaError_t error = musaGraphInstantiateWithFlags(&exec, a->graphs[0], flags);

	if (error) {
		dump_error("%s: instantiate: %s", file_path(a->file), musaGetErrorString(error));
		return DUMP_UNREADABLE;
	}
	error = musaGraphExecUpdate(exec, b->graphs[0], &info);
	if (!error) {
		out_print(OUT_GOOD, "B can update A\n");
	} else if (error == musaErrorGraphExecUpdateFailure) {
		out_print(OUT_BAD, "B cannot update A");
		printf(": %s", update_word(info.result));
		print_node(b, info.errorNode);
		putchar('\n');
	} else {
		out_print(OUT_BAD, "B cannot update A");
		printf(": %s\n", musaGetErrorString(error));
	}
	musaGraphExecDestroy(exec);
	return DUMP_OK;
}

static int check_update(struct dump_file *a_file, struct dump_file *b_file)
{
	const struct rebuild_options options = {.any_host = true};
	struct rebuild a = {0}, b = {0};
	int ret = rebuild_graph(&a, a_file, &options, NULL);

	if (!ret)
		ret = rebuild_graph(&b, b_file, &options, &a);
	if (!ret)
		ret = try_update(&a, &b);
	else
		fputs("whether B could update A is not known without it; --no-update does not ask\n",
		      stderr);
	rebuild_finish(&b);
	rebuild_finish(&a);
	return ret;
}

static int compare(struct dump_file *a, struct dump_file *b, bool update)
{
	struct model a_model = {0}, b_model = {0};
	uint64_t differences = 0;
	int ret = model_load(&a_model, a), update_ret;

	if (!ret)
		ret = model_load(&b_model, b);
	if (!ret) {
		differences = diff_models(&a_model, &b_model);
		ret = file_status(a) ? file_status(a) : file_status(b);
	}
	model_finish(&a_model);
	model_finish(&b_model);
	if (ret)
		return ret;
	if (!differences)
		puts("no difference");
	if (update) {
		update_ret = check_update(a, b);
		if (update_ret)
			return update_ret;
	}
	return differences ? DUMP_FINDING : DUMP_OK;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"no-update", no_argument, NULL, 'n'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	struct dump_file *a, *b;
	bool update = true;
	int option, ret;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_diff);
		if (option == '?')
			return dump_usage(&dump_diff, "unknown option '%s'", argv[optind - 1]);
		update = false;
	}
	if (argc - optind != 2)
		return dump_usage(&dump_diff, "two files are needed");
	ret = file_open(argv[optind], &a);
	if (ret)
		return ret;
	ret = file_open(argv[optind + 1], &b);
	if (!ret) {
		/* The answer needs no card, and must not touch one. */
		setenv("MUSA_BACKEND", "mock", 1);
		rebuild_set_devices(a, b);
		ret = compare(a, b, update);
		file_close(b);
	}
	file_close(a);
	return ret;
}

const struct dump_command dump_diff = {
	.name = "diff",
	.summary = "what differs between two saved graphs; whether one could update the other",
	.help = "Usage: mtgraph-dump diff A B [--no-update]\n"
		"\n"
		"Prints what differs between the saved graphs A and B: nodes, edges, parameters. Then says\n"
		"whether an executable graph of A could be updated with B, and if not, why: both are built\n"
		"again on the mock, and musaGraphExecUpdate() is asked.\n"
		"\n"
		"Nodes are compared by graph and order of insertion. Addresses in files of one process are\n"
		"compared as they are, else by the memory that they lie in.\n"
		"\n"
		"  --no-update  do not ask about the update\n"
		"  --help       this text\n"
		"\n"
		"Exit status: 0 no difference, 1 differences, 2 wrong use, 3 a file cannot be read or lacks\n"
		"code objects.\n",
	.run = run,
};
