/* SPDX-License-Identifier: MIT */
/* Calls on graphs and executable graphs: build, instantiate, update, clone, queries, memory. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "drv/table.h"
#include "graph/table.h"
#include "kernels.h"

static void bench_build(struct bench *b, struct subject *s)
{
	for (int r = 0; r < b->repeats; r++) {
		musaGraph_t graph;

		bench_start(b);
		graph = build_subject(b, s);
		bench_stop(b, r, (double)s->count);
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

		bench_start(b);
		CHECK(musaStreamBeginCapture(b->stream, musaStreamCaptureModeRelaxed));
		for (size_t i = 0; i < s->count; i++)
			CHECK(musaLaunchKernel(kernel_empty, one, one, NULL, 0, b->stream));
		CHECK(musaStreamEndCapture(b->stream, &graph));
		bench_stop(b, r, (double)s->count);
		CHECK(musaGraphDestroy(graph));
	}
	report(b, "capture", s, "ns/node");
}

static void bench_instantiate(struct bench *b, struct subject *s)
{
	double destroy[REPEATS_MAX];

	for (int r = 0; r < b->repeats; r++) {
		musaGraphExec_t exec;
		double start;

		bench_start(b);
		CHECK(musaGraphInstantiate(&exec, s->graph, 0));
		bench_stop(b, r, (double)s->count);
		start = now_ns();
		CHECK(musaGraphExecDestroy(exec));
		destroy[r] = (now_ns() - start) / (double)s->count;
	}
	report(b, "instantiate", s, "ns/node");
	if (b->counts)
		return;
	memcpy(b->samples, destroy, sizeof(double) * (size_t)b->repeats);
	report(b, "exec-destroy", s, "ns/node");
}

static uint64_t allocations(void)
{
	struct mt_alloc_stats stats;

	mt_drv_table_v1.mt_alloc_stats_get(&stats);
	return stats.calls;
}

static void bench_update(struct bench *b, struct subject *s)
{
	musaGraphExecUpdateResultInfo info;
	uint64_t before;

	CHECK(musaGraphExecUpdate(s->exec, s->same, &info));
	for (int r = 0; r < b->repeats; r++) {
		bench_start(b);
		CHECK(musaGraphExecUpdate(s->exec, s->same, &info));
		bench_stop(b, r, (double)s->count);
	}
	report(b, "update-unchanged", s, "ns/node");
	if (s->shape == COPIES || s->shape == MIXED)
		return;
	for (int r = 0; r < b->repeats; r++) {
		bench_start(b);
		CHECK(musaGraphExecUpdate(s->exec, s->other, &info));
		bench_stop(b, r, (double)s->count);
		CHECK(musaGraphExecUpdate(s->exec, s->same, &info));
	}
	report(b, "update-changed", s, "ns/node");
	before = allocations();
	for (int r = 0; r < 4; r++)
		CHECK(musaGraphExecUpdate(s->exec, r & 1 ? s->same : s->other, &info));
	report_number(b, "update-allocations", shape_names[s->shape], s->count,
		      (double)(allocations() - before), "calls");
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
		bench_start(b);
		for (size_t i = 0; i < BATCH; i++) {
			params.blockDim.x = 1 + (i & 1);
			CHECK(musaGraphExecKernelNodeSetParams(
				s->exec, s->nodes[i * 7919 % s->count], &params));
		}
		bench_stop(b, r, BATCH);
	}
	report(b, "set-params", s, "ns/call");
}

static void bench_clone(struct bench *b, struct subject *s)
{
	double destroy[REPEATS_MAX];

	for (int r = 0; r < b->repeats; r++) {
		musaGraph_t clone;
		double start;

		bench_start(b);
		CHECK(musaGraphClone(&clone, s->graph));
		bench_stop(b, r, (double)s->count);
		start = now_ns();
		CHECK(musaGraphDestroy(clone));
		destroy[r] = (now_ns() - start) / (double)s->count;
	}
	report(b, "clone", s, "ns/node");
	if (b->counts)
		return;
	memcpy(b->samples, destroy, sizeof(double) * (size_t)b->repeats);
	report(b, "destroy", s, "ns/node");
}

static void bench_queries(struct bench *b, struct subject *s)
{
	musaGraphNode_t *from, *to;
	size_t edges = 0;

	for (int r = 0; r < b->repeats; r++) {
		size_t count = s->count;

		bench_start(b);
		CHECK(musaGraphGetNodes(s->graph, s->nodes, &count));
		bench_stop(b, r, (double)s->count);
	}
	report(b, "get-nodes", s, "ns/node");
	CHECK(musaGraphGetEdges(s->graph, NULL, NULL, &edges));
	from = calloc(2 * edges + 1, sizeof(*from));
	to = from + edges;
	for (int r = 0; r < b->repeats && edges; r++) {
		size_t count = edges;

		bench_start(b);
		CHECK(musaGraphGetEdges(s->graph, from, to, &count));
		bench_stop(b, r, (double)edges);
	}
	if (edges)
		report(b, "get-edges", s, "ns/edge");
	free(from);
}

static uint64_t live_bytes(void)
{
	struct mt_alloc_stats stats;

	mt_drv_table_v1.mt_alloc_stats_get(&stats);
	return stats.live_b;
}

/* Graph and exec together, arguments included. */
static void bench_memory_use(struct bench *b, struct subject *s)
{
	uint64_t before = live_bytes(), command_b = 0;
	musaGraph_t graph = build_subject(b, s);
	musaGraphExec_t exec;
	struct mt_exec *e;

	CHECK(musaGraphInstantiate(&exec, graph, 0));
	report_number(b, "host-memory", shape_names[s->shape], s->count,
		      (double)(live_bytes() - before) / (double)s->count, "B/node");
	if (!mt_graph_table_v1.mt_exec_get(exec, &e))
		for (uint32_t i = 0; i < e->chain.block_count; i++)
			command_b += e->chain.blocks[i].size_b;
	report_number(b, "command-memory", shape_names[s->shape], s->count,
		      (double)command_b / (double)s->count, "B/node");
	CHECK(musaGraphExecDestroy(exec));
	CHECK(musaGraphDestroy(graph));
}

void rows_graph(struct bench *b, struct subject *s)
{
	static const struct {
		const char *name, *second; /* rows of one function */
		void (*run)(struct bench *b, struct subject *s);
	} table[] = {
		{"build", NULL, bench_build},
		{"capture", NULL, bench_capture},
		{"instantiate", "exec-destroy", bench_instantiate},
		{"update-unchanged", "update-changed", bench_update},
		{"set-params", NULL, bench_set_params},
		{"clone", "destroy", bench_clone},
		{"get-nodes", "get-edges", bench_queries},
		{"host-memory", "command-memory", bench_memory_use},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t filled = s->count;

		if (!wanted(b, table[i].name) && !(table[i].second && wanted(b, table[i].second)))
			continue;
		CHECK(musaGraphGetNodes(s->graph, s->nodes, &filled));
		table[i].run(b, s);
	}
}
