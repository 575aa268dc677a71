/* SPDX-License-Identifier: MIT */
/*
 * What graphs cost: host time of each call over the number of nodes, and replay on the device.
 *
 *	graph_bench [--json] [--repeat R] [--nodes N] [--shape NAME] [BENCHMARK...]
 *
 * Times are medians over R repeats with the smallest and the largest beside them, of a warm process:
 * each shape is built, launched and destroyed once before. Per node unless a row says "call".
 */
#include <getopt.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels.h"
#include "shapes.h"

#define REPEATS_MAX 101

struct bench {
	bool json, first_row;
	int repeats;
	size_t only_nodes; /* 0: the sweep */
	int only_shape;    /* -1: all */
	char **names;
	int name_count;
	struct bench_memory memory;
	musaStream_t stream;
	double samples[REPEATS_MAX];
};

/* One graph under measurement. */
struct subject {
	enum shape shape;
	size_t count;
	musaGraphNode_t *nodes;
	musaGraph_t graph, same, other; /* other: every node with another parameter */
	musaGraphExec_t exec;
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool wanted(const struct bench *b, const char *name)
{
	if (!b->name_count)
		return true;
	for (int i = 0; i < b->name_count; i++)
		if (!strcmp(b->names[i], name))
			return true;
	return false;
}

static void report(struct bench *b, const char *name, const struct subject *s, const char *unit)
{
	double median, low, high;

	qsort(b->samples, (size_t)b->repeats, sizeof(double), compare);
	median = b->samples[b->repeats / 2];
	low = b->samples[0];
	high = b->samples[b->repeats - 1];
	if (b->json)
		printf("%s\n  {\"benchmark\": \"%s\", \"shape\": \"%s\", \"nodes\": %zu, \"unit\": \"%s\", "
		       "\"median\": %.2f, \"min\": %.2f, \"max\": %.2f}",
		       b->first_row ? "" : ",", name, shape_names[s->shape], s->count, unit, median,
		       low, high);
	else
		printf("%-18s %-11s %8zu %12.1f %12.1f %12.1f  %s\n", name, shape_names[s->shape],
		       s->count, median, low, high, unit);
	b->first_row = false;
	fflush(stdout);
}

static musaGraph_t build(struct bench *b, struct subject *s)
{
	musaGraph_t graph;

	CHECK(musaGraphCreate(&graph, 0));
	shape_build(s->shape, s->count, graph, s->nodes, &b->memory);
	return graph;
}

static void bench_build(struct bench *b, struct subject *s)
{
	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();
		musaGraph_t graph = build(b, s);

		b->samples[r] = (now_ns() - start) / (double)s->count;
		CHECK(musaGraphDestroy(graph));
	}
	report(b, "build", s, "ns/node");
}

static void bench_capture(struct bench *b, struct subject *s)
{
	const dim3 one = {1, 1, 1};

	if (s->shape != CHAIN)
		return;
	for (int r = 0; r < b->repeats; r++) {
		musaGraph_t graph;
		double start = now_ns();

		CHECK(musaStreamBeginCapture(b->stream, musaStreamCaptureModeRelaxed));
		for (size_t i = 0; i < s->count; i++)
			CHECK(musaLaunchKernel(kernel_empty, one, one, NULL, 0, b->stream));
		CHECK(musaStreamEndCapture(b->stream, &graph));
		b->samples[r] = (now_ns() - start) / (double)s->count;
		CHECK(musaGraphDestroy(graph));
	}
	report(b, "capture", s, "ns/node");
}

static void bench_instantiate(struct bench *b, struct subject *s)
{
	for (int r = 0; r < b->repeats; r++) {
		musaGraphExec_t exec;
		double start = now_ns();

		CHECK(musaGraphInstantiate(&exec, s->graph, 0));
		b->samples[r] = (now_ns() - start) / (double)s->count;
		CHECK(musaGraphExecDestroy(exec));
	}
	report(b, "instantiate", s, "ns/node");
}

static void bench_launch(struct bench *b, struct subject *s)
{
	enum { BATCH = 64 };

	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();

		for (int i = 0; i < BATCH; i++)
			CHECK(musaGraphLaunch(s->exec, b->stream));
		b->samples[r] = (now_ns() - start) / BATCH;
		CHECK(musaStreamSynchronize(b->stream));
	}
	report(b, "launch", s, "ns/call");
}

static void bench_replay(struct bench *b, struct subject *s)
{
	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();

		CHECK(musaGraphLaunch(s->exec, b->stream));
		CHECK(musaStreamSynchronize(b->stream));
		b->samples[r] = (now_ns() - start) / (double)s->count;
	}
	report(b, "replay", s, "ns/node");
}

static void bench_update(struct bench *b, struct subject *s)
{
	musaGraphExecUpdateResultInfo info;

	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();

		CHECK(musaGraphExecUpdate(s->exec, s->same, &info));
		b->samples[r] = (now_ns() - start) / (double)s->count;
	}
	report(b, "update-unchanged", s, "ns/node");
}

/* Kernel nodes get another block size and back. */
static void bench_update_changed(struct bench *b, struct subject *s)
{
	musaGraphExecUpdateResultInfo info;

	if (s->shape == COPIES || s->shape == MIXED)
		return;
	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();

		CHECK(musaGraphExecUpdate(s->exec, s->other, &info));
		b->samples[r] = (now_ns() - start) / (double)s->count;
		CHECK(musaGraphExecUpdate(s->exec, s->same, &info));
	}
	report(b, "update-changed", s, "ns/node");
}

static void bench_set_params(struct bench *b, struct subject *s)
{
	enum { BATCH = 256 };
	struct musaKernelNodeParams params = {0};

	if (s->shape == COPIES || s->shape == MIXED)
		return;
	params.func = (void *)(uintptr_t)kernel_empty;
	params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
	params.blockDim = params.gridDim;
	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();

		for (size_t i = 0; i < BATCH; i++) {
			params.blockDim.x = 1 + (i & 1);
			CHECK(musaGraphExecKernelNodeSetParams(
				s->exec, s->nodes[i * 7919 % s->count], &params));
		}
		b->samples[r] = (now_ns() - start) / BATCH;
	}
	report(b, "set-params", s, "ns/call");
}

static void bench_clone(struct bench *b, struct subject *s)
{
	double *destroy = malloc(sizeof(double) * (size_t)b->repeats);

	for (int r = 0; r < b->repeats; r++) {
		musaGraph_t clone;
		double start = now_ns(), middle;

		CHECK(musaGraphClone(&clone, s->graph));
		middle = now_ns();
		CHECK(musaGraphDestroy(clone));
		b->samples[r] = (middle - start) / (double)s->count;
		destroy[r] = (now_ns() - middle) / (double)s->count;
	}
	report(b, "clone", s, "ns/node");
	memcpy(b->samples, destroy, sizeof(double) * (size_t)b->repeats);
	report(b, "destroy", s, "ns/node");
	free(destroy);
}

static void bench_query(struct bench *b, struct subject *s)
{
	for (int r = 0; r < b->repeats; r++) {
		size_t count = s->count;
		double start = now_ns();

		CHECK(musaGraphGetNodes(s->graph, s->nodes, &count));
		b->samples[r] = (now_ns() - start) / (double)s->count;
	}
	report(b, "get-nodes", s, "ns/node");
}

static void bench_memory_use(struct bench *b, struct subject *s)
{
	struct mallinfo2 before = mallinfo2(), after;
	musaGraphExec_t exec;
	musaGraph_t graph = build(b, s);

	CHECK(musaGraphInstantiate(&exec, graph, 0));
	after = mallinfo2();
	for (int r = 0; r < b->repeats; r++)
		b->samples[r] = (double)(after.uordblks + after.hblkhd) -
				(double)(before.uordblks + before.hblkhd);
	for (int r = 0; r < b->repeats; r++)
		b->samples[r] /= (double)s->count;
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
	report(b, "host-memory", s, "B/node");
}

static void bench_stream(struct bench *b)
{
	enum { BATCH = 512 };
	struct subject one = {.shape = CHAIN, .count = 1};
	const dim3 size = {1, 1, 1};

	for (int r = 0; r < b->repeats; r++) {
		double start = now_ns();

		for (int i = 0; i < BATCH; i++)
			CHECK(musaLaunchKernel(kernel_empty, size, size, NULL, 0, b->stream));
		b->samples[r] = (now_ns() - start) / BATCH;
		CHECK(musaStreamSynchronize(b->stream));
	}
	report(b, "stream-launch", &one, "ns/call");
}

/* A graph whose kernels all have another block size. */
static musaGraph_t make_other(struct bench *b, struct subject *s)
{
	musaGraph_t other = build(b, s);
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

static void run_subject(struct bench *b, enum shape shape, size_t count)
{
	static const struct {
		const char *name;
		void (*run)(struct bench *b, struct subject *s);
	} table[] = {
		{"build", bench_build},
		{"capture", bench_capture},
		{"instantiate", bench_instantiate},
		{"launch", bench_launch},
		{"replay", bench_replay},
		{"update-unchanged", bench_update},
		{"update-changed", bench_update_changed},
		{"set-params", bench_set_params},
		{"clone", bench_clone},
		{"get-nodes", bench_query},
		{"host-memory", bench_memory_use},
	};
	struct subject s = {.shape = shape, .count = count};

	s.nodes = malloc(count * sizeof(*s.nodes));
	CHECK(musaGraphDestroy(build(b, &s)));
	s.same = build(b, &s);
	s.other = make_other(b, &s);
	s.graph = build(b, &s);
	CHECK(musaGraphInstantiate(&s.exec, s.graph, 0));
	CHECK(musaGraphLaunch(s.exec, b->stream));
	CHECK(musaStreamSynchronize(b->stream));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t filled = count;

		if (!wanted(b, table[i].name))
			continue;
		CHECK(musaGraphGetNodes(s.graph, s.nodes, &filled));
		table[i].run(b, &s);
	}
	CHECK(musaGraphExecDestroy(s.exec));
	CHECK(musaGraphDestroy(s.graph));
	CHECK(musaGraphDestroy(s.same));
	CHECK(musaGraphDestroy(s.other));
	free(s.nodes);
}

static void usage(FILE *to)
{
	fprintf(to, "usage: graph_bench [--json] [--repeat R] [--nodes N] [--shape NAME] "
		    "[BENCHMARK...]\n");
}

static bool parse(struct bench *b, int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"repeat", required_argument, NULL, 'r'},
		{"nodes", required_argument, NULL, 'n'},
		{"shape", required_argument, NULL, 's'},
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
	static const size_t sweep[] = {1, 16, 1024, 16384, 65536, 262144};
	struct bench b = {.first_row = true, .repeats = 9, .only_shape = -1};

	if (!parse(&b, argc, argv)) {
		usage(stderr);
		return 2;
	}
	CHECK(musaStreamCreateWithFlags(&b.stream, musaStreamNonBlocking));
	bench_memory_init(&b.memory);
	if (b.json)
		printf("{\"format\": 1, \"rows\": [");
	else
		printf("%-18s %-11s %8s %12s %12s %12s\n", "benchmark", "shape", "nodes", "median", "min",
		       "max");
	if (wanted(&b, "stream-launch"))
		bench_stream(&b);
	for (int shape = 0; shape < SHAPE_COUNT; shape++) {
		if (b.only_shape >= 0 && shape != b.only_shape)
			continue;
		for (size_t i = 0; i < sizeof(sweep) / sizeof(sweep[0]); i++) {
			size_t count = b.only_nodes ? b.only_nodes : sweep[i];

			/* A layer has 256 x 256 edges. */
			if (shape == ALL_TO_ALL && count > 4096)
				break;
			run_subject(&b, (enum shape)shape, count);
			if (b.only_nodes)
				break;
		}
	}
	if (b.json)
		printf("\n]}\n");
	return 0;
}
