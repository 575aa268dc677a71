/* SPDX-License-Identifier: MIT */
/* Tells when nodes ran: as text, as JSON, and for Chrome's tracing. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/output.h"
#include "tools/dump/timeline.h"

#define BAR 40 /* columns of the picture in text */

static const char *label_of(const struct timeline *t, const struct span *span)
{
	const struct timed_exec *exec = &t->execs[span->exec];

	return span->node < exec->label_count ? exec->labels[span->node] : "node";
}

/* The spans of one launch. */
struct launch {
	uint64_t first, behind;
	uint64_t start_ns, end_ns;
};

/* The launch behind another one; a zeroed one to begin. */
static bool next_launch(const struct timeline *t, struct launch *launch)
{
	const struct span *first = &t->spans[launch->behind];
	uint64_t i = launch->behind;

	*launch = (struct launch){.first = i, .start_ns = UINT64_MAX};
	for (; i < t->span_count && t->spans[i].exec == first->exec &&
	       t->spans[i].launch == first->launch; i++) {
		if (t->spans[i].start_ns < launch->start_ns)
			launch->start_ns = t->spans[i].start_ns;
		if (t->spans[i].end_ns > launch->end_ns)
			launch->end_ns = t->spans[i].end_ns;
	}
	launch->behind = i;
	return i > launch->first;
}

static uint64_t first_start(const struct timeline *t)
{
	uint64_t start = UINT64_MAX, i;

	for (i = 0; i < t->span_count; i++)
		start = t->spans[i].start_ns < start ? t->spans[i].start_ns : start;
	return start;
}

/* --- text ----------------------------------------------------------------------------------------- */

static void print_bar(uint64_t from, uint64_t to, uint64_t whole)
{
	int first = (int)((double)from / (double)whole * BAR), i;
	int behind = (int)((double)to / (double)whole * BAR);

	if (first >= BAR)
		first = BAR - 1;
	if (behind <= first)
		behind = first + 1;
	putchar('|');
	for (i = 0; i < BAR; i++)
		putchar(i >= first && i < behind ? '#' : ' ');
	putchar('|');
}

static void print_launch(const struct timeline *t, const struct launch *launch)
{
	uint64_t start = launch->start_ns, whole, i;
	const struct span *s;

	whole = launch->end_ns > start ? launch->end_ns - start : 1;
	out_print(OUT_HEADING, "exec %u, launch %" PRIu64, t->spans[launch->first].exec + 1,
		  t->spans[launch->first].launch);
	printf(": %" PRIu64 " nodes in %.3f us\n", launch->behind - launch->first,
	       (double)whole / 1e3);
	for (i = launch->first; i < launch->behind; i++) {
		s = &t->spans[i];
		if (i == launch->first || s->queue != s[-1].queue)
			printf("  queue %u\n", s->queue);
		printf("    %12.3f %12.3f us ", (double)(s->start_ns - start) / 1e3,
		       (double)(s->end_ns - s->start_ns) / 1e3);
		print_bar(s->start_ns - start, s->end_ns - start, whole);
		printf(" %u ", s->node);
		out_name(label_of(t, s), strlen(label_of(t, s)));
		putchar('\n');
	}
}

void timeline_print(const struct timeline *t)
{
	struct launch launch = {0};

	while (next_launch(t, &launch))
		print_launch(t, &launch);
}

/* --- Chrome's tracing ----------------------------------------------------------------------------- */

static void put_name(struct json *json, const char *what, uint32_t exec, uint32_t queue,
		     const char *kind, uint32_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %u", kind, number);
	json_object(json, NULL);
	json_string(json, "ph", "M");
	json_string(json, "name", what);
	json_number(json, "pid", exec + 1);
	json_number(json, "tid", queue);
	json_object(json, "args");
	json_string(json, "name", text);
	json_end(json);
	json_end(json);
}

/* The format of Chrome's tracing, which Perfetto reads: times are microseconds. */
static void put_chrome(const struct timeline *t, FILE *out)
{
	uint64_t start = first_start(t), i;
	const struct span *s;
	struct json json;

	json_init(&json, out);
	json_object(&json, NULL);
	json_string(&json, "displayTimeUnit", "ns");
	json_array(&json, "traceEvents");
	for (i = 0; i < t->span_count; i++) {
		s = &t->spans[i];
		if (!i || s->exec != s[-1].exec)
			put_name(&json, "process_name", s->exec, s->queue, "exec", s->exec + 1);
		if (!i || s->exec != s[-1].exec || s->queue != s[-1].queue)
			put_name(&json, "thread_name", s->exec, s->queue, "queue", s->queue);
		json_object(&json, NULL);
		json_string(&json, "ph", "X");
		json_string(&json, "name", label_of(t, s));
		json_number(&json, "pid", s->exec + 1);
		json_number(&json, "tid", s->queue);
		json_real(&json, "ts", (double)(s->start_ns - start) / 1e3);
		json_real(&json, "dur", (double)(s->end_ns - s->start_ns) / 1e3);
		json_object(&json, "args");
		json_number(&json, "node", s->node);
		json_number(&json, "launch", s->launch);
		json_end(&json);
		json_end(&json);
	}
	json_finish(&json);
}

int timeline_write_chrome(const struct timeline *t, const char *path)
{
	FILE *out = fopen(path, "we");
	bool bad;

	if (out) {
		put_chrome(t, out);
		bad = ferror(out);
		bad |= fclose(out) != 0;
		if (!bad)
			return DUMP_OK;
	}
	dump_error("%s: %s", path, strerror(errno));
	return DUMP_UNREADABLE;
}

/* --- JSON ----------------------------------------------------------------------------------------- */

static void put_span(const struct timeline *t, const struct launch *launch, const struct span *s,
		     struct json *json)
{
	json_object(json, NULL);
	json_number(json, "node", s->node);
	json_string(json, "label", label_of(t, s));
	json_number(json, "queue", s->queue);
	json_number(json, "start_ns", s->start_ns - launch->start_ns);
	json_number(json, "duration_ns", s->end_ns - s->start_ns);
	json_end(json);
}

static void put_launch(const struct timeline *t, const struct launch *launch, uint64_t start,
		       struct json *json)
{
	json_object(json, NULL);
	json_number(json, "launch", t->spans[launch->first].launch);
	json_number(json, "start_ns", launch->start_ns - start);
	json_number(json, "duration_ns", launch->end_ns - launch->start_ns);
	json_array(json, "spans");
	for (uint64_t i = launch->first; i < launch->behind; i++)
		put_span(t, launch, &t->spans[i], json);
	json_end(json);
	json_end(json);
}

void timeline_put(const struct timeline *t, struct json *json)
{
	uint64_t start = first_start(t);
	struct launch launch = {0};
	const struct span *first;

	json_array(json, "execs");
	while (next_launch(t, &launch)) {
		first = &t->spans[launch.first];
		if (!launch.first || first->exec != first[-1].exec) {
			if (launch.first) {
				json_end(json);
				json_end(json);
			}
			json_object(json, NULL);
			json_number(json, "exec", first->exec + 1);
			json_array(json, "launches");
		}
		put_launch(t, &launch, start, json);
	}
	json_end(json);
	json_end(json);
	json_end(json);
	json_number(json, "lost_launches", t->lost);
}
