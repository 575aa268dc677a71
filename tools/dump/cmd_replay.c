/* SPDX-License-Identifier: MIT */
/* mtgraph-dump replay: runs a saved graph with its memory image. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/dump/command.h"
#include "tools/dump/json.h"
#include "tools/dump/memory_image.h"
#include "tools/dump/output.h"
#include "tools/dump/progress.h"
#include "tools/dump/words.h"

#define COUNT_MAX   1000000000u
#define JSON_FORMAT 1u /* of `replay --json` */

struct replay_options {
	struct rebuild_options rebuild;
	enum image_fill fill;
	uint64_t count;
	bool compare, json;
};

struct replay {
	struct dump_file *file;
	const struct replay_options *options;
	struct json *json; /* NULL: text */
	struct rebuild rebuild;
	musaGraphExec_t exec;
	musaStream_t stream;
	struct image first, now;
	struct progress progress; /* of the runs */
	uint64_t runs, least_ns, sum_ns; /* of the runs that ended well */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int say(struct replay *replay, musaError_t error, const char *what)
{
	progress_end(&replay->progress);
	if (replay->json) {
		json_object(replay->json, "error");
		json_string(replay->json, "step", what);
		json_string(replay->json, "name", musaGetErrorName(error));
		json_string(replay->json, "text", musaGetErrorString(error));
		json_end(replay->json);
		return DUMP_FINDING;
	}
	out_print(OUT_BAD, "%s: ", what);
	printf("%s (%s)\n", musaGetErrorString(error), musaGetErrorName(error));
	return DUMP_FINDING;
}

/* Nodes that were switched off when the exec was saved. */
static musaError_t switch_off(struct replay *replay)
{
	const struct model *model = &replay->rebuild.model;
	musaError_t error = musaSuccess;
	uint32_t i;

	for (i = 0; i < model->node_count && !error; i++)
		if (model->nodes[i].head->flags & MTG_NODE_DISABLED)
			error = musaGraphNodeSetEnabled(replay->exec, replay->rebuild.nodes[i], 0);
	return error;
}

static int instantiate(struct replay *replay)
{
	const struct mtg_exec *saved = file_exec(replay->file);
	unsigned long long flags =
		saved ? saved->flags & ~(uint64_t)musaGraphInstantiateFlagUpload : 0;
	musaError_t error = musaStreamCreateWithFlags(&replay->stream, musaStreamNonBlocking);

	if (!error)
		error = musaGraphInstantiateWithFlags(&replay->exec, replay->rebuild.graphs[0],
						      flags);
	if (!error)
		error = switch_off(replay);
	if (!error)
		error = rebuild_signal_all(&replay->rebuild, replay->stream);
	return error ? say(replay, error, "instantiate") : DUMP_OK;
}

/* One launch. Memory that a launch allocates and nothing frees would refuse the next one. */
static int launch(struct replay *replay)
{
	uint64_t start = now_ns(), ns;
	musaError_t error = musaGraphLaunch(replay->exec, replay->stream);

	if (error)
		return say(replay, error, "launch");
	error = musaStreamSynchronize(replay->stream);
	ns = now_ns() - start;
	if (error)
		return say(replay, error, "run");
	replay->least_ns = !replay->runs || ns < replay->least_ns ? ns : replay->least_ns;
	replay->sum_ns += ns;
	replay->runs++;
	return DUMP_OK;
}

static int free_launched(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->rebuild.range_count; i++) {
		const struct mtg_range *range = &replay->rebuild.file_ranges[i].head;
		musaError_t error;

		if (range->kind != MTG_RANGE_GRAPH || range->lifetime != MTG_LIFE_GRAPH ||
		    range->node == MTG_NONE || !replay->rebuild.ranges[i].va)
			continue;
		error = musaFree((void *)(uintptr_t)replay->rebuild.ranges[i].va);
		if (error)
			return say(replay, error, "free of memory that the launch allocated");
	}
	return DUMP_OK;
}

static void print_difference(const struct replay *replay, const struct image_difference *d)
{
	const struct mtg_range *range = &replay->rebuild.file_ranges[d->range].head;

	out_print(OUT_BAD, "memory %u (%s, saved at 0x%" PRIx64 "): ", d->range,
		  word_range_kind(range->kind), range->va);
	printf("%" PRIu64 " of %" PRIu64 " bytes differ, the first at offset %" PRIu64
	       ": 0x%02x, before 0x%02x\n",
	       d->bytes, range->range_b, d->offset_b, d->after, d->before);
}

static void put_difference(const struct replay *replay, const struct image_difference *d)
{
	const struct mtg_range *range = &replay->rebuild.file_ranges[d->range].head;
	struct json *json = replay->json;

	json_object(json, NULL);
	json_number(json, "range", d->range);
	json_string(json, "kind", word_range_kind(range->kind));
	json_hex(json, "saved_at", range->va);
	json_number(json, "bytes", range->range_b);
	json_number(json, "bytes_differ", d->bytes);
	json_number(json, "first_offset", d->offset_b);
	json_number(json, "first_now", d->after);
	json_number(json, "first_before", d->before);
	json_end(json);
}

/* Tells where the results of a run differ from those of the first; whether they do. */
static bool report_differences(struct replay *replay, uint64_t run)
{
	struct image_difference difference;
	uint32_t index = 0;
	bool any = false;

	while (image_next_difference(&replay->rebuild, &replay->first, &replay->now, &index,
				     &difference)) {
		if (!any)
			progress_end(&replay->progress);
		if (!any && replay->json) {
			json_object(replay->json, "compare");
			json_bool(replay->json, "same", false);
			json_number(replay->json, "run", run + 1);
			json_array(replay->json, "differences");
		}
		any = true;
		if (replay->json)
			put_difference(replay, &difference);
		else
			print_difference(replay, &difference);
	}
	if (any && replay->json) {
		json_end(replay->json);
		json_end(replay->json);
	} else if (any) {
		printf("run %" PRIu64 " gives other results than run 1\n", run + 1);
	}
	return any;
}

static int compare(struct replay *replay, uint64_t run)
{
	struct image *to = run ? &replay->now : &replay->first;
	int ret = image_take(&replay->rebuild, to);

	if (!ret && run && report_differences(replay, run))
		ret = DUMP_FINDING;
	image_finish(&replay->now);
	return ret;
}

static void print_runs(const struct replay *replay)
{
	printf("%u nodes, %" PRIu64 " run%s: shortest %.3f ms, mean %.3f ms\n",
	       replay->rebuild.model.node_count, replay->runs, replay->runs == 1 ? "" : "s",
	       (double)replay->least_ns / 1e6,
	       (double)replay->sum_ns / (double)replay->runs / 1e6);
	if (replay->options->compare)
		out_print(OUT_GOOD, "every run gives the same results\n");
}

/* Failed or not: `runs` are those that ended well. */
static void put_runs(const struct replay *replay, int ret)
{
	struct json *json = replay->json;

	if (!ret && replay->options->compare) {
		json_object(json, "compare");
		json_bool(json, "same", true);
		json_end(json);
	}
	json_number(json, "nodes", replay->rebuild.model.node_count);
	json_number(json, "runs", replay->runs);
	if (!replay->runs)
		return;
	json_number(json, "shortest_ns", replay->least_ns);
	json_number(json, "mean_ns", replay->sum_ns / replay->runs);
}

static int run_all(struct replay *replay)
{
	uint64_t run;
	int ret = DUMP_OK;

	progress_begin(&replay->progress, "runs", replay->options->count);
	for (run = 0; run < replay->options->count && !ret; run++) {
		progress_update(&replay->progress, run);
		if (!run || replay->options->compare)
			ret = image_restore(&replay->rebuild, replay->options->fill);
		if (!ret)
			ret = launch(replay);
		if (!ret && replay->options->compare)
			ret = compare(replay, run);
		if (!ret)
			ret = free_launched(replay);
	}
	progress_end(&replay->progress);
	return ret;
}

static int replay_file(struct dump_file *file, const struct replay_options *options,
		       struct json *json)
{
	struct replay replay = {.file = file, .options = options, .json = json};
	struct rebuild missing = {.file = file, .options = &options->rebuild};
	int ret = rebuild_check(&missing), contents = DUMP_OK;

	/* All that is lacking is named, not only the first of it. */
	if (options->fill == IMAGE_FILL_NONE)
		contents = image_check(file);
	if (ret || contents) {
		fputs("--fill and --skip-host run what can be run without it.\n", stderr);
		return DUMP_UNREADABLE;
	}
	ret = rebuild_graph(&replay.rebuild, file, &options->rebuild, NULL);
	if (!ret)
		ret = instantiate(&replay);
	if (!ret)
		ret = run_all(&replay);
	if (json && (ret == DUMP_OK || ret == DUMP_FINDING))
		put_runs(&replay, ret);
	else if (!ret)
		print_runs(&replay);
	if (replay.exec)
		musaGraphExecDestroy(replay.exec);
	if (replay.stream)
		musaStreamDestroy(replay.stream);
	image_finish(&replay.first);
	rebuild_finish(&replay.rebuild);
	return ret;
}

static int replay_path(const char *path, const struct replay_options *options, struct json *json)
{
	struct dump_file *file;
	int ret = file_open(path, &file);

	if (ret)
		return ret;
	rebuild_set_devices(file, NULL);
	ret = replay_file(file, options, json);
	file_close(file);
	return ret;
}

/* What kernels print goes to standard error: standard output is the JSON alone. */
static FILE *take_stdout(void)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (out && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		return out;
	dump_error("standard output: %s", strerror(errno));
	if (out)
		fclose(out);
	else if (fd >= 0)
		close(fd);
	return NULL;
}

static int replay_as_json(const char *path, const struct replay_options *options)
{
	FILE *out = take_stdout();
	struct json json;
	bool bad;
	int ret;

	if (!out)
		return DUMP_UNREADABLE;
	json_init(&json, out);
	json_object(&json, NULL);
	json_string(&json, "format", "mtgraph-dump replay");
	json_number(&json, "format_version", JSON_FORMAT);
	ret = replay_path(path, options, &json);
	if (ret == DUMP_UNREADABLE)
		json_bool(&json, "incomplete", true);
	json_finish(&json);
	bad = ferror(out);
	bad |= fclose(out) != 0;
	if (!bad)
		return ret;
	dump_error("standard output: %s", strerror(errno));
	return DUMP_UNREADABLE;
}

static int parse_option(int option, struct replay_options *options)
{
	switch (option) {
	case 'n':
		if (!dump_parse_number(optarg, 1, COUNT_MAX, &options->count))
			return dump_usage(&dump_replay, "--count takes a number from 1");
		return DUMP_OK;
	case 'b':
		if (strcmp(optarg, "mock") != 0 && strcmp(optarg, "drm") != 0)
			return dump_usage(&dump_replay, "--backend takes mock or drm");
		setenv("MUSA_BACKEND", optarg, 1);
		return DUMP_OK;
	case 's':
		if (strcmp(optarg, "fifo") != 0 && strncmp(optarg, "random:", 7) != 0)
			return dump_usage(&dump_replay, "--schedule takes fifo or random:SEED");
		setenv("MUSA_MOCK_SCHEDULE", optarg, 1);
		return DUMP_OK;
	case 'c':
		options->compare = true;
		return DUMP_OK;
	case 'j':
		options->json = true;
		return DUMP_OK;
	case 'f':
		if (!strcmp(optarg, "zero"))
			options->fill = IMAGE_FILL_ZERO;
		else if (!strcmp(optarg, "pattern"))
			options->fill = IMAGE_FILL_PATTERN;
		else
			return dump_usage(&dump_replay, "--fill takes zero or pattern");
		return DUMP_OK;
	default:
		options->rebuild.any_host = true;
		return DUMP_OK;
	}
}

static int run(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"count", required_argument, NULL, 'n'},    {"backend", required_argument, NULL, 'b'},
		{"schedule", required_argument, NULL, 's'}, {"compare", no_argument, NULL, 'c'},
		{"fill", required_argument, NULL, 'f'},     {"skip-host", no_argument, NULL, 'k'},
		{"json", no_argument, NULL, 'j'},           {"help", no_argument, NULL, 'h'},
		{0},
	};
	struct replay_options options = {0};
	int option, ret;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_replay);
		if (option == '?')
			return dump_usage(&dump_replay, "unknown option '%s'", argv[optind - 1]);
		if (option == ':')
			return dump_usage(&dump_replay, "%s needs a value", argv[optind - 1]);
		ret = parse_option(option, &options);
		if (ret)
			return ret;
	}
	if (argc - optind != 1)
		return dump_usage(&dump_replay, "one FILE is needed");
	if (!options.count)
		options.count = options.compare ? 2 : 1;
	if (options.compare && options.count < 2)
		return dump_usage(&dump_replay, "--compare needs two runs");
	return options.json ? replay_as_json(argv[optind], &options)
			    : replay_path(argv[optind], &options, NULL);
}

const struct dump_command dump_replay = {
	.name = "replay",
	.summary = "run a saved graph with its memory",
	.help = "Usage: mtgraph-dump replay FILE [OPTIONS]\n"
		"\n"
		"Builds the saved graph again, gives memory its saved contents, and runs it.\n"
		"\n"
		"  --count N            launch it N times (1; with --compare 2)\n"
		"  --compare            every run from the saved contents; results that differ are a\n"
		"                       finding, which names the memory\n"
		"  --schedule random:SEED  let the mock order as it likes what no dependency orders\n"
		"  --backend mock|drm   where to run (as other programs: a card if there is one)\n"
		"  --fill zero|pattern  what memory holds whose contents the file lacks\n"
		"  --skip-host          host functions do nothing, external semaphores let pass\n"
		"  --json               as JSON; what kernels print goes to standard error then\n"
		"  --help               this text\n"
		"\n"
		"What the file lacks is named: code objects, contents, host functions.\n"
		"\n"
		"Exit status: 0 it ran, 1 it failed or results differ, 2 wrong use, 3 the file cannot be\n"
		"read or lacks something.\n",
	.run = run,
};
