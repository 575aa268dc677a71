/* SPDX-License-Identifier: MIT */
/*
 * What graphs cost: host time of each call over the number of nodes, and work on the device.
 *
 *	graph-bench [--json] [--repeat R] [--nodes N] [--shape NAME] [BENCHMARK...]
 *
 * Times are of a warm process: each shape is built, launched and destroyed once before, so that the
 * pools hold its memory. First times are the rows called cold-.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kernels.h"

#ifdef HAVE_CALLGRIND
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

/* A graph whose kernels all have another block size. */
static musaGraph_t make_other(struct bench *b, struct subject *s)
{
	musaGraph_t other = build_subject(b, s);
	struct musaKernelNodeParams params;

	for (size_t i = 0; i < s->count; i++) {
		enum musaGraphNodeType type;

		CHECK(musaGraphNodeGetType(s->nodes[i], &type));
		if (type != musaGraphNodeTypeKernel)
			continue;
		CHECK(musaGraphKernelNodeGetParams(s->nodes[i], &params));
		params.blockDim.x = 2;
		CHECK(musaGraphKernelNodeSetParams(s->nodes[i], &params));
	}
	return other;
}

static void make_subject(struct bench *b, struct subject *s)
{
	s->same = build_subject(b, s);
	s->other = make_other(b, s);
	s->graph = build_subject(b, s);
	CHECK(musaGraphInstantiate(&s->exec, s->graph, 0));
	CHECK(musaGraphLaunch(s->exec, b->stream));
	CHECK(musaStreamSynchronize(b->stream));
}

static void drop_subject(struct subject *s)
{
	CHECK(musaGraphExecDestroy(s->exec));
	CHECK(musaGraphDestroy(s->graph));
	CHECK(musaGraphDestroy(s->same));
	CHECK(musaGraphDestroy(s->other));
}

static void run_subject(struct bench *b, enum shape shape, size_t count)
{
	struct subject s = {.shape = shape, .count = count};
	musaGraph_t spare;
	musaGraphExec_t exec;

	s.nodes = malloc(count * sizeof(*s.nodes));
	make_subject(b, &s);
	/* What a benchmark makes beside the subject finds memory in the pools. */
	spare = build_subject(b, &s);
	CHECK(musaGraphInstantiate(&exec, spare, 0));
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(spare));
	rows_graph(b, &s);
	CHECK(musaGraphGetNodes(s.graph, s.nodes, &s.count));
	rows_launch(b, &s);
	drop_subject(&s);
	free(s.nodes);
}

static void run_shape(struct bench *b, enum shape shape)
{
	static const size_t sweep[] = {1, 16, 1024, 16384, 65536, 262144, 1000000};

	if (b->only_nodes) {
		run_subject(b, shape, b->only_nodes);
		return;
	}
	for (size_t i = 0; i < sizeof(sweep) / sizeof(sweep[0]); i++) {
		/* A layer has 256 x 256 edges. */
		if (shape == ALL_TO_ALL && sweep[i] > 1024)
			break;
		/* The largest is there to see whether instantiation stays linear. */
		if (sweep[i] > 262144 && shape != CHAIN && shape != RANDOM)
			break;
		run_subject(b, shape, sweep[i]);
	}
}

static void usage(FILE *to)
{
	fprintf(to, "usage: graph-bench [--json] [--repeat R] [--nodes N] [--shape NAME] [BENCHMARK...]\n"
		    "shapes:");
	for (int i = 0; i < SHAPE_COUNT; i++)
		fprintf(to, " %s", shape_names[i]);
	fprintf(to, "\nbenchmarks: build capture instantiate update-unchanged set-params clone "
		    "get-nodes host-memory\n"
		    "\tlaunch launch-updated launch-tail replay packets stream-launch live-execs\n"
		    "\tsaxpy barrier copy wake idle first-use\n");
}

static bool parse(struct bench *b, int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"repeat", required_argument, NULL, 'r'},
		{"nodes", required_argument, NULL, 'n'},
		{"shape", required_argument, NULL, 's'},
		{"first-use", no_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'j':
			b->json = true;
			break;
		case 'r':
			b->repeats = atoi(optarg);
			break;
		case 'n':
			b->only_nodes = strtoull(optarg, NULL, 10);
			break;
		case 's':
			for (int i = 0; i < SHAPE_COUNT; i++)
				if (!strcmp(optarg, shape_names[i]))
					b->only_shape = i;
			if (b->only_shape < 0)
				return false;
			break;
		case 'f':
			exit(first_use());
		case 'h':
			usage(stdout);
			exit(0);
		default:
			return false;
		}
	}
	b->names = argv + optind;
	b->name_count = argc - optind;
	return b->repeats >= 1 && b->repeats <= REPEATS_MAX;
}

int main(int argc, char **argv)
{
	struct bench b = {.first_row = true, .repeats = 9, .only_shape = -1};

	b.counts = RUNNING_ON_VALGRIND;
	if (!parse(&b, argc, argv)) {
		usage(stderr);
		return 2;
	}
	if (b.json)
		printf("{\"format\": 1, \"rows\": [");
	else if (!b.counts)
		printf("%-22s %-11s %8s %12s %12s %12s\n", "benchmark", "shape", "nodes", "median", "min",
		       "max");
	rows_first(&b);
	CHECK(musaStreamCreateWithFlags(&b.stream, musaStreamNonBlocking));
	bench_memory_init(&b.memory);
	rows_streams(&b);
	rows_execs(&b);
	rows_device(&b);
	for (int shape = 0; shape < SHAPE_COUNT; shape++)
		if (b.only_shape < 0 || shape == b.only_shape)
			run_shape(&b, (enum shape)shape);
	if (b.json)
		printf("\n]}\n");
	return 0;
}
