/* SPDX-License-Identifier: MIT */
/*
 * mtgraph-dump timeline: when each node ran, queue by queue, from the time stamps that the library puts
 * around nodes when it is asked to, or from the times that a file holds.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "graph/save_file.h"
#include "tools/dump/command.h"
#include "tools/dump/file.h"
#include "tools/dump/timeline.h"

#define JSON_FORMAT 1u /* of `timeline --json` */

struct wishes {
	const char *chrome; /* the file to write; NULL: none */
	bool keep, json;
};

/* A replay numbers the nodes as the file does if the file leaves no ids out. */
static bool numbers_are_ids(struct dump_file *file)
{
	const struct mtg_graph *graphs;
	uint32_t count;

	graphs = file_graphs(file, &count);
	return count == 1 && graphs[0].id_count == graphs[0].node_count;
}

/* Adds the times of a replay to the file. */
static int keep(const struct timeline *t, const char *path)
{
	struct mt_save_file save;
	struct dump_file *file;
	struct mtg_time time;
	int fd, error, ret = file_open(path, &file);
	uint64_t i;

	if (ret)
		return ret;
	if (!numbers_are_ids(file)) {
		dump_error("%s: times are kept only for graphs without nested graphs and destroyed "
			   "nodes", path);
		file_close(file);
		return DUMP_UNREADABLE;
	}
	file_close(file);
	fd = open(path, O_RDWR | O_CLOEXEC);
	error = fd < 0 ? -errno : mt_save_open_append(&save, fd);
	if (!error) {
		mt_save_begin(&save, MTG_TIMES);
		for (i = 0; i < t->span_count; i++) {
			time = (struct mtg_time){0, t->spans[i].node, (uint32_t)t->spans[i].launch,
						 t->spans[i].queue, t->spans[i].start_ns,
						 t->spans[i].end_ns};
			mt_save_put(&save, &time, sizeof(time));
			if (!mt_save_is_full(&save))
				continue;
			mt_save_end(&save);
			mt_save_begin(&save, MTG_TIMES);
		}
		mt_save_end(&save);
		error = mt_save_close(&save);
	}
	if (fd >= 0)
		close(fd);
	if (!error)
		return DUMP_OK;
	dump_error("%s: %s", path, strerror(-error));
	return DUMP_UNREADABLE;
}

/* --- the whole ------------------------------------------------------------------------------------ */

static int show(struct timeline *t, const struct wishes *wishes, struct json *json)
{
	if (t->no_memory) {
		dump_error("no memory");
		return DUMP_UNREADABLE;
	}
	if (t->lost)
		fprintf(stderr, "mtgraph-dump timeline: %" PRIu64 " launches did not complete within "
				"a second and are left out\n", t->lost);
	if (!t->span_count) {
		dump_error("no launch of a graph was measured");
		return DUMP_UNREADABLE;
	}
	timeline_sort(t);
	if (wishes->chrome)
		return timeline_write_chrome(t, wishes->chrome);
	if (json)
		timeline_put(t, json);
	else
		timeline_print(t);
	return DUMP_OK;
}

/* *exit_code is the program's if it was measured. */
static int show_program(struct timeline *t, char **argv, const struct wishes *wishes,
			struct json *json, int *exit_code)
{
	int ret = timeline_measure(t, argv, json != NULL, exit_code);

	if (!ret)
		ret = show(t, wishes, json);
	if (!ret && json)
		json_number(json, "exit_code", (uint64_t)*exit_code);
	return ret;
}

static int show_file(struct timeline *t, char *path, const struct wishes *wishes, struct json *json)
{
	static char self[] = "/proc/self/exe", replay[] = "replay";
	char *argv[] = {self, replay, path, NULL};
	bool has_times = false;
	int code = 0, ret = timeline_read(t, path, &has_times);

	if (!ret && !has_times) {
		ret = timeline_measure(t, argv, true, &code);
		if (!ret)
			ret = code ? DUMP_UNREADABLE : DUMP_OK;
		if (!ret && wishes->keep && t->span_count)
			ret = keep(t, path);
	}
	return ret ? ret : show(t, wishes, json);
}

/* DUMP_OK with the program's exit code, which is 0 for a file. */
static int show_any(char **argv, bool is_program, const struct wishes *wishes, struct json *json,
		    int *exit_code)
{
	struct timeline t = {0};
	int ret;

	*exit_code = 0;
	ret = is_program ? show_program(&t, argv, wishes, json, exit_code)
			 : show_file(&t, argv[0], wishes, json);
	timeline_finish(&t);
	return ret;
}

static int show_as_json(char **argv, bool is_program, const struct wishes *wishes)
{
	struct json json;
	int code, ret;

	json_init(&json, stdout);
	json_object(&json, NULL);
	json_string(&json, "format", "mtgraph-dump timeline");
	json_number(&json, "format_version", JSON_FORMAT);
	ret = show_any(argv, is_program, wishes, &json, &code);
	if (ret)
		json_bool(&json, "incomplete", true);
	json_finish(&json);
	return ret ? ret : code;
}

static int show_as_text(char **argv, bool is_program, const struct wishes *wishes)
{
	int code, ret = show_any(argv, is_program, wishes, NULL, &code);

	return ret ? ret : code;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"chrome", required_argument, NULL, 'c'},
		{"keep", no_argument, NULL, 'k'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	struct wishes wishes = {0};
	bool is_program;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+c:kjh", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_timeline);
		if (option == 'c')
			wishes.chrome = optarg;
		else if (option == 'k')
			wishes.keep = true;
		else if (option == 'j')
			wishes.json = true;
		else
			return dump_usage(&dump_timeline, "unknown option '%s'", argv[optind - 1]);
	}
	is_program = optind > 1 && !strcmp(argv[optind - 1], "--");
	if (optind == argc || (!is_program && argc - optind != 1))
		return dump_usage(&dump_timeline, "one FILE is needed, or -- and a program");
	if (is_program && wishes.keep)
		return dump_usage(&dump_timeline, "--keep goes with a FILE");
	if (wishes.json && wishes.chrome)
		return dump_usage(&dump_timeline, "--json and --chrome do not go together");
	return wishes.json ? show_as_json(argv + optind, is_program, &wishes)
			   : show_as_text(argv + optind, is_program, &wishes);
}

const struct dump_command dump_timeline = {
	.name = "timeline",
	.summary = "when each node ran, queue by queue",
	.help = "Usage: mtgraph-dump timeline [--json | --chrome OUT.json] [--keep] FILE\n"
		"       mtgraph-dump timeline [--json | --chrome OUT.json] -- PROGRAM [ARGUMENTS]\n"
		"\n"
		"Prints when each node of each launch began and how long it took, queue by queue. A program\n"
		"runs with time stamps around every node, so that the nodes of one queue run one after the\n"
		"other, and a launch waits until the one before it has completed. Of a file the measured times\n"
		"in it are shown; a file without is replayed.\n"
		"\n"
		"  --json             as JSON; a program's standard output goes to standard error then\n"
		"  --chrome OUT.json  writes a trace for Chrome's about:tracing and for Perfetto instead\n"
		"  --keep             adds the times of a replay to FILE, where 'draw' takes them for the\n"
		"                     critical path\n"
		"  --help             this text\n"
		"\n"
		"Exit status: that of the program; of a file 0; 2 for wrong use, 3 if nothing could be\n"
		"measured or read.\n",
	.run = run,
};
