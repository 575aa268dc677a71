/* SPDX-License-Identifier: MIT */
/* Gathers when nodes ran: from the events of a program, or from the times that a file holds. */
#include "tools/dump/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/command.h"
#include "tools/dump/demangle.h"
#include "tools/dump/file.h"
#include "tools/dump/program.h"
#include "tools/dump/words.h"

#define LABEL_B 512u

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

void timeline_finish(struct timeline *t)
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

void timeline_sort(struct timeline *t)
{
	qsort(t->spans, t->span_count, sizeof(*t->spans), compare_spans);
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

int timeline_measure(struct timeline *t, char **argv, bool quiet, int *exit_code)
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

int timeline_read(struct timeline *t, const char *path, bool *has_times)
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
