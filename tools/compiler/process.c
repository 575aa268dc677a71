/* SPDX-License-Identifier: MIT */
/* Child processes and the temporary folder. A signal ends the children and removes the folder. */
#include "tools/compiler/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN_MAX 4

extern char **environ;

static char temp_folder[4096]; /* "" while there is none */
static unsigned int temp_count;
static volatile pid_t children[CHILDREN_MAX]; /* running; 0 = free */

/* Only calls that a signal handler may make, but for the walk of the folder, whose lock is free
 * whenever a signal arrives: the only other user is this same function. */
static void remove_folder(void)
{
	char path[sizeof(temp_folder) + 256];
	struct dirent *entry;
	DIR *folder;

	if (!temp_folder[0])
		return;
	folder = opendir(temp_folder);
	while (folder && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "%s/%s", temp_folder, entry->d_name);
		unlink(path);
	}
	if (folder)
		closedir(folder);
	rmdir(temp_folder);
	temp_folder[0] = 0;
}

static void end_by_signal(int number)
{
	for (int i = 0; i < CHILDREN_MAX; i++)
		if (children[i])
			kill(children[i], SIGTERM);
	remove_folder();
	signal(number, SIG_DFL);
	raise(number);
}

void mtcc_temp_init(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	const char *parent = getenv("TMPDIR");
	int length;

	if (!parent || !parent[0])
		parent = "/tmp";
	length = snprintf(temp_folder, sizeof(temp_folder), "%s/mtcc-XXXXXX", parent);
	if (length >= (int)sizeof(temp_folder) || !mkdtemp(temp_folder)) {
		int error = length >= (int)sizeof(temp_folder) ? ENAMETOOLONG : errno;

		temp_folder[0] = 0;
		mtcc_fatal("no temporary folder below %s: %s", parent, strerror(error));
	}
	atexit(remove_folder);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], end_by_signal);
}

char *mtcc_temp_path(const char *suffix)
{
	return mtcc_format("%s/%u%s", temp_folder, temp_count++, suffix);
}

static void print_command(const struct mtcc_list *argv)
{
	for (size_t i = 0; i < argv->count; i++)
		fprintf(stderr, "%s\"%s\"", i ? " " : "", argv->items[i]);
	fputc('\n', stderr);
}

static void remember_child(pid_t from, pid_t to)
{
	for (int i = 0; i < CHILDREN_MAX; i++) {
		if (children[i] == from) {
			children[i] = to;
			return;
		}
	}
}

struct mtcc_process mtcc_process_start(const struct mtcc_list *argv, bool capture, bool verbose)
{
	struct mtcc_process process = {0};
	posix_spawn_file_actions_t actions;
	int error;

	if (verbose)
		print_command(argv);
	fflush(NULL);
	if (posix_spawn_file_actions_init(&actions))
		mtcc_fatal("out of memory");
	if (capture) {
		process.output = mtcc_temp_path(".txt");
		if (posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, process.output,
						     O_WRONLY | O_CREAT | O_TRUNC, 0600))
			mtcc_fatal("out of memory");
	}
	error = posix_spawnp(&process.pid, argv->items[0], &actions, NULL, argv->items, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		mtcc_fatal("cannot run %s: %s", argv->items[0], strerror(error));
	remember_child(0, process.pid);
	return process;
}

int mtcc_process_wait(struct mtcc_process *process, char **messages_out)
{
	struct mtcc_bytes bytes = {0};
	int status;

	while (waitpid(process->pid, &status, 0) < 0)
		if (errno != EINTR)
			mtcc_fatal("waiting for a child: %s", strerror(errno));
	remember_child(process->pid, 0);
	if (process->output && messages_out) {
		bytes = mtcc_file_read(process->output);
		*messages_out = mtcc_format("%.*s", (int)bytes.size_b, (char *)bytes.data);
		free(bytes.data);
	}
	free(process->output);
	process->output = NULL;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int mtcc_process_run(const struct mtcc_list *argv, bool verbose)
{
	struct mtcc_process process = mtcc_process_start(argv, false, verbose);

	return mtcc_process_wait(&process, NULL);
}
