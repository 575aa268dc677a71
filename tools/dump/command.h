/* SPDX-License-Identifier: MIT */
/*
 * What the sub-commands of mtgraph-dump share: the table that main.c dispatches by, exit codes, and
 * the words in which they complain.
 */
#ifndef MT_DUMP_COMMAND_H
#define MT_DUMP_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

/* Exit codes. */
enum {
	DUMP_OK = 0,
	DUMP_FINDING = 1,    /* done, and something was found: a difference, a hazard */
	DUMP_USAGE = 2,      /* the command line */
	DUMP_UNREADABLE = 3, /* input that cannot be read, or lacks what the command needs */
};

struct dump_command {
	const char *name;
	const char *summary;                 /* a line of the list of commands */
	const char *help;                    /* printed by `NAME --help`, complete */
	int (*run)(int argc, char **argv);   /* argv[0] is the command; returns an exit code */
};

extern const struct dump_command dump_diff;
extern const struct dump_command dump_replay;
extern const struct dump_command dump_show;
extern const struct dump_command dump_timeline;
extern const struct dump_command dump_check;
extern const struct dump_command dump_trace;
extern const struct dump_command dump_draw;

/* Prints the help of a command and returns DUMP_OK. */
int dump_help(const struct dump_command *command);

/* "mtgraph-dump NAME: text" on stderr and the way to the help; returns DUMP_USAGE. */
int dump_usage(const struct dump_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "mtgraph-dump: error: text" on stderr. */
void dump_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes standard output: what could not be written is an error, so that a full disk is no success.
 * Returns `code`, or DUMP_UNREADABLE. */
int dump_finish(int code);

/* A decimal number that is all of the text, from min to max. */
bool dump_parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *value_out);

#endif
