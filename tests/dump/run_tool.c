/* SPDX-License-Identifier: MIT */
/* mtgraph-dump as a child process. */
#include "run_tool.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

int run_tool(const char *options, const char *file, char output[OUTPUT_B])
{
	char command[512];
	size_t count;
	FILE *pipe;
	int status;

	cr_assert(getenv("MTGRAPH_DUMP"), "MTGRAPH_DUMP names no tool");
	snprintf(command, sizeof(command), "%s %s %s 2>&1", getenv("MTGRAPH_DUMP"), options, file);
	pipe = popen(command, "r");
	cr_assert(pipe);
	count = fread(output, 1, OUTPUT_B - 1, pipe);
	output[count] = '\0';
	while (fgetc(pipe) != EOF) /* the rest of it */
		;
	status = pclose(pipe);
	cr_assert(WIFEXITED(status), "%s dies: %s", command, output);
	return WEXITSTATUS(status);
}

int run_until_it_differs(const char *file, char output[OUTPUT_B])
{
	char options[96];
	int code = 0;

	for (int seed = 1; seed <= 20 && !code; seed++) {
		snprintf(options, sizeof(options), "replay --compare --count 5 --schedule random:%d",
			 seed);
		code = run_tool(options, file, output);
	}
	return code;
}
