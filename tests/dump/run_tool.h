/* SPDX-License-Identifier: MIT */
/* Runs mtgraph-dump, which the variable MTGRAPH_DUMP names, as a user does. */
#ifndef TEST_DUMP_RUN_TOOL_H
#define TEST_DUMP_RUN_TOOL_H

#define OUTPUT_B 8192

/* `MTGRAPH_DUMP options file`: its exit code, and what it says on both streams, as far as there is room. */
int run_tool(const char *options, const char *file, char output[OUTPUT_B]);

/* Replays the file in up to 20 random orders, until runs differ: the last exit code. */
int run_until_it_differs(const char *file, char output[OUTPUT_B]);

/* run_tool() into `said`, which has to end with `want`. */
#define TOOL(want, options, file)                                                                  \
	do {                                                                                       \
		int tool_got = run_tool(options, file, said);                                      \
		cr_assert_eq(tool_got, (want), "'%s' ends with %d: %s", options, tool_got, said);  \
	} while (0)

#endif
