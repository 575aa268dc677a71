/* SPDX-License-Identifier: MIT */
/* mtgraph-dump: finds the sub-command and calls it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/dump/command.h"

static const struct dump_command *const commands[] = {
	&dump_show,
#ifdef DUMP_DRAW
	&dump_draw,
#endif
	&dump_diff,
	&dump_replay,
	&dump_trace,
	&dump_check,
	&dump_timeline,
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *file)
{
	fputs("Usage: mtgraph-dump COMMAND [OPTIONS] ...\n"
	      "\n"
	      "Shows what is in graphs and code objects, runs saved graphs, and finds faults in them.\n"
	      "\n"
	      "Commands:\n",
	      file);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(file, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "'mtgraph-dump COMMAND --help' tells what a command takes. Saved graphs are written by\n"
	      "programs that run with MUSA_GRAPH_SAVE=DIRECTORY, and by mtGraphSave() of mtgraph.h.\n"
	      "\n"
	      "Exit status: 0 done, 1 something was found, 2 wrong use, 3 the input cannot be read or\n"
	      "lacks what the command needs.\n",
	      file);
}

int dump_help(const struct dump_command *command)
{
	fputs(command->help, stdout);
	return dump_finish(DUMP_OK);
}

int dump_usage(const struct dump_command *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "mtgraph-dump %s: ", command->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nTry 'mtgraph-dump %s --help'.\n", command->name);
	return DUMP_USAGE;
}

void dump_error(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("mtgraph-dump: error: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

int dump_finish(int code)
{
	if (!ferror(stdout) && !fflush(stdout))
		return code;
	dump_error("standard output: %s", strerror(errno));
	return DUMP_UNREADABLE;
}

bool dump_parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *value_out)
{
	uint64_t value = 0;

	if (!*text)
		return false;
	for (; *text; text++)
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return false;
	if (value < min || value > max)
		return false;
	*value_out = value;
	return true;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return DUMP_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return dump_finish(DUMP_OK);
	}
	if (!strcmp(argv[1], "--version")) {
		puts("mtgraph-dump " DUMP_VERSION);
		return dump_finish(DUMP_OK);
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return dump_finish(commands[i]->run(argc - 1, argv + 1));
	fprintf(stderr, "mtgraph-dump: no command '%s'\nTry 'mtgraph-dump --help'.\n", argv[1]);
	return DUMP_USAGE;
}
