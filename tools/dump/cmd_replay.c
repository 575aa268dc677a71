/* SPDX-License-Identifier: MIT */
/* mtgraph-dump replay: runs a saved graph with its memory image. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/dump/command.h"
#include "tools/dump/memory_image.h"
#include "tools/dump/output.h"
#include "tools/dump/progress.h"

#define COUNT_MAX 1000000000u

struct replay_options {
	struct rebuild_options rebuild;
	enum image_fill fill;
	uint64_t count;
	bool compare;
};

struct replay {
	struct dump_file *file;
	const struct replay_options *options;
	struct rebuild rebuild;
	musaGraphExec_t exec;
	musaStream_t stream;
	struct image first, now;
	struct progress progress; /* of the runs */
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
static int launch(struct replay *replay, uint64_t *ns_out)
{
	uint64_t start = now_ns();
	musaError_t error = musaGraphLaunch(replay->exec, replay->stream);

	if (error)
		return say(replay, error, "launch");
	error = musaStreamSynchronize(replay->stream);
	*ns_out = now_ns() - start;
	return error ? say(replay, error, "run") : DUMP_OK;
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

static int compare(struct replay *replay, uint64_t run)
{
	struct image *to = run ? &replay->now : &replay->first;
	int ret = image_take(&replay->rebuild, to);

	if (!ret && run && image_compare(&replay->rebuild, &replay->first, &replay->now)) {
		progress_end(&replay->progress);
		printf("run %llu gives other results than run 1\n", (unsigned long long)run + 1);
		ret = DUMP_FINDING;
	}
	image_finish(&replay->now);
	return ret;
}

static int run_all(struct replay *replay)
{
	uint64_t run, ns, least = UINT64_MAX, sum = 0;
	int ret = DUMP_OK;

	progress_begin(&replay->progress, "runs", replay->options->count);
	for (run = 0; run < replay->options->count && !ret; run++) {
		progress_update(&replay->progress, run);
		if (!run || replay->options->compare)
			ret = image_restore(&replay->rebuild, replay->options->fill);
		if (!ret)
			ret = launch(replay, &ns);
		if (!ret && replay->options->compare)
			ret = compare(replay, run);
		if (!ret)
			ret = free_launched(replay);
		if (ret)
			break;
		sum += ns;
		least = ns < least ? ns : least;
	}
	progress_end(&replay->progress);
	if (ret)
		return ret;
	printf("%u nodes, %llu run%s: shortest %.3f ms, mean %.3f ms\n",
	       replay->rebuild.model.node_count, (unsigned long long)run, run == 1 ? "" : "s",
	       (double)least / 1e6, (double)sum / (double)run / 1e6);
	if (replay->options->compare)
		out_print(OUT_GOOD, "every run gives the same results\n");
	return DUMP_OK;
}

static int replay_file(struct dump_file *file, const struct replay_options *options)
{
	struct replay replay = {.file = file, .options = options};
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
	if (replay.exec)
		musaGraphExecDestroy(replay.exec);
	if (replay.stream)
		musaStreamDestroy(replay.stream);
	image_finish(&replay.first);
	rebuild_finish(&replay.rebuild);
	return ret;
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
		{"help", no_argument, NULL, 'h'},           {0},
	};
	struct replay_options options = {0};
	struct dump_file *file;
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
	ret = file_open(argv[optind], &file);
	if (ret)
		return ret;
	rebuild_set_devices(file, NULL);
	ret = replay_file(file, &options);
	file_close(file);
	return ret;
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
		"  --help               this text\n"
		"\n"
		"What the file lacks is named: code objects, contents, host functions.\n"
		"\n"
		"Exit status: 0 it ran, 1 it failed or results differ, 2 wrong use, 3 the file cannot be\n"
		"read or lacks something.\n",
	.run = run,
};
