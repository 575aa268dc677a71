/* SPDX-License-Identifier: MIT */
/* mtgraph-dump show: views of a saved graph, or a code object. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/dump/command.h"
#include "tools/dump/show.h"

#define JSON_FORMAT 1u /* of `show --json`: tools/dump/show.schema.json */

typedef int (*view_function)(struct dump_file *file, struct json *json);

/* What JSON has without an option: all that is read in passing, so that memory stays small. */
static int show_all(struct dump_file *file, struct json *json)
{
	int ret = show_summary(file, json);

	if (!ret)
		ret = show_nodes(file, json);
	if (!ret)
		ret = show_memory(file, json);
	if (!ret && file_exec(file))
		ret = show_sites(file, json);
	return ret;
}

static int show_graph(const char *path, view_function view, struct json *json)
{
	struct dump_file *file;
	int ret = file_open(path, &file);

	if (ret)
		return ret;
	if (view)
		ret = view(file, json);
	else
		ret = json ? show_all(file, json) : show_summary(file, NULL);
	file_close(file);
	return ret;
}

static int show(const char *path, view_function view, struct json *json)
{
	if (access(path, R_OK)) {
		dump_error("%s: %s", path, strerror(errno));
		return DUMP_UNREADABLE;
	}
	if (file_is_saved_graph(path))
		return show_graph(path, view, json);
	if (view) {
		dump_error("%s: not a saved graph", path);
		return DUMP_UNREADABLE;
	}
	return show_code(path, json);
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"nodes", no_argument, NULL, 'n'},  {"chain", no_argument, NULL, 'c'},
		{"sites", no_argument, NULL, 's'},  {"queues", no_argument, NULL, 'q'},
		{"memory", no_argument, NULL, 'm'}, {"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},   {0},
	};
	view_function view = NULL, wanted;
	bool as_json = false;
	struct json json;
	int option, ret;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_show);
		if (option == '?')
			return dump_usage(&dump_show, "unknown option '%s'", argv[optind - 1]);
		if (option == 'j') {
			as_json = true;
			continue;
		}
		wanted = option == 'n' ? show_nodes :
			 option == 'c' ? show_chain :
			 option == 's' ? show_sites :
			 option == 'q' ? show_queues :
					 show_memory;
		if (view && view != wanted)
			return dump_usage(&dump_show, "one view at a time");
		view = wanted;
	}
	if (argc - optind != 1)
		return dump_usage(&dump_show, "one FILE is needed");
	if (!as_json)
		return show(argv[optind], view, NULL);
	json_init(&json, stdout);
	json_object(&json, NULL);
	json_string(&json, "format", "mtgraph-dump show");
	json_number(&json, "format_version", JSON_FORMAT);
	ret = show(argv[optind], view, &json);
	while (json.depth > 1)
		json_end(&json);
	if (ret)
		json_bool(&json, "incomplete", true);
	json_finish(&json);
	return ret;
}

const struct dump_command dump_show = {
	.name = "show",
	.summary = "what is in a saved graph, a code object or a fat binary",
	.help = "Usage: mtgraph-dump show FILE [--nodes|--chain|--sites|--queues|--memory] [--json]\n"
		"\n"
		"Prints what FILE holds: a saved graph (.mtgraph), a code object or a fat binary.\n"
		"\n"
		"Views of a saved graph (without one: a summary; as JSON nodes, memory, sites):\n"
		"  --nodes      each node with its parameters, decoded as far as names and types are known\n"
		"  --chain      the packets of an executable graph, following jumps, calls and branches\n"
		"  --sites      what an update of each node rewrites\n"
		"  --queues     queues with their nodes, waits and signals\n"
		"  --memory     the memory that nodes name, its lifetime, and whether it was saved\n"
		"\n"
		"  --json       as JSON, format version 1\n"
		"  --help       this text\n"
		"\n"
		"Exit status: 0 shown, 2 wrong use, 3 the file cannot be read or is damaged.\n",
	.run = run,
};
