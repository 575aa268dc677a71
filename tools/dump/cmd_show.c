/* SPDX-License-Identifier: MIT */
/* mtgraph-dump show: one view of a file. */
#include <getopt.h>
#include <stdio.h>

#include "tools/dump/command.h"
#include "tools/dump/show.h"

#define JSON_FORMAT 1u /* of `show --json` */

static int show_graph(struct dump_file *file, bool as_json)
{
	struct json json;
	int ret;

	if (!as_json)
		return show_summary(file, NULL);
	json_init(&json, stdout);
	json_object(&json, NULL);
	json_string(&json, "format", "mtgraph-dump show");
	json_number(&json, "format_version", JSON_FORMAT);
	ret = show_summary(file, &json);
	json_finish(&json);
	return ret;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	struct dump_file *file;
	bool json = false;
	int option, ret;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "jh", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_show);
		if (option != 'j')
			return dump_usage(&dump_show, "unknown option '%s'", argv[optind - 1]);
		json = true;
	}
	if (argc - optind != 1)
		return dump_usage(&dump_show, "one FILE is needed");
	ret = file_open(argv[optind], &file);
	if (ret)
		return ret;
	ret = show_graph(file, json);
	file_close(file);
	return ret;
}

const struct dump_command dump_show = {
	.name = "show",
	.summary = "what is in a saved graph",
	.help = "Usage: mtgraph-dump show FILE [--json]\n"
		"\n"
		"Prints what a saved graph holds.\n"
		"\n"
		"  --json       as JSON\n"
		"  --help       this text\n",
	.run = run,
};
