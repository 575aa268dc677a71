/* SPDX-License-Identifier: MIT */
/* First times: each in a process of its own, which this program starts from itself. */
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "kernels.h"

#define COLD_NODES 16384

extern char **environ;

/* In the new process: what takes how long there; the clock is the machine's. */
int first_use(void)
{
	struct bench b = {0};
	struct subject s = {.shape = CHAIN, .count = COLD_NODES};
	const dim3 one = {1, 1, 1};
	double marks[8];
	int i = 0;

	CHECK(musaStreamCreateWithFlags(&b.stream, musaStreamNonBlocking));
	CHECK(musaLaunchKernel(kernel_empty, one, one, NULL, 0, b.stream));
	marks[i++] = now_ns();
	CHECK(musaStreamSynchronize(b.stream));
	marks[i++] = now_ns();
	s.nodes = malloc(s.count * sizeof(*s.nodes));
	memset(s.nodes, 0, s.count * sizeof(*s.nodes));
	marks[i++] = now_ns();
	s.graph = build_subject(&b, &s);
	marks[i++] = now_ns();
	CHECK(musaGraphInstantiate(&s.exec, s.graph, 0));
	marks[i++] = now_ns();
	CHECK(musaGraphLaunch(s.exec, b.stream));
	marks[i++] = now_ns();
	CHECK(musaStreamSynchronize(b.stream));
	marks[i++] = now_ns();
	for (int k = 0; k < i; k++)
		printf("%.0f\n", marks[k]);
	return 0;
}

/* False if the process could not be started or did not answer. */
static bool run_first(double *start, double marks[7])
{
	static char path[] = "/proc/self/exe", option[] = "--first-use";
	char *arguments[] = {path, option, NULL};
	posix_spawn_file_actions_t actions;
	int pipes[2], status = 1, got = 0;
	FILE *file;
	pid_t child;

	if (pipe(pipes))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
	posix_spawn_file_actions_addclose(&actions, pipes[0]);
	*start = now_ns();
	if (posix_spawn(&child, path, &actions, NULL, arguments, environ))
		child = -1;
	posix_spawn_file_actions_destroy(&actions);
	close(pipes[1]);
	file = fdopen(pipes[0], "r");
	while (child > 0 && file && got < 7 && fscanf(file, "%lf", &marks[got]) == 1)
		got++;
	if (file)
		fclose(file);
	if (child > 0)
		waitpid(child, &status, 0);
	return got == 7 && !status;
}

void rows_first(struct bench *b)
{
	static const struct {
		const char *name, *unit;
		int from, to; /* marks; -1: the start */
		double units;
	} rows[] = {
		{"first-use", "ms", -1, 0, 1e6},
		{"cold-build", "ns/node", 2, 3, COLD_NODES},
		{"cold-instantiate", "ns/node", 3, 4, COLD_NODES},
		{"cold-launch", "us", 4, 5, 1e3},
		{"cold-replay", "ns/node", 5, 6, COLD_NODES},
	};
	double starts[REPEATS_MAX], marks[REPEATS_MAX][7];

	if (!wanted(b, "first-use") || b->counts)
		return;
	for (int r = 0; r < b->repeats; r++)
		if (!run_first(&starts[r], marks[r]))
			check(musaErrorUnknown, "a process of its own");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int r = 0; r < b->repeats; r++)
			b->samples[r] = (marks[r][rows[i].to] -
					 (rows[i].from < 0 ? starts[r] : marks[r][rows[i].from])) /
					rows[i].units;
		report_plain(b, rows[i].name, rows[i].from < 2 ? "-" : "chain",
			     rows[i].from < 2 ? 1 : COLD_NODES, rows[i].unit);
	}
}
