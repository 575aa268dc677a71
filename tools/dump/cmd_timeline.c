/* SPDX-License-Identifier: MIT */
/*
 * mtgraph-dump timeline: when each node ran, queue by queue, from the time stamps that the library puts
 * around nodes when it is asked to, or from the times that a file holds.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/save_file.h"
#include "tools/dump/command.h"
#include "tools/dump/demangle.h"
#include "tools/dump/file.h"
#include "tools/dump/json.h"
#include "tools/dump/output.h"
#include "tools/dump/program.h"
#include "tools/dump/words.h"

#define LABEL_B 512u
#define BAR     40 /* columns of the picture in text */

/* One run of one node. */
struct span {
	uint64_t start_ns, end_ns, launch;
	uint32_t exec, node, queue;
};

struct timed_exec {
	uint64_t handle;
	char **labels; /* owned, each: by node */
	uint64_t label_count, label_room;
};

struct timeline {
	struct timed_exec *execs; /* owned */
	uint64_t exec_count, exec_room;
	struct span *spans;       /* owned */
	uint64_t span_count, span_room;
	uint64_t lost;            /* launches whose times are not known */
	bool no_memory;
};

static bool grow(struct timeline *t, void *array, uint64_t count, uint64_t *room, size_t size_b)
{
	uint64_t more = *room ? 2 * *room : 256;
	void *grown;

	if (count < *room)
		return true;
	grown = realloc(*(void **)array, more * size_b);
	if (!grown) {
		t->no_memory = true;
		return false;
	}
	*(void **)array = grown;
	*room = more;
	return true;
}

static void finish(struct timeline *t)
{
	uint64_t i, k;

	for (i = 0; i < t->exec_count; i++) {
		for (k = 0; k < t->execs[i].label_count; k++)
			free(t->execs[i].labels[k]);
		free(t->execs[i].labels);
	}
	free(t->execs);
	free(t->spans);
}

/* --- from events ---------------------------------------------------------------------------------- */

static struct timed_exec *add_exec(struct timeline *t, uint64_t handle)
{
	if (!grow(t, &t->execs, t->exec_count, &t->exec_room, sizeof(*t->execs)))
		return NULL;
	t->execs[t->exec_count] = (struct timed_exec){.handle = handle};
	return &t->execs[t->exec_count++];
}

/* Later execs may have the handle of an earlier one. */
static struct timed_exec *find_exec(struct timeline *t, uint64_t handle)
{
	for (uint64_t i = t->exec_count; i; i--)
		if (t->execs[i - 1].handle == handle)
			return &t->execs[i - 1];
	return NULL;
}

/* "kernel _Z5scalePf" as "kernel scale". */
static char *plain_label(const char *label)
{
	const char *name = strncmp(label, "kernel ", 7) ? "" : label + 7;
	char *plain = demangle(name, strlen(name)), text[LABEL_B];

	if (!plain)
		return strdup(label);
	snprintf(text, sizeof(text), "kernel %.*s", (int)strcspn(plain, "("), plain);
	free(plain);
	return strdup(text);
}

static void add_label(struct timeline *t, struct timed_exec *exec, const char *label)
{
	if (!grow(t, &exec->labels, exec->label_count, &exec->label_room, sizeof(*exec->labels)))
		return;
	exec->labels[exec->label_count] = plain_label(label);
	if (exec->labels[exec->label_count])
		exec->label_count++;
	else
		t->no_memory = true;
}

static void take_nodes(struct timeline *t, const struct event *event)
{
	uint64_t handle = event_number(event, "exec");
	struct event_list list = {0};
	struct timed_exec *exec;
	char label[LABEL_B];

	exec = event_number(event, "first") ? find_exec(t, handle) : add_exec(t, handle);
	while (exec && !t->no_memory && event_list_text(event, "list", &list, label, sizeof(label)))
		add_label(t, exec, label);
}

static void add_span(struct timeline *t, const struct span *span)
{
	if (grow(t, &t->spans, t->span_count, &t->span_room, sizeof(*t->spans)))
		t->spans[t->span_count++] = *span;
}

static void take_times(struct timeline *t, const struct event *event)
{
	struct timed_exec *exec = find_exec(t, event_number(event, "exec"));
	struct event_list list = {0};
	uint64_t entry[4];

	while (exec && !t->no_memory && event_list_numbers(event, "list", &list, entry, 4)) {
		struct span span = {entry[2], entry[3], event_number(event, "launch"),
				    (uint32_t)(exec - t->execs), (uint32_t)entry[0],
				    (uint32_t)entry[1]};

		add_span(t, &span);
	}
}

static int measure(struct timeline *t, char **argv, bool quiet, int *exit_code)
{
	struct program *program = malloc(sizeof(*program));
	struct event event;
	int ret;

	if (!program) {
		dump_error("no memory");
		return DUMP_UNREADABLE;
	}
	ret = program_start(program, argv, PROGRAM_TIMES | (quiet ? PROGRAM_QUIET : 0));
	while (!ret && !t->no_memory && program_next(program, &event)) {
		if (event_is(&event, "exec_nodes"))
			take_nodes(t, &event);
		else if (event_is(&event, "exec_times"))
			take_times(t, &event);
		else if (event_is(&event, "times_lost"))
			t->lost++;
	}
	if (!ret)
		*exit_code = program_exit_code(program);
	program_finish(program);
	free(program);
	return ret;
}

/* --- from files ----------------------------------------------------------------------------------- */

/* Names the nodes of the root graph; nested ones are told by their numbers. */
static void read_labels(struct timeline *t, struct dump_file *file)
{
	const struct file_kernel *kernels;
	struct file_node_cursor cursor = {0};
	struct timed_exec *exec = add_exec(t, 0);
	struct file_node node;
	char label[LABEL_B];
	uint32_t count, kernel;

	kernels = file_kernels(file, &count);
	while (exec && !t->no_memory && file_next_node(file, &cursor, &node) && !node.graph) {
		while (exec->label_count < node.head->id && !t->no_memory)
			add_label(t, exec, "");
		kernel = node.head->type ? count
					 : ((const struct mtg_kernel_params *)node.params)->kernel;
		if (kernel < count)
			snprintf(label, sizeof(label), "kernel %.*s", (int)kernels[kernel].name.count,
				 kernels[kernel].name.bytes);
		else
			snprintf(label, sizeof(label), "%s", word_node_type(node.head->type));
		add_label(t, exec, label);
	}
	file_node_cursor_finish(&cursor);
}

static void read_times(struct timeline *t, struct dump_file *file)
{
	struct file_record_cursor cursor = {0};
	const struct mtg_graph *graphs;
	const struct mtg_time *time;
	uint32_t count;

	graphs = file_graphs(file, &count);
	while (!t->no_memory &&
	       (time = file_next_record(file, &cursor, MTG_TIMES, sizeof(*time)))) {
		struct span span = {time->start_ns, time->end_ns, time->launch, 0, time->node,
				    time->queue};

		if (time->graph >= count || time->end_ns < time->start_ns)
			continue;
		if (graphs[time->graph].base != MTG_NONE)
			span.node += graphs[time->graph].base;
		else if (time->graph)
			continue;
		add_span(t, &span);
	}
	file_record_cursor_finish(&cursor);
}

static int from_file(struct timeline *t, const char *path, bool *has_times)
{
	struct dump_file *file;
	int ret = file_open(path, &file);

	if (ret)
		return ret;
	*has_times = file_find(file, MTG_TIMES, 0) < file_section_count(file);
	if (*has_times) {
		read_labels(t, file);
		read_times(t, file);
	}
	ret = file_status(file);
	file_close(file);
	return ret;
}

/* A replay numbers the nodes as the file does if the file leaves no ids out. */
static bool numbers_are_ids(struct dump_file *file)
{
	const struct mtg_graph *graphs;
	uint32_t count;

	graphs = file_graphs(file, &count);
	return count == 1 && graphs[0].id_count == graphs[0].node_count;
}

/* Adds the times of a replay to the file. */
static int keep(const struct timeline *t, const char *path)
{
	struct mt_save_file save;
	struct dump_file *file;
	struct mtg_time time;
	int fd, error, ret = file_open(path, &file);
	uint64_t i;

	if (ret)
		return ret;
	if (!numbers_are_ids(file)) {
		dump_error("%s: times are kept only for graphs without nested graphs and destroyed "
			   "nodes", path);
		file_close(file);
		return DUMP_UNREADABLE;
	}
	file_close(file);
	fd = open(path, O_RDWR | O_CLOEXEC);
	error = fd < 0 ? -errno : mt_save_open_append(&save, fd);
	if (!error) {
		mt_save_begin(&save, MTG_TIMES);
		for (i = 0; i < t->span_count; i++) {
			time = (struct mtg_time){0, t->spans[i].node, (uint32_t)t->spans[i].launch,
						 t->spans[i].queue, t->spans[i].start_ns,
						 t->spans[i].end_ns};
			mt_save_put(&save, &time, sizeof(time));
			if (!mt_save_is_full(&save))
				continue;
			mt_save_end(&save);
			mt_save_begin(&save, MTG_TIMES);
		}
		mt_save_end(&save);
		error = mt_save_close(&save);
	}
	if (fd >= 0)
		close(fd);
	if (!error)
		return DUMP_OK;
	dump_error("%s: %s", path, strerror(-error));
	return DUMP_UNREADABLE;
}

/* --- output --------------------------------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->exec != y->exec)
		return x->exec < y->exec ? -1 : 1;
	if (x->launch != y->launch)
		return x->launch < y->launch ? -1 : 1;
	if (x->queue != y->queue)
		return x->queue < y->queue ? -1 : 1;
	return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static const char *label_of(const struct timeline *t, const struct span *span)
{
	const struct timed_exec *exec = &t->execs[span->exec];

	return span->node < exec->label_count ? exec->labels[span->node] : "node";
}

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

/* One launch: the spans from `first` to `behind`. */
static void print_launch(const struct timeline *t, uint64_t first, uint64_t behind)
{
	uint64_t start = UINT64_MAX, end = 0, whole, i;
	const struct span *s;

	for (i = first; i < behind; i++) {
		start = t->spans[i].start_ns < start ? t->spans[i].start_ns : start;
		end = t->spans[i].end_ns > end ? t->spans[i].end_ns : end;
	}
	whole = end > start ? end - start : 1;
	out_print(OUT_HEADING, "exec %u, launch %" PRIu64, t->spans[first].exec + 1,
		  t->spans[first].launch);
	printf(": %" PRIu64 " nodes in %.3f us\n", behind - first, (double)whole / 1e3);
	for (i = first; i < behind; i++) {
		s = &t->spans[i];
		if (i == first || s->queue != s[-1].queue)
			printf("  queue %u\n", s->queue);
		printf("    %12.3f %12.3f us ", (double)(s->start_ns - start) / 1e3,
		       (double)(s->end_ns - s->start_ns) / 1e3);
		print_bar(s->start_ns - start, s->end_ns - start, whole);
		printf(" %u ", s->node);
		out_name(label_of(t, s), strlen(label_of(t, s)));
		putchar('\n');
	}
}

static void print_text(const struct timeline *t)
{
	uint64_t first, behind;

	for (first = 0; first < t->span_count; first = behind) {
		for (behind = first + 1; behind < t->span_count; behind++)
			if (t->spans[behind].exec != t->spans[first].exec ||
			    t->spans[behind].launch != t->spans[first].launch)
				break;
		print_launch(t, first, behind);
	}
}

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
	uint64_t start = UINT64_MAX, i;
	const struct span *s;
	struct json json;

	for (i = 0; i < t->span_count; i++)
		start = t->spans[i].start_ns < start ? t->spans[i].start_ns : start;
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

static int write_chrome(const struct timeline *t, const char *path)
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

static int show(struct timeline *t, const char *chrome)
{
	if (t->no_memory) {
		dump_error("no memory");
		return DUMP_UNREADABLE;
	}
	if (t->lost)
		fprintf(stderr, "mtgraph-dump timeline: %" PRIu64 " launches did not complete within "
				"a second and are left out\n", t->lost);
	if (!t->span_count) {
		dump_error("no launch of a graph was measured");
		return DUMP_UNREADABLE;
	}
	qsort(t->spans, t->span_count, sizeof(*t->spans), compare_spans);
	if (chrome)
		return write_chrome(t, chrome);
	print_text(t);
	return DUMP_OK;
}

static int show_program(char **argv, const char *chrome)
{
	struct timeline t = {0};
	int code = 0, ret = measure(&t, argv, false, &code), shown;

	if (!ret) {
		shown = show(&t, chrome);
		ret = shown ? shown : code;
	}
	finish(&t);
	return ret;
}

static int show_file(char *path, const char *chrome, bool keep_times)
{
	static char self[] = "/proc/self/exe", replay[] = "replay";
	char *argv[] = {self, replay, path, NULL};
	struct timeline t = {0};
	bool has_times = false;
	int code = 0, ret = from_file(&t, path, &has_times);

	if (!ret && !has_times) {
		ret = measure(&t, argv, true, &code);
		if (!ret)
			ret = code ? DUMP_UNREADABLE : DUMP_OK;
		if (!ret && keep_times && t.span_count)
			ret = keep(&t, path);
	}
	if (!ret)
		ret = show(&t, chrome);
	finish(&t);
	return ret;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"chrome", required_argument, NULL, 'c'},
		{"keep", no_argument, NULL, 'k'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	const char *chrome = NULL;
	bool keep_times = false, is_program;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+c:kh", options, NULL)) != -1) {
		if (option == 'h')
			return dump_help(&dump_timeline);
		if (option == 'c')
			chrome = optarg;
		else if (option == 'k')
			keep_times = true;
		else
			return dump_usage(&dump_timeline, "unknown option '%s'", argv[optind - 1]);
	}
	is_program = optind > 1 && !strcmp(argv[optind - 1], "--");
	if (optind == argc || (!is_program && argc - optind != 1))
		return dump_usage(&dump_timeline, "one FILE is needed, or -- and a program");
	if (is_program && keep_times)
		return dump_usage(&dump_timeline, "--keep goes with a FILE");
	return is_program ? show_program(argv + optind, chrome)
			  : show_file(argv[optind], chrome, keep_times);
}

const struct dump_command dump_timeline = {
	.name = "timeline",
	.summary = "when each node ran, queue by queue",
	.help = "Usage: mtgraph-dump timeline [--chrome OUT.json] [--keep] FILE\n"
		"       mtgraph-dump timeline [--chrome OUT.json] -- PROGRAM [ARGUMENTS]\n"
		"\n"
		"Prints when each node of each launch began and how long it took, queue by queue. A program\n"
		"runs with time stamps around every node, so that the nodes of one queue run one after the\n"
		"other, and a launch waits until the one before it has completed. Of a file the measured times\n"
		"in it are shown; a file without is replayed.\n"
		"\n"
		"  --chrome OUT.json  writes a trace for Chrome's about:tracing and for Perfetto instead\n"
		"  --keep             adds the times of a replay to FILE, where 'draw' takes them for the\n"
		"                     critical path\n"
		"  --help             this text\n"
		"\n"
		"Exit status: that of the program; of a file 0; 2 for wrong use, 3 if nothing could be\n"
		"measured or read.\n",
	.run = run,
};
