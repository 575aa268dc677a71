/* SPDX-License-Identifier: MIT */
/* Samples, the rows of the table, and instruction counts where callgrind runs the program. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HAVE_CALLGRIND
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND            0
#define CALLGRIND_TOGGLE_COLLECT       ((void)0)
#define CALLGRIND_ZERO_STATS           ((void)0)
#define CALLGRIND_DUMP_STATS_AT(where) ((void)(where))
#endif

double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

bool wanted(const struct bench *b, const char *name)
{
	if (!b->name_count)
		return true;
	for (int i = 0; i < b->name_count; i++)
		if (!strcmp(b->names[i], name))
			return true;
	return false;
}

void bench_start(struct bench *b)
{
	if (b->counts) {
		if (!b->counted)
			CALLGRIND_ZERO_STATS;
		CALLGRIND_TOGGLE_COLLECT;
		return;
	}
	b->start_ns = now_ns();
}

void bench_stop(struct bench *b, int sample, double units)
{
	if (b->counts) {
		CALLGRIND_TOGGLE_COLLECT;
		b->counted += units;
		return;
	}
	b->samples[sample] = (now_ns() - b->start_ns) / units;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_row(struct bench *b, const char *name, const char *shape, size_t n,
		      const double values[3], const char *unit)
{
	if (b->json)
		printf("%s\n  {\"benchmark\": \"%s\", \"shape\": \"%s\", \"nodes\": %zu, \"unit\": \"%s\", "
		       "\"median\": %.2f, \"min\": %.2f, \"max\": %.2f}",
		       b->first_row ? "" : ",", name, shape, n, unit, values[0], values[1],
		       values[2]);
	else
		printf("%-22s %-11s %8zu %12.1f %12.1f %12.1f  %s\n", name, shape, n, values[0],
		       values[1], values[2], unit);
	b->first_row = false;
	fflush(stdout);
}

void report_plain(struct bench *b, const char *name, const char *shape, size_t n, const char *unit)
{
	double *samples = b->samples;
	char where[128];

	if (b->counts) {
		snprintf(where, sizeof(where), "row %s %s %zu %.0f %s", name, shape, n, b->counted,
			 strncmp(unit, "ns/", 3) ? "call" : unit + 3);
		CALLGRIND_DUMP_STATS_AT(where);
		b->counted = 0;
		return;
	}
	qsort(samples, (size_t)b->repeats, sizeof(*samples), compare);
	print_row(b, name, shape, n,
		  (double[]){samples[b->repeats / 2], samples[0], samples[b->repeats - 1]}, unit);
}

void report(struct bench *b, const char *name, const struct subject *s, const char *unit)
{
	report_plain(b, name, shape_names[s->shape], s->count, unit);
}

void report_number(struct bench *b, const char *name, const char *shape, size_t n, double value,
		   const char *unit)
{
	if (!b->counts)
		print_row(b, name, shape, n, (double[]){value, value, value}, unit);
}

musaGraph_t build_subject(struct bench *b, struct subject *s)
{
	musaGraph_t graph;

	CHECK(musaGraphCreate(&graph, 0));
	shape_build(s->shape, s->count, graph, s->nodes, &b->memory);
	return graph;
}
