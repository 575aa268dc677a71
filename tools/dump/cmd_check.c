/* SPDX-License-Identifier: MIT */
/* mtgraph-dump check: hazards and other faults of saved graphs, or of all graphs that a program makes. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/check.h"
#include "tools/dump/command.h"
#include "tools/dump/demangle.h"
#include "tools/dump/output.h"
#include "tools/dump/program.h"

#define JSON_FORMAT 1u /* of `check --json` */
#define PATH_B      1024u

/* One executable graph of a run. */
struct run_exec {
	uint64_t handle;
	char *path;   /* owned: of its file */
	bool ran;     /* to its end, with accesses recorded */
	bool changed; /* updated since: what it touches now is not what the file says */
	struct mtg_access *accesses; /* owned */
	uint64_t access_count, access_room;
	uint32_t *unrecorded;        /* owned */
	uint32_t unrecorded_count, unrecorded_room;
};

/* What the events of a run have told. */
struct run {
	struct run_exec *execs; /* owned; later ones may have the handles of earlier ones */
	uint64_t exec_count, exec_room;
	uint64_t *freed;        /* owned */
	uint64_t freed_count, freed_room;
	bool no_memory;
	bool any_graph;         /* captured or instantiated */
};

static void *grow(struct run *run, void *array, uint64_t count, uint64_t *room, size_t size_b)
{
	uint64_t more = *room ? 2 * *room : 64;
	void *grown;

	if (count < *room)
		return array;
	grown = realloc(array, more * size_b);
	if (!grown) {
		run->no_memory = true;
		return NULL;
	}
	*room = more;
	return grown;
}

static struct run_exec *find_exec(struct run *run, const struct event *event)
{
	uint64_t handle = event_number(event, "exec"), i;

	for (i = run->exec_count; i; i--)
		if (run->execs[i - 1].handle == handle)
			return &run->execs[i - 1];
	return NULL;
}

static void add_exec(struct run *run, const struct event *event)
{
	struct run_exec *execs = grow(run, run->execs, run->exec_count, &run->exec_room,
				      sizeof(*execs));
	char path[PATH_B];

	if (!execs)
		return;
	run->execs = execs;
	event_text(event, "file", path, sizeof(path));
	execs += run->exec_count++;
	memset(execs, 0, sizeof(*execs));
	execs->handle = event_number(event, "exec");
	execs->path = strdup(path);
	if (!execs->path)
		run->no_memory = true;
}

static void add_accesses(struct run *run, struct run_exec *exec, const struct event *event)
{
	struct event_list list = {0};
	struct mtg_access *accesses;
	uint64_t entry[4];

	exec->ran = true;
	while (event_list_numbers(event, "list", &list, entry, 4)) {
		accesses = grow(run, exec->accesses, exec->access_count, &exec->access_room,
				sizeof(*accesses));
		if (!accesses)
			return;
		exec->accesses = accesses;
		accesses[exec->access_count++] = (struct mtg_access){
			.node = (uint32_t)entry[0],
			.flags = entry[1] ? MTG_ACCESS_WRITE : MTG_ACCESS_READ,
			.va = entry[2],
			.bytes_b = entry[3]};
	}
}

static void add_unrecorded(struct run *run, struct run_exec *exec, uint32_t node)
{
	uint64_t room = exec->unrecorded_room;
	uint32_t *nodes, i;

	for (i = 0; i < exec->unrecorded_count; i++)
		if (exec->unrecorded[i] == node)
			return;
	nodes = grow(run, exec->unrecorded, exec->unrecorded_count, &room, sizeof(*nodes));
	if (!nodes)
		return;
	exec->unrecorded = nodes;
	exec->unrecorded_room = (uint32_t)room;
	nodes[exec->unrecorded_count++] = node;
}

static void add_freed(struct run *run, uint64_t va)
{
	uint64_t *freed = grow(run, run->freed, run->freed_count, &run->freed_room,
			       sizeof(*freed));

	if (!freed)
		return;
	run->freed = freed;
	freed[run->freed_count++] = va;
}

static void report_unjoined(struct check_output *out, const struct event *event)
{
	char name[256], text[512], *plain;

	event_text(event, "name", name, sizeof(name));
	plain = demangle(name, strlen(name));
	if (plain)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(plain, "("), plain);
	free(plain);
	snprintf(text, sizeof(text),
		 "capture %" PRIu64 ": node %" PRIu64 "%s%s, the newest of stream %" PRIu64
		 ", leads to nothing that the stream that began the capture waits for",
		 event_number(event, "capture"), event_number(event, "node"), *name ? " " : "", name,
		 event_number(event, "stream"));
	check_finding(out, "unjoined branch", text,
		      "record an event on that stream and let the stream that began the capture wait "
		      "for it before the capture ends");
}

static void take_event(struct run *run, struct check_output *out, const struct event *event)
{
	struct run_exec *exec = find_exec(run, event);

	run->any_graph |= event_is(event, "saved") || event_is(event, "capture_end");
	if (event_is(event, "saved"))
		add_exec(run, event);
	else if (event_is(event, "graph_free"))
		add_freed(run, event_number(event, "va"));
	else if (event_is(event, "capture_unjoined"))
		report_unjoined(out, event);
	else if (!exec)
		return;
	else if (event_is(event, "update") || event_is(event, "node_update"))
		exec->changed |= !event_number(event, "result");
	else if (event_is(event, "accesses") && !exec->changed)
		add_accesses(run, exec, event);
	else if (event_is(event, "wait_unrecorded"))
		add_unrecorded(run, exec, (uint32_t)event_number(event, "node"));
}

/* Free nodes of one file free what others allocate. */
static void gather_frees(struct run *run, struct dump_file *file)
{
	struct file_node_cursor cursor = {0};
	struct file_node node;

	while (file_next_node(file, &cursor, &node))
		if (node.head->type == 11)
			add_freed(run, ((const struct mtg_free_params *)node.params)->va);
	file_node_cursor_finish(&cursor);
}

static int check_execs(struct run *run, struct check_output *out)
{
	struct dump_file *file;
	struct run_exec *exec;
	uint64_t i;
	int ret = DUMP_OK;

	for (i = 0; i < run->exec_count && !ret && !run->no_memory; i++) {
		ret = file_open(run->execs[i].path, &file);
		if (ret)
			break;
		gather_frees(run, file);
		file_close(file);
	}
	for (i = 0; i < run->exec_count && !ret && !run->no_memory; i++) {
		exec = &run->execs[i];
		const struct check_seen seen = {
			.ran = exec->ran,
			.accesses = exec->accesses,
			.access_count = exec->access_count,
			.freed = run->freed,
			.freed_count = run->freed_count,
			.unrecorded = exec->unrecorded,
			.unrecorded_count = exec->unrecorded_count,
		};
		ret = file_open(exec->path, &file);
		if (ret)
			break;
		ret = check_file(out, file, &seen);
		file_close(file);
	}
	return ret;
}

static void finish_run(struct run *run)
{
	uint64_t i;

	for (i = 0; i < run->exec_count; i++) {
		free(run->execs[i].path);
		free(run->execs[i].accesses);
		free(run->execs[i].unrecorded);
	}
	free(run->execs);
	free(run->freed);
}

static int check_program(struct check_output *out, char **argv)
{
	struct program *program = malloc(sizeof(*program));
	struct run run = {0};
	struct event event;
	char fate[128];
	int ret;

	if (!program) {
		dump_error("no memory");
		return DUMP_UNREADABLE;
	}
	ret = program_start(program, argv,
			    PROGRAM_ACCESSES | PROGRAM_SAVE | (out->json ? PROGRAM_QUIET : 0));
	if (!ret) {
		if (out->json)
			json_array(out->json, "program_findings");
		while (!run.no_memory && program_next(program, &event))
			take_event(&run, out, &event);
		if (out->json) {
			json_end(out->json);
			json_array(out->json, "files");
		}
		ret = check_execs(&run, out);
		if (out->json)
			json_end(out->json);
		if (run.no_memory) {
			dump_error("no memory");
			ret = DUMP_UNREADABLE;
		}
	}
	if (!ret && program_exit_code(program)) {
		dump_error("%s %s", argv[0], program_fate(program, fate, sizeof(fate)));
		ret = out->findings ? DUMP_OK : DUMP_UNREADABLE;
	} else if (!ret && !run.any_graph) {
		dump_error("%s made no graph", argv[0]);
		ret = DUMP_UNREADABLE;
	}
	finish_run(&run);
	program_finish(program);
	free(program);
	return ret;
}

static int check_path(struct check_output *out, const char *path)
{
	const struct check_seen nothing = {0};
	struct dump_file *file;
	int ret = file_open(path, &file);

	if (ret)
		return ret;
	if (out->json)
		json_array(out->json, "files");
	ret = check_file(out, file, &nothing);
	if (out->json)
		json_end(out->json);
	file_close(file);
	return ret;
}

static int run_check(char **argv, bool is_program, bool as_json, bool hints)
{
	struct check_output out = {.hints = hints};
	struct json json;
	int ret;

	if (as_json) {
		out.json = &json;
		json_init(&json, stdout);
		json_object(&json, NULL);
		json_string(&json, "format", "mtgraph-dump check");
		json_number(&json, "format_version", JSON_FORMAT);
	}
	ret = is_program ? check_program(&out, argv) : check_path(&out, argv[0]);
	if (as_json) {
		while (json.depth > 1)
			json_end(&json);
		if (ret)
			json_bool(&json, "incomplete", true);
		else
			json_number(&json, "finding_count", out.findings);
		json_finish(&json);
	}
	if (ret)
		return ret;
	return out.findings ? DUMP_FINDING : DUMP_OK;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"hints", no_argument, NULL, 'i'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	bool json = false, hints = false, is_program;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+jih", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_check);
		if (option == 'j')
			json = true;
		else if (option == 'i')
			hints = true;
		else
			return dump_usage(&dump_check, "unknown option '%s'", argv[optind - 1]);
	}
	is_program = optind > 1 && !strcmp(argv[optind - 1], "--");
	if (optind == argc || (!is_program && argc - optind != 1))
		return dump_usage(&dump_check, "one FILE is needed, or -- and a program");
	return run_check(argv + optind, is_program, json, hints);
}

const struct dump_command dump_check = {
	.name = "check",
	.summary = "finds hazards and other faults of graphs",
	.help = "Usage: mtgraph-dump check [--json] [--hints] FILE\n"
		"       mtgraph-dump check [--json] [--hints] -- PROGRAM [ARGUMENTS]\n"
		"\n"
		"Checks a saved graph, or every graph that a program instantiates. Found are\n"
		"\n"
		"  unordered access       two nodes touch the same bytes, one of them writes, and no path\n"
		"                         leads from one to the other\n"
		"  use after free, use before allocation\n"
		"                         of memory of the graph's own alloc and free nodes\n"
		"  never freed            an alloc node whose memory nothing frees\n"
		"  no effect              copies onto themselves, kernels that were seen to write nothing\n"
		"  event never recorded   an event wait that had nothing to wait for  (programs only)\n"
		"  unjoined branch        a capture that left a stream's work out     (programs only)\n"
		"\n"
		"Copies and fills are known byte by byte. A kernel that mtcc compiled with --record-access is\n"
		"known as exactly where the mock has run it: with -- PROGRAM, or in a file that holds recorded\n"
		"accesses. Of other kernels the arguments are known: a pointer stands for the memory from there\n"
		"to the next address that the graph names in the same allocation, and counts as read only where\n"
		"the kernel declares it const. What such a kernel really uses may be less, or, past that next\n"
		"address, more.\n"
		"\n"
		"  --hints      also names edges that other paths make redundant; they are no findings\n"
		"  --json       as JSON; a program's standard output goes to standard error then\n"
		"  --help       this text\n"
		"\n"
		"Exit status: 0 nothing found, 1 something was found, 2 wrong use, 3 the file cannot be read, or\n"
		"the program cannot be run, failed, or made no graph.\n",
	.run = run,
};
