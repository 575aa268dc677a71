/* SPDX-License-Identifier: MIT */
/* Runs a program under the trace, and follows what it writes. */
#include "tools/dump/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/dump/command.h"

#define LOOK_MS 20 /* between two looks for new events */

extern char **environ;

static int make_directory(struct program *program)
{
	const char *base = getenv("TMPDIR");
	int length;

	length = snprintf(program->directory, sizeof(program->directory), "%s/mtgraph-dump-XXXXXX",
			  base && *base ? base : "/tmp");
	if (length < 0 || (size_t)length >= sizeof(program->directory))
		snprintf(program->directory, sizeof(program->directory), "/tmp/mtgraph-dump-XXXXXX");
	if (!mkdtemp(program->directory)) {
		dump_error("%s: %s", program->directory, strerror(errno));
		program->directory[0] = 0;
		return DUMP_UNREADABLE;
	}
	snprintf(program->trace, sizeof(program->trace), "%s/trace", program->directory);
	program->fd = open(program->trace, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (program->fd >= 0)
		return DUMP_OK;
	dump_error("%s: %s", program->trace, strerror(errno));
	return DUMP_UNREADABLE;
}

static void set_environment(const struct program *program, uint32_t flags)
{
	setenv("MUSA_TRACE", program->trace, 1);
	if (flags & PROGRAM_TIMES)
		setenv("MUSA_TRACE_TIMES", "1", 1);
	else
		unsetenv("MUSA_TRACE_TIMES");
	if (flags & PROGRAM_ACCESSES)
		setenv("MUSA_TRACE_ACCESSES", "1", 1);
	else
		unsetenv("MUSA_TRACE_ACCESSES");
	if (flags & PROGRAM_SAVE) {
		setenv("MUSA_GRAPH_SAVE", program->directory, 1);
		setenv("MUSA_GRAPH_SAVE_MEMORY", "0", 1);
	}
}

/* In the child. Tells the parent through `fd` why it could not start. */
static void run(const struct program *program, char **argv, uint32_t flags, int fd)
{
	int error;

	set_environment(program, flags);
	if (flags & PROGRAM_QUIET)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	error = errno;
	while (write(fd, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(127);
}

int program_start(struct program *program, char **argv, uint32_t flags)
{
	int ret, pipe_fds[2], error = 0;
	ssize_t got;

	memset(program, 0, offsetof(struct program, events));
	program->fd = -1;
	ret = make_directory(program);
	if (ret)
		return ret;
	events_init(&program->events, program->fd);
	if (pipe2(pipe_fds, O_CLOEXEC)) {
		dump_error("pipe: %s", strerror(errno));
		return DUMP_UNREADABLE;
	}
	fflush(NULL);
	program->pid = fork();
	if (!program->pid)
		run(program, argv, flags, pipe_fds[1]);
	close(pipe_fds[1]);
	if (program->pid < 0) {
		error = errno;
	} else {
		do
			got = read(pipe_fds[0], &error, sizeof(error));
		while (got < 0 && errno == EINTR);
		if (got != (ssize_t)sizeof(error))
			error = 0;
	}
	close(pipe_fds[0]);
	if (!error)
		return DUMP_OK;
	if (program->pid > 0)
		waitpid(program->pid, &program->status, 0);
	program->ended = true;
	dump_error("%s: %s", argv[0], strerror(error));
	return DUMP_UNREADABLE;
}

static void wait_a_moment(struct program *program)
{
	int fd = (int)syscall(SYS_pidfd_open, program->pid, 0);
	struct pollfd end = {.fd = fd, .events = POLLIN};

	poll(&end, fd < 0 ? 0 : 1, LOOK_MS);
	if (fd >= 0)
		close(fd);
	if (waitpid(program->pid, &program->status, WNOHANG) == program->pid)
		program->ended = true;
}

bool program_next(struct program *program, struct event *event)
{
	bool ended;

	for (;;) {
		ended = program->ended;
		if (events_next(&program->events, event))
			return true;
		if (ended)
			return false;
		fflush(stdout);
		wait_a_moment(program);
	}
}

int program_exit_code(const struct program *program)
{
	if (WIFEXITED(program->status))
		return WEXITSTATUS(program->status);
	return 128 + WTERMSIG(program->status);
}

const char *program_fate(const struct program *program, char *text, uint32_t size_b)
{
	if (WIFEXITED(program->status))
		snprintf(text, size_b, "exited with status %d", WEXITSTATUS(program->status));
	else
		snprintf(text, size_b, "was ended by signal %d (%s)", WTERMSIG(program->status),
			 strsignal(WTERMSIG(program->status)));
	return text;
}

static void remove_directory(const char *path)
{
	char name[512];
	struct dirent *entry;
	DIR *directory = opendir(path);

	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		unlink(name);
	}
	if (directory)
		closedir(directory);
	rmdir(path);
}

void program_finish(struct program *program)
{
	if (program->pid > 0 && !program->ended) {
		kill(program->pid, SIGTERM);
		waitpid(program->pid, &program->status, 0);
	}
	if (program->fd >= 0)
		close(program->fd);
	if (program->directory[0])
		remove_directory(program->directory);
}
