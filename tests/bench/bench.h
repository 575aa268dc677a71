/* SPDX-License-Identifier: MIT */
/*
 * What the benchmarks share: samples, rows of the table, graphs under measurement.
 *
 * A row is the median of `repeats` samples with the smallest and the largest beside it. Under valgrind's
 * callgrind the same code runs with few repeats, and a row is the number of instructions of the calling
 * thread between bench_start() and bench_stop().
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "shapes.h"

#define REPEATS_MAX 101

struct bench {
	bool json, first_row;
	bool counts; /* runs under callgrind */
	bool cold;   /* a fresh process that measures the first time */
	int repeats;
	size_t only_nodes; /* 0: the sweep */
	int only_shape;    /* -1: all */
	char **names;      /* borrowed: benchmarks asked for */
	int name_count;
	struct bench_memory memory;
	musaStream_t stream;
	double start_ns;
	double counted;  /* units between starts and stops */
	double samples[REPEATS_MAX];
};

/* One graph under measurement. */
struct subject {
	enum shape shape;
	size_t count;
	musaGraphNode_t *nodes;
	musaGraph_t graph, same, other; /* other: every kernel node with another block size */
	musaGraphExec_t exec;
};

double now_ns(void);
bool wanted(const struct bench *b, const char *name);

/* One sample: the time from start to stop, divided by `units`. */
void bench_start(struct bench *b);
void bench_stop(struct bench *b, int sample, double units);

/* A row of what has been sampled; the samples are used up. */
void report(struct bench *b, const char *name, const struct subject *s, const char *unit);
/* The same for a row that is no graph's: N is what it was measured with. */
void report_plain(struct bench *b, const char *name, const char *shape, size_t n, const char *unit);
/* A row of one number, which instructions would not measure. */
void report_number(struct bench *b, const char *name, const char *shape, size_t n, double value,
		   const char *unit);

musaGraph_t build_subject(struct bench *b, struct subject *s);

/* rows_graph.c: calls on graphs. rows_launch.c: launches. */
void rows_graph(struct bench *b, struct subject *s);
void rows_launch(struct bench *b, struct subject *s);
void rows_schedule(struct bench *b, struct subject *s);
/* Rows of no graph in particular. */
void rows_streams(struct bench *b);
void rows_execs(struct bench *b);
/* rows_device.c: what runs on the device. */
void rows_device(struct bench *b);
/* rows_first.c: processes of their own. */
int first_use(void);
void rows_first(struct bench *b);

#endif
