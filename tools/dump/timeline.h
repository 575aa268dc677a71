/* SPDX-License-Identifier: MIT */
/* When nodes ran: timeline.c gathers it from programs and files, timeline_report.c tells it. */
#ifndef MT_DUMP_TIMELINE_H
#define MT_DUMP_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/dump/json.h"

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

/* Runs a program with time stamps around every node. Its standard output is left to it, or goes to
 * standard error. DUMP_OK, and what it ended with, or DUMP_UNREADABLE, which was explained. */
int timeline_measure(struct timeline *timeline, char **argv, bool quiet, int *exit_code);

/* Takes the times that a file holds, if it has any. */
int timeline_read(struct timeline *timeline, const char *path, bool *has_times);

/* Execs, launches, queues in order; of one queue as they began. There is a span at least. */
void timeline_sort(struct timeline *timeline);
void timeline_finish(struct timeline *timeline); /* accepts a zeroed one */

/* Of a sorted one: as text; as Chrome's tracing has it, written to a file; as members of an object. */
void timeline_print(const struct timeline *timeline);
int timeline_write_chrome(const struct timeline *timeline, const char *path);
void timeline_put(const struct timeline *timeline, struct json *json);

#endif
