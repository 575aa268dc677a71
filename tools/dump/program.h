/* SPDX-License-Identifier: MIT */
/*
 * Runs a program under the trace. What the library writes goes to a temporary directory, which is
 * removed afterwards.
 */
#ifndef MT_DUMP_PROGRAM_H
#define MT_DUMP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/dump/events.h"

enum program_flags {
	PROGRAM_TIMES = 1u << 0,    /* MUSA_TRACE_TIMES */
	PROGRAM_ACCESSES = 1u << 1, /* MUSA_TRACE_ACCESSES */
	PROGRAM_QUIET = 1u << 3,    /* its standard output goes to standard error */
	PROGRAM_SAVE = 1u << 2,     /* MUSA_GRAPH_SAVE into the directory, without memory contents */
};

struct program {
	char directory[64];
	char trace[96];  /* path in it */
	int fd;          /* of the trace */
	int pid;
	int status;      /* as waitpid() gives it, once it has ended */
	bool ended;
	struct event_reader events;
};

/* Starts `argv`, looked up in PATH. DUMP_OK or DUMP_UNREADABLE, which was explained. */
int program_start(struct program *program, char **argv, uint32_t flags);

/* The next event; waits for one while the program runs. false: it has ended, and all were read. */
bool program_next(struct program *program, struct event *event);

/* What the program ended with, as a shell says it: its exit status, or 128 + signal. */
int program_exit_code(const struct program *program);

/* "exited with status 1", "was ended by signal 11 (Segmentation fault)". Returns text. */
const char *program_fate(const struct program *program, char *text, uint32_t size_b);

/* Removes the directory. The program has ended, or is ended now. */
void program_finish(struct program *program);

#endif
