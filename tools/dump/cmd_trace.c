/* SPDX-License-Identifier: MIT */
/* mtgraph-dump trace: runs a program and tells what it does with graphs, and why something was refused. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "musa_runtime_api.h"
#include "tools/dump/command.h"
#include "tools/dump/json.h"
#include "tools/dump/output.h"
#include "tools/dump/places.h"
#include "tools/dump/program.h"

#define JSON_FORMAT 1u /* of `trace --json` */
#define TEXT_B      1024u

/* Calls of one kind. */
struct tally {
	const char *event, *words, *many;
	uint64_t calls, failed, ns;
};

struct trace {
	struct json *json; /* NULL: text */
	bool times;        /* print durations */
	struct places *places;
	uint64_t *execs;   /* owned: handles in the order in which they came */
	uint32_t exec_count, exec_room;
	uint64_t captures, spoiled;
	struct tally tallies[5];
};

static const struct tally no_tallies[] = {
	{"instantiate", "instantiation", "s", 0, 0, 0}, {"update", "update", "s", 0, 0, 0},
	{"node_update", "node update", "s", 0, 0, 0},   {"launch", "launch", "es", 0, 0, 0},
	{"upload", "upload", "s", 0, 0, 0},
};

/* People count execs; handles say nothing to them. Handles of the past may come again. */
static uint32_t exec_number(struct trace *trace, const struct event *event)
{
	uint64_t handle = event_number(event, "exec"), *execs;

	for (uint32_t i = trace->exec_count; i; i--)
		if (trace->execs[i - 1] == handle)
			return i;
	if (trace->exec_count == trace->exec_room) {
		trace->exec_room = trace->exec_room ? 2 * trace->exec_room : 64;
		execs = realloc(trace->execs, trace->exec_room * sizeof(*execs));
		if (!execs) {
			trace->exec_room = trace->exec_count;
			return 0;
		}
		trace->execs = execs;
	}
	trace->execs[trace->exec_count++] = handle;
	return trace->exec_count;
}

static const char *duration(uint64_t ns, char text[32])
{
	if (ns < 10000)
		snprintf(text, 32, "%" PRIu64 " ns", ns);
	else if (ns < 10000000)
		snprintf(text, 32, "%.1f us", (double)ns / 1e3);
	else
		snprintf(text, 32, "%.1f ms", (double)ns / 1e6);
	return text;
}

static void print_duration(const struct trace *trace, const struct event *event, const char *key)
{
	char text[32];

	if (trace->times && event_has(event, key))
		printf(", %s", duration(event_number(event, key), text));
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_count(const struct event *event, const char *key, const char *one,
			const char *between)
{
	uint64_t count = event_number(event, key);

	printf("%s%" PRIu64 " %s%s", between, count, one, plural(count));
}

/* Where the call stands; compilers put a function of their own in front of kernel launches. */
static void print_place(struct trace *trace, const struct event *event)
{
	struct event_list list = {0};
	char place[TEXT_B], text[TEXT_B];

	while (event_list_text(event, "at", &list, place, sizeof(place))) {
		places_name(trace->places, place, text, sizeof(text));
		if (!strncmp(text, "__device_stub__", 15))
			continue;
		out_print(OUT_FAINT, "  at ");
		out_name(text, strlen(text));
		return;
	}
}

static void print_places(struct trace *trace, const struct event *event)
{
	struct event_list list = {0};
	char place[TEXT_B], text[TEXT_B];

	while (event_list_text(event, "at", &list, place, sizeof(place))) {
		places_name(trace->places, place, text, sizeof(text));
		out_print(OUT_FAINT, "    at ");
		out_name(text, strlen(text));
		putchar('\n');
		/* What called main() is the same everywhere. */
		if (!strncmp(text, "main+", 5))
			return;
	}
}

static void print_text(const struct event *event, const char *key, const char *before)
{
	char text[TEXT_B];

	fputs(before, stdout);
	event_text(event, key, text, sizeof(text));
	out_name(text, strlen(text));
}

static void print_stream(const struct event *event)
{
	if (event_has(event, "stream"))
		printf(" on stream %" PRIu64, event_number(event, "stream"));
}

static void print_refusal(const struct event *event)
{
	uint64_t result = event_number(event, "result");

	out_print(OUT_BAD, "refused");
	printf(" (%s)", musaGetErrorName((musaError_t)result));
	if (event_has(event, "node") && !event_is(event, "node_update"))
		printf(" at node %" PRIu64, event_number(event, "node"));
	if (event_has(event, "param")) {
		print_text(event, "param", ": ");
		print_text(event, "now", " is ");
		print_text(event, "next", " and cannot become ");
	} else if (event_has(event, "why")) {
		print_text(event, "why", ": ");
	}
	putchar('\n');
}

/* --- events as text ------------------------------------------------------------------------------ */

static void print_capture_begin(struct trace *trace, const struct event *event)
{
	if (event_number(event, "result")) {
		printf("capture");
		print_stream(event);
		putchar(' ');
		print_refusal(event);
		print_places(trace, event);
		return;
	}
	printf("capture %" PRIu64 " begins", event_number(event, "capture"));
	print_stream(event);
	print_text(event, "mode", ", ");
	if (event_number(event, "into"))
		printf(", into a graph");
	print_place(trace, event);
	putchar('\n');
}

static void print_capture_spoiled(struct trace *trace, const struct event *event)
{
	printf("capture %" PRIu64 " ", event_number(event, "capture"));
	out_print(OUT_BAD, "spoiled");
	print_text(event, "call", " by ");
	print_stream(event);
	print_text(event, "why", ": ");
	putchar('\n');
	print_places(trace, event);
}

static void print_capture_unjoined(const struct event *event)
{
	printf("capture %" PRIu64 ": node %" PRIu64, event_number(event, "capture"),
	       event_number(event, "node"));
	if (event_has(event, "name"))
		print_text(event, "name", " ");
	print_stream(event);
	out_print(OUT_BAD, " is not joined\n");
}

static void print_capture_end(struct trace *trace, const struct event *event)
{
	if (event_has(event, "capture"))
		printf("capture %" PRIu64, event_number(event, "capture"));
	else
		printf("end of capture");
	if (event_number(event, "result")) {
		print_stream(event);
		printf(" ends: ");
		print_refusal(event);
		print_places(trace, event);
		return;
	}
	printf(" ends: ");
	print_count(event, "nodes", "node", "");
	print_count(event, "edges", "edge", ", ");
	print_duration(trace, event, "capture_ns");
	print_place(trace, event);
	putchar('\n');
}

static void print_instantiate(struct trace *trace, const struct event *event)
{
	if (event_number(event, "result")) {
		printf("instantiate ");
		print_refusal(event);
		print_places(trace, event);
		return;
	}
	printf("instantiate exec %u: ", exec_number(trace, event));
	print_count(event, "nodes", "node", "");
	print_count(event, "edges", "edge", ", ");
	print_count(event, "queues", "queue", ", ");
	print_count(event, "packets", "packet", ", ");
	print_count(event, "bytes", "byte", ", ");
	print_duration(trace, event, "ns");
	print_place(trace, event);
	putchar('\n');
}

static void print_update(struct trace *trace, const struct event *event)
{
	printf("update exec %u: ", exec_number(trace, event));
	if (event_number(event, "result")) {
		print_refusal(event);
		print_places(trace, event);
		return;
	}
	print_count(event, "changed", "node", "");
	printf(" changed");
	print_duration(trace, event, "ns");
	print_place(trace, event);
	putchar('\n');
}

static void print_node_update(struct trace *trace, const struct event *event)
{
	printf("update exec %u node %" PRIu64, exec_number(trace, event),
	       event_number(event, "node"));
	print_text(event, "what", ": ");
	if (event_number(event, "result")) {
		putchar(' ');
		print_refusal(event);
		print_places(trace, event);
		return;
	}
	print_duration(trace, event, "ns");
	print_place(trace, event);
	putchar('\n');
}

static void print_launch(struct trace *trace, const struct event *event, const char *what)
{
	printf("%s exec %u", what, exec_number(trace, event));
	print_stream(event);
	if (event_number(event, "result")) {
		putchar(' ');
		print_refusal(event);
		print_places(trace, event);
		return;
	}
	if (event_has(event, "nodes")) {
		print_count(event, "nodes", "node", ": ");
		print_count(event, "queues", "queue", ", ");
	}
	print_duration(trace, event, "ns");
	putchar('\n');
}

static void print_event(struct trace *trace, const struct event *event)
{
	if (event_is(event, "start")) {
		print_text(event, "program", "program ");
		putchar('\n');
	} else if (event_is(event, "capture_begin")) {
		print_capture_begin(trace, event);
	} else if (event_is(event, "capture_spoiled")) {
		print_capture_spoiled(trace, event);
	} else if (event_is(event, "capture_unjoined")) {
		print_capture_unjoined(event);
	} else if (event_is(event, "capture_end")) {
		print_capture_end(trace, event);
	} else if (event_is(event, "instantiate")) {
		print_instantiate(trace, event);
	} else if (event_is(event, "update")) {
		print_update(trace, event);
	} else if (event_is(event, "node_update")) {
		print_node_update(trace, event);
	} else if (event_is(event, "launch")) {
		print_launch(trace, event, "launch");
	} else if (event_is(event, "upload")) {
		print_launch(trace, event, "upload");
	} else if (event_is(event, "exec_destroy")) {
		printf("destroy exec %u\n", exec_number(trace, event));
	} else if (event_is(event, "wait_unrecorded")) {
		printf("exec %u node %" PRIu64 " waits for an event that was never recorded\n",
		       exec_number(trace, event), event_number(event, "node"));
	}
}

/* --- events as JSON ------------------------------------------------------------------------------ */

static void put_places(struct trace *trace, const struct event *event)
{
	struct event_list list = {0};
	char place[TEXT_B], text[TEXT_B];

	json_array(trace->json, "at");
	while (event_list_text(event, "at", &list, place, sizeof(place))) {
		json_object(trace->json, NULL);
		json_string(trace->json, "address", place);
		json_string(trace->json, "place",
			    places_name(trace->places, place, text, sizeof(text)));
		json_end(trace->json);
	}
	json_end(trace->json);
}

static void put_event(struct trace *trace, const struct event *event)
{
	const struct event_field *field;
	char key[64], text[EVENT_LINE_B];

	json_object(trace->json, NULL);
	for (uint32_t i = 0; i < event->field_count; i++) {
		field = &event->fields[i];
		snprintf(key, sizeof(key), "%.*s", (int)field->key_b, field->key);
		if (field->value[0] == '"')
			json_string(trace->json, key, event_text(event, key, text, sizeof(text)));
		else if (field->value[0] == 't' || field->value[0] == 'f')
			json_bool(trace->json, key, field->value[0] == 't');
		else if (field->value[0] == '[')
			put_places(trace, event);
		else
			json_number(trace->json, key, event_number(event, key));
	}
	json_end(trace->json);
}

/* --- the whole ---------------------------------------------------------------------------------- */

static void count(struct trace *trace, const struct event *event)
{
	struct tally *tally;
	unsigned int i;

	trace->captures += event_is(event, "capture_begin") && !event_number(event, "result");
	trace->spoiled += event_is(event, "capture_end") && event_number(event, "result");
	for (i = 0; i < sizeof(no_tallies) / sizeof(no_tallies[0]); i++) {
		tally = &trace->tallies[i];
		if (!event_is(event, tally->event))
			continue;
		tally->calls++;
		tally->failed += event_number(event, "result") != 0;
		tally->ns += event_number(event, "ns");
	}
}

static void print_summary(const struct trace *trace, const struct program *program)
{
	char text[64], fate[128];
	const struct tally *tally;
	unsigned int i;

	out_print(OUT_HEADING, "\nsummary\n");
	if (trace->captures)
		printf("  %" PRIu64 " capture%s, %" PRIu64 " without a graph\n", trace->captures,
		       plural(trace->captures), trace->spoiled);
	for (i = 0; i < sizeof(no_tallies) / sizeof(no_tallies[0]); i++) {
		tally = &trace->tallies[i];
		if (!tally->calls)
			continue;
		printf("  %" PRIu64 " %s%s, %" PRIu64 " refused", tally->calls, tally->words,
		       tally->calls == 1 ? "" : tally->many, tally->failed);
		if (trace->times)
			printf(", %s each", duration(tally->ns / tally->calls, text));
		putchar('\n');
	}
	printf("  the program %s\n", program_fate(program, fate, sizeof(fate)));
}

static void put_summary(const struct trace *trace, const struct program *program)
{
	const struct tally *tally;
	unsigned int i;

	json_object(trace->json, "summary");
	json_number(trace->json, "captures", trace->captures);
	json_number(trace->json, "captures_without_graph", trace->spoiled);
	for (i = 0; i < sizeof(no_tallies) / sizeof(no_tallies[0]); i++) {
		tally = &trace->tallies[i];
		json_object(trace->json, tally->event);
		json_number(trace->json, "calls", tally->calls);
		json_number(trace->json, "refused", tally->failed);
		json_number(trace->json, "ns", tally->ns);
		json_end(trace->json);
	}
	json_number(trace->json, "exit_code", (uint64_t)program_exit_code(program));
	json_number(trace->json, "damaged_lines", program->events.bad_lines);
	json_end(trace->json);
}

static void follow(struct trace *trace, struct program *program)
{
	struct event event;
	bool any = false;

	while (program_next(program, &event)) {
		any = true;
		count(trace, &event);
		if (trace->json)
			put_event(trace, &event);
		else
			print_event(trace, &event);
	}
	if (!any)
		fprintf(stderr, "mtgraph-dump trace: the program did not use the MUSA libraries of "
				"mtgraph\n");
}

static int trace_program(char **argv, bool as_json, bool times)
{
	struct trace trace = {.times = times};
	struct program *program = malloc(sizeof(*program));
	struct json json;
	int ret;

	if (!program) {
		dump_error("no memory");
		return DUMP_UNREADABLE;
	}
	memcpy(trace.tallies, no_tallies, sizeof(no_tallies));
	ret = program_start(program, argv, as_json ? PROGRAM_QUIET : 0);
	if (!ret) {
		trace.places = places_open();
		if (as_json) {
			trace.json = &json;
			json_init(&json, stdout);
			json_object(&json, NULL);
			json_string(&json, "format", "mtgraph-dump trace");
			json_number(&json, "format_version", JSON_FORMAT);
			json_array(&json, "events");
		}
		follow(&trace, program);
		if (as_json) {
			json_end(&json);
			put_summary(&trace, program);
			json_finish(&json);
		} else {
			print_summary(&trace, program);
		}
		places_close(trace.places);
		ret = program_exit_code(program);
	}
	program_finish(program);
	free(program);
	free(trace.execs);
	return ret;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"no-times", no_argument, NULL, 'n'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	bool json = false, times = true;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+jnh", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_trace);
		if (option == 'j')
			json = true;
		else if (option == 'n')
			times = false;
		else
			return dump_usage(&dump_trace, "unknown option '%s'", argv[optind - 1]);
	}
	if (optind == argc)
		return dump_usage(&dump_trace, "a program is needed behind --");
	return trace_program(argv + optind, json, times);
}

const struct dump_command dump_trace = {
	.name = "trace",
	.summary = "runs a program and prints what it does with graphs",
	.help = "Usage: mtgraph-dump trace [--json] [--no-times] -- PROGRAM [ARGUMENTS]\n"
		"\n"
		"Runs a program and prints every capture, instantiation, update and launch with sizes and\n"
		"times; why a capture was spoiled (the call, the stream, the place in the program) and why\n"
		"an update was refused (the node, its parameter, the old and the new value). Works on every\n"
		"backend.\n"
		"\n"
		"  --json       as JSON; the program's standard output goes to standard error then\n"
		"  --no-times   without durations, so that two runs print the same\n"
		"  --help       this text\n"
		"\n"
		"Exit status: that of the program, or 128 and the number of the signal that ended it; 2 for\n"
		"wrong use, 3 if the program cannot be run.\n",
	.run = run,
};
